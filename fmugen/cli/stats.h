// `--stats`: what a run cost.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "fmugen/equations/flat_model.h"

namespace fmugen::cli {

// The most memory this process has had resident so far, in bytes; 0 where the system does not tell.
std::size_t peak_memory();

// Seconds since it was made or last asked.
class Stopwatch {
 public:
  double lap();

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct Cost {
  struct Stage {
    std::string name;
    double seconds = 0;
  };
  std::vector<Stage> stages;      // in order; the first ends with the flat model
  std::size_t memory_before = 0;  // peak before the first stage
  std::size_t memory_after = 0;   // peak when the flat model was ready
};

// One "name: value" a line, in a fixed order.
void print_stats(std::ostream& out, const equations::FlatModel& model, const Cost& cost);

}  // namespace fmugen::cli
