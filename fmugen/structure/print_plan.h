// A simulation plan as text and JSON: `fmugen equations`.
#pragma once

#include <iosfwd>

#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

struct Show {             // beyond what is always printed
  bool initial = false;   // the blocks at the start
};
void print_text(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources, const Show& show = {});
// {"model","equations","unknowns","states","dummy_states","aliases","differentiated","blocks","events","samples",
//  "initial","inputs","outputs"}; docs/equations-json.md describes it.
void print_json(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources);

}  // namespace fmugen::structure
