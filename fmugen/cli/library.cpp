#include "fmugen/cli/library.h"

#include <cstdlib>
#include <filesystem>

namespace fmugen::cli {

namespace {

// As a user would write it: relative if it is below the current folder. Messages quote it.
std::string spelled(const std::filesystem::path& folder) {
  std::error_code failure;
  const std::filesystem::path here = std::filesystem::current_path(failure);
  const std::string relative = failure ? std::string() : folder.lexically_proximate(here).string();
  return relative.empty() || relative.starts_with("..") ? folder.string() : relative;
}

}  // namespace

std::optional<std::string> find_model_library() {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (const char* given = std::getenv("FMUGEN_LIBRARY"); given && *given) return std::string(given);
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (failure) return std::nullopt;
  const fs::path prefix = program.parent_path().parent_path();
  for (const fs::path& folder : {prefix / "share" / "fmugen" / "models", prefix.parent_path() / "models"})
    if (fs::is_directory(folder, failure)) return spelled(folder);
  return std::nullopt;
}

std::optional<std::string> find_runtime() {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (const char* given = std::getenv("FMUGEN_RUNTIME"); given && *given) return std::string(given);
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (failure) return std::nullopt;
  const fs::path prefix = program.parent_path().parent_path();
  for (const char* libraries : {"lib", "lib64", "lib/x86_64-linux-gnu"})
    if (const fs::path folder = prefix / libraries / "fmugen"; fs::exists(folder / "fmu.map", failure))
      return folder.string();
  return std::nullopt;
}

}  // namespace fmugen::cli
