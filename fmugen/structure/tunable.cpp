// Which parameters can be changed while a simulation runs?
//
// Setting a parameter is an event, after which everything that follows from it is computed anew. That is possible
// unless something was decided by its value before the start and is kept: the shape of the equations, the grid of a
// sampled system, how much a delay remembers, or the parameter itself where the system at the start determines it.
// Backward from these, through bindings and blocks of parameters, goes what cannot be tunable; forward from those that
// were chosen, through bindings, what is tunable because it follows. Each binding and block is visited once.
//
//   parameter T(tunable = true) = 0.1, k(tunable = true) = 2, k2 = 2*k
//   sample every T                       T: an error, the sampled system depends on it; k2 is tunable, too
//
// Reference: FMI 2.0, 2.2.7, variability.
#include <algorithm>
#include <cmath>

#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/walk.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Op;
using equations::VariableKind;

namespace {

class Tunable {
 public:
  Tunable(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics)
      : plan_(plan), m_(plan.system.model), options_(options), diagnostics_(diagnostics) {}

  bool run() {
    find_chosen();
    if (chosen_.empty() || diagnostics_.has_errors()) return !diagnostics_.has_errors();
    find_obstacles();
    for (const Choice& choice : chosen_) decide(choice);
    spread();
    return !diagnostics_.has_errors();
  }

 private:
  struct Choice {
    VarId variable;
    bool wanted;  // by name or attribute; otherwise "all"
  };
  struct Obstacle {
    const char* why = nullptr;  // null: none
    const char* here = nullptr;
    support::SourceRange where;
  };

  std::string quoted(VarId v) const { return "'" + m_.name_of(v) + "'"; }

  // ---- what is asked for

  void find_chosen() {
    bool all = false;
    std::vector<bool> named(m_.variables.size(), false);
    for (const std::string& name : options_.tunable) {
      if (name == "all")
        all = true;
      else if (!find_named(name, named))
        report_unknown(name);
    }
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      const std::optional<bool> attribute = m_.attributes_of(VarId{v}).tunable;
      const bool wanted = named[v] || attribute.value_or(false);
      if (wanted || (all && !attribute && m_.variables[v].kind == VariableKind::Parameter))
        chosen_.push_back({VarId{v}, wanted});
    }
  }

