// What depends on what.
//
// Two forms of the same knowledge. Residual form: of every equation left = right the derivatives of left - right by the
// unknowns and states in it, as formulas. It is as sparse as the model was written. A sum is differentiated term by
// term, each term only by the variables in it, so long sums cost no more than short ones.
//
// Reduced form: which states and inputs a state derivative or an output depends on, through all blocks; only the
// pattern. Sets of columns are passed on from block to block; all unknowns of a block share one set, since in a block
// everything depends on everything. The cost is the sum of the sizes of all sets met, which is linear for models whose
// parts see a few neighbours, but quadratic for a chain of n assignments that gathers n states. Beyond kMostWork for
// each equation the reduced form is given up (its matrices have no rows) and the residual form remains.
//
//   a := x1 + x2,  der(x1) := a,  der(x2) := u        columns  x1 x2 u       rows  x1 x2 | u
//
// Colouring: columns that share no row can be found by one evaluation. Columns are taken by falling number of entries
// and get the first colour that no column has with which they share a row (Curtis, Powell and Reid 1974; Coleman and
// Moré 1983). A row looks at all columns in it for each of them; a long row instead remembers its colours and where
// the first free one may be, so that one row over all states costs no square.
#include <algorithm>
#include <numeric>

#include "fmugen/equations/call_derivatives.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Op;
using equations::VariableKind;

namespace {

constexpr std::size_t kMostWork = 100;       // set elements met for each equation and column
constexpr std::size_t kLeastWork = 1000000;  // but small models may be dense
constexpr std::size_t kMostVariables =
    500;                                // of a term that is differentiated by each; beyond, only the pattern is kept
constexpr std::uint32_t kLongRow = 64;  // columns from which on a row keeps a list of its colours

using Numbers = std::vector<std::uint32_t>;

class Colouring {
 public:
  explicit Colouring(SparseMatrix& matrix) : m_(matrix) {
    row_start_.assign(m_.rows + 1, 0);
    column_start_.assign(m_.columns + 1, 0);
    rows_.resize(m_.entries.size());
    for (const Entry& e : m_.entries) ++row_start_[e.row + 1], ++column_start_[e.column + 1];
    std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
    std::partial_sum(column_start_.begin(), column_start_.end(), column_start_.begin());
    Numbers next(column_start_.begin(), column_start_.end() - 1);
    for (const Entry& e : m_.entries) rows_[next[e.column]++] = e.row;
    used_.resize(m_.rows);
    first_free_.assign(m_.rows, 0);
  }

  void run() {
    Numbers order(m_.columns);
    std::iota(order.begin(), order.end(), 0);
    const auto entries = [&](std::uint32_t c) { return column_start_[c + 1] - column_start_[c]; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return entries(a) > entries(b); });
    m_.colour.assign(m_.columns, kNone);
    m_.colours = 0;
    for (const std::uint32_t c : order) paint(c);
  }

 private:
  bool is_long(std::uint32_t r) const { return row_start_[r + 1] - row_start_[r] > kLongRow; }

  void paint(std::uint32_t c) {
    std::uint32_t colour = 0;
    for (std::uint32_t k = column_start_[c]; k < column_start_[c + 1]; ++k) {
      const std::uint32_t r = rows_[k];
      if (is_long(r)) {
        colour = std::max(colour, first_free_[r]);
        continue;
      }
      for (std::uint32_t j = row_start_[r]; j < row_start_[r + 1]; ++j)
        if (const std::uint32_t other = m_.colour[m_.entries[j].column]; other != kNone) taken_by_[other] = c;
    }
    while (taken(c, colour)) ++colour;
    m_.colour[c] = colour;
    if (colour >= m_.colours) {
      m_.colours = colour + 1;
      taken_by_.resize(m_.colours, kNone);
    }
    for (std::uint32_t k = column_start_[c]; k < column_start_[c + 1]; ++k) {
      const std::uint32_t r = rows_[k];
      if (!is_long(r)) continue;
      if (used_[r].size() <= colour) used_[r].resize(colour + 1, false);
      used_[r][colour] = true;
      while (first_free_[r] < used_[r].size() && used_[r][first_free_[r]]) ++first_free_[r];
    }
  }

  bool taken(std::uint32_t c, std::uint32_t colour) const {
    if (colour < taken_by_.size() && taken_by_[colour] == c) return true;
    for (std::uint32_t k = column_start_[c]; k < column_start_[c + 1]; ++k)
      if (const std::uint32_t r = rows_[k]; colour < used_[r].size() && used_[r][colour]) return true;
    return false;
  }

