// Every method: measured order, exact landing, agreement with stiff references, roots, and polite failure.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/integration.h"

using namespace fmugen::test;

namespace {

const FmrSolver adaptive[] = {FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS, FMR_SOLVER_IDA, FMR_SOLVER_DOPRI45};
const FmrSolver stiff[] = {FMR_SOLVER_CVODE, FMR_SOLVER_IDA};

void make_oscillator(Integration& run) {
  run.rates = [](double, const double* x, double* rate) {
    rate[0] = x[1];
    rate[1] = -x[0];
    return 0;
  };
  run.x = {1, 0};
  run.t = 0;
}

double oscillator_error(const Integration& run) {
  return std::hypot(run.x[0] - std::cos(run.t), run.x[1] + std::sin(run.t));
}

}  // namespace

TEST_CASE("fixed steps have the order they should have") {
  const struct {
    FmrSolver method;
    double order;
  } cases[] = {{FMR_SOLVER_EULER, 1}, {FMR_SOLVER_HEUN, 2}, {FMR_SOLVER_RK4, 4}};
  for (auto [method, order] : cases) {
    CAPTURE(method);
    double error[2];
    for (int k = 0; k < 2; k++) {
      Integration run;
      make_oscillator(run);
      run.options.method = method;
      run.options.fixed_step = 0.02 / (k + 1);
      REQUIRE(run.start());
      REQUIRE(run.advance(1.0) == FMR_REACHED);
      CHECK(run.statistics().steps == 50u * (k + 1));
      error[k] = oscillator_error(run);
    }
    CHECK(std::log2(error[0] / error[1]) == Approx(order).margin(0.05));
  }
}

TEST_CASE("Dormand-Prince has order five, and four inside its steps") {
  // One step of size h from exact values: local errors fall with one order more.
  auto local_errors = [](double h) {
    Integration run;
    make_oscillator(run);
    run.options.tolerance = 1.0;  // any step is accepted
    run.options.largest_step = h;
    run.nominal = {1e6, 1e6};
    REQUIRE(run.start());
    for (int k = 0; run.t < 0.2 && k < 100; k++) run.advance(run.t + 0.49 * h);
    double inside = oscillator_error(run);
    run.advance(std::ceil(run.t / h) * h);
    return std::pair{inside, oscillator_error(run)};
  };
  auto coarse = local_errors(0.2), fine = local_errors(0.1);
  CHECK(coarse.second < 1e-6);
  CHECK(fine.second < coarse.second / 20);
  CHECK(fine.first < coarse.first);
}

TEST_CASE("adaptive methods are as exact as they are asked to be") {
  for (FmrSolver method : adaptive) {
    double before = 1;
    for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      CAPTURE(method, tolerance);
      Integration run;
      make_oscillator(run);
      run.options.method = method;
      run.options.tolerance = tolerance;
      REQUIRE(run.start());
      REQUIRE(run.advance(10.0) == FMR_REACHED);
      double error = oscillator_error(run);
      CHECK(error < 1000 * tolerance);
      CHECK(error < before);
      before = error;
    }
  }
}

TEST_CASE("every method lands exactly, many times, with and without a look beyond the end") {
  for (FmrSolver method : {FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS, FMR_SOLVER_IDA, FMR_SOLVER_DOPRI45, FMR_SOLVER_EULER,
                           FMR_SOLVER_HEUN, FMR_SOLVER_RK4}) {
    for (bool may_overshoot : {false, true}) {
      CAPTURE(method, may_overshoot);
      Integration run;
      make_oscillator(run);
      double farthest = 0, end = 0, last_evaluated = -1;
      run.rates = [&](double t, const double* x, double* rate) {
        farthest = std::fmax(farthest, t - end);
        last_evaluated = t;
        rate[0] = x[1];
        rate[1] = -x[0];
        return 0;
      };
      run.may_overshoot = may_overshoot;
      run.options.method = method;
      run.options.fixed_step = 0.03;
      REQUIRE(run.start());
      for (int k = 1; k <= 300; k++) {
        end = k % 3 == 0 ? std::nextafter(end, 100.0) : end + 0.0371;  // also to the very next number
        REQUIRE(run.advance(end) == FMR_REACHED);
        REQUIRE(run.t == end);
        REQUIRE(last_evaluated == end);
      }
      if (!may_overshoot) CHECK(farthest <= 1e-15 * end);
      CHECK(run.advance(run.t) == FMR_REACHED);  // no way to go
      CHECK(oscillator_error(run) < (method == FMR_SOLVER_EULER ? 0.3 : 3e-3));
    }
  }
}

