// Where the model library is.
#pragma once

#include <optional>
#include <string>

namespace fmugen::cli {

// The folder of the model library: what FMUGEN_LIBRARY says, or else beside the running program: PREFIX/share/fmugen/models
// for PREFIX/bin/fmugen as installed, SOURCES/models for SOURCES/build/bin/fmugen. None if there is no such folder.
std::optional<std::string> find_model_library();

// The folder with what is linked into FMUs: FMUGEN_RUNTIME, or lib/fmugen beside the folder of the program.
std::optional<std::string> find_runtime();

}  // namespace fmugen::cli
