// Runs the C compiler: texts of C files in, the bytes of a shared library out.
#pragma once

#include <string>
#include <vector>

namespace fmugen::fmu {

struct CFile {
  std::string name;  // "model_1.c"; headers, ending in .h, are written but not compiled
  std::string text;
  bool hot = true;  // runs often: worth optimising
};

enum class Platform { Linux64, Win64 };

struct CompileJob {
  Platform platform = Platform::Linux64;
  std::string name = "model";         // of the library, without ending
  std::vector<CFile> files;
  std::vector<std::string> external;  // C sources of the user, by path
  std::vector<std::string> include_folders;
  std::string prelude;                        // a header that is read before every file; may be empty
  std::string whole_archive;          // linked with all its members: nothing refers to the functions of FMI
  std::vector<std::string> archives;  // linked in this order, as far as they are referred to
  std::string version_script;         // path; Linux only: on Windows the functions of FMI are marked
};

struct Compiled {
  std::string library;   // bytes; empty after a failure
  std::string failure;   // what went wrong and what to do, in one line
  std::string messages;  // of the compiler
};

// CC names the compiler, with options if wanted; otherwise `cc`. For Windows CC_WIN64 does; otherwise it is MinGW's.
// Files are compiled side by side, as many as there are cores. Everything happens in a temporary folder, which is gone
// afterwards.
Compiled compile(const CompileJob& job);

}  // namespace fmugen::fmu
