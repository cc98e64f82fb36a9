// Large tables of generated code, taken out of the C text and handed to the assembler as bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fmugen::fmu {

struct LiftedTables {
  std::string bytes;      // of all tables, one behind the other
  std::string assembler;  // definitions, without the section they go to
  std::size_t count = 0;
};

// The text with every table of numbers of at least `least` elements replaced by its declaration; the tables are added to
// `lifted`. `bytes_file` is where the assembler will find the bytes. Needs a machine that stores numbers as the one that
// the code is for: low bytes first.
std::string lift_tables(std::string_view text, const std::string& bytes_file, std::size_t least, LiftedTables& lifted);

}  // namespace fmugen::fmu
