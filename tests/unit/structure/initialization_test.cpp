#include <catch2/catch.hpp>

#include "tests/unit/structure/plans.h"

using namespace fmugen::structure;

namespace {

// "x = 1 given, y = 0 start": the conditions at the start.
std::string conditions(const Planned& p) {
  if (!p.plan) return p.errors();
  std::string out;
  for (const auto& start : p.plan->initial.starts) {
    const char* reason[] = {"given", "fixed", "start", "steady"};
    out +=
        (out.empty() ? "" : ", ") + p.name(start.variable) + " = " + p.text(start.value) + " " + reason[start.reason];
  }
  return out;
}

std::string conditions(const std::string& statements, const PlanOptions& options = {}) {
  return conditions(Planned("model m\n" + statements + "\nend\n", options));
}

std::string initial_blocks(const std::string& statements, const PlanOptions& options = {}) {
  const Planned p("model m\n" + statements + "\nend\n", options);
  return p.plan ? p.blocks(p.plan->initial.blocks) : p.errors();
}

PlanOptions steady() {
  PlanOptions options;
  options.steady = true;
  return options;
}

}  // namespace

TEST_CASE("states without any condition start at zero") {
  CHECK(conditions("local x, y\nder(x) = -x\nder(y) = x") == "x = 0 start, y = 0 start");
  CHECK(initial_blocks("local x, y\nder(x) = -x\nder(y) = x") == "x := 0; y := 0; der(x) := -x; der(y) := x");
}

TEST_CASE("start values that were written come before zeros") {
  CHECK(conditions("local x, y(start=2)\nder(x) = -x\nder(y) = x") == "y = 2 start, x = 0 start");
}

TEST_CASE("given and fixed values come first") {
  CHECK(conditions("local x(start=1), y, z(start=3, fixed=true)\nparameter p = 7\n"
                   "der(x) = 1 - x\nder(y, p + 1) = 1 - y\nder(z) = 1 - z") ==
        "y = p + 1 given, z = 3 fixed, x = 1 start");
}

TEST_CASE("der2 gives two values") {
  CHECK(conditions("local x\nder2(x, 1, 2) = -x") == "x = 1 given, x_dot = 2 given");
}

TEST_CASE("an initial equation takes the place of a start value") {
  CHECK(conditions("local x(start=4)\nparameter T = 2\nT*der(x) = 1 - x\ninitial der(x) = 0") == "");
  CHECK(initial_blocks("local x(start=4)\nparameter T = 2\nT*der(x) = 1 - x\ninitial der(x) = 0") ==
        "der(x) := 0; x := 1 - T*der(x)");
  CHECK(conditions("local x, y\nder(x) = -x\nder(y) = -y\ninitial x + y = 3") == "x = 0 start");
  CHECK(conditions("local x, y(start=1)\nder(x) = -x\nder(y) = -y\ninitial x + y = 3") == "y = 1 start");
}

TEST_CASE("values that are no states can be prescribed") {
  CHECK(initial_blocks("local x, y\nder(x) = -y\ny = 2*x + 1\ninitial y = 5") ==
        "y := 5; der(x) := -y; x := (y - 1)/2");
  CHECK(conditions("local x, y(start=5, fixed=true)\nder(x) = -y\ny = 2*x + 1") == "y = 5 fixed");
}

TEST_CASE("a loop at the start is a block of its own") {
  CHECK(initial_blocks("local x\nder(x) = 1 - x - exp(x)\ninitial der(x) + x = 0.5") == "[der(x) x]");
}

TEST_CASE("states bound by a constraint need one condition for both") {
  const std::string gear = "local w1, w2, t\nder(w1) = 1 - t\nder(w2) = 3*t - w2\nw2 = 3*w1\n";
  CHECK(conditions(gear + "initial w2 = 6") == "");
  CHECK(initial_blocks(gear + "initial w2 = 6") == "w2 := 6; [der(w1) t der(w2)]; w1 := w2/3");
  CHECK(conditions(gear) == "w2 = 0 start");
}

TEST_CASE("too many conditions are reported with those that could be freed") {
  CHECK(conditions("local w1, w2, t\nder(w1, 1) = 1 - t\nder(w2, 5) = 3*t - w2\nw2 = 3*w1") ==
        "2: too many initial conditions: nothing is left for this one to determine: w1 = 1\n"
        "  2: it could be free if this were not given: w2 = 5\n");
  CHECK(conditions("local x\nder(x, 1) = -x\ninitial x = 2") ==
        "2: too many initial conditions: nothing is left for this one to determine: x = 1\n"
        "  4: it could be free if this were not given: initial x = 2\n");
  CHECK(conditions("local x\nder(x) = 1\ninitial der(x) = 0") ==
        "4: too many initial conditions: nothing is left for this one to determine: initial der(x) = 0\n"
        "  the equations of the model determine all it contains\n");
}

TEST_CASE("conditions that hold anyhow are not used") {
  const std::string gear = "local w1, w2, t\nparameter w0 = 2\nder(w1, w0) = 1 - t\nder(w2, 6) = 3*t - w2\nw2 = 3*w1\n";
  const Planned p("model m\n" + gear + "end\n");
  CHECK(conditions(p) == "w2 = 6 given");
  REQUIRE(p.diagnostics.size() == 1);
  CHECK(p.diagnostics.all()[0].text == "an initial condition follows from others and is not used: w1 = w0");
  CHECK(conditions("local x\nder(x, 1) = -x\ninitial x = 1") == "");
  CHECK(conditions("local x\nder(x) = 0\ninitial der(x) = 0") == "x = 0 start");
  CHECK(conditions("input u\nlocal x, y\nder(x) = 1\ny = u\ninitial y = 0") ==
        "6: too many initial conditions: nothing is left for this one to determine: initial y = 0\n"
        "  the equations of the model determine all it contains\n");
}

