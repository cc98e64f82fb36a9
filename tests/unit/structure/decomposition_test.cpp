#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/structure/graphs.h"

using namespace fmugen::structure;

namespace {

// Oracle, straight from the definition: a row is in the overdetermined part if some matching of largest size leaves it
// without a column, that is, if leaving the row out does not make the largest matching smaller.
Row rows_that_can_be_left_out(const Incidence& graph) {
  const std::uint32_t size = maximum_matching(graph).size;
  Row found;
  for (std::uint32_t left_out = 0; left_out < graph.rows(); ++left_out) {
    Incidence rest;
    rest.columns = graph.columns;
    for (std::uint32_t r = 0; r < graph.rows(); ++r)
      rest.add_row(r == left_out ? std::span<const std::uint32_t>() : graph.row(r));
    if (maximum_matching(rest).size == size) found.push_back(left_out);
  }
  return found;
}

Row columns_of(const Incidence& graph, const Row& rows) {
  std::set<std::uint32_t> columns;
  for (const std::uint32_t r : rows) columns.insert(graph.row(r).begin(), graph.row(r).end());
  return Row(columns.begin(), columns.end());
}

Row sorted(Row values) {
  std::sort(values.begin(), values.end());
  return values;
}

// Has every subset of the rows at least as many columns as rows, once any one of them is left out?
void require_smallest(const Incidence& graph, const Group& group) {
  for (const std::uint32_t left_out : group.rows) {
    Incidence rest;
    rest.columns = graph.columns;
    for (const std::uint32_t r : group.rows) {
      if (r != left_out) rest.add_row(graph.row(r));
    }
    REQUIRE(maximum_matching(rest).size == rest.rows());
  }
}

}  // namespace

TEST_CASE("the three parts of a small graph") {
  const Incidence graph = graph_of(4, {{0}, {0}, {0, 1}, {2, 3}});
  const Decomposition parts = decompose(graph, maximum_matching(graph));
  CHECK(parts.over_rows == Row{0, 1});
  CHECK(parts.over_columns == Row{0});
  CHECK(parts.under_rows == Row{3});
  CHECK(parts.under_columns == Row{2, 3});
}

TEST_CASE("a square graph with a perfect matching has neither part") {
  const Incidence graph = graph_of(2, {{0, 1}, {0, 1}});
  const Decomposition parts = decompose(graph, maximum_matching(graph));
  CHECK(parts.over_rows.empty());
  CHECK(parts.over_columns.empty());
  CHECK(parts.under_rows.empty());
  CHECK(parts.under_columns.empty());
}

TEST_CASE("rows without entries and columns without rows are parts of their own") {
  const Incidence graph = graph_of(1, {{}});
  const Matching matching = maximum_matching(graph);
  const Decomposition parts = decompose(graph, matching);
  CHECK(parts.over_rows == Row{0});
  CHECK(parts.over_columns.empty());
  CHECK(parts.under_columns == Row{0});
  CHECK(parts.under_rows.empty());
  CHECK(overdetermined_group(graph, matching, 0).rows == Row{0});
  CHECK(overdetermined_group(graph, matching, 0).columns.empty());
  CHECK(underdetermined_group(graph, matching, 0).columns == Row{0});
}

TEST_CASE("a group begins with the row asked for and leaves out what is not involved") {
  // Rows 0, 1 and 4 quarrel about columns 0 and 1; rows 2 and 3 use them but have columns of their own.
  const Incidence graph = graph_of(4, {{0, 1}, {1}, {1, 2}, {0, 2, 3}, {0}});
  Matching matching;
  matching.column_of_row = {0, 1, 2, 3, kNone};
  matching.row_of_column = {0, 1, 2, 3};
  matching.size = 4;
  const Group group = overdetermined_group(graph, matching, 4);
  CHECK(group.rows == Row{4, 0, 1});
  CHECK(group.columns == Row{0, 1});
}

TEST_CASE("the group of a column that nothing determines") {
  const Incidence graph = graph_of(4, {{0}, {0, 1, 2}, {2, 3}});
  Matching matching;
  matching.column_of_row = {0, 1, 2};
  matching.row_of_column = {0, 1, 2, kNone};
  matching.size = 3;
  const Group group = underdetermined_group(graph, matching, 3);
  CHECK(group.columns == Row{3, 2, 1});
  CHECK(group.rows == Row{2, 1});
}

TEST_CASE("random graphs: the parts are those of the definition") {
  Chance chance(11);
  for (int round = 0; round < 600; ++round) {
    const Incidence graph = random_graph(chance, chance.below(14), 1 + chance.below(14), 1 + chance.below(4));
    const Incidence turned = transposed(graph);
    const Matching matching = maximum_matching(graph);
    const Decomposition parts = decompose(graph, matching);
    REQUIRE(parts.over_rows == rows_that_can_be_left_out(graph));
    REQUIRE(parts.over_columns == columns_of(graph, parts.over_rows));
    REQUIRE(parts.under_columns == rows_that_can_be_left_out(turned));
    REQUIRE(parts.under_rows == columns_of(turned, parts.under_columns));
  }
}

TEST_CASE("random graphs: groups have one row or column too many, and no smaller ones have") {
  Chance chance(12);
  for (int round = 0; round < 600; ++round) {
    const Incidence graph = random_graph(chance, chance.below(14), 1 + chance.below(14), 1 + chance.below(4));
    const Incidence turned = transposed(graph);
    const Matching matching = maximum_matching(graph);
    for (std::uint32_t r = 0; r < graph.rows(); ++r) {
      if (matching.column_of_row[r] != kNone) continue;
      const Group group = overdetermined_group(graph, matching, r);
      REQUIRE(group.rows.front() == r);
      REQUIRE(group.rows.size() == group.columns.size() + 1);
      REQUIRE(sorted(group.columns) == columns_of(graph, group.rows));
      require_smallest(graph, group);
    }
    for (std::uint32_t c = 0; c < graph.columns; ++c) {
      if (matching.row_of_column[c] != kNone) continue;
      const Group group = underdetermined_group(graph, matching, c);
      REQUIRE(group.columns.front() == c);
      REQUIRE(group.columns.size() == group.rows.size() + 1);
      REQUIRE(sorted(group.rows) == columns_of(turned, group.columns));
      require_smallest(turned, {group.columns, group.rows});
    }
  }
}

TEST_CASE("one group through a chain of a million entries") {
  const std::uint32_t size = 500000;
  Incidence graph;
  graph.columns = size;
  graph.add_row(Row{0});
  for (std::uint32_t r = 1; r < size; ++r) graph.add_row(Row{r - 1, r});
  graph.add_row(Row{size - 1});
  const Matching matching = maximum_matching(graph);
  REQUIRE(matching.size == size);
  const std::uint32_t unmatched = static_cast<std::uint32_t>(
      std::find(matching.column_of_row.begin(), matching.column_of_row.end(), kNone) - matching.column_of_row.begin());
  CHECK(overdetermined_group(graph, matching, unmatched).rows.size() == size + 1);
  CHECK(decompose(graph, matching).over_rows.size() == size + 1);
  CHECK(underdetermined_group(transposed(graph), transposed(matching), unmatched).columns.size() == size + 1);
}
