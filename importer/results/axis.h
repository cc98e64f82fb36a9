// Where an axis begins and ends, and the round numbers on it.
#pragma once

#include <string>
#include <vector>

namespace importer::results {

struct Axis {
  double low = 0.0, high = 1.0;
  int exponent = 0;  // labels are to be multiplied by 10 to the power of this
  std::vector<double> ticks;
  std::vector<std::string> labels;  // one for each tick
};

// An axis for values from `low` to `high` with about `count` ticks. With `margin`, a little more than the values need.
Axis make_axis(double low, double high, int count, bool margin);

}  // namespace importer::results
