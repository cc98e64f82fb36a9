// Sorting and solving.
//
// With the states known, the equations and the remaining unknowns form a square system. A perfect matching says which
// equation gives which unknown; the strongly connected parts of the resulting graph, in topological order, are the
// blocks (block lower triangular form). A block of one equation is solved by a formula if there is one. A larger block
// that is linear in its unknowns becomes a matrix, up to three unknowns a formula (Cramer's rule); any other block is
// torn: a few tearing variables are iterated, the rest follows from them by formulas.
//
//   e = R3*(i1 + i2) + R1*i1 + v1,  e = R3*(i1 + i2) + R2*i2 + v2      a linear block {i1, i2}
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "fmugen/equations/call_derivatives.h"
#include "fmugen/equations/linear.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"
#include "fmugen/equations/simplify.h"
#include "fmugen/equations/solve.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Op;

namespace {

constexpr std::size_t kLargestFormula = 3;  // unknowns of a linear block solved by Cramer's rule

class Builder {
 public:
  Builder(System& system, const std::vector<SystemEquation>& equations, const std::vector<VarId>& unknowns,
          const PlanOptions& options, const std::string& what, support::Diagnostics& diagnostics)
      : s_(system),
        equations_(equations),
        options_(options),
        what_(what),
        diagnostics_(diagnostics),
        pool_(system.model.pool) {
    column_of_.assign(s_.model.variables.size(), kNone);
    for (const VarId v : unknowns) {
      column_of_[index(v)] = static_cast<std::uint32_t>(unknowns_.size());
      unknowns_.push_back(index(v));
    }
    stamp_.assign(unknowns_.size(), kNone);
  }

  bool run(std::vector<Block>& blocks) {
    const Incidence graph = incidence();
    const Matching matching = maximum_matching(graph);
    if (matching.size != graph.rows() || matching.size != graph.columns) {
      report(graph, matching);
      return false;
    }
    for (const auto& rows : block_order(graph, matching)) {
      Block block;
      block.equations = rows;
      for (const std::uint32_t r : rows) block.unknowns.push_back(VarId{unknowns_[matching.column_of_row[r]]});
      solve_block(block);
      blocks.push_back(std::move(block));
    }
    return true;
  }

 private:
  Incidence incidence() {
    Incidence graph;
    graph.columns = static_cast<std::uint32_t>(unknowns_.size());
    std::vector<VarId> found;
    std::vector<std::uint32_t> row;
    for (std::uint32_t k = 0; k < equations_.size(); ++k) {
      found.clear();
      row.clear();
      occurrences_.present(equations_[k].left, found);
      occurrences_.present(equations_[k].right, found);
      for (const VarId v : found) {
        const std::uint32_t c = column_of_[index(v)];
        if (c == kNone || stamp_[c] == k) continue;
        stamp_[c] = k;
        row.push_back(c);
      }
      graph.add_row(row);
    }
    return graph;
  }

  void report(const Incidence& graph, const Matching& matching) {
    const equations::Names names = equations::names_of(s_.model);
    for (std::uint32_t r = 0; r < graph.rows(); ++r) {
      if (matching.column_of_row[r] != kNone || diagnostics_.full()) continue;
      const auto& flat = s_.model.equations[equations_[r].flat];
      diagnostics_.error(flat.origin.where, what_ + " cannot be sorted: nothing is left for this one to determine: " +
                                                equations::to_text(flat, names));
    }
    for (std::uint32_t c = 0; c < graph.columns; ++c)
      if (matching.row_of_column[c] == kNone && !diagnostics_.full())
        diagnostics_.error(s_.model.variables[unknowns_[c]].where,
                           what_ + " cannot be sorted: nothing determines '" + s_.name(VarId{unknowns_[c]}) + "'");
  }

  // A divisor that is zero, or might be set to zero, at the values known now: never divide by it.
  bool may_divide(Expr divisor) {
    if (divisor->is_number()) return divisor->number() != 0;
    if (divisor->op() == Op::Variable) {
      const equations::Variable& v = s_.model[divisor->variable()];
      const bool constant = v.kind == equations::VariableKind::Parameter || v.kind == equations::VariableKind::Constant;
      return (!constant || v.value != 0) && !is_selection(s_, divisor->variable());
    }
    if (divisor->op() == Op::Mul)
      return std::all_of(divisor->children().begin(), divisor->children().end(), [&](Expr f) { return may_divide(f); });
    if (divisor->op() == Op::Pow) return may_divide(divisor->child(0));
    return true;
  }

  // Alone: the equation is a block of its own. Then functions may be inverted, and the formula may be no number where
  // there is no solution, as ln(u) for exp(a) = u with a negative u. In a loop, where unknowns have not their final values
  // yet, only unknowns that enter linearly are solved for: by an inverse, an iteration would come to a point from which it
  // knows no way back, or pass one where the inverse is infinitely steep.
  std::optional<Expr> formula(std::uint32_t equation, VarId unknown, bool alone) {
    const SystemEquation& e = equations_[equation];
    const auto solution = equations::solve(pool_, e.left, e.right, pool_.variable(unknown));
    if (!solution) return std::nullopt;
    if (alone ? !solution->conditions.empty() && !solution->shows_violation : !solution->linear) return std::nullopt;
    for (const Expr divisor : solution->divisors)
      if (!may_divide(divisor)) return std::nullopt;
    return solution->value;
  }

