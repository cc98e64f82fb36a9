// Problems with known solutions (tests/problems/README.md), by Co-Simulation and by Model Exchange.
//
// Values come from formulas, from the literature or from other programs. Where a program gave them it was an implicit
// Runge-Kutta method of fifth order (Radau IIA) with a tolerance of 1E-12, which agrees with the digits published.
#include <algorithm>
#include <cmath>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

std::string problem(const std::string& name) { return fmu_path("problem-" + name); }

void check(double value, double expected, double margin) { CHECK(value == Approx(expected).margin(margin).epsilon(0)); }

bool said(const FmuRun& run, const std::string& what) {
  return std::any_of(run.log().begin(), run.log().end(),
                     [&](const std::string& line) { return line.find(what) != std::string::npos; });
}

// Where a function that changes its sign between a and b is zero.
template <class Function>
double zero(Function f, double a, double b) {
  for (int k = 0; k < 200; ++k) (f(a) * f((a + b) / 2) <= 0 ? b : a) = (a + b) / 2;
  return b;
}

}  // namespace

TEST_CASE("Robertson's reactions") {
  const Fmu fmu(problem("robertson"));
  CsRun cs(fmu);
  MeRun me(fmu);
  me.stiff = true;
  me.tolerance = 1e-7;
  const auto check_both = [&](double margin, double y1, double y2, double y3) {
    for (const FmuRun* run : {static_cast<const FmuRun*>(&cs), static_cast<const FmuRun*>(&me)}) {
      check((*run)["y1"], y1, margin);
      check((*run)["y2"], y2, margin * y2);
      check((*run)["y3"], y3, margin);
      check((*run)["y1"] + (*run)["y2"] + (*run)["y3"], 1, 1e-9);
    }
  };
  cs.start(0, 4e5);
  me.start(0, 4e5);
  cs.advance(40);
  me.advance(40);
  check_both(1e-4, 0.7158270687194, 9.185534764559e-06, 0.2841637457458);
  cs.advance(4e5);
  me.advance(4e5);
  check_both(1e-4, 4.938274520981e-03, 1.984994087955e-08, 0.9950617056291);
}

TEST_CASE("Van der Pol's oscillator creeps and jumps") {
  const Fmu fmu(problem("vanderpol"));
  CsRun cs(fmu);
  cs.tolerance = 1e-10;
  cs.start(0, 2000);
  double before = 2, jump = 0;
  for (int k = 1; k <= 20000; ++k) {
    cs.advance(k * 0.1);
    const double x = cs["x"];
    if (before > 0 && x <= 0 && jump == 0) jump = cs.time();
    before = x;
    if (k == 5000) check(x, 1.596768951053, 1e-6);
    if (k == 10000) check(x, -1.863646254808, 1e-6);
  }
  check(jump, 807.08474082, 0.1);
  check(cs["x"], 1.706167732171, 1e-5);
  check(cs["v"], -8.928097010248e-04, 1e-7);

  MeRun me(fmu);
  me.stiff = true;
  me.tolerance = 1e-6;
  me.start(0, 2000);
  me.advance(500);
  check(me["x"], 1.596768951053, 1e-4);
}

TEST_CASE("a ball bounces at the right times and comes to rest") {
  const Fmu fmu(problem("ball"));
  const double g = 9.81, e = 0.8, fall = std::sqrt(2 / g);
  const auto hit = [&](int n) { return fall + 2 * fall * e * (1 - std::pow(e, n - 1)) / (1 - e); };
  SECTION("Co-Simulation") {
    CsRun cs(fmu, true);
    cs.tolerance = 1e-13;
    cs.start(0, 10);
    for (int n = 1; n <= 30; ++n) {
      cs.advance((hit(n) + hit(n + 1)) / 2);
      CHECK(cs["bounces"] == n);
      check(cs["hit"], hit(n), 1e-9);
    }
    cs.advance(10);
    check(cs["h"], 0, 1e-9);
    check(cs["v"], 0, 1e-9);
    CHECK(said(cs, "events accumulate: h < 0"));
  }
  SECTION("Model Exchange") {
    MeRun me(fmu, true);
    me.start(0, 10);
    for (int n = 1; n <= 30; ++n) {
      me.advance((hit(n) + hit(n + 1)) / 2);
      CHECK(me["bounces"] == n);
      check(me["hit"], hit(n), 1e-9);
    }
    me.advance(10);
    check(me["h"], 0, 1e-9);
    check(me["v"], 0, 1e-9);
    CHECK(said(me, "events accumulate: h < 0"));
  }
}

