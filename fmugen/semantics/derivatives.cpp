// Derivatives in their final form: only der(x) of a variable x, and no derivative that a zero parameter removes.
//
//   der(C*v)          C*der(v)                      C is a parameter
//   der(x*y)          der(x)*y + x*der(y)
//   La*der(ia)        0                             La is 0: the parameter becomes structural and is frozen
//   der(der(x))       der(x_dot), with the equation der(x) = x_dot, and x_dot wherever der(x) stood
//
// The zero rule (Cellier and Elmqvist 1993) keeps a model without inductance from having a state that moves infinitely
// fast. A zero parameter in any other term stays settable.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "fmugen/equations/call_derivatives.h"
#include "fmugen/equations/print.h"
#include "fmugen/equations/substitute.h"
#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using equations::FlatEquation;
using equations::Op;
using equations::OriginKind;

namespace {

// Applies `change(expression, where, instance)` to every expression that may hold derivatives.
template <typename F>
void for_each_expression(Elaboration& e, F change) {
  for (auto* list : {&e.model.equations, &e.model.initial_equations})
    for (std::size_t k = 0; k < list->size(); ++k) {
      const equations::Origin origin = (*list)[k].origin;
      for (const bool left : {true, false}) {
        const Expr old = left ? (*list)[k].left : (*list)[k].right;
        if (!old->has_der()) continue;
        const Expr now = change(old, origin.where, index(origin.instance));
        (left ? (*list)[k].left : (*list)[k].right) = now;
      }
    }
  for (auto& when : e.model.whens)
    for (auto& branch : when.branches) {
      if (branch.condition->has_der()) branch.condition = change(branch.condition, when.where, index(when.instance));
      for (auto& action : branch.actions)
        if (action.value && action.value->has_der()) action.value = change(action.value, action.where, index(when.instance));
    }
  for (auto* list : {&e.model.validity, &e.model.terminations})
    for (auto& check : *list)
      if (check.condition->has_der()) check.condition = change(check.condition, check.where, index(check.instance));
}

// Whether some der(...) in x has an operand for which `wrong` holds.
template <typename F>
bool any_derivative(Expr x, F wrong) {
  std::vector<Expr> work{x};
  std::unordered_set<Expr> seen;
  while (!work.empty()) {
    const Expr node = work.back();
    work.pop_back();
    if (!node->has_der() || !seen.insert(node).second) continue;
    if (node->op() == Op::Der && wrong(node->child(0))) return true;
    for (const Expr child : node->children()) work.push_back(child);
  }
  return false;
}

// The common equation C*der(v) = i, where nothing is to be done.
bool is_simple(const Elaboration& e, Expr x) {
  if (x->op() == Op::Der) return x->child(0)->op() == Op::Variable && !is_constant(e.model[x->child(0)->variable()]);
  return false;
}

// x, x', x'', ...: what may stand below der.
bool is_chain(const Elaboration& e, Expr x) {
  while (x->op() == Op::Der) x = x->child(0);
  return x->op() == Op::Variable && !is_constant(e.model[x->variable()]);
}

void report_undifferentiable(Elaboration& e, Expr blocked, SourceRange where, std::uint32_t instance) {
  Diagnostic* error = e.error(where, "an expression in this equation cannot be differentiated", instance);
  if (error && blocked)
    error->remark("there is no derivative of " + equations::to_text(blocked, equations::names_of(e.model)));
}

// A factor made of parameters that is zero: L, or L + M if both are.
bool is_zero(Elaboration& e, Expr factor) {
  if (!factor->has_variable() || factor->has_der() || factor->has_time()) return false;
  if (factor->op() == Op::Variable)
    return is_constant(e.model[factor->variable()]) && e.model[factor->variable()].value == 0;
  return constant_value(e, factor) == 0.0;
}

// The recursion goes as deep as the expression was written.
Expr without_zero_terms(Elaboration& e, Expr x) {
  if (!x->has_der()) return x;
  if (x->op() == Op::Mul)
    for (const Expr factor : x->children())
      if (is_zero(e, factor)) {
        freeze_zero(e, factor);
        return e.pool().number(0);
      }
  if (x->op() != Op::Mul && x->op() != Op::Add) return x;
  std::vector<Expr> children;
  bool changed = false;
  for (const Expr child : x->children()) {
    children.push_back(without_zero_terms(e, child));
    changed = changed || children.back() != child;
  }
  return changed ? e.pool().rebuild(x, children) : x;
}

struct Reduction {
  Elaboration& e;
  std::unordered_map<std::uint32_t, VarId> rate;  // x -> x_dot
  std::vector<std::pair<VarId, SourceRange>> order;

