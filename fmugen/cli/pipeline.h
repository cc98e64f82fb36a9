// What every subcommand does, as the list of stages it runs.
#pragma once

#include <iosfwd>

#include "fmugen/cli/options.h"

namespace fmugen::cli {

// Runs one subcommand. The result goes to options.output or standard output, messages go to `err`.
ExitCode run(const Options& options, std::ostream& err);

}  // namespace fmugen::cli
