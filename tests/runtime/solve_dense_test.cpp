// Dense factors: residuals of random systems, scaling of rows, and matrices that have no factors.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

extern "C" {
#include "fmu-runtime/solve/dense.h"
}

namespace {

using Vector = std::vector<double>;

// Rows as one writes them, to columns.
Vector columns(unsigned n, const Vector& rows) {
  Vector result(rows.size());
  for (unsigned i = 0; i < n; i++) {
    for (unsigned j = 0; j < n; j++) result[j * n + i] = rows[i * n + j];
  }
  return result;
}

struct Factored {
  unsigned lost;
  double pivot_value;
  Vector x;
};

Factored solve(unsigned n, Vector a, Vector b) {
  Vector scale(n);
  std::vector<unsigned> pivot(n);
  Factored result{};
  result.lost = fmr_dense_factor(n, a.data(), scale.data(), pivot.data(), &result.pivot_value);
  if (result.lost == 0) fmr_dense_solve(n, a.data(), scale.data(), pivot.data(), b.data());
  result.x = b;
  return result;
}

}  // namespace

TEST_CASE("random systems are solved to rounding") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (unsigned n : {1u, 2u, 3u, 7u, 30u, 100u}) {
    Vector a(n * n), x(n), b(n);
    for (double& value : a) value = uniform(random);
    for (double& value : x) value = uniform(random);
    for (unsigned i = 0; i < n; i++) {
      double scale = std::pow(10.0, 8.0 * uniform(random));  // rows in all kinds of units
      for (unsigned j = 0; j < n; j++) {
        a[j * n + i] *= scale;
        b[i] += a[j * n + i] * x[j];
      }
    }
    Factored solved = solve(n, a, b);
    REQUIRE(solved.lost == 0);
    for (unsigned i = 0; i < n; i++) CHECK(solved.x[i] == Approx(x[i]).margin(1e-11 * n));
  }
}

TEST_CASE("a zero in the corner asks for another row") {
  Factored solved = solve(2, columns(2, {0, 2, 3, 4}), {2, 10});
  REQUIRE(solved.lost == 0);
  CHECK(solved.x == Vector{2, 1});
}

TEST_CASE("scaling keeps a row of large numbers from being the pivot by its unit alone") {
  Factored solved = solve(2, columns(2, {1, 1e20, 1, 1}), {1e20, 2});
  REQUIRE(solved.lost == 0);
  CHECK(solved.x[0] == Approx(1));
  CHECK(solved.x[1] == Approx(1));
}

TEST_CASE("dependent columns are told by the last of them") {
  CHECK(solve(2, columns(2, {2, 4, 4, 8}), {1, 1}).lost == 2);
  CHECK(solve(3, columns(3, {1, 0, 2, 0, 0, 1, 3, 0, 1}), {1, 1, 1}).lost == 2);
  CHECK(solve(1, {0}, {1}).lost == 1);
  // 0.1 + 0.2 is not 0.3: nothing but a rounding error is left for a pivot
  CHECK(solve(2, columns(2, {0.1 + 0.2, 0.3, 1, 1}), {1, 1}).lost == 2);
  CHECK(solve(2, columns(2, {1, 1, 1, 1 + 1e-12}), {1, 1}).lost == 0);
}

TEST_CASE("entries that are not numbers give no factors") {
  double nan = std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  Factored solved = solve(2, columns(2, {nan, 1, 1, 1}), {1, 1});
  CHECK(solved.lost != 0);
  CHECK(!std::isfinite(solved.pivot_value));
  CHECK(solve(2, columns(2, {1, 1, nan, 1}), {1, 1}).lost != 0);
  CHECK(solve(2, columns(2, {1, infinity, 1, 1}), {1, 1}).lost != 0);
}

TEST_CASE("dependent equations are solved if they do not contradict each other") {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (unsigned n : {1u, 2u, 5u, 20u}) {
    for (unsigned rank = 0; rank <= n; rank++) {
      Vector left(n * n), right(n * n), a(n * n), x(n), b(n);
      for (double& value : left) value = uniform(random);
      for (double& value : right) value = uniform(random);
      for (double& value : x) value = uniform(random);
      for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
          for (unsigned k = 0; k < rank; k++) a[j * n + i] += left[i * n + k] * right[k * n + j];
          b[i] += a[j * n + i] * x[j];
        }
      }
      std::vector<unsigned> order(n);
      Vector destroyed = a, solved = b;
      REQUIRE(fmr_dense_dependent(n, destroyed.data(), solved.data(), order.data()) == 0);
      for (unsigned i = 0; i < n; i++) {
        double sum = 0;
        for (unsigned j = 0; j < n; j++) sum += a[j * n + i] * solved[j];
        CHECK(sum == Approx(b[i]).margin(1e-8));
      }
      if (rank == n) continue;
      for (double& value : b) value += uniform(random);
      CHECK(fmr_dense_dependent(n, a.data(), b.data(), order.data()) == 1);
    }
  }
}

TEST_CASE("a penalty chooses the shortest solution of dependent equations") {
  Vector a = columns(2, {1, 1, 1, 1}), b = {2, 2}, work(6);
  REQUIRE(fmr_dense_regularized(2, a.data(), 1e-10, b.data(), work.data()) == 0);
  CHECK(b[0] == Approx(1).epsilon(1e-5));
  CHECK(b[1] == Approx(1).epsilon(1e-5));
}
