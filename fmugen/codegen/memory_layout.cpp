// Distributes slots, and finds out what each slot is at the start.
//
// First come the variables that represent themselves, kind by kind, so that states, inputs and parameters lie together
// in memory; then aliases find their place through their representative. Start values are what is written in the model,
// at the values parameters have now; the run time computes them anew when a parameter is set.
//
//   der(x, 1) = -k*y, y = x, z = -x, k = 2         slot 0 time, 1 x and y, 2 der(x), 3 k; z is reference 4: -v[1]
//
// A state whose condition at the start is x = number keeps what is in its slot: exact. One that starts at a parameter,
// or is found by equations, is calculated. Unknowns that a nonlinear loop iterates for at the start are guesses:
// approx.
#include "fmugen/codegen/memory_layout.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fmu-runtime/include/fmu_runtime/model_interface.h"
#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/occurrences.h"

namespace fmugen::codegen {

using equations::VariableKind;
using structure::kNone;
using structure::SimulationPlan;

namespace {

constexpr Slot kNowhere = 0xffffffff;

class Distribution {
 public:
  Distribution(const SimulationPlan& plan, const LayoutOptions& options)
      : p_(plan), s_(plan.system), m_(plan.system.model), options_(options) {}

  MemoryLayout run() {
    const std::size_t n = m_.variables.size();
    layout_.place.assign(n, {kNowhere, 1});
    layout_.initial.assign(n, Initial::None);
    layout_.variable.push_back(VarId{0});
    place_representatives();
    place_aliases();
    place_conditions();
    layout_.start.assign(layout_.slots, 0);
    layout_.role.assign(layout_.slots, 0);
    find_start_values();
    find_initial();
    expose();
    set_roles();
    return std::move(layout_);
  }

 private:
  const equations::Variable& var(std::uint32_t v) const { return m_.variables[v]; }

  // What v stands for, and with which sign.
  structure::Alias root_of(VarId v) const {
    structure::Alias a = s_.alias[index(v)];
    while (!a.constant) {
      const structure::Alias& next = s_.alias[index(a.root)];
      if (next.root == a.root && !next.constant) break;
      a = {next.root, a.sign * next.sign, next.constant, a.sign * next.value};
    }
    return a;
  }
  bool represents_itself(std::uint32_t v) const { return !s_.alias[v].constant && index(s_.alias[v].root) == v; }

  void give_slot(VarId v) {
    Place& place = layout_.place[index(v)];
    if (place.slot != kNowhere) return;
    place = {layout_.slots++, 1};
    layout_.variable.push_back(v);
  }

  template <class Condition>
  void give_slots(Condition condition) {
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v)
      if (represents_itself(v) && condition(var(v))) give_slot(VarId{v});
  }

  static bool is_constant(const equations::Variable& v) {
    return v.kind == VariableKind::Constant || v.frozen != equations::Frozen::No;
  }

  void place_representatives() {
    for (const VarId x : p_.selection.states) give_slot(x);
    for (const VarId x : p_.selection.states) give_slot(root_of(VarId{s_.derivative[index(x)]}).root);
    give_slots([](const auto& v) { return v.kind == VariableKind::Input && v.boundary; });
    give_slots([](const auto& v) { return v.kind == VariableKind::Parameter && !is_constant(v); });
    give_slots([](const auto& v) { return v.kind == VariableKind::Discrete && v.sample < 0; });
    give_slots([](const auto& v) { return v.sample >= 0; });
    give_slots([](const auto& v) { return !is_constant(v); });
    give_slots([](const auto& v) { return is_constant(v); });
    for (const VarId x : p_.selection.states) {
      const structure::Alias rate = root_of(VarId{s_.derivative[index(x)]});
      if (rate.constant || rate.sign < 0) throw std::logic_error("the derivative of a state is an alias");
      layout_.states.push_back(layout_.place[index(x)].slot);
      layout_.rates.push_back(layout_.place[index(rate.root)].slot);
    }
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v)
      if (represents_itself(v) && var(v).kind == VariableKind::Input && var(v).boundary)
        layout_.inputs.push_back(layout_.place[v].slot);
  }

