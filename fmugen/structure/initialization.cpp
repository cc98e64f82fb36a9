// The system at the start: which conditions hold there besides the equations, and in which order all is computed.
//
// Unknown are all variables, also the states, the discrete variables, the variables of sampled systems and parameters
// that are not fixed. The equations of the system leave as many of them open as there are states. Conditions close the
// gap, taken in this order until nothing is open:
//
//   1. initial equations: each must find something to determine, or hold anyhow
//   2. given values, der(x, x0), new(x, x0), discrete k = 0 and fixed starts: likewise
//   3. with --steady: der(x) = 0 for each state without a given value
//   4. start values of states, in the order of the model, first those that were written, then zero
//   5. start values of discrete and sampled variables, values of parameters that are not fixed
//
// States that are chosen while the simulation runs stand for other variables and have no start of their own. The
// candidates chosen before the start take their place, after them the other candidates.
//
// A condition is one more row of the incidence graph. It is independent of those before it exactly if the matching can
// be extended by it along an alternating path. The rows for which this is possible form a matroid, so that taking them
// one by one in order of preference never has to be regretted, and since all states known make the system square, step
// 4 always ends with a square system. A search that fails has visited columns from which no free column can be reached;
// that stays so, and they are never visited again: all failures together cost one pass over the graph.
//
//   T*der(x) = u - x, initial der(x) = 0     x = 0 would be a second condition for {x, der(x)}: not taken
//
// The search starts from the matching behind the blocks, in which only the states are free. In the usual case, where
// each state has its own condition, there is nothing to search: the blocks are those of the simulation.
//
// Edmonds, J. and Fulkerson, D. R. (1965): Transversals and matroid partition. J. Res. Nat. Bur. Standards 69B.
#include <algorithm>
#include <cmath>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"
#include "fmugen/equations/walk.h"
#include "fmugen/structure/start_conditions.h"

namespace fmugen::structure {

using equations::Op;
using equations::VariableKind;
using Start = InitialPlan::Start;

namespace {

// At the start nothing has happened yet: pre(x) is x, and what is delayed has always been as it is now.
Expr without_past(equations::ExprPool& pool, Expr e) {
  const auto enter = [](Expr) -> Expr { return nullptr; };
  const auto leave = [](Expr x) -> Expr { return x->op() == Op::Pre || x->op() == Op::Delay ? x->child(0) : x; };
  return equations::Rewriter(pool, enter, leave)(e);
}

class Initialization {
 public:
  Initialization(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics)
      : p_(plan),
        s_(plan.system),
        pool_(s_.model.pool),
        options_(options),
        diagnostics_(diagnostics),
        resolve_(s_),
        conditions_(s_, resolve_, diagnostics) {}

  bool run() {
    read_initial_equations();
    if (diagnostics_.has_errors()) return false;
    find_unknowns();
    if (is_usual()) {
      take_simulation_blocks();
    } else {
      read_system();
      choose();
      if (!finish()) return false;
    }
    std::vector<bool> begins_so(s_.model.variables.size(), false);
    for (const Start& start : p_.initial.starts)
      if (start.reason == Start::Guess && state_[index(start.variable)]) begins_so[index(start.variable)] = true;
    conditions_.warn_of_unused(begins_so);
    return true;
  }

 private:
  struct Row {
    SystemEquation equation;
    std::uint32_t written = kNone;  // initial equation
    std::uint32_t condition = kNone;
  };

  void read_initial_equations() {
    const auto count = static_cast<std::uint32_t>(s_.model.initial_equations.size());
    for (std::uint32_t k = 0; k < count; ++k) {
      const equations::FlatEquation& e = s_.model.initial_equations[k];
      const SystemEquation resolved{resolve_(e.left), resolve_(e.right), kNone, 0};
      for (const Expr side : {resolved.left, resolved.right})
        if (const auto x = Resolver::missing_derivative(side))
          diagnostics_
              .error(e.origin.where, "der(" + s_.name(*x) + ") cannot be used at the start: no equation contains it")
              .in(s_.model.path(e.origin.instance))
              .remark(s_.model[*x].where, "'" + s_.name(*x) + "' is not differentiated in the model, and no equation determines it");
      initial_.push_back(resolved);
    }
  }

  bool is_free_parameter(VarId v) const {
    const auto& variable = s_.model[v];
    return variable.kind == VariableKind::Parameter && variable.frozen == equations::Frozen::No &&
           !s_.model.attributes_of(v).fixed.value_or(true);
  }

