// A plan from the start through time.
//
// Dormand and Prince's pair of order 5 and 4. Relations are evaluated as they are at every point; when one has changed
// at the end of a step, the step is repeated shorter, by bisection, until it ends just behind the change. Then the when
// clauses act, states are chosen anew where they have to be, and the next step begins. So a step never has a discontinuity inside, save in its last 1E-12 of time.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tests/support/plan_interpreter.h"

namespace fmugen::tests {

using equations::Op;
using equations::VariableKind;
using structure::kNone;

constexpr int kMostRounds = 1000;  // of one event; more is a loop without end

// ---- the start ------------------------------------------------------------------------------------------------------

void PlanInterpreter::set(const std::string& name, double value) {
  const std::uint32_t v = index(find(name));
  given_[v] = value;
  if (started_) values_[index(s_.alias[v].root)] = value;
}

std::vector<double> PlanInterpreter::states() const {
  std::vector<double> x;
  for (const VarId v : p_.selection.states) x.push_back(values_[index(v)]);
  return x;
}

void PlanInterpreter::set_states(const std::vector<double>& x) {
  for (std::size_t k = 0; k < x.size(); ++k) values_[index(p_.selection.states[k])] = x[k];
}

// Those that follow from others, or from functions that the compiler cannot call, in as many rounds as they need.
void PlanInterpreter::set_parameters() {
  std::vector<std::uint32_t> following;
  for (std::uint32_t v = 0; v < s_.model.variables.size(); ++v) {
    const equations::Variable& variable = s_.model.variables[v];
    if (variable.kind != VariableKind::Parameter && variable.kind != VariableKind::Constant) continue;
    const auto given = given_.find(v);
    values_[v] = given == given_.end() ? variable.value : given->second;
    if (variable.binding && given == given_.end()) following.push_back(v);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t v : following) {
      const double now = value(s_.model.variables[v].binding);
      if (now == values_[v] || std::isnan(now)) continue;
      values_[v] = now;
      changed = true;
    }
  }
}

void PlanInterpreter::set_start_values(double time) {
  time_ = time;
  terminated_ = false;
  event_times_.clear();
  started_ = true;
  set_parameters();
  for (std::uint32_t v = 0; v < s_.model.variables.size(); ++v) {
    const equations::Variable& variable = s_.model.variables[v];
    if (variable.kind == VariableKind::Parameter || variable.kind == VariableKind::Constant) continue;
    const Expr start = variable.initial ? variable.initial : s_.model.attributes_of(VarId{v}).start;
    if (start && index(s_.alias[v].root) == v) values_[v] = value(start);
  }
  for (const auto& [v, x] : given_)
    if (!s_.alias[v].constant) values_[index(s_.alias[v].root)] = s_.alias[v].sign * x;
  chosen_.assign(p_.selection.dynamic.size(), {});
  for (std::size_t k = 0; k < chosen_.size(); ++k) set_selection(k, p_.selection.dynamic[k].chosen);
  changes_ = 0;
  pre_ = values_;
}

void PlanInterpreter::start(double time) {
  set_start_values(time);
  evaluate();
  std::vector<Condition> zero;
  for (const equations::FlatEquation& e : s_.model.initial_equations)
    zero.push_back([this, &e] { return value(e.left) - value(e.right); });
  for (std::uint32_t v = 0; v < s_.model.variables.size(); ++v) {
    const equations::Variable& variable = s_.model.variables[v];
    const equations::Attributes& attributes = s_.model.attributes_of(VarId{v});
    if (!structure::is_unknown(s_, VarId{v}) || given_.contains(v)) continue;
    const Expr start = variable.initial                   ? variable.initial
                       : attributes.fixed.value_or(false) ? attributes.start
                                                          : nullptr;
    if (start) zero.push_back([this, v, start] { return value(VarId{v}) - value(start); });
  }
  move_states(zero);
  handle_event();
  choose_states();
}

void PlanInterpreter::start_by_plan(double time) {
  set_start_values(time);
  evaluate_blocks(p_.initial.blocks);
  evaluate();
  handle_event();
  choose_states();
}

