// Exact elimination among the equations with small integer coefficients.
#pragma once

#include <vector>

#include "fmugen/structure/system.h"

namespace fmugen::structure {

// Equations (numbers into System::equations) of which some combination is 0 = constant: one of them says nothing new, or,
// if the constant is not zero, they contradict each other.
struct Redundancy {
  std::vector<std::uint32_t> equations;
  double constant = 0;
};

std::vector<Redundancy> find_redundancies(System& system);

}  // namespace fmugen::structure
