#include "fmugen/equations/simplify.h"

#include <catch2/catch.hpp>

#include "tests/support/expression_text.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;

TEST_CASE("simplification reaches the same node") {
  const struct {
    std::string input, expected;
  } cases[] = {
      // sums
      {"y + x", "x + y"},
      {"a - (a + b)", "-b"},
      {"2*(x + y) - 2*x - 2*y", "0"},
      {"-(x - y)", "y - x"},
      {"3 + x", "x + 3"},
      {"x/2 + x/2", "x"},
      {"0.5*x + x/2", "x"},
      {"y*x + x*y", "2*x*y"},
      {"3*(x/3 + y)", "x + 3*y"},
      // products and powers
      {"y*x", "x*y"},
      {"x/x", "1"},
      {"x**2/x", "x"},
      {"1/(1/x)", "x"},
      {"x*y/(y*x)", "1"},
      {"(2*x*y)**2", "4*x**2*y**2"},
      {"x**0.5*x**0.5", "x"},
      {"sqrt(x)*sqrt(x)", "x"},
      {"sqrt(x)**3*sqrt(x)/x", "x"},
      {"abs(x)**2", "x**2"},
      {"(x - y)**2 - (y - x)**2", "0"},
      {"1/(y - x) + 1/(x - y)", "0"},
      {"x/3", "x/3"},
      {"x*(a + b)", "x*(a + b)"},
      // functions
      {"sin(-x)", "-sin(x)"},
      {"cos(y - x)", "cos(x - y)"},
      {"tanh(-2*x) + tanh(2*x)", "0"},
      {"exp(ln(x))", "x"},
      {"ln(exp(x))", "x"},
      {"sqrt(x**2)", "abs(x)"},
      {"abs(abs(-x))", "abs(x)"},
      {"max(x, 2, max(y, x), 3)", "max(x, y, 3)"},
      {"noevent(noevent(x + y))", "noevent(x + y)"},
      // conditions
      {"x < x", "false"},
      {"x <= x", "true"},
      {"if not x < y then a else b", "if x < y then b else a"},
      {"if x + y < y + x then a else b", "b"},
      {"x < y and not (x < y)", "false"},
      {"b or a or not b", "true"},
      {"y < x and x < y", "x < y and y < x"},
      // what stays
      {"sqrt(x**4)", "sqrt(x**4)"},
      {"(x**2)**0.5", "(x**2)**0.5"},
      {"sin(asin(x))", "sin(asin(x))"},
      {"der(x + y)", "der(x + y)"},
  };
  for (const auto& c : cases) {
    ExpressionText text;
    for (const char* name : {"a", "b", "x", "y"}) text.variable(name);
    const Expr simple = simplify(text.pool, text(c.input));
    CAPTURE(c.input, text.text(simple));
    CHECK(simple == simplify(text.pool, text(c.expected)));
  }
}

TEST_CASE("canonical sums and products print as expected") {
  ExpressionText text;
  for (const char* name : {"a", "b", "x", "y"}) text.variable(name);
  const auto simple = [&](const char* input) { return text.text(simplify(text.pool, text(input))); };
  CHECK(simple("3 - y*x + 2*b + a") == "a + 2*b - x*y + 3");
  CHECK(simple("-(y - x)") == "x - y");
  CHECK(simple("y*x*2/b") == "2/b*x*y");
  CHECK(simple("x*4/2") == "2*x");
}

TEST_CASE("deep and shared expressions are simplified in linear time") {
  ExpressionText text;
  Expr deep = text.variable("x"), shared = text.variable("y");
  for (int i = 0; i < 100000; ++i) deep = text.pool.call(Function::Sin, text.pool.neg(deep));
  const Expr simple = simplify(text.pool, deep);
  Expr expected = text.variable("x");
  for (int i = 0; i < 100000; ++i) expected = text.pool.call(Function::Sin, expected);
  CHECK(simple == expected);  // an even number of signs
  for (int i = 0; i < 200; ++i)
    shared = text.pool.add(text.pool.call(Function::Cos, shared), text.pool.mul(shared, shared));
  CHECK(simplify(text.pool, shared)->op() == Op::Add);
}
