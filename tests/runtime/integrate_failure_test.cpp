// What cannot be integrated: an end where the rates have none, points without values, too many steps; and the step
// sizes of Dormand-Prince where stability limits them.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/integration.h"

using namespace fmugen::test;

namespace {
const FmrSolver adaptive[] = {FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS, FMR_SOLVER_IDA, FMR_SOLVER_DOPRI45};
}

TEST_CASE("a solution that ends in infinity is followed to its end, and the state is named") {
  for (FmrSolver method : adaptive) {
    CAPTURE(method);
    Integration run;
    run.rates = [](double, const double* x, double* rate) {
      rate[0] = -x[0];
      rate[1] = x[1] * x[1];  // 1/(1 - t)
      return 0;
    };
    run.x = {1, 1};
    run.options.method = method;
    REQUIRE(run.start());
    CHECK(run.advance(2) == FMR_STUCK);
    CHECK(run.t > 0.99);
    CHECK(run.t < 1.001);
    CHECK(std::isfinite(run.x[1]));
    CHECK(run.x[0] == Approx(std::exp(-run.t)).epsilon(1e-3));
    CHECK(run.message.find("the integration stops at time ") == 0);
    CHECK(run.message.find(" on the way to 2, since ") != std::string::npos);
    CHECK(run.advance(2) == FMR_STUCK);  // nothing is tried again before a restart
    run.t = 0;
    run.x = {1, 1};
    REQUIRE(run.start());
    CHECK(run.advance(0.5) == FMR_REACHED);
    CHECK(run.x[1] == Approx(2).epsilon(1e-3));
  }
}

TEST_CASE("points without values are stepped around if they can be, and named if not") {
  for (FmrSolver method : adaptive) {
    for (int answer : {0, 1}) {  // a rate that is not a number, or an answer that says so
      CAPTURE(method, answer);
      Integration run;
      run.rates = [=](double, const double* x, double* rate) {
        rate[0] = x[0] < 0 ? std::nan("") : -std::sqrt(x[0]);  // (1 - t/2)^2
        return x[0] < 0 ? answer : 0;
      };
      run.x = {1};
      run.options.method = method;
      REQUIRE(run.start());
      REQUIRE(run.advance(1.9) == FMR_REACHED);
      CHECK(run.x[0] == Approx(0.0025).epsilon(1e-2));
    }
    Integration run;
    run.rates = [](double t, const double*, double* rate) {
      rate[0] = 1;
      return t > 0.5 ? 1 : 0;
    };
    run.x = {0};
    run.options.method = method;
    REQUIRE(run.start());
    CHECK(run.advance(1) == FMR_STUCK);
    CHECK(run.t == Approx(0.5).margin(0.02));
    CHECK(run.x[0] == Approx(run.t).epsilon(1e-6));
    run.rates = [](double, const double*, double*) { return -1; };
    run.start();
    CHECK(run.advance(1) == FMR_STUCK);
  }
}

TEST_CASE("a Jacobian that is infinite at the beginning is none of these") {
  // A tank that fills from empty: A*h' = w - 0.5*sqrt(h).
  for (FmrSolver method : adaptive) {
    CAPTURE(method);
    Integration run;
    run.rates = [](double, const double* x, double* rate) {
      rate[0] = 0.4 - 0.2 * x[0];
      rate[1] = (x[0] - 0.5 * std::sqrt(std::fabs(x[1]))) / 2;
      return 0;
    };
    run.jacobian = [](double, const double* x, double* j) {
      const double columns[] = {-0.2, 0.5, 0, -0.125 / std::sqrt(std::fabs(x[1])) * (x[1] < 0 ? -1 : x[1] > 0 ? 1 : 0)};
      std::copy(columns, columns + 4, j);
      return 0;
    };
    run.x = {0, 0};
    run.options.method = method;
    REQUIRE(run.start());
    REQUIRE(run.advance(50) == FMR_REACHED);
    CHECK(run.x[0] == Approx(2 - 2 * std::exp(-10)).epsilon(1e-4));
    CHECK(run.x[1] > 10);
  }
}

