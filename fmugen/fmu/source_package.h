// The folder sources/ of an FMU: everything that a stranger needs to compile it.
#pragma once

#include <string>
#include <vector>

#include "fmugen/codegen/files.h"
#include "fmugen/fmu/package.h"

namespace fmugen::fmu {

enum class SourceKind { None, Plain, Full };  // Full: with SUNDIALS and, where it is linked in, KLU

struct SourceJob {
  std::string kit;  // folder of the run time, with sources/
  std::string identifier, tool;
  std::vector<codegen::GeneratedFile> generated;
  std::vector<std::string> external;        // C files of the user, by path
  std::vector<std::string> external_names;  // functions in them
  bool cvode = false, ida = false, klu = false;
};

struct SourcePackage {
  std::vector<PackageEntry> entries;  // sources/...
  std::vector<std::string> units;     // what is to be compiled, relative to sources/: the C files directly in there
  std::string failure;                // one line; empty: all is there
};

// The C files directly in sources/ are those of <SourceFiles>. Each can be compiled for itself, with no other include
// path than its own folder; no two have a name in common that is not a prefixed one. all.c holds the run time and the
// model; it is the only one unless the model has C functions (external_1.c) or libraries are packed (solver_1.c).
SourcePackage pack_sources(const SourceJob& job);

// The names of the units, known before the model description is written, which lists them.
std::vector<std::string> source_units(const SourceJob& job, std::string& failure);

}  // namespace fmugen::fmu
