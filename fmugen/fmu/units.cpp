// Problem: the variables of a model say "K" and "degC"; FMI wants every unit defined once, by powers of the base units,
// with the display units of its variables below it.
//
// Method: one pass over the uses; a hash map from the unit to its definition, another for the display units seen.
//
// Miniature: {"K", "degC"}, {"K", ""}, {"rad/s", "rpm"} become
//
//   K:      base K^1            display degC = 1 * value - 273.15
//   rad/s:  base rad^1 s^-1     display rpm  = 9.549... * value
//
// The two conversions go opposite ways: a value in base units is factor * value + offset of the *unit*, a value to be
// shown is factor * value + offset of the *display unit*.
//
// Reference: FMI 2.0.4, section 2.2.2.
#include "fmugen/fmu/units.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace fmugen::fmu {
namespace {

std::optional<support::Unit> parsed(const std::string& text) {
  std::string ignored;  // what cannot be read was reported where it was declared
  return support::parse_unit(text, ignored);
}

std::optional<DisplayUnit> display_unit(const std::optional<support::Unit>& unit, const std::string& name) {
  const std::optional<support::Unit> shown = parsed(name);
  if (!unit || !shown || !same_dimension(*unit, *shown)) return std::nullopt;
  const support::Conversion how = conversion(*unit, *shown);
  return DisplayUnit{name, how.factor, how.offset};
}

}  // namespace

std::vector<UnitDefinition> define_units(const std::vector<UsedUnit>& used) {
  std::vector<UnitDefinition> definitions;
  std::unordered_map<std::string, std::size_t> places;
  std::unordered_set<std::string> shown;  // unit and display unit, separated by a line end, which no unit holds
  for (const UsedUnit& use : used) {
    if (use.unit.empty()) continue;
    const auto [place, added] = places.emplace(use.unit, definitions.size());
    if (added) definitions.push_back({use.unit, parsed(use.unit), {}});
    if (use.display_unit.empty() || !shown.insert(use.unit + '\n' + use.display_unit).second) continue;
    UnitDefinition& definition = definitions[place->second];
    if (auto display = display_unit(definition.base, use.display_unit))
      definition.display_units.push_back(std::move(*display));
  }
  return definitions;
}

bool is_display_unit(const std::string& unit, const std::string& display) {
  return display_unit(parsed(unit), display).has_value();
}

}  // namespace fmugen::fmu
