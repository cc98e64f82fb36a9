// Constraints through functions and tables of the model: the constraint holds, and the motion is that of the equations
// solved by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/simulation/examples.h"

namespace {

PlanSource model(const std::string& text) {
  PlanSource source;
  source.text = "model m\n" + text + "\nend\n";
  return source;
}

}  // namespace

TEST_CASE("inertias coupled by a function") {
  const SimulationPlan plan = plan_of(model(
      "function f(a)\n local s\n s := sin(a)\n f := a + 0.5*s\n end\n"
      "local a, b, w1, w2, T\n der(a) = w1\n der(b) = w2\n b = f(a)\n der(w1) = 1 - (1 + 0.5*cos(a))*T\n der(w2) = T"));
  PlanInterpreter run(plan);
  run.start();
  for (const double t : {0.5, 1., 2.}) {
    run.advance(t);
    const double a = run["a"], slope = 1 + 0.5 * std::cos(a);
    check(run, "b", a + 0.5 * std::sin(a), 1e-9);
    check(run, "w2", slope * run["w1"], 1e-9);
    // work done by the torque 1 is kinetic energy
    CHECK((run["w1"] * run["w1"] + run["w2"] * run["w2"]) / 2 == Approx(a).margin(1e-7));
    check_equations(run);
  }
}

TEST_CASE("inertias coupled by a table") {
  const std::string kind = GENERATE("linear", "cubic");
  const SimulationPlan plan = plan_of(model("table f(interpolation=" + kind +
                                            ") = (0, 0; 1, 2; 2, 4; 4, 8)\n local a, b, w1, w2, T\n"
                                            "der(a) = w1\n der(b) = w2\n b = f(a)\n der(w1) = 1 - 2*T\n der(w2) = T"));
  PlanInterpreter run(plan);
  run.start();
  for (const double t : {0.5, 2., 3.}) {
    run.advance(t);
    check(run, "a", 0.1 * t * t, 1e-8);
    check(run, "w2", 0.4 * t, 1e-8);
    check(run, "T", 0.4, 1e-8);
  }
}

TEST_CASE("loops with functions and tables have analytic Jacobians") {
  const SimulationPlan plan =
      plan_of(model("function f(a)\n f := a\n for k := 1 to 3 do\n f := f + a**k/10\n end\n end\n"
                    "table t(interpolation=cubic) = (-9, -3; 0, 0; 1, 2; 2, 3; 4, 4)\n"
                    "local x(start=1), y, z\n der(x) = -z\n y + f(z) = x\n z + t(y) = 2*x"));
  for (const auto& block : plan.blocks)
    if (block.kind == fmugen::structure::BlockKind::Nonlinear) CHECK_FALSE(block.matrix.empty());
  PlanInterpreter run(plan);
  run.start();
  for (const double t : {0.3, 0.9}) {
    run.advance(t);
    CHECK(run.largest_jacobian_error() < 1e-6);
    check_equations(run);
  }
}
