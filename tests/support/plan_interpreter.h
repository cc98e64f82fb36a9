// For tests: computes what a simulation plan says, without generating code. An oracle for the plan and for the code made
// from it later; slow, simple, and independent of the runtime.
//
//   const auto plan = plan_of({.file = "models/examples/rcnet/rcnet.dym"});
//   PlanInterpreter run(plan);
//   run.start();
//   run.advance(2);            run["v1"]
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fmugen/equations/evaluate.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::tests {

struct PlanSource {
  std::string file = {};                                           // a path, or
  std::string text = {};                                           // the model itself
  std::string model = {};                                          // -m
  std::vector<std::string> library_path = {};                      // -I
  std::vector<std::pair<std::string, std::string>> settings = {};  // --set
  structure::PlanOptions options = {};
};

// Throws std::runtime_error with all messages if the model is rejected or verify() finds fault with the plan.
structure::SimulationPlan plan_of(const PlanSource& source);

class PlanInterpreter {
 public:
  explicit PlanInterpreter(const structure::SimulationPlan& plan);

  double tolerance = 1e-9;  // relative and absolute, of a step
  double largest_step = 0;  // 0: no limit

  // Before the start: an input, a parameter, or a start value. Later: an input or a parameter.
  void set(const std::string& name, double value);
  void start(double time = 0);  // from der(x, x0), initial equations and start values, by iteration on the states
  void start_by_plan(double time = 0);  // by the blocks of plan.initial
  void advance(double until);           // stops early when a termination condition holds
  // Called after every step.
  std::function<void()> after_step = {};

  double operator[](const std::string& name) const;  // of any variable, also one that was removed, also "der(x)"
  double operator[](equations::Expr e) const { return value(e); }
  double time() const { return time_; }
  bool terminated() const { return terminated_; }
  const std::vector<double>& events() const { return event_times_; }

  // The candidates for which the states of a set stand now, and how often that has changed in all sets since the start.
  std::vector<std::string> chosen(std::size_t set) const;
  std::size_t changes() const { return changes_; }

  std::vector<double> states() const;
  void set_states(const std::vector<double>& values);
  void evaluate();  // everything from states, inputs and time

  // How far the equations as they were written, all of them, are from holding: |left - right| relative to the greatest
  // term, the largest of all. `worst` receives the equation.
  double largest_residual(std::string* worst = nullptr) const;
  // How far the derivatives that stand in nonlinear blocks are from difference quotients, relative.
  double largest_jacobian_error();

 private:
  using VarId = equations::VarId;
  using Expr = equations::Expr;
  using Condition = std::function<double()>;

  double value(VarId v) const;
  double value(Expr e) const;
  double other_value(Expr e) const;  // der(x), pre(x)
  VarId find(const std::string& name) const;

  void set_parameters();
  void set_start_values(double time);
  void move_states(const std::vector<Condition>& zero);  // the least change of the states that makes these zero
  void evaluate_blocks(const std::vector<structure::Block>& blocks);
  void solve_linear(const structure::Block& block);
  void solve_nonlinear(const structure::Block& block);
  std::vector<double> residuals(const structure::Block& block, const std::vector<double>& x);
  std::vector<double> matrix(const structure::Block& block, const std::vector<double>& x, bool by_differences);

  void set_selection(std::size_t set, const std::vector<std::uint32_t>& chosen);
  bool choose_states();  // true if states stand for other candidates from now on

  void find_conditions();
  std::vector<double> conditions() const;  // values of relations and sign(), int(), ... as they are now
  std::vector<double> rates(double time, const std::vector<double>& x);
  bool try_step(double h, const std::vector<double>& x, std::vector<double>& next, double& error);
  double locate_event(double h, const std::vector<double>& x, const std::vector<double>& before);
  void handle_event();
  bool act(const equations::WhenBranch& branch);

  const structure::SimulationPlan& p_;
  const structure::System& s_;
  std::map<std::string, std::uint32_t> by_name_;
  std::vector<double> values_, pre_;
  std::map<std::uint32_t, double> given_;  // by set()
  std::vector<Expr> relations_;
  std::vector<bool> when_was_;  // by branch of all when clauses: its condition before
  std::vector<double> event_times_;
  std::vector<std::vector<std::uint32_t>> chosen_;  // by state set and state: the number of a candidate
  std::size_t changes_ = 0;
  double time_ = 0;
  bool terminated_ = false, started_ = false;
};

}  // namespace fmugen::tests
