// From a simulation plan to an FMU on disk.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "fmugen/codegen/memory_layout.h"
#include "fmugen/fmu/source_package.h"
#include "fmugen/structure/simulation_plan.h"
#include "fmugen/support/stopwatch.h"

namespace fmugen::fmu {

struct BuildOptions {
  std::string output;  // path of the FMU
  std::string tool;    // "fmugen 0.1.0"
  codegen::Expose expose = codegen::Expose::All;
  std::string solver = "auto";      // auto, cvode, adams, ida, dopri45, euler, heun, rk4
  std::string linear = "auto";      // auto, dense, klu
  bool next_event_time = false;     // an output tells the next time event
  bool official_terminals = false;  // terminals also where FMI puts them, which some importers reject
  std::vector<std::string> platforms{"linux64"};  // of platform_names(), each once, at least one
  SourceKind source = SourceKind::None;  // the sources go into the FMU, too
  std::string runtime;              // folder with what is linked into FMUs: archives, headers, fmu.map, licenses/
};

struct BuildResult {
  std::string failure;             // one line; empty: the FMU is there
  std::string details;             // what the compiler or the checks said
  std::vector<std::string> notes;  // what the user should know: frozen parameters, KLU
  std::size_t library_bytes = 0, files = 0, kernels = 0;
  std::string solver;                  // the one chosen
  std::vector<support::Stage> stages;  // the compiler runs while description and page are checked and written
};

// Solvers that can be named, "auto" first, in the order of the enumeration that the FMU has.
const std::vector<std::string>& solver_names();

// Platforms that can be named: "linux64", "win64".
const std::vector<std::string>& platform_names();

BuildResult build_fmu(structure::SimulationPlan& plan, const BuildOptions& options, const support::Sources& sources);

}  // namespace fmugen::fmu
