// cutsim info: what is in an FMU.
#pragma once

#include <iosfwd>

#include "importer/cli/options.h"
#include "importer/fmu/model_description.h"

namespace importer::cli {

ExitCode info(const Options& options, std::ostream& out);  // throws fmu::Rejected

void print_info(std::ostream& out, const std::string& file, const fmu::ModelDescription& description);

}  // namespace importer::cli
