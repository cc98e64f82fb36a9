// Graphs for the tests of the algorithms on them: written by hand, by chance, and large ones of known shape.
#pragma once

#include <initializer_list>
#include <random>
#include <set>
#include <vector>

#include "fmugen/structure/incidence.h"

namespace fmugen::structure {

using Row = std::vector<std::uint32_t>;
using Rows = std::vector<Row>;

inline Incidence graph_of(std::uint32_t columns, const Rows& rows) {
  Incidence graph;
  graph.columns = columns;
  for (const Row& row : rows) graph.add_row(row);
  return graph;
}

// The engine itself is the same everywhere; distributions of the standard library are not.
class Chance {
 public:
  explicit Chance(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  bool percent(std::uint32_t share) { return below(100) < share; }

  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t k = values.size(); k > 1; --k) {
      const std::size_t other = below(static_cast<std::uint32_t>(k));
      const T kept = values[k - 1];
      values[k - 1] = values[other];
      values[other] = kept;
    }
  }

 private:
  std::mt19937 engine_;
};

// Up to `most` different columns in each row, in any order; rows may be empty.
inline Incidence random_graph(Chance& chance, std::uint32_t rows, std::uint32_t columns, std::uint32_t most) {
  Incidence graph;
  graph.columns = columns;
  for (std::uint32_t r = 0; r < rows; ++r) {
    std::set<std::uint32_t> chosen;
    for (std::uint32_t k = chance.below(most + 1); k > 0; --k) chosen.insert(chance.below(columns));
    Row row(chosen.begin(), chosen.end());
    chance.shuffle(row);
    graph.add_row(row);
  }
  return graph;
}

// Square and with a perfect matching: row r has column order[r] for sure.
inline Incidence random_square_graph(Chance& chance, std::uint32_t size, std::uint32_t most) {
  Row order(size);
  for (std::uint32_t k = 0; k < size; ++k) order[k] = k;
  chance.shuffle(order);
  Incidence graph;
  graph.columns = size;
  for (std::uint32_t r = 0; r < size; ++r) {
    std::set<std::uint32_t> chosen{order[r]};
    for (std::uint32_t k = chance.below(most); k > 0; --k) chosen.insert(chance.below(size));
    Row row(chosen.begin(), chosen.end());
    chance.shuffle(row);
    graph.add_row(row);
  }
  return graph;
}

// Nodes of a k x k net, each coupled with its neighbours: row and column number k*y + x.
inline Incidence grid(std::uint32_t k) {
  Incidence graph;
  graph.columns = k * k;
  for (std::uint32_t y = 0; y < k; ++y) {
    for (std::uint32_t x = 0; x < k; ++x) {
      const std::uint32_t node = k * y + x;
      Row row{node};
      if (x > 0) row.push_back(node - 1);
      if (x + 1 < k) row.push_back(node + 1);
      if (y > 0) row.push_back(node - k);
      if (y + 1 < k) row.push_back(node + k);
      graph.add_row(row);
    }
  }
  return graph;
}

// Row r has the columns r - 1, r and r + 1, where they exist.
inline Incidence chain(std::uint32_t size) {
  Incidence graph;
  graph.columns = size;
  for (std::uint32_t r = 0; r < size; ++r) {
    Row row;
    if (r > 0) row.push_back(r - 1);
    row.push_back(r);
    if (r + 1 < size) row.push_back(r + 1);
    graph.add_row(row);
  }
  return graph;
}

// Row 0 has all columns and every other row the columns 0 and its own.
inline Incidence star(std::uint32_t size) {
  Incidence graph;
  graph.columns = size;
  Row all(size);
  for (std::uint32_t c = 0; c < size; ++c) all[c] = c;
  graph.add_row(all);
  for (std::uint32_t r = 1; r < size; ++r) graph.add_row(Row{0, r});
  return graph;
}

inline bool has_entry(const Incidence& graph, std::uint32_t row, std::uint32_t column) {
  for (const std::uint32_t c : graph.row(row)) {
    if (c == column) return true;
  }
  return false;
}

}  // namespace fmugen::structure
