// How a set of states that are chosen while the simulation runs gets into the model.
//
// First it is made small. A constraint a*der(p) + b*der(q) + ... = 0 with fixed a and b always gives p from q, so
// the one that is wanted less is no candidate, and the slope of the others by der(p) counts for der(q): this removes
// what order reduction introduced. Then come the variables and equations of the set; all stages behind treat them
// like any others. Last, the choice before the start: Gaussian elimination of the Jacobian at the start values.
// Where no start is written any value will do, but a variable with a start that was written, or wanted otherwise, is
// left to be a state unless the constraints cannot be solved without it.
//
//   x**2 + y**2 = L**2, der(x) = vx, der(y) = vy         differentiated twice, once, once
//   velocities   2*x*der(der(x)) + 2*y*der(der(y)) = ..., der(der(x)) = der(vx), der(der(y)) = der(vy)
//                candidates vx, vy; Jacobian 2*x, 2*y    stateset1[1] = stateset1.A[1,1]*vx + stateset1.A[1,2]*vy
//   positions    2*x*der(x) + 2*y*der(y) = 0
//                candidates x, y; Jacobian 2*x, 2*y      stateset2[1] = stateset2.A[1,1]*x + stateset2.A[1,2]*y
//   start        x = 0, y = -1: y follows from x, and vy from vx
//
// Mattsson, S. E., Olsson, H. and Elmqvist, H. (2000): Dynamic selection of states in Dymola. Modelica Workshop, Lund.
#include "fmugen/structure/state_sets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/simplify.h"

namespace fmugen::structure {

using equations::VariableKind;

namespace {

// ---- candidates -----------------------------------------------------------------------------------------------------

class Elimination {
 public:
  Elimination(equations::ExprPool& pool, Constraints& constraints)
      : pool_(pool), c_(constraints), rows_(c_.rows.size()), rows_of_(c_.columns.size()) {
    for (const Constraints::Slope& slope : c_.slopes) {
      rows_[slope.row][slope.column] = slope;
      rows_of_[slope.column].push_back(slope.row);
    }
  }

  void run() {
    std::vector<bool> row_left(rows_.size(), true), column_left(c_.columns.size(), true);
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      if (!is_pair(r)) continue;
      auto p = rows_[r].begin(), q = std::next(p);
      if (c_.wanted[q->first] < c_.wanted[p->first]) std::swap(p, q);
      const Slope from = p->second, to = q->second;
      row_left[r] = column_left[from.column] = false;
      for (const std::uint32_t other : rows_of_[from.column])
        if (other != r) move(other, from, to);
      rows_[r].clear();
    }
    keep(row_left, column_left);
  }

 private:
  using Slope = Constraints::Slope;

  bool is_pair(std::uint32_t r) const {
    return rows_[r].size() == 2 &&
           std::all_of(rows_[r].begin(), rows_[r].end(), [](const auto& entry) { return entry.second.fixed; });
  }

  // In row r: der(p) is -(to/from)*der(q).
  void move(std::uint32_t r, const Slope& from, const Slope& to) {
    auto& row = rows_[r];
    const auto at = row.find(from.column);
    if (at == row.end()) return;
    const Slope slope = at->second;
    row.erase(at);
    Expr value = pool_.neg(pool_.div(pool_.mul(slope.value, to.value), from.value));
    const auto [place, added] = row.emplace(to.column, Slope{r, to.column, nullptr, slope.fixed});
    if (added)
      rows_of_[to.column].push_back(r);
    else
      value = pool_.add(place->second.value, value);
    value = equations::simplify(pool_, value);
    place->second.value = value;
    place->second.fixed = place->second.fixed && slope.fixed;
    if (value->is_number(0)) row.erase(place);
  }

  void keep(const std::vector<bool>& row_left, const std::vector<bool>& column_left) {
    Constraints left;
    std::vector<std::uint32_t> number(c_.columns.size(), kNone);
    for (std::uint32_t c = 0; c < c_.columns.size(); ++c) {
      if (!column_left[c]) continue;
      number[c] = static_cast<std::uint32_t>(left.columns.size());
      left.columns.push_back(c_.columns[c]);
      left.wanted.push_back(c_.wanted[c]);
    }
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      if (!row_left[r]) continue;
      for (const auto& [column, slope] : rows_[r])
        left.slopes.push_back({static_cast<std::uint32_t>(left.rows.size()), number[column], slope.value, slope.fixed});
      left.rows.push_back(c_.rows[r]);
    }
    c_ = std::move(left);
  }

  equations::ExprPool& pool_;
  Constraints& c_;
  std::vector<std::map<std::uint32_t, Slope>> rows_;  // by column
  std::vector<std::vector<std::uint32_t>> rows_of_;   // by column; may name rows that have lost it
};

