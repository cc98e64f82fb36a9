#include "fmugen/cli/library.h"

#include <cstdlib>
#include <filesystem>

namespace fmugen::cli {

std::optional<std::string> find_model_library() {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (const char* given = std::getenv("FMUGEN_LIBRARY"); given && *given) return std::string(given);
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (failure) return std::nullopt;
  const fs::path prefix = program.parent_path().parent_path();
  for (const fs::path& folder : {prefix / "share" / "fmugen" / "models", prefix.parent_path() / "models"})
    if (fs::is_directory(folder, failure)) return folder.string();
  return std::nullopt;
}

}  // namespace fmugen::cli
