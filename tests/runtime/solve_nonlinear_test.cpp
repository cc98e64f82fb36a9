// Nonlinear loops: easy and hard ones, what is remembered between solutions, tangents, and the message about failure.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/runtime/solve_host.h"

using fmugen::test::SolveHost;

namespace {

constexpr double infinity = HUGE_VAL;

// One unknown: slots 0 time, 1 p, 2 x.
const FmrSlot slot_2[] = {2};
const char* const name_x[] = {"x"};
const char* const equation[] = {"f(x) = p   (loop.dym:2)"};

using Function = double (*)(double x, double p);

// The functions that are solved for zero, and a count of their evaluations.
Function function, slope;
int evaluations = 0;

int scalar_residual(FmrData* m, double* r) {
  evaluations++;
  r[0] = function(m->v[2], m->v[1]);
  return 0;
}

int scalar_tangent(FmrData* m, double* r) {
  r[0] = slope(m->v[2], m->v[1]) * m->d[2] - m->d[1];  // of f(x) - p
  return 0;
}

FmrNonlinearBlock scalar_block(Function f, Function df = nullptr, const double* nominal = nullptr,
                               const double* min = nullptr, const double* max = nullptr) {
  function = f;
  slope = df;
  return {0,
          1,
          slot_2,
          0,
          nullptr,
          nominal,
          min,
          max,
          scalar_residual,
          df ? scalar_tangent : nullptr,
          {1, equation, name_x}};
}

struct Case {
  const char* name;
  Function f, df;
  double p, start, solution;
};

}  // namespace

TEST_CASE("scalar loops, with and without derivatives") {
  const Case cases[] = {
      {"square", [](double x, double p) { return x * x - p; }, [](double x, double) { return 2 * x; }, 2, 1,
       std::sqrt(2)},
      {"square from where its slope is zero", [](double x, double p) { return x * x - p; },
       [](double x, double) { return 2 * x; }, 2, 0, std::sqrt(2)},
      {"arc tangent, from where Newton diverges", [](double x, double p) { return std::atan(x) - p; },
       [](double x, double) { return 1 / (1 + x * x); }, 0, 20, 0},
      {"cycle of two", [](double x, double p) { return x * x * x - 2 * x - p; },
       [](double x, double) { return 3 * x * x - 2; }, -2, 0, -1.7692923542386314},
      {"logarithm, whose first step leaves its domain", [](double x, double p) { return std::log(x) - p; },
       [](double x, double) { return 1 / x; }, -3, 20, std::exp(-3)},
      {"exponential from far above", [](double x, double p) { return std::exp(x) - p; },
       [](double x, double) { return std::exp(x); }, 1, 300, 0},
      {"diode and resistor from zero", [](double x, double p) { return 1e-14 * (std::exp(x / 0.025) - 1) + x - p; },
       [](double x, double) { return 1e-14 * std::exp(x / 0.025) / 0.025 + 1; }, 5, 0, 0.8415334423073748},
      {"triple root", [](double x, double p) { return x * x * x - p; }, [](double x, double) { return 3 * x * x; }, 0,
       1, 0},
      {"cube root, infinite slope", [](double x, double p) { return std::cbrt(x) - p; },
       [](double x, double) { return 1 / (3 * std::cbrt(x * x)); }, 0, 1, 0},
      {"infinite slope at the start", [](double x, double p) { return std::sqrt(x) - p; },
       [](double x, double) { return 0.5 / std::sqrt(x); }, 3, 0, 9},
      {"tiny numbers", [](double x, double p) { return 1e-12 * (x - 3) - p; }, [](double, double) { return 1e-12; }, 0,
       0, 3},
      {"huge numbers", [](double x, double p) { return 1e15 * (x * x - 4) - p; },
       [](double x, double) { return 2e15 * x; }, 0, 1, 2},
      {"saturated", [](double x, double p) { return std::tanh(x - 40) + 0.5 - p; },
       [](double x, double) { return 1 - std::tanh(x - 40) * std::tanh(x - 40); }, 0, 0, 40 - std::atanh(0.5)},
      {"flat on the left", [](double x, double p) { return (x < 1 ? 0 : (x - 1) * (x - 1)) - p; },
       [](double x, double) { return x < 1 ? 0 : 2 * (x - 1); }, 4, -5, 3},
  };
  for (const Case& c : cases) {
    for (bool derivative : {true, false}) {
      CAPTURE(c.name, derivative);
      FmrNonlinearBlock block = scalar_block(c.f, derivative ? c.df : nullptr);
      SolveHost host(3, {}, {&block});
      host.v = {0, c.p, c.start};
      CHECK(fmr_solve_nonlinear(host.m(), &block) == 0);
      double precision = std::string(c.name) == "triple root" ? 1e-4 : 1e-8;
      CHECK(std::fabs(host.v[2] - c.solution) < precision * std::fmax(1, std::fabs(c.solution)));
      CHECK(host.last_error() == "");
    }
  }
}

