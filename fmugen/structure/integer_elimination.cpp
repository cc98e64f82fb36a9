// Redundancy that a matching cannot see.
//
// A circuit without ground has as many equations as unknowns, and each can be paired with an unknown of its own, yet the
// node sums add up to 0 = 0 and all potentials may be shifted together. The equations that connections create have small
// integer coefficients, so exact elimination among them finds such a 0 = 0. A variable that occurs in one of the rows
// only takes its row out of the game; one that occurs in two rows is eliminated by adding a multiple of one to the other,
// the shorter to the longer, which on networks amounts to contracting their graph: O(n log n). Rows that would fill up
// are left alone (they prove nothing then).
//
//   -R.I + E.I = 0,  R.I - E.I = 0        the second is the first again: one of them says nothing
//
// The usual case, all sums of a network without reference, is found beforehand without any elimination: every current
// leaves one node and enters another, so with the right signs the sums of a connected network cancel.
// (Otter and Elmqvist 2017, section on exact removal of singularities.)
#include "fmugen/structure/integer_elimination.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <unordered_map>

namespace fmugen::structure {

using equations::Op;

namespace {

constexpr std::size_t kLongestRow = 400;      // entries of a row that is still looked at
constexpr double kLargestCoefficient = 1e6;   // exact in double with room to spare

struct Row {
  std::unordered_map<std::uint32_t, double> entries;  // by variable
  std::vector<std::uint32_t> members;                 // equations combined in it
  double constant = 0;
  bool active = true;
};

// left - right with integer coefficients and a number as constant; false if the equation is of another kind.
bool read_row(System& s, const SystemEquation& e, Row& row) {
  const auto add = [&](Expr x, double factor, const auto& self) -> bool {
    switch (x->op()) {
      case Op::Number: row.constant += factor * x->number(); return true;
      case Op::Variable:
        if (!is_unknown(s, x->variable())) return false;
        row.entries[index(x->variable())] += factor;
        return true;
      case Op::Add:
        if (x->size() > kLongestRow) return false;
        for (const Expr child : x->children())
          if (!self(child, factor, self)) return false;
        return true;
      case Op::Mul:
        if (x->size() != 2 || !x->child(0)->is_number()) return false;
        return self(x->child(1), factor * x->child(0)->number(), self);
      default: return false;
    }
  };
  if (!add(e.left, 1, add) || !add(e.right, -1, add)) return false;
  std::erase_if(row.entries, [](const auto& entry) { return entry.second == 0; });
  return std::all_of(row.entries.begin(), row.entries.end(), [](const auto& entry) {
    return entry.second == std::floor(entry.second) && std::abs(entry.second) <= 64;
  });
}

class Elimination {
 public:
  explicit Elimination(System& s) : s_(s) {
    for (std::uint32_t k = 0; k < s.equations.size(); ++k) {
      Row row;
      if (!read_row(s, s.equations[k], row)) continue;
      row.members.push_back(k);
      rows_.push_back(std::move(row));
    }
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      for (const auto& [v, factor] : rows_[r].entries) rows_of_[v].push_back(r);
  }

  // Connected groups of rows that cancel when added up with signs +1 and -1. One row of each is retired.
  std::vector<Redundancy> cancelling_groups() {
    std::vector<Redundancy> found;
    std::vector<int> sign(rows_.size(), 0);
    for (std::uint32_t start = 0; start < rows_.size(); ++start) {
      if (sign[start] != 0) continue;
      std::vector<std::uint32_t> group{start};
      sign[start] = 1;
      bool cancels = true;
      double constant = 0;
      for (std::size_t k = 0; k < group.size(); ++k) {
        const std::uint32_t r = group[k];
        constant += sign[r] * rows_[r].constant;
        for (const auto& [v, factor] : rows_[r].entries) {
          const auto& rows = rows_of_[v];
          if (rows.size() != 2 || rows[0] == rows[1]) {
            cancels = false;
            for (const std::uint32_t other : rows)
              if (sign[other] == 0) {
                sign[other] = 1;
                group.push_back(other);
              }
            continue;
          }
          const std::uint32_t other = rows[0] == r ? rows[1] : rows[0];
          const double there = rows_[other].entries.at(v);
          const int wanted = sign[r] * factor == -there ? 1 : -1;
          if (sign[other] == 0) {
            sign[other] = wanted;
            group.push_back(other);
          }
          cancels = cancels && sign[r] * factor + sign[other] * there == 0;
        }
      }
      if (!cancels || (group.size() == 1 && !rows_[start].entries.empty())) continue;
      Redundancy redundancy{{}, constant};
      for (const std::uint32_t r : group) redundancy.equations.push_back(rows_[r].members[0]);
      std::sort(redundancy.equations.begin(), redundancy.equations.end());
      found.push_back(std::move(redundancy));
      for (const std::uint32_t r : group) rows_[r].active = false;  // n - 1 of them are independent: nothing else to find
    }
    return found;
  }

