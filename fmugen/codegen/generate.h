// The last step of the compiler: a simulation plan as C11 text, which together with the run time is an FMU's binary.
//
// The files include "model.h", which is one of them, and that includes "fmu_runtime/model_interface.h". They define
// fmr_model. Nothing in them depends on the machine or the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fmugen/codegen/files.h"
#include "fmugen/codegen/memory_layout.h"

namespace fmugen::codegen {

struct CodeOptions {
  std::string guid;
  std::string solver = "cvode";  // cvode, adams, ida, dopri45, euler, heun, rk4
  bool sparse = false;           // sparse linear algebra is linked in
  bool residual_form = true;     // what IDA needs
  bool next_event_time = false;  // an output tells the next time event
};

struct GeneratedCode {
  std::vector<GeneratedFile> files;         // header first
  std::vector<std::string> external_files;  // C sources of external functions, as the model names them, each once
  std::uint32_t linear_blocks = 0, nonlinear_blocks = 0;
  std::size_t largest_linear_block = 0;
  bool tangents = false;  // directional derivatives are exact
  bool residual_form = false;
  std::size_t state_entries = 0;  // entries of the pattern of d(rate)/d(state); 0: dense or no states
  std::size_t kernels = 0;        // equation shapes that became loops
};

GeneratedCode generate(const structure::SimulationPlan& plan, const MemoryLayout& layout, const CodeOptions& options,
                       const support::Sources& sources);

}  // namespace fmugen::codegen