  // Equations that relate candidates of a state set are solved for one candidate here, for another one there: together
  // with others by a slope only that does not vary.
  bool stays_solvable(std::uint32_t equation, VarId unknown) {
    const SystemEquation& e = equations_[equation];
    if (e.selects) return false;  // only by what may be 0
    if (!e.turns) return true;
    const auto solution = equations::solve(pool_, e.left, e.right, pool_.variable(unknown));
    return solution && std::all_of(solution->divisors.begin(), solution->divisors.end(),
                                   [&](Expr divisor) { return is_fixed(divisor); });
  }

  void solve_block(Block& block) {
    if (block.unknowns.size() == 1) {
      if (const auto value = formula(block.equations[0], block.unknowns[0], true)) {
        block.assignments.push_back({block.unknowns[0], *value, block.equations[0]});
        return;
      }
    }
    if (!solve_linear(block)) solve_nonlinear(block);
  }

  bool solve_linear(Block& block) {
    std::unordered_set<Expr> unknown;
    for (const VarId v : block.unknowns) unknown.insert(pool_.variable(v));
    std::vector<equations::AffineForm> rows;
    for (const std::uint32_t k : block.equations) {
      const Expr residual = pool_.sub(equations_[k].left, equations_[k].right);
      auto form = equations::affine_form(pool_, residual, [&](Expr leaf) { return unknown.contains(leaf); });
      if (!form) return false;
      rows.push_back(std::move(*form));
    }
    block.kind = BlockKind::Linear;
    block.tearing = block.unknowns;
    block.constant = true;
    std::unordered_map<std::uint32_t, std::uint32_t> column;
    for (std::uint32_t c = 0; c < block.unknowns.size(); ++c) column[index(block.unknowns[c])] = c;
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
      const auto& terms = rows[r].terms;
      const bool turn =
          std::all_of(terms.begin(), terms.end(), [](const auto& t) { return looks_negative(t.coefficient); });
      for (const equations::LinearTerm& term : terms) {
        const Expr coefficient = tidied(term.coefficient, turn);
        block.matrix.push_back({r, column.at(index(term.leaf->variable())), coefficient});
        block.constant = block.constant && is_fixed(coefficient);
      }
      block.right.push_back(tidied(simplify(rows[r].constant), !turn));
    }
    if (block.unknowns.size() <= kLargestFormula) solve_by_formula(block);
    return true;
  }

  Expr simplify(Expr e) { return equations::simplify(pool_, e); }

  // -2, -x, -x - 3*y: reads better the other way round.
  static bool looks_negative(Expr e) {
    if (e->op() == Op::Add) return std::all_of(e->children().begin(), e->children().end(), looks_negative);
    const Expr factor = e->op() == Op::Mul ? e->child(0) : e;
    return factor->is_number() && factor->number() < 0;
  }

  // e or -e, term by term, a positive term first: e - v rather than -v + e.
  Expr tidied(Expr e, bool turn) {
    if (e->op() != Op::Add) return turn ? pool_.neg(e) : e;
    std::vector<Expr> terms;
    for (const Expr term : e->children()) terms.push_back(turn ? pool_.neg(term) : term);
    std::stable_partition(terms.begin(), terms.end(), [](Expr term) { return !looks_negative(term); });
    return pool_.add(terms);
  }

  bool is_fixed(Expr e) {
    if (e->has_time()) return false;
    std::vector<VarId> found;
    occurrences_.variables(e, found);
    return std::all_of(found.begin(), found.end(), [&](VarId v) {
      return s_.model[v].kind == equations::VariableKind::Parameter ||
             s_.model[v].kind == equations::VariableKind::Constant;
    });
  }

