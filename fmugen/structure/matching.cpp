// Which equation computes which variable? Every row gets a column of its own, for as many rows as possible.
//
// Method, in three steps of growing effort:
//
// 1. Karp-Sipser. A row with a single free column left takes it: no other choice can be better. Likewise a free column
//    that a single row can still take. When there is no such row or column, the first row without a column takes the
//    first free column in its order of preference, and the rule is tried again. This alone finishes most models.
//    Where there are more columns than rows, columns will be left over anyhow; then a column is never forced upon a
//    row, so that the order of preference decides which ones are left.
// 2. Pothen-Fan. A row r that has no column looks for an alternating path: r asks for a column c, its owner r' must
//    find another one, and so on until a free column ends the path; then every row on it moves on to the next column.
//    The search is depth first, with a stack of our own. A phase tries all rows without a column, and visits each
//    column at most once, so that it costs no more than the number of entries. Look-ahead: a row first looks whether it
//    has a free column, with a pointer that never goes back, since a column once taken stays taken. Fairness: every
//    second phase goes through the entries backwards, so that one unlucky order is not repeated.
// 3. Hopcroft-Karp. Should many phases be needed, then from there on only shortest alternating paths are used: a
//    breadth-first search numbers the rows by their distance, and the depth-first search may only go one level further
//    with each step. This bounds the number of phases by about the square root of the number of rows.
//
// A phase without success proves that the matching has largest size. Columns visited in a phase bear its number as a
// stamp, so that nothing needs to be cleared.
//
//     rows  0: a b    Karp-Sipser: nothing is forced, row 0 takes a; then row 1 has only c left and takes it; then
//           1: a c    row 2 has only b left. If the start were 0-a 1-c and row 2 were {a, c}, Pothen-Fan would walk
//           2: b c    2 -a- 0 -b, b is free: row 0 moves to b, row 2 gets a.
//
// Karp, R. M. and Sipser, M. (1981): Maximum matchings in sparse random graphs. FOCS 22.
// Pothen, A. and Fan, C.-J. (1990): Computing the block triangular form of a sparse matrix. ACM TOMS 16(4).
// Hopcroft, J. E. and Karp, R. M. (1973): An n^(5/2) algorithm for maximum matchings in bipartite graphs. SIAM J.
// Computing 2(4). Fairness: Duff, I. S., Kaya, K. and Ucar, B. (2011): Design, implementation, and analysis of maximum
// transversal algorithms. ACM TOMS 38(2).
#include <algorithm>

#include "fmugen/structure/incidence.h"

namespace fmugen::structure {
namespace {

void join(Matching& matching, std::uint32_t row, std::uint32_t column) {
  matching.column_of_row[row] = column;
  matching.row_of_column[column] = row;
  ++matching.size;
}

// The pairs to begin with. The graph may have grown since `initial` was found.
Matching start_with(const Incidence& graph, const Matching* initial) {
  Matching matching;
  matching.column_of_row.assign(graph.rows(), kNone);
  matching.row_of_column.assign(graph.columns, kNone);
  if (!initial) return matching;
  for (std::uint32_t r = 0; r < std::min<std::size_t>(graph.rows(), initial->column_of_row.size()); ++r) {
    if (initial->column_of_row[r] != kNone) join(matching, r, initial->column_of_row[r]);
  }
  return matching;
}

class KarpSipser {
 public:
  KarpSipser(const Incidence& graph, Matching& matching)
      : graph_(graph),
        by_column_(transposed(graph)),
        matching_(matching),
        force_columns_(graph.columns <= graph.rows()) {
    count_choices();
  }

  void run() {
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      take_forced();
      if (!row_is_free(r)) continue;
      const std::uint32_t column = first_free_column(r);
      if (column != kNone) take(r, column);
    }
    take_forced();
  }

 private:
  bool row_is_free(std::uint32_t r) const { return matching_.column_of_row[r] == kNone; }
  bool column_is_free(std::uint32_t c) const { return matching_.row_of_column[c] == kNone; }

  std::uint32_t first_free_column(std::uint32_t r) const {
    for (const std::uint32_t c : graph_.row(r)) {
      if (column_is_free(c)) return c;
    }
    return kNone;
  }

  std::uint32_t first_free_row(std::uint32_t c) const {
    for (const std::uint32_t r : by_column_.row(c)) {
      if (row_is_free(r)) return r;
    }
    return kNone;
  }

