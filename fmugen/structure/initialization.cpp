// The system at the start: which conditions hold there besides the equations, and in which order all is computed.
//
// Unknown are all variables, also the states, the discrete variables, the variables of sampled systems and parameters
// that are not fixed. The equations of the system leave as many of them open as there are states. Conditions close the
// gap, taken in this order until nothing is open:
//
//   1. initial equations                                                  all must find something to determine
//   2. given values: der(x, x0), new(x, x0), discrete k = 0, fixed starts  likewise
//   3. with --steady: der(x) = 0 for each state without a given value
//   4. start values of states, in the order of the model, first those that were written, then zero
//   5. start values of discrete and sampled variables, values of parameters that are not fixed
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
// Start values: Elmqvist (1978), section 5.4; matroids and matchings: Edmonds and Fulkerson (1965).
#include <algorithm>
#include <cmath>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"
#include "fmugen/equations/walk.h"
#include "fmugen/structure/resolve.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Op;
using equations::VariableKind;
using Start = InitialPlan::Start;

namespace {

struct Condition {
  Start start;
  VarId from{0};                 // the variable for which it was written, perhaps an alias
  support::SourceRange where;
};

// At the start nothing has happened yet: pre(x) is x, and what is delayed has always been as it is now.
Expr without_past(equations::ExprPool& pool, Expr e) {
  const auto enter = [](Expr) -> Expr { return nullptr; };
  const auto leave = [](Expr x) -> Expr { return x->op() == Op::Pre || x->op() == Op::Delay ? x->child(0) : x; };
  return equations::Rewriter(pool, enter, leave)(e);
}

// ---- what is known about each variable ------------------------------------------------------------------------------

class Conditions {
 public:
  Conditions(SimulationPlan& plan, Resolver& resolve, support::Diagnostics& diagnostics)
      : s_(plan.system), pool_(s_.model.pool), diagnostics_(diagnostics), resolve_(resolve) {
    const std::size_t n = s_.model.variables.size();
    given_of_.assign(n, kNone);
    start_.assign(n, nullptr);
    for (std::uint32_t v = 0; v < n; ++v) read(VarId{v});
  }

  const std::vector<Condition>& given() const { return given_; }
  bool is_given(VarId v) const { return given_of_[index(v)] != kNone; }
  bool has_start(VarId v) const { return start_[index(v)] != nullptr; }

  Condition guess(VarId v) {
    Expr value = start_[index(v)];
    const equations::Variable& variable = s_.model[v];
    if (!value && variable.kind == VariableKind::Parameter)
      value = variable.binding ? variable.binding : pool_.number(variable.value);
    if (!value) value = variable.type == equations::VariableType::Boolean ? pool_.boolean(false) : pool_.number(0);
    return {{v, value, Start::Guess}, v, variable.where};
  }

 private:
  void read(VarId v) {
    const equations::Variable& variable = s_.model[v];
    const equations::Attributes& attributes = s_.model.attributes_of(v);
    const bool fixed = attributes.fixed.value_or(false);
    if (!variable.initial && !attributes.start && !fixed) return;
    if (variable.kind == VariableKind::Constant || variable.kind == VariableKind::Parameter) return;
    if (variable.kind == VariableKind::Input && variable.boundary) return;
    Expr value = variable.initial ? variable.initial : attributes.start ? attributes.start : pool_.number(0);
    value = resolve_(value);
    if (const auto x = Resolver::missing_derivative(value)) {
      diagnostics_.error(variable.where, "der(" + s_.name(*x) + ") cannot be used in a start value: no equation contains it");
      return;
    }
    const Alias a = s_.alias[index(v)];
    const bool given = variable.initial || fixed;
    if (a.constant) {
      if (given) compare_constant(v, a.value, value);
      return;
    }
    if (a.sign < 0) value = pool_.neg(value);
    if (given)
      add_given({{a.root, value, variable.initial ? Start::Given : Start::Fixed}, v, variable.where});
    else if (!start_[index(a.root)] || a.root == v)
      start_[index(a.root)] = value;
  }

  void add_given(Condition condition) {
    std::uint32_t& place = given_of_[index(condition.start.variable)];
    if (place == kNone) {
      place = static_cast<std::uint32_t>(given_.size());
      given_.push_back(condition);
      return;
    }
    const Condition& other = given_[place];
    if (same(other.start.value, condition.start.value)) return;
    diagnostics_
        .error(condition.where, "'" + s_.name(condition.from) + "' and '" + s_.name(other.from) +
                                    "' are equal in absolute value, but have different initial values")
        .remark(other.where, "'" + s_.name(other.from) + "' is declared here");
  }

  void compare_constant(VarId v, double constant, Expr value) {
    if (same(pool_.number(constant), value)) return;
    diagnostics_.error(s_.model[v].where, "'" + s_.name(v) + "' is always " + equations::number_text(constant) +
                                              " and cannot have another initial value");
  }

  // Equal at the values that parameters have now.
  bool same(Expr a, Expr b) const {
    if (a == b) return true;
    equations::Values values;
    values.variable = [&](VarId v) { return s_.model[v].value; };
    values.time = s_.model.experiment.start;
    const double x = equations::evaluate(a, values), y = equations::evaluate(b, values);
    constexpr double kRounding = 1e-12;  // parameters computed from others
    return std::abs(x - y) <= kRounding * std::max(std::abs(x), std::abs(y));
  }