  // Keeps its value from the start until an event: not determined by the equations of the system.
  bool is_held(VarId v) const {
    const auto& variable = s_.model[v];
    if (variable.next_of != kNone || is_selection(s_, v)) return false;
    if (variable.kind == VariableKind::Discrete) return true;
    return variable.sample >= 0 && (variable.kind == VariableKind::Local || variable.kind == VariableKind::Output ||
                                    variable.kind == VariableKind::Terminal);
  }

  void find_unknowns() {
    state_.assign(s_.model.variables.size(), false);
    for (const VarId v : p_.selection.states) state_[index(v)] = true;
    std::vector<bool> of_set(s_.model.variables.size(), false);
    for (const StateSet& set : p_.selection.dynamic) {
      for (const VarId v : set.states) of_set[index(v)] = true;
      std::vector<bool> chosen(set.candidates.size(), false);
      for (const std::uint32_t i : set.chosen) chosen[i] = true;
      for (std::uint32_t i = 0; i < set.candidates.size(); ++i)
        (chosen[i] ? starting_ : others_).push_back(set.candidates[i]);
    }
    std::vector<VarId> own;
    for (const VarId v : p_.selection.states)
      if (!of_set[index(v)]) own.push_back(v);
    starting_.insert(starting_.begin(), own.begin(), own.end());
    for (std::uint32_t k = 0; k < s_.model.variables.size(); ++k) {
      const VarId v{k};
      const bool held = is_held(v) || is_free_parameter(v);
      if (held) held_.push_back(v);
      if (held || (is_unknown(s_, v) && s_.alias[k].root == v && !s_.alias[k].constant)) unknowns_.push_back(v);
    }
  }

  // Whether each state has one condition, which depends on nothing that is unknown, and the equations do not look back.
  bool is_usual() {
    if (!initial_.empty() || options_.steady || !p_.selection.dynamic.empty() ||
        std::any_of(held_.begin(), held_.end(), [&](VarId v) { return s_.model[v].kind == VariableKind::Parameter; }))
      return false;
    const auto depends = [&](Expr value) {
      found_.clear();
      occurrences_.variables(value, found_);
      return std::any_of(found_.begin(), found_.end(), [&](VarId v) { return is_unknown(s_, v) || is_held(v); });
    };
    for (const Condition& c : conditions_.given())
      if ((!state_[index(c.start.variable)] && !is_held(c.start.variable)) || depends(c.start.value)) return false;
    for (const VarId v : unknowns_)
      if (state_[index(v)] && conditions_.has_start(v) && depends(conditions_.guess(v).start.value)) return false;
    for (const VarId v : held_)
      if (conditions_.has_start(v) && depends(conditions_.guess(v).start.value)) return false;
    std::vector<Expr> leaves;
    for (const SystemEquation& e : s_.equations) {
      leaves.clear();
      occurrences_.leaves(e.left, leaves);
      occurrences_.leaves(e.right, leaves);
      for (const Expr leaf : leaves)
        if (leaf->op() != Op::Variable) return false;
    }
    return true;
  }

  void take_simulation_blocks() {
    InitialPlan& initial = p_.initial;
    initial.equations = s_.equations;
    const auto add = [&](const Condition& c) {
      const VarId v = c.start.variable;
      Block block;
      block.unknowns = {v};
      block.equations = {static_cast<std::uint32_t>(initial.equations.size())};
      block.assignments = {{v, c.start.value, block.equations[0]}};
      initial.equations.push_back({pool_.variable(v), c.start.value, kNone, 0});
      initial.starts.push_back(c.start);
      initial.blocks.push_back(std::move(block));
    };
    for (const Condition& c : conditions_.given()) add(c);
    for (const bool written : {true, false})
      for (const VarId v : p_.selection.states)
        if (!conditions_.is_given(v) && conditions_.has_start(v) == written) add(conditions_.guess(v));
    for (const VarId v : held_)
      if (!conditions_.is_given(v)) add(conditions_.guess(v));
    initial.blocks.insert(initial.blocks.end(), p_.blocks.begin(), p_.blocks.end());
  }

  // ---- matching

