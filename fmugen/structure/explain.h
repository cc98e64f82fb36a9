// Words for messages about equations: what they are, where they come from, and why variables are equal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fmugen/structure/system.h"

namespace fmugen::structure {

constexpr std::size_t kShown = 6;  // equations or names of a group that are spelt out

// "'a', 'b' and 3 more".
std::string name_list(const System& s, const std::vector<std::uint32_t>& variables);

// "R1.Vb = C.Va (connection of R1:B, C:A)": the equation as it was written, and where.
std::string describe(const System& s, const equations::FlatEquation& e);

// "connection of R1:B, C:A".
std::string describe_set(const System& s, std::uint32_t set);

// Flat equations by which a and b became one variable (or a a number, if b is a), in the order that leads from a to b;
// only after alias removal. Empty if they are not one.
std::vector<std::uint32_t> equal_because(const System& s, VarId a, VarId b);

// Cuts of submodels to which nothing is connected, of the submodels that declare one of the variables.
void remark_unconnected(const System& s, support::Diagnostic& error, const std::vector<std::uint32_t>& variables);

// Submodels that nothing is connected to, though they have cuts.
std::vector<std::string> unconnected_submodels(const System& s);

}  // namespace fmugen::structure
