#include "fmugen/equations/solve.h"

#include <catch2/catch.hpp>

#include "tests/support/expression_text.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;

namespace {

// "value | divisors | conditions", or "none"
std::string solved(ExpressionText& text, const std::string& left, const std::string& right, const std::string& x) {
  const Expr l = text(left), r = text(right);
  const auto solution = solve(text.pool, l, r, text(x));
  if (!solution) return "none";
  std::string list = text.text(solution->value);
  for (const auto* extra : {&solution->divisors, &solution->conditions}) {
    if (solution->divisors.empty() && solution->conditions.empty()) break;
    list += " |";
    for (const Expr e : *extra) list += " " + text.text(e) + ";";
  }
  return list;
}

}  // namespace

TEST_CASE("equations are solved for one unknown") {
  const struct {
    std::string left, right, x, expected;
  } cases[] = {
      // linear: from the original report on formula manipulation, and Cellier's companion
      {"A + B + C*(D + 2*B)", "E*F", "B", "(E*F - A - C*D)/(1 + 2*C) | 1 + 2*C; |"},
      {"7*x + y*y - 3*x*y", "25", "x", "(25 - y**2)/(7 - 3*y) | 7 - 3*y; |"},
      {"7*x + y*y - 3*x*y", "25", "y", "none"},
      {"V", "R*I", "I", "V/R | R; |"},
      {"V", "R*I", "V", "R*I"},
      {"a - x", "b", "x", "a - b"},
      {"0", "a - x", "x", "a"},
      {"a", "b - 2*x", "x", "(b - a)/2"},
      {"x", "x + a", "x", "none"},
      {"a", "b", "x", "none"},
      {"0*x", "a", "x", "none"},
      {"C*der(v)", "i", "der(v)", "i/C | C; |"},
      {"x + der(x)", "u", "x", "u - der(x)"},
      {"if c < 1 then x else 2*x", "y", "x", "y/(if c < 1 then 1 else 2) | if c < 1 then 1 else 2; |"},
      // peeled
      {"3*exp(2*x) - a", "b", "x", "ln((b + a)/3)/2 | | (b + a)/3 > 0;"},
      {"y", "ln(x)", "x", "exp(y)"},
      {"log10(x)", "y", "x", "10**y"},
      {"sqrt(x)", "y", "x", "y**2 | | y >= 0;"},
      {"a/x", "b", "x", "a/b | a; b/a; |"},
      {"i", "v/R", "v", "i*R | 1/R; |"},
      {"i", "v*a/(R*S**2) - k", "v", "(i + k)*R*S**2/a | a/(R*S**2); |"},
      {"sqrt(x)", "abs(y)", "x", "abs(y)**2"},
      {"x**3", "y", "x", "noevent(sign(y))*abs(y)**0.3333333333333333"},
      {"x**0.5", "y", "x", "y**2 | | y >= 0;"},
      {"2**x", "8", "x", "3"},
      {"tanh(x)", "y", "x", "ln((1 + y)/(1 - y))/2 | | y > -1; y < 1;"},
      {"sinh(x)", "y", "x", "noevent(sign(y))*ln(abs(y) + sqrt(y**2 + 1))"},
      {"exp(x + a*x)", "y", "x", "ln(y)/(1 + a) | 1 + a; | y > 0;"},
      {"noevent(exp(x))", "2", "x", "0.6931471805599453"},
      // without a unique solution
      {"x**2", "y", "x", "none"},
      {"sin(x)", "y", "x", "none"},
      {"x*abs(x)", "y", "x", "none"},
      {"exp(x)", "x", "x", "none"},
      {"exp(x)", "-1", "x", "none"},
      {"sqrt(x)", "-2", "x", "none"},
      {"1/x", "0", "x", "none"},
      {"max(x, 1)", "y", "x", "none"},
      {"a**x", "y", "x", "none"},
      {"if a < 1 then exp(x) else 1", "y", "x", "none"},
  };
  for (const auto& c : cases) {
    ExpressionText text;
    CAPTURE(c.left, c.right, c.x);
    CHECK(solved(text, c.left, c.right, c.x) == c.expected);
  }
}

TEST_CASE("a formula shows where there is no solution, or does not") {
  const struct {
    std::string left;
    bool shows;
  } cases[] = {{"exp(x)", true},   {"tanh(x)", true},  {"2**x", true},     {"x**1.5", true},  {"sqrt(x)", false},
               {"asin(x)", false}, {"acos(x)", false}, {"atan(x)", false}, {"x**0.5", false}, {"exp(sqrt(x))", false}};
  for (const auto& c : cases) {
    ExpressionText text;
    const auto solution = solve(text.pool, text(c.left), text("y"), text("x"));
    CAPTURE(c.left);
    REQUIRE(solution);
    CHECK(solution->shows_violation == c.shows);
  }
}

TEST_CASE("a tower of inverses is solved in linear time") {
  ExpressionText text;
  const Expr x = text.variable("x"), y = text.variable("y");
  Expr tower = x;
  for (int i = 0; i < 20000; ++i) tower = text.pool.call(Function::Sinh, text.pool.add(tower, text.pool.number(1)));
  CHECK(solve(text.pool, tower, y, x));
}
