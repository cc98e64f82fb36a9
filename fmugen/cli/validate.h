// `fmugen validate`.
#pragma once

#include <iosfwd>

#include "fmugen/cli/options.h"

namespace fmugen::cli {

// Writes the report on an FMU to options.output or standard output. Done if there are no errors (with options.strict no
// warnings either), otherwise the input is rejected; a file that cannot be read counts as wrong usage.
ExitCode validate(const Options& options, std::ostream& err);

}  // namespace fmugen::cli