TEST_CASE("a ball never falls through the floor, however coarse the tolerance") {
  const Fmu fmu(problem("ball"));
  for (const double tolerance : {1e-3, 1e-5, 1e-6, 1e-8})
    for (const double e : {0.3, 0.5, 0.8, 0.9, 0.95}) {
      CsRun cs(fmu);
      cs.tolerance = tolerance;
      cs.communication_step = 0.1;
      cs.set("e", e);
      cs.start(0, 30);
      cs.advance(30);
      INFO("tolerance " << tolerance << ", e " << e);
      check(cs["h"], 0, 1e-6);
      check(cs["v"], 0, 1e-6);
    }
}

TEST_CASE("a ball comes to rest on the floor by fixed steps that are longer than its last bounces") {
  const Fmu fmu(problem("ball"));
  for (const int solver : {6, 7, 8})  // euler, heun, rk4
    for (const double step : {0.01, 0.1, 0.5})
      for (const double e : {0.3, 0.8, 0.95}) {
        INFO("solver " << solver << ", step " << step << ", e " << e);
        CsRun cs(fmu, true);
        cs.set("_fmu.solver", solver);
        cs.set("_fmu.step", step);
        cs.set("e", e);
        cs.start(0, 30);
        double lowest = 0;
        for (int k = 1; k <= 300; ++k) {
          cs.advance(k * 0.1);
          lowest = std::min(lowest, cs["h"]);
        }
        CHECK(lowest > -1e-6);
        check(cs["h"], 0, 1e-6);
        check(cs["v"], 0, 1e-6);
        CHECK(said(cs, "events accumulate: h < 0"));
        if (solver > 6) check(cs["hit"], std::sqrt(2 / 9.81) * (1 + e) / (1 - e), 1e-2);
      }
}

TEST_CASE("fixed steps see every pulse that is shorter than a step") {
  const Fmu fmu(problem("pulses"));
  for (const int solver : {6, 7, 8}) {
    INFO("solver " << solver);
    CsRun cs(fmu);
    cs.set("_fmu.solver", solver);
    cs.set("_fmu.step", 0.12);
    cs.start(0, 20);
    cs.advance(20);
    CHECK(cs["pulses"] == 20);
    check(cs["rise"], 19 + std::asin(0.99) / (2 * std::acos(-1.0)), 1e-9);
  }
}

TEMPLATE_TEST_CASE("dry friction sticks and slips", "", CsRun, MeRun) {
  const Fmu fmu(problem("friction"));
  TestType run(fmu);
  run.start(0, 6);
  const double slip = std::asin(1 / 1.2), pi = std::acos(-1.0);
  const auto speed = [&](double t) { return -1.2 * (std::cos(t) - std::cos(slip)) - (t - slip); };
  const auto way = [&](double t) {
    return -1.2 * (std::sin(t) - std::sin(slip)) + 1.2 * std::cos(slip) * (t - slip) - std::pow(t - slip, 2) / 2;
  };
  const double stick = zero(speed, 2.2, 5);
  REQUIRE(std::abs(1.2 * std::sin(stick)) < 1);
  run.advance(0.9);
  CHECK(run["x"] == 0);
  check(run["f"], 1.2 * std::sin(0.9), 1e-12);
  run.advance(2);
  CHECK(run["mode"] == 1);
  check(run["changed"], slip, 1e-9);
  check(run["v"], speed(2), 1e-7);
  run.advance(stick + 0.2);
  CHECK(run["mode"] == 0);
  check(run["changed"], stick, 1e-6);
  CHECK(run["v"] == 0);
  check(run["x"], way(stick), 1e-6);
  run.advance(5.5);
  CHECK(run["mode"] == -1);
  check(run["changed"], pi + slip, 1e-9);
  check(run["x"], way(stick) - way(5.5 - pi), 1e-6);
}

