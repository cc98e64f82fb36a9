// Whether a text may be given to the XML parser.
#pragma once

#include <string>
#include <string_view>

#include "fmugen/fmu/validate/report.h"

namespace fmugen::fmu::validate {

// Looks for what the parser does not see or should not see: a missing declaration, bytes that are not UTF-8, document
// types, unknown entities, several roots, too much nesting, too many attributes. False if the text must not be parsed.
bool check_xml_text(std::string_view text, const std::string& entry, Report& report);

}  // namespace fmugen::fmu::validate
