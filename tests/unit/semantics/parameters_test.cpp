// Values of parameters: bindings, order, propagation through cuts, freezing.
#include <catch2/catch.hpp>

#include "tests/support/flattening.h"

using fmugen::equations::Frozen;
using fmugen::testing::flatten;

TEST_CASE("parameters are bound by --set, then by argument, then by default") {
  const std::string text =
      "model type r\n parameter a = 1, b = 2*a, c = b + 1\n local x\n x = a + b + c\nend\n"
      "model m\n parameter k = 10\n submodel (r) s(a = k), t(5, 6), u\nend\n";
  const auto flat = flatten(text);
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.value("s.a") == 10);
  CHECK(flat.value("s.c") == 21);
  CHECK(flat.value("t.b") == 6);
  CHECK(flat.value("u.c") == 3);
  fmugen::semantics::FlattenOptions options;
  options.settings = {{"k", "7"}, {"t.b", "2**3"}};
  const auto set = flatten(text, options);
  REQUIRE(set.model);
  CHECK(set.value("s.c") == 15);
  CHECK(set.value("t.c") == 9);
}

TEST_CASE("arrays of submodels share a scalar and split a vector") {
  const auto flat = flatten(
      "model type r\n parameter R = 1, L[2] = [1, 2]\n local x\n x = R + sum(L)\nend\n"
      "model m\n submodel (r) a[3](R = 5), b[2](R = [7, 8]), c[2](L = [1, 2; 3, 4])\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.value("a[3].R") == 5);
  CHECK(flat.value("b[1].R") == 7);
  CHECK(flat.value("b[2].R") == 8);
  CHECK(flat.value("c[2].L[1]") == 3);
}

TEST_CASE("long chains of parameters need no stack") {
  std::string text = "model m\n";
  const int n = 20000;
  for (int k = 0; k < n; ++k)
    text += "parameter p" + std::to_string(k) + " = " + (k + 1 < n ? "p" + std::to_string(k + 1) + " + 1" : "1") + "\n";
  const auto flat = flatten(text + "local x\nx = p0\nend\n");
  REQUIRE(flat.model);
  CHECK(flat.value("p0") == n);
}

TEST_CASE("what shapes the equations is frozen, with everything it depends on") {
  const auto flat = flatten(
      "model type s\n structure parameter n = 2\n local x[n]\n x = 1\nend\n"
      "model m\n parameter k = 1, other = 3\n submodel (s) a(n = k + 1)\n local y\n y = other\nend\n");
  REQUIRE(flat.model);
  CHECK(flat.variable("a.n").frozen == Frozen::Structure);
  CHECK(flat.variable("k").frozen == Frozen::Structure);
  CHECK(flat.variable("other").frozen == Frozen::No);
  CHECK(flat.model->equations.size() == 3);
}

TEST_CASE("a connection carries parameters: given beats default, the rest follows") {
  const std::string tank =
      "model type tank\n parameter rho = 1\n cut c(p, rho / q)\n p = rho*q\nend\n"
      "model type source\n parameter d(unit = \"kg/l\") = 2\n cut c(p, d / q)\n q = d\nend\n";
  const auto flat = flatten(tank + "model m\n submodel (tank) a, b(rho = 900)\n a:c at b:c\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.value("a.rho") == 900);
  CHECK(flat.variable("a.rho").follows);
  CHECK_FALSE(flat.variable("b.rho").follows);
  const auto number = flatten(tank + "model m\n submodel (tank) a\n (., 700 / 1) at a:c\nend\n");
  REQUIRE(number.model);
  CHECK(number.value("a.rho") == 700);
  const auto conflict = flatten(tank + "model m\n submodel (tank) a(rho = 3), b(rho = 4)\n a:c at b:c\nend\n");
  CHECK(conflict.first_error() ==
        "13:2: conflicting values of a parameter through a connection: 'a.rho' is 3, 'b.rho' is 4");
}

TEST_CASE("a zero parameter removes the derivative it multiplies and is frozen") {
  const std::string text =
      "model m\n parameter L = 0, R = 2, k = 0\n local i, u\n L*der(i) = u - R*i\n u = 1 + k*i\nend\n";
  const auto flat = flatten(text);
  REQUIRE(flat.model);
  CHECK(flat.equations().front() == "0 = u - R*i");
  CHECK(flat.variable("L").frozen == Frozen::ZeroParameter);
  CHECK(flat.variable("k").frozen == Frozen::No);
  fmugen::semantics::FlattenOptions options;
  options.settings = {{"L", "0.1"}};
  const auto inductive = flatten(text, options);
  REQUIRE(inductive.model);
  CHECK(inductive.equations().front() == "L*der(i) = u - R*i");
  CHECK(inductive.variable("L").frozen == Frozen::No);
}