TEMPLATE_TEST_CASE("a bridge of ideal diodes rectifies", "", CsRun, MeRun) {
  const Fmu fmu(problem("bridge"));
  TestType run(fmu);
  run.start(0, 0.1);
  const double pi = std::acos(-1.0), part = 100 / (100 + 2e-5);
  run.advance(0.0025);
  check(run["u"], 10 * part * std::sin(pi / 4), 1e-6);
  run.advance(0.0175);
  check(run["u"], 10 * part * std::sin(pi / 4), 1e-6);
  run.advance(0.1);
  check(run["area"] / 0.1, 20 / pi * part, 1e-5);
}

TEST_CASE("pendulums keep the length of their rods for 10 000 s") {
  for (const std::string name : {"overthetop", "swing"}) {
    INFO(name);
    const Fmu fmu(problem(name));
    CsRun cs(fmu);
    cs.tolerance = 1e-8;
    cs.start(0, 10000);
    const double energy = cs["E"];
    double worst = 0, top = -1;
    for (int k = 1; k <= 20000; ++k) {
      cs.advance(k * 0.5);
      worst = std::max(worst, std::abs(cs["c"]));
      top = std::max(top, cs["y"]);
    }
    CHECK(worst < 1e-6);
    CHECK((top > 0.99) == (name == "overthetop"));
    check(cs["E"], energy, 0.1);
  }
}

TEST_CASE("pendulums keep the length of their rods in Model Exchange, too") {
  for (const std::string name : {"overthetop", "swing"}) {
    const Fmu fmu(problem(name));
    MeRun me(fmu);
    me.start(0, 100);
    const double energy = me["E"];
    for (int k = 1; k <= 100; ++k) {
      me.advance(k);
      check(me["c"], 0, 1e-9);
    }
    check(me["E"], energy, 1e-4);
  }
}

TEMPLATE_TEST_CASE("capacitors in a loop charge as one", "", CsRun, MeRun) {
  const Fmu fmu(problem("caploop"));
  TestType run(fmu);
  run.start(0, 5);
  for (const double t : {1.0, 5.0}) {
    run.advance(t);
    const double u = 6 * (1 - std::exp(-t / 2.2));
    check(run["C1.V"], u, 1e-6);
    check(run["C2.V"], u * 3 / 5, 1e-6);
    check(run["C3.V"], u * 2 / 5, 1e-6);
  }
}

TEMPLATE_TEST_CASE("a step runs along a line of 500 sections", "", CsRun, MeRun) {
  const Fmu fmu(problem("line"));
  TestType run(fmu);
  run.tolerance = 1e-8;
  run.start(0, 4e-6);
  run.advance(5e-7);
  check(run["u"], 0, 1e-3);
  // what the filter gives after the delay of the line; then what a matrix exponential says of all sections
  const double delay = 5.055e-7, w = 5e6, wt = w * (8.42e-7 - delay);
  run.advance(8.42e-7);
  check(run["u"], 1 - (1 + wt) * std::exp(-wt), 2e-3);
  check(run["u"], 0.5008770446404631, 1e-5);
  // half of the step: behind the filter when w*t = 1.678347, here later by the delay
  const double slope = w * wt * std::exp(-wt), half = 8.42e-7 - (run["u"] - 0.5) / slope;
  check(half - 1.678347 / w, delay, 1e-9);
  run.advance(2e-6);
  check(run["u"], 0.9953588496246549, 1e-5);
  run.advance(4e-6);
  check(run["u"], 0.99990, 1e-5);
}

