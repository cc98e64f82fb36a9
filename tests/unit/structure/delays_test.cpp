// Delayed and previous values are known: they close no loop, are no reason to differentiate and have no derivative by
// what is unknown now.
#include <catch2/catch.hpp>

#include "tests/unit/structure/plans.h"

namespace fmugen::structure {

namespace {

std::string blocks_of(const std::string& body) {
  const Planned m("model m\n" + body + "\nend\n");
  return m.plan ? m.blocks(m.plan->blocks) : m.errors();
}

}  // namespace

TEST_CASE("a loop through a delay is none") {
  CHECK(blocks_of("local y, z\nparameter T = 2\ny = 0.5*delay(z, T) + time\nz = 3*y") ==
        "y := 0.5*delay(z, T) + time; z := 3*y");
  CHECK(blocks_of("local y\ny = sin(delay(y, 1)) + time") == "y := sin(delay(y, 1)) + time");
  CHECK(blocks_of("local y\ny*(1 + delay(y, 1)**2) = time") == "y := time/(1 + delay(y, 1)**2)");
}

TEST_CASE("a delay whose duration is unknown is part of a loop") {
  CHECK(blocks_of("local y\ny = 2 + delay(time, y, 9)") == "[y]");
}

TEST_CASE("a delayed variable determines nothing") {
  CHECK(blocks_of("local x, y\nx = time\ndelay(y, 1) = x") ==
        "4: too many equations for 'x': 2 equations, 1 unknown\n"
        "  4: one of them: delay(y, 1) = x\n"
        "  3: one of them: x = time\n"
        "2: nothing determines 'y'\n");
}

TEST_CASE("the derivative of a delay is the delayed derivative, if there is one") {
  CHECK(blocks_of("local x, y, f\nder(x) = time\ny = x + delay(x, 1)\nder(y) = f") ==
        "der(x) := time; y := x + delay(x, 1); der(y) := der(x) + delay(der(x), 1); f := der(y)");
  CHECK(blocks_of("local x, y, u, f\nder(x) = time\nu = sin(time)\ny = x + delay(u, 1)\nder(y) = f") ==
        "5: this equation must be differentiated, but cannot be: y = x + delay(u, 1)\n"
        "  there is no derivative of delay(u, 1)\n");
}

TEST_CASE("delays are outside the patterns of the Jacobians") {
  const Planned m("model m\nlocal x, z\nder(x) = -delay(x, 1) + z\nder(z) = x*delay(z, 1)\nend\n");
  REQUIRE(m.plan);
  const Jacobians& j = m.plan->jacobians;
  std::string entries;
  for (const Entry& e : j.derivatives.entries)
    entries += m.name(j.derivative_rows[e.row]) + " by " + m.name(j.columns[e.column]) + "; ";
  CHECK(entries == "der(x) by z; der(z) by x; ");
  entries.clear();
  for (const Entry& e : j.residuals.entries)
    entries += m.name(j.residual_columns[e.column]) + ": " + m.text(e.value) + "; ";
  CHECK(entries == "der(x): 1; z: -1; der(z): 1; x: -delay(z, 1); ");
}

TEST_CASE("at the start a delayed value is the value itself") {
  const Planned m("model m\nlocal y, z\ny = 0.5*delay(z, 2) + 3\nz = 3*y\nend\n");
  REQUIRE(m.plan);
  CHECK(m.blocks(m.plan->initial.blocks) == "[y z]");
}

}  // namespace fmugen::structure
