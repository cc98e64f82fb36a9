// Which members of the root's cuts are inputs?
//
// A model with open cuts has more unknowns than equations; the difference is the number of inputs. The sets of unknowns
// that can be computed, each from an equation of its own, are the independent sets of a (transversal) matroid, so the
// best set is found greedily: first everything inside the model, then the members of the cuts, those least wanted as
// inputs first. Whatever finds no equation any more is an input. Least wanted are variables that occur differentiated
// (states), then through variables, then across variables; of equals the one declared last. So the inlet of a path is
// the input and its outlet the output. An option for one variable of a cut turns the others of it around.
//
//   cut A(v / i)    C*der(v) = i     v is a state, hence the output; i is the input
//                   v = R*i          both would do: the through variable i is the output, v the input
//
// The greedy choice is made twice. First only highest derivatives count as unknown: v = 2*x with a state x must then
// determine v, since using it otherwise would constrain the state, that is raise the index. This gives an order of the
// members for the second time, in which a variable and its derivatives are one, as in the check of solvability: models
// that have constraints of their own need it. A pass costs a maximum matching of the inside, and one search of an
// alternating path for each member; equations reached by a search without success are never looked at again.
//
// Edmonds, J. and Fulkerson, D. R. (1965): Transversals and matroid partition.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"
#include "fmugen/equations/substitute.h"
#include "fmugen/structure/integer_elimination.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::OriginKind;
using equations::VariableKind;
using support::Diagnostic;

namespace {

constexpr std::size_t kShown = 20;   // names spelt out in a message
constexpr std::size_t kTried = 200;  // alternatives tried for a message

// Extends a matching by one column, along an alternating path that ends in a free row; columns that have a row keep
// one. Rows seen by a search that failed lead nowhere, now and later.
class Growth {
 public:
  Growth(const Incidence& by_column, Matching matching)
      : by_column_(by_column), matching_(std::move(matching)), seen_(matching_.column_of_row.size(), 0) {}

  bool add(std::uint32_t column) {
    struct Frame {
      std::uint32_t column;
      std::size_t next;
    };
    ++walk_;
    std::vector<Frame> stack{{column, 0}};
    std::vector<std::uint32_t> through;  // row that led to each frame after the first
    std::vector<std::uint32_t> visited;
    while (!stack.empty()) {
      Frame& top = stack.back();
      const auto rows = by_column_.row(top.column);
      if (top.next == rows.size()) {
        stack.pop_back();
        if (!through.empty()) through.pop_back();
        continue;
      }
      const std::uint32_t row = rows[top.next++];
      if (seen_[row] == kDead || seen_[row] == walk_) continue;
      seen_[row] = walk_;
      visited.push_back(row);
      through.push_back(row);
      if (matching_.column_of_row[row] == kNone) {
        for (std::size_t k = 0; k < stack.size(); ++k) {
          matching_.row_of_column[stack[k].column] = through[k];
          matching_.column_of_row[through[k]] = stack[k].column;
        }
        ++matching_.size;
        return true;
      }
      stack.push_back({matching_.column_of_row[row], 0});
    }
    for (const std::uint32_t row : visited) seen_[row] = kDead;
    return false;
  }

  std::uint32_t size() const { return matching_.size; }

 private:
  static constexpr std::uint32_t kDead = 0xffffffff;
  const Incidence& by_column_;
  Matching matching_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t walk_ = 0;
};

// One of the two views of the equations: their columns, and how the inside of the model is computed in it.
struct View {
  Incidence by_column;
  Matching inside;
};

struct Terminal {  // variables at cuts that are the same up to sign
  std::uint32_t root = 0;
  std::uint32_t column = kNone;         // kNone: known already
  std::vector<VarId> members;           // in the order of the cuts
  std::uint32_t preference = 2;         // 0 state, 1 through, 2 across
  std::vector<std::uint32_t> partners;  // terminals of the other nature in the same cuts
};

struct Choice {
  std::vector<bool> computed;  // by terminal
  std::uint32_t solved = 0;    // equations that have an unknown of their own
  std::uint32_t direct = 0;    // the same with highest derivatives only
  bool same_index = true;      // what highest derivatives allow is kept
};

using Numbers = std::vector<std::uint32_t>;

class Causality {
 public:
  Causality(System& system, const PlanOptions& options, support::Diagnostics& diagnostics)
      : s_(system), options_(options), diagnostics_(diagnostics) {}

