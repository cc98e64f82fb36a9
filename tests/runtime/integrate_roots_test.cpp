// Roots: located closely, returned just behind, in order, and only once; steps that end an advance; no states at all.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/integration.h"

using namespace fmugen::test;

namespace {

const FmrSolver adaptive[] = {FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS, FMR_SOLVER_IDA, FMR_SOLVER_DOPRI45};
const double pi = std::acos(-1.0);

// Free fall from height 1 with a rate that polynomials of order two solve exactly.
void make_fall(Integration& run) {
  run.rates = [](double, const double* x, double* rate) {
    rate[0] = x[1];
    rate[1] = -9.81;
    return 0;
  };
  run.root_count = 1;
  run.roots = [](double, const double* x, double* z) {
    z[0] = x[0];
    return 0;
  };
  run.x = {1, 0};
}

}  // namespace

TEST_CASE("a fall ends within 1e-9 of where it should, just behind the root") {
  for (FmrSolver method : adaptive) {
    for (bool may_overshoot : {false, true}) {
      CAPTURE(method, may_overshoot);
      Integration run;
      make_fall(run);
      run.options.method = method;
      run.options.tolerance = 1e-10;
      run.may_overshoot = may_overshoot;
      REQUIRE(run.start());
      REQUIRE(run.advance(10) == FMR_ROOT);
      CHECK(std::fabs(run.t - std::sqrt(2 / 9.81)) < 1e-9);
      CHECK(run.x[0] <= 0);
      CHECK(run.x[0] > -1e-12);
      CHECK(run.advance(10) == FMR_REACHED);  // and not the same root again
      CHECK(run.x[0] == Approx(1 - 0.5 * 9.81 * 100).epsilon(1e-8));
    }
  }
}

TEST_CASE("a root of time is found to rounding by every adaptive method") {
  for (FmrSolver method : adaptive) {
    for (double at : {0.3, 1234.5}) {
      CAPTURE(method, at);
      Integration run;
      make_fall(run);
      run.roots = [=](double t, const double*, double* z) {
        z[0] = t - at;
        return 0;
      };
      run.options.method = method;
      REQUIRE(run.start());
      REQUIRE(run.advance(2000) == FMR_ROOT);
      CHECK(run.t > at);
      CHECK(run.t - at < 1e-11 * std::fmax(1, at));
    }
  }
}

TEST_CASE("the earliest of several roots comes first, whatever their order and size") {
  for (FmrSolver method : adaptive) {
    CAPTURE(method);
    Integration run;
    make_fall(run);
    const double at[] = {0.7, 0.2, 0.2 + 1e-7, 0.45};
    run.root_count = 4;
    run.roots = [&](double t, const double*, double* z) {
      for (int k = 0; k < 4; k++) z[k] = std::pow(10.0, 5 - 3 * k) * (k % 2 ? at[k] - t : t - at[k]) * (1 + t * t);
      return 0;
    };
    run.options.method = method;
    run.options.largest_step = 1.0;
    REQUIRE(run.start());
    for (double expected : {0.2, 0.2 + 1e-7, 0.45, 0.7}) {
      REQUIRE(run.advance(1.0) == FMR_ROOT);
      CHECK(std::fabs(run.t - expected) < 1e-11);
    }
    CHECK(run.advance(1.0) == FMR_REACHED);
  }
}

TEST_CASE("zero counts as negative: coming down to it is a change, starting there and going down is none") {
  Integration run;
  make_fall(run);
  run.roots = [](double t, const double*, double* z) {
    z[0] = std::fmax(0.0, 0.5 - t);  // exactly zero from 0.5 on
    return 0;
  };
  REQUIRE(run.start());
  REQUIRE(run.advance(1) == FMR_ROOT);
  CHECK(run.t == Approx(0.5).epsilon(1e-11));
  CHECK(run.advance(1) == FMR_REACHED);

  Integration other;
  make_fall(other);
  other.x = {0, 0};
  REQUIRE(other.start());
  CHECK(other.advance(1) == FMR_REACHED);
}

