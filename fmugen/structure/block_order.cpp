// In which order are the equations computed, and which must be solved together?
//
// Method: once every row has a column to compute, row r needs row s if r uses the column of s. Rows that need each
// other, directly or through others, are the strong components of this relation: one block each. Tarjan finds them all
// in one depth-first walk. Each row gets a number when the walk enters it, and remembers the smallest number of an
// unfinished row that it can reach (`low`). A row that reaches nothing before itself closes a component: all rows that
// were entered since and belong to no component yet. The walk keeps a stack of its own instead of recursion.
//
// Tarjan gives the components in an order that can be computed, but one that jumps about in the model. So they are
// ordered once more, by Kahn's method: of the blocks whose needs are computed, the one with the smallest row is next.
// Equations that do not depend on each other thus stay in the order in which they were written.
//
//     rows  0: a b c   computes a        0 needs 1 and 2
//           1: b d     computes b        1 needs 3
//           2: c       computes c                             components {1, 3}, {2}, {0}
//           3: b d     computes d        3 needs 1            order      {1, 3}, {2}, {0}
//
// Tarjan, R. (1972): Depth-first search and linear graph algorithms. SIAM Journal on Computing 1(2).
// Kahn, A. B. (1962): Topological sorting of large networks. Communications of the ACM 5(11).
#include <algorithm>
#include <functional>
#include <queue>

#include "fmugen/structure/incidence.h"

namespace fmugen::structure {
namespace {

class StrongComponents {
 public:
  StrongComponents(const Incidence& graph, const Matching& matching)
      : graph_(graph), matching_(matching), low_(graph.rows(), 0), component_(graph.rows(), kNone) {}

  // For each row the number of its component; `count` says how many there are.
  std::vector<std::uint32_t> find(std::uint32_t& count) {
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      if (low_[r] == 0) walk_from(r);
    }
    count = count_;
    return std::move(component_);
  }

 private:
  struct Step {
    std::uint32_t row;
    std::uint32_t number;  // when the walk entered the row, from 1
    std::uint32_t entry;   // the next entry to look at
  };

  void walk_from(std::uint32_t root) {
    enter(root);
    while (!walk_.empty()) {
      Step& step = walk_.back();
      if (step.entry == graph_.start[step.row + 1]) {
        leave();
        continue;
      }
      const std::uint32_t needed = matching_.row_of_column[graph_.entries[step.entry++]];
      if (needed == kNone || component_[needed] != kNone) continue;  // known, or in a block that is complete
      if (low_[needed] == 0)
        enter(needed);
      else
        low_[step.row] = std::min(low_[step.row], low_[needed]);
    }
  }

  void enter(std::uint32_t row) {
    low_[row] = ++entered_;
    open_.push_back(row);
    walk_.push_back({row, entered_, graph_.start[row]});
  }

  void leave() {
    const Step done = walk_.back();
    walk_.pop_back();
    if (low_[done.row] == done.number) {
      std::uint32_t row;
      do {
        row = open_.back();
        open_.pop_back();
        component_[row] = count_;
      } while (row != done.row);
      ++count_;
    } else {
      std::uint32_t& low = low_[walk_.back().row];
      low = std::min(low, low_[done.row]);
    }
  }

  const Incidence& graph_;
  const Matching& matching_;
  std::uint32_t entered_ = 0, count_ = 0;
  std::vector<std::uint32_t> low_;  // 0: not entered yet
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> open_;  // entered, but in no component yet
  std::vector<Step> walk_;
};

// Renumbers the components by their smallest row, and gives the rows of each in ascending order.
std::vector<std::vector<std::uint32_t>> collect(std::vector<std::uint32_t>& component, std::uint32_t count) {
  std::vector<std::vector<std::uint32_t>> blocks;
  blocks.reserve(count);
  std::vector<std::uint32_t> number(count, kNone);
  for (std::uint32_t r = 0; r < component.size(); ++r) {
    std::uint32_t& block = number[component[r]];
    if (block == kNone) {
      block = static_cast<std::uint32_t>(blocks.size());
      blocks.emplace_back();
    }
    blocks[block].push_back(r);
    component[r] = block;
  }
  return blocks;
}

// Calls visit(user, needed) for every entry of a row of block `user` that block `needed` computes.
template <typename Visit>
void for_each_need(const Incidence& graph, const Matching& matching, const std::vector<std::uint32_t>& block_of,
                   Visit visit) {
  for (std::uint32_t r = 0; r < graph.rows(); ++r) {
    for (const std::uint32_t column : graph.row(r)) {
      const std::uint32_t needed = matching.row_of_column[column];
      if (needed != kNone && block_of[needed] != block_of[r]) visit(block_of[r], block_of[needed]);
    }
  }
}

}  // namespace

std::vector<std::vector<std::uint32_t>> block_order(const Incidence& graph, const Matching& matching) {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> block_of = StrongComponents(graph, matching).find(count);
  std::vector<std::vector<std::uint32_t>> blocks = collect(block_of, count);

  // For each block who uses it (in compressed rows, as everywhere), and how many needs of each block are open.
  Incidence users;
  users.start.assign(count + 1, 0);
  std::vector<std::uint32_t> open_needs(count, 0);
  for_each_need(graph, matching, block_of, [&](std::uint32_t user, std::uint32_t needed) {
    ++open_needs[user];
    ++users.start[needed + 1];
  });
  for (std::uint32_t b = 0; b < count; ++b) users.start[b + 1] += users.start[b];
  users.entries.resize(users.start[count]);
  std::vector<std::uint32_t> next(users.start.begin(), users.start.end() - 1);
  for_each_need(graph, matching, block_of,
                [&](std::uint32_t user, std::uint32_t needed) { users.entries[next[needed]++] = user; });

  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t b = 0; b < count; ++b) {
    if (open_needs[b] == 0) ready.push(b);
  }
  std::vector<std::vector<std::uint32_t>> ordered;
  ordered.reserve(count);
  while (!ready.empty()) {
    const std::uint32_t block = ready.top();
    ready.pop();
    for (const std::uint32_t user : users.row(block)) {
      if (--open_needs[user] == 0) ready.push(user);
    }
    ordered.push_back(std::move(blocks[block]));
  }
  return ordered;
}

}  // namespace fmugen::structure
