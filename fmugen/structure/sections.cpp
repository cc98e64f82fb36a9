// When must a block be computed?
//
// Forward through the blocks: one that contains nothing but parameters, constants and results of such blocks is
// computed once, and when a parameter is changed. Backward from what the simulation itself needs, that is the derivatives of the
// states, conditions of events, `when` clauses, sampled systems and what delays remember: every block on the way is
// dynamic. The rest is there to be looked at. Each block and each of its variables is visited once in each direction.
//
//   a := 2*p             parameter        y := sin(x)     output: nothing needs it
//   f := a*x             dynamic          der(x) := -f    dynamic
//
// A block that is both, say a loop over parameters whose result the derivatives use, is of the parameter section.
#include "fmugen/equations/occurrences.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Op;
using equations::VariableKind;

namespace {

class Sections {
 public:
  explicit Sections(SimulationPlan& plan)
      : plan_(plan), s_(plan.system), block_of_(s_.model.variables.size(), kNone), needed_(plan.blocks.size(), false) {
    for (std::uint32_t b = 0; b < plan_.blocks.size(); ++b)
      for (const VarId v : plan_.blocks[b].unknowns) block_of_[index(v)] = b;
  }

  void run() {
    std::vector<bool> parameter(plan_.blocks.size());
    for (std::uint32_t b = 0; b < plan_.blocks.size(); ++b) {
      parameter[b] = true;
      for (const std::uint32_t k : plan_.blocks[b].equations)
        parameter[b] = parameter[b] && is_fixed(s_.equations[k].left, b, parameter) &&
                       is_fixed(s_.equations[k].right, b, parameter);
    }
    need_roots();
    for (std::uint32_t b = static_cast<std::uint32_t>(plan_.blocks.size()); b-- > 0;) {
      if (needed_[b])
        for (const std::uint32_t k : plan_.blocks[b].equations) need(s_.equations[k].left), need(s_.equations[k].right);
      plan_.blocks[b].section = parameter[b] ? Section::Parameter : needed_[b] ? Section::Dynamic : Section::Output;
    }
  }

 private:
  bool is_fixed(Expr e, std::uint32_t block, const std::vector<bool>& parameter) {
    if (e->has_time()) return false;
    leaves_.clear();
    occurrences_.leaves(e, leaves_);
    for (const Expr leaf : leaves_) {
      if (leaf->op() != Op::Variable) return false;  // pre, new, delay
      const VarId v = leaf->variable();
      const VariableKind kind = s_.model[v].kind;
      if (kind == VariableKind::Parameter || kind == VariableKind::Constant) continue;
      const std::uint32_t b = block_of_[index(v)];
      if (b == kNone || (b != block && !parameter[b])) return false;
    }
    return true;
  }

  // All variables in e are needed; null is nothing.
  void need(Expr e) {
    if (!e) return;
    found_.clear();
    occurrences_.variables(e, found_);
    for (const VarId v : found_) need(v);
  }
  void need(VarId v) {
    const Alias& alias = s_.alias[index(v)];
    if (alias.constant) return;
    if (const std::uint32_t b = block_of_[index(alias.root)]; b != kNone) needed_[b] = true;
  }

  void need_roots() {
    for (const VarId x : plan_.selection.states) need(VarId{s_.derivative[index(x)]});
    for (const StateSet& set : plan_.selection.dynamic) {
      for (const VarId x : set.candidates) need(x);
      for (const Entry& e : set.jacobian) need(e.value);
    }
    need_events();
    for (const equations::SampledSystem& sample : s_.model.samples) need(sample.every), need(sample.offset);
    for (const equations::FlatEquation& e : s_.model.equations)
      if (e.sample >= 0) need(e.left), need(e.right);
    for (const SystemEquation& e : s_.equations) need_delayed(e.left), need_delayed(e.right);
  }

  void need_events() {
    for (const Relation& relation : plan_.events.relations) need(relation.node), need(relation.crossing);
    for (const equations::WhenClause& clause : s_.model.whens)
      for (const equations::WhenBranch& branch : clause.branches) {
        need(branch.condition);
        for (const equations::WhenAction& action : branch.actions) need(action.value);
      }
    for (const auto* checks : {&s_.model.validity, &s_.model.terminations})
      for (const equations::Check& check : *checks) need(check.condition);
  }

  void need_delayed(Expr e) {
    leaves_.clear();
    occurrences_.leaves(e, leaves_);
    for (const Expr leaf : leaves_)
      if (leaf->op() == Op::Delay) need(leaf);
  }

  SimulationPlan& plan_;
  System& s_;
  std::vector<std::uint32_t> block_of_;  // by variable
  std::vector<bool> needed_;             // by block
  equations::Occurrences occurrences_;
  std::vector<Expr> leaves_;
  std::vector<VarId> found_;
};

}  // namespace

void mark_sections(SimulationPlan& plan) { Sections(plan).run(); }

}  // namespace fmugen::structure
