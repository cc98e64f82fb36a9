// Unit definitions of an FMU from the units that its variables use.
#pragma once

#include <string>
#include <vector>

#include "fmugen/fmu/model_description.h"

namespace fmugen::fmu {

// Collects every unit and display unit that is used; then define_units() turns them into definitions.
struct UsedUnit {
  std::string unit;          // "K"; empty: nothing to define
  std::string display_unit;  // "degC"; may be empty
};

// One definition a unit, in the order of first use, with base units, factor and offset where the text can be read as a
// unit, and with its display units in the order of first use: K has the display unit degC with factor 1, offset
// -273.15. A display unit of another dimension, or one that cannot be read, is left out: use is_display_unit before
// writing it.
std::vector<UnitDefinition> define_units(const std::vector<UsedUnit>& used);

// Whether define_units would define `display_unit` for `unit`.
bool is_display_unit(const std::string& unit, const std::string& display_unit);

}  // namespace fmugen::fmu