  std::vector<Redundancy> run() {
    std::vector<Redundancy> found = cancelling_groups();
    std::vector<std::uint32_t> order;
    for (const auto& [v, rows] : rows_of_) order.push_back(v);
    std::sort(order.begin(), order.end());
    // Variables by the number of rows they occur in; those in one or two rows first, the others when they come down.
    std::deque<std::uint32_t> queue;
    for (const std::uint32_t v : order)
      if (rows_of_[v].size() <= 2) queue.push_back(v);
    for (const std::uint32_t v : order)
      if (rows_of_[v].size() > 2) queue.push_back(v);
    std::size_t idle = 0;
    while (!queue.empty() && idle <= queue.size()) {
      const std::uint32_t v = queue.front();
      queue.pop_front();
      if (eliminate(v, idle > queue.size() / 2))
        idle = 0;
      else if (occurrences(v) > 0) {
        queue.push_back(v);
        ++idle;
      }
    }
    for (Row& row : rows_)
      if (row.active && row.entries.empty()) {
        std::sort(row.members.begin(), row.members.end());
        found.push_back({row.members, row.constant});
      }
    return found;
  }

 private:
  // Rows in which v still occurs.
  std::size_t occurrences(std::uint32_t v) {
    auto& rows = rows_of_[v];
    std::erase_if(rows, [&](std::uint32_t r) { return !rows_[r].active || !rows_[r].entries.contains(v); });
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows.size();
  }

  bool eliminate(std::uint32_t v, bool any) {
    const std::size_t n = occurrences(v);
    if (n == 0) return true;
    if (n > 2 && !any) return false;
    combine(v);
    return true;
  }

  // Uses the shortest row with v as pivot, removes v from the others, and retires the pivot.
  void combine(std::uint32_t v) {
    const std::vector<std::uint32_t> rows = rows_of_[v];
    const std::uint32_t pivot = *std::min_element(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(rows_[a].entries.size(), a) < std::pair(rows_[b].entries.size(), b);
    });
    const double p = rows_[pivot].entries.at(v);
    for (const std::uint32_t r : rows) {
      if (r == pivot) continue;
      if (rows_[r].entries.size() + rows_[pivot].entries.size() > kLongestRow) {
        rows_[r].active = false;  // too long to follow
        continue;
      }
      const double q = rows_[r].entries.at(v);
      const double common = std::gcd(static_cast<long long>(std::abs(p)), static_cast<long long>(std::abs(q)));
      add(rows_[r], p / common, rows_[pivot], -q / common, r);
    }
    rows_[pivot].active = false;
  }

  // row = a*row + b*other
  void add(Row& row, double a, const Row& other, double b, std::uint32_t number) {
    if (a != 1) {
      for (auto& [v, factor] : row.entries) factor *= a;
      row.constant *= a;
    }
    for (const auto& [v, factor] : other.entries) {
      const auto [there, added] = row.entries.try_emplace(v, 0);
      there->second += b * factor;
      if (there->second == 0)
        row.entries.erase(there);
      else if (added)
        rows_of_[v].push_back(number);
      else if (std::abs(there->second) > kLargestCoefficient)
        row.active = false;
    }
    row.constant += b * other.constant;
    row.members.insert(row.members.end(), other.members.begin(), other.members.end());
  }

  System& s_;
  std::vector<Row> rows_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> rows_of_;
};

}  // namespace

std::vector<Redundancy> find_redundancies(System& system) { return Elimination(system).run(); }

}  // namespace fmugen::structure