  void read_system() {
    column_of_.assign(s_.model.variables.size(), kNone);
    for (std::uint32_t c = 0; c < unknowns_.size(); ++c) column_of_[index(unknowns_[c])] = c;
    graph_.columns = static_cast<std::uint32_t>(unknowns_.size());
    stamp_.assign(unknowns_.size(), 0);
    for (const SystemEquation& e : s_.equations) add_row({e, kNone, kNone});
    matching_.column_of_row.assign(graph_.rows(), kNone);
    matching_.row_of_column.assign(graph_.columns, kNone);
    for (const Block& block : p_.blocks)
      for (std::size_t k = 0; k < block.equations.size(); ++k) {
        const std::uint32_t r = block.equations[k], c = column_of_[index(block.unknowns[k])];
        const auto row = graph_.row(r);
        if (std::find(row.begin(), row.end(), c) == row.end()) continue;
        matching_.column_of_row[r] = c;
        matching_.row_of_column[c] = r;
        ++matching_.size;
      }
  }

  void add_row(Row row) {
    row.equation.left = without_past(pool_, row.equation.left);
    row.equation.right = without_past(pool_, row.equation.right);
    ++stamped_;  // rows may be taken back, so their numbers are no stamps
    found_.clear();
    occurrences_.variables(row.equation.left, found_);
    occurrences_.variables(row.equation.right, found_);
    entries_.clear();
    for (const VarId v : found_) {
      const std::uint32_t c = column_of_[index(v)];
      if (c == kNone || stamp_[c] == stamped_) continue;
      stamp_[c] = stamped_;
      entries_.push_back(c);
    }
    graph_.add_row(entries_);
    rows_.push_back(row);
  }

  void add_condition(const Condition& c) {
    VarId v = c.start.variable;
    if (c.start.reason == Start::Steady) v = VarId{s_.derivative[index(v)]};
    add_row({{pool_.variable(v), c.start.value, kNone, 0}, kNone, static_cast<std::uint32_t>(chosen_.size())});
    chosen_.push_back(c);
  }

  void choose() {
    for (std::uint32_t k = 0; k < initial_.size(); ++k) add_row({initial_[k], k, kNone});
    matching_ = maximum_matching(graph_, &matching_);
    for (const Condition& c : conditions_.given()) add_condition(c);
    matching_ = maximum_matching(graph_, &matching_);
    seen_.assign(graph_.columns, 0);
    for (const auto* variables : {&starting_, &others_}) {
      if (options_.steady)
        for (const VarId v : *variables)
          if (!conditions_.is_given(v)) try_condition({{v, pool_.number(0), Start::Steady}, v, s_.model[v].where});
      for (const bool written : {true, false})
        for (const VarId v : *variables)
          if (!conditions_.is_given(v) && conditions_.has_start(v) == written) try_condition(conditions_.guess(v));
    }
    for (const VarId v : held_)
      if (!conditions_.is_given(v)) try_condition(conditions_.guess(v));
  }

  void try_condition(const Condition& c) {
    if (matching_.size == graph_.columns) return;
    add_condition(c);
    matching_.column_of_row.push_back(kNone);
    if (augment(graph_.rows() - 1)) return;
    graph_.entries.resize(graph_.start[graph_.rows() - 1]);
    graph_.start.pop_back();
    rows_.pop_back();
    chosen_.pop_back();
    matching_.column_of_row.pop_back();
  }

  // An alternating path from a new row to a free column. Columns visited in vain are not visited again.
  bool augment(std::uint32_t start) {
    ++walk_;
    struct Frame {
      std::uint32_t row;
      std::size_t next;
    };
    std::vector<Frame> stack{{start, 0}};
    std::vector<std::uint32_t> through, visited;
    while (!stack.empty()) {
      Frame& top = stack.back();
      const auto row = graph_.row(top.row);
      std::uint32_t step = kNone;
      if (top.next == 0)
        for (const std::uint32_t c : row)
          if (matching_.row_of_column[c] == kNone) step = c;
      while (step == kNone && top.next < row.size()) {
        const std::uint32_t c = row[top.next++];
        if (seen_[c] != kDead && seen_[c] != walk_) step = c;
      }
      if (step == kNone) {
        stack.pop_back();
        if (!through.empty()) through.pop_back();
        continue;
      }
      seen_[step] = walk_;
      visited.push_back(step);
      through.push_back(step);
      if (matching_.row_of_column[step] == kNone) {
        for (std::size_t k = 0; k < stack.size(); ++k) {
          matching_.column_of_row[stack[k].row] = through[k];
          matching_.row_of_column[through[k]] = stack[k].row;
        }
        ++matching_.size;
        return true;
      }
      stack.push_back({matching_.row_of_column[step], 0});
    }
    for (const std::uint32_t c : visited) seen_[c] = kDead;
    return false;
  }

  // ---- reports