TEST_CASE("min and max decide between solutions, and keep iterations off places without values") {
  const double zero[] = {0}, all[] = {infinity}, none[] = {-infinity};
  FmrNonlinearBlock block = scalar_block([](double x, double p) { return x * x - p; },
                                         [](double x, double) { return 2 * x; }, nullptr, zero, all);
  SolveHost host(3, {}, {&block});
  host.v = {0, 4, 1e-3};
  REQUIRE(fmr_solve_nonlinear(host.m(), &block) == 0);
  CHECK(host.v[2] == Approx(2));

  FmrNonlinearBlock negative = scalar_block([](double x, double p) { return x * x - p; },
                                            [](double x, double) { return 2 * x; }, nullptr, none, zero);
  SolveHost other(3, {}, {&negative});
  other.v = {0, 4, 1};
  REQUIRE(fmr_solve_nonlinear(other.m(), &negative) == 0);
  CHECK(other.v[2] == Approx(-2));

  FmrNonlinearBlock outside = scalar_block([](double x, double p) { return x - p; }, nullptr, nullptr, zero, all);
  SolveHost third(3, {}, {&outside});
  third.v = {0, -4, 1};
  REQUIRE(fmr_solve_nonlinear(third.m(), &outside) == 0);
  CHECK(third.v[2] == Approx(-4));
}

TEST_CASE("a loop without solution is reported with its time, equations, values and what to try") {
  FmrNonlinearBlock block = scalar_block([](double x, double p) { return x * x - p; }, nullptr);
  SolveHost host(3, {}, {&block});
  host.v = {0.5, -1, 0};
  CHECK(fmr_solve_nonlinear(host.m(), &block) != 0);
  REQUIRE(host.reports.size() == 1);
  CHECK(host.reports[0].level == FMR_ERROR);
  CHECK(host.reports[0].category == "logNonlinearSystems");
  CHECK(host.reports[0].text ==
        "at time 0.5: no solution found for x of these equations, since their residual has the same sign everywhere:\n"
        "  f(x) = p   (loop.dym:2)\n"
        "The closest came x = 0 (residual 1). Try start values near the solution, nominal values of the right size, or "
        "min and max.");
  host.v[1] = 9;  // and can be solved again
  CHECK(fmr_solve_nonlinear(host.m(), &block) == 0);
  CHECK(std::fabs(host.v[2]) == Approx(3));
}

TEST_CASE("residuals that jump over zero are no solution") {
  FmrNonlinearBlock block = scalar_block([](double x, double p) { return (x < 1 ? -1.0 : 1.0) - p; });
  SolveHost host(3, {}, {&block});
  CHECK(fmr_solve_nonlinear(host.m(), &block) != 0);
  FmrNonlinearBlock pole = scalar_block([](double x, double p) { return 1 / (x - 1) - p; });
  SolveHost other(3, {}, {&pole});
  CHECK(fmr_solve_nonlinear(other.m(), &pole) != 0);
}

TEST_CASE("residuals that are nowhere numbers end in a message, not in a hang") {
  FmrNonlinearBlock block = scalar_block([](double, double) { return std::nan(""); });
  SolveHost host(3, {}, {&block});
  CHECK(fmr_solve_nonlinear(host.m(), &block) != 0);
  CHECK(host.last_error().find("since their residuals are not numbers there") != std::string::npos);
}

TEST_CASE("accepted solutions are extrapolated, and forgotten at a jump") {
  FmrNonlinearBlock block = scalar_block([](double x, double p) { return x * x * x + x - p; },
                                         [](double x, double) { return 3 * x * x + 1; });
  SolveHost host(3, {}, {&block});
  auto solve_at = [&](double t) {  // x = t is the solution
    host.v[0] = t;
    host.v[1] = t * t * t + t;
    evaluations = 0;
    REQUIRE(fmr_solve_nonlinear(host.m(), &block) == 0);
    CHECK(host.v[2] == Approx(t).epsilon(1e-12));
    int used = evaluations;
    fmr_solve_store_accept(host.store, host.m());
    return used;
  };
  solve_at(1.0);
  int from_last = solve_at(1.5);
  int extrapolated = solve_at(2.0);
  CHECK(extrapolated < from_last);
  CHECK(extrapolated <= 2);
  fmr_solve_store_jump(host.store);
  CHECK(solve_at(2.5) > extrapolated);
}

TEST_CASE("what a store remembers can be saved and loaded") {
  FmrNonlinearBlock block =
      scalar_block([](double x, double p) { return x * x - p; }, [](double x, double) { return 2 * x; });
  SolveHost host(3, {}, {&block});
  host.v = {0, 4, -1};  // the negative one
  REQUIRE(fmr_solve_nonlinear(host.m(), &block) == 0);
  std::vector<double> saved(fmr_solve_store_size(host.store));
  fmr_solve_store_save(host.store, saved.data());

  SolveHost other(3, {}, {&block});
  other.v = {0, 4.1, 1};
  fmr_solve_store_load(other.store, saved.data());
  REQUIRE(fmr_solve_nonlinear(other.m(), &block) == 0);
  CHECK(other.v[2] == Approx(-std::sqrt(4.1)));
  fmr_solve_store_reset(other.store);
  other.v[2] = 1;
  REQUIRE(fmr_solve_nonlinear(other.m(), &block) == 0);
  CHECK(other.v[2] == Approx(std::sqrt(4.1)));
}

TEST_CASE("tangents of a scalar loop are its derivatives") {
  FmrNonlinearBlock block =
      scalar_block([](double x, double p) { return x * x - p; }, [](double x, double) { return 2 * x; });
  SolveHost host(3, {}, {&block});
  host.v = {0, 4, 1};
  REQUIRE(fmr_solve_nonlinear(host.m(), &block) == 0);
  host.d[1] = 1;
  REQUIRE(fmr_tangent_nonlinear(host.m(), &block) == 0);
  CHECK(host.d[2] == Approx(0.25));
  CHECK(host.data.d == host.d.data());
}
