// Derivatives in flat equations: expansion, order reduction, initial values.
#include <catch2/catch.hpp>

#include "tests/support/flattening.h"

using fmugen::testing::flatten;

namespace {
std::string equations_of(const std::string& body) {
  const auto flat = flatten("model m\n" + body + "\nend\n");
  return flat.model ? flat.equation_text() : flat.messages;
}
}  // namespace

TEST_CASE("derivatives of expressions are worked out") {
  CHECK(equations_of("parameter C = 2\nlocal v\nder(C*v) = 1") == "C*der(v) = 1\n");
  CHECK(equations_of("local x, y\nder(x*y) = 1\nder(x) = y") == "der(x)*y + x*der(y) = 1\nder(x) = y\n");
  CHECK(equations_of("local x\nder(sin(x)) = time") == "cos(x)*der(x) = time\n");
  CHECK(equations_of("local x, y\ny = der(time**2)\nder(x) = y") == "y = 2*time\nder(x) = y\n");
}

TEST_CASE("higher derivatives get an auxiliary variable each") {
  const char* const expected = "der(x_dot) = -x\nder(x) = x_dot\n";
  CHECK(equations_of("local x\nx'' = -x") == expected);
  CHECK(equations_of("local x\nder2(x) = -x") == expected);
  CHECK(equations_of("local x\nder(der(x)) = -x") == expected);
  CHECK(equations_of("local x, y\nx'' + x' = -x\ny = x'") == "der(x_dot) + x_dot = -x\ny = x_dot\nder(x) = x_dot\n");
  CHECK(equations_of("local x\nder(x'') = 1") == "der(x_dot_dot) = 1\nder(x) = x_dot\nder(x_dot) = x_dot_dot\n");
  CHECK(equations_of("local x, x_dot\nx'' = x_dot\nx_dot = 1") == "der(x_dot_) = x_dot\nx_dot = 1\nder(x) = x_dot_\n");
}

TEST_CASE("initial values are remembered with their variables") {
  const auto flat = flatten("model m\n parameter a = 3\n local x, y\n der(x, 2*a) = 1\n der2(y, 4, 5) = x\n initial x = y\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  REQUIRE(flat.variable("x").initial);
  CHECK(flat.variable("y").initial->number() == 4);
  CHECK(flat.variable("y_dot").initial->number() == 5);
  CHECK(flat.variable("y_dot").auxiliary);
  CHECK(flat.model->initial_equations.size() == 1);
}
