// From SIMNON texts to the flat model.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmugen/equations/flat_model.h"
#include "fmugen/support/diagnostics.h"
#include "fmugen/support/source.h"

namespace fmugen::simnon {

struct FlattenOptions {
  std::vector<std::pair<std::string, std::string>> settings;  // --set: CPID.G, G[CPID], or G where there is one only
  bool order = false;                                         // say where sections OUTPUT are executed
};

// Reads the systems of all files; of several the last one is the connecting system. nullopt if there were errors; they
// are in `diagnostics`, as are warnings and notes.
std::optional<equations::FlatModel> flatten(const std::vector<std::string>& files, const FlattenOptions& options,
                                            support::Sources& sources, support::Diagnostics& diagnostics);

// The same for texts that are among the sources already.
std::optional<equations::FlatModel> flatten_texts(const std::vector<std::uint32_t>& texts,
                                                  const FlattenOptions& options, support::Sources& sources,
                                                  support::Diagnostics& diagnostics);

}  // namespace fmugen::simnon
