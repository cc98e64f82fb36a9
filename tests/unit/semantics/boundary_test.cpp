// Inputs, outputs and defaults at the boundary of submodels.
#include <catch2/catch.hpp>

#include "tests/support/flattening.h"

using fmugen::testing::flatten;

namespace {
const std::string kMotor = "model type motor\n input U\n output w\n terminal T\n default T = 0\n der(w) = U - w - T\nend\n";
}

TEST_CASE("an input that nothing gives becomes one of the whole model") {
  const auto flat = flatten(kMotor + "model m\n submodel motor\nend\n");
  REQUIRE(flat.model);
  CHECK(flat.variable("motor.U").boundary);
  CHECK(flat.messages.find("input 'motor.U' is not given; it becomes an input of the whole model") != std::string::npos);
  fmugen::semantics::FlattenOptions strict;
  strict.strict = true;
  CHECK(flatten(kMotor + "model m\n submodel motor\nend\n", strict).first_error() == "2:8: input 'motor.U' is not given");
}

TEST_CASE("a default holds unless an equation from outside names the terminal") {
  const auto open = flatten(kMotor + "model m\n submodel motor\n motor.U = 1\nend\n");
  REQUIRE(open.model);
  CHECK(open.equations().back() == "motor.T = 0");
  const auto named = flatten(kMotor + "model m\n submodel motor\n motor.U = 1\n 2*motor.T = time\nend\n");
  REQUIRE(named.model);
  CHECK(named.equations().back() == "2*motor.T = time");
}

TEST_CASE("an input is given once, an output never from outside") {
  CHECK(flatten(kMotor + "model m\n submodel motor\n motor.U = 1\n motor.U = 2\nend\n").first_error() ==
        "11:2: input 'motor.U' is given twice");
  CHECK(flatten(kMotor + "model m\n submodel motor\n motor.U = 1\n motor.w = 2\nend\n").first_error() ==
        "11:2: output 'motor.w' is assigned from outside");
  CHECK(flatten(kMotor + "model m\n submodel (motor) a b\n a.U = 1\n b.U = a.w\nend\n").model);
}

TEST_CASE("types of variables are inferred from their use") {
  const auto flat = flatten("model m\n local b, c, x\n b = x > 1\n c = b\n x = if c then 1 else time\nend\n");
  REQUIRE(flat.model);
  CHECK(flat.variable("b").type == fmugen::equations::VariableType::Boolean);
  CHECK(flat.variable("c").type == fmugen::equations::VariableType::Boolean);
  CHECK(flat.variable("x").type == fmugen::equations::VariableType::Real);
}
