// Sampled systems: their equations hold at their instants and are sorted like all others.
//
// At an instant the states x of a sampled system are known; unknown are its other variables and new(x), the states at
// the next instant, which get variables of their own. Continuous variables are read as they are at the instant.
//
//   new(xi) = a*xi + b*e, u = c*xi + d*e      unknown new(xi), u     known xi, e (continuous: e = r - y)
//
// Systems have common instants if they have one period, or periods that are multiples of a common one and offsets that
// differ by multiples of it: 0.2 and 0.3 from 0 on meet at 0, 0.6, 1.2, ...
// Two systems with common instants may read each other's outputs, directly or through continuous equations. That is in
// order as long as the blocks of all of them, together with the continuous blocks between, can be put in an order; if
// they cannot, there is an algebraic loop, which is an error: y1 = u1, u1 = y2, y2 = u2, u2 = y1. A loop through new(x)
// is none. Systems come out in such an order that those read by others come first; where two systems feed each other at
// different blocks, computing all of them once more, until nothing changes, gives the same result as sorting by block.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"
#include "fmugen/structure/resolve.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Op;
using equations::VariableKind;

namespace {

std::string describe(const System& s, std::uint32_t sample) {
  const std::string path = s.model.path(s.model.samples[sample].instance);
  return path.empty() ? "the sampled model" : "'" + path + "'";
}

// ---- one system -----------------------------------------------------------------------------------------------------

class Sorter {
 public:
  Sorter(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics)
      : s_(plan.system),
        options_(options),
        diagnostics_(diagnostics),
        resolve_(plan.system),
        states_(plan.selection.states.begin(), plan.selection.states.end()) {}

  // The equations and variables of every system.
  std::vector<SampledPlan> read() {
    FlatModel& model = s_.model;
    std::vector<SampledPlan> systems(model.samples.size());
    for (std::uint32_t k = 0; k < systems.size(); ++k) systems[k].sample = k;
    members_.resize(systems.size());
    for (std::uint32_t v = 0; v < model.variables.size(); ++v)
      if (const equations::Variable& variable = model.variables[v]; variable.sample >= 0 && is_computed(variable.kind))
        members_[static_cast<std::size_t>(variable.sample)].push_back(VarId{v});
    for (std::uint32_t k = 0; k < model.equations.size(); ++k) {
      const equations::FlatEquation e = model.equations[k];
      if (e.sample < 0) {
        check_continuous(e);
        continue;
      }
      SampledPlan& system = systems[static_cast<std::size_t>(e.sample)];
      const Expr left = with_next(resolve_(e.left), e, system), right = with_next(resolve_(e.right), e, system);
      for (const Expr side : {left, right})
        if (const auto x = Resolver::missing_derivative(side))
          diagnostics_.error(e.origin.where, "der(" + s_.name(*x) + ") cannot be used here: no equation contains it");
      system.equations.push_back({left, right, k, 0});
    }
    for (SampledPlan& system : systems)
      for (const equations::Overwrite& o : model.samples[system.sample].overwrites) overwrite(o, system);
    return systems;
  }

  bool sort(SampledPlan& system) {
    const std::set<VarId> states(system.states.begin(), system.states.end());
    std::vector<VarId> unknowns = system.next;
    for (const VarId v : members_[system.sample])
      if (!states.contains(v)) unknowns.push_back(v);
    const std::string what = "the equations of " + describe(s_, system.sample);
    return sort_and_solve(s_, system.equations, unknowns, options_, what, system.blocks, diagnostics_);
  }

 private:
  static bool is_computed(VariableKind kind) {
    return kind == VariableKind::Local || kind == VariableKind::Terminal || kind == VariableKind::Output;
  }

  // x := value, where x = -y and y is the state, sets y to -value.
  void overwrite(const equations::Overwrite& o, SampledPlan& system) {
    const Alias& a = s_.alias[index(o.state)];
    if (a.constant || !states_.contains(a.root)) {
      diagnostics_.error(s_.model[o.value].where, "'" + s_.name(o.state) + "' is not a state, so it cannot be set")
          .remark(s_.model[o.state].where, "other variables determine it; declared here");
      return;
    }
    system.overwrites.push_back({a.root, o.value});
    if (a.sign > 0) return;
    for (SystemEquation& e : system.equations)
      if (e.left->op() == Op::Variable && e.left->variable() == o.value) e.right = s_.model.pool.neg(e.right);
  }

