#include <catch2/catch.hpp>

#include "tests/unit/structure/graphs.h"

using namespace fmugen::structure;

TEST_CASE("a graph without rows") {
  const Incidence graph;
  CHECK(graph.rows() == 0);
  CHECK(graph.columns == 0);
  CHECK(transposed(graph).rows() == 0);
}

TEST_CASE("rows keep the order of their entries") {
  const Incidence graph = graph_of(3, {{2, 0}, {}, {1}});
  REQUIRE(graph.rows() == 3);
  CHECK(Row(graph.row(0).begin(), graph.row(0).end()) == Row{2, 0});
  CHECK(graph.row(1).empty());
  CHECK(Row(graph.row(2).begin(), graph.row(2).end()) == Row{1});
}

TEST_CASE("the columns of the transposed graph list their rows in ascending order") {
  const Incidence turned = transposed(graph_of(4, {{2, 0}, {0, 1}, {2}}));
  CHECK(turned.columns == 3);
  CHECK(turned.start == Row{0, 2, 3, 5, 5});
  CHECK(turned.entries == Row{0, 1, 1, 0, 2});
}

TEST_CASE("transposing twice sorts the rows and changes nothing else") {
  Chance chance(1);
  for (int round = 0; round < 100; ++round) {
    const Incidence graph = random_graph(chance, chance.below(20), 1 + chance.below(20), 5);
    const Incidence twice = transposed(transposed(graph));
    REQUIRE(twice.rows() == graph.rows());
    REQUIRE(twice.columns == graph.columns);
    for (std::uint32_t r = 0; r < graph.rows(); ++r) {
      const std::set<std::uint32_t> expected(graph.row(r).begin(), graph.row(r).end());
      REQUIRE(Row(twice.row(r).begin(), twice.row(r).end()) == Row(expected.begin(), expected.end()));
    }
  }
}

TEST_CASE("a transposed matching has the same pairs") {
  const Matching matching{{1, kNone}, {kNone, 0, kNone}, 1};
  const Matching turned = transposed(matching);
  CHECK(turned.column_of_row == Row{kNone, 0, kNone});
  CHECK(turned.row_of_column == Row{1, kNone});
  CHECK(turned.size == 1);
}
