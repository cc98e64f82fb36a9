// What holds of every plan: its start is that of the conditions as they were written, its blocks fulfil the equations at
// any state, its Jacobians agree with difference quotients.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/simulation/examples.h"

// The start that the plan computes, against iteration on the states with the conditions as they were written.
TEST_CASE("the start by plan") {
  struct Row {
    const char *file, *model;
  };
  const Row row = GENERATE(
      Row{"network/network", ""}, Row{"rcnet/rcnet", ""}, Row{"filter/filter", "coil_driven"},
      Row{"motorload/motorload", ""}, Row{"tanks/tanks", ""}, Row{"circuit/circuit", ""}, Row{"blt/blt", "linear"},
      Row{"blt/blt", "generic"}, Row{"index/index", "capacitors"}, Row{"index/index", "shafts"},
      Row{"index/index", "motion"}, Row{"index/index", "pendulum"}, Row{"cablereel/cablereel", ""},
      Row{"cablereel/cablereel_inductive", ""}, Row{"powersystem/powersystem", ""}, Row{"motordc/motordc", ""},
      Row{"prueba/prueba", ""}, Row{"transferfunctions/transferfunctions", "improper"},
      Row{"transferfunctions/transferfunctions", "proper"}, Row{"reservoir/reservoir", ""},
      Row{"surgetank/surgetank", "closing"}, Row{"surgetank/surgetank", "opening"}, Row{"valve/valve", "flow"},
      Row{"star/star", "voltages"}, Row{"nonlinear/nonlinear", "upper_root"}, Row{"nonlinear/nonlinear", "lower_root"},
      Row{"rlc/rlc", ""}, Row{"inverter/inverter", ""}, Row{"wardleonard/wardleonard", ""}, Row{"domino/domino", ""},
      Row{"bicyclists/bicyclists", ""}, Row{"lander/lander", ""}, Row{"waterpath/waterpath", ""});
  const SimulationPlan plan = plan_of(example(row.file, row.model, FOR_ALL_ALIASES()));
  INFO(row.file << " " << row.model);
  PlanInterpreter simple(plan), planned(plan);
  simple.start();
  planned.start_by_plan();
  check_equations(planned);
  CHECK(planned.largest_jacobian_error() < 1e-4);
  for (const auto v : plan.selection.states) {
    const std::string name = plan.system.name(v);
    INFO(name);
    CHECK(planned[name] == Approx(simple[name]).margin(1e-6).epsilon(1e-7));
  }
}

// Not along a solution but anywhere: whatever the states are, what is computed from them fulfils the equations.
TEST_CASE("equations hold at any state") {
  struct Row {
    const char *file, *model;
  };
  const Row row = GENERATE(Row{"bicyclists/bicyclists", ""}, Row{"cablereel/cablereel_inductive", ""},
                           Row{"cablereel/cablereel_terminals", ""}, Row{"connections/connections", ""},
                           Row{"domino/domino", ""}, Row{"heatexchanger/heatexchanger_driven", ""},
                           Row{"hierarchy/hierarchy", ""}, Row{"hierarchy/hierarchy_types", ""},
                           Row{"inverter/inverter", ""}, Row{"lander/lander", ""}, Row{"motordc/motordc_ports", ""},
                           Row{"motorload/motorload_library", ""}, Row{"network/network_library", ""},
                           Row{"powersystem/powersystem_us", ""}, Row{"resistors/resistors", ""},
                           Row{"tanks/tanks", ""}, Row{"wardleonard/wardleonard", ""}, Row{"waterpath/waterpath", ""});
  const SimulationPlan plan = plan_of(example(row.file, row.model, FOR_ALL_ALIASES()));
  INFO(row.file);
  PlanInterpreter run(plan);
  run.start();
  check_equations(run);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> about(-0.05, 0.05);
  const std::vector<double> first = run.states();
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> x = first;
    for (double& value : x) value += about(random) * (1 + std::abs(value));
    run.set_states(x);
    run.evaluate();
    check_equations(run);
  }
}

