// FMUs made in memory, good ones and all kinds of bad ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fmugen::test {

struct ZipEntry {
  std::string name;
  std::string content;
  std::uint32_t unix_mode = 0100644;
  bool encrypted = false;
};

// The bytes of an archive with these entries, names as they are.
std::string make_zip(const std::vector<ZipEntry>& entries);

// What a shared library tells the dynamic linker.
struct LibraryFacts {
  std::vector<std::string> exports;
  std::vector<std::string> needed = {"libm.so.6", "libc.so.6"};
  std::vector<std::string> versions = {"GLIBC_2.2.5"};
  std::string runpath;
};

// The bytes of an ELF file for x86-64 with the tables of a shared library, and nothing else.
std::string make_shared_library(const LibraryFacts& facts);

// The functions of both interfaces of FMI 2.0.
std::vector<std::string> fmi2_functions();

// A model description without fault, and an FMU with it.
std::string good_description();
std::vector<ZipEntry> good_entries();

}  // namespace fmugen::test
