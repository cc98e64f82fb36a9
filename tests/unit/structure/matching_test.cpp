#include <catch2/catch.hpp>

#include "tests/unit/structure/graphs.h"

using namespace fmugen::structure;

namespace {

// The textbook method: for one row after the other, one alternating path. Small graphs only.
class SimpleMatching {
 public:
  explicit SimpleMatching(const Incidence& graph) : graph_(graph), owner_(graph.columns, kNone) {}

  std::uint32_t size() {
    std::uint32_t matched = 0;
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      seen_.assign(graph_.columns, false);
      if (augment(r)) ++matched;
    }
    return matched;
  }

 private:
  bool augment(std::uint32_t row) {
    for (const std::uint32_t c : graph_.row(row)) {
      if (seen_[c]) continue;
      seen_[c] = true;
      if (owner_[c] == kNone || augment(owner_[c])) {
        owner_[c] = row;
        return true;
      }
    }
    return false;
  }

  const Incidence& graph_;
  Row owner_;
  std::vector<bool> seen_;
};

void require_valid(const Incidence& graph, const Matching& matching) {
  REQUIRE(matching.column_of_row.size() == graph.rows());
  REQUIRE(matching.row_of_column.size() == graph.columns);
  std::uint32_t pairs = 0;
  for (std::uint32_t r = 0; r < graph.rows(); ++r) {
    const std::uint32_t c = matching.column_of_row[r];
    if (c == kNone) continue;
    ++pairs;
    if (!has_entry(graph, r, c) || matching.row_of_column[c] != r) FAIL("row " << r << " has no right to column " << c);
  }
  REQUIRE(pairs == matching.size);
  for (std::uint32_t c = 0; c < graph.columns; ++c) {
    const std::uint32_t r = matching.row_of_column[c];
    if (r != kNone && matching.column_of_row[r] != c) FAIL("column " << c << " belongs to a row that has another");
  }
}

}  // namespace

TEST_CASE("the largest matching of small graphs") {
  const struct {
    const char* what;
    std::uint32_t columns;
    Rows rows;
    Row expected;  // the column of each row
  } cases[] = {
      {"nothing", 0, {}, {}},
      {"rows without entries", 2, {{}, {0}}, {kNone, 0}},
      {"a row with one column goes first", 2, {{0, 1}, {0}}, {1, 0}},
      {"a column with one row goes first", 3, {{0, 1, 2}, {0, 1}, {0, 1}}, {2, 0, 1}},
      {"the order of entries decides a tie", 2, {{1, 0}, {0, 1}}, {1, 0}},
      {"nothing is forced at first", 3, {{0, 1}, {0, 2}, {1, 2}}, {0, 2, 1}},
      {"too many rows", 1, {{0}, {0}, {0}}, {0, kNone, kNone}},
      {"to spare: the order of entries decides", 3, {{1, 0}, {2, 1, 0}}, {1, 2}},
      {"to spare: nor is a column forced upon a row", 3, {{0, 1}, {2, 0}}, {0, 2}},
      {"an entry twice", 2, {{0, 0, 1}, {0, 0}}, {1, 0}},
  };
  for (const auto& one : cases) {
    INFO(one.what);
    const Incidence graph = graph_of(one.columns, one.rows);
    const Matching matching = maximum_matching(graph);
    require_valid(graph, matching);
    CHECK(matching.column_of_row == one.expected);
  }
}

TEST_CASE("a given matching is extended and its rows stay matched") {
  const Incidence graph = graph_of(3, {{0, 1}, {0, 2}, {0}});
  Matching initial;
  initial.column_of_row = {0, 2};  // from when the graph had two rows only
  initial.row_of_column = {0, kNone, 1};
  initial.size = 2;
  const Matching matching = maximum_matching(graph, &initial);
  require_valid(graph, matching);
  CHECK(matching.column_of_row == Row{1, 2, 0});
}