  VarId rate_of(VarId x, SourceRange where) {
    const auto known = rate.find(index(x));
    if (known != rate.end()) return known->second;
    equations::Variable v;
    const equations::Variable& base = e.model[x];
    const std::size_t bracket = base.local_name.find('[');
    std::string name = base.local_name.substr(0, bracket) + "_dot";
    const std::string subscript = bracket == std::string::npos ? "" : base.local_name.substr(bracket);
    while (e.find_member(index(base.instance), e.program.symbols().intern(name))) name += "_";
    v.local_name = name + subscript;
    v.instance = base.instance;
    v.where = base.where;
    v.sample = base.sample;
    v.auxiliary = true;
    if (const auto initial = e.second_initial.find(index(x)); initial != e.second_initial.end()) v.initial = initial->second;
    const VarId added = e.add_variable(std::move(v));
    rate.emplace(index(x), added);
    order.emplace_back(x, where);
    return added;
  }
};

}  // namespace

void freeze_zero(Elaboration& e, Expr factor) {
  std::vector<VarId> work;
  e.occurrences.variables(factor, work);
  while (!work.empty()) {
    equations::Variable& v = e.model[work.back()];
    work.pop_back();
    if (v.kind != equations::VariableKind::Parameter || v.frozen != equations::Frozen::No) continue;
    v.frozen = equations::Frozen::ZeroParameter;
    if (v.binding) e.occurrences.variables(v.binding, work);
  }
}

void expand_derivatives(Elaboration& e) {
  const auto constant = [&](VarId v) {
    return is_constant(e.model[v]) || e.model[v].kind == equations::VariableKind::Discrete;
  };
  for_each_expression(e, [&](Expr x, SourceRange where, std::uint32_t instance) -> Expr {
    if (is_simple(e, x) || !any_derivative(x, [&](Expr operand) { return !is_chain(e, operand); })) return x;
    bool failed = false;
    // der(f) with f worked out first: the recursion goes as deep as derivatives are nested in the text.
    const std::function<Expr(Expr)> expand = [&](Expr f) -> Expr {
      return equations::substitute(e.pool(), f, [&](Expr leaf) -> Expr {
        if (leaf->op() != Op::Der || is_chain(e, leaf->child(0)) || failed) return nullptr;
        const Expr operand = expand(leaf->child(0));
        const auto rate = equations::total_derivative(e.pool(), operand, constant, equations::call_derivatives(e.model));
        if (rate) return rate.value;
        if (!failed) report_undifferentiable(e, rate.blocked, where, instance);
        failed = true;
        return nullptr;
      });
    };
    return expand(x);
  });
}

void drop_zero_terms(Elaboration& e) {
  for (FlatEquation& equation : e.model.equations) {
    if (equation.left->has_der()) equation.left = without_zero_terms(e, equation.left);
    if (equation.right->has_der()) equation.right = without_zero_terms(e, equation.right);
  }
}

void reduce_order(Elaboration& e) {
  Reduction reduction{e, {}, {}};
  const auto is_higher = [](Expr operand) { return operand->op() == Op::Der; };
  for_each_expression(e, [&](Expr x, SourceRange where, std::uint32_t) -> Expr {
    while (!is_simple(e, x) && any_derivative(x, is_higher))
      x = equations::substitute(e.pool(), x, [&](Expr leaf) -> Expr {
        if (leaf->op() != Op::Der || leaf->child(0)->op() != Op::Der) return nullptr;
        int order = 0;
        Expr inner = leaf;
        while (inner->op() == Op::Der) {
          inner = inner->child(0);
          ++order;
        }
        VarId v = inner->variable();
        for (int k = 1; k < order; ++k) v = reduction.rate_of(v, where);
        return e.pool().der(e.pool().variable(v));
      });
    return x;
  });
  if (reduction.order.empty()) return;
  for_each_expression(e, [&](Expr x, SourceRange, std::uint32_t) -> Expr {
    return equations::substitute(e.pool(), x, [&](Expr leaf) -> Expr {
      if (leaf->op() != Op::Der) return nullptr;
      const auto known = reduction.rate.find(index(leaf->child(0)->variable()));
      return known == reduction.rate.end() ? nullptr : e.pool().variable(known->second);
    });
  });
  for (const auto& [x, where] : reduction.order) {
    FlatEquation equation;
    equation.left = e.pool().der(e.pool().variable(x));
    equation.right = e.pool().variable(reduction.rate.at(index(x)));
    equation.origin = {OriginKind::Auxiliary, e.model[x].instance, 0, where};
    equation.sample = e.model[x].sample;
    e.model.equations.push_back(equation);
  }
}

}  // namespace fmugen::semantics
