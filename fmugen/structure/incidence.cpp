// Who uses a variable? Rows list their columns; many questions need for each column the list of its rows.
//
// Method: a counting sort by column. Count the entries of each column, turn the counts into starts, then go through the
// rows in order and put each where its columns have their next free place. Two passes over the entries, and the rows of
// each column come out in ascending order whatever the order of the entries within the rows.
//
//     rows    0: c2 c0     counts  c0 2, c1 1, c2 2         columns  0: r0 r1
//             1: c0 c1     starts  0 2 3 5                           1: r1
//             2: c2                                                  2: r0 r2
//
// Gustavson, F. G. (1978): Two fast algorithms for sparse matrices: multiplication and permuted transposition. ACM
// Transactions on Mathematical Software 4(3).
#include "fmugen/structure/incidence.h"

namespace fmugen::structure {

Incidence transposed(const Incidence& graph) {
  Incidence result;
  result.columns = graph.rows();
  result.start.assign(graph.columns + 1, 0);
  result.entries.resize(graph.entries.size());
  for (const std::uint32_t column : graph.entries) ++result.start[column + 1];
  for (std::uint32_t c = 0; c < graph.columns; ++c) result.start[c + 1] += result.start[c];

  std::vector<std::uint32_t> next(result.start.begin(), result.start.end() - 1);
  for (std::uint32_t r = 0; r < graph.rows(); ++r) {
    for (const std::uint32_t column : graph.row(r)) result.entries[next[column]++] = r;
  }
  return result;
}

Matching transposed(const Matching& matching) {
  return {matching.row_of_column, matching.column_of_row, matching.size};
}

}  // namespace fmugen::structure
