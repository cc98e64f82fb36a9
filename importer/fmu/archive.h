// An FMU unpacked into a folder of its own, which disappears with the object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace importer::fmu {

struct UnpackLimits {
  std::uint64_t bytes = std::uint64_t{4} << 30;  // of all entries together, as actually unpacked
  std::uint64_t entries = 100'000;
};

class UnpackedFmu {
 public:
  // Throws Rejected if `path` is no archive, or one with entries that lead out of the folder, are links or too much.
  // Whatever had been unpacked until then is removed.
  explicit UnpackedFmu(const std::string& path, const UnpackLimits& limits = {});
  ~UnpackedFmu();
  UnpackedFmu(const UnpackedFmu&) = delete;
  UnpackedFmu& operator=(const UnpackedFmu&) = delete;

  const std::string& folder() const { return folder_; }
  const std::vector<std::string>& notes() const { return notes_; }  // what was put up with

 private:
  std::string folder_;
  std::vector<std::string> notes_;
};

// Where a name of an archive leads inside the folder: with '/' for '\', without "./" and doubled slashes. Empty if it
// leads elsewhere: "/x", "a/../../x", "C:x", a name with a null character, or nothing at all.
std::string safe_name(const std::string& name);

}  // namespace importer::fmu
