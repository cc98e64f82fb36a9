// Saved states: a run that goes on from one is the run that was interrupted.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/fmu.h"

namespace fmugen::tests {

namespace {

// Runs to `middle`, saves, goes on to `end` twice and once in another instance: all alike. Then compares with a run
// that was not interrupted.
void check_model(const FmrModel& model, unsigned slots, double middle, double end) {
  CAPTURE(model.name);
  const auto all = [&](Fmu& f) {
    std::vector<double> values;
    for (unsigned k = 0; k < slots; k++)
      if (!(model.role[k] & FMR_BOOLEAN)) values.push_back(f.get(k));
    return values;
  };
  Fmu a(model, fmi2CoSimulation), b(model, fmi2CoSimulation), whole(model, fmi2CoSimulation);
  for (Fmu* f : {&a, &b, &whole}) REQUIRE(f->initialize(0, 1e-8) == fmi2OK);
  REQUIRE(a.step(middle) == fmi2OK);
  fmi2FMUstate saved = nullptr;
  REQUIRE(fmi2GetFMUstate(a.component, &saved) == fmi2OK);
  std::size_t size = 0;
  REQUIRE(fmi2SerializedFMUstateSize(a.component, saved, &size) == fmi2OK);
  std::vector<char> bytes(size + 1);
  REQUIRE(fmi2SerializeFMUstate(a.component, saved, bytes.data() + 1, size) == fmi2OK);  // not aligned

  REQUIRE(fmi2SetFMUstate(a.component, saved) == fmi2OK);
  REQUIRE(a.step(end) == fmi2OK);
  const auto first = all(a);
  REQUIRE(fmi2SetFMUstate(a.component, saved) == fmi2OK);
  CHECK(a.get(0) == middle);
  REQUIRE(a.step(end) == fmi2OK);
  CHECK(all(a) == first);

  fmi2FMUstate other = nullptr;
  REQUIRE(fmi2DeSerializeFMUstate(b.component, bytes.data() + 1, size, &other) == fmi2OK);
  REQUIRE(fmi2SetFMUstate(b.component, other) == fmi2OK);
  REQUIRE(b.step(end) == fmi2OK);
  CHECK(all(b) == first);

  REQUIRE(whole.step(middle) == fmi2OK);
  REQUIRE(whole.step(end) == fmi2OK);
  const auto uninterrupted = all(whole);
  for (std::size_t k = 0; k < first.size(); k++) CHECK(first[k] == Approx(uninterrupted[k]).epsilon(1e-5).margin(1e-6));

  fmi2FMUstate none = nullptr;
  CHECK(fmi2DeSerializeFMUstate(b.component, bytes.data() + 1, size - 8, &none) == fmi2Error);
  CHECK(fmi2DeSerializeFMUstate(b.component, bytes.data() + 1, 3, &none) == fmi2Error);
  bytes[size / 2] = static_cast<char>(bytes[size / 2] + 1);
  CHECK(fmi2DeSerializeFMUstate(b.component, bytes.data() + 1, size, &none) == fmi2Error);
  CHECK(none == nullptr);
  REQUIRE(fmi2FreeFMUstate(b.component, &other) == fmi2OK);
  REQUIRE(fmi2FreeFMUstate(a.component, &saved) == fmi2OK);
  CHECK(saved == nullptr);
  CHECK(fmi2FreeFMUstate(a.component, &saved) == fmi2OK);
  CHECK(fmi2SetFMUstate(a.component, nullptr) == fmi2Error);
}

}  // namespace

TEST_CASE("runs go on from saved states") {
  check_model(decay_model(), decay::slots, 0.7, 2);
  check_model(ball_model(), ball::slots, 1, 2.5);
  check_model(sampled_model(), sampled::slots, 0.55, 2);
  check_model(switch_model(), switches::slots, 0.3, 1);
  check_model(pendulum_model(), pendulum::slots, 0.5, 2);
  check_model(loop_model(), loops::slots, 0.5, 2);
  check_model(delay_model(), delays::slots, 1.3, 3.2);
}

TEST_CASE("saving again overwrites, and the mode belongs to the state") {
  Fmu f(decay_model(), fmi2ModelExchange);
  fmi2FMUstate saved = nullptr;
  REQUIRE(fmi2GetFMUstate(f.component, &saved) == fmi2OK);  // before initialization
  REQUIRE(f.initialize() == fmi2OK);
  fmi2FMUstate const first = saved;
  REQUIRE(fmi2SetFMUstate(f.component, saved) == fmi2OK);
  CHECK(f.set(decay::x, 5) == fmi2OK);
  REQUIRE(f.initialize() == fmi2OK);
  REQUIRE(fmi2GetFMUstate(f.component, &saved) == fmi2OK);
  CHECK(saved == first);
  REQUIRE(fmi2EnterContinuousTimeMode(f.component) == fmi2OK);
  REQUIRE(fmi2SetFMUstate(f.component, saved) == fmi2OK);
  CHECK(fmi2EnterContinuousTimeMode(f.component) == fmi2OK);
  CHECK(f.get(decay::x) == 5);

  Fmu other(decay_model(), fmi2CoSimulation);
  CHECK(fmi2SetFMUstate(other.component, saved) == fmi2Error);
  CHECK(other.messages.back() ==
        "3 logStatusError: fmi2SetFMUstate: the state is not one of this model and kind of FMU");
  CHECK(fmi2FreeFMUstate(f.component, &saved) == fmi2OK);
}

}  // namespace fmugen::tests
