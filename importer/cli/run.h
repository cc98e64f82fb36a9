// cutsim run: simulate one FMU.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "importer/cli/options.h"
#include "importer/fmu/model_description.h"

namespace importer::cli {

struct Schedule {  // of communication points
  double start = 0.0, stop = 1.0, step = 0.002;
  std::uint64_t steps = 500;  // of which the last may be shorter
  double at(std::uint64_t point) const { return point >= steps ? stop : start + static_cast<double>(point) * step; }
};

// From the command line and, where it says nothing, from the FMU. `problem` is set if it makes no sense.
Schedule make_schedule(const Options& options, const fmu::ModelDescription& description, std::string& problem);

ExitCode run(const Options& options, std::ostream& err);  // throws fmu::Rejected

}  // namespace importer::cli