bool has_empty_row(const Constraints& constraints) {
  std::vector<bool> any(constraints.rows.size(), false);
  for (const Constraints::Slope& slope : constraints.slopes) any[slope.row] = true;
  return std::find(any.begin(), any.end(), false) != any.end();
}

// ---- the choice before the start ------------------------------------------------------------------------------------

// Values at the start as far as they are written; elsewhere numbers near 1, all different, so that nothing vanishes
// by chance.
std::vector<double> start_values(const System& s) {
  const auto& variables = s.model.variables;
  std::vector<double> found(variables.size());
  for (std::uint32_t v = 0; v < variables.size(); ++v) {
    constexpr double kGolden = 0.6180339887498949;
    found[v] = 1 + 0.5 * std::fmod(v * kGolden, 1.0);
  }
  equations::Values values;
  values.variable = [&](VarId v) { return s.model[v].value; };
  values.time = s.model.experiment.start;
  for (std::uint32_t v = 0; v < variables.size(); ++v) {
    const Alias& alias = s.alias[v];
    if (alias.constant) found[v] = alias.value;
    if (variables[v].kind == VariableKind::Parameter || variables[v].kind == VariableKind::Constant)
      found[v] = variables[v].value;
    const Expr start = variables[v].initial ? variables[v].initial : s.model.attributes_of(VarId{v}).start;
    if (!start || alias.constant) continue;
    const double value = alias.sign * equations::evaluate(start, values);
    if (std::isfinite(value)) found[index(alias.root)] = value;
  }
  return found;
}

class FirstChoice {
 public:
  FirstChoice(const StateSet& set, const std::vector<double>& wanted, const equations::Values& values)
      : m_(set.constraints.size()), n_(set.candidates.size()), wanted_(wanted), a_(m_ * n_, 0) {
    for (const Entry& e : set.jacobian) {
      const double value = equations::evaluate(e.value, values);
      at(e.row, e.column) = (std::isfinite(value) ? value : 1) * set.nominal[e.column];
    }
  }

  // The columns without pivot.
  std::vector<std::uint32_t> run() {
    scale_rows();
    std::vector<bool> row_done(m_, false), column_done(n_, false);
    for (std::size_t k = 0; k < m_; ++k) {
      const auto [r, c] = pivot(row_done, column_done);
      row_done[r] = column_done[c] = true;
      if (at(r, c) == 0) continue;
      for (std::size_t i = 0; i < m_; ++i) {
        const double factor = row_done[i] ? 0 : at(i, c) / at(r, c);
        if (factor == 0) continue;
        for (std::size_t j = 0; j < n_; ++j) at(i, j) -= factor * at(r, j);
      }
    }
    std::vector<std::uint32_t> left;
    for (std::uint32_t c = 0; c < n_; ++c)
      if (!column_done[c]) left.push_back(c);
    return left;
  }

 private:
  double& at(std::size_t r, std::size_t c) { return a_[r * n_ + c]; }

  void scale_rows() {
    for (std::size_t r = 0; r < m_; ++r) {
      double largest = 0;
      for (std::size_t c = 0; c < n_; ++c) largest = std::max(largest, std::abs(at(r, c)));
      if (largest > 0)
        for (std::size_t c = 0; c < n_; ++c) at(r, c) /= largest;
    }
  }

  // Of the columns with a tolerable pivot that of the least wanted state, among equals the largest pivot.
  std::pair<std::size_t, std::size_t> pivot(const std::vector<bool>& row_done, const std::vector<bool>& column_done) {
    constexpr double kTolerable = 1e-3;  // of the largest
    constexpr double kEqual = 1;         // weights that differ by less: nominal values, outputs
    std::vector<std::pair<double, std::size_t>> best(n_, {-1, 0});  // by column
    double largest = 0;
    for (std::size_t r = 0; r < m_; ++r)
      for (std::size_t c = 0; c < n_; ++c) {
        if (row_done[r] || column_done[c]) continue;
        if (std::abs(at(r, c)) > best[c].first) best[c] = {std::abs(at(r, c)), r};
        largest = std::max(largest, best[c].first);
      }
    double least = HUGE_VAL;
    for (std::size_t c = 0; c < n_; ++c)
      if (!column_done[c] && best[c].first >= kTolerable * largest) least = std::min(least, wanted_[c]);
    std::size_t chosen = n_;
    for (std::size_t c = 0; c < n_; ++c) {
      if (column_done[c] || best[c].first < kTolerable * largest || wanted_[c] >= least + kEqual) continue;
      if (chosen == n_ || best[c].first > best[chosen].first) chosen = c;
    }
    return {best[chosen].second, chosen};
  }

