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
  std::size_t size_limit = 50'000'000;                          // variables, equations, loop steps: a guard
  bool strict = false;                                          // --strict: implicit locals, open inputs are errors
};

// Reads `file` and everything it uses. nullopt if there were errors; they are in `diagnostics`, as are warnings and notes.
std::optional<equations::FlatModel> flatten(const std::string& file, const FlattenOptions& options,
                                            support::Sources& sources, support::SymbolTable& symbols,
                                            support::Diagnostics& diagnostics);

// The same for a text that is among the sources already.
std::optional<equations::FlatModel> flatten_text(std::uint32_t source, const FlattenOptions& options,
                                                 support::Sources& sources, support::SymbolTable& symbols,
                                                 support::Diagnostics& diagnostics);

}  // namespace fmugen::semantics
