// `--stats`: what a run cost.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "fmugen/equations/flat_model.h"
#include "fmugen/support/stopwatch.h"

namespace fmugen::cli {

// The most memory this process has had resident so far, in bytes; 0 where the system does not tell.
std::size_t peak_memory();

struct Cost {
  std::vector<support::Stage> stages;  // in order; the first ends with the flat model
  std::size_t memory_before = 0;       // peak before the first stage
  std::size_t memory_after = 0;        // peak when the flat model was ready
};

// One "name: value" a line, in a fixed order.
void print_stats(std::ostream& out, const equations::FlatModel& model, const Cost& cost);

}  // namespace fmugen::cli
