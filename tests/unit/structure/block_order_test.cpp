#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/structure/graphs.h"

using namespace fmugen::structure;

namespace {

Rows blocks_of(const Incidence& graph) { return block_order(graph, maximum_matching(graph)); }

// Which rows does each row need, directly or through others? By Warshall's method, for small graphs.
std::vector<std::vector<bool>> all_needs(const Incidence& graph, const Matching& matching) {
  const std::uint32_t n = graph.rows();
  std::vector<std::vector<bool>> needs(n, std::vector<bool>(n, false));
  for (std::uint32_t r = 0; r < n; ++r) {
    needs[r][r] = true;
    for (const std::uint32_t c : graph.row(r)) {
      if (matching.row_of_column[c] != kNone) needs[r][matching.row_of_column[c]] = true;
    }
  }
  for (std::uint32_t via = 0; via < n; ++via) {
    for (std::uint32_t r = 0; r < n; ++r) {
      for (std::uint32_t s = 0; s < n; ++s) needs[r][s] = needs[r][s] || (needs[r][via] && needs[via][s]);
    }
  }
  return needs;
}

// For each row the place of its block; every row must be in exactly one.
Row places(const Rows& blocks, std::uint32_t rows) {
  Row place(rows, kNone);
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    for (const std::uint32_t r : blocks[b]) {
      if (place[r] != kNone) FAIL("row " << r << " is in two blocks");
      place[r] = b;
    }
  }
  for (std::uint32_t r = 0; r < rows; ++r) {
    if (place[r] == kNone) FAIL("row " << r << " is in no block");
  }
  return place;
}

}  // namespace

TEST_CASE("blocks of small graphs") {
  const struct {
    const char* what;
    std::uint32_t columns;
    Rows rows;
    Rows expected;
  } cases[] = {
      {"nothing", 0, {}, {}},
      {"independent rows keep their order", 3, {{2}, {0}, {1}}, {{0}, {1}, {2}}},
      {"what is needed comes first", 3, {{0, 1}, {1, 2}, {2}}, {{2}, {1}, {0}}},
      {"a loop is one block", 3, {{0, 1}, {1, 2}, {2, 0}}, {{0, 1, 2}}},
      {"a loop that one row needs", 4, {{0, 1, 2}, {1, 3}, {2}, {1, 3}}, {{1, 3}, {2}, {0}}},
      {"of what is possible the smallest row is next", 4, {{0, 3}, {1}, {2}, {3}}, {{1}, {2}, {3}, {0}}},
      {"two loops, one after the other", 4, {{0, 1, 2}, {0, 1}, {2, 3}, {2, 3}}, {{2, 3}, {0, 1}}},
      {"an entry twice", 2, {{0, 1, 1}, {1, 1}}, {{1}, {0}}},
  };
  for (const auto& one : cases) {
    INFO(one.what);
    CHECK(blocks_of(graph_of(one.columns, one.rows)) == one.expected);
  }
}

TEST_CASE("resistors in series: three unknowns in a loop, after the source and before the capacitor") {
  // V0 = sin(t); V0 - V1 = i*R1; V1 - V2 = i*R2; V2 - V3 = i*R3; C*V3' = i   with V3 known and columns V0 V1 V2 i V3'
  const Incidence graph = graph_of(5, {{0}, {0, 1, 3}, {1, 2, 3}, {2, 3}, {4, 3}});
  CHECK(blocks_of(graph) == Rows{{0}, {1, 2, 3}, {4}});
}

TEST_CASE("columns that no row computes are known") {
  const Incidence graph = graph_of(4, {{0, 1, 2}, {1, 3}});
  Matching matching;
  matching.column_of_row = {0, 1};
  matching.row_of_column = {0, 1, kNone, kNone};
  matching.size = 2;
  CHECK(block_order(graph, matching) == Rows{{1}, {0}});
}

TEST_CASE("random graphs: blocks are the rows that need each other, in an order that can be computed") {
  Chance chance(21);
  for (int round = 0; round < 1500; ++round) {
    const Incidence graph = random_square_graph(chance, 1 + chance.below(25), 1 + chance.below(5));
    const Matching matching = maximum_matching(graph);
    REQUIRE(matching.size == graph.rows());
    const Rows blocks = block_order(graph, matching);
    const Row place = places(blocks, graph.rows());
    const auto needs = all_needs(graph, matching);
    for (std::uint32_t r = 0; r < graph.rows(); ++r) {
      for (std::uint32_t s = 0; s < graph.rows(); ++s) {
        if (needs[r][s]) REQUIRE(place[s] <= place[r]);
        REQUIRE((place[r] == place[s]) == (needs[r][s] && needs[s][r]));
      }
    }
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      REQUIRE(std::is_sorted(blocks[b].begin(), blocks[b].end()));
      // A block that comes later but has a smaller row must have waited for something not computed before this place.
      for (std::uint32_t later = b + 1; later < blocks.size(); ++later) {
        if (blocks[later][0] > blocks[b][0]) continue;
        bool waits = false;
        for (std::uint32_t r = 0; r < graph.rows(); ++r) {
          waits = waits || (needs[blocks[later][0]][r] && place[r] >= b && place[r] < later);
        }
        REQUIRE(waits);
      }
    }
  }
}

TEST_CASE("the blocks do not depend on the matching") {
  Chance chance(22);
  for (int round = 0; round < 500; ++round) {
    const Incidence graph = random_square_graph(chance, 1 + chance.below(25), 5);
    Incidence backwards;
    backwards.columns = graph.columns;
    for (std::uint32_t r = 0; r < graph.rows(); ++r) {
      backwards.add_row(Row(graph.row(r).rbegin(), graph.row(r).rend()));
    }
    REQUIRE(blocks_of(graph) == blocks_of(backwards));
  }
}

TEST_CASE("ordering graphs with a million entries") {
  SECTION("a chain computed from its end") {
    const std::uint32_t size = 500000;
    Incidence graph;
    graph.columns = size;
    for (std::uint32_t r = 0; r + 1 < size; ++r) graph.add_row(Row{r, r + 1});
    graph.add_row(Row{size - 1});
    const Rows blocks = blocks_of(graph);
    REQUIRE(blocks.size() == size);
    CHECK(blocks.front() == Row{size - 1});
    CHECK(blocks.back() == Row{0});
  }
  SECTION("a chain that is one loop") { CHECK(blocks_of(chain(333334)).size() == 1); }
  SECTION("a grid that is one loop") { CHECK(blocks_of(grid(448)).size() == 1); }
  SECTION("a star") { CHECK(blocks_of(star(333334)).size() == 1); }
  SECTION("everybody needs the first row") {
    const std::uint32_t size = 500000;
    Incidence graph;
    graph.columns = size;
    graph.add_row(Row{0});
    for (std::uint32_t r = 1; r < size; ++r) graph.add_row(Row{r, 0});
    const Rows blocks = blocks_of(graph);
    REQUIRE(blocks.size() == size);
    CHECK(blocks[1000] == Row{1000});
  }
}
