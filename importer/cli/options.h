// The command line.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "importer/cli/exit_code.h"

namespace importer::cli {

enum class Command { Run, Info };

struct Options {
  Command command = Command::Run;
  std::string file;
  std::optional<double> start, stop, step, tolerance;
  std::vector<std::pair<std::string, std::string>> settings;  // name, value
  std::vector<std::string> record;                            // patterns
  std::string output;                                         // of the values; empty: standard output
  std::string plot;                                           // empty: none
};

// Options, or the exit code if there is nothing more to do; then help has gone to `out` or a message to `err`.
std::variant<Options, ExitCode> parse_options(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace importer::cli
