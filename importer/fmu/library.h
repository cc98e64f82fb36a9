// The functions of an FMU's shared library.
#pragma once

#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "fmu-runtime/fmi2/fmi2_abi.h"
}

namespace importer::fmu {

struct Functions {  // null where an FMU does not have one that it does not need
#define IMPORTER_BOTH(name) decltype(&::fmi2##name) name = nullptr;
#define IMPORTER_CS IMPORTER_BOTH
#define IMPORTER_EXTRA IMPORTER_BOTH
#include "importer/fmu/functions.inc"
#undef IMPORTER_BOTH
#undef IMPORTER_CS
#undef IMPORTER_EXTRA
};

// Loaded as long as the object lives.
class Library {
 public:
  // Loads binaries/linux64/<identifier>.so of an unpacked FMU for Co-Simulation. Throws Rejected if it is not there,
  // does not load or lacks functions.
  Library(const std::string& folder, const std::string& identifier);

  const Functions& functions() const { return functions_; }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Close> handle_;
  Functions functions_;
};

// "file:///a%20b/resources" for the folder "/a b".
std::string resource_uri(const std::string& folder);

}  // namespace importer::fmu