TEST_CASE("a value given to an alias counts for the whole class") {
  const std::string wires = "local x, y, z\nder(x) = -z\ny = x\nz = -x\n";
  CHECK(conditions("local x, y(start=2, fixed=true), z\nder(x) = -z\ny = x\nz = -x") == "x = 2 fixed");
  CHECK(conditions("local x, y, z(start=2, fixed=true)\nder(x) = -z\ny = x\nz = -x") == "x = -2 fixed");
  CHECK(conditions("local x, y(start=2), z\nder(x) = -z\ny = x\nz = -x") == "x = 2 start");
  CHECK(conditions("local x, y(start=2, fixed=true), z(start=-2, fixed=true)\nder(x) = -z\ny = x\nz = -x") ==
        "x = 2 fixed");
  CHECK(conditions("local x, y(start=2, fixed=true), z(start=2, fixed=true)\nder(x) = -z\ny = x\nz = -x") ==
        "2: 'z' and 'y' are equal in absolute value, but have different initial values\n"
        "  2: 'y' is declared here\n");
  CHECK(conditions("local x, y(start=2, fixed=true)\nder(x) = 1\ny = 3") ==
        "2: 'y' is always 3 and cannot have another initial value\n");
  CHECK(conditions("local x, y(start=3, fixed=true)\nder(x) = y\ny = 3") == "x = 0 start");
}

TEST_CASE("initial equations mention aliases and their derivatives") {
  CHECK(initial_blocks("local x, y\nder(x) = 1 - x\ny = -x\ninitial der(y) = 2") == "der(x) := -2; x := 1 - der(x)");
}

TEST_CASE("derivatives that only initial equations contain are found by differentiating") {
  CHECK(initial_blocks("local x, y\nder(x) = 1 - x\ny = 2*x + time\ninitial der(y) = 2") ==
        "der(y) := 2; der(x) := (der(y) - 1)/2; x := 1 - der(x); y := 2*x + time");
  CHECK(conditions("input u\nlocal x, y\nder(x) = 1 - x\ny = x + u\ninitial der(y) = 2") ==
        "5: the derivative of input 'u' is needed, because this equation must be differentiated: y = x + u\n"
        "  it constrains states; with --input-derivatives the derivative becomes a further input\n");
  CHECK(conditions("local x\ndiscrete k = 0\nder(x) = k\nwhen x > 2 then\nk := 2\nend\ninitial der(k) = 2") ==
        "8: der(k) cannot be used at the start: no equation contains it\n"
        "  3: 'k' is not differentiated in the model, and no equation determines it\n");
}

TEST_CASE("steady sets derivatives to zero where nothing is given") {
  CHECK(conditions("local x(start=1), y\nder(x) = 2 - x\nder(y) = x - y", steady()) == "x = 0 steady, y = 0 steady");
  CHECK(initial_blocks("local x(start=1), y\nder(x) = 2 - x\nder(y) = x - y", steady()) ==
        "der(x) := 0; x := 2 - der(x); der(y) := 0; y := x - der(y)");
  CHECK(conditions("local x, y\nder(x, 1) = 2 - x\nder(y) = x - y", steady()) == "x = 1 given, y = 0 steady");
}

TEST_CASE("a pure integrator has no steady state and keeps its start value") {
  CHECK(conditions("input u\nlocal x(start=3)\nder(x) = u", steady()) == "x = 3 start");
}

TEST_CASE("discrete variables start with their values, or as an initial equation says") {
  CHECK(conditions("discrete k = 2, n\nlocal x\nder(x) = k + n\nwhen x > 1 then\nk := 3\nn := 1\nend") ==
        "k = 2 given, x = 0 start, n = 0 start");
  CHECK(initial_blocks("discrete n\nlocal x\nder(x) = n\ninitial n = 4\nwhen x > 1 then\nn := 1\nend") ==
        "n := 4; der(x) := n; x := 0");
}

TEST_CASE("what is past is as now") {
  CHECK(initial_blocks("local x, y\nder(x) = -y\ny = delay(x, 1) + 1\ninitial y = 3") ==
        "y := 3; der(x) := -y; x := y - 1");
}

TEST_CASE("a parameter that is not fixed is found from a further condition") {
  const std::string free = "parameter p(fixed=false) = 2\nlocal x\nder(x, 1) = p - x\n";
  CHECK(conditions(free) == "x = 1 given, p = 2 start");
  CHECK(initial_blocks(free + "initial der(x) = 0") == "der(x) := 0; x := 1; p := der(x) + x");
}

TEST_CASE("inputs are known at the start") {
  CHECK(conditions("input u(start=3)\nlocal x\nder(x) = u - x\ninitial der(x) = 0") == "");
}

TEST_CASE("a long chain with conditions at its end") {
  std::string text =
      "structure parameter n = 2000\nlocal x[n]\nder(x[1]) = 1 - x[1]\nfor i := 2 to n do\n"
      "der(x[i]) = x[i-1] - x[i]\nend\ninitial x[n] = 1\n";
  const Planned p("model m\n" + text + "end\n", steady());
  REQUIRE(p.plan);
  CHECK(p.plan->initial.starts.size() == 1999);
  CHECK(verify(*p.plan) == "");
}
