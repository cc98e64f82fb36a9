// Sampled systems that compute their next instant themselves, and that set states of the continuous part.
//
// The model: der(x) = 1, x starts at 5. At an instant `seen` is x as it is before, n counts, x becomes `restart`, and
// the next instant is `gap` later; from the third instant on twice that, and after the fifth there is none. A second
// system, computed after the first but before states are set, copies n and x. Both are due at the same instants.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/runtime/fmu.h"

using namespace fmugen::tests;

namespace {

enum { time, x, der_x, gap, restart, n, next_n, ts, seen, new_x, ts2, copied_n, copied_x, slots };

const FmrModel& restarting_model() {
  static const unsigned char exposed = FMR_EXPOSED, parameter = FMR_EXPOSED | FMR_PARAMETER,
                             is_state = FMR_EXPOSED | FMR_STATE | FMR_START;
  static const double start[slots] = {0, 5, 0, 0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static const unsigned char role[slots] = {exposed, is_state, exposed, parameter, parameter, exposed, exposed,
                                            exposed, exposed,  exposed, exposed,   exposed,   exposed};
  static const FmrSlot state[] = {x}, rate[] = {der_x}, held[] = {n}, next[] = {next_n}, target[] = {x},
                       value[] = {new_x};
  static const auto unknown = [](FmrData*, double* period, double* offset) { *period = *offset = NAN; };
  static const FmrSample sample[] = {
      {1, held, next, unknown,
       [](FmrData* d) {
         d->v[next_n] = d->v[n] + 1;
         d->v[seen] = d->v[x];
         d->v[new_x] = d->v[restart];
         d->v[ts] = d->v[n] < 2 ? d->v[time] + d->v[gap] : d->v[n] < 4 ? d->v[time] + 2 * d->v[gap] : d->v[time];
         return 0;
       },
       "restarts", [](FmrData* d) { d->v[ts] = d->v[time] + d->v[gap]; }, ts, 1, target, value},
      {0, held, next, unknown,
       [](FmrData* d) {
         d->v[copied_n] = d->v[next_n];
         d->v[copied_x] = d->v[x];
         d->v[ts2] = d->v[ts];
         return 0;
       },
       "copies", [](FmrData* d) { d->v[ts2] = d->v[time] + d->v[gap]; }, ts2, 0, nullptr, nullptr}};
  static const FmrModel model = [] {
    FmrModel m{};
    m.interface_version = FMR_INTERFACE_VERSION;
    m.name = m.guid = "restarting";
    m.values = slots;
    m.start = start;
    m.role = role;
    m.states = 1;
    m.state = state;
    m.rate = rate;
    m.initial = m.dynamic = [](FmrData* d) {
      d->v[der_x] = 1;
      return 0;
    };
    m.parameters = m.outputs = [](FmrData*) { return 0; };
    m.samples = 2;
    m.sample = sample;
    m.solver = FMR_SOLVER_DOPRI45;
    m.tolerance = 1e-8;
    m.stop_time = 10;
    m.step = 0.02;
    return m;
  }();
  return model;
}

void expect(Fmu& f, double samples, double seen_there, double x_now) {
  CHECK(f.get(copied_n) == samples);
  CHECK(f.get(seen) == Approx(seen_there).margin(1e-12));
  CHECK(f.get(copied_x) == Approx(seen_there).margin(1e-12));
  CHECK(f.get(x) == Approx(x_now).margin(1e-9));
}

}  // namespace

TEST_CASE("systems compute their instants and set states after all have seen them") {
  Fmu f(restarting_model(), fmi2CoSimulation);
  REQUIRE(f.initialize() == fmi2OK);
  expect(f, 0, 0, 5);
  REQUIRE(f.step(0.05) == fmi2OK);
  expect(f, 0, 0, 5.05);
  REQUIRE(f.step(0.15) == fmi2OK);
  expect(f, 1, 5.1, 0.05);
  REQUIRE(f.step(0.45) == fmi2OK);  // 0.2, 0.3
  expect(f, 3, 0.1, 0.15);
  REQUIRE(f.step(0.8) == fmi2OK);  // 0.5, 0.7
  expect(f, 5, 0.2, 0.1);
  REQUIRE(f.step(9) == fmi2OK);
  expect(f, 5, 0.2, 8.3);
  REQUIRE(f.messages.size() == 2);
  CHECK(f.messages[0].find("'restarts' is not sampled any more: at time 0.7 its next instant is 0.7") !=
        std::string::npos);
}

TEST_CASE("a state that is set at the start is set when initialization ends") {
  Fmu f(restarting_model(), fmi2CoSimulation);
  f.set(gap, 0);  // the first instant is the start, and there is no other
  f.set(restart, 2);
  REQUIRE(f.initialize() == fmi2OK);
  expect(f, 1, 5, 2);
  REQUIRE(f.step(1) == fmi2OK);
  expect(f, 1, 5, 3);
}

TEST_CASE("an instant before the start never comes") {
  Fmu f(restarting_model(), fmi2CoSimulation);
  f.set(gap, -1);
  REQUIRE(f.initialize() == fmi2OK);
  REQUIRE(f.step(1) == fmi2OK);
  expect(f, 0, 0, 6);
  REQUIRE(f.messages.size() >= 2);
  CHECK(f.messages[0].find("'restarts' is never sampled: its first instant is -1, the start time 0") !=
        std::string::npos);
}

TEST_CASE("instants that are computed by addition do not drift") {
  Fmu f(restarting_model(), fmi2ModelExchange);
  f.set(gap, 0.1);
  REQUIRE(f.initialize() == fmi2OK);
  fmi2EventInfo info{};
  std::vector<double> instants;
  for (int event = 0; event < 6; ++event) {
    REQUIRE(fmi2NewDiscreteStates(f.component, &info) == fmi2OK);
    if (!info.nextEventTimeDefined) break;
    instants.push_back(info.nextEventTime);
    REQUIRE(fmi2EnterContinuousTimeMode(f.component) == fmi2OK);
    REQUIRE(fmi2SetTime(f.component, info.nextEventTime) == fmi2OK);
    REQUIRE(fmi2EnterEventMode(f.component) == fmi2OK);
  }
  REQUIRE(instants.size() == 5);
  CHECK(instants[0] == 0.1);
  CHECK(instants[1] == 0.2);
  CHECK(instants[2] == Approx(0.3).epsilon(1e-15));
  CHECK(instants[3] == Approx(0.5).epsilon(1e-15));
  CHECK(instants[4] == Approx(0.7).epsilon(1e-15));
}