  // Cramer's rule; the block stays a matrix if the determinant is zero at the values known now.
  void solve_by_formula(Block& block) {
    const std::size_t n = block.unknowns.size();
    const Expr zero = pool_.number(0);
    std::vector<std::vector<Expr>> a(n, std::vector<Expr>(n, zero));
    for (const Entry& entry : block.matrix) a[entry.row][entry.column] = entry.value;
    const auto determinant = [&](const std::vector<std::vector<Expr>>& m) -> Expr {
      if (n == 1) return m[0][0];
      if (n == 2) return pool_.sub(pool_.mul(m[0][0], m[1][1]), pool_.mul(m[0][1], m[1][0]));
      std::vector<Expr> terms;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
        terms.push_back(pool_.mul(m[0][c], pool_.sub(pool_.mul(m[1][d], m[2][e]), pool_.mul(m[1][e], m[2][d]))));
      }
      return pool_.add(terms);
    };
    Expr whole = simplify(determinant(a));
    if (whole->is_number(0) || !may_divide(whole)) return;
    const bool turn = looks_negative(whole);
    whole = tidied(whole, turn);
    std::vector<Assignment> solution;
    for (std::size_t c = 0; c < n; ++c) {
      auto replaced = a;
      for (std::size_t r = 0; r < n; ++r) replaced[r][c] = block.right[r];
      const Expr over = simplify(determinant(replaced));
      const Expr value = pool_.div(tidied(over, turn), whole);
      solution.push_back({block.unknowns[c], value, block.equations[c]});
    }
    block.assignments = std::move(solution);
  }

  void solve_nonlinear(Block& block) {
    block.kind = BlockKind::Nonlinear;
    TearingInput input;
    std::unordered_map<std::uint32_t, std::uint32_t> column;
    for (std::uint32_t c = 0; c < block.unknowns.size(); ++c) column[index(block.unknowns[c])] = c;
    input.graph.columns = static_cast<std::uint32_t>(block.unknowns.size());
    for (const std::uint32_t k : block.equations) {
      std::vector<VarId> found;
      occurrences_.present(equations_[k].left, found);
      occurrences_.present(equations_[k].right, found);
      std::vector<std::uint32_t> row;
      for (const VarId v : found)
        if (const auto c = column.find(index(v));
            c != column.end() && std::find(row.begin(), row.end(), c->second) == row.end()) {
          row.push_back(c->second);
          input.solvable.push_back(stays_solvable(k, v) && formula(k, v, false).has_value());
        }
      input.graph.add_row(row);
    }
    input.prefer.assign(block.unknowns.size(), false);
    input.forced.assign(block.unknowns.size(), false);
    for (std::uint32_t c = 0; c < block.unknowns.size(); ++c) {
      const VarId v = block.unknowns[c];
      input.prefer[c] = s_.model.attributes_of(v).start != nullptr;
      const auto& named = options_.tear;
      input.forced[c] = std::find(s_.model.tearing.begin(), s_.model.tearing.end(), v) != s_.model.tearing.end() ||
                        std::find(named.begin(), named.end(), s_.name(v)) != named.end();
    }
    const Tearing tearing = tear(input);
    for (const std::uint32_t c : tearing.tearing_columns) block.tearing.push_back(block.unknowns[c]);
    for (const auto& [r, c] : tearing.assignments)
      block.assignments.push_back(
          {block.unknowns[c], *formula(block.equations[r], block.unknowns[c], false), block.equations[r]});
    for (const std::uint32_t r : tearing.residual_rows)
      block.residuals.push_back(pool_.sub(equations_[block.equations[r]].left, equations_[block.equations[r]].right));
    differentiate_residuals(block);
  }

  // d(residual)/d(tearing variable) through the assignments, forward.
  void differentiate_residuals(Block& block) {
    const equations::CallDerivative calls = equations::call_derivatives(s_.model);
    for (std::uint32_t c = 0; c < block.tearing.size(); ++c) {
      std::unordered_map<std::uint32_t, Expr> rate{{index(block.tearing[c]), pool_.number(1)}};
      const auto leaf = [&](Expr x) -> Expr {
        if (x->op() != Op::Variable) return pool_.number(0);
        const auto known = rate.find(index(x->variable()));
        return known == rate.end() ? pool_.number(0) : known->second;
      };
      for (const Assignment& a : block.assignments) {
        const auto d = equations::Differentiator(pool_, leaf, calls)(a.value);
        if (!d) return clear(block);
        if (!d.value->is_number(0)) rate[index(a.unknown)] = d.value;
      }
      for (std::uint32_t r = 0; r < block.residuals.size(); ++r) {
        const auto d = equations::Differentiator(pool_, leaf, calls)(block.residuals[r]);
        if (!d) return clear(block);
        if (!d.value->is_number(0)) block.matrix.push_back({r, c, d.value});
      }
    }
  }

  // Without analytic derivatives the iteration uses differences.
  static void clear(Block& block) { block.matrix.clear(); }

  System& s_;
  const std::vector<SystemEquation>& equations_;
  const PlanOptions& options_;
  const std::string& what_;
  support::Diagnostics& diagnostics_;
  equations::ExprPool& pool_;
  equations::Occurrences occurrences_;
  std::vector<std::uint32_t> unknowns_, column_of_, stamp_;
};

}  // namespace

bool sort_and_solve(System& system, const std::vector<SystemEquation>& equations, const std::vector<VarId>& unknowns,
                    const PlanOptions& options, const std::string& what, std::vector<Block>& blocks,
                    support::Diagnostics& diagnostics) {
  return Builder(system, equations, unknowns, options, what, diagnostics).run(blocks);
}

bool build_blocks(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics) {
  System& s = plan.system;
  std::vector<bool> state(s.model.variables.size(), false);
  for (const VarId v : plan.selection.states) state[index(v)] = true;
  std::vector<VarId> unknowns;
  for (std::uint32_t v = 0; v < s.model.variables.size(); ++v)
    if (is_unknown(s, VarId{v}) && !state[v] && !s.alias[v].constant && index(s.alias[v].root) == v)
      unknowns.push_back(VarId{v});
  return sort_and_solve(s, s.equations, unknowns, options, "the equations", plan.blocks, diagnostics);
}

}  // namespace fmugen::structure
