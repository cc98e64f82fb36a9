// The output that tells the next time event (tests/problems/instants.dym): sampling at 0.1, 0.35, 0.6, 0.85, ... and a
// condition that changes at 0.4.
#include <cfloat>
#include <cmath>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

const char* const next = "_fmu.nextEventTime";

void check(double value, double expected) { CHECK(value == Approx(expected).margin(1e-12).epsilon(0)); }

template <class Run>
void check_instants(Run& run) {
  run.start();
  check(run[next], 0.1);
  run.advance(0.05);
  check(run[next], 0.1);
  run.advance(0.1);  // a step that ends there contains the event
  check(run[next], 0.35);
  check(run["slow"], 1);
  run.advance(0.37);
  check(run[next], 0.4);
  run.advance(0.5);
  check(run[next], 0.6);
  run.set("at", 0.55);
  run.advance(0.51);
  check(run[next], 0.55);
  run.advance(0.7);
  check(run[next], 0.85);
}

}  // namespace

TEST_CASE("the next event is told after every step, and is what Model Exchange is told") {
  const Fmu fmu(fmu_path("problem-instants-next"));
  CsRun cs(fmu);
  check_instants(cs);
  MeRun me(fmu);
  check_instants(me);
  CHECK(me.events().size() >= 5);
}

TEST_CASE("a master that ends its steps at the next event meets all of them") {
  const Fmu fmu(fmu_path("problem-instants-next"));
  CsRun cs(fmu);
  cs.start();
  std::vector<double> met;
  while (cs[next] < 1) {
    met.push_back(cs[next]);
    cs.advance(cs[next]);
  }
  const std::vector<double> expected{0.1, 0.35, 0.4, 0.6, 0.85};
  REQUIRE(met.size() == expected.size());
  for (std::size_t k = 0; k < met.size(); ++k) check(met[k], expected[k]);
  check(cs["slow"], 4);
}

TEST_CASE("where no time event is known it is the largest number") {
  const Fmu without(fmu_path("problem-instants"));
  CHECK_FALSE(without.has(next));
  const unsigned nowhere = 0x40000003;
  double value = 0;
  CsRun none(without);
  none.start();
  CHECK(without.call.GetReal(none.component(), &nowhere, 1, &value) == fmi2Error);
  const Fmu ball(fmu_path("problem-quiet-next"));
  CsRun cs(ball);
  cs.start();
  CHECK(cs[next] == DBL_MAX);
  cs.advance(0.1);
  CHECK(cs[next] == DBL_MAX);
}

TEST_CASE("the next event during initialization, its derivatives, and that it cannot be set") {
  const Fmu fmu(fmu_path("problem-instants-next"));
  MeRun me(fmu);
  REQUIRE(fmu.call.SetupExperiment(me.component(), fmi2False, 0, 0.2, fmi2False, 0) == fmi2OK);
  REQUIRE(fmu.call.EnterInitializationMode(me.component()) == fmi2OK);
  check(me[next], 0.35);
  const unsigned reference = fmu.variable(next).reference, input = fmu.variable("u").reference;
  double value = 1;
  CHECK(fmu.call.SetReal(me.component(), &reference, 1, &value) == fmi2Error);
  const double seed = 1;
  REQUIRE(fmu.call.GetDirectionalDerivative(me.component(), &reference, 1, &input, 1, &seed, &value) == fmi2OK);
  CHECK(value == 0);
}