TEST_CASE("a first advance to the next number is made") {
  for (FmrSolver method : adaptive) {
    CAPTURE(method);
    Integration run;
    make_oscillator(run);
    run.t = 1;
    run.options.method = method;
    run.may_overshoot = false;
    REQUIRE(run.start());
    double end = std::nextafter(1.0, 2.0);
    CHECK(run.advance(end) == FMR_REACHED);
    CHECK(run.t == end);
    CHECK(run.advance(2.0) == FMR_REACHED);
    CHECK(run.x[0] == Approx(std::cos(1.0)).margin(1e-4));
  }
}

TEST_CASE("Robertson's reactions, to the reference at 40 and 4e5") {
  for (FmrSolver method : stiff) {
    for (bool analytic : {true, false}) {
      CAPTURE(method, analytic);
      Integration run;
      run.rates = [](double, const double* x, double* rate) {
        rate[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
        rate[2] = 3e7 * x[1] * x[1];
        rate[1] = -rate[0] - rate[2];
        return 0;
      };
      if (analytic) {
        run.jacobian = [](double, const double* x, double* j) {
          const double columns[] = {-0.04,      0.04,       0,           1e4 * x[2], -1e4 * x[2] - 6e7 * x[1],
                                    6e7 * x[1], 1e4 * x[1], -1e4 * x[1], 0};
          std::copy(columns, columns + 9, j);
          return 0;
        };
      }
      run.x = {1, 0, 0};
      run.nominal = {1, 1e-4, 1};
      run.options.method = method;
      run.options.tolerance = 1e-8;
      REQUIRE(run.start());
      REQUIRE(run.advance(40) == FMR_REACHED);
      CHECK(run.x[0] == Approx(0.7158270688).epsilon(1e-6));
      CHECK(run.x[1] == Approx(9.185534765e-6).epsilon(1e-5));
      CHECK(run.x[2] == Approx(0.2841637457).epsilon(1e-6));
      REQUIRE(run.advance(4e5) == FMR_REACHED);
      CHECK(run.x[0] == Approx(4.938274e-3).epsilon(1e-4));
      CHECK(run.x[0] + run.x[1] + run.x[2] == Approx(1).epsilon(1e-7));
    }
  }
}

TEST_CASE("Van der Pol's oscillator, very stiff, keeps its period and height") {
  for (FmrSolver method : stiff) {
    CAPTURE(method);
    const double mu = 1000;
    Integration run;
    run.rates = [=](double, const double* x, double* rate) {
      rate[0] = x[1];
      rate[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
      return 0;
    };
    run.jacobian = [=](double, const double* x, double* j) {
      const double columns[] = {0, -2 * mu * x[0] * x[1] - 1, 1, mu * (1 - x[0] * x[0])};
      std::copy(columns, columns + 4, j);
      return 0;
    };
    run.root_count = 1;
    run.roots = [](double, const double* x, double* z) {
      z[0] = x[0];
      return 0;
    };
    run.x = {2, 0};
    run.options.method = method;
    run.options.tolerance = 1e-7;
    REQUIRE(run.start());
    Vector crossings;
    while (run.t < 3500) {
      FmrAdvance how = run.advance(3500);
      REQUIRE(how != FMR_STUCK);
      if (how == FMR_ROOT) crossings.push_back(run.t);
    }
    REQUIRE(crossings.size() == 4);
    // by Dormand-Prince in 1.7 million steps; asymptotically (3 - 2 ln 2) mu + 3*2.338107/mu^(1/3) = 1614.407 and less
    CHECK(crossings[2] - crossings[0] == Approx(1614.401126).epsilon(2e-5));
    CHECK(crossings[3] - crossings[1] == Approx(1614.401126).epsilon(2e-5));
  }
}
