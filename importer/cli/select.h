// What the user names: variables to record, and values to set.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "importer/fmu/slave.h"

namespace importer::cli {

bool matches(const std::string& pattern, const std::string& name);  // '*': any letters, '?': one

struct Selection {
  std::vector<const fmu::Variable*> variables;  // in the order of the description
  bool complete = true;                         // false: there were too many, and some have been left out
};

// The variables to record. Throws fmu::Rejected if a pattern matches none.
Selection select_recorded(const fmu::ModelDescription& description, const std::vector<std::string>& patterns);

// The variables to draw among the recorded ones: each value once, no texts, nothing that is fixed.
std::vector<const fmu::Variable*> select_plotted(const Selection& recorded, bool chosen_by_user);

// Values of their variables' types. Throws fmu::Rejected for names that are unknown or cannot be set.
std::vector<fmu::Setting> read_settings(const fmu::ModelDescription& description,
                                        const std::vector<std::pair<std::string, std::string>>& settings);

}  // namespace importer::cli
