// Curves over time as a picture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace importer::results {

struct Curve {
  std::string name;
  std::string unit;         // may be empty
  std::string description;  // shown when the pointer rests on the name
  bool steps = false;       // values hold until the next one: whole numbers, truth values
  std::vector<double> values;
};

struct Plot {
  std::string title;
  std::vector<double> times;  // not descending; as many as values of each curve
  std::vector<Curve> curves;
};

// Which curves share a pane: those of the same unit and of similar size, in the order of their first curves.
std::vector<std::vector<std::size_t>> panes_of(const Plot& plot);

// An SVG document with one pane above the other and a common axis of time.
std::string svg(const Plot& plot);

}  // namespace importer::results
