// Steps of Co-Simulation: numbers against formulas, events inside and at the ends of steps, failures.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/runtime/fmu.h"

namespace fmugen::tests {

TEST_CASE("a step lands exactly where it was asked to") {
  Fmu f(decay_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-9) == fmi2OK);
  double t = 0;
  for (int k = 0; k < 100; k++) {
    REQUIRE(fmi2DoStep(f.component, t, 0.01, fmi2True) == fmi2OK);
    t += 0.01;
    REQUIRE(f.get(decay::time) == t);
  }
  CHECK(f.get(decay::x) == Approx(std::exp(-1)).epsilon(1e-8));
  CHECK(f.get(decay::y) == Approx(2 * std::exp(-1)).epsilon(1e-8));
  CHECK(f.get(decay::minus_y) == -f.get(decay::y));
  CHECK(f.get(decay::twice_k) == 2);
  CHECK(f.messages.empty());
}

TEST_CASE("inputs act from the step after they were set") {
  Fmu f(decay_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-9) == fmi2OK);
  REQUIRE(f.set(decay::u, 3) == fmi2OK);
  REQUIRE(f.step(2) == fmi2OK);
  CHECK(f.get(decay::x) == Approx(3 - 2 * std::exp(-2)).epsilon(1e-8));
  REQUIRE(f.set(decay::u, 0) == fmi2OK);
  REQUIRE(f.step(3) == fmi2OK);
  CHECK(f.get(decay::x) == Approx((3 - 2 * std::exp(-2)) * std::exp(-1)).epsilon(1e-8));
}

TEST_CASE("inputs follow their derivatives, and outputs have one") {
  Fmu f(decay_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-10) == fmi2OK);
  const fmi2ValueReference u[] = {decay::u, decay::u};
  const fmi2Integer order[] = {1, 2};
  const double rate[] = {2, -1};
  REQUIRE(fmi2SetRealInputDerivatives(f.component, u, 2, order, rate) == fmi2OK);
  REQUIRE(f.step(1) == fmi2OK);
  // x' = -x + 2t - t*t/2, x(0) = 1: x = -t*t/2 + 3t - 3 + 4*exp(-t)
  CHECK(f.get(decay::u) == Approx(1.5));
  CHECK(f.get(decay::x) == Approx(-0.5 + 4 * std::exp(-1)).epsilon(1e-8));
  const fmi2ValueReference y = decay::y;
  double dy = 0;
  REQUIRE(fmi2GetRealOutputDerivatives(f.component, &y, 1, order, &dy) == fmi2OK);
  CHECK(dy == Approx(2 * (2 - 4 * std::exp(-1)) + 1).epsilon(1e-8));
  REQUIRE(f.step(2) == fmi2OK);  // the derivatives are over
  CHECK(f.get(decay::u) == Approx(1.5));
}