// Newton's method with the step of least norm: states that no condition concerns keep their values.
void PlanInterpreter::move_states(const std::vector<Condition>& zero) {
  const auto rows = static_cast<Eigen::Index>(zero.size());
  std::vector<double> x = states();
  const auto columns = static_cast<Eigen::Index>(x.size());
  const auto at = [&](const std::vector<double>& point) {
    set_states(point);
    evaluate();
    Eigen::VectorXd r(rows);
    for (Eigen::Index k = 0; k < rows; ++k) r(k) = zero[static_cast<std::size_t>(k)]();
    return r;
  };
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Eigen::VectorXd r = at(x);
    if (rows == 0 || r.cwiseAbs().maxCoeff() < 1e-12) return;
    Eigen::MatrixXd a(rows, columns);
    for (Eigen::Index c = 0; c < columns; ++c) {
      auto shifted = x;
      const double h = 1e-7 * (1 + std::abs(x[static_cast<std::size_t>(c)]));
      shifted[static_cast<std::size_t>(c)] += h;
      a.col(c) = (at(shifted) - r) / h;
    }
    const Eigen::VectorXd dx = a.completeOrthogonalDecomposition().solve(-r);
    double moved = 0;
    for (Eigen::Index c = 0; c < columns; ++c) {
      x[static_cast<std::size_t>(c)] += dx(c);
      moved = std::max(moved, std::abs(dx(c)) / (1 + std::abs(x[static_cast<std::size_t>(c)])));
    }
    if (moved < 1e-14) break;
  }
  if (at(x).cwiseAbs().maxCoeff() > 1e-6) throw std::runtime_error("no states fulfil the initial conditions");
}

// ---- events ---------------------------------------------------------------------------------------------------------

void PlanInterpreter::find_conditions() {
  std::set<std::uint32_t> seen;
  const auto search = [&](Expr root) {
    std::vector<Expr> stack{root};
    while (!stack.empty()) {
      const Expr e = stack.back();
      stack.pop_back();
      if (e->op() == Op::NoEvent || !seen.insert(e->id()).second) continue;
      const bool jumps = e->op() == Op::Less || e->op() == Op::LessEqual || e->op() == Op::Equal ||
                         e->op() == Op::Unequal ||
                         (e->op() == Op::Call &&
                          (e->function() == equations::Function::Sign || e->function() == equations::Function::Int ||
                           e->function() == equations::Function::Floor || e->function() == equations::Function::Ceil ||
                           e->function() == equations::Function::Mod));
      if (jumps) relations_.push_back(e);
      for (const Expr child : e->children()) stack.push_back(child);
    }
  };
  for (const equations::FlatEquation& e : s_.model.equations) {
    if (e.sample >= 0) continue;
    search(e.left);
    search(e.right);
  }
  std::size_t branches = 0;
  for (const equations::WhenClause& when : s_.model.whens)
    for (const equations::WhenBranch& branch : when.branches) {
      search(branch.condition);
      ++branches;
    }
  for (const equations::Check& check : s_.model.terminations) search(check.condition);
  when_was_.assign(branches, false);
}

std::vector<double> PlanInterpreter::conditions() const {
  std::vector<double> now;
  for (const Expr e : relations_) {
    const double v = value(e);
    const bool continuous_part = e->op() == Op::Call && e->function() == equations::Function::Mod;
    now.push_back(continuous_part ? std::floor(value(e->child(0)) / value(e->child(1))) : v);
  }
  return now;
}

bool PlanInterpreter::act(const equations::WhenBranch& branch) {
  std::vector<Condition> zero;
  for (const equations::WhenAction& action : branch.actions) {
    if (action.kind == equations::ActionKind::Terminate) {
      terminated_ = true;
      continue;
    }
    const double v = value(action.value);
    const structure::Alias& a = s_.alias[index(action.target)];
    if (action.kind == equations::ActionKind::Assign)
      values_[index(a.root)] = a.sign * v;
    else if (action.kind == equations::ActionKind::Reinit)
      zero.push_back([this, target = action.target, v] { return value(target) - v; });
  }
  move_states(zero);
  return true;
}

