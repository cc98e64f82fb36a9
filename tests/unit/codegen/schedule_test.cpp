#include "fmugen/codegen/schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

using fmugen::codegen::kFirstKernel;
using fmugen::codegen::kPlain;
using fmugen::codegen::kSolve;
using fmugen::codegen::schedule;
using Numbers = std::vector<std::uint32_t>;

TEST_CASE("equal classes stand together where dependences allow it") {
  const std::uint32_t a = kFirstKernel, b = kFirstKernel + 1;
  CHECK(schedule({a, b, a, b, a, b}, {{0, 1}, {2, 3}, {4, 5}}) == Numbers{0, 2, 4, 1, 3, 5});
}

TEST_CASE("a chain of one class is one run") {
  const std::uint32_t a = kFirstKernel, b = kFirstKernel + 1;
  CHECK(schedule({a, a, a, b, b}, {{0, 1}, {1, 2}}) == Numbers{3, 4, 0, 1, 2});
}

TEST_CASE("plain statements and blocks come as early as they can, in their order") {
  CHECK(schedule({kPlain, kPlain, kPlain}, {{2, 0}}) == Numbers{1, 2, 0});
  CHECK(schedule({kFirstKernel, kSolve, kPlain}, {{1, 2}}) == Numbers{1, 2, 0});
}

TEST_CASE("a circle is an error of ours") {
  CHECK_THROWS_AS(schedule({kPlain, kPlain}, {{0, 1}, {1, 0}}), std::logic_error);
}

TEST_CASE("every order respects all dependences") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t n = 1 + random() % 60;
    Numbers classes(n);
    for (auto& c : classes) c = random() % 6;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> needs;
    for (std::uint32_t k = 0; k + 1 < n; ++k)
      for (std::uint32_t j = 0; j < random() % 4; ++j) needs.emplace_back(k, k + 1 + random() % (n - k - 1));
    const Numbers order = schedule(classes, needs);
    Numbers place(n, n);
    for (std::uint32_t k = 0; k < n; ++k) place[order[k]] = k;
    for (const auto& [from, to] : needs) CHECK(place[from] < place[to]);
    CHECK(std::count(place.begin(), place.end(), n) == 0);
  }
}
