// Numbers as text, independent of the locale.
#pragma once

#include <string>

namespace importer::results {

void append_number(std::string& text, double value);  // the shortest text that reads back as the same number
std::string number_text(double value);
std::string fixed_text(double value, int decimals);  // "-0.50", never "-0.00"

}  // namespace importer::results
