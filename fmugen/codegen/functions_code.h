// Functions and tables of the model as C text.
#pragma once

#include <string>

#include "fmugen/codegen/translate.h"

namespace fmugen::codegen {

// Prototypes of all functions of the model, external ones included.
std::string function_prototypes(const equations::FlatModel& model);

// Definitions of those that are written in the model language, and of what external ones with several results are
// called through.
std::string function_definitions(Vocabulary& words);

// The array model_tables.
std::string table_definitions(const equations::FlatModel& model);

}  // namespace fmugen::codegen
