// Properties of expressions that hold whatever the expression.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "fmugen/equations/differentiate.h"
#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/linear.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/simplify.h"
#include "fmugen/equations/solve.h"
#include "fmugen/equations/substitute.h"
#include "tests/support/random_expression.h"

using namespace fmugen::equations;
using fmugen::tests::ExpressionText;
using fmugen::tests::Mixture;
using fmugen::tests::near;
using fmugen::tests::RandomExpression;

namespace {

constexpr unsigned kRounds = 3000;

// Values that depend on nothing but the names, so that they are the same before and after a change.
struct Point {
  std::vector<double> x, past;  // what is delayed had the values `past`
  Values values;

  Point(RandomExpression& random, std::size_t variables) {
    for (std::size_t i = 0; i < variables; ++i) x.push_back(random.value());
    past = x;
    const double shift = random.value();
    values.variable = [this](VarId v) { return x[index(v)]; };
    values.time = random.value();
    values.function = [](std::uint32_t, std::uint32_t, std::span<const double> a) { return a[0] + 2 * a[1]; };
    values.table = [](std::uint32_t, std::span<const double> a) { return 3 * a[0]; };
    values.other = [this, shift](Expr e) {
      if (e->op() == Op::Delay) {
        Values then = values;
        then.variable = [this](VarId v) { return past[index(v)]; };
        return evaluate(e->child(0), then);
      }
      return shift + 0.1 * index(e->child(0)->variable()) + static_cast<int>(e->op());
    };
  }
  Point(const Point&) = delete;
  double operator()(Expr e) const { return evaluate(e, values); }
};

// Has every part of e a value?
bool defined(const Point& point, Expr e) {
  bool all = true;
  Evaluator value(point.values);
  post_order(
      e, [done = NodeMap<bool>()](Expr node) mutable { return std::exchange(done[node], true); },
      [&](Expr node) { all = all && !std::isnan(value(node)); });
  return all;
}

// Is the value of e safe from rounding: does it stay nearly the same when every variable is changed a little? Near a
// jump or a pole, reordered operations may legitimately give another result.
bool well_conditioned(Point& point, Expr e) {
  const double value = point(e);
  if (!std::isfinite(value) || std::fabs(value) > 1e6) return false;
  for (double& x : point.x) {
    const double kept = x;
    bool steady = true;
    for (const double change : {-1e-7, 1e-7}) {
      x = kept * (1 + change);
      steady = steady && std::fabs(point(e) - value) < 1e-3 * std::max(1.0, std::fabs(value));
    }
    x = kept;
    if (!steady) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("printing and parsing gives the same node") {
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed);
    const Expr e = seed % 4 ? random.real(4) : random.condition(4);
    const std::string printed = text.text(e);
    if (text(printed) != e) {
      CAPTURE(seed, printed, text.text(text(printed)));
      FAIL();
    }
  }
}

TEST_CASE("a constructor given the operands of a node gives the node") {
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed);
    const Expr e = random.real(5);
    post_order(
        e, [done = NodeMap<bool>()](Expr node) mutable { return std::exchange(done[node], true); },
        [&](Expr node) {
          if (node->size() == 0) return;
          const bool denominator = node->op() == Op::Pow && node->child(0)->is_number();  // of x/3: folded on its own
          Expr again = node;
          if (node->op() == Op::Add) again = text.pool.add(node->children());
          if (node->op() == Op::Mul) again = text.pool.mul(node->children());
          if (node->op() == Op::Pow && !denominator) again = text.pool.pow(node->child(0), node->child(1));
          if (node->op() == Op::Call) again = text.pool.call(node->function(), node->children());
          if (node->op() == Op::And || node->op() == Op::Or) again = text.pool.logical(node->op(), node->children());
          if (again != node) {
            CAPTURE(seed, text.text(node), text.text(again));
            FAIL();
          }
        });
  }
}

TEST_CASE("simplification keeps the value and is done in one go") {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed);
    const Expr e = random.real(4);
    const Expr simple = simplify(text.pool, e);
    CAPTURE(seed, text.text(e), text.text(simple));
    const Expr twice = simplify(text.pool, simple);
    if (twice != simple) {
      CAPTURE(text.text(twice));
      FAIL();
    }
    for (int i = 0; i < 3; ++i) {
      Point point(random, text.variables());
      if (!defined(point, e) || !well_conditioned(point, e)) continue;
      ++compared;
      if (!near(point(e), point(simple), 1e-6)) {
        CAPTURE(point(e), point(simple));
        FAIL();
      }
    }
  }
  CHECK(compared > kRounds);
}

TEST_CASE("substitution commutes with evaluation") {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed, {true, true, false});
    const Expr e = random.real(4), x = random.variable(), replacement = random.real(2);
    const Expr replaced = substitute(text.pool, e, x->variable(), replacement);
    Point point(random, text.variables());
    const double after = point(replaced);
    const bool well = well_conditioned(point, replaced);
    point.x[index(x->variable())] = point(replacement);
    if (!well || !std::isfinite(point(replacement)) || !well_conditioned(point, e)) continue;
    ++compared;
    CAPTURE(seed, text.text(e), text.text(x), text.text(replacement));
    if (!near(point(e), after, 1e-6)) FAIL();
  }
  CHECK(compared > kRounds / 5);
}

