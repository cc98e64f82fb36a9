// Takes the columns of the states out of the plan's pattern, adds the diagonal, and colours the columns.
//
// Columns that share no row can be found by one evaluation of tangents. They are coloured greedily, longest first: a
// column gets the smallest colour that no other column of its rows has. A row that most columns share makes that costly
// to look up, so of long rows the colours in use are kept in a list of flags, and the search starts behind those known
// to be taken.
//
//   x' = f(x, y), y' = g(y, z), z' = h(z)       columns x: {x}, y: {x, y}, z: {y, z}       colours x: 1, y: 0, z: 1
//
// Curtis, Powell and Reid (1974): On the estimation of sparse Jacobian matrices. J. Inst. Maths Applics 13.
#include "fmugen/codegen/jacobian_pattern.h"

#include <algorithm>
#include <numeric>

namespace fmugen::codegen {

using structure::kNone;

namespace {

constexpr std::size_t kLongRow = 64;

class Colouring {
 public:
  explicit Colouring(Pattern& pattern)
      : p_(pattern), columns_(pattern.size), used_(pattern.size), first_free_(pattern.size, 0) {
    for (std::uint32_t c = 0; c < p_.size; ++c)
      for (std::uint32_t k = p_.column_start[c]; k < p_.column_start[c + 1]; ++k) columns_[p_.row[k]].push_back(c);
  }

  void run() {
    std::vector<std::uint32_t> order(p_.size);
    std::iota(order.begin(), order.end(), 0);
    const auto length = [&](std::uint32_t c) { return p_.column_start[c + 1] - p_.column_start[c]; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length(a) > length(b); });
    p_.colour.assign(p_.size, kNone);
    for (const std::uint32_t c : order) paint(c);
  }

 private:
  void paint(std::uint32_t c) {
    std::uint32_t colour = 0;
    for (std::uint32_t k = p_.column_start[c]; k < p_.column_start[c + 1]; ++k) {
      const std::uint32_t r = p_.row[k];
      if (columns_[r].size() > kLongRow) {
        colour = std::max(colour, first_free_[r]);
        continue;
      }
      for (const std::uint32_t other : columns_[r])
        if (p_.colour[other] != kNone) taken_by_[p_.colour[other]] = c;
    }
    while (is_taken(c, colour)) ++colour;
    p_.colour[c] = colour;
    if (colour >= p_.colours) {
      p_.colours = colour + 1;
      taken_by_.resize(p_.colours, kNone);
    }
    for (std::uint32_t k = p_.column_start[c]; k < p_.column_start[c + 1]; ++k) {
      const std::uint32_t r = p_.row[k];
      if (columns_[r].size() <= kLongRow) continue;
      if (used_[r].size() <= colour) used_[r].resize(colour + 1, false);
      used_[r][colour] = true;
      while (first_free_[r] < used_[r].size() && used_[r][first_free_[r]]) ++first_free_[r];
    }
  }

  bool is_taken(std::uint32_t c, std::uint32_t colour) const {
    if (colour < taken_by_.size() && taken_by_[colour] == c) return true;
    for (std::uint32_t k = p_.column_start[c]; k < p_.column_start[c + 1]; ++k)
      if (const auto& used = used_[p_.row[k]]; colour < used.size() && used[colour]) return true;
    return false;
  }

  Pattern& p_;
  std::vector<std::vector<std::uint32_t>> columns_;  // by row
  std::vector<std::vector<bool>> used_;              // of long rows: colours in use
  std::vector<std::uint32_t> first_free_;            // of long rows: a lower bound
  std::vector<std::uint32_t> taken_by_;              // by colour: the column that last found it taken
};

}  // namespace

std::optional<Pattern> state_pattern(const structure::SimulationPlan& plan) {
  const structure::SparseMatrix& known = plan.jacobians.derivatives;
  const auto n = static_cast<std::uint32_t>(plan.selection.states.size());
  if (n == 0 || known.rows != n) return std::nullopt;
  std::vector<std::vector<std::uint32_t>> rows(n);
  for (const structure::Entry& e : known.entries)
    if (e.column < n) rows[e.column].push_back(e.row);
  Pattern pattern;
  pattern.size = n;
  pattern.column_start.push_back(0);
  for (std::uint32_t c = 0; c < n; ++c) {
    rows[c].push_back(c);
    std::sort(rows[c].begin(), rows[c].end());
    rows[c].erase(std::unique(rows[c].begin(), rows[c].end()), rows[c].end());
    pattern.row.insert(pattern.row.end(), rows[c].begin(), rows[c].end());
    pattern.column_start.push_back(static_cast<std::uint32_t>(pattern.row.size()));
  }
  Colouring(pattern).run();
  return pattern;
}

}  // namespace fmugen::codegen
