// What a shared library for 64-bit Linux exports and needs, read from its bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fmugen::fmu::validate {

struct SharedLibrary {
  std::vector<std::string_view> exports;   // functions and data others can use
  std::vector<std::string_view> needed;    // libraries, "libm.so.6"
  std::vector<std::string_view> versions;  // of symbols of other libraries, "GLIBC_2.17"
  std::string_view runpath;                // where libraries are searched, "$ORIGIN"
};

// Texts point into `bytes`. On failure nullopt and the reason. Never reads outside of the bytes, whatever they claim.
std::optional<SharedLibrary> read_elf(std::string_view bytes, std::string& reason);

}  // namespace fmugen::fmu::validate