  bool run() {
    collect();
    if (!read_options()) return false;
    if (!terminals_.empty()) {
      read_equations();
      usual_ = choose({}, {});
      if (!settle_inputs() || !settle_outputs()) return false;
      apply(choose(inputs_, outputs_));
    }
    return settle_derivatives();
  }

 private:
  void collect();
  void pair(const equations::BoundaryCut& cut);
  void read_equations();
  Choice choose(const Numbers& inputs, const Numbers& outputs) const;
  bool possible(const Numbers& inputs, const Numbers& outputs, bool any_index) const;
  bool read_options();
  bool settle_inputs();
  bool settle_outputs();
  void report(VarId v, bool input, const Numbers& others, Numbers& inputs, Numbers& outputs);
  void apply(const Choice& choice);
  void rename(const std::vector<std::pair<std::uint32_t, VarId>>& pairs);
  bool settle_derivatives();

  std::string quoted(VarId v) const { return "'" + s_.name(v) + "'"; }
  std::string list(const std::vector<VarId>& variables) const {
    std::string text;
    for (std::size_t k = 0; k < std::min(variables.size(), kShown); ++k) text += (k ? ", " : "") + quoted(variables[k]);
    if (variables.size() > kShown) text += " and " + std::to_string(variables.size() - kShown) + " more";
    return text;
  }
  bool given(const std::vector<VarId>& variables, VarId v) const {
    return std::find(variables.begin(), variables.end(), v) != variables.end();
  }
  VarId speaker(const Terminal& t) const;  // the member that is the input if one is
  bool differentiated(const Terminal& t) const { return s_.derivative[t.root] != kNone; }

  System& s_;
  const PlanOptions& options_;
  support::Diagnostics& diagnostics_;
  std::vector<Terminal> terminals_;
  std::unordered_map<std::uint32_t, std::uint32_t> terminal_of_;  // by member
  View all_, highest_;
  Numbers order_;  // terminals, least wanted as input first
  Choice usual_;   // without options
  std::vector<VarId> as_input_, as_output_;
  Numbers inputs_, outputs_;  // terminals decided by options
};

// Groups the members by what they are aliases of.
void Causality::collect() {
  std::unordered_map<std::uint32_t, std::uint32_t> by_root;
  for (const equations::BoundaryCut& cut : s_.model.boundary)
    for (const equations::BoundaryMember& member : cut.members) {
      if (!member.variable || terminal_of_.contains(index(*member.variable))) continue;
      const VarId v = *member.variable;
      const equations::Variable& variable = s_.model[v];
      if (!is_unknown(s_, v) && variable.sample < 0) continue;  // a parameter or an input already
      const Alias& alias = s_.alias[index(v)];
      const bool fixed = alias.constant || (variable.kind == VariableKind::Output && variable.boundary) ||
                         variable.sample >= 0 || !is_unknown(s_, alias.root);
      std::uint32_t place = static_cast<std::uint32_t>(terminals_.size());
      if (!fixed) place = by_root.try_emplace(index(alias.root), place).first->second;
      if (place == terminals_.size()) {
        terminals_.push_back({});
        terminals_.back().root = fixed ? index(v) : index(alias.root);
        terminals_.back().column = fixed ? kNone : 0;
      }
      Terminal& terminal = terminals_[place];
      terminal.members.push_back(v);
      terminal.preference = std::min<std::uint32_t>(terminal.preference, member.through ? 1 : 2);
      if (differentiated(terminal)) terminal.preference = 0;
      terminal_of_.emplace(index(v), place);
    }
  for (const equations::BoundaryCut& cut : s_.model.boundary) pair(cut);
  for (std::uint32_t t = 0; t < terminals_.size(); ++t)
    if (terminals_[t].column != kNone) order_.push_back(t);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (terminals_[a].preference != terminals_[b].preference)
      return terminals_[a].preference < terminals_[b].preference;
    return a > b;
  });
}

// An across variable and a through variable of a cut usually go in opposite directions.
void Causality::pair(const equations::BoundaryCut& cut) {
  if (options_.as_input.empty() && options_.as_output.empty()) return;
  for (const auto& a : cut.members)
    for (const auto& b : cut.members)
      if (a.through != b.through && a.variable && b.variable && terminal_of_.contains(index(*a.variable)) &&
          terminal_of_.contains(index(*b.variable)))
        terminals_[terminal_of_.at(index(*a.variable))].partners.push_back(terminal_of_.at(index(*b.variable)));
}

