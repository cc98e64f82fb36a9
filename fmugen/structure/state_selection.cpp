// Dummy derivatives (Mattsson and Söderlind 1993).
//
// Every differentiated equation is one more equation, so one derivative must stop being the rate of a state: it becomes
// a "dummy", an ordinary unknown. In each block of equations that determine highest derivatives together, as many
// derivatives are chosen as the block has differentiated equations, such that these equations can be solved for them;
// then the same one level down, among the variables chosen, for the equations differentiated more than once.
//
//   w2 = N*w1, der(w2) = N*der(w1)      one dummy: der(w2), if w1 has a start value; w1 is the state
//
// Candidates least wanted as states go first. A coefficient that is constant can be relied on; where only coefficients
// that vary are left (x*der(x) + y*der(y) = 0), no fixed choice stays regular, and the set is marked dynamic.
#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "fmugen/equations/differentiate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/structure/index_reduction.h"

namespace fmugen::structure {

namespace {

// How much a variable is wanted as a state.
double weight(const System& s, VarId v) {
  const equations::Variable& variable = s.model[v];
  const equations::Attributes& attributes = s.model.attributes_of(v);
  double w = 0;
  switch (attributes.state_select) {
    case equations::StateSelect::Never: w -= 1000; break;
    case equations::StateSelect::Avoid: w -= 30; break;
    case equations::StateSelect::Default: break;
    case equations::StateSelect::Prefer: w += 30; break;
    case equations::StateSelect::Always: w += 1000; break;
  }
  if (variable.initial) w += 10;
  if (attributes.fixed.value_or(false)) w += 10;
  if (attributes.start) w += 3;
  if (attributes.nominal) w += 0.5;
  if (variable.kind == equations::VariableKind::Output) w += 0.2;
  if (variable.auxiliary) w -= 0.1;
  if (s.integral[index(v)] != kNone) w -= 1;  // a derivative that was introduced is no natural state
  return w;
}

struct Edge {
  std::uint32_t column;   // number among the candidates
  bool safe;              // the coefficient does not change while the simulation runs
};

class Selection {
 public:
  Selection(System& system, const IndexReduction& reduction) : s_(system), r_(reduction) {
    for (const auto& when : s_.model.whens)
      for (const auto& branch : when.branches)
        for (const auto& action : branch.actions)
          if (action.kind == equations::ActionKind::Reinit) reset_.insert(index(s_.alias[index(action.target)].root));
  }

  StateSelection run() {
    for (const auto& block : top_blocks()) select_block(block);
    std::vector<bool> dummy(s_.model.variables.size(), false);
    for (const VarId v : result_.dummies) dummy[index(v)] = true;
    for (std::uint32_t v = 0; v < s_.model.variables.size(); ++v) {
      const std::uint32_t rate = s_.derivative[v];
      if (rate == kNone || dummy[rate] || !is_unknown(s_, VarId{v})) continue;
      if (index(s_.alias[v].root) != v || s_.alias[v].constant) continue;
      result_.states.push_back(VarId{v});
    }
    return std::move(result_);
  }

 private:
  std::vector<std::uint32_t> unknowns(std::uint32_t equation) {
    std::vector<VarId> found;
    occurrences_.variables(s_.equations[equation].left, found);
    occurrences_.variables(s_.equations[equation].right, found);
    std::vector<std::uint32_t> row;
    for (const VarId v : found)
      if (is_unknown(s_, v) && std::find(row.begin(), row.end(), index(v)) == row.end()) row.push_back(index(v));
    return row;
  }

  // Blocks of the equations of highest order, over the highest derivatives; only those with differentiated equations.
  std::vector<std::vector<std::uint32_t>> top_blocks() {
    std::vector<std::uint32_t> equations;
    for (std::uint32_t k = 0; k < s_.equations.size(); ++k)
      if (r_.derivative_of_equation[k] == kNone) equations.push_back(k);
    Incidence graph;
    graph.columns = static_cast<std::uint32_t>(s_.model.variables.size());
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t k : equations) {
      entries.clear();
      for (const std::uint32_t v : unknowns(k))
        if (s_.derivative[v] == kNone) entries.push_back(v);
      graph.add_row(entries);
    }
    const Matching matching = maximum_matching(graph);
    column_of_.assign(s_.equations.size(), kNone);
    for (std::uint32_t r = 0; r < equations.size(); ++r) column_of_[equations[r]] = matching.column_of_row[r];
    std::vector<std::vector<std::uint32_t>> blocks;
    for (auto& block : block_order(graph, matching)) {
      for (std::uint32_t& r : block) r = equations[r];
      const bool any = std::any_of(block.begin(), block.end(),
                                   [&](std::uint32_t k) { return r_.original_of_equation[k] != kNone; });
      if (any) blocks.push_back(std::move(block));
    }
    return blocks;
  }

