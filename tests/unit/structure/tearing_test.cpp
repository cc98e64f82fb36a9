#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>

#include "tests/unit/structure/graphs.h"

using namespace fmugen::structure;

namespace {

TearingInput solvable_block(Incidence graph) {
  TearingInput block;
  block.solvable.assign(graph.entries.size(), true);
  block.graph = std::move(graph);
  return block;
}

bool can_solve(const TearingInput& block, std::uint32_t row, std::uint32_t column) {
  for (std::uint32_t k = block.graph.start[row]; k < block.graph.start[row + 1]; ++k) {
    if (block.graph.entries[k] == column) return block.solvable[k];
  }
  return false;
}

// Goes through the assignments as the generated code would. FAIL and not REQUIRE in loops over large graphs: it is the
// count of assertions that costs time.
void require_valid(const TearingInput& block, const Tearing& tearing) {
  std::vector<bool> known(block.graph.columns, false), used(block.graph.rows(), false);
  for (const std::uint32_t c : tearing.tearing_columns) {
    if (known[c]) FAIL("column " << c << " is torn twice");
    known[c] = true;
  }
  for (const auto& [row, column] : tearing.assignments) {
    if (known[column] || used[row]) FAIL("row " << row << " or column " << column << " is assigned twice");
    if (!can_solve(block, row, column)) FAIL("row " << row << " cannot be solved for column " << column);
    for (const std::uint32_t c : block.graph.row(row)) {
      if (c != column && !known[c]) FAIL("row " << row << " needs column " << c << " before it is known");
    }
    known[column] = used[row] = true;
  }
  for (const std::uint32_t r : tearing.residual_rows) {
    if (used[r]) FAIL("row " << r << " is a residual and something else");
    used[r] = true;
  }
  CHECK(std::count(known.begin(), known.end(), false) == 0);
  CHECK(std::count(used.begin(), used.end(), false) == 0);
  CHECK(tearing.residual_rows.size() == tearing.tearing_columns.size());
}

// The smallest number of tearing columns, by trying all sets of columns.
std::uint32_t best_possible(const TearingInput& block) {
  const Incidence& graph = block.graph;
  std::uint32_t best = graph.columns;
  for (std::uint32_t torn = 0; torn < (1u << graph.columns); ++torn) {
    if (static_cast<std::uint32_t>(std::popcount(torn)) >= best) continue;
    std::uint32_t known = torn;
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t r = 0; r < graph.rows(); ++r) {
        std::uint32_t unknown = 0;
        for (const std::uint32_t c : graph.row(r)) unknown |= ~known & (1u << c);
        if (std::popcount(unknown) != 1) continue;
        if (!can_solve(block, r, static_cast<std::uint32_t>(std::countr_zero(unknown)))) continue;
        known |= unknown;
        more = true;
      }
    }
    if (known + 1 == (1u << graph.columns)) best = static_cast<std::uint32_t>(std::popcount(torn));
  }
  return best;
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// A net of k x k nodes with its currents: a row v - v' = R*i for every branch, and one for the sum of currents in every
// node. Two branches lead to ground. Rows and columns are shuffled.
Incidence resistor_net(std::uint32_t k, Chance& chance) {
  const std::uint32_t nodes = k * k;
  Rows rows;
  Rows currents(nodes);
  std::uint32_t columns = nodes;
  const auto branch = [&](std::uint32_t from, std::uint32_t to) {
    currents[from].push_back(columns);
    if (to != kNone) currents[to].push_back(columns);
    rows.push_back(to == kNone ? Row{from, columns} : Row{from, to, columns});
    ++columns;
  };
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if ((node + 1) % k != 0) branch(node, node + 1);
    if (node + k < nodes) branch(node, node + k);
  }
  branch(0, kNone);
  branch(nodes - 1, kNone);
  rows.insert(rows.end(), currents.begin(), currents.end());
  Row order(columns);
  for (std::uint32_t c = 0; c < columns; ++c) order[c] = c;
  chance.shuffle(order);
  chance.shuffle(rows);
  for (Row& row : rows) {
    for (std::uint32_t& c : row) c = order[c];
  }
  return graph_of(columns, rows);
}

}  // namespace