  std::string text_of(const Row& row) const {
    const equations::Names names = equations::names_of(s_.model);
    if (row.written != kNone) return "initial " + equations::to_text(s_.model.initial_equations[row.written], names);
    const Condition& c = chosen_[row.condition];
    return s_.name(c.start.variable) + " = " + equations::to_text(c.start.value, names);
  }
  support::SourceRange where_of(const Row& row) const {
    return row.written != kNone ? s_.model.initial_equations[row.written].origin.where : chosen_[row.condition].where;
  }

  void report(std::uint32_t r) {
    auto& error = diagnostics_.error(where_of(rows_[r]),
                                     "too many initial conditions: nothing is left for this one to "
                                     "determine: " +
                                         text_of(rows_[r]));
    constexpr std::size_t kShown = 6;
    std::size_t others = 0;
    for (const std::uint32_t other : overdetermined_group(graph_, matching_, r).rows) {
      if (other == r || other < s_.equations.size() || !is_explicit(rows_[other])) continue;
      if (++others <= kShown)
        error.remark(where_of(rows_[other]), "it could be free if this were not given: " + text_of(rows_[other]));
    }
    if (others > kShown) error.remark("or one of " + std::to_string(others - kShown) + " others");
    if (others == 0) error.remark("the equations of the model determine all it contains");
  }

  bool is_explicit(const Row& row) const {
    if (row.condition == kNone) return true;
    const Start::Reason reason = chosen_[row.condition].start.reason;
    return reason == Start::Given || reason == Start::Fixed;
  }

  bool finish() {
    InitialPlan& initial = p_.initial;
    std::vector<std::uint32_t> surplus;
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      if (matching_.column_of_row[r] == kNone) {
        surplus.push_back(r);
        continue;
      }
      initial.equations.push_back(rows_[r].equation);
      if (rows_[r].condition != kNone) initial.starts.push_back(chosen_[rows_[r].condition].start);
    }
    if (!sort_and_solve(s_, initial.equations, unknowns_, options_, "the equations at the start", initial.blocks,
                        diagnostics_))
      return false;
    return surplus.empty() || check_surplus(surplus);
  }

  // A condition that determines nothing may stay if it holds anyhow, at the values that parameters have now. Only
  // formulas are evaluated; what follows from a loop or an input is taken for a contradiction.
  bool check_surplus(const std::vector<std::uint32_t>& surplus) {
    std::vector<double> value;
    for (const auto& variable : s_.model.variables) value.push_back(variable.value);
    for (const VarId v : unknowns_) value[index(v)] = std::nan("");
    equations::Values values;
    values.variable = [&](VarId v) { return value[index(v)]; };
    values.time = s_.model.experiment.start;
    for (const Block& block : p_.initial.blocks) {
      if (block.assignments.size() != block.unknowns.size()) continue;
      for (const Assignment& a : block.assignments) value[index(a.unknown)] = equations::evaluate(a.value, values);
    }
    bool good = true;
    for (const std::uint32_t r : surplus) {
      const double left = equations::evaluate(rows_[r].equation.left, values);
      const double right = equations::evaluate(rows_[r].equation.right, values);
      constexpr double kRounding = 1e-9;
      if (std::abs(left - right) <= kRounding * std::max({std::abs(left), std::abs(right), kRounding})) {
        diagnostics_.note(where_of(rows_[r]),
                          "an initial condition follows from others and is not used: " + text_of(rows_[r]));
        continue;
      }
      good = false;
      if (!diagnostics_.full()) report(r);
    }
    return good;
  }

  static constexpr std::uint32_t kDead = kNone;  // in seen_

  SimulationPlan& p_;
  System& s_;
  equations::ExprPool& pool_;
  const PlanOptions& options_;
  support::Diagnostics& diagnostics_;
  Resolver resolve_;
  StartConditions conditions_;
  equations::Occurrences occurrences_;
  std::vector<VarId> found_;
  std::vector<SystemEquation> initial_;
  std::vector<VarId> unknowns_, held_;
  std::vector<VarId> starting_;  // states, or candidates in their place
  std::vector<VarId> others_;    // other candidates
  std::vector<bool> state_;
  Incidence graph_;
  Matching matching_;
  std::vector<Row> rows_;  // of the graph
  std::vector<Condition> chosen_;
  std::vector<std::uint32_t> column_of_, stamp_, seen_, entries_;
  std::uint32_t walk_ = 0, stamped_ = 0;
};

}  // namespace

bool plan_initialization(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics) {
  return Initialization(plan, options, diagnostics).run();
}

}  // namespace fmugen::structure