void Causality::read_equations() {
  const std::size_t n = s_.model.variables.size();
  Numbers column_of(n, kNone), base(n), terminal_at(n, kNone);
  for (const std::uint32_t t : order_) terminal_at[terminals_[t].root] = t;
  std::uint32_t columns = 0;
  std::vector<bool> inside;
  for (std::uint32_t v = 0; v < n; ++v) {
    base[v] = s_.integral[v] == kNone ? v : base[s_.integral[v]];  // a derivative is made after what it derives
    if (base[v] != v || !is_unknown(s_, VarId{v}) || s_.alias[v].constant || index(s_.alias[v].root) != v) continue;
    if (terminal_at[v] != kNone) terminals_[terminal_at[v]].column = columns;
    column_of[v] = columns++;
    inside.push_back(terminal_at[v] == kNone);
  }
  std::vector<bool> redundant(s_.equations.size(), false);
  for (const Redundancy& r : find_redundancies(s_)) {
    std::uint32_t victim = r.equations.back();
    for (const std::uint32_t k : r.equations)
      if (s_.model.equations[s_.equations[k].flat].origin.kind == OriginKind::Through) victim = k;
    redundant[victim] = true;
  }
  Incidence graphs[2], insides[2];  // all, highest derivatives
  for (Incidence* g : {&graphs[0], &graphs[1], &insides[0], &insides[1]}) g->columns = columns;
  equations::Occurrences occurrences;
  std::vector<VarId> found;
  Numbers rows[2], inner[2], seen(2 * static_cast<std::size_t>(columns), kNone);
  for (std::uint32_t k = 0; k < s_.equations.size(); ++k) {
    found.clear();
    for (int which = 0; which < 2; ++which) rows[which].clear(), inner[which].clear();
    if (!redundant[k]) {
      occurrences.present(s_.equations[k].left, found);
      occurrences.present(s_.equations[k].right, found);
    }
    for (const VarId v : found) {
      const std::uint32_t c = column_of[base[index(v)]];
      if (c == kNone) continue;
      for (std::size_t which = 0; which < (s_.derivative[index(v)] == kNone ? 2 : 1); ++which) {
        if (seen[2 * c + which] == k) continue;
        seen[2 * c + which] = k;
        rows[which].push_back(c);
        if (inside[c]) inner[which].push_back(c);
      }
    }
    for (int which = 0; which < 2; ++which) graphs[which].add_row(rows[which]), insides[which].add_row(inner[which]);
  }
  all_ = {transposed(graphs[0]), maximum_matching(insides[0])};
  highest_ = {transposed(graphs[1]), maximum_matching(insides[1])};
}

Choice Causality::choose(const Numbers& inputs, const Numbers& outputs) const {
  Numbers order = outputs;
  std::vector<bool> listed(terminals_.size(), false);
  Numbers rank(terminals_.size(), 2);
  for (const std::uint32_t t : outputs) {
    listed[t] = true;
    for (const std::uint32_t partner : terminals_[t].partners) rank[partner] = 3;
  }
  for (const std::uint32_t t : inputs) {
    listed[t] = true;
    for (const std::uint32_t partner : terminals_[t].partners) rank[partner] = 1;
  }
  for (const std::uint32_t t : order_) {
    if (!listed[t]) order.push_back(t);
    if (terminals_[t].preference == 0) rank[t] = 0;
  }
  const auto free = order.begin() + static_cast<std::ptrdiff_t>(outputs.size());
  std::stable_sort(free, order.end(), [&](std::uint32_t a, std::uint32_t b) { return rank[a] < rank[b]; });
  Growth first(highest_.by_column, highest_.inside);
  std::vector<bool> direct(terminals_.size(), false);
  for (const std::uint32_t t : order) direct[t] = first.add(terminals_[t].column);
  std::stable_sort(free, order.end(), [&](std::uint32_t a, std::uint32_t b) { return direct[a] && !direct[b]; });
  Choice choice;
  choice.computed.assign(terminals_.size(), false);
  Growth second(all_.by_column, all_.inside);
  for (const std::uint32_t t : order) choice.computed[t] = second.add(terminals_[t].column);
  for (const std::uint32_t t : order) choice.same_index = choice.same_index && (choice.computed[t] || !direct[t]);
  choice.solved = second.size();
  choice.direct = first.size();
  return choice;
}

