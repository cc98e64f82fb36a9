// Pantelides' algorithm (1988).
//
// Try to pair every equation with a highest derivative of its own. An equation for which there is none left belongs, with
// all equations that compete with it for the same few derivatives, to a constraint between lower derivatives. These
// equations are differentiated, which raises the order of the variables they relate, and the search goes on with the
// derivative of the equation that failed.
//
//   motor:  J*der(w1) = T - t1         gear:  w2 = N*w1         load:  t2 = Jl*der(w2)
//   unknown der(w1), der(w2), t1, t2 (t2 = t1/N)                 w2 = N*w1 has no unknown: it is differentiated
//
// A walk of alternating paths marks what it visits with the number of the walk, so nothing is cleared in between, and
// every differentiation is paid for by the walk that led to it.
#include "fmugen/structure/index_reduction.h"

#include <algorithm>

#include "fmugen/equations/call_derivatives.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"

namespace fmugen::structure {

using equations::Op;

namespace {

constexpr std::uint32_t kHighestOrder = 20;  // differentiations of one equation; beyond this a model is not meant so

class Pantelides {
 public:
  Pantelides(System& system, const PlanOptions& options, support::Diagnostics& diagnostics)
      : s_(system), options_(options), diagnostics_(diagnostics) {}

  IndexReduction run() {
    const auto n = static_cast<std::uint32_t>(s_.equations.size());
    result_.derivative_of_equation.assign(n, kNone);
    result_.original_of_equation.assign(n, kNone);
    rows_.resize(n);
    for (std::uint32_t k = 0; k < n; ++k) read_row(k);
    start_matching(n);
    std::vector<std::uint32_t> times(n, 0);
    std::vector<std::vector<std::uint32_t>> reasons(n);
    for (std::uint32_t k = 0; k < n; ++k) {
      std::uint32_t equation = k;
      while (assigned_row(equation) == kNone) {
        if (augment(equation)) break;
        if (!differentiate_visited(times, reasons)) return std::move(result_);
        equation = result_.derivative_of_equation[equation];
      }
    }
    for (std::uint32_t k = 0; k < n; ++k)
      if (times[k] > 0) result_.differentiated.push_back({k, times[k], reasons[k]});
    return std::move(result_);
  }

 private:
  void read_row(std::uint32_t k) {
    std::vector<VarId> found;
    occurrences_.present(s_.equations[k].left, found);
    occurrences_.present(s_.equations[k].right, found);
    std::vector<std::uint32_t>& row = rows_[k];
    for (const VarId v : found)
      if (is_unknown(s_, v) && std::find(row.begin(), row.end(), index(v)) == row.end()) row.push_back(index(v));
    column_.resize(s_.model.variables.size(), kNone);
  }

  bool highest(std::uint32_t v) const { return s_.derivative[v] == kNone; }

  std::uint32_t assigned_row(std::uint32_t equation) const { return equation < row_.size() ? row_[equation] : kNone; }

  // The usual case needs no walk: most equations are paired by a maximum matching of the highest derivatives.
  void start_matching(std::uint32_t n) {
    Incidence graph;
    graph.columns = static_cast<std::uint32_t>(s_.model.variables.size());
    std::vector<std::uint32_t> entries;
    for (std::uint32_t k = 0; k < n; ++k) {
      entries.clear();
      for (const std::uint32_t v : rows_[k])
        if (highest(v)) entries.push_back(v);
      graph.add_row(entries);
    }
    const Matching matching = maximum_matching(graph);
    row_ = matching.column_of_row;
    column_ = matching.row_of_column;
    seen_row_.assign(n, 0);
    seen_column_.assign(graph.columns, 0);
  }

  // An alternating path from an unmatched equation to a free highest derivative. What was visited stays in visited_*.
  bool augment(std::uint32_t start) {
    ++walk_;
    visited_rows_.clear();
    visited_columns_.clear();
    struct Frame {
      std::uint32_t row;
      std::size_t next;
    };
    std::vector<Frame> stack{{start, 0}};
    std::vector<std::uint32_t> through;  // column that led to each frame after the first
    visit_row(start);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == 0) {  // look ahead for a free column
        for (const std::uint32_t v : rows_[top.row])
          if (highest(v) && column_[v] == kNone) {
            visit_column(v);
            through.push_back(v);
            for (std::size_t k = stack.size(); k-- > 0;) {
              column_[through[k]] = stack[k].row;
              row_[stack[k].row] = through[k];
            }
            return true;
          }
      }
      bool pushed = false;
      while (top.next < rows_[top.row].size()) {
        const std::uint32_t v = rows_[top.row][top.next++];
        if (!highest(v) || seen_column_[v] == walk_) continue;
        visit_column(v);
        const std::uint32_t row = column_[v];
        if (seen_row_[row] == walk_) continue;
        visit_row(row);
        through.push_back(v);
        stack.push_back({row, 0});
        pushed = true;
        break;
      }
      if (pushed) continue;
      stack.pop_back();
      if (!through.empty()) through.pop_back();
    }
    return false;
  }

  void visit_row(std::uint32_t r) {
    seen_row_[r] = walk_;
    visited_rows_.push_back(r);
  }
  void visit_column(std::uint32_t v) {
    seen_column_[v] = walk_;
    visited_columns_.push_back(v);
  }

  void grow() {
    const std::size_t variables = s_.model.variables.size(), equations = s_.equations.size();
    column_.resize(variables, kNone);
    seen_column_.resize(variables, 0);
    row_.resize(equations, kNone);
    seen_row_.resize(equations, 0);
    rows_.resize(equations);
    result_.derivative_of_equation.resize(equations, kNone);
    result_.original_of_equation.resize(equations, kNone);
  }