TEST_CASE("random graphs: as large as the textbook method finds") {
  Chance chance(2);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t rows = chance.below(40), columns = 1 + chance.below(40);
    const Incidence graph = random_graph(chance, rows, columns, 1 + chance.below(5));
    const Matching matching = maximum_matching(graph);
    require_valid(graph, matching);
    REQUIRE(matching.size == SimpleMatching(graph).size());
    const Matching by_shortest_paths = maximum_matching(graph, nullptr, 0);
    require_valid(graph, by_shortest_paths);
    REQUIRE(by_shortest_paths.size == matching.size);

    Matching part = matching;  // forget some pairs
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (part.column_of_row[r] == kNone || chance.percent(50)) continue;
      part.row_of_column[part.column_of_row[r]] = kNone;
      part.column_of_row[r] = kNone;
      --part.size;
    }
    const Matching extended = maximum_matching(graph, &part);
    require_valid(graph, extended);
    REQUIRE(extended.size == matching.size);
    for (std::uint32_t r = 0; r < rows; ++r) {
      if (part.column_of_row[r] != kNone) REQUIRE(extended.column_of_row[r] != kNone);
    }
  }
}

TEST_CASE("a bad start that many phases must mend") {
  // Row r can always take column r, but many rows begin with the column to the left of it; the other entries lead to
  // columns up to 39 places away, so that the paths of one phase get into each other's way.
  Chance chance(3);
  const std::uint32_t size = 3000;
  Incidence graph;
  graph.columns = size;
  Matching initial;
  initial.column_of_row.assign(size, kNone);
  initial.row_of_column.assign(size, kNone);
  for (std::uint32_t r = 0; r < size; ++r) {
    Row row{r};
    for (std::uint32_t k = 0; k < 2; ++k) row.push_back(r - chance.below(std::min(r + 1, 40u)));
    graph.add_row(row);
    if (r % 50 != 0 && has_entry(graph, r, r - 1)) {
      initial.column_of_row[r] = r - 1;
      initial.row_of_column[r - 1] = r;
      ++initial.size;
    }
  }
  for (const std::uint32_t patience : {24, 2, 0}) {
    const Matching matching = maximum_matching(graph, &initial, patience);
    require_valid(graph, matching);
    CHECK(matching.size == size);
  }
}

TEST_CASE("matching graphs with a million entries") {
  SECTION("chain") { CHECK(maximum_matching(chain(333334)).size == 333334); }
  SECTION("grid") { CHECK(maximum_matching(grid(448)).size == 448 * 448); }
  SECTION("star") { CHECK(maximum_matching(star(333334)).size == 333334); }
  SECTION("one alternating path through everything") {
    const std::uint32_t size = 500000;
    Incidence graph;
    graph.columns = size;
    Matching initial;
    initial.column_of_row.assign(size, kNone);
    initial.row_of_column.assign(size, kNone);
    graph.add_row(Row{0});
    for (std::uint32_t r = 1; r < size; ++r) {
      graph.add_row(Row{r - 1, r});
      initial.column_of_row[r] = r - 1;
      initial.row_of_column[r - 1] = r;
    }
    const Matching matching = maximum_matching(graph, &initial);
    CHECK(matching.size == size);
    CHECK(matching.column_of_row[0] == 0);
    CHECK(matching.column_of_row[size - 1] == size - 1);
  }
  SECTION("random and square") {
    Chance chance(4);
    const Incidence graph = random_square_graph(chance, 300000, 6);
    CHECK(maximum_matching(graph).size == 300000);
  }
  SECTION("random with rows that find nothing") {
    Chance chance(5);
    const Incidence graph = random_graph(chance, 400000, 300000, 5);
    const Matching matching = maximum_matching(graph);
    require_valid(graph, matching);
    const Matching turned = maximum_matching(transposed(graph));
    CHECK(matching.size == turned.size);
  }
}
