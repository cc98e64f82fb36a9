// A simulation plan as text and JSON: `fmugen equations`.
#pragma once

#include <iosfwd>

#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

// Parts of a plan. If none is named, all but overview, aliases, jacobians and the blocks at the start are printed.
struct Show {
  bool overview = false;  // one line for each block
  bool aliases = false, index = false, states = false, blocks = false, initial = false, events = false;
  bool sampled = false, jacobians = false;
  bool any() const {
    return overview || aliases || index || states || blocks || initial || events || sampled || jacobians;
  }
};
void print_text(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources, const Show& show = {});
// Of print_stages.cpp: parts that are printed when asked for.
void print_aliases(std::ostream& out, const SimulationPlan& plan);
void print_overview(std::ostream& out, const SimulationPlan& plan);
void print_jacobians(std::ostream& out, const SimulationPlan& plan);
// {"model","equations","unknowns","states","dummy_states","aliases","differentiated","blocks","events","samples",
//  "initial","inputs","outputs"}; docs/equations-json.md describes it.
void print_json(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources);

}  // namespace fmugen::structure