TEST_CASE("what an event changes in root functions counts from the next advance on") {
  Integration run;
  make_fall(run);
  double sign = 1;
  run.roots = [&](double t, const double*, double* z) {
    z[0] = sign * (t - 0.5);
    return 0;
  };
  REQUIRE(run.start());
  REQUIRE(run.advance(1) == FMR_ROOT);
  sign = -1;
  CHECK(run.advance(1) == FMR_REACHED);
}

TEST_CASE("a steep and a discontinuous root function are located, too") {
  for (auto function : {+[](double s) { return std::tanh(1e6 * s); }, +[](double s) { return s > 0 ? 1.0 : -1e-9; },
                        +[](double s) { return std::cbrt(s); }, +[](double s) { return s * s * s; }}) {
    Integration run;
    make_fall(run);
    run.roots = [=](double t, const double*, double* z) {
      z[0] = function(t - 0.123);
      return 0;
    };
    REQUIRE(run.start());
    REQUIRE(run.advance(1) == FMR_ROOT);
    CHECK(run.t > 0.123);
    CHECK(run.t - 0.123 < 1e-12);
    CHECK(run.statistics().roots < 150);
  }
}

TEST_CASE("fixed steps locate a root inside a step, and end where they were planned afterwards") {
  for (FmrSolver method : {FMR_SOLVER_EULER, FMR_SOLVER_HEUN, FMR_SOLVER_RK4}) {
    CAPTURE(method);
    Integration run;
    make_fall(run);
    run.options.method = method;
    run.options.fixed_step = 0.01;
    Vector times;
    run.accepted = [&](double t, const double*) {
      times.push_back(t);
      return 0;
    };
    REQUIRE(run.start());
    REQUIRE(run.advance(1) == FMR_ROOT);
    CHECK(std::fabs(run.t - std::sqrt(2 / 9.81)) < (method == FMR_SOLVER_EULER ? 0.006 : 1e-12));
    CHECK(run.x[0] <= 0);
    CHECK(run.x[0] > -1e-12);
    REQUIRE(run.start());
    times.clear();
    CHECK(run.advance(1) == FMR_REACHED);
    CHECK(times.front() == Approx(std::ceil(run.options.method == FMR_SOLVER_EULER ? 45.7 : 45.15) * 0.01));
    CHECK(times[1] == Approx(times[0] + 0.01));
  }
}

TEST_CASE("fixed steps longer than a flight: up through zero, down again with the right speed, in one step") {
  for (FmrSolver method : {FMR_SOLVER_EULER, FMR_SOLVER_HEUN, FMR_SOLVER_RK4}) {
    for (double speed : {1.0, 1e-2, 1e-4}) {
      CAPTURE(method, speed);
      Integration run;
      make_fall(run);
      run.options.method = method;
      run.options.fixed_step = 0.5;
      run.x = {-1e-12, speed};
      REQUIRE(run.start());
      REQUIRE(run.advance(10) == FMR_ROOT);
      CHECK(run.t < 1e-7);
      REQUIRE(run.start());
      REQUIRE(run.advance(10) == FMR_ROOT);
      const double through_zero = std::sqrt(speed * speed - 2 * 9.81 * 1e-12);
      CHECK(run.t == Approx((speed + through_zero) / 9.81).epsilon(1e-6));
      CHECK(run.x[1] == Approx(-through_zero).epsilon(1e-6));
    }
  }
}

TEST_CASE("fixed steps find a pulse that is shorter than a step") {
  const double rise = std::asin(0.99), fall = pi - rise;  // sin(t) > 0.99
  for (FmrSolver method : {FMR_SOLVER_EULER, FMR_SOLVER_HEUN, FMR_SOLVER_RK4}) {
    for (double step : {0.3, 0.5, 0.75}) {
      CAPTURE(method, step);
      Integration run;
      run.rates = [](double, const double*, double* rate) {
        rate[0] = 1;
        return 0;
      };
      run.root_count = 1;
      run.roots = [](double, const double* x, double* z) {
        z[0] = std::sin(x[0]) - 0.99;
        return 0;
      };
      run.x = {0};
      run.options.method = method;
      run.options.fixed_step = step;
      REQUIRE(run.start());
      for (int period = 0; period < 20; period++) {
        for (double expected : {rise, fall}) {
          REQUIRE(run.advance(200) == FMR_ROOT);
          CHECK(run.t == Approx(expected + 2 * pi * period).epsilon(1e-9));
          REQUIRE(run.start());
        }
      }
    }
  }
}