  System& s_;
  equations::ExprPool& pool_;
  support::Diagnostics& diagnostics_;
  Resolver& resolve_;
  std::vector<Condition> given_;
  std::vector<std::uint32_t> given_of_;  // by root
  std::vector<Expr> start_;              // by root: start value written, in terms of the root
};

// ---- the choice -----------------------------------------------------------------------------------------------------

class Initialization {
 public:
  Initialization(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics)
      : p_(plan), s_(plan.system), pool_(s_.model.pool), options_(options), diagnostics_(diagnostics), resolve_(s_),
        conditions_(plan, resolve_, diagnostics) {}

  bool run() {
    read_initial_equations();
    if (diagnostics_.has_errors()) return false;
    find_unknowns();
    if (is_usual()) {
      take_simulation_blocks();
      return true;
    }
    read_system();
    return choose() && finish();
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
              .remark(s_.model[*x].where, "'" + s_.name(*x) + "' is not differentiated in the model");
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
    if (variable.next_of != kNone) return false;
    if (variable.kind == VariableKind::Discrete) return true;
    return variable.sample >= 0 && (variable.kind == VariableKind::Local || variable.kind == VariableKind::Output ||
                                    variable.kind == VariableKind::Terminal);
  }

  void find_unknowns() {
    state_.assign(s_.model.variables.size(), false);
    for (const VarId v : p_.selection.states) state_[index(v)] = true;
    for (std::uint32_t k = 0; k < s_.model.variables.size(); ++k) {
      const VarId v{k};
      const bool held = is_held(v) || is_free_parameter(v);
      if (held) held_.push_back(v);
      if (held || (is_unknown(s_, v) && s_.alias[k].root == v && !s_.alias[k].constant)) unknowns_.push_back(v);
    }
  }

  // Whether each state has one condition, which depends on nothing that is unknown, and the equations do not look back.
  bool is_usual() {
    if (!initial_.empty() || options_.steady || std::any_of(held_.begin(), held_.end(), [&](VarId v) {
          return s_.model[v].kind == VariableKind::Parameter;
        }))
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

  bool choose() {
    for (std::uint32_t k = 0; k < initial_.size(); ++k) add_row({initial_[k], k, kNone});
    matching_ = maximum_matching(graph_, &matching_);
    if (!all_matched()) return false;
    for (const Condition& c : conditions_.given()) add_condition(c);
    matching_ = maximum_matching(graph_, &matching_);
    if (!all_matched()) return false;
    seen_.assign(graph_.columns, 0);
    if (options_.steady)
      for (const VarId v : p_.selection.states)
        if (!conditions_.is_given(v)) try_condition({{v, pool_.number(0), Start::Steady}, v, s_.model[v].where});
    for (const bool written : {true, false})
      for (const VarId v : p_.selection.states)
        if (!conditions_.is_given(v) && conditions_.has_start(v) == written) try_condition(conditions_.guess(v));
    for (const VarId v : held_)
      if (!conditions_.is_given(v)) try_condition(conditions_.guess(v));
    return true;
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

  bool all_matched() {
    bool good = true;
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      if (matching_.column_of_row[r] != kNone || diagnostics_.full()) continue;
      good = false;
      auto& error = diagnostics_.error(where_of(rows_[r]), "too many initial conditions: nothing is left for this one to "
                                                            "determine: " + text_of(rows_[r]));
      constexpr std::size_t kShown = 6;
      std::size_t others = 0;
      for (const std::uint32_t other : overdetermined_group(graph_, matching_, r).rows) {
        if (other == r || other < s_.equations.size()) continue;
        if (++others <= kShown) error.remark(where_of(rows_[other]), "it could be free if this were not given: " + text_of(rows_[other]));
      }
      if (others > kShown) error.remark("or one of " + std::to_string(others - kShown) + " others");
      if (others == 0) error.remark("the equations of the model determine all it contains");
    }
    return good;
  }

  bool finish() {
    InitialPlan& initial = p_.initial;
    for (const Row& row : rows_) initial.equations.push_back(row.equation);
    for (const Condition& c : chosen_) initial.starts.push_back(c.start);
    return sort_and_solve(s_, initial.equations, unknowns_, options_, "the equations at the start", initial.blocks,
                          diagnostics_);
  }

  static constexpr std::uint32_t kDead = kNone;  // in seen_

  SimulationPlan& p_;
  System& s_;
  equations::ExprPool& pool_;
  const PlanOptions& options_;
  support::Diagnostics& diagnostics_;
  Resolver resolve_;
  Conditions conditions_;
  equations::Occurrences occurrences_;
  std::vector<VarId> found_;
  std::vector<SystemEquation> initial_;
  std::vector<VarId> unknowns_, held_;
  std::vector<bool> state_;
  Incidence graph_;
  Matching matching_;
  std::vector<Row> rows_;                        // of the graph
  std::vector<Condition> chosen_;
  std::vector<std::uint32_t> column_of_, stamp_, seen_, entries_;
  std::uint32_t walk_ = 0, stamped_ = 0;
};

}  // namespace

bool plan_initialization(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics) {
  return Initialization(plan, options, diagnostics).run();
}

}  // namespace fmugen::structure
