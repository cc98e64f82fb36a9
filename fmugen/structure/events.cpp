// Which conditions make events, and when.
//
// A relation between quantities that change while the simulation runs keeps its value until its two sides cross; the
// difference of the sides changes sign there. Where the sides depend on nothing but time and parameters, and on time
// linearly, the instant is known beforehand and no crossing has to be searched for. sign, int, floor, ceil and mod jump
// likewise. Relations inside noevent(...) follow their sides at once and are not listed; those between parameters or
// discrete variables change only where an event or a new parameter changes them anyhow.
//
//   if h < 0 then ... else ...            state event   crossing  h
//   when time > 2*T                       time event    instant   2*T
//   floor(3*x)                            state event   crossing  sin(pi*3*x), zero where 3*x is an integer
//
// Expressions are shared, so a condition that is written in many places is one relation and makes one event.
#include <algorithm>

#include "fmugen/equations/linear.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/simplify.h"
#include "fmugen/structure/resolve.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Function;
using equations::Op;
using equations::VariableKind;

namespace {

constexpr double kPi = 3.14159265358979323846;

bool is_relation(Expr e) {
  return e->op() == Op::Less || e->op() == Op::LessEqual || e->op() == Op::Equal || e->op() == Op::Unequal;
}

bool jumps(Expr e) {
  if (e->op() != Op::Call) return false;
  switch (e->function()) {
    case Function::Sign:
    case Function::Int:
    case Function::Floor:
    case Function::Ceil:
    case Function::Mod: return true;
    default: return false;
  }
}

struct Place {
  support::SourceRange where;
  equations::InstanceId instance{0};
};

class Finder {
 public:
  explicit Finder(SimulationPlan& plan)
      : s_(plan.system), pool_(plan.system.model.pool), relations_(plan.events.relations), simplify_(pool_) {}

  // Lists the relations of e that make events. Nodes met before are done.
  void look(Expr root, const Place& place) {
    std::vector<Expr> work{root};
    while (!work.empty()) {
      const Expr e = work.back();
      work.pop_back();
      if (e->size() == 0 || e->op() == Op::NoEvent || !first_visit(e)) continue;
      if (is_relation(e) || jumps(e)) add(e, place);
      for (std::size_t k = e->size(); k-- > 0;) work.push_back(e->child(k));
    }
  }

 private:
  bool first_visit(Expr e) {
    if (e->id() >= seen_.size()) seen_.resize(pool_.nodes(), false);
    if (seen_[e->id()]) return false;
    return seen_[e->id()] = true;
  }

  enum class Depends { OnNothing, OnTime, OnMore };

  Depends dependence(Expr e) {
    bool time = e->has_time();
    found_.clear();
    occurrences_.variables(e, found_);
    for (const VarId v : found_) {
      const equations::Variable& variable = s_.model[v];
      if (variable.kind == VariableKind::Parameter || variable.kind == VariableKind::Constant) continue;
      if (variable.kind != VariableKind::Discrete && variable.sample < 0 &&
          variable.type != equations::VariableType::Boolean)
        return Depends::OnMore;
      held_ = true;  // changes at events only
    }
    return time ? Depends::OnTime : Depends::OnNothing;
  }

  bool is_boolean(Expr e) const {
    switch (e->op()) {
      case Op::Boolean:
      case Op::And:
      case Op::Or:
      case Op::Not: return true;
      case Op::Variable: return s_.model[e->variable()].type == equations::VariableType::Boolean;
      case Op::If:
      case Op::NoEvent: return is_boolean(e->child(e->size() - 1));
      default: return is_relation(e);
    }
  }

  // What is zero where the node jumps.
  Expr crossing(Expr e) {
    if (is_relation(e)) return pool_.sub(e->child(0), e->child(1));
    const Expr x = e->child(0);
    if (e->function() == Function::Sign) return x;
    const Expr steps = e->function() == Function::Mod ? pool_.div(x, e->child(1)) : x;
    return pool_.call(Function::Sin, pool_.mul(pool_.number(kPi), steps));
  }

  void add(Expr e, const Place& place) {
    if (is_relation(e) && (is_boolean(e->child(0)) || is_boolean(e->child(1)))) return;
    held_ = false;
    const Depends depends = dependence(e);
    if (depends == Depends::OnNothing) return;
    Relation relation;
    relation.node = e;
    relation.where = place.where;
    relation.instance = place.instance;
    const Expr zero = crossing(e);
    if (depends == Depends::OnTime && !held_) relation.instant = instant(zero);
    if (!relation.instant) relation.crossing = zero;
    relations_.push_back(relation);
  }

