// Unit and type definitions, and their use. The unit of a variable is its own or that of its declared type; its display
// unit must be defined under that unit. FMI Library refuses a whole FMU because of one that is not.
//
// Reference: FMI 2.0.4, sections 2.2.2, 2.2.3 and 2.2.7.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "fmugen/fmu/validate/model.h"
#include "fmugen/fmu/validate/schema.h"

namespace fmugen::fmu::validate {
namespace {

using tinyxml2::XMLElement;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }
Place at(const XMLElement& e) { return {kDescription, e.GetLineNum(), {}}; }

void check_factor(const XMLElement& e, Report& report) {
  const char* factor = e.Attribute("factor");
  if (factor && real_value(factor) == 0.0) report.add(Rule::UnitFactor, at(e), "the factor of a unit is zero");
}

std::string_view name_of(const XMLElement& e) {
  const char* name = e.Attribute("name");
  return name ? name : "";
}

void check_unit_definitions(const XMLElement* list, Report& report) {
  std::unordered_set<std::string_view> seen;
  for (const XMLElement* e = list ? list->FirstChildElement("Unit") : nullptr; e; e = e->NextSiblingElement("Unit")) {
    if (!seen.insert(name_of(*e)).second)
      report.add(Rule::UnitDuplicate, at(*e), "unit " + quoted(name_of(*e)) + " is defined twice");
    if (const XMLElement* base = e->FirstChildElement("BaseUnit")) check_factor(*base, report);
    std::unordered_set<std::string_view> shown;
    for (const XMLElement* d = e->FirstChildElement("DisplayUnit"); d; d = d->NextSiblingElement("DisplayUnit")) {
      check_factor(*d, report);
      if (!shown.insert(name_of(*d)).second)
        report.add(Rule::DisplayUnitDuplicate, at(*d),
                   "display unit " + quoted(name_of(*d)) + " of " + quoted(name_of(*e)) + " is defined twice");
    }
  }
}

void check_items(const XMLElement& type, Report& report) {
  std::unordered_set<std::string_view> names;
  std::unordered_set<std::int32_t> values;
  const XMLElement* enumeration = type.FirstChildElement("Enumeration");
  for (const XMLElement* item = enumeration ? enumeration->FirstChildElement("Item") : nullptr; item;
       item = item->NextSiblingElement("Item")) {
    if (!names.insert(name_of(*item)).second)
      report.add(Rule::ItemDuplicate, at(*item), "two items are called " + quoted(name_of(*item)));
    const std::optional<std::int32_t> value = int_value(item->Attribute("value") ? item->Attribute("value") : "");
    if (value && !values.insert(*value).second)
      report.add(Rule::ItemDuplicate, at(*item), "two items have the value " + std::to_string(*value));
  }
}

void check_type_definitions(const Model& model, Report& report) {
  std::unordered_set<std::string_view> variables, seen;
  for (const Variable& v : model.variables) variables.insert(v.name);
  const XMLElement* list = model.root->FirstChildElement("TypeDefinitions");
  for (const XMLElement* e = list ? list->FirstChildElement("SimpleType") : nullptr; e;
       e = e->NextSiblingElement("SimpleType")) {
    const std::string_view name = name_of(*e);
    if (!seen.insert(name).second)
      report.add(Rule::TypeDuplicate, at(*e), "type " + quoted(name) + " is defined twice");
    if (variables.count(name) > 0)
      report.add(Rule::TypeIsVariable, at(*e), "type " + quoted(name) + " is a variable, too");
    check_items(*e, report);
  }
}

void check_unit_use(const Model& model, const Quantity& q, const Quantity* type, const std::string& variable,
                    Report& report) {
  const Place place{kDescription, q.line, variable};
  const std::optional<std::string_view> unit = q.unit ? q.unit : type ? type->unit : std::nullopt;
  const auto definition = unit ? model.units.find(*unit) : model.units.end();
  if (q.unit && definition == model.units.end()) {
    report.add(Rule::UnitUndeclared, place, "unit " + quoted(*q.unit) + " is not defined");
    return;
  }
  if (!q.display_unit) return;
  if (!unit)
    report.add(Rule::DisplayUnitAlone, place, "display unit " + quoted(*q.display_unit) + " without a unit");
  else if (definition != model.units.end() && definition->second.display_units.count(*q.display_unit) == 0)
    report.add(Rule::DisplayUnitUndeclared, place,
               "display unit " + quoted(*q.display_unit) + " is not defined for unit " + quoted(*unit));
}

void check_declared_type(const Variable& v, const SimpleType& type, const std::string& name, Report& report) {
  const Place place{kDescription, v.line, name};
  if (v.type && type.type && v.type != type.type) {
    report.add(Rule::TypeKind, place,
               "declared type " + quoted(type.name) + " is " + std::string(word(*type.type)) + ", the variable is " +
                   std::string(word(*v.type)));
    return;
  }
  if (v.min && type.min && *v.min < *type.min)
    report.add(Rule::TypeRange, place, "min is below that of type " + quoted(type.name));
  if (v.max && type.max && *v.max > *type.max)
    report.add(Rule::TypeRange, place, "max is above that of type " + quoted(type.name));
}

}  // namespace

void check_units_and_types(const Model& model, Report& report) {
  check_unit_definitions(model.root->FirstChildElement("UnitDefinitions"), report);
  check_type_definitions(model, report);
  for (const SimpleType& type : model.types) check_unit_use(model, type, nullptr, {}, report);
  for (const Variable& v : model.variables) {
    const std::string name(v.name);
    const SimpleType* type = model.type_of(v);
    if (!v.declared_type.empty() && !type)
      report.add(Rule::TypeUndeclared, {kDescription, v.line, name},
                 "type " + quoted(v.declared_type) + " is not defined");
    if (type) check_declared_type(v, *type, name, report);
    check_unit_use(model, v, type, name, report);
  }
}

}  // namespace fmugen::fmu::validate
