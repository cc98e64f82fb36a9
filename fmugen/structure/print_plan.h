// A simulation plan as text and JSON: `fmugen equations`.
#pragma once

#include <iosfwd>

#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

void print_text(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources);
// {"model","equations","unknowns","states","dummy_states","aliases","differentiated","blocks","events","samples",
//  "inputs","outputs"}; docs/equations-json.md describes it.
void print_json(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources);

}  // namespace fmugen::structure
