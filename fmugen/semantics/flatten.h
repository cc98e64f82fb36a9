// From model text to the flat model.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmugen/equations/flat_model.h"
#include "fmugen/support/diagnostics.h"
#include "fmugen/support/source.h"
#include "fmugen/support/symbol.h"

namespace fmugen::semantics {

struct FlattenOptions {
  std::string model;                                            // -m: root model; empty: the last model of the file
  std::vector<std::string> library_path;                        // -I, then the installed library
  std::vector<std::pair<std::string, std::string>> settings;    // --set name=value
  bool strict = false;                                          // --strict: implicit locals, open inputs are errors
};

// Reads `file` and everything it uses. nullopt if there were errors; they are in `diagnostics`, as are warnings and notes.
std::optional<equations::FlatModel> flatten(const std::string& file, const FlattenOptions& options,
                                            support::Sources& sources, support::SymbolTable& symbols,
                                            support::Diagnostics& diagnostics);

}  // namespace fmugen::semantics
