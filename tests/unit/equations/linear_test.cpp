#include "fmugen/equations/linear.h"

#include <catch2/catch.hpp>

#include "tests/support/expression_text.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;

TEST_CASE("linear decomposition") {
  const struct {
    std::string input, constant, slope;
  } cases[] = {
      {"x", "0", "1"},
      {"a", "a", "0"},
      {"(a + b*x) + (c + d*x)", "a + c", "b + d"},
      {"a + x + c*(d + 2*x)", "a + c*d", "1 + 2*c"},
      {"(a + x)/b", "a/b", "1/b"},
      {"a - 3*x", "a", "-3"},
      {"x/3", "0", "0.3333333333333333"},
      {"if a < b then 2*x else c", "if a < b then 0 else c", "if a < b then 2 else 0"},
      {"noevent(sin(a) + b*x)", "noevent(sin(a))", "b"},
      {"x - (x + a)", "-a", "0"},
      {"b*(x - (x + a))", "-b*a", "0"},
      {"sin(x - (x + a))", "sin(-a)", "0"},
      {"der(x) + 2*x", "der(x)", "2"},
      {"pre(x)*x", "0", "pre(x)"},
      {"delay(x, p)*x + delay(x**2, 1)", "delay(x**2, 1)", "delay(x, p)"},
  };
  for (const auto& c : cases) {
    ExpressionText text;
    const Expr x = text.variable("x");
    const auto form = linear_form(text.pool, text(c.input), x);
    CAPTURE(c.input);
    REQUIRE(form);
    CHECK(text.text(form->constant) == c.constant);
    CHECK(text.text(form->slope) == c.slope);
  }
}

TEST_CASE("what is not linear is refused") {
  ExpressionText text;
  for (const char* input : {"x*x", "x**2", "a/x", "sin(x)", "if x < 1 then x else 2*x", "a**x", "x*(a + x)",
                            "delay(a, x, 9)", "f(x)", "x*abs(x)", "x < 1"}) {
    CAPTURE(input);
    CHECK_FALSE(linear_form(text.pool, text(input), text("x")));
  }
}

TEST_CASE("derivatives are unknowns of their own") {
  ExpressionText text;
  const auto form = linear_form(text.pool, text("c*der(v) - i + v**2"), text("der(v)"));
  REQUIRE(form);
  CHECK(text.text(form->constant) == "-i + v**2");
  CHECK(text.text(form->slope) == "c");
}

TEST_CASE("many unknowns at once") {
  ExpressionText text;
  for (const char* name : {"x", "y", "z", "p"}) text.variable(name);
  const auto unknown = [](Expr leaf) { return leaf->op() != Op::Variable || index(leaf->variable()) < 3; };
  const auto describe = [&](const char* input) -> std::string {
    const auto form = affine_form(text.pool, text(input), unknown);
    if (!form) return "not linear";
    std::string list = text.text(form->constant);
    for (const LinearTerm& term : form->terms) list += "; " + text.text(term.coefficient) + ": " + text.text(term.leaf);
    return list;
  };
  CHECK(describe("z + 2*x - 3 + p*(x - 2*y) + p**2") == "-3 + p**2; p + 2: x; -2*p: y; 1: z");
  CHECK(describe("2*(x + y + 1) - 2*x") == "2; 2: y");
  CHECK(describe("p + sin(p)") == "p + sin(p)");
  CHECK(describe("p*der(x) + x") == "0; 1: x; p: der(x)");
  CHECK(describe("x/p - y/2") == "0; 1/p: x; -0.5: y");
  CHECK(describe("x*y") == "not linear");
  CHECK(describe("sin(x)") == "not linear");
  CHECK(describe("if p < 0 then x else y") == "not linear");
}

TEST_CASE("a long sum is decomposed by all its variables in linear time") {
  ExprPool pool;
  std::vector<Expr> terms;
  for (std::uint32_t i = 0; i < 100000; ++i)
    terms.push_back(pool.mul(pool.number(i % 5 + 1), pool.variable(static_cast<VarId>(i))));
  const auto form = affine_form(pool, pool.add(terms), [](Expr) { return true; });
  REQUIRE(form);
  CHECK(form->terms.size() == 100000);
  CHECK(form->terms[7].coefficient == pool.number(3));
}
