// The schema of modelDescription.xml as a table, and the check of a tree against it.
#pragma once

#include <tinyxml2.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "fmugen/fmu/validate/report.h"

namespace fmugen::fmu::validate {

inline constexpr const char* kDescription = "modelDescription.xml";

// Elements, attributes, their order, number and types. Annotations may hold anything.
void check_schema(const tinyxml2::XMLElement& root, Report& report);

// Values as the schema writes them; nullopt for a text of another form.
std::optional<double> real_value(std::string_view text);  // finite
std::optional<std::int32_t> int_value(std::string_view text);
std::optional<std::uint32_t> unsigned_value(std::string_view text);
std::optional<bool> bool_value(std::string_view text);

}  // namespace fmugen::fmu::validate
