// Which equations are too many, which variables are determined by nothing, and who is involved?
//
// Method: alternating walks in a matching of largest size. From a row without a column go to all its columns, from each
// of these to the row that owns it, and so on. Every column met has an owner (otherwise the walk would be a way to a
// larger matching), so the walk ends with one row more than columns: these rows use these columns only, and are too
// many. All walks from all such rows together are the overdetermined part. The underdetermined part is the same with
// rows and columns exchanged. No row or column is in both, and what is in neither is square and has a perfect matching.
// The parts do not depend on which matching of largest size was used.
//
//     rows  0: a        matched 0-a, 2-b, 3-c; row 1 has no column.
//           1: a        over   from row 1: column a, row 0            rows 0 1, columns a
//           2: a b      under  from column d: row 3, its column c     rows 3,   columns c d
//           3: c d      rest   row 2 with column b
//
// For a message the walk of a single row is the right size. Leave out any one row of it and the others have a column
// each; so, among the rows with a column and this one, no smaller set has too few columns, and each of its rows may be
// the one to blame.
//
// Dulmage, A. L. and Mendelsohn, N. S. (1958): Coverings of bipartite graphs. Canadian Journal of Mathematics 10.
// Use for equation models: Bunus, P. and Fritzson, P. (2002): Methods for structural analysis and debugging of Modelica
// models. 2nd International Modelica Conference.
#include <algorithm>
#include <unordered_set>

#include "fmugen/structure/incidence.h"

namespace fmugen::structure {
namespace {

// All rows and columns on alternating walks that begin at any row without a column, in ascending order.
Group surplus(const Incidence& graph, const Matching& matching) {
  Group group;
  std::vector<bool> column_seen(graph.columns, false);
  for (std::uint32_t r = 0; r < graph.rows(); ++r) {
    if (matching.column_of_row[r] == kNone) group.rows.push_back(r);
  }
  for (std::size_t next = 0; next < group.rows.size(); ++next) {  // a row is reached by its column only, hence once
    for (const std::uint32_t column : graph.row(group.rows[next])) {
      if (column_seen[column]) continue;
      column_seen[column] = true;
      group.columns.push_back(column);
      const std::uint32_t owner = matching.row_of_column[column];
      if (owner != kNone) group.rows.push_back(owner);
    }
  }
  std::sort(group.rows.begin(), group.rows.end());
  std::sort(group.columns.begin(), group.columns.end());
  return group;
}

}  // namespace

Decomposition decompose(const Incidence& graph, const Matching& matching) {
  Group over = surplus(graph, matching);
  Group under = surplus(transposed(graph), transposed(matching));
  return {std::move(over.rows), std::move(over.columns), std::move(under.columns), std::move(under.rows)};
}

Group overdetermined_group(const Incidence& graph, const Matching& matching, std::uint32_t unmatched_row) {
  Group group;
  group.rows.push_back(unmatched_row);
  std::unordered_set<std::uint32_t> columns_seen;  // a set, so that the cost follows the group and not the graph
  for (std::size_t next = 0; next < group.rows.size(); ++next) {
    for (const std::uint32_t column : graph.row(group.rows[next])) {
      if (!columns_seen.insert(column).second) continue;
      group.columns.push_back(column);
      const std::uint32_t owner = matching.row_of_column[column];
      if (owner != kNone) group.rows.push_back(owner);
    }
  }
  return group;
}

Group underdetermined_group(const Incidence& graph, const Matching& matching, std::uint32_t unmatched_column) {
  Group group = overdetermined_group(transposed(graph), transposed(matching), unmatched_column);
  std::swap(group.rows, group.columns);
  return group;
}

}  // namespace fmugen::structure
