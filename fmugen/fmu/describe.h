// The model description of a simulation plan: every variable by the rules of FMI 2.0, and who depends on whom.
#pragma once

#include <string>
#include <vector>

#include "fmugen/codegen/memory_layout.h"
#include "fmugen/fmu/model_description.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::fmu {

struct DescribeOptions {
  std::string tool;         // "fmugen 0.1.0"
  std::string date;         // YYYY-MM-DDThh:mm:ssZ, or empty
  std::int32_t solver = 1;  // item of the enumeration of solvers, from 1, that the FMU starts with
  bool can_save_state = false;
  bool directional_derivatives = false;
  bool interpolates_inputs = false;
  unsigned output_derivatives = 0;
  bool next_event_time = false;  // an output tells the next time event
};

// Without guid. What had to be left out is told in `notes`. The plan is not changed but for its pool of expressions.
ModelDescription describe(structure::SimulationPlan& plan, const codegen::MemoryLayout& layout,
                          const DescribeOptions& options, std::vector<std::string>& notes);

// A C identifier made of the model's name: what the shared library is called.
std::string model_identifier(const std::string& model_name);

// The name of a variable in the structured notation of FMI: "s[3].R1.V", "der(R1.V)", "der(R1.V,2)".
std::string structured_name(const structure::System& system, equations::VarId v);

}  // namespace fmugen::fmu