  // new(x) becomes a variable.
  Expr with_next(Expr e, const equations::FlatEquation& equation, SampledPlan& system) {
    return equations::substitute(s_.model.pool, e, [&](Expr leaf) -> Expr {
      if (leaf->op() != Op::New) return nullptr;
      if (leaf->child(0)->op() != Op::Variable) return leaf;
      const VarId x = leaf->child(0)->variable();
      if (s_.model[x].sample != equation.sample || s_.model[x].kind == VariableKind::Discrete) {
        diagnostics_
            .error(equation.origin.where,
                   "new(" + s_.name(x) + "): '" + s_.name(x) + "' is no variable of " + describe(s_, system.sample))
            .remark(s_.model[x].where, "declared here");
        return leaf;
      }
      return s_.model.pool.variable(next_of(x, system));
    });
  }

  VarId next_of(VarId x, SampledPlan& system) {
    const auto known = next_.find(index(x));
    if (known != next_.end()) return known->second;
    equations::Variable v;
    v.local_name = "new(" + s_.model[x].local_name + ")";
    v.instance = s_.model[x].instance;
    v.kind = VariableKind::Discrete;
    v.type = s_.model[x].type;
    v.sample = s_.model[x].sample;
    v.where = s_.model[x].where;
    v.auxiliary = true;
    v.next_of = index(x);
    const VarId added{static_cast<std::uint32_t>(s_.model.variables.size())};
    s_.model.variables.push_back(std::move(v));
    s_.derivative.push_back(kNone);
    s_.integral.push_back(kNone);
    s_.alias.push_back({added, 1, false, 0});
    next_.emplace(index(x), added);
    system.states.push_back(x);
    system.next.push_back(added);
    return added;
  }

  void check_continuous(const equations::FlatEquation& e) {
    leaves_.clear();
    occurrences_.leaves(e.left, leaves_);
    occurrences_.leaves(e.right, leaves_);
    for (const Expr leaf : leaves_)
      if (leaf->op() == Op::New && !diagnostics_.full())
        diagnostics_.error(e.origin.where, "'new' has a meaning in discrete models only")
            .in(s_.model.path(e.origin.instance));
  }

