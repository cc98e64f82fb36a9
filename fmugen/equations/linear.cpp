// Linear decomposition.
//
// With respect to one unknown x, from the operands up: f = f0 + f1*x and g = g0 + g1*x give
//
//   f + g                  (f0 + g0) + (f1 + g1)*x
//   f * g,  g1 = 0         f0*g0 + (f1*g0)*x               a quotient is a product with a power
//   if c then f else g     (if c then f0 else g0) + (if c then f1 else g1)*x,  c free of x
//
// and anything else must be free of x. Example: a + x + c*(d + 2*x) = (a + c*d) + (1 + 2*c)*x.
//
// With respect to many unknowns, from the whole down: the factor with which a node enters the whole is the sum over its
// parents of their factors times what they multiply it with. Each node is visited once for all unknowns together.
//
// Reference: H. Elmqvist, A structured model language for large continuous systems, 1978, on formula manipulation.
#include "fmugen/equations/linear.h"

#include <algorithm>

#include "fmugen/equations/occurrences.h"

namespace fmugen::equations {

namespace {

// A variable, or its derivative, previous or next value: independent quantities at one instant.
bool is_quantity(Expr e) {
  switch (e->op()) {
    case Op::Variable: return true;
    case Op::Der:
    case Op::Pre:
    case Op::New: return e->child(0)->op() == Op::Variable;
    default: return false;
  }
}

// What was delayed is known; only how long may depend on unknowns.
template <class Unknown>
bool delay_contains(Expr delay, Unknown unknown) {
  std::vector<Expr> leaves;
  for (const Expr duration : delay->children().subspan(1)) {
    if (duration->has_variable()) Occurrences().leaves(duration, leaves);
  }
  return std::any_of(leaves.begin(), leaves.end(), unknown);
}

}  // namespace

// ---- one unknown ----------------------------------------------------------------------------------------------------

LinearDecomposition::LinearDecomposition(ExprPool& pool, Expr x) : pool_(pool), x_(x), zero_(pool.number(0)) {
  if (x->op() == Op::Variable)
    variable_ = x->variable();
  else if (is_quantity(x))
    variable_ = x->child(0)->variable();
}

bool LinearDecomposition::excluded(Expr e) const {
  if (e == x_) return false;
  if (e->op() == Op::Delay && !delay_contains(e, [this](Expr leaf) { return leaf == x_; })) return true;
  return is_quantity(e) || e->size() == 0 || (variable_ && !e->may_contain(*variable_));
}

LinearDecomposition::Part LinearDecomposition::part(Expr e) const {
  const Part* known = known_.find(e);
  return known ? *known : Part{{e, zero_}, false};
}

bool LinearDecomposition::occurs(Expr e) const { return part(e).occurs; }

std::optional<LinearForm> LinearDecomposition::operator()(Expr root) {
  post_order(
      root,
      [this](Expr e) {
        if (known_.contains(e) || excluded(e)) return true;
        if (e != x_) return false;
        known_[e] = {{zero_, pool_.number(1)}, true};
        return true;
      },
      [this](Expr e) {
        const Part result = decompose(e);
        known_[e] = result;
      });
  const Part result = part(root);
  if (!result.form.slope) return std::nullopt;
  return result.form;
}

LinearDecomposition::Part LinearDecomposition::decompose(Expr e) {
  bool any = false, linear = true, sloping = false;
  std::vector<Expr> constants, slopes;
  for (const Expr child : e->children()) {
    const Part p = part(child);
    any = any || p.occurs;
    linear = linear && p.form.slope;
    if (!linear) continue;
    sloping = sloping || !p.form.slope->is_number(0);
    constants.push_back(p.form.constant);
    slopes.push_back(p.form.slope);
  }
  const Part nonlinear{{nullptr, nullptr}, true};
  if (!any) return {{e, zero_}, false};
  if (!linear) return nonlinear;
  if (!sloping) return {{pool_.rebuild(e, constants), zero_}, true};  // x cancelled further down
  switch (e->op()) {
    case Op::Add: return {{pool_.add(constants), pool_.add(slopes)}, true};
    case Op::Mul: return decompose_product(e);
    case Op::NoEvent: return {{pool_.no_event(constants[0]), pool_.no_event(slopes[0])}, true};
    case Op::If:
      if (!slopes[0]->is_number(0)) return nonlinear;
      return {{pool_.if_then_else(constants[0], constants[1], constants[2]),
               pool_.if_then_else(constants[0], slopes[1], slopes[2])},
              true};
    default: return nonlinear;
  }
}

LinearDecomposition::Part LinearDecomposition::decompose_product(Expr e) {
  std::vector<Expr> factors;
  std::size_t sloping = e->size();
  for (std::size_t i = 0; i < e->size(); ++i) {
    const LinearForm form = part(e->child(i)).form;
    factors.push_back(form.constant);
    if (form.slope->is_number(0)) continue;
    if (sloping < e->size()) return {{nullptr, nullptr}, true};
    sloping = i;
  }
  const Expr constant = pool_.mul(factors);
  factors[sloping] = part(e->child(sloping)).form.slope;
  return {{constant, pool_.mul(factors)}, true};
}

std::optional<LinearForm> linear_form(ExprPool& pool, Expr e, Expr x) { return LinearDecomposition(pool, x)(e); }

// ---- many unknowns --------------------------------------------------------------------------------------------------

namespace {

class AffineDecomposition {
 public:
  AffineDecomposition(ExprPool& pool, const std::function<bool(Expr)>& unknown) : pool_(pool), unknown_(unknown) {}