// Whether these terminals can be inputs and outputs: all equations still have something to determine, all outputs are
// determined, and, unless any_index, no derivative of an input is needed that was not needed anyhow.
bool Causality::possible(const Numbers& inputs, const Numbers& outputs, bool any_index) const {
  for (const std::uint32_t t : inputs)
    if (terminals_[t].column == kNone) return false;
  const Choice choice = choose(inputs, outputs);
  if (choice.solved != usual_.solved) return false;
  for (const std::uint32_t t : outputs)
    if (!choice.computed[t]) return false;
  if (any_index) return true;
  for (const std::uint32_t t : order_)
    if (!choice.computed[t] && usual_.computed[t] && differentiated(terminals_[t])) return false;
  return choice.same_index && choice.direct == usual_.direct;
}

bool Causality::read_options() {
  std::unordered_map<std::string, VarId> names;
  std::vector<VarId> all;
  for (const Terminal& terminal : terminals_)
    for (const VarId v : terminal.members) {
      names.emplace(s_.name(v), v);
      all.push_back(v);
    }
  std::sort(all.begin(), all.end());
  const auto read = [&](const std::vector<std::string>& texts, std::vector<VarId>& out) {
    for (const std::string& text : texts) {
      const auto found = names.find(text);
      if (found == names.end())
        diagnostics_.error({}, "'" + text + "' is not a variable of a cut of the model" +
                                   (all.empty() ? ", which has none" : "; these are " + list(all)));
      else if (!given(out, found->second))
        out.push_back(found->second);
    }
  };
  read(options_.as_input, as_input_);
  read(options_.as_output, as_output_);
  for (const VarId v : as_input_)
    if (given(as_output_, v)) diagnostics_.error({}, quoted(v) + " cannot be both input and output");
  return !diagnostics_.has_errors();
}

bool Causality::settle_inputs() {
  for (const VarId v : as_input_) {
    const std::uint32_t t = terminal_of_.at(index(v));
    Numbers more = inputs_;
    more.push_back(t);
    if (std::find(inputs_.begin(), inputs_.end(), t) != inputs_.end() ||
        !possible(more, {}, options_.input_derivatives)) {
      Numbers none;
      report(v, true, inputs_, more, none);
      return false;
    }
    inputs_ = std::move(more);
  }
  return true;
}

bool Causality::settle_outputs() {
  for (const VarId v : as_output_) {
    const std::uint32_t t = terminal_of_.at(index(v));
    const bool other = std::any_of(terminals_[t].members.begin(), terminals_[t].members.end(),
                                   [&](VarId m) { return !given(as_output_, m); });
    if (other || terminals_[t].column == kNone || std::find(outputs_.begin(), outputs_.end(), t) != outputs_.end())
      continue;
    Numbers more = outputs_;
    more.push_back(t);
    if (!possible(inputs_, more, options_.input_derivatives)) {
      Numbers inputs = inputs_;
      report(v, false, outputs_, inputs, more);
      return false;
    }
    outputs_ = std::move(more);
  }
  return true;
}

// The last terminal of `inputs` (or of `outputs`) is not possible: why, and what would be.
void Causality::report(VarId v, bool input, const Numbers& others, Numbers& inputs, Numbers& outputs) {
  Numbers& asked = input ? inputs : outputs;
  const bool repeated = std::find(others.begin(), others.end(), asked.back()) != others.end();
  const bool derivative = !repeated && possible(inputs, outputs, true);
  std::vector<VarId> spoken, instead;
  for (const std::uint32_t t : others) spoken.push_back(speaker(terminals_[t]));
  std::string text = quoted(v) + (input ? " cannot be an input" : " cannot be an output");
  if (!spoken.empty()) text += " together with " + list(spoken);
  text += derivative ? ": the derivative of an input would be needed"
          : input    ? ": the equations determine it"
                     : ": nothing would determine it";
  std::size_t tried = 0;
  for (std::uint32_t t = 0; t < terminals_.size() && tried < kTried; ++t) {
    if (t == asked.back() || terminals_[t].column == kNone) continue;
    if (std::find(inputs.begin(), inputs.end(), t) != inputs.end()) continue;
    if (std::find(outputs.begin(), outputs.end(), t) != outputs.end()) continue;
    ++tried;
    const std::uint32_t kept = std::exchange(asked.back(), t);
    if (possible(inputs, outputs, options_.input_derivatives)) instead.push_back(terminals_[t].members.front());
    asked.back() = kept;
  }
  Diagnostic& error = diagnostics_.error(s_.model[v].where, text);
  const auto count = std::count_if(order_.begin(), order_.end(), [&](std::uint32_t t) { return !usual_.computed[t]; });
  error.remark("the cuts of the model need " + std::to_string(count) + (count == 1 ? " input; " : " inputs; ") +
               (instead.empty()
                    ? std::string(input ? "no other input is possible" : "no other output is possible")
                    : "possible instead " + std::string(instead.size() == 1 ? "is " : "are ") + list(instead)));
  if (derivative) error.remark("with --input-derivatives the derivative becomes a further input");
}

