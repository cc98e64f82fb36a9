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
// that vary are left (x*der(x) + y*der(y) = 0), no fixed choice stays regular. Then all variables that such equations
// relate, directly or through others, become candidates of a set whose states are chosen while the simulation runs, and
// one level down all of them count again: positions and velocities are chosen on their own. A choice that the user
// makes, by stateselect or by setting a state in a `when`, stands.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "fmugen/equations/differentiate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/structure/state_sets.h"

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
  std::uint32_t row, column;  // numbers among the equations and derivatives of a level
  Expr slope;                 // null: it cannot be written down
  bool safe;                  // it does not change while the simulation runs
};
using Edges = std::vector<std::vector<Edge>>;  // by column

// Which column determines which row, grown column by column along alternating paths.
class Pairing {
 public:
  Pairing(std::size_t rows, const Edges& edges)
      : edges_(edges), taken_(edges.size(), false), column_of_row_(rows, kNone), seen_(rows, 0) {}

  bool is_complete() const { return count_ == column_of_row_.size(); }
  bool has_row(std::uint32_t r) const { return column_of_row_[r] != kNone; }
  bool has_column(std::uint32_t c) const { return taken_[c]; }

  void add(std::uint32_t column, bool safe_only) {
    if (is_complete() || taken_[column] || !augment(column, safe_only)) return;
    taken_[column] = true;
    ++count_;
  }

 private:
  bool augment(std::uint32_t column, bool safe_only) {
    ++walk_;
    struct Frame {
      std::uint32_t column;
      std::size_t next;
    };
    std::vector<Frame> stack{{column, 0}};
    std::vector<std::uint32_t> through;
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == 0)  // look ahead for a free row: without it a chain of couplings takes quadratic time
        for (const Edge& edge : edges_[top.column]) {
          if ((safe_only && !edge.safe) || column_of_row_[edge.row] != kNone) continue;
          through.push_back(edge.row);
          for (std::size_t k = 0; k < stack.size(); ++k) column_of_row_[through[k]] = stack[k].column;
          return true;
        }
      if (top.next >= edges_[top.column].size()) {
        stack.pop_back();
        if (!through.empty()) through.pop_back();
        continue;
      }
      const Edge& edge = edges_[top.column][top.next++];
      if ((safe_only && !edge.safe) || seen_[edge.row] == walk_) continue;
      seen_[edge.row] = walk_;
      through.push_back(edge.row);
      stack.push_back({column_of_row_[edge.row], 0});
    }
    return false;
  }

  const Edges& edges_;
  std::vector<bool> taken_;
  std::vector<std::uint32_t> column_of_row_;
  std::vector<std::uint32_t> seen_;  // by row: the last walk that came by
  std::uint32_t walk_ = 0;
  std::size_t count_ = 0;
};

// Columns and rows that hang together.
struct Part {
  std::vector<std::uint32_t> rows, columns;
};

// The parts with a row that has no column in the pairing.
std::vector<Part> open_parts(const Edges& edges, std::uint32_t rows, const Pairing& pairing) {
  std::vector<std::uint32_t> up(rows);  // union-find over the rows
  std::iota(up.begin(), up.end(), 0u);
  const auto root = [&](std::uint32_t r) {
    while (up[r] != r) r = up[r] = up[up[r]];
    return r;
  };
  for (const auto& of_column : edges)
    for (const Edge& edge : of_column) up[root(edge.row)] = root(of_column[0].row);
  std::vector<std::uint32_t> number(rows, kNone);  // by root
  std::vector<Part> parts;
  for (std::uint32_t r = 0; r < rows; ++r) {
    if (pairing.has_row(r) || number[root(r)] != kNone) continue;
    number[root(r)] = static_cast<std::uint32_t>(parts.size());
    parts.emplace_back();
  }
  for (std::uint32_t r = 0; r < rows; ++r)
    if (const std::uint32_t k = number[root(r)]; k != kNone) parts[k].rows.push_back(r);
  for (std::uint32_t c = 0; c < edges.size(); ++c)
    if (!edges[c].empty())
      if (const std::uint32_t k = number[root(edges[c][0].row)]; k != kNone) parts[k].columns.push_back(c);
  return parts;
}