TEST_CASE("resistors in series: the current is torn") {
  const Incidence graph = graph_of(3, {{0, 2}, {0, 1, 2}, {1, 2}});  // V1 i; V1 V2 i; V2 i
  TearingInput block = solvable_block(graph);
  Tearing tearing = tear(block);
  require_valid(block, tearing);
  CHECK(tearing.tearing_columns == Row{2});
  CHECK(tearing.assignments == Pairs{{0, 0}, {2, 1}});
  CHECK(tearing.residual_rows == Row{1});

  block.solvable = {true, false, true, true, false, true, false};  // i**2 instead of i
  tearing = tear(block);
  require_valid(block, tearing);
  CHECK(tearing.tearing_columns == Row{2});
}

TEST_CASE("of two variables that are equally good the last is torn") {
  const TearingInput block = solvable_block(graph_of(3, {{0, 1}, {0, 1, 2}, {0, 1, 2}}));
  const Tearing tearing = tear(block);
  CHECK(tearing.tearing_columns == Row{1});
  CHECK(tearing.assignments == Pairs{{0, 0}, {1, 2}});
  CHECK(tearing.residual_rows == Row{2});
}

TEST_CASE("what can be computed in order is not torn") {
  const TearingInput block = solvable_block(graph_of(3, {{0, 1, 2}, {2}, {1, 2}}));
  const Tearing tearing = tear(block);
  CHECK(tearing.tearing_columns.empty());
  CHECK(tearing.assignments == Pairs{{1, 2}, {2, 1}, {0, 0}});
  CHECK(tearing.residual_rows.empty());
}

TEST_CASE("an empty block") {
  const Tearing tearing = tear(TearingInput{});
  CHECK(tearing.tearing_columns.empty());
  CHECK(tearing.assignments.empty());
  CHECK(tearing.residual_rows.empty());
}

TEST_CASE("an equation is never solved for what it cannot be solved for") {
  TearingInput block = solvable_block(graph_of(2, {{0, 1}, {0, 1}}));
  SECTION("one entry") {
    block.solvable = {true, false, false, false};
    const Tearing tearing = tear(block);
    CHECK(tearing.tearing_columns == Row{1});
    CHECK(tearing.assignments == Pairs{{0, 0}});
    CHECK(tearing.residual_rows == Row{1});
  }
  SECTION("no entry") {
    block.solvable = {false, false, false, false};
    const Tearing tearing = tear(block);
    CHECK(tearing.tearing_columns == Row{0, 1});
    CHECK(tearing.assignments.empty());
    CHECK(tearing.residual_rows == Row{0, 1});
  }
  SECTION("a single unknown") {
    block = solvable_block(graph_of(1, {{0}}));
    block.solvable = {false};
    const Tearing tearing = tear(block);
    CHECK(tearing.tearing_columns == Row{0});
    CHECK(tearing.residual_rows == Row{0});
  }
}

TEST_CASE("wishes") {
  TearingInput block = solvable_block(graph_of(3, {{0, 1}, {1, 2}, {2, 0}}));  // a ring: any one will do
  CHECK(tear(block).tearing_columns == Row{2});
  SECTION("preferred") {
    block.prefer = {false, true, false};
    CHECK(tear(block).tearing_columns == Row{1});
  }
  SECTION("avoided") {
    block.avoid = {false, false, true};
    CHECK(tear(block).tearing_columns == Row{1});
  }
  SECTION("avoided, but there is no other") {
    block.solvable = {true, true, true, false, false, true};  // nothing can be solved for column 2
    block.avoid = {false, false, true};
    CHECK(tear(block).tearing_columns == Row{2});
  }
  SECTION("required") {
    block.forced = {true, false, false};
    CHECK(tear(block).tearing_columns == Row{0});
  }
  SECTION("required, more than necessary") {
    block.forced = {true, true, false};
    const Tearing tearing = tear(block);
    require_valid(block, tearing);
    CHECK(tearing.tearing_columns == Row{0, 1});
  }
  SECTION("to avoid is stronger than a good choice") {
    block = solvable_block(graph_of(3, {{0, 2}, {0, 1, 2}, {1, 2}}));
    block.avoid = {false, false, true};
    const Tearing tearing = tear(block);
    require_valid(block, tearing);
    CHECK(std::count(tearing.tearing_columns.begin(), tearing.tearing_columns.end(), 2) == 0);
  }
  SECTION("to prefer is weaker") {
    block = solvable_block(graph_of(3, {{0, 2}, {0, 1, 2}, {1, 2}}));
    block.prefer = {true, true, false};
    CHECK(tear(block).tearing_columns == Row{2});
  }
}

