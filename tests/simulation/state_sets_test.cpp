// Mechanisms for which no choice of states stays regular, against solutions in angles and the energy.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/simulation/examples.h"

namespace {

constexpr double kTolerance = 1e-9;  // of the steps

// phi'' = -g/L*sin(phi), by the classical method of order four with short steps.
struct AngleOfPendulum {
  double phi = 0, rate = 0, time = 0;

  void advance(double until) {
    constexpr double kStep = 1e-4;
    const auto n = static_cast<int>(std::ceil((until - time) / kStep - 1e-9));
    const double h = n > 0 ? (until - time) / n : 0;
    const auto f = [](double angle) { return -9.81 * std::sin(angle); };
    for (int k = 0; k < n; ++k) {
      const double a1 = rate, b1 = f(phi);
      const double a2 = rate + h / 2 * b1, b2 = f(phi + h / 2 * a1);
      const double a3 = rate + h / 2 * b2, b3 = f(phi + h / 2 * a2);
      const double a4 = rate + h * b3, b4 = f(phi + h * a3);
      phi += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      rate += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    }
    time = until;
  }
};

// The margins are what the error of the steps grows to in ten seconds.
void follow(PlanInterpreter& run, AngleOfPendulum& angle, double until) {
  for (double t = 0.5; t <= until + 1e-9; t += 0.5) {
    run.advance(t);
    angle.advance(t);
    check(run, "x", std::sin(angle.phi), 5e-6);
    check(run, "y", -std::cos(angle.phi), 5e-6);
    check(run, "u", angle.rate * std::cos(angle.phi), 3e-5);
    check(run, "F", angle.rate * angle.rate + 9.81 * std::cos(angle.phi), 1e-4);
    CHECK(std::abs(std::hypot(run["x"], run["y"]) - 1) < 1e-10);
    check_equations(run);
  }
}

}  // namespace

TEST_CASE("pendulum over the top") {
  struct Row {
    AliasMode aliases;
    bool by_plan;
    double until;
  };
  const Row row = GENERATE(Row{AliasMode::All, true, 10}, Row{AliasMode::All, false, 1.5},
                           Row{AliasMode::Equal, true, 1.5}, Row{AliasMode::None, true, 1.5});
  const SimulationPlan plan = plan_of(example("pendulum/pendulum", "pendulum", row.aliases));
  REQUIRE(plan.selection.dynamic.size() == 2);
  CHECK(plan.selection.states.size() == 2);
  PlanInterpreter run(plan);
  run.tolerance = kTolerance;
  row.by_plan ? run.start_by_plan() : run.start();
  CHECK(run.chosen(0) == std::vector<std::string>{"u"});
  CHECK(run.chosen(1) == std::vector<std::string>{"x"});
  AngleOfPendulum angle{0, 7, 0};
  follow(run, angle, row.until);
  const double turns = angle.phi / (2 * std::numbers::pi);
  CHECK(turns > 0.7 * row.until);    // it goes round
  CHECK(run.changes() > 7 * turns);  // both sets, four times each turn
}

TEST_CASE("pendulum through the horizontal") {
  const double from = GENERATE(1.2, -1.5707963267948966);  // angles of release; the second is the horizontal
  PlanSource source = example("pendulum/pendulum");
  source.text =
      "model pendulum\n  parameter m = 1, L = 1, g = 9.81\n  local x(start=" + std::to_string(std::sin(from)) +
      "), y(start=" + std::to_string(-std::cos(from)) +
      "), u, v, F\n  x' = u\n  y' = v\n  m*u' = -F*x/L\n  m*v' = -F*y/L - m*g\n  x**2 + y**2 = L**2\nend\n";
  source.file = "";
  const SimulationPlan plan = plan_of(source);
  PlanInterpreter run(plan);
  run.tolerance = kTolerance;
  run.start_by_plan();
  AngleOfPendulum angle{std::atan2(run["x"], -run["y"]), 0, 0};
  CHECK(angle.phi == Approx(from).margin(1e-5));
  follow(run, angle, 2);
}

TEST_CASE("the state that is given at the start can be any") {
  struct Row {
    const char *x, *y, *u, *v;
    double phi, rate;
  };
  const Row row =
      GENERATE(Row{"(start=1)", "(start=0)", "", "(start=2)", std::numbers::pi / 2, 2},
               Row{"(start=0)", "(start=1)", "(start=-2)", "", std::numbers::pi, 2},
               Row{"(start=0.6)", "(start=-1)", "", "", 0.6435011087932844, 0},
               Row{"(start=0.6, fixed=true)", "(start=-0.7)", "(start=1.6, fixed=true)", "", 0.6435011087932844, 2},
               Row{"(start=0.5)", "(start=-0.8, fixed=true)", "", "", 0.6435011087932844, 0});
  PlanSource source;
  source.text = std::string("model pendulum\n  local x") + row.x + ", y" + row.y + ", u" + row.u + ", v" + row.v +
                ", F\n  x' = u\n  y' = v\n  u' = -F*x\n  v' = -F*y - 9.81\n  x**2 + y**2 = 1\nend\n";
  INFO(source.text);
  const SimulationPlan plan = plan_of(source);
  CHECK(plan.initial.starts.size() == 2);
  PlanInterpreter run(plan);
  run.tolerance = kTolerance;
  run.start_by_plan();
  AngleOfPendulum angle{row.phi, row.rate, 0};
  check(run, "x", std::sin(row.phi), 1e-12);
  check(run, "y", -std::cos(row.phi), 1e-12);
  check(run, "u", row.rate * std::cos(row.phi), 1e-12);
  check(run, "v", row.rate * std::sin(row.phi), 1e-12);
  follow(run, angle, 0.5);
}

TEST_CASE("energy of mechanisms with two constraints") {
  struct Row {
    const char* model;
    std::size_t states, changes;
  };
  const Row row = GENERATE(Row{"double", 4, 4}, Row{"crank", 2, 6});
  const SimulationPlan plan = plan_of(example("pendulum/pendulum", row.model));
  CHECK(plan.selection.dynamic.size() == 2);
  CHECK(plan.selection.states.size() == row.states);
  PlanInterpreter run(plan);
  run.tolerance = kTolerance;
  run.start_by_plan();
  const double energy = run["E"];
  for (int k = 1; k <= 4; ++k) {
    run.advance(0.5 * k);
    check(run, "E", energy, 5e-7 * std::abs(energy));
    check_equations(run);
  }
  CHECK(run.changes() >= row.changes);
}