class Selection {
 public:
  Selection(System& system, const IndexReduction& reduction, const PlanOptions& options,
            support::Diagnostics& diagnostics)
      : s_(system), r_(reduction), options_(options), diagnostics_(diagnostics), sets_(system) {
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
    occurrences_.present(s_.equations[equation].left, found);
    occurrences_.present(s_.equations[equation].right, found);
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
      const bool any =
          std::any_of(block.begin(), block.end(), [&](std::uint32_t k) { return r_.original_of_equation[k] != kNone; });
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

  // Makes dummies of as many columns as there are rows, such that the rows can be solved for them, those least wanted
  // as states first; or of all columns related by rows for which no such choice is safe. Gives all these columns.
  std::vector<std::uint32_t> choose(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns) {
    Edges edges(columns.size());
    for (std::uint32_t r = 0; r < rows.size(); ++r)
      for (const Edge& edge : edges_of(rows[r], r, columns)) edges[edge.column].push_back(edge);
    std::vector<std::uint32_t> order(columns.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto by_wish = [&](std::uint32_t a, std::uint32_t b) {
      return wanted(base(columns[a])) < wanted(base(columns[b]));
    };
    std::stable_sort(order.begin(), order.end(), by_wish);
    Pairing pairing(rows.size(), edges);
    for (const std::uint32_t c : order) pairing.add(c, true);
    std::vector<bool> moving(columns.size(), false);
    if (!pairing.is_complete()) {
      const std::vector<Part> parts = open_parts(edges, static_cast<std::uint32_t>(rows.size()), pairing);
      for (const std::uint32_t c : order) pairing.add(c, false);
      for (const Part& part : parts)
        if (make_dynamic(part, rows, columns, edges, pairing))
          for (const std::uint32_t c : part.columns) moving[c] = true;
    }
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t c = 0; c < columns.size(); ++c)
      if (pairing.has_column(c) || moving[c]) chosen.push_back(columns[c]);
    for (const std::uint32_t v : chosen) result_.dummies.push_back(VarId{v});
    return chosen;
  }

  // False if the choice of the pairing has to stay.
  bool make_dynamic(const Part& part, const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns,
                    const Edges& edges, const Pairing& pairing) {
    constexpr std::size_t kMost = 10 * kLargestSet;  // columns worth a look
    if (part.columns.size() <= part.rows.size() || !options_.dynamic_states) return false;
    for (const std::uint32_t r : part.rows)
      if (!pairing.has_row(r)) return false;
    for (const std::uint32_t c : part.columns)
      if (const std::string why = settled(base(columns[c])); !why.empty()) return stay_fixed(base(columns[c]), why);
    Constraints constraints;
    std::unordered_map<std::uint32_t, std::uint32_t> number;
    for (const std::uint32_t r : part.rows) {
      number[r] = static_cast<std::uint32_t>(constraints.rows.size());
      constraints.rows.push_back(rows[r]);
    }
    for (const std::uint32_t c : part.columns) {
      for (const Edge& edge : edges[c]) {
        if (!edge.slope) return false;
        const auto column = static_cast<std::uint32_t>(constraints.columns.size());
        constraints.slopes.push_back({number[edge.row], column, edge.slope, edge.safe});
      }
      constraints.columns.push_back(VarId{columns[c]});
      constraints.wanted.push_back(wanted(base(columns[c])));
    }
    std::optional<StateSet> set;
    if (part.columns.size() <= kMost) set = sets_.add(std::move(constraints));
    if (!set) return stay_fixed(base(columns[part.columns[0]]), "too many variables are related with it");
    for (std::uint32_t k : set->constraints)
      for (; k != kNone; k = r_.original_of_equation[k]) s_.equations[k].turns = true;
    result_.dynamic.push_back(std::move(*set));
    return true;
  }

  // Why v must be, or must not be, a state throughout; empty if there is no reason.
  std::string settled(VarId v) const {
    const auto select = s_.model.attributes_of(v).state_select;
    if (select == equations::StateSelect::Always) return "it has stateselect=always";
    if (select == equations::StateSelect::Never) return "it has stateselect=never";
    if (reset_.contains(index(v))) return "'reinit' sets it";
    return "";
  }

  bool stay_fixed(VarId v, const std::string& why) {
    diagnostics_.note(s_.model[v].where, "no fixed choice of states stays regular here, but '" + s_.name(v) +
                                             "' and what is tied to it are not chosen anew: " + why);
    return false;
  }

  double wanted(VarId v) const {
    constexpr double kReset = 20;  // 'reinit' sets states only
    return weight(s_, v) + (reset_.contains(index(v)) ? kReset : 0);
  }

  VarId base(std::uint32_t rate) const { return VarId{s_.integral[rate]}; }

  std::vector<Edge> edges_of(std::uint32_t equation, std::uint32_t row, const std::vector<std::uint32_t>& columns) {
    std::vector<Edge> found;
    equations::ExprPool& pool = s_.model.pool;
    const Expr residual = pool.sub(s_.equations[equation].left, s_.equations[equation].right);
    for (const std::uint32_t v : unknowns(equation)) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), v);
      if (at == columns.end() || *at != v) continue;
      const auto slope = equations::partial_derivative(pool, residual, pool.variable(VarId{v}));
      if (slope && slope.value->is_number(0)) continue;
      const auto column = static_cast<std::uint32_t>(at - columns.begin());
      found.push_back({row, column, slope.value, slope && is_fixed(slope.value)});
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

  System& s_;
  const IndexReduction& r_;
  const PlanOptions& options_;
  support::Diagnostics& diagnostics_;
  StateSets sets_;
  StateSelection result_;
  equations::Occurrences occurrences_;
  std::vector<std::uint32_t> column_of_;
  std::unordered_set<std::uint32_t> reset_;  // variables set by 'reinit'
};

}  // namespace

StateSelection select_states(System& system, const IndexReduction& reduction, const PlanOptions& options,
                             support::Diagnostics& diagnostics) {
  return Selection(system, reduction, options, diagnostics).run();
}

}  // namespace fmugen::structure
