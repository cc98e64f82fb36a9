// States that are chosen while the simulation runs, by the rule that stands at structure::StateSet. The pivots come
// from Eigen's elimination with full pivoting: a matrix of m rows and n columns is P*A*Q = L*U, and the first m
// columns in the order of Q have the pivots on the diagonal of U.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tests/support/plan_interpreter.h"

namespace fmugen::tests {

namespace {

using Matrix = Eigen::MatrixXd;

double smallest_pivot(const Matrix& a) {
  const Eigen::FullPivLU<Matrix> lu(a);
  return lu.matrixLU().diagonal().cwiseAbs().minCoeff();
}

// The columns without pivot.
std::vector<std::uint32_t> free_columns(const Matrix& a) {
  const Eigen::FullPivLU<Matrix> lu(a);
  const auto order = lu.permutationQ().indices();
  std::vector<std::uint32_t> found;
  for (Eigen::Index k = a.rows(); k < a.cols(); ++k) found.push_back(static_cast<std::uint32_t>(order(k)));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<std::string> PlanInterpreter::chosen(std::size_t set) const {
  std::vector<std::string> names;
  for (const std::uint32_t i : chosen_[set]) names.push_back(s_.name(p_.selection.dynamic[set].candidates[i]));
  return names;
}

// The states take the values of the candidates they stand for.
void PlanInterpreter::set_selection(std::size_t number, const std::vector<std::uint32_t>& chosen) {
  const structure::StateSet& set = p_.selection.dynamic[number];
  chosen_[number] = chosen;
  for (std::size_t j = 0; j < set.states.size(); ++j) {
    for (std::size_t i = 0; i < set.candidates.size(); ++i)
      values_[index(set.selection[j * set.candidates.size() + i])] = chosen[j] == i ? 1 : 0;
    values_[index(set.states[j])] = values_[index(set.candidates[chosen[j]])];
  }
}

bool PlanInterpreter::choose_states() {
  bool changed = false;
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const structure::StateSet& set = p_.selection.dynamic[k];
    const auto m = static_cast<Eigen::Index>(set.constraints.size()),
               n = static_cast<Eigen::Index>(set.candidates.size());
    Matrix a = Matrix::Zero(m, n);
    for (const structure::Entry& e : set.jacobian) a(e.row, e.column) += value(e.value) * set.nominal[e.column];
    for (Eigen::Index r = 0; r < m; ++r)
      if (const double largest = a.row(r).cwiseAbs().maxCoeff(); largest > 0) a.row(r) /= largest;
    Matrix present(m, m);
    for (Eigen::Index c = 0, at = 0; c < n; ++c)
      if (std::find(chosen_[k].begin(), chosen_[k].end(), c) == chosen_[k].end()) present.col(at++) = a.col(c);
    const double best = smallest_pivot(a);
    if (!(best > 0) || smallest_pivot(present) >= structure::kKeepStates * best) continue;
    set_selection(k, free_columns(a));
    ++changes_;
    changed = true;
  }
  if (changed) evaluate();
  return changed;
}

}  // namespace fmugen::tests
