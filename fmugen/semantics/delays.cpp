// Delays in their final form: every delay lasts for a while.
//
// What delay(u, T) gives is known from the past, so that it closes no algebraic loop, provided that T is greater than
// zero. A delay by nothing is no delay:
//
//   delay(u, 0.5)         stays
//   delay(u, T), T = 0    u; the parameter becomes structural and is frozen, like a zero that removes a derivative
//   delay(u, -1)          an error
//   delay(u, T), T = x    an error: how much must be remembered? delay(u, T, Tmax) says it
#include "fmugen/equations/substitute.h"
#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using equations::Op;

namespace {

class Delays {
 public:
  explicit Delays(Elaboration& e)
      : e_(e), settle_(e.pool(), [this](Expr leaf) { return leaf->op() == Op::Delay ? settled(leaf) : nullptr; }) {}

  void operator()(Expr& x, SourceRange where, std::uint32_t instance) {
    if (!x) return;
    where_ = where;
    instance_ = instance;
    x = settle_(x);
  }

 private:
  // The recursion goes as deep as delays are nested in the text.
  Expr settled(Expr delay) {
    std::vector<Expr> arguments;
    for (const Expr argument : delay->children()) arguments.push_back(settle_(argument));
    const Expr last = arguments.back();  // the largest delay, if it is given
    const auto shortest = constant_value(e_, arguments[1]), longest = constant_value(e_, last);
    if (!longest && !mentions_missing(last)) {
      if (Diagnostic* error = e_.error(where_, "how long is the delay at most? It is no parameter", instance_))
        error->remark("delay(u, T, Tmax) with a number or parameter Tmax says it");
    } else if (shortest.value_or(0) < 0 || longest.value_or(0) < 0) {
      e_.error(where_, "a delay cannot be negative: nothing is known of the future", instance_);
    } else if (shortest == 0.0) {
      freeze_zero(e_, arguments[1]);
      return arguments[0];
    }
    return e_.pool().delay(arguments);
  }

  // A parameter without value is reported elsewhere.
  bool mentions_missing(Expr x) {
    std::vector<VarId> found;
    e_.occurrences.variables(x, found);
    for (const VarId v : found)
      if (!is_constant(e_.model[v])) return false;
    return !x->has_time();
  }

  Elaboration& e_;
  equations::Substitution settle_;
  SourceRange where_;
  std::uint32_t instance_ = 0;
};

}  // namespace

void settle_delays(Elaboration& e) {
  if (!e.has_delays) return;
  Delays settle(e);
  for (auto* list : {&e.model.equations, &e.model.initial_equations})
    for (auto& equation : *list) {
      settle(equation.left, equation.origin.where, index(equation.origin.instance));
      settle(equation.right, equation.origin.where, index(equation.origin.instance));
    }
  for (auto& when : e.model.whens)
    for (auto& branch : when.branches) {
      settle(branch.condition, when.where, index(when.instance));
      for (auto& action : branch.actions) settle(action.value, action.where, index(when.instance));
    }
  for (auto* list : {&e.model.validity, &e.model.terminations})
    for (auto& check : *list) settle(check.condition, check.where, index(check.instance));
}

}  // namespace fmugen::semantics