  void place_aliases() {
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      if (represents_itself(v)) continue;
      const structure::Alias a = root_of(VarId{v});
      if (a.constant) {
        give_slot(VarId{v});
        continue;
      }
      layout_.place[v] = {layout_.place[index(a.root)].slot, a.sign};
    }
  }

  // Conditions of when clauses in sampled systems are looked at when these are computed, and remembered.
  void place_conditions() {
    for (const equations::WhenClause& when : p_.events.whens)
      for (std::size_t k = 0; k < when.branches.size(); ++k) {
        layout_.condition.push_back(when.sample < 0 ? 0 : layout_.slots++);
        if (when.sample >= 0) layout_.variable.push_back(VarId{0});
      }
  }

  // ---- values

  double evaluate(Expr e) const {
    equations::Values values;
    values.variable = [&](VarId v) { return m_[v].value; };
    values.time = m_.experiment.start;
    const double x = equations::evaluate(e, values);
    return std::isnan(x) ? 0 : x;
  }

  void find_start_values() {
    std::vector<bool> own(layout_.slots, false);  // the representative's start counts more than that of an alias
    layout_.start[0] = m_.experiment.start;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      const Place place = layout_.place[v];
      double& start = layout_.start[place.slot];
      if (s_.alias[v].constant) {
        start = root_of(VarId{v}).value;
      } else if (var(v).kind == VariableKind::Parameter || var(v).kind == VariableKind::Constant) {
        start = std::isnan(var(v).value) ? 0 : var(v).value;
      } else if (const Expr e = var(v).initial ? var(v).initial : m_.attributes_of(VarId{v}).start) {
        const bool representative = layout_.variable[place.slot] == VarId{v};
        if (own[place.slot] && !representative) continue;
        own[place.slot] = true;
        start = place.sign * evaluate(e) + 0.0;
      }
    }
    for (const auto& s : p_.initial.starts)
      if (s.reason != structure::InitialPlan::Start::Steady)
        layout_.start[layout_.slot_of(s.variable)] = layout_.sign_of(s.variable) * evaluate(s.value) + 0.0;
    for (const structure::StateSet& set : p_.selection.dynamic)
      for (std::size_t j = 0; j < set.chosen.size(); ++j)
        for (std::size_t i = 0; i < set.candidates.size(); ++i)
          layout_.start[layout_.slot_of(set.selection[j * set.candidates.size() + i])] = set.chosen[j] == i;
  }

  // Conditions x = number that the plan added at the start. They say what the start value says.
  void find_kept() {
    std::vector<bool> started(m_.variables.size(), false);
    for (const auto& s : p_.initial.starts)
      started[index(s.variable)] = s.reason != structure::InitialPlan::Start::Steady;
    layout_.kept.assign(layout_.slots, false);
    for (const structure::Block& block : p_.initial.blocks) {
      if (block.kind != structure::BlockKind::Assignment || block.assignments.size() != 1) continue;
      const structure::Assignment& a = block.assignments[0];
      const bool number = a.value->op() == equations::Op::Number || a.value->op() == equations::Op::Boolean;
      if (!number || !started[index(a.unknown)]) continue;
      const structure::SystemEquation& e = p_.initial.equations[a.equation];
      if (e.flat == kNone && e.left->op() == equations::Op::Variable && e.left->variable() == a.unknown)
        layout_.kept[layout_.slot_of(a.unknown)] = true;
    }
  }

  void find_initial() {
    find_kept();
    std::vector<Initial> by_slot(layout_.slots, Initial::Calculated);
    by_slot[0] = Initial::None;
    for (Slot s = 1; s < layout_.slots; ++s)
      if (layout_.kept[s]) by_slot[s] = Initial::Exact;
    for (const structure::Block& block : p_.initial.blocks) {
      if (block.kind == structure::BlockKind::Nonlinear)
        for (const VarId v : block.tearing) by_slot[layout_.slot_of(v)] = Initial::Approx;
    }
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      if (!represents_itself(v)) continue;
      Initial& initial = by_slot[layout_.place[v].slot];
      if (is_constant(var(v)))
        initial = Initial::Exact;
      else if (var(v).kind == VariableKind::Parameter && is_fixed(VarId{v}))
        initial = follows_from_others(var(v)) ? Initial::Calculated : Initial::Exact;
      else if (var(v).kind == VariableKind::Input && var(v).boundary)
        initial = Initial::None;
    }
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v)
      layout_.initial[v] = s_.alias[v].constant ? Initial::Exact : by_slot[layout_.place[v].slot];
  }

  // Its value is an expression of other parameters, or has to be asked from a function that only the FMU can call.
  bool follows_from_others(const equations::Variable& v) {
    if (!v.binding) return false;
    if (std::isnan(v.value)) return true;
    found_.clear();
    occurrences_.variables(v.binding, found_);
    return std::any_of(found_.begin(), found_.end(), [&](VarId used) { return !is_constant(m_[used]); });
  }

  bool is_fixed(VarId v) const { return m_.attributes_of(v).fixed.value_or(true); }

  // ---- what can be seen from outside

  bool is_exposed(std::uint32_t v) const {
    const equations::Variable& variable = var(v);
    if (variable.next_of != kNone || variable.auxiliary) return false;
    if (options_.expose == Expose::All) return true;
    return variable.boundary || variable.kind == VariableKind::Parameter || index(variable.instance) == 0;
  }

  void expose() {
    layout_.exposed.resize(m_.variables.size());
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) layout_.exposed[v] = is_exposed(v);
    for (const auto* slots : {&layout_.states, &layout_.rates})
      for (const Slot slot : *slots) layout_.exposed[index(layout_.variable[slot])] = true;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v)
      if (layout_.exposed[v] && layout_.place[v].sign < 0) layout_.negated.push_back(layout_.place[v].slot);
    std::sort(layout_.negated.begin(), layout_.negated.end());
    layout_.negated.erase(std::unique(layout_.negated.begin(), layout_.negated.end()), layout_.negated.end());
  }

  void set_roles() {
    std::vector<unsigned> role(layout_.slots, 0);
    role[0] = FMR_EXPOSED;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      unsigned& bits = role[layout_.place[v].slot];
      if (layout_.exposed[v]) bits |= FMR_EXPOSED;
      if (var(v).type == equations::VariableType::Boolean) bits |= FMR_BOOLEAN;
      if (!represents_itself(v)) continue;
      const bool parameter = var(v).kind == VariableKind::Parameter && !is_constant(var(v));
      if (parameter && layout_.initial[v] == Initial::Exact)
        bits |= FMR_PARAMETER | (var(v).tunable ? static_cast<unsigned>(FMR_TUNABLE) : 0u);
      if (layout_.initial[v] == Initial::Approx && layout_.exposed[v]) bits |= FMR_GUESS;
      if (!parameter && !is_constant(var(v)) && layout_.initial[v] == Initial::Exact && layout_.exposed[v])
        bits |= FMR_START;
    }
    for (const Slot slot : layout_.inputs) role[slot] |= FMR_INPUT;
    for (const Slot slot : layout_.states) role[slot] |= FMR_STATE;
    for (Slot s = 0; s < layout_.slots; ++s) layout_.role[s] = static_cast<unsigned char>(role[s]);
  }

  const SimulationPlan& p_;
  const structure::System& s_;
  const equations::FlatModel& m_;
  const LayoutOptions& options_;
  MemoryLayout layout_;
  equations::Occurrences occurrences_;
  std::vector<VarId> found_;
};

}  // namespace

Slot MemoryLayout::first_condition() const {
  const auto first = std::find_if(condition.begin(), condition.end(), [](Slot slot) { return slot > 0; });
  return first == condition.end() ? slots : *first;
}

std::uint32_t MemoryLayout::value_reference(VarId v) const {
  const Place p = place[index(v)];
  if (p.sign > 0) return p.slot;
  const auto found = std::lower_bound(negated.begin(), negated.end(), p.slot);
  if (found == negated.end() || *found != p.slot) throw std::logic_error("a variable without a value reference");
  return slots + static_cast<std::uint32_t>(found - negated.begin());
}

MemoryLayout lay_out(const SimulationPlan& plan, const LayoutOptions& options) {
  return Distribution(plan, options).run();
}

}  // namespace fmugen::codegen
