// For tests: random SIMNON systems of one to five subsystems, continuous and discrete, with their connection. They use
// what the language has, and are such that the order of execution in SIMNON is a good one: nothing is used before it is
// defined.
#pragma once

#include <cstdint>
#include <string>

namespace fmugen::tests {

std::string random_simnon(std::uint32_t seed);

}  // namespace fmugen::tests