// Whens act when their condition becomes true; what they change may let others follow.
void PlanInterpreter::handle_event() {
  for (int round = 0;; ++round) {
    if (round == kMostRounds) throw std::runtime_error("events without end at " + std::to_string(time_));
    bool acted = false;
    pre_ = values_;
    std::size_t number = 0;
    for (const equations::WhenClause& when : s_.model.whens) {
      bool done = false;
      for (const equations::WhenBranch& branch : when.branches) {
        const bool now = value(branch.condition) != 0;
        if (now && !when_was_[number] && !done) done = acted = act(branch);
        when_was_[number++] = now;
      }
    }
    if (!acted) break;
    evaluate();
  }
  for (const equations::Check& check : s_.model.terminations) terminated_ = terminated_ || value(check.condition) != 0;
}

// ---- time -----------------------------------------------------------------------------------------------------------

std::vector<double> PlanInterpreter::rates(double time, const std::vector<double>& x) {
  time_ = time;
  set_states(x);
  evaluate();
  std::vector<double> f;
  for (const VarId v : p_.selection.states) f.push_back(value(VarId{s_.derivative[index(v)]}));
  return f;
}

// False if the equations have no solution on the way.
bool PlanInterpreter::try_step(double h, const std::vector<double>& x, std::vector<double>& next, double& error) {
  static constexpr double kC[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
  static constexpr double kA[7][6] = {{},
                                      {1. / 5},
                                      {3. / 40, 9. / 40},
                                      {44. / 45, -56. / 15, 32. / 9},
                                      {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                      {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                      {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
  static constexpr double kE[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
  const double t = time_;
  std::vector<std::vector<double>> k;
  try {
    for (int stage = 0; stage < 7; ++stage) {
      next = x;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < static_cast<std::size_t>(stage); ++j) next[i] += h * kA[stage][j] * k[j][i];
      k.push_back(rates(t + kC[stage] * h, next));
    }
  } catch (const std::runtime_error&) {
    time_ = t;
    return false;
  }
  time_ = t;
  error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double e = 0;
    for (std::size_t j = 0; j < 7; ++j) e += h * kE[j] * k[j][i];
    error = std::max(error, std::abs(e) / (tolerance * (1 + std::max(std::abs(x[i]), std::abs(next[i])))));
  }
  return true;
}

// The shortest step, to 1E-12, at whose end the conditions are not those of `before`.
double PlanInterpreter::locate_event(double h, const std::vector<double>& x, const std::vector<double>& before) {
  const double t = time_;
  double low = 0, high = h;
  while (high - low > 1e-12 * (1 + std::abs(t))) {
    const double middle = (low + high) / 2;
    std::vector<double> next;
    double ignored = 0;
    time_ = t;
    bool changed = true;
    if (try_step(middle, x, next, ignored)) {
      rates(t + middle, next);
      changed = conditions() != before;
    }
    (changed ? high : low) = middle;
  }
  time_ = t;
  return high;
}

void PlanInterpreter::advance(double until) {
  double h = std::min(largest_step > 0 ? largest_step : 1.0, (until - time_) / 100);
  evaluate();
  while (time_ < until && !terminated_) {
    const double t = time_;
    const bool last = t + h >= until - 1e-14 * std::abs(until);
    double step = last ? until - t : h;
    const std::vector<double> x = states();
    const std::vector<double> before = conditions();
    std::vector<double> next;
    double error = 0;
    const bool possible = try_step(step, x, next, error);
    if (!possible || error > 1) {
      set_states(x);
      h = step * (possible ? std::max(0.2, 0.9 * std::pow(error, -0.2)) : 0.2);
      if (h < 1e-14 * (1 + std::abs(t)))
        throw std::runtime_error("no step is short enough at time " + std::to_string(t));
      evaluate();
      continue;
    }
    rates(t + step, next);
    const bool event = conditions() != before;
    if (event) {
      time_ = t;
      step = locate_event(step, x, before);
      if (!try_step(step, x, next, error)) throw std::runtime_error("no step to the event");
      rates(t + step, next);
      event_times_.push_back(time_);
      handle_event();
    }
    if (last && !event) time_ = until;
    choose_states();
    if (after_step) after_step();
    const double grown = (last ? h : step) * std::min(5.0, 0.9 * std::pow(std::max(error, 1e-6), -0.2));
    h = event ? std::max(step, 1e-6 * (until - t)) : grown;
    if (largest_step > 0) h = std::min(h, largest_step);
  }
}

}  // namespace fmugen::tests
