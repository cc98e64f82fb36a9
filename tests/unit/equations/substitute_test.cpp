#include "fmugen/equations/substitute.h"

#include <catch2/catch.hpp>

#include "tests/support/expression_text.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;

TEST_CASE("one variable is replaced") {
  const struct {
    std::string input, x, expected;
  } cases[] = {
      {"x + y", "2*y", "3*y"},
      {"x*z/x", "3", "3*z*0.3333333333333333"},
      {"der(x)", "2*y", "der(2*y)"},
      {"der(x) + y", "3", "y"},
      {"sin(x)*x", "0", "0"},
      {"if x < 1 then y else z", "0", "y"},
      {"pre(x) + delay(x, 1)", "y", "pre(y) + delay(y, 1)"},
      {"y + z", "0", "y + z"},
      {"x + x*x", "x + 1", "x + 1 + (x + 1)**2"},  // replacements are not searched again
  };
  for (const auto& c : cases) {
    ExpressionText text;
    const Expr x = text.variable("x");
    CHECK(text.text(substitute(text.pool, text(c.input), x->variable(), text(c.x))) == text.text(text(c.expected)));
  }
}

TEST_CASE("many variables are replaced at once") {
  ExpressionText text;
  const Expr x = text.variable("x"), y = text.variable("y");
  text.variable("z");
  const Expr swap[] = {y, x, nullptr};
  Substitution substitution(text.pool, swap);
  CHECK(text.text(substitution(text("x - 2*y + z"))) == "y - 2*x + z");
  CHECK(text.text(substitution(text("x/w"))) == "y/w");  // beyond the end: stays
}

TEST_CASE("derivatives and time can be replaced as a whole") {
  ExpressionText text;
  const Expr rate = text.variable("xdot"), der = text("der(x)"), zero = text("0");
  const auto replaced = substitute(text.pool, text("der(x) + x*time"), [&](Expr e) -> Expr {
    if (e == der) return rate;
    return e->op() == Op::Time ? zero : nullptr;
  });
  CHECK(replaced == rate);
}

TEST_CASE("substitution needs no recursion") {
  ExpressionText text;
  Expr deep = text.variable("x"), expected = text.variable("y");
  for (int i = 0; i < 100000; ++i) deep = text.pool.call(Function::Sin, deep);
  for (int i = 0; i < 100000; ++i) expected = text.pool.call(Function::Sin, expected);
  CHECK(substitute(text.pool, deep, text.variable("x")->variable(), text.variable("y")) == expected);
}