// Patterns have every entry that difference quotients show, symbolic entries have their values.
TEST_CASE("Jacobians") {
  const std::string file =
      GENERATE("network/network", "rcnet/rcnet", "motorload/motorload", "tanks/tanks", "circuit/circuit", "blt/blt",
               "index/index", "cablereel/cablereel", "powersystem/powersystem", "motordc/motordc",
               "transferfunctions/transferfunctions", "surgetank/surgetank", "inverter/inverter",
               "wardleonard/wardleonard", "domino/domino", "waterpath/waterpath");
  const SimulationPlan plan = plan_of(example(file, "", FOR_ALL_ALIASES()));
  INFO(file);
  PlanInterpreter run(plan);
  run.start();
  std::vector<double> x = run.states();
  std::mt19937 random(2);
  std::uniform_real_distribution<double> about(0.01, 0.05);
  for (double& value : x) value += about(random) * (1 + std::abs(value));
  run.set_states(x);
  run.evaluate();
  const auto& s = plan.system;
  const auto& jacobians = plan.jacobians;
  std::vector<double> middle(s.model.variables.size());
  for (std::uint32_t v = 0; v < middle.size(); ++v) middle[v] = run[s.model.name_of(fmugen::equations::VarId{v})];
  const auto moved = [&](fmugen::equations::VarId v, double by) { run.set(s.name(v), middle[index(v)] + by); };

  std::set<std::pair<std::uint32_t, std::uint32_t>> pattern;
  for (const auto& e : jacobians.derivatives.entries) pattern.emplace(e.row, e.column);
  if (jacobians.derivatives.rows > 0)
    for (std::uint32_t c = 0; c < jacobians.columns.size(); ++c) {
      const double h = 1e-4 * (1 + std::abs(middle[index(jacobians.columns[c])]));
      moved(jacobians.columns[c], h);
      run.evaluate();
      for (std::uint32_t r = 0; r < jacobians.derivative_rows.size(); ++r) {
        const auto row = jacobians.derivative_rows[r];
        const double change = std::abs(run[s.name(row)] - middle[index(row)]);
        INFO(s.name(row) << " by " << s.name(jacobians.columns[c]));
        if (change > 1e-9 * (1 + std::abs(middle[index(row)]))) CHECK(pattern.contains({r, c}));
      }
      moved(jacobians.columns[c], 0);
      run.evaluate();
    }

  for (const auto& e : jacobians.residuals.entries) {
    if (!e.value) continue;
    const auto v = jacobians.residual_columns[e.column];
    const auto& equation = s.equations[e.row];
    const double h = 1e-5 * (1e-3 + std::abs(middle[index(v)])), exact = run[e.value];
    moved(v, h);
    const double above = run[equation.left] - run[equation.right];
    moved(v, -h);
    const double below = run[equation.left] - run[equation.right];
    moved(v, 0);
    const double size = std::max(std::abs(run[equation.left]), std::abs(run[equation.right]));
    INFO("equation " << e.row << " by " << s.name(v));
    CHECK((above - below) / (2 * h) == Approx(exact).epsilon(1e-4).margin(1e-9 + 1e-14 * size / h));
  }
}

TEST_CASE("parameters follow from those that are set") {
  PlanSource source;
  source.text = "model m\n  parameter c = 2*b, b = a + 1, a = 1\n  local x\n  der(x, c) = -b*x\nend\n";
  const SimulationPlan plan = plan_of(source);
  PlanInterpreter run(plan);
  run.set("a", 2);
  run.start();
  check(run, "c", 6, 0);
  run.advance(1);
  check(run, "x", 6 * std::exp(-3.), 1e-7);
}

TEST_CASE("a loop without values is an error of the interpreter") {
  PlanSource source;
  source.text = "model m\n  input u\n  local x(start=1)\n  x**3 + x*sqrt(u) = 1\nend\n";
  const SimulationPlan plan = plan_of(source);
  PlanInterpreter run(plan);
  run.set("u", -1);
  CHECK_THROWS_WITH(run.start(), Catch::Contains("the loop of 'x' has no values at time 0"));
}
