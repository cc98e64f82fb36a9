// Communication steps and times of all sizes: tiny and huge steps, start times far from zero, tolerances at their ends.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/robustness/subjects.h"

using namespace fmugen::tests;

namespace {

fmi2Status begin(fmi2Component c, double start, double tolerance = 1e-6) {
  const fmi2Status status = fmi2SetupExperiment(c, fmi2True, tolerance, start, fmi2False, 0);
  fmi2EnterInitializationMode(c);
  return fmi2ExitInitializationMode(c) == fmi2OK ? status : fmi2Error;
}

double get(fmi2Component c, fmi2ValueReference reference) {
  double value = NAN;
  fmi2GetReal(c, &reference, 1, &value);
  return value;
}

void choose(const Subject& s, fmi2Component c, const Choice& choice) {
  const fmi2ValueReference solver = FMR_OPTION_SOLVER, step = FMR_OPTION_STEP;
  const fmi2Integer number = choice.solver + 1;
  const double fixed = choice.step * s.length;
  fmi2SetInteger(c, &solver, 1, &number);
  fmi2SetReal(c, &step, 1, &fixed);
}

}  // namespace

TEST_CASE("tiny steps are made, and steps of nothing or backward refused") {
  for (const Subject& s : subjects()) {
    for (const Choice& choice : choices()) {
      INFO(s.name << ", solver " << choice.solver);
      const Instance instance(s, fmi2CoSimulation);
      fmi2Component c = instance();
      choose(s, c, choice);
      REQUIRE(begin(c, 0) == fmi2OK);
      double time = 0;
      for (const double h : {1e-300, 1e-100, 1e-30, 1e-20}) {
        INFO("step " << h);
        CHECK(fmi2DoStep(c, time, h, fmi2True) == fmi2OK);
        time += h;
        CHECK(get(c, 0) == time);
      }
      const double far = 0.01 * s.length;
      REQUIRE(fmi2DoStep(c, time, far - time, fmi2True) == fmi2OK);
      time = far;
      for (int k = 0; k < 50; ++k) {
        const double next = time * (1 + 1e-12);
        CHECK(fmi2DoStep(c, time, next - time, fmi2True) == fmi2OK);
        CHECK(get(c, 0) == Approx(next).epsilon(1e-15));
        time = get(c, 0);
      }
      for (const double h : {0., -0., -1e-300, -1., std::numeric_limits<double>::infinity(), double(NAN)}) {
        CHECK(fmi2DoStep(c, time, h, fmi2True) == fmi2Error);
        CHECK(get(c, 0) == time);
      }
      CHECK(fmi2DoStep(c, time, 0.01 * s.length, fmi2True) == fmi2OK);
    }
  }
}

TEST_CASE("a huge step ends where it should") {
  const Subject& s = subject("tuned");  // sampled every 0.25: four million instants would be too many to wait for
  for (const Choice& choice : {Choice{FMR_SOLVER_CVODE, 0}, Choice{FMR_SOLVER_DOPRI45, 0}}) {
    const Instance instance(s, fmi2CoSimulation);
    choose(s, instance(), choice);
    REQUIRE(begin(instance(), 0) == fmi2OK);
    CHECK(fmi2DoStep(instance(), 0, 1e4, fmi2True) == fmi2OK);
    CHECK(get(instance(), 0) == 1e4);
  }
  const Subject& network = subject("distribution");
  const Instance still(network, fmi2CoSimulation);
  REQUIRE(begin(still(), 0) == fmi2OK);
  CHECK(fmi2DoStep(still(), 0, 1e6, fmi2True) == fmi2OK);
  CHECK(get(still(), 0) == 1e6);
  const Subject& ball = subject("ball");
  const Instance resting(ball, fmi2CoSimulation);
  REQUIRE(begin(resting(), 0) == fmi2OK);
  CHECK(fmi2DoStep(resting(), 0, 1e6, fmi2True) == fmi2OK);
  CHECK(std::abs(get(resting(), ball.states[0])) < 1e-3);
}

// The ball knows nothing of the time: wherever it starts, it is at the same height a second later, as exactly as the
// numbers of time allow.
TEST_CASE("start times before and far behind zero") {
  const Subject& s = subject("ball");
  for (const Choice& choice : choices()) {
    INFO("solver " << choice.solver);
    double expected = 0;
    for (const double start : {0., -1., -1e6, 1e6, 1e9}) {
      INFO("start " << start);
      const Instance instance(s, fmi2CoSimulation);
      choose(s, instance(), choice);
      REQUIRE(begin(instance(), start) == fmi2OK);
      for (int k = 0; k < 10; ++k) REQUIRE(fmi2DoStep(instance(), start + 0.1 * k, 0.1, fmi2True) == fmi2OK);
      CHECK(get(instance(), 0) == Approx(start + 1).epsilon(1e-15).margin(1e-15));
      const double height = get(instance(), s.states[0]);
      if (start == 0) expected = height;
      CHECK(height == Approx(expected).margin(choice.solver == FMR_SOLVER_EULER ? 2e-2 : 1e-4));
    }
  }
}

TEST_CASE("tolerances beyond what is useful are brought back, with a warning") {
  const Subject& s = subject("vanderpol");
  for (const double tolerance : {1e-300, 1e-16, 1e-13, 1e-3, 0.1, 1., 1e300}) {
    INFO("tolerance " << tolerance);
    const Instance instance(s, fmi2CoSimulation);
    const bool useful = tolerance >= 1e-13 && tolerance <= 0.1;
    CHECK(begin(instance(), 0, tolerance) == (useful ? fmi2OK : fmi2Warning));
    CHECK(fmi2DoStep(instance(), 0, 0.1, fmi2True) == fmi2OK);
  }
}
