#include "fmugen/equations/differentiate.h"

#include <catch2/catch.hpp>

#include "fmugen/equations/simplify.h"
#include "tests/support/expression_text.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;

TEST_CASE("partial derivatives") {
  const struct {
    std::string input, expected;
  } cases[] = {
      {"3", "0"},
      {"x", "1"},
      {"y", "0"},
      {"der(x) + pre(x)", "0"},
      {"2*x + y - x*y", "2 - y"},
      {"x*sin(y)*z", "sin(y)*z"},
      {"x/y", "1/y"},
      {"y/x", "-y/x**2"},
      {"x**3", "3*x**2"},
      {"x**y", "y*x**(y - 1)"},
      {"y**x", "y**x*ln(y)"},
      {"sin(2*x)", "2*cos(2*x)"},
      {"cos(x)", "-sin(x)"},
      {"tan(x)", "1 + tan(x)**2"},
      {"exp(-x)", "-exp(-x)"},
      {"ln(x)", "1/x"},
      {"sqrt(x)", "1/(2*sqrt(x))"},
      {"asin(x)", "1/sqrt(1 - x**2)"},
      {"acos(x)", "-1/sqrt(1 - x**2)"},
      {"atan(x)", "1/(1 + x**2)"},
      {"sinh(x) + cosh(x)", "cosh(x) + sinh(x)"},
      {"tanh(x)", "1 - tanh(x)**2"},
      {"atan2(x, y)", "y/(x**2 + y**2)"},
      {"abs(x)", "noevent(sign(x))"},
      {"sign(x) + int(x) + floor(x) + ceil(x)", "0"},
      {"mod(x, y)", "1"},
      {"mod(y, x)", "-noevent(int(y/x))"},
      {"min(x, y)", "if noevent(x <= y) then 1 else 0"},
      {"max(x, y)", "if noevent(y <= x) then 1 else 0"},
      {"if x < y then x**2 else y", "if x < y then 2*x else 0"},
      {"noevent(x**2)", "noevent(2*x)"},
      {"delay(y, 1)", "0"},
      {"f(y)", "0"},
  };
  for (const auto& c : cases) {
    ExpressionText text;
    for (const char* name : {"x", "y", "z"}) text.variable(name);
    const Derivative d = partial_derivative(text.pool, text(c.input), text("x"));
    REQUIRE(d);
    CHECK(text.text(d.value) == text.text(text(c.expected)));
  }
}

TEST_CASE("derivatives with respect to other quantities") {
  ExpressionText text;
  CHECK(text.text(partial_derivative(text.pool, text("x*der(x) + pre(x)"), text("der(x)")).value) == "x");
  CHECK(text.text(partial_derivative(text.pool, text("3*pre(x)"), text("pre(x)")).value) == "3");
}

TEST_CASE("total derivatives") {
  const struct {
    std::string input, expected;
  } cases[] = {
      {"x", "der(x)"},
      {"p", "0"},
      {"p*x", "p*der(x)"},
      {"x*y", "der(x)*y + x*der(y)"},
      {"time**2", "2*time"},
      {"sin(x)", "cos(x)*der(x)"},
      {"der(x)", "der(der(x))"},
      {"pre(k) + new(k)", "0"},
      {"x**2 + y**2 - p**2", "2*x*der(x) + 2*y*der(y)"},
      {"x**time", "time*x**(time - 1)*der(x) + x**time*ln(x)"},
      {"if x < 1 then x else p", "if x < 1 then der(x) else 0"},
      {"delay(p, 1)", "0"},
  };
  for (const auto& c : cases) {
    ExpressionText text;
    const VarId p = text.variable("p")->variable();
    const Derivative d = total_derivative(text.pool, text(c.input), [p](VarId v) { return v == p; });
    REQUIRE(d);
    CHECK(text.text(d.value) == text.text(text(c.expected)));
  }
}

TEST_CASE("what was does not depend on what is") {
  ExpressionText text;
  CHECK(text.text(partial_derivative(text.pool, text("x*delay(x, p) + delay(x, 1)**2"), text("x")).value) ==
        "delay(x, p)");
  const auto is_p = [p = text("p")->variable()](VarId v) { return v == p; };
  CHECK(text.text(total_derivative(text.pool, text("delay(p, 1)*x"), is_p).value) == "delay(p, 1)*der(x)");
  const Derivative d = total_derivative(text.pool, text("p + delay(x, 1)"), is_p);
  REQUIRE(d.blocked);
  CHECK(text.text(d.blocked) == "delay(x, 1)");
}

TEST_CASE("what cannot be differentiated is named") {
  const struct {
    std::string input, blocked;
  } cases[] = {
      {"y + 2*delay(y, x, 9)", "delay(y, x, 9)"},
      {"sin(table1(x))", "table1(x)"},
      {"x*f(x, y)", "f(x, y)"},
      {"if y < 1 then x else f(x)", "f(x)"},
      {"x < y", "x < y"},
  };
  for (const auto& c : cases) {
    ExpressionText text;
    const Derivative d = partial_derivative(text.pool, text(c.input), text("x"));
    CHECK_FALSE(d);
    CHECK(d.value == nullptr);
    REQUIRE(d.blocked);
    CHECK(text.text(d.blocked) == c.blocked);
  }
}

TEST_CASE("functions of the model are differentiated by their partial derivatives") {
  ExpressionText text;
  const Expr df = text("df(x, y)");
  const CallDerivative call = [&](Expr e, std::size_t argument) {
    return argument == 0 ? text.pool.user_call(df->callee(), 0, e->children()) : nullptr;
  };
  const Derivative d = partial_derivative(text.pool, text("f(x**2, y)"), text("x"), call);
  REQUIRE(d);
  CHECK(text.text(d.value) == "2*df(x**2, y)*x");
  CHECK_FALSE(partial_derivative(text.pool, text("f(x, y)"), text("y"), call));
}

TEST_CASE("a differentiator can refuse a leaf") {
  ExpressionText text;
  const Expr input = text("u");
  Differentiator differentiate(text.pool, [&](Expr leaf) { return leaf == input ? nullptr : text.pool.der(leaf); });
  CHECK(differentiate(text("x + u")).blocked == input);
  CHECK(text.text(differentiate(text("2*x")).value) == "2*der(x)");
}

TEST_CASE("derivatives of long, deep and shared expressions stay small") {
  ExpressionText text;
  ExprPool& pool = text.pool;
  const Expr x = text.variable("x");
  std::vector<Expr> factors;
  for (std::uint32_t i = 0; i < 20000; ++i) factors.push_back(pool.variable(static_cast<VarId>(i)));
  const auto never = [](VarId) { return false; };
  std::size_t before = pool.bytes();
  REQUIRE(total_derivative(pool, pool.mul(factors), never));
  CHECK(pool.bytes() - before < 100'000'000);
  before = pool.bytes();
  REQUIRE(total_derivative(pool, pool.call(Function::Max, factors), never));
  CHECK(pool.bytes() - before < 100'000'000);

  Expr deep = x, shared = x;
  for (int i = 0; i < 100000; ++i) deep = pool.call(Function::Sin, deep);
  REQUIRE(partial_derivative(pool, deep, x));
  for (int i = 0; i < 300; ++i) {
    const Expr arguments[] = {shared, pool.call(Function::Cos, shared)};
    shared = pool.call(Function::Atan2, arguments);
  }
  REQUIRE(partial_derivative(pool, shared, x));
}