  void select_block(const std::vector<std::uint32_t>& block) {
    std::vector<std::uint32_t> rows, columns;
    for (const std::uint32_t k : block) {
      if (r_.original_of_equation[k] != kNone) rows.push_back(k);
      if (column_of_[k] != kNone && s_.integral[column_of_[k]] != kNone) columns.push_back(column_of_[k]);
    }
    while (!rows.empty()) {
      std::sort(columns.begin(), columns.end());
      const std::vector<std::uint32_t> chosen = choose(rows, columns);
      for (const std::uint32_t v : chosen) result_.dummies.push_back(VarId{v});
      std::vector<std::uint32_t> lower_rows, lower_columns;
      for (const std::uint32_t k : rows)
        if (const std::uint32_t original = r_.original_of_equation[k]; r_.original_of_equation[original] != kNone)
          lower_rows.push_back(original);
      for (const std::uint32_t v : chosen)
        if (const std::uint32_t x = s_.integral[v]; s_.integral[x] != kNone) lower_columns.push_back(x);
      rows = std::move(lower_rows);
      columns = std::move(lower_columns);
    }
  }

  // As many columns as rows for which the rows can be solved, those least wanted as states first.
  std::vector<std::uint32_t> choose(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns) {
    std::vector<std::vector<Edge>> of_column(columns.size());  // edges to rows, stored by column
    for (std::uint32_t r = 0; r < rows.size(); ++r)
      for (const Edge& edge : edges(rows[r], columns)) of_column[edge.column].push_back({r, edge.safe});
    std::vector<std::uint32_t> order(columns.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return wanted(base(columns[a])) < wanted(base(columns[b]));
    });
    std::vector<std::uint32_t> column_of_row(rows.size(), kNone);
    std::vector<bool> taken(columns.size(), false);
    std::vector<std::uint32_t> seen(rows.size(), 0);  // by row: the last walk that came by
    std::uint32_t walk = 0;
    std::size_t count = 0;
    for (const bool safe : {true, false})
      for (const std::uint32_t c : order) {
        if (count == rows.size() || taken[c]) continue;
        if (!augment(c, of_column, column_of_row, seen, ++walk, safe)) continue;
        taken[c] = true;
        ++count;
        if (!safe) note_dynamic(rows, columns);
      }
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t c = 0; c < columns.size(); ++c)
      if (taken[c]) chosen.push_back(columns[c]);
    return chosen;
  }

  double wanted(VarId v) const {
    constexpr double kReset = 20;  // 'reinit' sets states only
    return weight(s_, v) + (reset_.contains(index(v)) ? kReset : 0);
  }

  VarId base(std::uint32_t rate) const { return VarId{s_.integral[rate]}; }

  std::vector<Edge> edges(std::uint32_t equation, const std::vector<std::uint32_t>& columns) {
    std::vector<Edge> found;
    equations::ExprPool& pool = s_.model.pool;
    const Expr residual = pool.sub(s_.equations[equation].left, s_.equations[equation].right);
    for (const std::uint32_t v : unknowns(equation)) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), v);
      if (at == columns.end() || *at != v) continue;
      const auto slope = equations::partial_derivative(pool, residual, pool.variable(VarId{v}));
      if (slope && slope.value->is_number(0)) continue;
      found.push_back({static_cast<std::uint32_t>(at - columns.begin()), slope && is_fixed(slope.value)});
    }
    return found;
  }

  // Made of parameters and numbers only, none of them zero by value.
  bool is_fixed(Expr slope) {
    if (slope->has_time()) return false;
    std::vector<VarId> found;
    occurrences_.variables(slope, found);
    return std::all_of(found.begin(), found.end(), [&](VarId v) {
      const auto kind = s_.model[v].kind;
      return kind == equations::VariableKind::Parameter || kind == equations::VariableKind::Constant;
    });
  }

  static bool augment(std::uint32_t column, const std::vector<std::vector<Edge>>& of_column,
                      std::vector<std::uint32_t>& column_of_row, std::vector<std::uint32_t>& seen, std::uint32_t walk,
                      bool safe_only) {
    struct Frame {
      std::uint32_t column;
      std::size_t next;
    };
    std::vector<Frame> stack{{column, 0}};
    std::vector<std::uint32_t> through;
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == 0)  // look ahead for a free row: without it a chain of couplings takes quadratic time
        for (const Edge& edge : of_column[top.column]) {
          if ((safe_only && !edge.safe) || column_of_row[edge.column] != kNone) continue;
          through.push_back(edge.column);
          for (std::size_t k = 0; k < stack.size(); ++k) column_of_row[through[k]] = stack[k].column;
          return true;
        }
      if (top.next >= of_column[top.column].size()) {
        stack.pop_back();
        if (!through.empty()) through.pop_back();
        continue;
      }
      const Edge edge = of_column[top.column][top.next++];
      if ((safe_only && !edge.safe) || seen[edge.column] == walk) continue;
      seen[edge.column] = walk;
      through.push_back(edge.column);
      stack.push_back({column_of_row[edge.column], 0});
    }
    return false;
  }

  void note_dynamic(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns) {
    if (!result_.dynamic.empty() && result_.dynamic.back().constraints == rows) return;
    StateSelection::Dynamic set;
    set.constraints = rows;
    for (const std::uint32_t v : columns) set.candidates.push_back(base(v));
    set.count = static_cast<std::uint32_t>(columns.size() - rows.size());
    result_.dynamic.push_back(std::move(set));
  }

  System& s_;
  const IndexReduction& r_;
  StateSelection result_;
  equations::Occurrences occurrences_;
  std::vector<std::uint32_t> column_of_;
  std::unordered_set<std::uint32_t> reset_;  // variables set by 'reinit'
};

}  // namespace

StateSelection select_states(System& system, const IndexReduction& reduction, support::Diagnostics&) {
  return Selection(system, reduction).run();
}

}  // namespace fmugen::structure
