// The cuts of the model as terminals: which variables belong together, and what happens to them when cuts are connected.
#pragma once

#include <string>

#include "fmugen/structure/system.h"

namespace fmugen::fmu {

// The element <fmiTerminalsAndIcons> of FMI 3.0 (section 2.4.9), which FMI 2.0.4 adopted; empty if the model has no cuts.
// An across variable is a signal, a through variable flows into the model or out of it.
std::string write_terminals(const structure::System& system);

}  // namespace fmugen::fmu
