// Evaluation of a plan point by point: values of variables, blocks, and the system at the start. How it moves in time is
// in plan_interpreter_time.cpp.
//
// A removed variable is looked up through its alias, so every name of the model has a value. Linear blocks without a
// formula are factored (full pivoting, to notice singular ones); nonlinear blocks are solved by Newton's method, damped by
// halving the step until the residuals shrink.
#include "tests/support/plan_interpreter.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "fmugen/equations/print.h"
#include "fmugen/semantics/flatten.h"
#include "tests/support/model_calls.h"

namespace fmugen::tests {

using equations::Op;
using structure::Block;
using structure::BlockKind;
using structure::kNone;

structure::SimulationPlan plan_of(const PlanSource& source) {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  semantics::FlattenOptions options;
  options.model = source.model;
  options.settings = source.settings;
  options.library_path = source.library_path;
  auto model = source.file.empty() ? semantics::flatten_text(sources.add("model.dym", source.text), options, sources,
                                                             symbols, diagnostics)
                                   : semantics::flatten(source.file, options, sources, symbols, diagnostics);
  std::optional<structure::SimulationPlan> plan;
  if (model) plan = structure::make_plan(std::move(*model), source.options, diagnostics);
  if (!plan) {
    std::ostringstream text;
    support::print(text, sources, diagnostics);
    throw std::runtime_error(text.str());
  }
  if (const std::string wrong = structure::verify(*plan); !wrong.empty()) throw std::runtime_error(wrong);
  return std::move(*plan);
}

PlanInterpreter::PlanInterpreter(const structure::SimulationPlan& plan) : p_(plan), s_(plan.system) {
  for (std::uint32_t v = 0; v < s_.model.variables.size(); ++v) by_name_.emplace(s_.name(VarId{v}), v);
  values_.assign(s_.model.variables.size(), 0);
  find_conditions();
}

// ---- values ---------------------------------------------------------------------------------------------------------

PlanInterpreter::VarId PlanInterpreter::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) throw std::runtime_error("there is no variable '" + name + "'");
  return VarId{found->second};
}

double PlanInterpreter::value(VarId v) const {
  const structure::Alias& a = s_.alias[index(v)];
  return a.constant ? a.value : a.sign * values_[index(a.root)];
}

double PlanInterpreter::operator[](const std::string& name) const { return value(find(name)); }

double PlanInterpreter::other_value(Expr e) const {
  const std::uint32_t v = index(e->child(0)->variable());
  if (e->op() == Op::Der && s_.derivative[v] != kNone) return value(VarId{s_.derivative[v]});
  if (e->op() == Op::Pre) {
    const structure::Alias& a = s_.alias[v];
    return a.constant ? a.value : a.sign * pre_[index(a.root)];
  }
  throw std::runtime_error("the interpreter does not know this expression");
}

double PlanInterpreter::value(Expr e) const {
  equations::Values values;
  values.variable = [this](VarId v) { return value(v); };
  values.other = [this](Expr node) { return other_value(node); };
  values.time = time_;
  values.function = [this](std::uint32_t f, std::uint32_t r, std::span<const double> x) {
    return function_result(s_.model, f, r, x);
  };
  values.table = [this](std::uint32_t t, std::span<const double> x) { return table_value(s_.model, t, x); };
  return equations::evaluate(e, values);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

void PlanInterpreter::evaluate() { evaluate_blocks(p_.blocks); }

void PlanInterpreter::evaluate_blocks(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    const bool formulas = block.assignments.size() == block.unknowns.size();
    if (block.kind == BlockKind::Nonlinear)
      solve_nonlinear(block);
    else if (!formulas)
      solve_linear(block);
    for (const structure::Assignment& a : block.assignments) values_[index(a.unknown)] = value(a.value);
    for (const VarId v : block.unknowns)
      if (!std::isfinite(values_[index(v)])) throw std::runtime_error("'" + s_.name(v) + "' is not a number");
  }
}