  bool differentiate_visited(std::vector<std::uint32_t>& times, std::vector<std::vector<std::uint32_t>>& reasons) {
    std::sort(visited_rows_.begin(), visited_rows_.end());
    std::vector<std::uint32_t> originals;
    for (const std::uint32_t r : visited_rows_) originals.push_back(original(r));
    for (const std::uint32_t v : visited_columns_) {
      s_.derivative_of(VarId{v});
      grow();
    }
    for (const std::uint32_t r : visited_rows_) {
      const std::uint32_t first = original(r);
      if (reasons[first].empty()) reasons[first] = originals;
      if (++times[first] > kHighestOrder) {
        diagnostics_.error(
            s_.model.equations[s_.equations[r].flat].origin.where,
            "this equation would have to be differentiated more than " + std::to_string(kHighestOrder) + " times");
        return false;
      }
      if (!differentiate(r)) return false;
    }
    // The derivative of a paired variable is paired with the derivative of its equation.
    for (const std::uint32_t v : visited_columns_) {
      const std::uint32_t r = column_[v];
      if (r == kNone) continue;
      const std::uint32_t rate = s_.derivative[v], derived = result_.derivative_of_equation[r];
      column_[rate] = derived;
      row_[derived] = rate;
    }
    return true;
  }

  std::uint32_t original(std::uint32_t equation) const {
    while (result_.original_of_equation[equation] != kNone) equation = result_.original_of_equation[equation];
    return equation;
  }

  bool differentiate(std::uint32_t r) {
    equations::ExprPool& pool = s_.model.pool;
    Expr blocked = nullptr;
    VarId input{0};
    equations::Differentiator* rates = nullptr;
    const auto leaf = [&](Expr x) -> Expr {
      if (x->op() == Op::Time) return pool.number(1);
      if (x->op() == Op::Delay) return delayed_rate(x, *rates);
      if (x->op() != Op::Variable) return pool.number(0);  // pre(x) is constant between events
      const VarId v = x->variable();
      const equations::Variable& variable = s_.model[v];
      if (variable.kind == equations::VariableKind::Input && variable.boundary) {
        if (!options_.input_derivatives) {
          input = v;
          return nullptr;
        }
        if (s_.derivative[index(v)] == kNone) {
          const VarId rate = s_.derivative_of(v);
          s_.model[rate].kind = equations::VariableKind::Input;
          s_.model[rate].boundary = true;
          result_.input_derivatives.push_back(rate);
        }
        return pool.variable(VarId{s_.derivative[index(v)]});
      }
      if (!is_unknown(s_, v)) return pool.number(0);
      return pool.variable(s_.derivative_of(v));
    };
    equations::Differentiator differentiator(pool, leaf, equations::call_derivatives(s_.model));
    rates = &differentiator;
    const auto left = differentiator(s_.equations[r].left);
    const auto right = left ? differentiator(s_.equations[r].right) : left;
    if (!left || !right) {
      blocked = left ? right.blocked : left.blocked;
      report(r, blocked, input);
      return false;
    }
    const auto derived = static_cast<std::uint32_t>(s_.equations.size());
    s_.equations.push_back({left.value, right.value, s_.equations[r].flat, s_.equations[r].differentiated + 1});
    grow();
    result_.derivative_of_equation[r] = derived;
    result_.original_of_equation[derived] = r;
    read_row(derived);
    grow();
    return true;
  }

  // delay(x, T) changes as x did, if the model knows der(x): a delay is no reason to differentiate anything else.
  Expr delayed_rate(Expr delay, equations::Differentiator& rate) {
    std::vector<VarId> found;
    occurrences_.variables(delay->child(0), found);
    for (const VarId v : found)
      if (is_unknown(s_, v) && highest(index(v))) return nullptr;
    const auto change = rate(delay->child(0));
    if (!change) return nullptr;
    std::vector<Expr> arguments(delay->children().begin(), delay->children().end());
    arguments[0] = change.value;
    return s_.model.pool.delay(arguments);
  }

  void report(std::uint32_t r, Expr blocked, VarId input) {
    const equations::FlatEquation& flat = s_.model.equations[s_.equations[r].flat];
    const equations::Names names = equations::names_of(s_.model);
    const std::string text = equations::to_text(flat, names);
    if (blocked && blocked->op() == Op::Variable) {
      auto& error = diagnostics_.error(flat.origin.where,
                                       "the derivative of input '" + s_.name(input) +
                                           "' is needed, because this equation must be differentiated: " + text);
      error.remark("it constrains states; with --input-derivatives the derivative becomes a further input");
      return;
    }
    auto& error = diagnostics_.error(flat.origin.where, "this equation must be differentiated, but cannot be: " + text);
    if (!blocked) return;
    error.remark("there is no derivative of " + equations::to_text(blocked, names));
    if (blocked->op() == Op::UserCall)
      error.remark(s_.model.functions[blocked->callee()].where,
                   "it comes from C code: 'derivative' and the name of a C function in its declaration give one");
  }

  System& s_;
  const PlanOptions& options_;
  support::Diagnostics& diagnostics_;
  IndexReduction result_;
  equations::Occurrences occurrences_;
  std::vector<std::vector<std::uint32_t>> rows_;  // unknowns of each equation
  std::vector<std::uint32_t> row_, column_;       // matching: variable of an equation, equation of a variable
  std::vector<std::uint32_t> seen_row_, seen_column_;
  std::vector<std::uint32_t> visited_rows_, visited_columns_;
  std::uint32_t walk_ = 0;
};

}  // namespace

IndexReduction reduce_index(System& system, const PlanOptions& options, support::Diagnostics& diagnostics) {
  return Pantelides(system, options, diagnostics).run();
}

}  // namespace fmugen::structure
