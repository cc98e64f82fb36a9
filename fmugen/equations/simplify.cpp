// Simplification: one pass from the leaves up. Each rule takes a node whose operands are canonical and gives a
// canonical node, so nothing is visited again and there is nothing that could loop.
//
//   a - (a + b)*1   ->   operands a, -(a + b) = -a - b (multiplied out)   ->   a - a - b   ->   -b
#include "fmugen/equations/simplify.h"

#include <algorithm>
#include <cmath>

#include "fmugen/equations/expr_store.h"
#include "fmugen/equations/walk.h"

namespace fmugen::equations {

namespace {

bool is_integer(double value) { return value == std::trunc(value) && std::fabs(value) < 9007199254740992.0; }  // 2**53
bool is_even(double value) { return is_integer(value) && std::fmod(value, 2) == 0; }

bool by_creation(Expr a, Expr b) { return a->id() < b->id(); }

// The factors of a term without its coefficient.
std::span<const Expr> rest_of(const Expr& term) {
  if (term->op() != Op::Mul) return {&term, 1};
  return term->children().subspan(term->child(0)->is_number() ? 1 : 0);
}

// Terms are sorted by their factors, so that x, 2*x and x*y stand together; numbers come last.
bool term_order(Expr a, Expr b) {
  if (a->is_number() || b->is_number()) return !a->is_number() && b->is_number();
  const auto x = rest_of(a), y = rest_of(b);
  return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), by_creation);
}

bool is_call(Expr e, Function f) { return e->op() == Op::Call && e->function() == f; }

class Rules {
 public:
  explicit Rules(ExprPool& pool) : pool_(pool) {}

  Expr operator()(Expr e) {
    switch (e->op()) {
      case Op::Add: return sum(e->children());
      case Op::Mul: return product(e->children());
      case Op::Pow: return power(e->child(0), e->child(1));
      case Op::Call: return function(e);
      case Op::NoEvent: return e->child(0)->op() == Op::NoEvent ? e->child(0) : e;
      case Op::If: return choice(e);
      case Op::Less:
      case Op::Unequal: return e->child(0) == e->child(1) ? pool_.boolean(false) : e;
      case Op::LessEqual:
      case Op::Equal: return e->child(0) == e->child(1) ? pool_.boolean(true) : e;
      case Op::And:
      case Op::Or: return logical(e);
      case Op::Number:
      case Op::Boolean:
      case Op::Variable:
      case Op::Time:
      case Op::UserCall:
      case Op::TableCall:
      case Op::Der:
      case Op::Pre:
      case Op::New:
      case Op::Delay:
      case Op::Not: return e;
    }
    return e;
  }

 private:
  // ---- sums ----

  Expr sum(std::span<const Expr> terms) {
    const Expr e = pool_.add(terms);
    if (e->op() != Op::Add) return e;
    std::vector<Expr> sorted(e->children().begin(), e->children().end());
    std::sort(sorted.begin(), sorted.end(), term_order);
    return pool_.add(sorted);
  }

  // ---- products and powers ----

  struct Factor {
    Expr base;
    double exponent;
  };

  Expr product(std::span<const Expr> factors) {
    std::vector<Expr> now(factors.begin(), factors.end());
    while (join_factors(now)) {
    }
    return multiply_out(exact_reciprocal(pool_.mul(now)));
  }

  // Numbers first, then the other factors by base. True if a joined factor has got another base, such as sqrt(x)**2,
  // and there may be more to join.
  bool join_factors(std::vector<Expr>& factors) {
    std::vector<Expr> numbers;
    std::vector<Factor> joined;
    FirstPlaces places;
    places.start(factors.size());
    for (const Expr f : factors) {
      if (f->is_number() || (f->op() == Op::Pow && f->child(0)->is_number())) {
        numbers.push_back(f);
        continue;
      }
      const bool power = f->op() == Op::Pow && f->child(1)->is_number();
      const Factor factor = power ? Factor{f->child(0), f->child(1)->number()} : Factor{f, 1};
      const auto same = [&](std::uint32_t i) { return joined[i].base == factor.base; };
      const std::uint32_t place = places.place(hash_operands(0, {&factor.base, 1}), same);
      if (place == joined.size())
        joined.push_back(factor);
      else
        joined[place].exponent += factor.exponent;
    }
    factors.clear();
    bool again = false;
    for (const Factor& factor : joined) {
      const Expr result = power(factor.base, pool_.number(factor.exponent));
      again = again || !(result == factor.base || result->is_number() || base_of(result) == factor.base);
      if (result->op() == Op::Mul)
        factors.insert(factors.end(), result->children().begin(), result->children().end());
      else
        factors.push_back(result);
    }
    std::sort(factors.begin(), factors.end(), base_order);
    factors.insert(factors.begin(), numbers.begin(), numbers.end());
    return again;
  }

  static Expr base_of(Expr e) { return e->op() == Op::Pow ? e->child(0) : e; }

  // By base, so that x and x**2 have the same place.
  static bool base_order(Expr a, Expr b) {
    const Expr x = base_of(a), y = base_of(b);
    return x != y ? by_creation(x, y) : by_creation(a, b);
  }

  // x/2 is 0.5*x exactly; x/3 stays.
  Expr exact_reciprocal(Expr e) {
    if (e->op() != Op::Mul) return e;
    const Expr last = e->child(e->size() - 1);
    if (last->op() != Op::Pow || !last->child(0)->is_number() || !last->child(1)->is_number(-1)) return e;
    int exponent = 0;
    const double d = last->child(0)->number();
    if (std::frexp(d, &exponent) != 0.5 || !std::isfinite(1 / d)) return e;
    std::vector<Expr> factors(e->children().begin(), e->children().end());
    factors.back() = pool_.number(1 / d);
    return pool_.mul(factors);
  }