  SparseMatrix& m_;
  Numbers row_start_, column_start_, rows_;  // entries of each row, rows of each column
  std::vector<std::vector<bool>> used_;      // of long rows: colours of the columns in it
  Numbers first_free_;                       // of long rows: a lower bound
  Numbers taken_by_;                         // by colour: the column that last found it taken in a short row
};

class Patterns {
 public:
  explicit Patterns(SimulationPlan& plan)
      : plan_(plan),
        s_(plan.system),
        j_(plan.jacobians),
        column_of_(s_.model.variables.size(), kNone),
        block_of_(s_.model.variables.size(), kNone),
        sets_(plan.blocks.size()) {
    for (std::uint32_t c = 0; c < j_.columns.size(); ++c) column_of_[index(j_.columns[c])] = c;
    for (std::uint32_t b = 0; b < plan_.blocks.size(); ++b)
      for (const VarId v : plan_.blocks[b].unknowns) block_of_[index(v)] = b;
    stamp_.assign(j_.columns.size(), kNone);
    budget_ = std::max(kLeastWork, kMostWork * (s_.equations.size() + j_.columns.size()));
  }

  // False if it became too much.
  bool run() {
    find_needed();
    for (std::uint32_t b = 0; b < plan_.blocks.size(); ++b) {
      if (!needed_[b]) continue;
      for (const VarId v : dependencies(b))
        if (!merge(v, b, b, sets_[b])) return false;
      std::sort(sets_[b].begin(), sets_[b].end());
    }
    return fill(j_.derivative_rows, j_.derivatives) && fill(j_.output_rows, j_.outputs);
  }

 private:
  // Variables whose value at this instant the equations of a block contain.
  const std::vector<VarId>& dependencies(std::uint32_t b) {
    found_.clear();
    for (const std::uint32_t k : plan_.blocks[b].equations)
      for (const Expr side : {s_.equations[k].left, s_.equations[k].right}) occurrences_.present(side, found_);
    return found_;
  }

  void find_needed() {
    needed_.assign(plan_.blocks.size(), false);
    const auto need = [&](VarId v) {
      const Alias& alias = s_.alias[index(v)];
      if (!alias.constant && block_of_[index(alias.root)] != kNone) needed_[block_of_[index(alias.root)]] = true;
    };
    for (const VarId v : j_.derivative_rows) need(v);
    for (const VarId v : j_.output_rows) need(v);
    for (std::uint32_t b = static_cast<std::uint32_t>(plan_.blocks.size()); b-- > 0;)
      if (needed_[b])
        for (const VarId v : dependencies(b)) need(v);
  }

  // Adds the columns v depends on to a set; `mark` tells sets apart, `own` is the block being computed.
  bool merge(VarId v, std::uint32_t own, std::uint32_t mark, Numbers& set) {
    const auto add = [&](std::uint32_t c) {
      if (stamp_[c] == mark) return;
      stamp_[c] = mark;
      set.push_back(c);
    };
    const Alias& alias = s_.alias[index(v)];
    if (alias.constant) return true;
    const std::uint32_t root = index(alias.root), b = block_of_[root];
    if (column_of_[root] != kNone) {
      add(column_of_[root]);
      return spend(1);
    }
    if (b == kNone || b == own) return true;
    for (const std::uint32_t c : sets_[b]) add(c);
    return spend(sets_[b].size());
  }

  bool spend(std::size_t amount) {
    if (amount > budget_) return false;
    budget_ -= amount;
    return true;
  }

  bool fill(const std::vector<VarId>& rows, SparseMatrix& matrix) {
    matrix.rows = static_cast<std::uint32_t>(rows.size());
    matrix.columns = static_cast<std::uint32_t>(j_.columns.size());
    stamp_.assign(j_.columns.size(), kNone);
    Numbers set;
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
      set.clear();
      if (!merge(rows[r], kNone, r, set)) return false;
      std::sort(set.begin(), set.end());
      for (const std::uint32_t c : set) matrix.entries.push_back({r, c, nullptr});
    }
    Colouring(matrix).run();
    return true;
  }

  SimulationPlan& plan_;
  System& s_;
  Jacobians& j_;
  Numbers column_of_, block_of_, stamp_;
  std::vector<Numbers> sets_;  // by block: columns its unknowns depend on
  std::vector<bool> needed_;   // by block
  equations::Occurrences occurrences_;
  std::vector<VarId> found_;
  std::size_t budget_ = 0;
};