  // Between free rows and free columns, how many entries has each?
  void count_choices() {
    choices_of_row_.assign(graph_.rows(), 0);
    choices_of_column_.assign(graph_.columns, 0);
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      if (!row_is_free(r)) continue;
      for (const std::uint32_t c : graph_.row(r)) {
        if (!column_is_free(c)) continue;
        ++choices_of_row_[r];
        ++choices_of_column_[c];
      }
    }
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      if (choices_of_row_[r] == 1) forced_rows_.push_back(r);
    }
    if (!force_columns_) return;
    for (std::uint32_t c = 0; c < graph_.columns; ++c) {
      if (choices_of_column_[c] == 1) forced_columns_.push_back(c);
    }
  }

  void take_forced() {
    while (true) {
      if (next_forced_row_ < forced_rows_.size()) {
        const std::uint32_t r = forced_rows_[next_forced_row_++];
        const std::uint32_t c = row_is_free(r) ? first_free_column(r) : kNone;
        if (c != kNone) take(r, c);
      } else if (next_forced_column_ < forced_columns_.size()) {
        const std::uint32_t c = forced_columns_[next_forced_column_++];
        const std::uint32_t r = column_is_free(c) ? first_free_row(c) : kNone;
        if (r != kNone) take(r, c);
      } else {
        return;
      }
    }
  }

  void take(std::uint32_t row, std::uint32_t column) {
    join(matching_, row, column);
    for (const std::uint32_t r : by_column_.row(column)) {
      if (row_is_free(r) && --choices_of_row_[r] == 1) forced_rows_.push_back(r);
    }
    if (!force_columns_) return;
    for (const std::uint32_t c : graph_.row(row)) {
      if (column_is_free(c) && --choices_of_column_[c] == 1) forced_columns_.push_back(c);
    }
  }

  const Incidence& graph_;
  const Incidence by_column_;
  Matching& matching_;
  const bool force_columns_;
  std::vector<std::uint32_t> choices_of_row_, choices_of_column_;
  std::vector<std::uint32_t> forced_rows_, forced_columns_;  // queues: what was reached stays in front
  std::size_t next_forced_row_ = 0, next_forced_column_ = 0;
};

class AugmentingPaths {
 public:
  AugmentingPaths(const Incidence& graph, Matching& matching)
      : graph_(graph),
        matching_(matching),
        stamp_(graph.columns, 0),
        look_(graph.start.begin(), graph.start.end() - 1) {}

  void run(std::uint32_t patience) {
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      if (matching_.column_of_row[r] == kNone && !graph_.row(r).empty()) waiting.push_back(r);
    }
    while (!waiting.empty()) {
      ++phase_;
      if (phase_ > patience) number_levels(waiting);
      const std::size_t before = waiting.size();
      std::erase_if(waiting, [this](std::uint32_t r) { return augment(r); });
      if (waiting.size() == before) return;
    }
  }

 private:
  struct Step {
    std::uint32_t row;
    std::uint32_t tried = 0;  // entries of the row already looked at in this phase
  };

  // Finds an alternating path from `root` to a free column and moves every row on it to its next column.
  bool augment(std::uint32_t root) {
    path_.assign(1, {root});
    while (!path_.empty()) {
      std::uint32_t column = free_column(path_.back().row);
      if (column != kNone) {
        for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
          std::swap(column, matching_.column_of_row[step->row]);
          matching_.row_of_column[matching_.column_of_row[step->row]] = step->row;
        }
        ++matching_.size;
        return true;
      }
      const std::uint32_t next = next_row(path_.back());
      if (next == kNone)
        path_.pop_back();
      else
        path_.push_back({next});
    }
    return false;
  }

  // Look-ahead. The free column is marked as visited too, for it is taken from now on in this phase.
  std::uint32_t free_column(std::uint32_t row) {
    for (std::uint32_t& k = look_[row]; k < graph_.start[row + 1]; ++k) {
      const std::uint32_t column = graph_.entries[k];
      if (matching_.row_of_column[column] != kNone) continue;
      stamp_[column] = phase_;
      return column;
    }
    return kNone;
  }

  // The owner of the next column that was not visited in this phase.
  std::uint32_t next_row(Step& step) {
    const auto row = graph_.row(step.row);
    while (step.tried < row.size()) {
      const std::uint32_t position = step.tried++;
      const std::uint32_t column = phase_ % 2 == 1 ? row[position] : row[row.size() - 1 - position];
      if (stamp_[column] == phase_) continue;
      const std::uint32_t owner = matching_.row_of_column[column];
      if (!level_.empty() && level_[owner] != level_[step.row] + 1) continue;
      stamp_[column] = phase_;
      return owner;
    }
    return kNone;
  }

  // Distance of each row from the rows without a column; no further than the first level that touches a free column.
  void number_levels(const std::vector<std::uint32_t>& roots) {
    level_.assign(graph_.rows(), kNone);
    std::vector<std::uint32_t> queue = roots;
    for (const std::uint32_t r : roots) level_[r] = 0;
    std::uint32_t last = kNone - 1;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t r = queue[next];
      if (level_[r] >= last) break;
      for (const std::uint32_t c : graph_.row(r)) {
        const std::uint32_t owner = matching_.row_of_column[c];
        if (owner == kNone) {
          last = level_[r];
        } else if (level_[owner] == kNone) {
          level_[owner] = level_[r] + 1;
          queue.push_back(owner);
        }
      }
    }
    for (const std::uint32_t r : queue) {
      if (level_[r] > last) level_[r] = kNone;
    }
  }

  const Incidence& graph_;
  Matching& matching_;
  std::uint32_t phase_ = 0;
  std::vector<std::uint32_t> stamp_;  // of a column: the phase of its last visit
  std::vector<std::uint32_t> look_;   // of a row: entries before this one have no free column
  std::vector<std::uint32_t> level_;
  std::vector<Step> path_;
};

}  // namespace

Matching maximum_matching(const Incidence& graph, const Matching* initial, std::uint32_t patience) {
  Matching matching = start_with(graph, initial);
  KarpSipser(graph, matching).run();
  AugmentingPaths(graph, matching).run(patience);
  return matching;
}

}  // namespace fmugen::structure