  // The time at which `zero` is zero, if it is linear in time.
  Expr instant(Expr zero) {
    const auto form = affine_in_time(zero);
    if (!form || form->slope->is_number(0)) return nullptr;
    return simplify_(pool_.neg(pool_.div(form->constant, form->slope)));
  }

  std::optional<equations::LinearForm> affine_in_time(Expr e) {
    // Linear forms are made of variables, so one that belongs to nobody stands for time.
    const VarId stand_in{static_cast<std::uint32_t>(s_.model.variables.size())};
    const Expr t = pool_.variable(stand_in);
    const Expr replaced =
        equations::substitute(pool_, e, [&](Expr leaf) -> Expr { return leaf->op() == Op::Time ? t : nullptr; });
    return equations::linear_form(pool_, replaced, t);
  }

  System& s_;
  equations::ExprPool& pool_;
  std::vector<Relation>& relations_;
  equations::Simplifier simplify_;
  equations::Occurrences occurrences_;
  std::vector<VarId> found_;
  bool held_ = false;
  std::vector<bool> seen_;  // by node
};

// Puts the clauses of the model in terms of the system, and complains where that cannot be done.
class Clauses {
 public:
  Clauses(SimulationPlan& plan, support::Diagnostics& diagnostics)
      : s_(plan.system), diagnostics_(diagnostics), resolve_(plan.system) {
    state_.assign(s_.model.variables.size(), false);
    for (const VarId v : plan.selection.states) state_[index(v)] = true;
  }

  Expr resolve(Expr e, const Place& place) {
    const Expr result = resolve_(e);
    if (const auto x = Resolver::missing_derivative(result))
      diagnostics_.error(place.where, "der(" + s_.name(*x) + ") cannot be used here: no equation contains it")
          .in(s_.model.path(place.instance));
    return result;
  }

  equations::WhenClause resolve(equations::WhenClause when) {
    for (equations::WhenBranch& branch : when.branches) {
      branch.condition = resolve(branch.condition, {when.where, when.instance});
      for (equations::WhenAction& action : branch.actions) {
        if (action.value) action.value = resolve(action.value, {action.where, when.instance});
        if (action.kind == equations::ActionKind::Reinit) aim(action, when);
      }
    }
    return when;
  }

  equations::Check resolve(equations::Check check) {
    check.condition = resolve(check.condition, {check.where, check.instance});
    return check;
  }

 private:
  // reinit x := value, where x = -y and y is the state, sets y to -value.
  void aim(equations::WhenAction& action, const equations::WhenClause& when) {
    const Alias& a = s_.alias[index(action.target)];
    if (a.constant || !state_[index(a.root)]) {
      auto& error =
          diagnostics_.error(action.where, "'" + s_.name(action.target) + "' is not a state, so 'reinit' cannot set it")
              .in(s_.model.path(when.instance));
      if (!a.constant && s_.derivative[index(a.root)] != kNone)
        error.remark(s_.model[a.root].where, "other variables determine it; 'stateselect=always' makes it a state");
      return;
    }
    action.target = a.root;
    if (a.sign < 0) action.value = s_.model.pool.neg(action.value);
  }

  System& s_;
  support::Diagnostics& diagnostics_;
  Resolver resolve_;
  std::vector<bool> state_;
};

}  // namespace

void find_events(SimulationPlan& plan, support::Diagnostics& diagnostics) {
  Events& events = plan.events;
  const FlatModel& model = plan.system.model;
  Clauses clauses(plan, diagnostics);
  Finder finder(plan);
  for (const SystemEquation& e : plan.system.equations) {
    const equations::Origin& origin = model.equations[e.flat].origin;
    finder.look(e.left, {origin.where, origin.instance});
    finder.look(e.right, {origin.where, origin.instance});
  }
  for (const equations::WhenClause& when : model.whens) {
    events.whens.push_back(clauses.resolve(when));
    if (when.sample >= 0) continue;  // looked at when it is sampled
    for (const equations::WhenBranch& branch : events.whens.back().branches)
      finder.look(branch.condition, {when.where, when.instance});
  }
  for (const equations::Check& check : model.validity) {
    events.validity.push_back(clauses.resolve(check));
    finder.look(events.validity.back().condition, {check.where, check.instance});
  }
  for (const equations::Check& check : model.terminations) {
    events.terminations.push_back(clauses.resolve(check));
    finder.look(events.terminations.back().condition, {check.where, check.instance});
  }
}

}  // namespace fmugen::structure
