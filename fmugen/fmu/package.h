// The .fmu file: a zip archive, the same bytes for the same content.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fmugen::fmu {

struct PackageEntry {
  std::string name;  // "binaries/linux64/model.so"
  std::string content;
  bool executable = false;
};

// Writes all entries, in the given order, to a file of that name, which is complete or not there: until then, and after
// a failure, a file of the name keeps its content. Returns an empty text, or why it could not be written. The time of the
// entries is SOURCE_DATE_EPOCH (in seconds) if that is set, otherwise the first of January 1980, with which zip begins.
// `check` sees the finished archive, under the name it has until then, before it appears; what it returns is the failure.
std::string write_package(const std::string& path, const std::vector<PackageEntry>& entries,
                          const std::function<std::string(const std::string& partial)>& check = {});

}  // namespace fmugen::fmu