TEST_CASE("a ball bounces at the right instants and comes to rest") {
  for (const FmrSolver solver : {FMR_SOLVER_DOPRI45, FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS}) {
    Fmu f(ball_model(), fmi2CoSimulation, true);
    const fmi2ValueReference option = FMR_OPTION_SOLVER;
    const fmi2Integer choice = solver + 1;
    REQUIRE(fmi2SetInteger(f.component, &option, 1, &choice) == fmi2OK);
    REQUIRE(f.initialize(0, 1e-10) == fmi2OK);
    const double g = 9.81, fall = std::sqrt(2 / g);
    // just before and just after the first bounces
    double bounce = fall;
    for (int k = 0; k < 6; k++) {
      REQUIRE(f.step(bounce - 1e-8) == fmi2OK);
      CHECK(f.get(ball::bounces) == k);
      REQUIRE(f.step(bounce + 1e-8) == fmi2OK);
      CHECK(f.get(ball::bounces) == k + 1);
      bounce += 2 * fall * std::pow(0.8, k + 1);
    }
    REQUIRE(f.step(10) == fmi2OK);
    CHECK(std::abs(f.get(ball::h)) < 1e-7);
    CHECK(f.get(ball::v) == Approx(0).margin(1e-12));
    CHECK(f.get(ball::der_v) == 0);
    CHECK(f.get(ball::bounces) < 100);
    f.set(ball::lift, 11.81);  // stronger than gravity: it takes off
    REQUIRE(f.step(11) == fmi2OK);
    CHECK(f.get(ball::h) == Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("sampled systems compute at exact instants") {
  Fmu f(sampled_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-9) == fmi2OK);
  double s = 0, i = 0;
  for (int k = 1; k <= 30; k++) {  // steps of another length than the period
    REQUIRE(f.step(k * 0.1 - 0.03) == fmi2OK);
    CHECK(f.get(sampled::out) == Approx(i).margin(1e-12));
    REQUIRE(f.step(k * 0.1) == fmi2OK);  // the instant at the end of a step belongs to it
    const double next = i + 0.1 * s;
    s += 0.1 * (1 - i);
    i = next;
    CHECK(f.get(sampled::out) == Approx(i).margin(1e-9));
    CHECK(f.get(sampled::s) == Approx(s).margin(1e-9));
  }
}

TEST_CASE("time events happen at their instants, without states") {
  Fmu f(switch_model(), fmi2CoSimulation);
  REQUIRE(f.initialize() == fmi2OK);
  CHECK(f.get(switches::count) == 0);
  REQUIRE(f.step(0.2) == fmi2OK);
  CHECK(f.get(switches::count) == 0);
  REQUIRE(f.step(0.25) == fmi2OK);
  CHECK(f.get(switches::count) == 1);
  REQUIRE(f.step(0.4) == fmi2OK);
  CHECK(f.get(switches::y) == 0);
  REQUIRE(f.step(0.6) == fmi2OK);
  CHECK(f.is(switches::on));
  CHECK(f.get(switches::y) == 1);
  CHECK(f.get(switches::count) == 2);
  CHECK_FALSE(f.is(switches::positive));
  f.set(switches::u, 1);
  REQUIRE(f.step(0.7) == fmi2OK);
  CHECK(f.is(switches::positive));
  f.set(switches::u, 0);
  REQUIRE(f.step(0.8) == fmi2OK);
  CHECK_FALSE(f.is(switches::positive));

  CHECK(f.step(3) == fmi2Discard);
  CHECK(f.get(switches::time) == 2);
  double reached = 0;
  fmi2Boolean ended = fmi2False;
  CHECK(fmi2GetRealStatus(f.component, fmi2LastSuccessfulTime, &reached) == fmi2OK);
  CHECK(fmi2GetBooleanStatus(f.component, fmi2Terminated, &ended) == fmi2OK);
  CHECK(reached == 2);
  CHECK(ended == fmi2True);
  CHECK(f.messages.empty());  // nothing is wrong
}

TEST_CASE("a pendulum keeps its length over many turns") {
  Fmu f(pendulum_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-9) == fmi2OK);
  double worst = 0;
  for (int k = 1; k <= 200; k++) {
    REQUIRE(f.step(k * 0.1) == fmi2OK);
    const double x = f.get(pendulum::x), y = f.get(pendulum::y);
    const double energy = (std::pow(f.get(pendulum::vx), 2) + std::pow(f.get(pendulum::vy), 2)) / 2 + 9.81 * y;
    worst = std::max({worst, std::abs(x * x + y * y - 1), std::abs(energy + 0.5 * 9.81)});
  }
  CHECK(worst < 1e-5);
}

TEST_CASE("algebraic loops are solved on the way") {
  Fmu f(loop_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-9) == fmi2OK);
  REQUIRE(f.step(1) == fmi2OK);
  const double z = f.get(loops::z), x = f.get(loops::x);
  CHECK(z * z * z + z == Approx(x).epsilon(1e-9));
  // (3*z*z + 1)*z' = -z: 3/2*z*z + ln z falls by 1, from z = 1
  CHECK(1.5 * z * z + std::log(z) == Approx(0.5).margin(1e-7));
  CHECK(f.get(loops::p) - f.get(loops::q) == Approx(1));
}

