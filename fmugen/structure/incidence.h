// Bipartite graphs of equations (rows) and variables (columns), in compressed rows. Algorithms on them know nothing of
// models; they take and give numbers. All are iterative: a chain of 100 000 equations must not overflow the stack.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fmugen::structure {

constexpr std::uint32_t kNone = 0xffffffff;

struct Incidence {
  std::uint32_t columns = 0;
  std::vector<std::uint32_t> start{0};  // rows + 1 entries
  std::vector<std::uint32_t> entries;   // columns of each row; the order is the order of preference for a matching

  std::uint32_t rows() const { return static_cast<std::uint32_t>(start.size() - 1); }
  std::span<const std::uint32_t> row(std::uint32_t r) const {
    return std::span(entries).subspan(start[r], start[r + 1] - start[r]);
  }
  void add_row(std::span<const std::uint32_t> row_entries) {
    entries.insert(entries.end(), row_entries.begin(), row_entries.end());
    start.push_back(static_cast<std::uint32_t>(entries.size()));
  }
};

Incidence transposed(const Incidence& graph);

// One variable for each equation and one equation for each variable, as far as possible; kNone where there is none.
struct Matching {
  std::vector<std::uint32_t> column_of_row;
  std::vector<std::uint32_t> row_of_column;
  std::uint32_t size = 0;
};

Matching transposed(const Matching& matching);  // the same pairs, for the transposed graph

// A matching of largest size. Karp-Sipser for a start, then Pothen-Fan with look-ahead and fairness; near-linear in
// practice. `initial`, if given, is a matching to extend (rows matched there stay matched). After `patience` phases
// without an end only shortest paths are used, which bounds the worst case; models need fewer than ten phases.
Matching maximum_matching(const Incidence& graph, const Matching* initial = nullptr, std::uint32_t patience = 24);

// Dulmage-Mendelsohn: the part with too many equations, the part with too few, and the rest, which is square.
struct Decomposition {
  std::vector<std::uint32_t> over_rows, over_columns;    // more rows than columns
  std::vector<std::uint32_t> under_rows, under_columns;  // more columns than rows
};
Decomposition decompose(const Incidence& graph, const Matching& matching);

// For one unmatched row: the smallest set of rows that share too few columns, found by walking alternating paths from
// that row (the row itself first), with the columns they share. For one unmatched column likewise. The matching must be
// of largest size. The first costs no more than the entries of the group; the second transposes the graph, so to ask for
// many columns transpose graph and matching once and use the first (with rows and columns exchanged in the answer).
struct Group {
  std::vector<std::uint32_t> rows, columns;
};
Group overdetermined_group(const Incidence& graph, const Matching& matching, std::uint32_t unmatched_row);
Group underdetermined_group(const Incidence& graph, const Matching& matching, std::uint32_t unmatched_column);

// Block lower triangular form of a graph with a perfect matching of its rows: groups of rows in the order of
// computation, each group strongly connected (Tarjan 1972), its rows ascending. Independent groups keep the order of
// their smallest row: of the groups that can be computed next, the one with the smallest row is. Columns that no row is
// matched to are known from elsewhere.
std::vector<std::vector<std::uint32_t>> block_order(const Incidence& graph, const Matching& matching);

// Tearing of one block. Rows and columns are local numbers; solvable(entry) says whether an equation can be solved for
// a variable by formula without dividing by something that may vanish.
struct Tearing {
  std::vector<std::uint32_t> tearing_columns;                        // iterated
  std::vector<std::pair<std::uint32_t, std::uint32_t>> assignments;  // (row, column) in the order of computation
  std::vector<std::uint32_t> residual_rows;                          // as many as tearing columns
};
struct TearingInput {
  Incidence graph;
  std::vector<bool> solvable;               // per entry of graph.entries
  std::vector<bool> prefer, avoid, forced;  // per column: good, bad, required as tearing variables (may be empty)
};
// Greedy: equations with one unknown left are assigned; when none is left the variable whose choice lets most equations
// follow is torn (Cellier and Kofman 2006, chapter 7; Carpanzano 2000). Near-linear: O(entries log entries).
Tearing tear(const TearingInput& block);

}  // namespace fmugen::structure
