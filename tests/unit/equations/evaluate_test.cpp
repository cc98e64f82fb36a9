#include "fmugen/equations/evaluate.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/expression_text.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;

TEST_CASE("expressions have values") {
  ExpressionText text;
  for (const char* name : {"x", "y"}) text.variable(name);
  Values values;
  values.variable = [](VarId v) { return index(v) == 0 ? 2.0 : -3.0; };
  values.other = [](Expr e) { return e->op() == Op::Der ? 7.0 : 11.0; };
  values.time = 0.5;
  values.function = [](std::uint32_t, std::uint32_t, std::span<const double> a) { return a[0] * a[1]; };
  values.table = [](std::uint32_t, std::span<const double> a) { return 10 * a[0]; };
  const struct {
    std::string input;
    double expected;
  } cases[] = {
      {"x + 2*y - 1", -5},
      {"x*y/4", -1.5},
      {"x/3", 2.0 / 3},
      {"1/x", 0.5},
      {"y**2 - x**(-1)", 8.5},
      {"time", 0.5},
      {"der(x) + pre(y) + new(y)", 29},
      {"delay(x, 1)", 11},
      {"noevent(x)", 2},
      {"sqrt(x + 2) + abs(y) + sign(y)", 4},
      {"exp(0*x) + ln(x/2) + log10(50*x)", 3},
      {"min(x, y, 1) + max(x, y)", -1},
      {"mod(y*x, 4) + int(y/2) + floor(y/2) + ceil(y/2)", -2 - 1 - 2 - 1},
      {"atan2(x, -x)", 3 * std::atan(1.0)},
      {"if x < y then 1 else 2", 2},
      {"if x <= 2 and (y = -3) or not (x <> 2) then 1 else 2", 1},
      {"x > 1", 1},
      {"f(x, y)", -6},
      {"table1(x)", 20},
  };
  for (const auto& c : cases) {
    CAPTURE(c.input);
    CHECK(evaluate(text(c.input), values) == Approx(c.expected));
  }
}

TEST_CASE("division is rounded once") {
  ExpressionText text;
  const Expr x = text.variable("x");
  Values values;
  values.variable = [](VarId) { return 49.0; };
  CHECK(evaluate(text.pool.div(text.pool.mul(x, text("2")), x), values) == 2);
  CHECK(evaluate(text("x/49"), values) == 1);
}

TEST_CASE("only the chosen branch is evaluated") {
  ExpressionText text;
  Values values;
  int calls = 0;
  values.function = [&](std::uint32_t, std::uint32_t, std::span<const double>) { return ++calls; };
  values.variable = [](VarId) { return 1.0; };
  CHECK(evaluate(text("if x < 2 then 5 else f(x)"), values) == 5);
  CHECK(calls == 0);
}

TEST_CASE("what is not given is not a number") {
  ExpressionText text;
  CHECK(std::isnan(evaluate(text("x"), {})));
  CHECK(std::isnan(evaluate(text("der(x)"), {})));
  CHECK(std::isnan(evaluate(text("f(1)"), {})));
}

TEST_CASE("deep and shared expressions are evaluated once a node") {
  ExpressionText text;
  Values values;
  int reads = 0;
  values.variable = [&](VarId) { return ++reads, 0.5; };
  Expr shared = text.variable("x"), deep = shared;
  for (int i = 0; i < 200; ++i) {
    const Expr arguments[] = {shared, text.pool.call(Function::Cos, shared)};
    shared = text.pool.call(Function::Atan2, arguments);
  }
  CHECK(std::isfinite(evaluate(shared, values)));
  CHECK(reads == 1);
  for (int i = 0; i < 100000; ++i) deep = text.pool.call(Function::Cos, deep);
  CHECK(evaluate(deep, values) == Approx(0.7390851332));
}
