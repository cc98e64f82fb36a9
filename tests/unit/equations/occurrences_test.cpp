#include "fmugen/equations/occurrences.h"

#include <catch2/catch.hpp>

#include "tests/support/expression_text.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;

namespace {

std::string leaves(ExpressionText& text, const char* input) {
  std::vector<Expr> found;
  Occurrences().leaves(text(input), found);
  std::string list;
  for (const Expr leaf : found) list += (list.empty() ? "" : " ") + text.text(leaf);
  return list;
}

std::string variables(ExpressionText& text, const char* input) {
  std::vector<VarId> found;
  Occurrences().variables(text(input), found);
  std::string list;
  for (const VarId v : found) list += (list.empty() ? "" : " ") + text.text(text.pool.variable(v));
  return list;
}

}  // namespace

TEST_CASE("leaves appear once, in order") {
  ExpressionText text;
  CHECK(leaves(text, "y*x + sin(x) + der(x) - der(x)*y") == "y x der(x)");
  CHECK(leaves(text, "pre(k) + new(m) + delay(x*y, 1)") == "pre(k) new(m) delay(x*y, 1)");
  CHECK(leaves(text, "2 + time") == "");
  CHECK(leaves(text, "if a < b then c else a") == "a b c");
}

TEST_CASE("variables are found everywhere") {
  ExpressionText text;
  CHECK(variables(text, "der(x) + pre(k) + delay(u*v, p) + x") == "x k u v p");
}

TEST_CASE("what is past or to come is not present") {
  ExpressionText text;
  std::vector<VarId> found;
  Occurrences().present(text("der(x) + pre(k) + new(m) + delay(u*v, p*q) + y*sin(x)"), found);
  std::string list;
  for (const VarId v : found) list += text.text(text.pool.variable(v)) + " ";
  CHECK(list == "m p q y x ");
}

TEST_CASE("containing a leaf") {
  ExpressionText text;
  CHECK(contains(text("sin(x)*y"), text("x")));
  CHECK_FALSE(contains(text("der(x)*y"), text("x")));
  CHECK(contains(text("der(x)*y"), text("der(x)")));
}

TEST_CASE("a finder serves many expressions") {
  ExpressionText text;
  Occurrences occurrences;
  Expr shared = text("x");
  for (int i = 0; i < 1000; ++i) {
    shared = text.pool.call(Function::Atan2, std::vector<Expr>{shared, text.pool.call(Function::Cos, shared)});
    std::vector<Expr> found;
    occurrences.leaves(shared, found);
    REQUIRE(found == std::vector<Expr>{text("x")});
  }
}