  // The variable of that name, or the elements of the array.
  bool find_named(const std::string& name, std::vector<bool>& named) const {
    bool found = false;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      const std::string own = m_.name_of(VarId{v});
      if (own != name && !(own.starts_with(name) && own[name.size()] == '[' && own.back() == ']' &&
                           own.find('.', name.size()) == std::string::npos))
        continue;
      named[v] = found = true;
    }
    return found;
  }

  void report_unknown(const std::string& name) {
    std::vector<std::string> parameters;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v)
      if (m_.variables[v].kind == VariableKind::Parameter) parameters.push_back(m_.name_of(VarId{v}));
    support::Diagnostic& error = diagnostics_.error({}, "--tunable: there is no parameter '" + name + "'");
    if (const std::string near = support::nearest_name(name, parameters); !near.empty())
      error.remark("did you mean '" + near + "'?");
  }

  // ---- what cannot be

  void find_obstacles() {
    obstacle_.resize(m_.variables.size());
    block_of_.assign(m_.variables.size(), kNone);
    for (std::uint32_t b = 0; b < plan_.blocks.size(); ++b)
      for (const VarId v : plan_.blocks[b].unknowns) block_of_[index(v)] = b;
    for (const equations::SampledSystem& sample : m_.samples)
      for (const Expr times : {sample.every, sample.offset})
        block(times, {"the instants of a sampled system depend on it", "it is sampled here", sample.where});
    for (const equations::FlatEquation& e : m_.equations)
      for (const Expr side : {e.left, e.right}) block_delays(side, e.origin.where);
    for (const equations::WhenClause& when : m_.whens)
      for (const equations::WhenBranch& branch : when.branches) {
        block_delays(branch.condition, when.where);
        for (const equations::WhenAction& action : branch.actions) block_delays(action.value, action.where);
      }
    for (const auto* checks : {&m_.validity, &m_.terminations})
      for (const equations::Check& check : *checks) block_delays(check.condition, check.where);
  }

  void block_delays(Expr e, support::SourceRange where) {
    if (!e) return;
    equations::post_order(
        e, [&](Expr node) { return seen_.contains(node); },
        [&](Expr node) {
          seen_[node] = true;
          if (node->op() == Op::Delay)
            block(node->child(node->size() > 2 ? 2 : 1),
                  {"how much a delay remembers depends on it", "the delay is here", where});
        });
  }

  // Everything that e follows from.
  void block(Expr e, const Obstacle& why) {
    if (!e) return;
    std::vector<VarId> work;
    occurrences_.variables(e, work);
    while (!work.empty()) {
      const VarId v = work.back();
      work.pop_back();
      if (obstacle_[index(v)].why) continue;
      obstacle_[index(v)] = why;
      if (m_[v].binding) occurrences_.variables(m_[v].binding, work);
      const Alias& alias = plan_.system.alias[index(v)];
      if (alias.constant) continue;
      const std::uint32_t b = block_of_[index(alias.root)];
      if (b == kNone || plan_.blocks[b].section != Section::Parameter) continue;
      for (const std::uint32_t k : plan_.blocks[b].equations)
        for (const Expr side : {plan_.system.equations[k].left, plan_.system.equations[k].right})
          occurrences_.variables(side, work);
    }
  }

  // Parameters of the FMU that its value is computed from.
  std::vector<VarId> sources(VarId v) {
    std::vector<VarId> found;
    if (m_[v].binding) occurrences_.variables(m_[v].binding, found);
    std::erase_if(found, [&](VarId used) {
      return m_[used].kind != VariableKind::Parameter || m_[used].frozen != equations::Frozen::No;
    });
    return found;
  }

  void decide(const Choice& choice) {
    const VarId v = choice.variable;
    equations::Variable& variable = m_[v];
    const Obstacle& obstacle = obstacle_[index(v)];
    if (variable.kind != VariableKind::Parameter) return refuse(choice, "it is no parameter");
    if (variable.frozen == equations::Frozen::Structure) return refuse(choice, "it shapes the equations");
    if (variable.frozen == equations::Frozen::ZeroParameter)
      return refuse(choice, "its being zero shapes the equations");
    if (!m_.attributes_of(v).fixed.value_or(true)) return refuse(choice, "the equations at the start determine it");
    if (obstacle.why) return refuse(choice, obstacle.why, obstacle.here, obstacle.where);
    const std::vector<VarId> from = sources(v);
    if (variable.binding && (!from.empty() || std::isnan(variable.value))) {
      if (choice.wanted)
        refuse(choice, from.empty() ? "a function computes it" : "it follows from " + quoted(from[0]),
               from.empty() ? nullptr : "where this is tunable, what follows from it is, too",
               from.empty() ? support::SourceRange() : m_[from[0]].where);
      return;
    }
    variable.tunable = true;
  }

  void refuse(const Choice& choice, const std::string& why, const char* here = nullptr,
              support::SourceRange where = {}) {
    if (!choice.wanted) {
      if (m_[choice.variable].frozen == equations::Frozen::No)  // the others are constants, which is said elsewhere
        plan_.notes.push_back(quoted(choice.variable) + " is not tunable: " + why);
      return;
    }
    support::Diagnostic& error =
        diagnostics_.error(m_[choice.variable].where, quoted(choice.variable) + " cannot be tunable: " + why);
    if (here) error.remark(where, here);
  }

  // ---- what follows

  void spread() {
    std::vector<std::vector<std::uint32_t>> users(m_.variables.size());
    std::vector<std::uint32_t> work;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      const equations::Variable& variable = m_.variables[v];
      if (variable.tunable) work.push_back(v);
      const bool computed = variable.kind == VariableKind::Parameter && variable.frozen == equations::Frozen::No &&
                            m_.attributes_of(VarId{v}).fixed.value_or(true);
      if (!computed) continue;
      for (const VarId used : sources(VarId{v})) users[index(used)].push_back(v);
    }
    while (!work.empty()) {
      const std::uint32_t v = work.back();
      work.pop_back();
      for (const std::uint32_t user : users[v]) {
        if (m_.variables[user].tunable) continue;
        m_.variables[user].tunable = true;
        work.push_back(user);
      }
    }
  }

  SimulationPlan& plan_;
  FlatModel& m_;
  const PlanOptions& options_;
  support::Diagnostics& diagnostics_;
  std::vector<Choice> chosen_;
  std::vector<Obstacle> obstacle_;       // by variable
  std::vector<std::uint32_t> block_of_;  // by variable
  equations::NodeMap<bool> seen_;
  equations::Occurrences occurrences_;
};

}  // namespace

bool choose_tunable(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics) {
  return Tunable(plan, options, diagnostics).run();
}

}  // namespace fmugen::structure
