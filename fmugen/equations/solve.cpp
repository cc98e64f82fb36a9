// Solving one equation for one unknown.
//
// First as a linear equation, f0 + f1*x = g0 + g1*x. If that fails, x must stand on one side; then operations are taken
// off that side and undone on the other, until the rest is linear in x:
//
//   3*exp(2*x) - a = b    ->    3*exp(2*x) = b + a    ->    exp(2*x) = (b + a)/3    ->    2*x = ln((b + a)/3)
//
// Only operations with a unique inverse are undone; what the inverse needs (a divisor that is not zero, an argument in
// the range of the function) is reported with the solution. x*abs(x), sin(x) and even powers are left to iteration.
#include "fmugen/equations/solve.h"

#include <cmath>

#include "fmugen/equations/linear.h"

namespace fmugen::equations {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Whether e cannot be negative, whatever its variables are. Seen without going deep.
bool is_square(Expr e) {
  if (e->op() == Op::Pow) return e->child(1)->is_number() && std::fmod(e->child(1)->number(), 2) == 0;
  if (e->op() != Op::Call) return false;
  const Function f = e->function();
  return f == Function::Sqrt || f == Function::Exp || f == Function::Abs || f == Function::Cosh;
}

bool starts_negative(Expr e) {
  if (e->op() == Op::Add || e->op() == Op::Mul) e = e->child(0);
  if (e->op() == Op::Mul) e = e->child(0);
  return e->is_number() && e->number() < 0;
}

class Solver {
 public:
  Solver(ExprPool& pool, Expr x) : pool_(pool), decompose_(pool, x) {}

  std::optional<Solution> solve(Expr left, Expr right) {
    const auto f = decompose_(left), g = decompose_(right);
    bool solved = false;
    if (f && g) {
      solved = solution_.linear = linear(*f, *g);
    } else {
      const bool on_left = decompose_.occurs(left), on_right = decompose_.occurs(right);
      if (on_left != on_right) solved = on_left ? peel(left, right) : peel(right, left);
    }
    if (!solved) return std::nullopt;
    return std::move(solution_);
  }

 private:
  // a - b, term by term: -(c + d) reads better as - c - d.
  Expr difference(Expr a, Expr b) {
    std::vector<Expr> terms{a};
    if (b->op() == Op::Add)
      for (const Expr term : b->children()) terms.push_back(pool_.neg(term));
    else
      terms.push_back(pool_.neg(b));
    return pool_.add(terms);
  }

  // a/b, where b = c/d gives a*d/c: i = v/R has the slope 1/R, and its solution reads i*R.
  Expr quotient(Expr a, Expr b) {
    std::vector<Expr> factors{a}, below;
    for (const Expr f : b->op() == Op::Mul ? b->children() : std::span<const Expr>(&b, 1)) {
      const bool reciprocal = f->op() == Op::Pow && f->child(1)->is_number() && f->child(1)->number() < 0;
      if (reciprocal)
        factors.push_back(pool_.pow(f->child(0), pool_.neg(f->child(1))));
      else
        below.push_back(f);
    }
    return below.empty() ? pool_.mul(factors) : pool_.div(pool_.mul(factors), pool_.mul(below));
  }

  bool linear(const LinearForm& f, const LinearForm& g) {
    Expr slope = difference(f.slope, g.slope), rest = difference(g.constant, f.constant);
    if (starts_negative(slope)) {
      slope = difference(g.slope, f.slope);
      rest = difference(f.constant, g.constant);
    }
    if (!divide_by(slope)) return false;
    solution_.value = quotient(rest, slope);
    return true;
  }

  // Notes a divisor; false if it is 0.
  bool divide_by(Expr divisor) {
    if (divisor->is_number()) return !divisor->is_number(0);
    solution_.divisors.push_back(divisor);
    return true;
  }

  // Notes a condition; false if it cannot hold.
  bool require(Expr condition) {
    if (condition->op() == Op::Boolean) return condition->boolean();
    solution_.conditions.push_back(condition);
    return true;
  }
  bool require_positive(Expr h) { return require(pool_.relation(Op::Less, pool_.number(0), h)); }
  bool require_not_negative(Expr h, bool shown) {
    if (is_square(h)) return true;
    const std::size_t before = solution_.conditions.size();
    const bool possible = require(pool_.relation(Op::LessEqual, pool_.number(0), h));
    if (solution_.conditions.size() > before && !shown) solution_.shows_violation = false;
    return possible;
  }
  bool require_between(Op op, double from, Expr h, double to) {
    if (op == Op::LessEqual || to == kPi / 2) solution_.shows_violation = false;  // sin, cos and tan take any number
    return require(pool_.relation(op, pool_.number(from), h)) && require(pool_.relation(op, h, pool_.number(to)));
  }