void PlanInterpreter::solve_linear(const Block& block) {
  const auto n = static_cast<Eigen::Index>(block.tearing.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd b(n);
  for (const structure::Entry& e : block.matrix) a(e.row, e.column) += value(e.value);
  for (Eigen::Index k = 0; k < n; ++k) b(k) = value(block.right[static_cast<std::size_t>(k)]);
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
  if (!lu.isInvertible())
    throw std::runtime_error("the linear block of '" + s_.name(block.tearing[0]) + "' is singular");
  const Eigen::VectorXd x = lu.solve(b);
  for (Eigen::Index k = 0; k < n; ++k) values_[index(block.tearing[static_cast<std::size_t>(k)])] = x(k);
}

std::vector<double> PlanInterpreter::residuals(const Block& block, const std::vector<double>& x) {
  for (std::size_t k = 0; k < x.size(); ++k) values_[index(block.tearing[k])] = x[k];
  for (const structure::Assignment& a : block.assignments) values_[index(a.unknown)] = value(a.value);
  std::vector<double> r;
  for (const Expr e : block.residuals) r.push_back(value(e));
  return r;
}

// Row by row. Central differences where the block has no derivatives of its own.
std::vector<double> PlanInterpreter::matrix(const Block& block, const std::vector<double>& x, bool by_differences) {
  const std::size_t n = x.size();
  std::vector<double> a(n * n, 0);
  if (!by_differences && !block.matrix.empty()) {
    residuals(block, x);
    for (const structure::Entry& e : block.matrix) a[e.row * n + e.column] += value(e.value);
    return a;
  }
  constexpr double kShift = 1e-6;  // relative; near the cube root of the rounding error
  for (std::size_t c = 0; c < n; ++c) {
    auto above = x, below = x;
    const double h = kShift * std::max(std::abs(x[c]), 1e-3);
    above[c] += h;
    below[c] -= h;
    const auto high = residuals(block, above), low = residuals(block, below);
    for (std::size_t r = 0; r < n; ++r) a[r * n + c] = (high[r] - low[r]) / (2 * h);
  }
  residuals(block, x);
  return a;
}

void PlanInterpreter::solve_nonlinear(const Block& block) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::size_t n = block.tearing.size();
  std::vector<double> x;
  for (const VarId v : block.tearing) x.push_back(values_[index(v)]);
  const auto size = [](const std::vector<double>& r) {
    double largest = 0;
    for (const double v : r) largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : HUGE_VAL;
    return largest;
  };
  std::vector<double> r = residuals(block, x);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double before = size(r);
    if (before == 0) return;
    if (before == HUGE_VAL)
      throw std::runtime_error("the loop of '" + s_.name(block.tearing[0]) + "' has no values at time " +
                               std::to_string(time_));
    const std::vector<double> a = matrix(block, x, false);
    const auto m = static_cast<Eigen::Index>(n);
    // rows and columns scaled, so that pressures beside flows do not look like a singular matrix
    Matrix scaled = Eigen::Map<const Matrix>(a.data(), m, m);
    const Eigen::VectorXd column = 1 + Eigen::Map<const Eigen::VectorXd>(x.data(), m).array().abs();
    scaled = scaled * column.asDiagonal();
    const Eigen::VectorXd row = scaled.rowwise().lpNorm<Eigen::Infinity>().cwiseMax(1e-300).cwiseInverse();
    scaled = row.asDiagonal() * scaled;
    const Eigen::VectorXd right = row.cwiseProduct(-Eigen::Map<const Eigen::VectorXd>(r.data(), m));
    const Eigen::VectorXd dx = column.cwiseProduct(scaled.fullPivLu().solve(right));
    std::vector<double> next = x;
    double whole = 0;  // length of the full step
    for (std::size_t k = 0; k < n; ++k)
      whole = std::max(whole, std::abs(dx(static_cast<Eigen::Index>(k))) / (1 + std::abs(x[k])));
    double part = 1;
    for (; part > 1e-6; part /= 2) {
      for (std::size_t k = 0; k < n; ++k) next[k] = x[k] + part * dx(static_cast<Eigen::Index>(k));
      r = residuals(block, next);
      if (size(r) < before) break;
    }
    const bool shrunk = part > 1e-6;
    if (whole < 1e-13 || (!shrunk && whole < 1e-8)) {  // residuals of the size of rounding errors shrink no more
      if (!shrunk) residuals(block, x);
      return;
    }
    x = next;
  }
  throw std::runtime_error("the loop of '" + s_.name(block.tearing[0]) + "' has no solution near " +
                           std::to_string(x[0]) + " at time " + std::to_string(time_));
}

double PlanInterpreter::largest_jacobian_error() {
  double largest = 0;
  std::vector<const Block*> all;
  for (const Block& block : p_.blocks) all.push_back(&block);
  for (const Block& block : p_.initial.blocks) all.push_back(&block);
  for (const Block* each : all) {
    const Block& block = *each;
    if (block.kind != BlockKind::Nonlinear || block.matrix.empty()) continue;
    std::vector<double> x;
    for (const VarId v : block.tearing) x.push_back(values_[index(v)]);
    const auto exact = matrix(block, x, false), near = matrix(block, x, true);
    double scale = 1e-12;
    for (const double v : near) scale = std::max(scale, std::abs(v));
    for (std::size_t k = 0; k < exact.size(); ++k) largest = std::max(largest, std::abs(exact[k] - near[k]) / scale);
  }
  return largest;
}

double PlanInterpreter::largest_residual(std::string* worst) const {
  double largest = 0;
  for (const equations::FlatEquation& e : s_.model.equations) {
    if (e.sample >= 0) continue;
    const double left = value(e.left), right = value(e.right);
    double scale = std::max({std::abs(left), std::abs(right), 1e-9});
    for (const Expr side : {e.left, e.right})
      if (side->op() == Op::Add)
        for (const Expr term : side->children()) scale = std::max(scale, std::abs(value(term)));
    const double error = std::abs(left - right) / scale;
    if (error <= largest) continue;  // a residual that is no number is the worst
    largest = std::isfinite(error) ? error : HUGE_VAL;
    if (worst) *worst = equations::to_text(e, equations::names_of(s_.model));
  }
  return largest;
}

}  // namespace fmugen::tests
