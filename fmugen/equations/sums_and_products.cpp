// Sums, products and powers in their light normal form.
//
// Problem. Equal expressions should become equal pointers where that costs nothing and surprises nobody, while the text
// of the model stays recognisable and no division by zero disappears.
//
// Method. A sum is a list of terms coefficient*rest, a plain number being a coefficient without rest; terms of equal
// rest are joined at the place of the first. A product is N * f1**k1 * f2**k2 ... / D with numbers N and D; factors of
// equal base are joined if both exponents are integers of one sign, so that x/x stays. N goes first, 1/D last.
//
//   x + 2*y + 3 - x + y - 1   ->  terms (1,x) (2,y) (3,-) (-1,x) (1,y) (-1,-)  ->  3*y + 2
//   2*x*y*x/3/5               ->  N = 2, x**2, y, D = 15                       ->  2*x**2*y/15
//
// Joining costs O(n) for n operands: short lists are scanned, long ones hashed.
#include <algorithm>
#include <cmath>

#include "fmugen/equations/expr_store.h"
#include "fmugen/equations/functions.h"

namespace fmugen::equations {

namespace {

constexpr double kLargestExponent = 9007199254740992.0;  // 2**53: up to here sums of integers are exact

// Longer products are not flattened into others: the chain rule would copy them once for every level of nesting.
constexpr std::size_t kLongProduct = 64;

bool is_integer(double value) { return std::fabs(value) < kLargestExponent && value == std::trunc(value); }

// May `result` stand for an operation on finite numbers? Not if it overflowed or vanished.
bool sound(double result, bool may_be_zero) { return std::isfinite(result) && (result != 0 || may_be_zero); }

// 1/d as it stands in a product.
bool is_denominator(Expr e) {
  return e->op() == Op::Pow && e->child(1)->is_number(-1) && e->child(0)->is_number() && !e->child(0)->is_number(0);
}

bool is_not_finite(Expr base, double exponent) {
  return base->is_number() && (!std::isfinite(base->number()) || (base->number() == 0 && exponent < 0));
}

std::uint32_t hash_of(Expr base, bool reciprocal) { return hash_operands(reciprocal ? 2 : 1, {&base, 1}); }

}  // namespace

// ---- sums -----------------------------------------------------------------------------------------------------------

Expr ExprPool::add(std::span<const Expr> terms) {
  Store& s = *store_;
  std::size_t count = 0;
  for (const Expr t : terms) count += t->op() == Op::Add ? t->size() : 1;
  s.terms.clear();
  s.places.start(count);

  const auto put = [&s](Expr t) {
    Store::Term term{1, t, t, nullptr, 1};
    if (t->is_number())
      term = {t->number(), t, nullptr, nullptr, 0};
    else if (t->op() == Op::Mul && t->child(0)->is_number())
      term = {t->child(0)->number(), t, t->child(1), t->children().data() + 1,
              static_cast<std::uint32_t>(t->size() - 1)};
    else if (t->op() == Op::Mul)
      term = {1, t, nullptr, t->children().data(), static_cast<std::uint32_t>(t->size())};
    const auto joins = [&](std::uint32_t i) {
      const auto a = s.terms[i].rest(), b = term.rest();
      return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin()) &&
             std::isfinite(s.terms[i].coefficient + term.coefficient);
    };
    const std::uint32_t place = s.places.place(hash_operands(0, term.rest()), joins);
    if (place == s.terms.size()) {
      s.terms.push_back(term);
    } else {
      s.terms[place].coefficient += term.coefficient;
      s.terms[place].whole = nullptr;
    }
  };
  for (const Expr t : terms) {
    if (t->op() == Op::Add)
      for (const Expr inner : t->children()) put(inner);
    else
      put(t);
  }

  s.sum.clear();
  bool nested = false;
  for (const Store::Term& term : s.terms) {
    if (term.coefficient == 0) continue;
    Expr e = term.whole;
    if (!e) {
      const auto rest = term.rest();
      s.scaled.assign(1, number(term.coefficient));
      s.scaled.insert(s.scaled.end(), rest.begin(), rest.end());
      e = mul(s.scaled);
    }
    nested = nested || e->op() == Op::Add;  // -1*(a + b) + 2*(a + b)
    s.sum.push_back(e);
  }
  if (s.sum.empty()) return number(0);
  if (s.sum.size() == 1) return s.sum[0];
  if (!nested) return s.intern(Op::Add, 0, s.sum);
  const std::vector<Expr> again = s.sum;
  return add(again);
}

Expr ExprPool::add(Expr a, Expr b) {
  const Expr both[] = {a, b};
  return add(both);
}

Expr ExprPool::sub(Expr a, Expr b) { return add(a, neg(b)); }

Expr ExprPool::neg(Expr a) { return mul(number(-1), a); }

