// Symbolic differentiation on the shared graph.
//
// Every node is differentiated once, after its operands; the result of an expression of n nodes has O(n) nodes (n log n
// where long products or long lists of min and max occur: these are halved again and again, since writing out the
// product rule for n factors would take n**2).
//
//   x*sin(y)    d/dt    der(x)*sin(y) + x*cos(y)*der(y)
//   max(a, b)   d/dt    if noevent(b <= a) then der(a) else der(b)
//   a/b is a*b**(-1), so its derivative comes out as a'/b - a*b'/b**2
#include "fmugen/equations/differentiate.h"

#include <algorithm>
#include <cmath>

#include "fmugen/equations/occurrences.h"

namespace fmugen::equations {

Differentiator::Differentiator(ExprPool& pool, LeafDerivative leaf, CallDerivative call)
    : pool_(pool), leaf_(std::move(leaf)), call_(std::move(call)) {}

Derivative Differentiator::operator()(Expr root) {
  post_order(
      root,
      [this](Expr e) {
        if (known_.contains(e)) return true;
        switch (e->op()) {
          case Op::Number:
          case Op::Boolean: known_[e] = {pool_.number(0), nullptr}; return true;
          case Op::Variable:
          case Op::Time:
          case Op::Der:
          case Op::Pre:
          case Op::New:
          case Op::Delay: {
            if (e->op() == Op::Delay && !lasts_constantly(e)) {
              known_[e] = {nullptr, e};
              return true;
            }
            const Expr value = leaf_(e);
            known_[e] = {value, value ? nullptr : e};
            return true;
          }
          default: return false;
        }
      },
      [this](Expr e) {
        const Derivative result = differentiate(e);
        known_[e] = result;
      });
  return known_.at(root);
}

// Whether a delay does not depend on what changes. The recursion is as deep as delays are nested in each other's durations.
bool Differentiator::lasts_constantly(Expr delay) {
  for (const Expr duration : delay->children().subspan(1)) {
    const Derivative change = (*this)(duration);
    if (!change || !change.value->is_number(0)) return false;
  }
  return true;
}

Derivative Differentiator::differentiate(Expr e) {
  const std::size_t first = e->op() == Op::If ? 1 : 0;  // a condition is not differentiated
  bool zero = true;
  for (std::size_t i = first; i < e->size(); ++i) {
    const Derivative& d = known_.at(e->child(i));
    if (!d) return d;
    zero = zero && d.value->is_number(0);
  }
  if (zero) return {pool_.number(0), nullptr};
  switch (e->op()) {
    case Op::Add: {
      std::vector<Expr> terms;
      for (const Expr term : e->children()) terms.push_back(rate(term));
      return {pool_.add(terms), nullptr};
    }
    case Op::Mul: return product(e->children());
    case Op::Pow: return power(e);
    case Op::Call: return function(e);
    case Op::UserCall:
    case Op::TableCall: return model_call(e);
    case Op::NoEvent: return {pool_.no_event(rate(e->child(0))), nullptr};
    case Op::If: return {pool_.if_then_else(e->child(0), rate(e->child(1)), rate(e->child(2))), nullptr};
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::Unequal:
    case Op::And:
    case Op::Or:
    case Op::Not: return {nullptr, e};
    case Op::Number:
    case Op::Boolean:
    case Op::Variable:
    case Op::Time:
    case Op::Der:
    case Op::Pre:
    case Op::New:
    case Op::Delay: break;
  }
  return {pool_.number(0), nullptr};
}

// (f1 ... fn)': written out for few factors that change, by halves for many. The recursion is log2(n) deep.
Derivative Differentiator::product(std::span<const Expr> factors) {
  constexpr std::size_t kFew = 8;
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (!rate(factors[i])->is_number(0)) moving.push_back(i);
  if (moving.size() > kFew) {
    const std::size_t middle = moving[moving.size() / 2];
    const auto left = factors.first(middle), right = factors.subspan(middle);
    const Expr a = pool_.mul(left), b = pool_.mul(right);
    return {pool_.add(pool_.mul(product(left).value, b), pool_.mul(a, product(right).value)), nullptr};
  }
  std::vector<Expr> terms, changed(factors.begin(), factors.end());
  for (const std::size_t i : moving) {
    changed[i] = rate(factors[i]);
    terms.push_back(pool_.mul(changed));
    changed[i] = factors[i];
  }
  return {pool_.add(terms), nullptr};
}

Derivative Differentiator::power(Expr e) {
  const Expr f = e->child(0), g = e->child(1), df = rate(f), dg = rate(g);
  const Expr one = pool_.number(1);
  std::vector<Expr> terms;
  if (!df->is_number(0)) {
    const Expr factors[] = {g, pool_.pow(f, pool_.sub(g, one)), df};
    terms.push_back(pool_.mul(factors));
  }
  if (!dg->is_number(0)) {
    const Expr factors[] = {e, pool_.call(Function::Ln, f), dg};
    terms.push_back(pool_.mul(factors));
  }
  return {pool_.add(terms), nullptr};
}

// min and max: the derivative of the argument that is the result. The recursion is log2(n) deep.
Derivative Differentiator::extreme(Expr e, std::span<const Expr> arguments) {
  if (arguments.size() == 1) return known_.at(arguments[0]);
  const auto left = arguments.first(arguments.size() / 2), right = arguments.subspan(arguments.size() / 2);
  const Expr a = pool_.call(e->function(), left), b = pool_.call(e->function(), right);
  const bool smallest = e->function() == Function::Min;
  const Expr first = pool_.relation(Op::LessEqual, smallest ? a : b, smallest ? b : a);
  return {pool_.if_then_else(pool_.no_event(first), extreme(e, left).value, extreme(e, right).value), nullptr};
}

Derivative Differentiator::function(Expr e) {
  const Expr f = e->child(0), df = rate(f);
  switch (e->function()) {
    case Function::Min:
    case Function::Max: return extreme(e, e->children());
    case Function::Atan2: {  // arctan(f/g)
      const Expr g = e->child(1), dg = rate(g);
      const Expr numerator = pool_.sub(pool_.mul(g, df), pool_.mul(f, dg));
      return {pool_.div(numerator, pool_.add(square(f), square(g))), nullptr};
    }
    case Function::Mod: {  // f - int(f/g)*g
      const Expr g = e->child(1);
      const Expr whole = pool_.no_event(pool_.call(Function::Int, pool_.div(f, g)));
      return {pool_.sub(df, pool_.mul(whole, rate(g))), nullptr};
    }
    default: return {pool_.mul(outer(e), df), nullptr};
  }
}

// f'(u) of a function call f(u).
Expr Differentiator::outer(Expr e) {
  const Expr u = e->child(0), one = pool_.number(1);
  const auto call = [&](Function f) { return pool_.call(f, u); };
  switch (e->function()) {
    case Function::Sqrt: return pool_.div(one, pool_.mul(pool_.number(2), e));
    case Function::Exp: return e;
    case Function::Ln: return pool_.div(one, u);
    case Function::Log10: return pool_.div(one, pool_.mul(pool_.number(std::log(10.0)), u));
    case Function::Sin: return call(Function::Cos);
    case Function::Cos: return pool_.neg(call(Function::Sin));
    case Function::Tan: return pool_.add(one, square(e));
    case Function::Asin: return pool_.div(one, pool_.call(Function::Sqrt, pool_.sub(one, square(u))));
    case Function::Acos: return pool_.div(pool_.number(-1), pool_.call(Function::Sqrt, pool_.sub(one, square(u))));
    case Function::Atan: return pool_.div(one, pool_.add(one, square(u)));
    case Function::Sinh: return call(Function::Cosh);
    case Function::Cosh: return call(Function::Sinh);
    case Function::Tanh: return pool_.sub(one, square(e));
    case Function::Abs: return pool_.no_event(call(Function::Sign));
    case Function::Sign:
    case Function::Int:
    case Function::Floor:
    case Function::Ceil: return pool_.number(0);
    case Function::Atan2:
    case Function::Mod:
    case Function::Min:
    case Function::Max: break;  // more than one argument: see function()
  }
  return pool_.number(0);
}

Derivative Differentiator::model_call(Expr e) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < e->size(); ++i) {
    const Expr change = rate(e->child(i));
    if (change->is_number(0)) continue;
    const Expr partial = call_ ? call_(e, i) : nullptr;
    if (!partial) return {nullptr, e};
    terms.push_back(pool_.mul(partial, change));
  }
  return {pool_.add(terms), nullptr};
}

Derivative partial_derivative(ExprPool& pool, Expr e, Expr x, const CallDerivative& call) {
  const Expr one = pool.number(1), zero = pool.number(0);
  return Differentiator(
      pool, [=](Expr leaf) { return leaf == x ? one : zero; }, call)(e);
}

namespace {

bool is_constant(Expr e, const std::function<bool(VarId)>& constant) {
  std::vector<VarId> found;
  Occurrences().variables(e, found);
  return !e->has_time() && std::all_of(found.begin(), found.end(), constant);
}

}  // namespace

Derivative total_derivative(ExprPool& pool, Expr e, const std::function<bool(VarId)>& constant,
                            const CallDerivative& call) {
  const Expr zero = pool.number(0);
  const auto leaf = [&](Expr node) -> Expr {
    switch (node->op()) {
      case Op::Time: return pool.number(1);
      case Op::Variable: return constant(node->variable()) ? zero : pool.der(node);
      case Op::Der: return pool.der(node);
      case Op::Delay: return is_constant(node, constant) ? zero : nullptr;
      default: return zero;  // pre, new: constant between events
    }
  };
  return Differentiator(pool, leaf, call)(e);
}

}  // namespace fmugen::equations
