// What lies where in an FMU, and what its binary for linux64 exports and needs.
#pragma once

#include "fmugen/fmu/validate/archive.h"
#include "fmugen/fmu/validate/model.h"

namespace fmugen::fmu::validate {

// `model` may be null if the description could not be read: then only what does not depend on it is checked.
void check_layout(const Archive& archive, const Model* model, Report& report);
void check_binary(const Archive& archive, const Model& model, Report& report);

}  // namespace fmugen::fmu::validate
