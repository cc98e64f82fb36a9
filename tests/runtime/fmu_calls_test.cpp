// Calls at the wrong time and with wrong arguments: logged, refused, and without consequences. And the right ones.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/runtime/fmu.h"

namespace fmugen::tests {

namespace {
const double kNaN = std::numeric_limits<double>::quiet_NaN();
}

TEST_CASE("what does not change") {
  CHECK(std::string(fmi2GetVersion()) == "2.0");
  CHECK(std::string(fmi2GetTypesPlatform()) == "default");
}

TEST_CASE("instantiation checks its arguments") {
  use_model(&decay_model());
  fmi2CallbackFunctions none{};
  CHECK(fmi2Instantiate("", fmi2ModelExchange, "decay", "", &none, 0, 0) == nullptr);
  CHECK(fmi2Instantiate(" \t", fmi2ModelExchange, "decay", "", &none, 0, 0) == nullptr);
  CHECK(fmi2Instantiate(nullptr, fmi2ModelExchange, "decay", "", &none, 0, 0) == nullptr);
  CHECK(fmi2Instantiate("a", fmi2ModelExchange, nullptr, "", &none, 0, 0) == nullptr);
  CHECK(fmi2Instantiate("a", fmi2ModelExchange, "other", "", &none, 0, 0) == nullptr);
  CHECK(fmi2Instantiate("a", static_cast<fmi2Type>(7), "decay", "", &none, 0, 0) == nullptr);
  for (const char* location : {"", "file:///no%20where", "nonsense"}) {
    fmi2Component c = fmi2Instantiate("a", fmi2ModelExchange, "decay", location, &none, 0, 1);
    REQUIRE(c);
    fmi2FreeInstance(c);
  }
  fmi2Component c = fmi2Instantiate("a", fmi2CoSimulation, "decay", nullptr, nullptr, 0, 1);  // no callbacks at all
  REQUIRE(c);
  CHECK(fmi2DoStep(c, 0, 1, 0) == fmi2Error);
  fmi2FreeInstance(c);
  fmi2FreeInstance(nullptr);
}

TEST_CASE("calls without a component") {
  double x = 0;
  const fmi2ValueReference r = 1;
  CHECK(fmi2GetReal(nullptr, &r, 1, &x) == fmi2Error);
  CHECK(fmi2DoStep(nullptr, 0, 1, 0) == fmi2Error);
  CHECK(fmi2Reset(nullptr) == fmi2Error);
  CHECK(fmi2CancelStep(nullptr) == fmi2Error);
}

TEST_CASE("calls out of order leave the instance usable") {
  Fmu f(decay_model(), fmi2ModelExchange);
  double x = 0;
  CHECK(fmi2GetContinuousStates(f.component, &x, 1) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2GetContinuousStates: not allowed before initialization");
  CHECK(fmi2ExitInitializationMode(f.component) == fmi2Error);
  CHECK(fmi2DoStep(f.component, 0, 1, 0) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2DoStep: not a function of Model Exchange");
  CHECK(fmi2Terminate(f.component) == fmi2Error);
  REQUIRE(f.initialize() == fmi2OK);
  CHECK(fmi2EnterInitializationMode(f.component) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2EnterInitializationMode: not allowed in event mode");
  CHECK(fmi2SetTime(f.component, 1) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2SetTime: not allowed in event mode, since there are states");
  CHECK(f.get(decay::x) == 1);
  REQUIRE(fmi2EnterContinuousTimeMode(f.component) == fmi2OK);
  CHECK(fmi2SetTime(f.component, 1) == fmi2OK);
  CHECK(fmi2Terminate(f.component) == fmi2OK);
  CHECK(fmi2SetTime(f.component, 2) == fmi2Error);
}

TEST_CASE("wrong references and arrays") {
  Fmu f(decay_model(), fmi2ModelExchange);
  REQUIRE(f.initialize() == fmi2OK);
  double x[2] = {5, 5};
  const fmi2ValueReference some[] = {decay::x, 99};
  CHECK(fmi2GetReal(f.component, some, 2, x) == fmi2Error);
  CHECK(f.messages.back() ==
        "3 logStatusError: fmi2GetReal: value reference 99 is not that of a variable of type Real");
  CHECK(x[0] == 5);
  fmi2Boolean b = 0;
  CHECK(fmi2GetBoolean(f.component, some, 1, &b) == fmi2Error);
  CHECK(f.messages.back() ==
        "3 logStatusError: fmi2GetBoolean: value reference 1 is not that of a variable of type Boolean");
  fmi2Integer n = 0;
  CHECK(fmi2GetInteger(f.component, some, 1, &n) == fmi2Error);
  fmi2String s = nullptr;
  CHECK(fmi2GetString(f.component, some, 1, &s) == fmi2Error);
  CHECK(fmi2SetString(f.component, some, 1, &s) == fmi2Error);
  CHECK(fmi2GetReal(f.component, nullptr, 1, x) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2GetReal: an argument is NULL");
  CHECK(fmi2GetReal(f.component, some, 1, nullptr) == fmi2Error);
  CHECK(fmi2GetReal(f.component, nullptr, 0, nullptr) == fmi2OK);
  CHECK(fmi2SetReal(f.component, nullptr, 0, nullptr) == fmi2OK);
  CHECK(fmi2GetString(f.component, nullptr, 0, nullptr) == fmi2OK);
  CHECK(fmi2GetDerivatives(f.component, x, 2) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2GetDerivatives: there are 1 of them, not 2");
  CHECK(fmi2GetEventIndicators(f.component, nullptr, 0) == fmi2OK);
  CHECK(fmi2NewDiscreteStates(f.component, nullptr) == fmi2Error);
  CHECK(f.get(decay::x) == 1);
}

TEST_CASE("values that are no numbers are discarded") {
  Fmu f(decay_model(), fmi2CoSimulation);
  REQUIRE(f.initialize() == fmi2OK);
  CHECK(f.set(decay::u, 2) == fmi2OK);
  CHECK(f.set(decay::u, kNaN) == fmi2Discard);
  CHECK(f.messages.back() == "2 logStatusDiscard: fmi2SetReal: value reference 3 cannot be set to nan");
  CHECK(f.set(decay::u, std::numeric_limits<double>::infinity()) == fmi2Discard);
  CHECK(f.get(decay::u) == 2);
  CHECK(f.step(1) == fmi2OK);
}

TEST_CASE("what can be set when") {
  Fmu f(decay_model(), fmi2ModelExchange);
  CHECK(f.set(decay::u, 1) == fmi2OK);  // inputs, too
  CHECK(f.set(decay::k, 2) == fmi2OK);
  CHECK(f.set(decay::x, 3) == fmi2OK);
  CHECK(f.set(decay::y, 3) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2SetReal: value reference 6 cannot be set before initialization");
  CHECK(f.set(decay::time, 3) == fmi2Error);
  CHECK(f.set(decay::minus_y, 3) == fmi2Error);
  fmi2EnterInitializationMode(f.component);
  CHECK(f.get(decay::der_x) == -5);
  CHECK(f.set(decay::x, 4) == fmi2OK);
  CHECK(f.get(decay::der_x) == -7);
  CHECK(f.set(decay::k, 1) == fmi2OK);
  CHECK(f.get(decay::twice_k) == 2);
  CHECK(f.get(decay::der_x) == -3);
  REQUIRE(fmi2ExitInitializationMode(f.component) == fmi2OK);
  CHECK(f.set(decay::x, 5) == fmi2Error);
  CHECK(f.get(decay::x) == 4);
}

TEST_CASE("options are parameters") {
  Fmu f(decay_model(), fmi2CoSimulation);
  const fmi2ValueReference solver = FMR_OPTION_SOLVER;
  for (int k = FMR_SOLVER_CVODE + 1; k <= FMR_SOLVER_RK4 + 1; k++) {
    CAPTURE(k);
    CHECK(fmi2SetInteger(f.component, &solver, 1, &k) == fmi2OK);
    CHECK(f.set(FMR_OPTION_STEP, 0.001) == fmi2OK);
    REQUIRE(f.initialize(0, 1e-8) == fmi2OK);
    fmi2Integer read = 0;
    CHECK(fmi2GetInteger(f.component, &solver, 1, &read) == fmi2OK);
    CHECK(read == k);
    REQUIRE(f.step(1) == fmi2OK);
    CHECK(f.get(decay::x) == Approx(std::exp(-1)).epsilon(k == FMR_SOLVER_EULER + 1 ? 1e-3 : 1e-6));
    fmi2Reset(f.component);
  }
  const fmi2Integer wrong = 99;
  CHECK(fmi2SetInteger(f.component, &solver, 1, &wrong) == fmi2Discard);
  CHECK(f.set(FMR_OPTION_TOLERANCE, -1) == fmi2Discard);
}

TEST_CASE("two instances know nothing of each other, and reset forgets everything") {
  Fmu a(decay_model(), fmi2CoSimulation), b(decay_model(), fmi2CoSimulation);
  a.set(decay::k, 3);
  REQUIRE(a.initialize(5) == fmi2OK);
  REQUIRE(b.initialize() == fmi2OK);
  REQUIRE(a.step(6) == fmi2OK);
  REQUIRE(b.step(1) == fmi2OK);
  CHECK(a.get(decay::x) == Approx(std::exp(-3)).epsilon(1e-6));
  CHECK(b.get(decay::x) == Approx(std::exp(-1)).epsilon(1e-6));
  a.set(decay::u, 7);
  REQUIRE(fmi2Reset(a.component) == fmi2OK);
  REQUIRE(a.initialize() == fmi2OK);
  CHECK(a.get(decay::time) == 0);
  CHECK(a.get(decay::u) == 0);
  CHECK(a.get(decay::k) == 1);
  REQUIRE(a.step(1) == fmi2OK);
  CHECK(a.get(decay::x) == b.get(decay::x));
}

TEST_CASE("categories of messages") {
  Fmu f(ball_model(), fmi2CoSimulation);
  const fmi2String known[] = {"logEvents"}, unknown[] = {"logNothing"};
  CHECK(fmi2SetDebugLogging(f.component, fmi2True, 1, unknown) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2SetDebugLogging: there is no log category 'logNothing'");
  f.messages.clear();
  REQUIRE(f.initialize() == fmi2OK);
  REQUIRE(f.step(0.6) == fmi2OK);
  CHECK(f.messages.empty());
  CHECK(fmi2SetDebugLogging(f.component, fmi2True, 1, known) == fmi2OK);
  REQUIRE(f.step(2) == fmi2OK);
  REQUIRE_FALSE(f.messages.empty());
  CHECK(f.messages[0].find("0 logEvents: event at time 1.17") == 0);
  CHECK(f.messages[0].find(": h < 0   (ball.dym:7) becomes 1") != std::string::npos);
}

TEST_CASE("initial values that do not exist are an error, and reset helps") {
  static const FmrModel model = [] {
    FmrModel m = decay_model();
    static const char* const names[] = {"'x'"};
    m.guid = "broken";
    m.state_name = names;
    m.initial = [](FmrData* d) {
      d->v[decay::der_x] = 1 / (d->v[decay::k] - 1);
      return 0;
    };
    return m;
  }();
  Fmu f(model, fmi2CoSimulation);
  CHECK(f.initialize() == fmi2Error);
  CHECK(f.messages.back() ==
        "3 logStatusError: fmi2ExitInitializationMode: the derivative of 'x' is inf at time 0: its equation has no "
        "value there");
  CHECK(fmi2DoStep(f.component, 0, 1, 0) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2DoStep: not allowed after an error");
  REQUIRE(fmi2Reset(f.component) == fmi2OK);
  f.set(decay::k, 2);
  CHECK(f.initialize() == fmi2OK);
}

TEST_CASE("when clauses that undo each other are reported with the condition before them") {
  static const unsigned clause[] = {0, 0};
  static const FmrModel model = [] {
    FmrModel m = ball_model();
    m.guid = "undone";
    m.branches = 2;
    m.clause = clause;
    m.conditions = [](FmrData* d, double* w) {
      w[0] = d->held[0] != 0 && d->v[ball::bounces] < 0.5;
      w[1] = d->held[0] != 0 && d->v[ball::bounces] > 0.5;
    };
    m.act = [](FmrData* d, unsigned branch) -> int {
      d->v[ball::bounces] = branch == 0 ? 1 : 0;
      return 0;
    };
    return m;
  }();
  Fmu f(model, fmi2CoSimulation);
  REQUIRE(f.initialize() == fmi2OK);
  CHECK(fmi2DoStep(f.component, 0, 1, 0) == fmi2Discard);
  CHECK(f.messages.back().find(" does not come to an end: when clauses act again and again, after these conditions "
                               "changed:\n  h < 0   (ball.dym:7)") != std::string::npos);
}

}  // namespace fmugen::tests
