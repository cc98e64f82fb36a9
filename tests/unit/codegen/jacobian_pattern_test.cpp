#include "fmugen/codegen/jacobian_pattern.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/support/plan_interpreter.h"

using namespace fmugen;
using Numbers = std::vector<std::uint32_t>;

TEST_CASE("the pattern has the diagonal, sorted rows, and colours that fit") {
  const auto plan = tests::plan_of(
      {.text = "model m\n  input u\n  local x, y, z\n  der(x) = y\n  der(y) = z*u\n  der(z) = -x\nend\n"});
  const auto pattern = codegen::state_pattern(plan);
  REQUIRE(pattern);
  CHECK(pattern->size == 3);
  CHECK(pattern->column_start == Numbers{0, 2, 4, 6});
  CHECK(pattern->row == Numbers{0, 2, 0, 1, 1, 2});
  CHECK(pattern->colours == 3);  // each column shares a row with each other
}

TEST_CASE("columns of one colour share no row, also if a row is full") {
  const auto plan = tests::plan_of(
      {.text = "model m\n  parameter n = 90\n  local x[n], total\n  total = sum(x[:])\n  der(x[1]) = -total\n"
               "  for i := 2 to n do der(x[i]) = x[i-1] - x[i]*x[i] end\nend\n"});
  const auto pattern = codegen::state_pattern(plan);
  REQUIRE(pattern);
  CHECK(pattern->colours == 90);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::uint32_t c = 0; c < pattern->size; ++c)
    for (std::uint32_t k = pattern->column_start[c]; k < pattern->column_start[c + 1]; ++k)
      CHECK(seen.emplace(pattern->row[k], pattern->colour[c]).second);
}

TEST_CASE("a model without states has no pattern") {
  CHECK_FALSE(codegen::state_pattern(tests::plan_of({.text = "model m\n  local x\n  x = time\nend\n"})));
}