TEST_CASE("what cannot go on is discarded at the time reached") {
  Fmu f(blow_up_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-8) == fmi2OK);
  REQUIRE(f.step(0.5) == fmi2OK);
  CHECK(f.get(blow_up::x) == Approx(2).epsilon(1e-6));
  CHECK(f.messages.empty());
  CHECK(f.step(2) == fmi2Discard);
  double reached = 0;
  CHECK(fmi2GetRealStatus(f.component, fmi2LastSuccessfulTime, &reached) == fmi2OK);
  CHECK(reached == Approx(1).epsilon(1e-5));
  CHECK(reached == f.get(blow_up::time));
  REQUIRE(f.messages.size() >= 2);
  CHECK(f.messages[0].find("1 logStatusWarning: not valid from time 0.80000") == 0);
  CHECK(f.messages[0].find(": x is large") != std::string::npos);
  CHECK(fmi2DoStep(f.component, reached, 0.1, fmi2True) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2DoStep: not allowed after a discarded step");
  CHECK(fmi2Reset(f.component) == fmi2OK);
  REQUIRE(f.initialize() == fmi2OK);
  CHECK(f.step(0.5) == fmi2OK);
}

TEST_CASE("a quantity that is held at its switching point slides along") {
  Fmu f(sliding_model(), fmi2CoSimulation);
  REQUIRE(f.initialize() == fmi2OK);
  REQUIRE(f.step(1) == fmi2OK);
  CHECK(f.get(sliding::x) == Approx(0.5).epsilon(1e-6));
  REQUIRE(f.step(5) == fmi2OK);
  CHECK(std::abs(f.get(sliding::x)) < 1e-3);
  REQUIRE(f.messages.size() == 1);
  CHECK(f.messages[0].find("a condition changes again and again: sign(x)   (sliding.dym:1)") != std::string::npos);
}

TEST_CASE("delays look back") {
  Fmu f(delay_model(), fmi2CoSimulation);
  REQUIRE(f.initialize(0, 1e-8) == fmi2OK);
  REQUIRE(f.step(1) == fmi2OK);
  CHECK(f.get(delays::x) == Approx(0).margin(1e-7));  // 1 - t
  REQUIRE(f.step(2) == fmi2OK);
  CHECK(f.get(delays::x) == Approx(-0.5).epsilon(1e-6));  // 1 - t + (t - 1)^2/2
  REQUIRE(f.step(3) == fmi2OK);
  CHECK(f.get(delays::x) == Approx(1 - 3 + 2 - 1.0 / 6).epsilon(1e-6));
  CHECK(f.get(delays::late) == Approx(-0.5).epsilon(1e-6));
}

TEST_CASE("senseless steps are refused and change nothing") {
  Fmu f(decay_model(), fmi2CoSimulation);
  fmi2SetupExperiment(f.component, fmi2False, 0, 0, fmi2True, 1);
  fmi2EnterInitializationMode(f.component);
  REQUIRE(fmi2ExitInitializationMode(f.component) == fmi2OK);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double h : {0.0, -1.0, nan, inf}) CHECK(fmi2DoStep(f.component, 0, h, fmi2True) == fmi2Error);
  CHECK(fmi2DoStep(f.component, 0.5, 0.1, fmi2True) == fmi2Error);
  CHECK(f.messages.back() ==
        "3 logStatusError: fmi2DoStep: the communication point is 0.5, but the last step ended at 0");
  CHECK(fmi2DoStep(f.component, 0, 1.5, fmi2True) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2DoStep: the step ends at 1.5, beyond the stop time 1");
  CHECK(fmi2CancelStep(f.component) == fmi2Error);
  CHECK(fmi2DoStep(f.component, 0, 1, fmi2True) == fmi2OK);
}

}  // namespace fmugen::tests