TEST_CASE("derivatives agree with difference quotients") {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed, {true, true, false});
    const Expr e = random.real(3), x = random.variable();
    const Derivative d = partial_derivative(text.pool, e, x);
    REQUIRE(d);
    Point point(random, text.variables());
    const double h = 1e-5, value = point(d.value), kept = point.x[index(x->variable())];
    const double middle = point(e);
    point.x[index(x->variable())] = kept + h;
    const double up = point(e);
    point.x[index(x->variable())] = kept - h;
    const double down = point(e);
    const double forward = (up - middle) / h, backward = (middle - down) / h, quotient = (up - down) / (2 * h);
    const double size = std::max({1.0, std::fabs(quotient)});
    // Only where the quotient itself is trustworthy: no kink, no strong curvature, no loss of digits.
    if (!std::isfinite(quotient) || !std::isfinite(value) || std::fabs(middle) > 1e4) continue;
    if (std::fabs(forward - backward) > 1e-3 * size) continue;
    ++compared;
    CAPTURE(seed, text.text(e), text.text(x), text.text(d.value), value, quotient);
    if (std::fabs(value - quotient) > 1e-3 * size) FAIL();
  }
  CHECK(compared > kRounds / 3);
}

TEST_CASE("the total derivative is the sum of the partial ones") {
  for (unsigned seed = 0; seed < kRounds / 3; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed, {true, true, false});
    const Expr e = random.real(3);
    const Derivative total = total_derivative(text.pool, e, [](VarId v) { return index(v) == 0; });
    REQUIRE(total);
    Point point(random, text.variables());
    point.values.other = [](Expr der) { return 0.25 + index(der->child(0)->variable()); };
    std::vector<Expr> leaves;
    Occurrences().leaves(e, leaves);
    double sum = 0;
    for (const Expr leaf : leaves)
      if (index(leaf->variable()) != 0)
        sum += point(partial_derivative(text.pool, e, leaf).value) * (0.25 + index(leaf->variable()));
    const Expr t = text.variable("t");  // stands for the time, to differentiate by it
    const Expr frozen = substitute(text.pool, e, [&](Expr leaf) { return leaf->op() == Op::Time ? t : nullptr; });
    point.x.resize(text.variables());
    point.x[index(t->variable())] = point.values.time;
    sum += point(partial_derivative(text.pool, frozen, t).value);
    const double value = point(total.value);
    if (std::fabs(value) > 1e6) continue;
    CAPTURE(seed, text.text(e), text.text(total.value), value, sum);
    if (!near(value, sum, 1e-6)) FAIL();
  }
}

TEST_CASE("linear decomposition reconstructs") {
  unsigned linear = 0;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed);
    const Expr e = random.real(3), x = random.variable();
    const auto form = linear_form(text.pool, e, x);
    if (!form) continue;
    linear += contains(e, x);
    CAPTURE(seed, text.text(e), text.text(x), text.text(form->constant), text.text(form->slope));
    CHECK_FALSE(contains(form->constant, x));
    CHECK_FALSE(contains(form->slope, x));
    Point point(random, text.variables());
    const Expr again = text.pool.add(form->constant, text.pool.mul(form->slope, x));
    if (!well_conditioned(point, e)) continue;
    if (!near(point(e), point(again), 1e-6)) FAIL();
  }
  CHECK(linear > kRounds / 20);
}

TEST_CASE("decomposition by all unknowns agrees with that by one") {
  unsigned found = 0;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed, {false, false, false});
    const Expr e = random.real(2), x = random.variable();
    const auto all = affine_form(text.pool, e, [&](Expr leaf) { return leaf->variable() >= x->variable(); });
    if (!all) continue;
    CAPTURE(seed, text.text(e), text.text(x));
    std::vector<Expr> terms{all->constant};
    for (const LinearTerm& term : all->terms) terms.push_back(text.pool.mul(term.coefficient, term.leaf));
    Point point(random, text.variables());
    if (!well_conditioned(point, e)) continue;
    found += all->terms.size() > 1;
    if (!near(point(e), point(text.pool.add(terms)), 1e-6)) FAIL();
  }
  CHECK(found > kRounds / 50);
}

TEST_CASE("a solution solves its equation") {
  unsigned solved = 0;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed);
    const Expr left = random.real(3), right = random.real(1), x = random.variable();
    const auto solution = solve(text.pool, left, right, x);
    if (!solution) continue;
    CAPTURE(seed, text.text(left), text.text(right), text.text(x), text.text(solution->value));
    CHECK_FALSE(contains(solution->value, x));
    Point point(random, text.variables());
    bool valid = well_conditioned(point, solution->value);
    for (const Expr divisor : solution->divisors) valid = valid && std::fabs(point(divisor)) > 1e-6;
    for (const Expr condition : solution->conditions) valid = valid && point(condition) != 0;
    if (!valid) continue;
    point.x[index(x->variable())] = point(solution->value);
    if (!well_conditioned(point, left) || !well_conditioned(point, right)) continue;
    ++solved;
    if (!near(point(left), point(right), 1e-6)) {
      CAPTURE(point(left), point(right));
      FAIL();
    }
  }
  CHECK(solved > kRounds / 20);
}

TEST_CASE("occurrences are found once") {
  for (unsigned seed = 0; seed < kRounds / 3; ++seed) {
    ExpressionText text;
    RandomExpression random(text, seed);
    const Expr e = random.real(4);
    Occurrences occurrences;
    std::vector<VarId> variables;
    occurrences.variables(e, variables);
    CHECK(std::set<VarId>(variables.begin(), variables.end()).size() == variables.size());
    for (const VarId v : variables) CHECK(e->may_contain(v));
    std::vector<Expr> leaves;
    occurrences.leaves(e, leaves);
    CHECK(std::set<Expr>(leaves.begin(), leaves.end()).size() == leaves.size());
  }
}