  // Solves outer = h, x being in outer only. Each round takes one operation off.
  bool peel(Expr outer, Expr h) {
    for (;;) {
      if (const auto form = decompose_(outer)) return linear(*form, {h, pool_.number(0)});
      Expr inner = nullptr;
      std::vector<Expr> others;
      for (const Expr child : outer->children()) {
        if (!decompose_.occurs(child)) {
          others.push_back(child);
        } else {
          if (inner) return false;
          inner = child;
        }
      }
      switch (outer->op()) {
        case Op::Add: h = difference(h, pool_.add(others)); break;
        case Op::Mul: {
          const Expr factor = pool_.mul(others);
          if (!divide_by(factor)) return false;
          h = quotient(h, factor);
          break;
        }
        case Op::Pow:
          if (!invert_power(outer, inner, h)) return false;
          break;
        case Op::Call:
          if (!invert_function(outer->function(), h)) return false;
          break;
        case Op::NoEvent: break;
        default: return false;
      }
      outer = inner;
    }
  }

  bool invert_power(Expr outer, Expr inner, Expr& h) {
    const Expr base = outer->child(0), exponent = outer->child(1);
    if (inner == exponent) {  // c**f = h
      if (!base->is_number() || base->number() <= 0 || base->number() == 1 || !require_positive(h)) return false;
      h = pool_.div(pool_.call(Function::Ln, h), pool_.call(Function::Ln, base));
      return true;
    }
    if (!exponent->is_number()) return false;
    double k = exponent->number();
    const bool whole = k == std::trunc(k);
    if (whole && std::fmod(k, 2) == 0) return false;
    if (k < 0) {
      if (!divide_by(h)) return false;
      h = quotient(pool_.number(1), h);
      k = -k;
    }
    if (k == 1) return true;
    const Expr root = pool_.number(1 / k);
    if (!whole) {  // defined for base >= 0 only; a power that is no whole number shows it
      if (!require_not_negative(h, 1 / k != std::trunc(1 / k))) return false;
      h = pool_.pow(h, root);
      return true;
    }
    h = pool_.mul(pool_.no_event(pool_.call(Function::Sign, h)), pool_.pow(pool_.call(Function::Abs, h), root));
    return true;
  }

  bool invert_function(Function f, Expr& h) {
    const Expr one = pool_.number(1);
    switch (f) {
      case Function::Exp:
        if (!require_positive(h)) return false;
        h = pool_.call(Function::Ln, h);
        return true;
      case Function::Ln: h = pool_.call(Function::Exp, h); return true;
      case Function::Log10: h = pool_.pow(pool_.number(10), h); return true;
      case Function::Sqrt:
        if (!require_not_negative(h, false)) return false;
        h = pool_.pow(h, pool_.number(2));
        return true;
      case Function::Sinh: {  // odd: the formula for |h| loses no digits
        const Expr size = pool_.call(Function::Abs, h);
        const Expr square = pool_.add(pool_.pow(h, pool_.number(2)), one);
        const Expr value = pool_.call(Function::Ln, pool_.add(size, pool_.call(Function::Sqrt, square)));
        h = pool_.mul(pool_.no_event(pool_.call(Function::Sign, h)), value);
        return true;
      }
      case Function::Tanh:
        if (!require_between(Op::Less, -1, h, 1)) return false;
        h = pool_.div(pool_.call(Function::Ln, pool_.div(pool_.add(one, h), pool_.sub(one, h))), pool_.number(2));
        return true;
      case Function::Asin:
        if (!require_between(Op::LessEqual, -kPi / 2, h, kPi / 2)) return false;
        h = pool_.call(Function::Sin, h);
        return true;
      case Function::Acos:
        if (!require_between(Op::LessEqual, 0, h, kPi)) return false;
        h = pool_.call(Function::Cos, h);
        return true;
      case Function::Atan:
        if (!require_between(Op::Less, -kPi / 2, h, kPi / 2)) return false;
        h = pool_.call(Function::Tan, h);
        return true;
      case Function::Sin:
      case Function::Cos:
      case Function::Tan:
      case Function::Atan2:
      case Function::Cosh:
      case Function::Abs:
      case Function::Sign:
      case Function::Int:
      case Function::Mod:
      case Function::Min:
      case Function::Max:
      case Function::Floor:
      case Function::Ceil: return false;  // more than one argument has the same value
    }
    return false;
  }

  ExprPool& pool_;
  LinearDecomposition decompose_;
  Solution solution_;
};

}  // namespace

std::optional<Solution> solve(ExprPool& pool, Expr left, Expr right, Expr x) {
  return Solver(pool, x).solve(left, right);
}

}  // namespace fmugen::equations
