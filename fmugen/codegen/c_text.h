// Pieces of C text: literals, comments, names, tables.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fmugen::codegen {

std::string c_number(double value);            // a double: "2.0", "0.10000000000000001", "NAN"
std::string c_string(std::string_view text);   // with quotes; any bytes
std::string c_comment(std::string_view text);  // "/* text */", whatever the text contains

// `static const TYPE NAME[] = {...};` in lines of moderate length. An empty table has one element, since C wants one.
std::string c_table(const std::string& type, const std::string& name, std::span<const std::string> elements);
std::string c_table(const std::string& name, std::span<const std::uint32_t> elements);  // of unsigned
std::string c_table(const std::string& name, std::span<const double> elements);

// Names that are legal in C and as close as possible to those of the model: "R1.V" becomes R1_V, "der(x)" der_x. Names
// that mean something already get an underscore, names that would be taken twice their number.
class CNames {
 public:
  const std::string& name(std::uint32_t number, std::string_view original);
  void reserve(const std::string& name) { taken_.insert(name); }

 private:
  std::map<std::uint32_t, std::string> names_;
  std::set<std::string, std::less<>> taken_;
};

std::string c_identifier(std::string_view original);

}  // namespace fmugen::codegen