TEST_CASE("random blocks: valid, wishes are heard, and seldom far from the best") {
  Chance chance(31);
  std::uint32_t torn = 0, best = 0, worst = 0;
  for (int round = 0; round < 1000; ++round) {
    TearingInput block = solvable_block(random_square_graph(chance, 1 + chance.below(9), 2 + chance.below(5)));
    const std::uint32_t share = round % 2 == 0 ? 100 : 60;
    for (std::size_t k = 0; k < block.solvable.size(); ++k) block.solvable[k] = chance.percent(share);
    const Tearing tearing = tear(block);
    require_valid(block, tearing);
    const auto count = static_cast<std::uint32_t>(tearing.tearing_columns.size());
    const std::uint32_t possible = best_possible(block);
    torn += count;
    best += possible;
    worst = std::max(worst, count - possible);

    for (std::uint32_t c = 0; c < block.graph.columns; ++c) {
      block.prefer.push_back(chance.percent(20));
      block.avoid.push_back(chance.percent(20));
      block.forced.push_back(chance.percent(10));
    }
    const Tearing wished = tear(block);
    require_valid(block, wished);
    for (std::uint32_t c = 0; c < block.graph.columns; ++c) {
      if (block.forced[c] && std::count(wished.tearing_columns.begin(), wished.tearing_columns.end(), c) != 1) {
        FAIL("column " << c << " is not torn");
      }
    }
  }
  INFO("torn " << torn << ", best " << best << ", worst " << worst);
  CHECK(torn * 100 <= best * 106);
  CHECK(worst <= 2);
}

TEST_CASE("nets of k x k nodes need k tearing variables") {
  Chance chance(32);
  for (const std::uint32_t k : {2, 3, 5, 10, 30}) {
    const TearingInput potentials = solvable_block(grid(k));
    const Tearing of_potentials = tear(potentials);
    require_valid(potentials, of_potentials);
    CHECK(of_potentials.tearing_columns.size() == k);

    const TearingInput all = solvable_block(resistor_net(k, chance));
    const Tearing of_all = tear(all);
    require_valid(all, of_all);
    CHECK(of_all.tearing_columns.size() == k);
  }
}

TEST_CASE("tearing graphs with a million entries") {
  SECTION("chain") {
    const TearingInput block = solvable_block(chain(333334));
    const Tearing tearing = tear(block);
    require_valid(block, tearing);
    CHECK(tearing.tearing_columns.size() == 1);
  }
  SECTION("grid") {
    const TearingInput block = solvable_block(grid(448));
    const Tearing tearing = tear(block);
    require_valid(block, tearing);
    CHECK(tearing.tearing_columns.size() == 448);
  }
  SECTION("star") {
    const TearingInput block = solvable_block(star(333334));
    const Tearing tearing = tear(block);
    CHECK(tearing.tearing_columns == Row{0});
    CHECK(tearing.residual_rows == Row{0});
  }
  SECTION("full") {
    Row all(1000);
    for (std::uint32_t c = 0; c < 1000; ++c) all[c] = c;
    const TearingInput block = solvable_block(graph_of(1000, Rows(1000, all)));
    CHECK(tear(block).tearing_columns.size() == 999);
  }
  SECTION("random") {
    Chance chance(33);
    TearingInput block = solvable_block(random_square_graph(chance, 300000, 6));
    for (std::size_t k = 0; k < block.solvable.size(); ++k) block.solvable[k] = chance.percent(90);
    require_valid(block, tear(block));
  }
}