TEST_CASE("a problem without states has roots of time all the same") {
  for (FmrSolver method : {FMR_SOLVER_CVODE, FMR_SOLVER_IDA, FMR_SOLVER_DOPRI45, FMR_SOLVER_EULER}) {
    CAPTURE(method);
    Integration run;
    run.rates = [](double, const double*, double*) { return 0; };
    run.root_count = 1;
    run.roots = [](double t, const double*, double* z) {
      z[0] = std::cos(t);
      return 0;
    };
    run.options.method = method;
    REQUIRE(run.start());
    int count = 0;
    for (int k = 1; k <= 10; k++) {
      FmrAdvance how;
      while ((how = run.advance(k)) == FMR_ROOT) CHECK(std::fabs(run.t - (count++ + 0.5) * pi) < 1e-11);
      REQUIRE(how == FMR_REACHED);
      REQUIRE(run.t == k);
    }
    CHECK(count == 3);
  }
}

TEST_CASE("accepted steps are told in order, and can end an advance") {
  for (FmrSolver method : {FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS, FMR_SOLVER_IDA, FMR_SOLVER_DOPRI45, FMR_SOLVER_RK4}) {
    CAPTURE(method);
    Integration run;
    make_fall(run);
    run.root_count = 0;
    run.options.method = method;
    run.options.fixed_step = run.options.largest_step = 0.05;
    Vector times;
    bool stop = false;
    run.accepted = [&](double t, const double* x) {
      CHECK(x[1] == Approx(-9.81 * t).epsilon(1e-4));
      times.push_back(t);
      return stop && t > 0.5;
    };
    REQUIRE(run.start());
    CHECK(run.advance(0.32) == FMR_REACHED);
    for (size_t k = 1; k < times.size(); k++) CHECK(times[k] > times[k - 1]);
    CHECK(times.back() <= 0.32);
    CHECK(times.size() >= 6);
    stop = true;
    CHECK(run.advance(1) == FMR_ROOT);
    CHECK(run.t == times.back());
    CHECK(run.t < 0.5 + 0.0501);
  }
}

TEST_CASE("a bounce lower than the tolerance is seen: up through zero, and down again with the right speed") {
  for (FmrSolver method : {FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS, FMR_SOLVER_DOPRI45}) {
    for (double speed : {1e-1, 1e-2, 1e-3}) {
      CAPTURE(method, speed);
      Integration run;
      make_fall(run);
      run.options.method = method;
      run.options.tolerance = 1e-3;
      run.x = {-1e-12, speed};
      REQUIRE(run.start());
      REQUIRE(run.advance(10) == FMR_ROOT);
      CHECK(run.t < 1e-6);
      CHECK(run.x[1] == Approx(speed).epsilon(1e-2));
      REQUIRE(run.start());
      REQUIRE(run.advance(10) == FMR_ROOT);
      CHECK(run.x[0] <= 0);
      CHECK(run.x[1] < 0);
    }
  }
}

TEST_CASE("a function that changes twice within a step is found") {
  Integration run;  // x = t, steps as long as the method likes
  run.rates = [](double, const double*, double* rate) {
    rate[0] = 1;
    return 0;
  };
  run.root_count = 1;
  run.roots = [](double, const double* x, double* z) {
    z[0] = (x[0] - 5) * (x[0] - 5) - 0.01;
    return 0;
  };
  run.x = {0};
  REQUIRE(run.start());
  REQUIRE(run.advance(100) == FMR_ROOT);
  CHECK(run.t == Approx(4.9).epsilon(1e-9));
  REQUIRE(run.start());
  REQUIRE(run.advance(100) == FMR_ROOT);
  CHECK(run.t == Approx(5.1).epsilon(1e-9));
  REQUIRE(run.start());
  CHECK(run.advance(100) == FMR_REACHED);
}