  std::optional<AffineForm> decompose(Expr root) {
    find_unknowns(root);
    if (!has(root)) return AffineForm{root, {}};
    pass_on(root, pool_.number(1));
    AffineForm result;
    for (auto e = order_.rbegin(); e != order_.rend(); ++e) {  // parents before children
      const auto* incoming = incoming_.find(*e);
      if (!incoming) continue;
      const Expr factor = pool_.add(*incoming);
      if (factor->is_number(0)) continue;
      if (is_quantity(*e))
        result.terms.push_back({*e, factor});
      else if (!distribute(*e, factor))
        return std::nullopt;
    }
    std::sort(result.terms.begin(), result.terms.end(),
              [](const LinearTerm& a, const LinearTerm& b) { return a.leaf->id() < b.leaf->id(); });
    result.constant = pool_.add(constants_);
    return result;
  }

 private:
  // Notes for each node whether an unknown occurs in it, and puts those in which one does in order, children first.
  void find_unknowns(Expr root) {
    const auto note = [this](Expr e, bool any) {
      has_[e] = any;
      if (any) order_.push_back(e);
    };
    post_order(
        root,
        [&](Expr e) {
          if (has_.contains(e)) return true;
          const bool quantity = is_quantity(e);
          if (e->op() == Op::Delay) {
            note(e, delay_contains(e, unknown_));
            return true;
          }
          if (!quantity && e->has_variable()) return false;
          note(e, quantity && unknown_(e));
          return true;
        },
        [&](Expr e) { note(e, std::ranges::any_of(e->children(), [this](Expr child) { return has(child); })); });
  }

  bool has(Expr e) const { return has_.at(e); }

  void pass_on(Expr e, Expr factor) {
    if (has(e))
      incoming_[e].push_back(factor);
    else
      constants_.push_back(pool_.mul(factor, e));
  }

  // Hands the factor of a node on to its operands; false if the node is not linear.
  bool distribute(Expr e, Expr factor) {
    switch (e->op()) {
      case Op::Add:
        for (const Expr term : e->children()) pass_on(term, factor);
        return true;
      case Op::Mul: {
        std::vector<Expr> others{factor};
        Expr inner = nullptr;
        for (const Expr f : e->children()) {
          if (!has(f)) {
            others.push_back(f);
          } else {
            if (inner) return false;
            inner = f;
          }
        }
        pass_on(inner, pool_.mul(others));
        return true;
      }
      default: return false;
    }
  }

  ExprPool& pool_;
  const std::function<bool(Expr)>& unknown_;
  NodeMap<bool> has_;
  std::vector<Expr> order_;
  NodeMap<std::vector<Expr>> incoming_;
  std::vector<Expr> constants_;
};

}  // namespace

std::optional<AffineForm> affine_form(ExprPool& pool, Expr e, const std::function<bool(Expr leaf)>& unknown) {
  return AffineDecomposition(pool, unknown).decompose(e);
}

}  // namespace fmugen::equations
