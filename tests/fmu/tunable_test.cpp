// Parameters that are changed while a simulation runs (tests/problems/tuned.dym), by Co-Simulation and by Model Exchange,
// against formulas.
#include <cmath>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

void check(double value, double expected, double margin = 1e-7) {
  CHECK(value == Approx(expected).margin(margin).epsilon(0));
}

std::string tuned() { return fmu_path("problem-tuned"); }

template <class Run>
void check_decay(Run& run) {
  run.start();
  run.advance(1);
  check(run["x"], std::exp(-1.));
  check(run["a"], std::exp(-1.) / 3);
  run.set("k", 3);
  run.set("g", 4);
  run.advance(1.5);
  check(run["c"], 6);
  check(run["same"], 3);
  check(run["der(x)"], -3 * std::exp(-2.5));
  run.advance(2);
  check(run["x"], std::exp(-1. - 3.));
  check(run["w"], 2 + 6);
  for (const char* name : {"a", "b", "d", "e"}) check(run[name], std::exp(-4.) / 5);
  run.set("g", 0);
  run.advance(2.5);
  check(run["a"], std::exp(-5.5));
}

template <class Run>
void check_conditions(Run& run) {
  run.start();
  run.advance(1);
  check(run["low"], 1);
  check(run["passed"], 1);
  run.set("limit", 0);
  run.set("T", 1.5);
  run.advance(1.2);
  check(run["low"], 0);
  check(run["late"], 0);
  run.advance(2);
  check(run["late"], 3);
  check(run["y"], 3 * 0.5);
  run.set("limit", 0.05);  // x passes it on its way
  run.set("T", 3);         // later than now: false again
  run.advance(2.5);
  check(run["late"], 0);
  check(run["y"], 1.5);
  check(run["passed"], 1);
  run.advance(3.5);
  check(run["low"], 1);
  check(run["passed"], 2);
  check(run["y"], 1.5 + 3 * 0.5);
}

template <class Run>
void check_sampled(Run& run) {
  run.start();
  run.advance(1.1);
  check(run["sampled.n"], 4);
  run.set("sampled.step", 10);  // counts from the next instant on, at which the next but one is decided
  run.advance(1.2);
  check(run["sampled.n"], 4);
  run.advance(1.6);
  check(run["sampled.n"], 15);
}

}  // namespace

TEST_CASE("a parameter that is tuned changes rates, what follows from it, and the matrix of a loop") {
  const Fmu fmu(tuned());
  CsRun cs(fmu);
  check_decay(cs);
  MeRun me(fmu);
  check_decay(me);
}

TEST_CASE("thresholds and instants follow their parameters") {
  const Fmu fmu(tuned());
  CsRun cs(fmu);
  check_conditions(cs);
  MeRun me(fmu);
  check_conditions(me);
}

TEST_CASE("a sampled system uses a tuned parameter at its next instant") {
  const Fmu fmu(tuned());
  CsRun cs(fmu);
  check_sampled(cs);
  MeRun me(fmu);
  check_sampled(me);
}

TEST_CASE("every integrator starts anew when a parameter is tuned") {
  const Fmu fmu(tuned());
  for (int solver = 2; solver <= 8; ++solver) {
    INFO("solver " << solver);
    CsRun cs(fmu);
    cs.communication_step = 0.01;
    cs.set("_fmu.solver", solver);
    cs.set("_fmu.step", solver >= 6 ? 1e-4 : 0);
    cs.start();
    cs.advance(1);
    cs.set("k", 3);
    cs.advance(2);
    check(cs["x"], std::exp(-4.), solver == 6 ? 1e-4 : 1e-6);
    check(cs["w"], 8, 1e-6);
  }
}

TEST_CASE("the description tells what can be tuned") {
  const Fmu fmu(tuned());
  CHECK(fmu.variable("k").variability == "tunable");
  CHECK(fmu.variable("k").causality == "parameter");
  CHECK(fmu.variable("c").variability == "tunable");
  CHECK(fmu.variable("c").causality == "calculatedParameter");
  CHECK(fmu.variable("rest").variability == "fixed");
  CHECK(fmu.variable("same").variability == "continuous");
  CHECK(fmu.variable("same").initial == "calculated");
  CHECK(fmu.variable("same").reference != fmu.variable("k").reference);
}

TEST_CASE("parameters cannot be set where they must not change") {
  const Fmu fmu(tuned());
  const auto set = [&](const FmuRun& run, const char* name) {
    const unsigned reference = fmu.variable(name).reference;
    const double value = 2;
    return fmu.call.SetReal(run.component(), &reference, 1, &value);
  };
  MeRun me(fmu);
  me.start();
  me.advance(0.5);
  CHECK(set(me, "k") == fmi2Error);  // continuous-time mode
  check(me["k"], 1);
  REQUIRE(fmu.call.EnterEventMode(me.component()) == fmi2OK);
  CHECK(set(me, "rest") == fmi2Error);  // fixed
  CHECK(set(me, "c") == fmi2Error);     // follows
  CHECK(set(me, "same") == fmi2Error);
  CHECK(set(me, "k") == fmi2OK);
  CsRun cs(fmu);
  cs.start();
  cs.advance(0.5);
  CHECK(set(cs, "rest") == fmi2Error);
  CHECK(set(cs, "c") == fmi2Error);
  CHECK(set(cs, "k") == fmi2OK);
  check(cs["c"], 4);
}

TEST_CASE("a saved state holds the values of tuned parameters, and a reset forgets them") {
  const Fmu fmu(tuned());
  CsRun cs(fmu);
  cs.start();
  cs.advance(1);
  cs.set("k", 3);
  cs.set("g", 4);
  fmi2FMUstate state = nullptr;
  REQUIRE(fmu.call.GetFMUstate(cs.component(), &state) == fmi2OK);
  cs.set("k", 0);
  cs.set("g", 0);
  cs.advance(2);
  check(cs["x"], std::exp(-1.));
  check(cs["a"], std::exp(-1.));
  REQUIRE(fmu.call.SetFMUstate(cs.component(), state) == fmi2OK);
  REQUIRE(fmu.call.DoStep(cs.component(), 1, 1, fmi2True) == fmi2OK);
  check(cs["k"], 3);
  check(cs["x"], std::exp(-4.));
  check(cs["a"], std::exp(-4.) / 5);
  check(cs["w"], 8);
  REQUIRE(fmu.call.FreeFMUstate(cs.component(), &state) == fmi2OK);
  REQUIRE(fmu.call.Reset(cs.component()) == fmi2OK);
  REQUIRE(fmu.call.SetupExperiment(cs.component(), fmi2False, 0, 0, fmi2False, 0) == fmi2OK);
  REQUIRE(fmu.call.EnterInitializationMode(cs.component()) == fmi2OK);
  check(cs["k"], 1);
  check(cs["c"], 2);
}