  // number * (a + b)  ->  number*a + number*b
  Expr multiply_out(Expr e) {
    if (e->op() != Op::Mul || e->size() != 2 || !e->child(0)->is_number() || e->child(1)->op() != Op::Add) return e;
    std::vector<Expr> terms;
    for (const Expr term : e->child(1)->children()) terms.push_back(exact_reciprocal(pool_.mul(e->child(0), term)));
    return sum(terms);
  }

  Expr power(Expr base, Expr exponent) {
    if (!exponent->is_number()) return pool_.pow(base, exponent);
    const double k = exponent->number();
    if (base->op() == Op::Pow && base->child(1)->is_number() && is_integer(k))
      return power(base->child(0), pool_.number(base->child(1)->number() * k));
    if (base->op() == Op::Mul && is_integer(k)) {
      std::vector<Expr> factors;
      for (const Expr f : base->children()) factors.push_back(power(f, exponent));
      return k == 1 ? base : product(factors);
    }
    if (is_call(base, Function::Sqrt) && is_even(k)) return power(base->child(0), pool_.number(k / 2));
    if (is_call(base, Function::Abs) && is_even(k)) return power(base->child(0), exponent);
    if (base->op() == Op::Add && is_integer(k) && k != 1 && starts_negative(base)) {
      const Expr positive = power(multiply_out(pool_.neg(base)), exponent);
      return is_even(k) ? positive : product(std::vector<Expr>{pool_.number(-1), positive});
    }
    return pool_.pow(base, exponent);
  }

  // ---- functions ----

  static bool starts_negative(Expr e) {
    if (e->op() == Op::Add) e = e->child(0);
    if (e->op() == Op::Mul) e = e->child(0);
    return e->is_number() && e->number() < 0;
  }

  Expr function(Expr e) {
    const Expr u = e->child(0);
    switch (e->function()) {
      case Function::Sin:
      case Function::Tan:
      case Function::Asin:
      case Function::Atan:
      case Function::Sinh:
      case Function::Tanh:
      case Function::Sign:
      case Function::Int:
        if (starts_negative(u)) return pool_.neg(pool_.call(e->function(), multiply_out(pool_.neg(u))));
        return e;
      case Function::Cos:
      case Function::Cosh:
        if (starts_negative(u)) return pool_.call(e->function(), multiply_out(pool_.neg(u)));
        return e;
      case Function::Abs:
        if (starts_negative(u)) return function(pool_.call(Function::Abs, multiply_out(pool_.neg(u))));
        if (is_call(u, Function::Abs) || is_call(u, Function::Sqrt) || is_call(u, Function::Exp)) return u;
        return e;
      case Function::Exp: return is_call(u, Function::Ln) ? u->child(0) : e;
      case Function::Ln: return is_call(u, Function::Exp) ? u->child(0) : e;
      case Function::Sqrt:
        if (u->op() == Op::Pow && u->child(1)->is_number(2)) return function(pool_.call(Function::Abs, u->child(0)));
        return e;
      case Function::Min:
      case Function::Max: return extreme(e);
      case Function::Log10:
      case Function::Acos:
      case Function::Atan2:
      case Function::Mod:
      case Function::Floor:
      case Function::Ceil: return e;
    }
    return e;
  }

  Expr extreme(Expr e) {
    std::vector<Expr> arguments, numbers;
    for (const Expr a : e->children()) {
      if (is_call(a, e->function()))
        for (const Expr inner : a->children()) (inner->is_number() ? numbers : arguments).push_back(inner);
      else
        (a->is_number() ? numbers : arguments).push_back(a);
    }
    std::sort(arguments.begin(), arguments.end(), by_creation);
    arguments.erase(std::unique(arguments.begin(), arguments.end()), arguments.end());
    if (!numbers.empty()) arguments.push_back(pool_.call(e->function(), numbers));
    return pool_.call(e->function(), arguments);
  }

  // ---- conditions ----

  Expr choice(Expr e) {
    const Expr c = e->child(0);
    return c->op() == Op::Not ? pool_.if_then_else(c->child(0), e->child(2), e->child(1)) : e;
  }

  Expr logical(Expr e) {
    std::vector<Expr> operands(e->children().begin(), e->children().end());
    std::sort(operands.begin(), operands.end(), by_creation);
    for (const Expr o : operands)  // a and not a
      if (o->op() == Op::Not && std::binary_search(operands.begin(), operands.end(), o->child(0), by_creation))
        return pool_.boolean(e->op() == Op::Or);
    return pool_.logical(e->op(), operands);
  }

  ExprPool& pool_;
};

struct Stay {
  Expr operator()(Expr e) const { return e->size() == 0 ? e : nullptr; }
};

}  // namespace

struct Simplifier::Work {
  Rewriter<Stay, Rules> rewrite;
};

Simplifier::Simplifier(ExprPool& pool) : work_(new Work{{pool, Stay{}, Rules(pool)}}) {}
Simplifier::~Simplifier() = default;

Expr Simplifier::operator()(Expr e) { return work_->rewrite(e); }

Expr simplify(ExprPool& pool, Expr e) { return Simplifier(pool)(e); }

}  // namespace fmugen::equations
