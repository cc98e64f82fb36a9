#include "importer/results/number_text.h"

#include <charconv>
#include <cmath>

namespace importer::results {

void append_number(std::string& text, double value) {
  char digits[40];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::string fixed_text(double value, int decimals) {
  const double half = 0.5 * std::pow(10.0, -decimals);
  if (std::abs(value) < half) value = 0.0;
  char digits[400];
  return {digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals).ptr};
}

}  // namespace importer::results
