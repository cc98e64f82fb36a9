// From the tables of all systems to variables and equations.
#pragma once

#include <map>

#include "fmugen/equations/flat_model.h"
#include "fmugen/simnon/tables.h"

namespace fmugen::simnon {

// The tables must be without errors. `settings`: values that take the place of those in the text. If there are errors
// afterwards, the model is of no use.
equations::FlatModel translate(const std::vector<Table>& tables, const std::map<const Entity*, double>& settings,
                               const support::Sources& sources, support::Diagnostics& diagnostics);

}  // namespace fmugen::simnon
