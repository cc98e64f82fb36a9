// The pattern of d(derivative of a state)/d(state), as implicit integrators want it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fmugen/structure/simulation_plan.h"

namespace fmugen::codegen {

struct Pattern {
  std::uint32_t size = 0;                        // rows and columns
  std::vector<std::uint32_t> column_start, row;  // entries by column, rows ascending
  std::uint32_t colours = 0;
  std::vector<std::uint32_t> colour;  // by column: columns of one colour share no row
};

// With the full diagonal, which I - h*J has in any case. Nothing if the plan does not know the pattern.
std::optional<Pattern> state_pattern(const structure::SimulationPlan& plan);

}  // namespace fmugen::codegen
