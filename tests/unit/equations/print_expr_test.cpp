#include <catch2/catch.hpp>
#include <cstdlib>

#include "fmugen/equations/print.h"
#include "tests/unit/equations/letters.h"

using namespace fmugen::equations;

TEST_CASE("expressions print with few parentheses") {
  Letters l;
  ExprPool& p = l.pool;
  const Expr x = l.v('x'), y = l.v('y'), z = l.v('z');
  const Expr arguments[] = {x, p.add(y, l.n(1))};
  const struct {
    Expr built;
    std::string expected;
  } cases[] = {
      {p.sub(x, p.mul(l.n(2), y)), "x - 2*y"},
      {p.sub(p.neg(x), l.n(3)), "-x - 3"},
      {p.mul(p.neg(x), y), "-x*y"},
      {p.mul(p.add(x, y), p.sub(x, y)), "(x + y)*(x - y)"},
      {p.div(l.n(-1), x), "-1/x"},
      {p.div(l.n(2), x), "2/x"},
      {p.pow(p.neg(x), l.n(2)), "(-x)**2"},
      {p.neg(p.pow(x, l.n(2))), "-x**2"},
      {p.pow(x, p.neg(y)), "x**(-y)"},
      {p.pow(p.pow(x, y), z), "(x**y)**z"},
      {p.pow(x, p.pow(y, z)), "x**(y**z)"},
      {p.div(x, p.pow(y, l.n(0.5))), "x/y**0.5"},
      {p.div(p.add(x, y), p.sub(x, l.n(2))), "(x + y)/(x - 2)"},
      {p.call(Function::Sin, p.add(x, y)), "sin(x + y)"},
      {l.call(Function::Atan2, {x, y}), "atan2(x, y)"},
      {l.choose(l.less(x, y), x, l.choose(l.less(y, z), y, z)), "if x < y then x else if y < z then y else z"},
      {l.choose(l.less(x, y), l.choose(l.less(y, z), y, z), x), "if x < y then (if y < z then y else z) else x"},
      {p.add(l.n(1), l.choose(l.less(x, y), x, y)), "1 + (if x < y then x else y)"},
      {p.mul(l.n(-2), l.choose(l.less(x, y), x, y)), "-2*(if x < y then x else y)"},
      {l.choose(p.relation(Op::Equal, x, y), x, z), "if (x = y) then x else z"},
      {p.relation(Op::Equal, x, y), "x = y"},
      {p.relation(Op::Unequal, x, l.less(y, z)), "x <> (y < z)"},
      {l.logical(Op::Or, {l.logical(Op::And, {l.less(x, y), z}), p.negation(l.less(y, z))}),
       "x < y and z or not (y < z)"},
      {l.logical(Op::And, {l.logical(Op::Or, {x, y}), p.relation(Op::Equal, y, z)}), "(x or y) and (y = z)"},
      {l.delay({x, l.n(1)}), "delay(x, 1)"},
      {p.add(p.pre(x), p.next(y)), "pre(x) + new(y)"},
      {p.no_event(l.less(x, y)), "noevent(x < y)"},
      {p.der(p.der(x)), "der(der(x))"},
      {p.user_call(3, 0, arguments), "f3(x, y + 1)"},
      {p.user_call(3, 1, arguments), "f3[2](x, y + 1)"},
      {p.table_call(4, {arguments, 1}), "table4(x)"},
      {p.boolean(true), "true"},
      {p.time(), "time"},
  };
  for (const auto& c : cases) CHECK(Letters::text(c.built) == c.expected);
}

TEST_CASE("numbers print short and read back") {
  const struct {
    double value;
    std::string expected;
  } cases[] = {{0, "0"},
               {5, "5"},
               {-2.5, "-2.5"},
               {0.1, "0.1"},
               {100000, "100000"},
               {1e6, "1000000"},
               {1e9, "1E9"},
               {1e-4, "0.0001"},
               {1e-6, "1E-6"},
               {3.5e-9, "3.5E-9"},
               {1.0 / 3, "0.3333333333333333"},
               {1e300, "1E300"},
               {123456789012, "123456789012"},
               {6.02214076e23, "6.02214076E23"},
               {4.9406564584124654e-324, "5E-324"}};
  for (const auto& c : cases) {
    CHECK(number_text(c.value) == c.expected);
    CHECK(std::strtod(c.expected.c_str(), nullptr) == c.value);
  }
}

TEST_CASE("equations print so that their equation sign comes first") {
  Letters l;
  const Expr x = l.v('x'), y = l.v('y'), z = l.v('z');
  FlatEquation e;
  const auto text = [&](Expr left, Expr right) {
    e.left = left;
    e.right = right;
    return to_text(e, Letters::names());
  };
  CHECK(text(x, l.pool.add(y, z)) == "x = y + z");
  CHECK(text(x, l.less(y, z)) == "x = (y < z)");
  CHECK(text(l.less(y, z), x) == "(y < z) = x");
  CHECK(text(x, l.choose(l.less(y, z), y, z)) == "x = if y < z then y else z");
  CHECK(text(l.choose(l.less(y, z), y, z), x) == "(if y < z then y else z) = x");
  CHECK(text(x, l.logical(Op::And, {y, z})) == "x = y and z");
}

TEST_CASE("deep expressions print without recursion, huge ones are cut") {
  Letters l;
  Expr deep = l.v('x');
  for (int i = 0; i < 100000; ++i) deep = l.pool.call(i % 2 ? Function::Sin : Function::Cos, deep);
  CHECK(Letters::text(deep).size() == 500001);
  Expr shared = l.v('x');
  for (int i = 0; i < 60; ++i) shared = l.call(Function::Atan2, {shared, l.pool.call(Function::Cos, shared)});
  const std::string text = Letters::text(shared);
  CHECK(text.substr(text.size() - 4) == " ...");
}