  std::size_t m_, n_;
  const std::vector<double>& wanted_;
  std::vector<double> a_;  // row by row
};

// ---- variables and equations ----------------------------------------------------------------------------------------

double nominal_of(const System& s, VarId v) {
  const Expr nominal = s.model.attributes_of(v).nominal;
  if (!nominal) return 1;
  equations::Values values;
  values.variable = [&](VarId p) { return s.model[p].value; };
  const double value = std::abs(equations::evaluate(nominal, values));
  return std::isfinite(value) && value > 0 ? value : 1;
}

VarId add_variable(System& s, std::string name, VariableKind kind, support::SourceRange where) {
  equations::Variable v;
  v.local_name = std::move(name);
  v.kind = kind;
  v.auxiliary = true;
  v.where = where;
  const VarId id{static_cast<std::uint32_t>(s.model.variables.size())};
  s.model.variables.push_back(std::move(v));
  s.derivative.push_back(kNone);
  s.integral.push_back(kNone);
  s.alias.push_back({id, 1, false, 0});
  return id;
}

// "stateset", with more letters if the model has something with a name like this.
std::string free_stem(const equations::FlatModel& model) {
  std::string stem = "stateset";
  const auto taken = [&](const std::string& name) { return name.compare(0, stem.size(), stem) == 0; };
  const auto clashes = [&] {
    return std::any_of(model.instances.begin(), model.instances.end(),
                       [&](const auto& instance) { return taken(instance.name); }) ||
           std::any_of(model.variables.begin(), model.variables.end(),
                       [&](const auto& variable) { return taken(variable.local_name); });
  };
  while (clashes()) stem += '_';
  return stem;
}

}  // namespace

// Once for all sets: it looks at the whole model.
void StateSets::prepare() {
  if (!stem_.empty()) return;
  stem_ = free_stem(s_.model);
  start_ = start_values(s_);
}

void StateSets::add_states(StateSet& set) {
  System& s = s_;
  equations::ExprPool& pool = s.model.pool;
  const std::string name = stem_ + std::to_string(++count_);
  const equations::Origin constraint = s.model.equations[s.equations[set.constraints[0]].flat].origin;
  equations::Origin origin;
  origin.kind = equations::OriginKind::Auxiliary;
  origin.where = constraint.where;
  const std::size_t count = set.candidates.size() - set.constraints.size();
  for (std::size_t j = 1; j <= count; ++j)
    set.states.push_back(add_variable(s, name + "[" + std::to_string(j) + "]", VariableKind::Local, origin.where));
  for (std::size_t j = 1; j <= count; ++j) {
    std::vector<Expr> values, rates;
    for (std::size_t i = 1; i <= set.candidates.size(); ++i) {
      const std::string place = "[" + std::to_string(j) + "," + std::to_string(i) + "]";
      const VarId a = add_variable(s, name + ".A" + place, VariableKind::Discrete, origin.where);
      set.selection.push_back(a);
      values.push_back(pool.mul(pool.variable(a), pool.variable(set.candidates[i - 1])));
      rates.push_back(pool.mul(pool.variable(a), pool.variable(s.derivative_of(set.candidates[i - 1]))));
    }
    const VarId state = set.states[j - 1], rate = s.derivative_of(state);
    const auto flat = static_cast<std::uint32_t>(s.model.equations.size());
    s.model.equations.push_back({pool.variable(state), pool.add(values), origin, -1});
    s.equations.push_back({pool.variable(state), pool.add(values), flat, 0, false, true});
    s.equations.push_back({pool.variable(rate), pool.add(rates), flat, 1, false, true});
  }
}

std::optional<StateSet> StateSets::add(Constraints constraints) {
  prepare();
  Elimination(s_.model.pool, constraints).run();
  if (constraints.columns.size() > kLargestSet || has_empty_row(constraints)) return std::nullopt;
  StateSet set;
  set.constraints = constraints.rows;
  for (const VarId rate : constraints.columns) {
    set.candidates.push_back(VarId{s_.integral[index(rate)]});
    set.nominal.push_back(nominal_of(s_, set.candidates.back()));
  }
  for (const Constraints::Slope& slope : constraints.slopes)
    set.jacobian.push_back({slope.row, slope.column, slope.value});
  add_states(set);
  equations::Values values;
  values.variable = [&](VarId v) { return start_[index(v)]; };
  values.time = s_.model.experiment.start;
  set.chosen = FirstChoice(set, constraints.wanted, values).run();
  for (std::size_t j = 0; j < set.states.size(); ++j)
    for (std::size_t i = 0; i < set.candidates.size(); ++i)
      s_.model[set.selection[j * set.candidates.size() + i]].value = set.chosen[j] == i ? 1 : 0;
  return set;
}

}  // namespace fmugen::structure