TEST_CASE("the number of steps is limited, with a hint") {
  Integration run;
  run.rates = [](double, const double* x, double* rate) {
    rate[0] = -1e6 * (x[0] - 1);
    return 0;
  };
  run.x = {0};
  run.options.most_steps = 1000;
  REQUIRE(run.start());
  CHECK(run.advance(10) == FMR_STUCK);
  CHECK(run.message.find("since it takes too many steps; a stiff system needs cvode or ida") != std::string::npos);
  CHECK(run.t > 0);
  CHECK(run.x[0] == Approx(1).epsilon(1e-3));
}

TEST_CASE("steps that no longer advance time come to an end") {
  // x' = -sqrt(x) - 1 reaches zero with a slope, and has no value behind it: any short enough step succeeds.
  for (FmrSolver method : adaptive) {
    CAPTURE(method);
    Integration run;
    run.rates = [](double, const double* x, double* rate) {
      rate[0] = -std::sqrt(x[0]) - 1;
      return x[0] < 0 ? 1 : 0;
    };
    run.x = {1};
    run.options.method = method;
    REQUIRE(run.start());
    CHECK(run.advance(2) == FMR_STUCK);
    CHECK(run.t == Approx(2 - 2 * std::log(2)).epsilon(1e-4));
    CHECK(run.statistics().steps < 20000);
  }
}

TEST_CASE("fixed steps that explode are noticed") {
  Integration run;
  run.rates = [](double, const double* x, double* rate) {
    rate[0] = -1e6 * x[0];
    return 0;
  };
  run.x = {1};
  run.options.method = FMR_SOLVER_EULER;
  run.options.fixed_step = 0.01;
  REQUIRE(run.start());
  CHECK(run.advance(10) == FMR_STUCK);
  CHECK(run.message.find("a smaller step may help") != std::string::npos);
  CHECK(std::isfinite(run.x[0]));
}

TEST_CASE("messages are complete") {
  Integration run;
  run.rates = [](double, const double*, double*) { return 1; };
  run.x = {3};
  REQUIRE(run.start());
  CHECK(run.advance(1) == FMR_STUCK);
  CHECK(run.message ==
        "the integration stops at time 0 on the way to 1, since the rates of change cannot be computed there");
  CHECK(run.x[0] == 3);
}

TEST_CASE("a PID controller with a dead fast mode is integrated in even steps") {
  // 1/(s + 1)^4 with K = 0.87, Ti = 2.7, Td = 0.69, N = 30: the filter of the derivative has the eigenvalue -43.478.
  const double K = 0.87, Ti = 2.7, Td = 0.69, N = 30;
  Integration run;
  Vector steps;
  run.rates = [=](double, const double* x, double* rate) {
    double error = 1 - x[3], u = K * (error + x[4] / Ti + N * (error - x[5]));
    rate[0] = u - x[0];
    rate[1] = x[0] - x[1];
    rate[2] = x[1] - x[2];
    rate[3] = x[2] - x[3];
    rate[4] = error;
    rate[5] = N / Td * (error - x[5]);
    return 0;
  };
  double before = 0;
  run.accepted = [&](double t, const double*) {
    steps.push_back(t - before);
    before = t;
    return 0;
  };
  run.x = Vector(6, 0.0);
  run.options.tolerance = 1e-3;
  REQUIRE(run.start());
  REQUIRE(run.advance(20) == FMR_REACHED);
  CHECK(run.x[3] == Approx(1.000018).epsilon(1e-3));
  double least = 1, most = 0;
  for (size_t k = steps.size() / 2; k < steps.size(); k++) {
    least = std::fmin(least, steps[k]);
    most = std::fmax(most, steps[k]);
  }
  CHECK(least == Approx(3.3066 / 43.478).epsilon(0.1));  // the limit of stability
  CHECK(most < 1.15 * least);
  CHECK(run.statistics().rejected <= 5);
}