class Residuals {
 public:
  explicit Residuals(SimulationPlan& plan) : s_(plan.system), j_(plan.jacobians), pool_(s_.model.pool) {
    for (const Block& block : plan.blocks)
      j_.residual_columns.insert(j_.residual_columns.end(), block.unknowns.begin(), block.unknowns.end());
    j_.residual_columns.insert(j_.residual_columns.end(), plan.selection.states.begin(), plan.selection.states.end());
    column_of_.assign(s_.model.variables.size(), kNone);
    for (std::uint32_t c = 0; c < j_.residual_columns.size(); ++c) column_of_[index(j_.residual_columns[c])] = c;
  }

  void run() {
    SparseMatrix& matrix = j_.residuals;
    matrix.rows = static_cast<std::uint32_t>(s_.equations.size());
    matrix.columns = static_cast<std::uint32_t>(j_.residual_columns.size());
    for (std::uint32_t k = 0; k < s_.equations.size(); ++k) {
      parts_.clear();
      side(s_.equations[k].left, false);
      side(s_.equations[k].right, true);
      std::stable_sort(parts_.begin(), parts_.end(),
                       [](const Entry& a, const Entry& b) { return a.column < b.column; });
      for (std::size_t first = 0; first < parts_.size();) first = collect(k, first);
    }
    Colouring(matrix).run();
  }

 private:
  void side(Expr e, bool negative) {
    if (e->op() != Op::Add) return term(e, negative);
    for (const Expr child : e->children()) term(child, negative);
  }

  void term(Expr e, bool negative) {
    if (!e->has_variable()) return;
    found_.clear();
    occurrences_.present(e, found_);
    for (const VarId v : found_) {
      if (column_of_[index(v)] == kNone) continue;
      Expr value = found_.size() <= kMostVariables ? derivative(e, pool_.variable(v)) : nullptr;
      if (value && negative) value = pool_.neg(value);
      parts_.push_back({0, column_of_[index(v)], value});
    }
  }

  // de/dx, null if there is none. Products with a bare factor x, by far most of the terms, need no machinery.
  Expr derivative(Expr e, Expr x) {
    if (e == x) return pool_.number(1);
    if (e->op() == Op::Mul) {
      std::size_t bare = 0, others = 0;
      for (const Expr factor : e->children()) {
        if (factor == x)
          ++bare;
        else if (factor->may_contain(x->variable()))
          ++others;
      }
      if (bare == 1 && others == 0) {
        factors_.clear();
        for (const Expr factor : e->children())
          if (factor != x) factors_.push_back(factor);
        return factors_.size() == 1 ? factors_[0] : pool_.mul(factors_);
      }
    }
    return equations::partial_derivative(pool_, e, x, calls_).value;
  }

  // The parts of one column, from `first` on, become an entry; what they add up to may be zero.
  std::size_t collect(std::uint32_t row, std::size_t first) {
    const std::uint32_t column = parts_[first].column;
    terms_.clear();
    bool known = true;
    for (; first < parts_.size() && parts_[first].column == column; ++first) {
      known = known && parts_[first].value;
      if (known) terms_.push_back(parts_[first].value);
    }
    const Expr value = !known ? nullptr : terms_.size() == 1 ? terms_[0] : pool_.add(terms_);
    if (!value || !value->is_number(0)) j_.residuals.entries.push_back({row, column, value});
    return first;
  }

  System& s_;
  Jacobians& j_;
  equations::ExprPool& pool_;
  equations::CallDerivative calls_ = equations::call_derivatives(s_.model);
  Numbers column_of_;
  equations::Occurrences occurrences_;
  std::vector<Entry> parts_;
  std::vector<VarId> found_;
  std::vector<Expr> factors_, terms_;
};

}  // namespace

void find_jacobians(SimulationPlan& plan) {
  Jacobians& j = plan.jacobians;
  const System& s = plan.system;
  j = {};
  j.columns = plan.selection.states;
  for (const VarId x : plan.selection.states) j.derivative_rows.push_back(VarId{s.derivative[index(x)]});
  for (std::uint32_t v = 0; v < s.model.variables.size(); ++v) {
    const equations::Variable& variable = s.model.variables[v];
    if (!variable.boundary) continue;
    if (variable.kind == VariableKind::Input) j.columns.push_back(VarId{v});
    if (variable.kind == VariableKind::Output) j.output_rows.push_back(VarId{v});
  }
  if (!Patterns(plan).run()) j.derivatives = j.outputs = {};
  Residuals(plan).run();
}

}  // namespace fmugen::structure