  System& s_;
  const PlanOptions& options_;
  support::Diagnostics& diagnostics_;
  Resolver resolve_;
  std::set<VarId> states_;  // of the continuous part
  equations::Occurrences occurrences_;
  std::vector<Expr> leaves_;
  std::vector<std::vector<VarId>> members_;  // by system: its variables
  std::map<std::uint32_t, VarId> next_;
};

// ---- which systems have common instants -----------------------------------------------------------------------------

struct Instants {
  double every = 0, offset = 0;  // every is not positive: no instants, or computed by the system
  bool computed = false;         // nobody knows when: it may meet any other system
};

constexpr double kRounding = 1e-9;  // of periods, relative: 0.3 is three times 0.1

// The largest number of which both are multiples, by Euclid's method; 0 if there is none worth speaking of.
double common_measure(double a, double b) {
  const double least = kRounding * std::max(a, b);
  while (b > least) {
    const double rest = std::fmod(a, b);
    a = std::exchange(b, b - rest < least ? 0 : rest);
  }
  return a > 1e3 * least ? a : 0;
}

// offset1 + i*every1 = offset2 + k*every2 for some i and k. Systems of which any two have a common instant have one all
// together, since this is a matter of remainders.
bool coincide(const Instants& a, const Instants& b) {
  if (!(a.every > 0) || !(b.every > 0)) return false;
  const double apart = std::abs(a.offset - b.offset), least = kRounding * std::max(a.every, b.every);
  if (apart <= least) return true;
  const double measure = common_measure(a.every, b.every);
  return measure > 0 && std::abs(std::remainder(apart, measure)) <= least;
}

// At the values that parameters have now.
std::vector<Instants> instants_of(const SimulationPlan& plan) {
  const FlatModel& model = plan.system.model;
  equations::Values values;
  values.variable = [&](VarId v) { return model[v].value; };
  values.time = model.experiment.start;
  std::vector<Instants> found;
  for (const SampledPlan& system : plan.sampled) {
    const equations::SampledSystem& sample = model.samples[system.sample];
    const double every = sample.every ? equations::evaluate(sample.every, values) : 0;
    const double offset = sample.offset ? equations::evaluate(sample.offset, values) : model.experiment.start;
    found.push_back({offset == offset ? every : 0, offset, !sample.every});
  }
  return found;
}

// Systems that may meet, directly or through others. Those of equal instants are one when pairs are compared. If one
// computes its instants, all are together: their order then holds whenever they meet.
std::vector<std::vector<std::uint32_t>> by_instants(const std::vector<Instants>& instants) {
  std::map<std::pair<double, double>, std::uint32_t> known;
  std::vector<std::vector<std::uint32_t>> groups;
  if (std::any_of(instants.begin(), instants.end(), [](const Instants& i) { return i.computed; })) {
    groups.emplace_back(instants.size());
    std::iota(groups[0].begin(), groups[0].end(), 0u);
    return groups;
  }
  for (std::uint32_t k = 0; k < instants.size(); ++k) {
    const auto [at, added] =
        known.emplace(std::pair(instants[k].every, instants[k].offset), static_cast<std::uint32_t>(groups.size()));
    if (added || !(instants[k].every > 0))
      groups.push_back({k});
    else
      groups[at->second].push_back(k);
  }
  std::vector<std::vector<std::uint32_t>> joined;
  for (auto& group : groups) {
    std::vector<std::uint32_t> now = std::move(group);
    std::erase_if(joined, [&](std::vector<std::uint32_t>& other) {
      const bool meets = std::any_of(other.begin(), other.end(),
                                     [&](std::uint32_t k) { return coincide(instants[k], instants[now.front()]); });
      if (meets) now.insert(now.end(), other.begin(), other.end());
      return meets;
    });
    std::sort(now.begin(), now.end());
    joined.push_back(std::move(now));
  }
  std::sort(joined.begin(), joined.end());
  return joined;
}

// ---- several systems with common instants ---------------------------------------------------------------------------

// The blocks of the systems of a group and the continuous blocks, as rows; a row contains the variables its block
// determines and those it reads.
class SharedInstants {
 public:
  SharedInstants(const SimulationPlan& plan, const std::vector<Instants>& instants, std::vector<std::uint32_t> members)
      : p_(plan), s_(plan.system), instants_(instants), members_(std::move(members)) {
    for (const Block& block : p_.blocks) nodes_.push_back({&block, &s_.equations, kNone});
    for (const std::uint32_t m : members_)
      for (const Block& block : p_.sampled[m].blocks) nodes_.push_back({&block, &p_.sampled[m].equations, m});
    std::vector<std::uint32_t> writer(s_.model.variables.size(), kNone);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      for (const VarId v : nodes_[n].block->unknowns) writer[index(v)] = n;
    graph_.columns = static_cast<std::uint32_t>(nodes_.size());  // a column for each block: what it determines
    std::vector<std::uint32_t> stamp(nodes_.size(), kNone), row;
    std::vector<VarId> found;  // pre(x) and delayed values are known
    equations::Occurrences occurrences;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      row.assign(1, n);
      stamp[n] = n;
      found.clear();
      for (const std::uint32_t k : nodes_[n].block->equations) {
        occurrences.present((*nodes_[n].equations)[k].left, found);
        occurrences.present((*nodes_[n].equations)[k].right, found);
      }
      for (const VarId v : found) {
        const std::uint32_t w = writer[index(v)];
        if (w == kNone || stamp[w] == n) continue;
        stamp[w] = n;
        row.push_back(w);
      }
      graph_.add_row(row);
    }
    order_ = block_order(graph_, each_its_own(graph_.columns));
  }

  // False after an error.
  bool check(support::Diagnostics& diagnostics) const {
    bool good = true;
    for (const auto& loop : order_) {
      if (loop.size() == 1 || !meet(loop)) continue;
      good = false;
      report(loop, diagnostics);
    }
    return good;
  }