// ---- products -------------------------------------------------------------------------------------------------------

Expr ExprPool::mul(std::span<const Expr> factors) {
  Store& s = *store_;
  std::size_t count = 0, others = 0;
  for (const Expr f : factors) {
    count += f->op() == Op::Mul ? f->size() : 1;
    others += !f->is_number();
  }
  s.factors.clear();
  s.places.start(count);
  double numerator = 1, denominator = 1;
  bool not_finite = false;

  // Multiplies into `total` if the product is sound; a number that does not fit stays a factor.
  const auto fold = [](double& total, double value) {
    const double product = total * value;
    if (!std::isfinite(value) || !sound(product, value == 0 || total == 0)) return false;
    total = product;
    return true;
  };
  const auto put = [&](Expr f) {
    if (f->is_number() && fold(numerator, f->number())) return;
    if (is_denominator(f) && fold(denominator, f->child(0)->number())) return;
    Store::Factor factor{f, 1, f};
    if (f->op() == Op::Pow && f->child(1)->is_number() && is_integer(f->child(1)->number()))
      factor = {f->child(0), f->child(1)->number(), f};
    not_finite = not_finite || is_not_finite(factor.base, factor.exponent);
    const bool reciprocal = factor.exponent < 0;
    const auto joins = [&](std::uint32_t i) {
      const Store::Factor& other = s.factors[i];
      return other.base == factor.base && (other.exponent < 0) == reciprocal && !factor.base->is_number() &&
             is_integer(other.exponent + factor.exponent);
    };
    const std::uint32_t place = s.places.place(hash_of(factor.base, reciprocal), joins);
    if (place == s.factors.size()) {
      s.factors.push_back(factor);
    } else {
      s.factors[place].exponent += factor.exponent;
      s.factors[place].whole = nullptr;
    }
  };
  for (const Expr f : factors) {
    if (f->op() == Op::Mul && (f->size() <= kLongProduct || others == 1))
      for (const Expr inner : f->children()) put(inner);
    else
      put(f);
  }

  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (numerator == 0 && !not_finite) return number(0);
  if (numerator == 0)  // 0*x/0: what is not finite decides
    std::erase_if(s.factors, [](const Store::Factor& f) { return !is_not_finite(f.base, f.exponent); });
  const double quotient = numerator / denominator;
  const bool exact = std::fmod(numerator, denominator) == 0;
  if (denominator != 1 && sound(quotient, numerator == 0) && (s.factors.empty() || exact)) {
    numerator = quotient;
    denominator = 1;
  }
  s.product.clear();
  if (numerator != 1) s.product.push_back(number(numerator));
  for (const Store::Factor& factor : s.factors)
    s.product.push_back(factor.whole ? factor.whole : pow(factor.base, number(factor.exponent)));
  if (denominator != 1) {
    const Expr operands[] = {number(denominator), number(-1)};
    s.product.push_back(s.intern(Op::Pow, 0, operands));
  }
  if (s.product.empty()) return number(1);
  if (s.product.size() == 1) return s.product[0];
  return s.intern(Op::Mul, 0, s.product);
}

Expr ExprPool::mul(Expr a, Expr b) {
  const Expr both[] = {a, b};
  return mul(both);
}

Expr ExprPool::div(Expr a, Expr b) { return mul(a, reciprocal(b)); }

Expr ExprPool::reciprocal(Expr a) {
  if (!a->is_number()) return pow(a, number(-1));
  const Expr operands[] = {a, number(-1)};
  return store_->intern(Op::Pow, 0, operands);  // mul folds it where it can
}

// ---- powers ---------------------------------------------------------------------------------------------------------

Expr ExprPool::pow(Expr base, Expr exponent) {
  if (base->is_number(1)) return base;
  if (exponent->is_number()) {
    const double k = exponent->number();
    if (k == 0) return number(1);
    if (k == 1) return base;
    if (base->is_number(0) && k < 0) {
      exponent = number(-1);
    } else if (base->is_number()) {
      const double value = power(base->number(), k);
      if (sound(value, base->is_number(0))) return number(value);
    } else if (base->op() == Op::Pow && base->child(1)->is_number()) {
      const double inner = base->child(1)->number();
      const bool integers = is_integer(inner) && is_integer(k) && is_integer(inner * k);
      if ((k == -1 && inner > 0) || (integers && (inner > 0 || k > 0))) return pow(base->child(0), number(inner * k));
      if (integers && k != -1) {  // (1/x)**(-2) hides no zero as 1/(1/x**2)
        base = pow(base->child(0), number(inner * -k));
        exponent = number(-1);
      }
    }
  }
  const Expr operands[] = {base, exponent};
  return store_->intern(Op::Pow, 0, operands);
}

}  // namespace fmugen::equations