TEMPLATE_TEST_CASE("a distribution network is one linear system", "", CsRun, MeRun) {
  for (const auto& [name, volts] : {std::pair{"distribution", 455.398}, {"distribution-28", 468.634}}) {
    const Fmu fmu(problem(name));
    TestType run(fmu);
    run.start(0, 1);
    run.advance(0.5);
    check(run["u"], volts / 2, 1e-3);
    run.advance(1);
    check(run["u"], volts, 1e-3);
  }
}

// Each round of the event opens one breaker, the last of the row first: what it notes counts the rounds. That all belong to
// one event is told by the instants, by the log, and in Model Exchange by event mode, which is entered once.
TEMPLATE_TEST_CASE("170 breakers open one after the other at one instant", "", CsRun, MeRun) {
  const Fmu fmu(problem("breakers"));
  TestType run(fmu, true);
  run.start(0, 2);
  run.advance(0.405);
  CHECK(run["opened"] == 0);
  CHECK(!said(run, "event at time"));
  run.advance(0.41);
  CHECK(run["opened"] == 170);
  const double instant = run["tripped"];
  check(instant, std::log(1.5), 1e-7);
  for (int j = 1; j <= 170; ++j) {
    const std::string breaker = "B[" + std::to_string(j) + "].";
    INFO(breaker);
    CHECK(run[breaker + "round"] == 170 - j);
    CHECK(run[breaker + "instant"] == instant);
  }
  std::string first;
  int changes = 0;
  for (const std::string& line : run.log()) {
    const auto begin = line.find("event at time "), end = line.find(": B[", begin);
    if (begin == std::string::npos || end == std::string::npos) continue;
    const std::string when = line.substr(begin, end - begin);
    if (changes++ == 0) first = when;
    CHECK(when == first);
  }
  CHECK(changes == 170);
  if constexpr (std::is_same_v<TestType, MeRun>) CHECK(run.events() == std::vector<double>{instant});
  run.advance(2);
  check(run["drive"], 3 * 171 * (1 - std::exp(-2.0)), 1e-5);
}

// 40, because the interpreter would take minutes for 170.
TEST_CASE("40 breakers open one after the other by the plan, too") {
  const auto plan = plan_of({.file = std::string(MODELS) + "/../tests/problems/breakers.dym",
                             .library_path = {MODELS},
                             .settings = {{"N", "40"}}});
  PlanInterpreter run(plan);
  run.start();
  run.advance(0.405);
  CHECK(run["opened"] == 0);
  run.advance(0.41);
  CHECK(run["opened"] == 40);
  REQUIRE(run.events().size() == 1);
  check(run.events()[0], std::log(1.5), 1e-7);
  for (int j = 1; j <= 40; ++j) {
    INFO("breaker " << j);
    CHECK(run["B[" + std::to_string(j) + "].round"] == 40 - j);
    check(run["B[" + std::to_string(j) + "].instant"], run["tripped"], 0);
  }
}

TEMPLATE_TEST_CASE("what reads an iterated loop settles at the start and at every sample", "", CsRun, MeRun) {
  const Fmu fmu(problem("loopstart"));
  TestType run(fmu, true);
  run.start(0, 1);
  check(run["z"], 0.792059968430677, 1e-12);
  CHECK(run["late"] == run["z"]);
  CHECK(run["held"] == run["z"]);
  run.advance(1);
  check(run["z"] + std::exp(run["z"]), 3 * run["x"], 1e-9);
  check(run["held"], run["z"], 1e-9);
  check(run["late"], 0.7561247536888, 2e-5);  // z at 0.5 by a Runge-Kutta method with steps of 1E-4
}