VarId Causality::speaker(const Terminal& t) const {
  for (const VarId v : t.members)
    if (given(as_input_, v)) return v;
  for (const VarId v : t.members)
    if (!given(as_output_, v)) return v;
  return t.members.front();
}

void Causality::apply(const Choice& choice) {
  std::vector<std::pair<std::uint32_t, VarId>> renamed;  // input terminals: root and the member that takes its place
  for (std::uint32_t t = 0; t < terminals_.size(); ++t) {
    const Terminal& terminal = terminals_[t];
    for (const VarId v : terminal.members) {
      s_.model[v].kind = VariableKind::Output;
      s_.model[v].boundary = true;
    }
    if (terminal.column == kNone || choice.computed[t]) continue;
    const VarId input = speaker(terminal);
    s_.model[input].kind = VariableKind::Input;
    if (index(input) != terminal.root) renamed.emplace_back(terminal.root, input);
  }
  if (!renamed.empty()) rename(renamed);
}

// Makes members the roots of their aliases, also for derivatives, so that the equations speak of the inputs themselves.
void Causality::rename(const std::vector<std::pair<std::uint32_t, VarId>>& pairs) {
  std::unordered_map<std::uint32_t, Alias> replaced;  // old root -> sign*new root
  for (const auto& [root, member] : pairs) {
    const int sign = s_.alias[index(member)].sign;
    replaced[root] = {member, sign, false, 0};
    if (const std::uint32_t rate = s_.derivative[root]; rate != kNone) {
      const std::size_t before = s_.model.variables.size();
      const VarId other = s_.derivative_of(member);
      if (s_.model.variables.size() > before) ++s_.aliases;
      replaced[rate] = {other, sign, false, 0};
      s_.alias[index(other)] = {VarId{rate}, sign, false, 0};
    }
  }
  for (Alias& alias : s_.alias) {
    if (alias.constant) continue;
    const auto found = replaced.find(index(alias.root));
    if (found != replaced.end()) alias = {found->second.root, alias.sign * found->second.sign, false, 0};
  }
  equations::ExprPool& pool = s_.model.pool;
  std::vector<Expr> by_variable(s_.model.variables.size(), nullptr);
  for (const auto& [root, alias] : replaced)
    by_variable[root] = alias.sign > 0 ? pool.variable(alias.root) : pool.neg(pool.variable(alias.root));
  equations::Substitution substitute(pool, by_variable);
  for (SystemEquation& e : s_.equations) {
    e.left = substitute(e.left);
    e.right = substitute(e.right);
  }
}

// The derivative of an input is known only if it is an input too.
bool Causality::settle_derivatives() {
  std::vector<bool> asked(s_.model.variables.size(), false);
  bool any = false;
  for (std::uint32_t v = 0; v < s_.model.variables.size(); ++v) {
    const equations::Variable& x = s_.model.variables[v];
    if (x.kind != VariableKind::Input || !x.boundary || index(s_.alias[v].root) != v || s_.derivative[v] == kNone)
      continue;
    asked[s_.derivative[v]] = any = true;
  }
  if (!any) return true;
  equations::Occurrences occurrences;
  std::vector<VarId> found;
  for (const SystemEquation& e : s_.equations) {
    found.clear();
    occurrences.variables(e.left, found);
    occurrences.variables(e.right, found);
    for (const VarId v : found) {
      if (!asked[index(v)]) continue;
      asked[index(v)] = false;
      if (options_.input_derivatives) {
        s_.model[v].kind = VariableKind::Input;
        s_.model[v].boundary = true;
        continue;
      }
      const equations::FlatEquation& flat = s_.model.equations[e.flat];
      const VarId input{s_.integral[index(v)]};
      Diagnostic& error =
          diagnostics_.error(flat.origin.where, "the derivative of input " + quoted(input) + " is needed in " +
                                                    equations::to_text(flat, equations::names_of(s_.model)));
      error.remark("with --input-derivatives the derivative becomes a further input");
    }
  }
  return !diagnostics_.has_errors();
}

}  // namespace

bool decide_causality(System& system, const PlanOptions& options, support::Diagnostics& diagnostics) {
  return Causality(system, options, diagnostics).run();
}

}  // namespace fmugen::structure