  // Members so that what is read comes first, if systems can be ordered as a whole.
  std::vector<std::uint32_t> order() const {
    std::map<std::uint32_t, std::uint32_t> row_of;  // continuous blocks keep their numbers, each system is one row
    const auto first = static_cast<std::uint32_t>(p_.blocks.size());
    for (const std::uint32_t m : members_) row_of.emplace(m, first + static_cast<std::uint32_t>(row_of.size()));
    const auto row_of_node = [&](std::uint32_t n) {
      return nodes_[n].member == kNone ? n : row_of.at(nodes_[n].member);
    };
    std::vector<std::vector<std::uint32_t>> rows(first + members_.size());
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      for (const std::uint32_t w : graph_.row(n)) rows[row_of_node(n)].push_back(row_of_node(w));
    Incidence systems;
    systems.columns = static_cast<std::uint32_t>(rows.size());
    for (auto& row : rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      systems.add_row(row);
    }
    std::vector<std::uint32_t> sorted;
    for (const auto& group : block_order(systems, each_its_own(systems.columns)))
      for (const std::uint32_t r : group)
        if (r >= first) sorted.push_back(members_[r - first]);
    return sorted;
  }

 private:
  struct Node {
    const Block* block;
    const std::vector<SystemEquation>* equations;
    std::uint32_t member;  // kNone: continuous
  };

  static Matching each_its_own(std::uint32_t count) {
    Matching own;
    own.column_of_row.resize(count);
    std::iota(own.column_of_row.begin(), own.column_of_row.end(), 0u);
    own.row_of_column = own.column_of_row;
    own.size = count;
    return own;
  }

  std::set<std::uint32_t> systems_of(const std::vector<std::uint32_t>& loop) const {
    std::set<std::uint32_t> systems;
    for (const std::uint32_t n : loop)
      if (nodes_[n].member != kNone) systems.insert(nodes_[n].member);
    return systems;
  }

  // Whether there is an instant at which all systems of a loop are sampled: others use values that were computed before.
  bool meet(const std::vector<std::uint32_t>& loop) const {
    std::vector<Instants> different;
    for (const std::uint32_t m : systems_of(loop)) {
      const auto same = [&](const Instants& i) {
        return i.every == instants_[m].every && i.offset == instants_[m].offset;
      };
      if (std::none_of(different.begin(), different.end(), same)) different.push_back(instants_[m]);
    }
    for (std::size_t k = 1; k < different.size(); ++k)
      for (std::size_t i = 0; i < k; ++i)
        if (!coincide(different[i], different[k])) return false;
    return true;
  }

  void report(const std::vector<std::uint32_t>& loop, support::Diagnostics& diagnostics) const {
    const std::set<std::uint32_t> systems = systems_of(loop);
    std::string text;
    for (const std::uint32_t m : systems) text += (text.empty() ? "" : ", ") + describe(s_, p_.sampled[m].sample);
    const auto& first = s_.model.samples[p_.sampled[*systems.begin()].sample];
    auto& error = diagnostics.error(
        first.where, systems.size() == 1 ? "an algebraic loop leads from the outputs of " + text + " to its inputs"
                                         : "an algebraic loop leads through systems sampled together: " + text);
    constexpr std::size_t kShown = 8;
    const equations::Names names = equations::names_of(s_.model);
    for (std::size_t k = 0; k < std::min(loop.size(), kShown); ++k) {
      const Node& node = nodes_[loop[k]];
      const auto& flat = s_.model.equations[(*node.equations)[node.block->equations.front()].flat];
      error.remark(flat.origin.where, "part of it: " + equations::to_text(flat, names));
    }
    error.remark("let one of them use a value of the instant before: a variable x with an equation for new(x)");
  }

  const SimulationPlan& p_;
  const System& s_;
  const std::vector<Instants>& instants_;
  std::vector<std::uint32_t> members_;
  std::vector<Node> nodes_;
  Incidence graph_;
  std::vector<std::vector<std::uint32_t>> order_;
};

}  // namespace

bool sort_sampled(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics) {
  Sorter sorter(plan, options, diagnostics);
  std::vector<SampledPlan> systems = sorter.read();
  if (diagnostics.has_errors()) return false;
  bool good = true;
  for (SampledPlan& system : systems) good = sorter.sort(system) && good;
  if (!good) return false;
  plan.sampled = std::move(systems);
  std::vector<std::uint32_t> order;
  const std::vector<Instants> instants = instants_of(plan);
  for (const auto& members : by_instants(instants)) {
    const SharedInstants group(plan, instants, members);
    if (!group.check(diagnostics)) good = false;
    for (const std::uint32_t m : group.order()) order.push_back(m);
  }
  if (!good) return false;
  std::vector<SampledPlan> sorted;
  for (const std::uint32_t m : order) sorted.push_back(std::move(plan.sampled[m]));
  plan.sampled = std::move(sorted);
  return true;
}

}  // namespace fmugen::structure
