#include "fmugen/equations/expr.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/equations/letters.h"

using namespace fmugen::equations;

TEST_CASE("equal expressions are one node") {
  Letters l;
  const Expr x = l.v('x'), y = l.v('y');
  CHECK(l.pool.add(x, y) == l.pool.add(x, y));
  CHECK(l.pool.add(x, y) != l.pool.add(y, x));  // the written order is kept
  CHECK(l.pool.number(2) == l.pool.number(2));
  CHECK(l.pool.number(-0.0) == l.pool.number(0.0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(l.pool.number(nan) == l.pool.number(-nan));
  CHECK(l.pool.call(Function::Sin, x) != l.pool.call(Function::Cos, x));
  const Expr arguments[] = {x};
  CHECK(l.pool.user_call(1, 0, arguments) != l.pool.user_call(1, 1, arguments));
  CHECK(l.pool.user_call(1, 2, arguments)->callee() == 1);
  CHECK(l.pool.user_call(1, 2, arguments)->result() == 2);
  CHECK(l.pool.table_call(1, arguments) != l.pool.user_call(1, 0, arguments));
}

TEST_CASE("constructors normalise lightly") {
  Letters l;
  ExprPool& p = l.pool;
  const Expr x = l.v('x'), y = l.v('y'), z = l.v('z');
  const struct {
    Expr built;
    std::string expected;
  } cases[] = {
      // sums
      {l.sum({x, l.product({l.n(2), y}), l.n(3), p.neg(x), y, l.n(-1)}), "3*y + 2"},
      {l.sum({l.sum({x, y}), l.sum({z, x})}), "2*x + y + z"},
      {p.sub(x, x), "0"},
      {p.sub(x, p.add(y, z)), "x - (y + z)"},
      {p.add(x, l.n(0)), "x"},
      {l.sum({l.n(1), x, l.n(2)}), "3 + x"},
      {l.sum({p.neg(p.add(x, y)), p.mul(l.n(2), p.add(x, y)), z}), "x + y + z"},
      {l.sum({p.div(x, l.n(2)), p.div(x, l.n(2))}), "x"},
      {l.sum({l.product({x, y}), l.product({l.n(2), x, y})}), "3*x*y"},
      {p.neg(p.neg(x)), "x"},
      // products
      {l.product({l.n(2), x, y, x, p.pow(l.n(3), l.n(-1))}), "0.6666666666666666*x**2*y"},
      {p.div(p.div(l.product({l.n(2), x, y, x}), l.n(3)), l.n(5)), "2*x**2*y/15"},
      {l.product({x, l.n(2), y, l.n(3)}), "6*x*y"},
      {l.product({l.n(0), x, y}), "0"},
      {p.mul(l.n(1), x), "x"},
      {p.div(x, x), "x/x"},
      {p.div(l.n(1), p.div(l.n(1), x)), "1/(1/x)"},
      {p.div(p.mul(x, x), x), "x**2/x"},
      {p.div(p.div(x, y), y), "x/y**2"},
      {p.div(x, p.mul(y, z)), "x/(y*z)"},
      {p.div(p.div(x, y), z), "x/y/z"},
      {p.div(x, l.n(-3)), "-x/3"},
      {p.div(p.mul(l.n(6), x), l.n(3)), "2*x"},
      {p.div(l.n(1), l.n(4)), "0.25"},
      {p.mul(l.n(2), p.add(x, y)), "2*(x + y)"},
      {p.neg(p.add(x, y)), "-(x + y)"},
      // powers
      {p.pow(x, l.n(0)), "1"},
      {p.pow(x, l.n(1)), "x"},
      {p.pow(l.n(1), x), "1"},
      {p.pow(l.n(2), l.n(10)), "1024"},
      {p.pow(p.pow(x, l.n(2)), l.n(3)), "x**6"},
      {p.pow(p.pow(x, l.n(0.5)), l.n(2)), "(x**0.5)**2"},
      {p.pow(p.pow(x, l.n(-1)), l.n(-2)), "1/(1/x**2)"},
      {p.mul(p.pow(x, l.n(0.5)), p.pow(x, l.n(0.5))), "(x**0.5)**2"},
      // what does not fold
      {p.div(l.n(1), l.n(0)), "1/0"},
      {p.div(l.n(0), l.n(0)), "0/0"},
      {p.div(x, l.n(0)), "x/0"},
      {p.mul(l.n(0), p.div(x, l.n(0))), "0/0"},
      {p.mul(l.n(1e300), l.n(1e300)), "1E300*1E300"},
      {p.mul(l.n(1e-300), l.n(1e-300)), "1E-300*1E-300"},
      {p.call(Function::Ln, l.n(-1)), "ln(-1)"},
      {p.pow(l.n(-8), l.n(0.5)), "(-8)**0.5"},
      // functions and operators of time
      {p.call(Function::Sqrt, l.n(4)), "2"},
      {l.call(Function::Max, {l.n(4), l.n(7), l.n(5)}), "7"},
      {l.call(Function::Max, {x}), "x"},
      {l.call(Function::Mod, {l.n(-7), l.n(3)}), "-1"},
      {p.call(Function::Int, l.n(-1.5)), "-1"},
      {p.der(l.n(3)), "0"},
      {p.der(p.add(x, y)), "der(x + y)"},
      {p.no_event(x), "x"},
      {l.delay({l.n(3), x}), "3"},
      // conditions
      {l.choose(p.boolean(false), x, y), "y"},
      {l.choose(l.less(x, y), z, z), "z"},
      {l.less(l.n(1), l.n(2)), "true"},
      {p.relation(Op::Unequal, p.boolean(true), p.boolean(true)), "false"},
      {l.logical(Op::And, {x, p.boolean(true), l.logical(Op::And, {y, x})}), "x and y"},
      {l.logical(Op::And, {x, p.boolean(false)}), "false"},
      {l.logical(Op::Or, {x, p.boolean(true)}), "true"},
      {l.logical(Op::Or, {}), "false"},
      {p.negation(p.negation(x)), "x"},
      {p.negation(p.boolean(true)), "false"},
  };
  for (const auto& c : cases) CHECK(Letters::text(c.built) == c.expected);
}

TEST_CASE("nodes know what is below them") {
  Letters l;
  const Expr x = l.v('x');
  const Expr e = l.sum({l.pool.der(x), l.pool.time(), l.n(1)});
  CHECK(e->has_der());
  CHECK(e->has_time());
  CHECK(e->has_variable());
  CHECK(e->may_contain(Letters::id('x')));
  CHECK_FALSE(l.pool.call(Function::Sin, l.pool.time())->has_variable());
  CHECK_FALSE(l.n(1)->may_contain(Letters::id('x')));
}

TEST_CASE("rebuilding normalises again and keeps what did not change") {
  Letters l;
  const Expr x = l.v('x'), y = l.v('y');
  const Expr third = l.pool.div(x, l.n(3));
  CHECK(l.pool.rebuild(third, third->children()) == third);
  const Expr difference = l.pool.sub(x, y);
  const Expr children[] = {y, l.pool.neg(y)};
  CHECK(l.pool.rebuild(difference, children) == l.n(0));
}

TEST_CASE("a pool can be moved") {
  Letters l;
  const Expr e = l.pool.add(l.v('x'), l.v('y'));
  ExprPool moved = std::move(l.pool);
  CHECK(moved.add(moved.variable(Letters::id('x')), moved.variable(Letters::id('y'))) == e);
}

TEST_CASE("long operand lists are collected") {
  ExprPool pool;
  constexpr std::uint32_t kVariables = 60000;
  std::vector<Expr> terms;
  for (std::uint32_t i = 0; i < 2 * kVariables; ++i) terms.push_back(pool.variable(static_cast<VarId>(i % kVariables)));
  const Expr sum = pool.add(terms);
  REQUIRE(sum->size() == kVariables);
  CHECK(sum->child(0) == pool.mul(pool.number(2), pool.variable(VarId{0})));
  const Expr product = pool.mul(terms);
  REQUIRE(product->size() == kVariables);
  CHECK(product->child(7) == pool.pow(pool.variable(VarId{7}), pool.number(2)));
  CHECK(pool.add(terms) == sum);
  const Expr all = pool.logical(Op::And, terms);
  CHECK(all->size() == kVariables);
}

TEST_CASE("products do not grow without bound by being multiplied") {
  ExprPool pool;
  Expr product = pool.variable(VarId{0});
  for (std::uint32_t i = 1; i < 20000; ++i) product = pool.mul(product, pool.variable(static_cast<VarId>(i)));
  CHECK(pool.bytes() < 20'000'000);
  CHECK(pool.neg(pool.neg(product)) == product);
  CHECK(pool.sub(product, product) == pool.number(0));
  CHECK(pool.add(product, product) == pool.mul(pool.number(2), product));
}

TEST_CASE("reciprocals become denominators or numbers") {
  Letters l;
  const Expr x = l.v('x');
  CHECK(l.product({x, l.pool.reciprocal(l.n(3))}) == l.pool.div(x, l.n(3)));
  CHECK(l.product({l.n(1), l.pool.reciprocal(l.n(4))}) == l.n(0.25));
  CHECK(l.product({l.n(2), l.pool.reciprocal(x)}) == l.pool.div(l.n(2), x));
}

TEST_CASE("many nodes") {
  ExprPool pool;
  std::vector<Expr> made;
  for (std::uint32_t i = 0; i < 200000; ++i)
    made.push_back(pool.mul(pool.variable(static_cast<VarId>(i)), pool.variable(static_cast<VarId>(i / 3))));
  const std::size_t nodes = pool.nodes();
  for (std::uint32_t i = 0; i < 200000; ++i)
    if (made[i] != pool.mul(pool.variable(static_cast<VarId>(i)), pool.variable(static_cast<VarId>(i / 3)))) FAIL(i);
  CHECK(pool.nodes() == nodes);
  CHECK(pool.bytes() < nodes * 80);
}

TEST_CASE("functions are found by name") {
  Function f{};
  REQUIRE(function_named("tanh", f));
  CHECK(f == Function::Tanh);
  REQUIRE(function_named("log", f));
  CHECK(f == Function::Log10);
  CHECK_FALSE(function_named("gamma", f));
  CHECK(arity(Function::Atan2) == 2);
  CHECK(arity(Function::Min) == -1);
}
