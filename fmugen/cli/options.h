// The command line as a value.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fmugen/cli/exit_code.h"
#include "fmugen/fmu/build.h"
#include "fmugen/structure/print_plan.h"

namespace fmugen::cli {

enum class Command { Ast, Flat, Equations, Check, Code, Build, Validate };
enum class Format { Text, Json };

struct Options {
  Command command = Command::Flat;
  std::string file;                                           // of several the last one
  std::vector<std::string> files;                             // SIMNON: one for each system, or for several
  std::string output;                                         // -o; empty: standard output
  std::string model;                                          // -m; empty: the last model of the file
  std::vector<std::string> library_path;                      // -I, in order
  std::vector<std::pair<std::string, std::string>> settings;  // --set name=value, in order, each name once
  bool strict = false;
  bool stats = false;
  Format format = Format::Text;
  structure::PlanOptions plan;                                // equations, check: how to sort
  structure::Show show;                                       // equations: what to print
  fmu::BuildOptions build;                                    // build: solver, what is exposed
};

// Reads the arguments. Returns an exit code where there is nothing more to do: after --help and --version, which go to
// `out`, and after a mistake in the command line, which is explained on `err`.
std::variant<Options, ExitCode> parse_options(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace fmugen::cli
