// Variables that share a value reference are one value under several names. Integer and Enumeration count as one type
// there, because both are got and set by the same functions.
//
// Method: variables are grouped by (type, value reference) in a hash map; each group is looked at once, member by
// member, against what the members before it were.
//
// Miniature: x (start 1) and y (start 1) with value reference 7: alias-start, since which of the two starts counts?
//
// Reference: FMI 2.0.4, section 2.2.7 (alias variables).
#include <string>
#include <unordered_map>

#include "fmugen/fmu/validate/model.h"
#include "fmugen/fmu/validate/schema.h"

namespace fmugen::fmu::validate {
namespace {

// The first member of each kind.
struct Group {
  const Variable* first = nullptr;
  const Variable* constant = nullptr;
  const Variable* other = nullptr;  // not constant
  const Variable* started = nullptr;
  const Variable* settable = nullptr;
  const Variable* independent = nullptr;
  const Variable* with_unit = nullptr;
};

bool can_be_set(const Variable& v) {
  if (v.variability == Variability::Constant) return false;
  return v.causality == Causality::Input || v.causality == Causality::Parameter;
}

std::string named(const Variable* v) { return "'" + std::string(v->name) + "'"; }

std::optional<std::string_view> unit_of(const Model& model, const Variable& v) {
  if (v.unit) return v.unit;
  const SimpleType* type = model.type_of(v);
  return type ? type->unit : std::nullopt;
}

bool same_value(const Variable& a, const Variable& b) {
  if (!a.has_start || !b.has_start) return true;  // a missing start is another finding
  const std::optional<double> x = real_value(a.start), y = real_value(b.start);
  return a.type != Type::String && x && y ? *x == *y : a.start == b.start;
}

void check_member(const Model& model, const Group& g, const Variable& v, Report& report) {
  const auto add = [&](Rule rule, const std::string& text) {
    report.add(rule, {kDescription, v.line, std::string(v.name)}, text);
  };
  const bool constant = v.variability == Variability::Constant;
  if (constant && g.other) add(Rule::AliasConstant, "is constant, but shares a value reference with " + named(g.other));
  if (!constant && g.constant)
    add(Rule::AliasConstant, "shares a value reference with the constant " + named(g.constant));
  if (constant && g.constant && !same_value(v, *g.constant))
    add(Rule::AliasConstant, "shares a value reference with " + named(g.constant) + ", but not its value");
  if (!constant && v.has_start && g.started)
    add(Rule::AliasStart, "has a start value, as has " + named(g.started) + " with the same value reference");
  if (can_be_set(v) && g.settable)
    add(Rule::AliasSettable, "can be set, as can " + named(g.settable) + " with the same value reference");
  if ((can_be_set(v) && g.independent) || (v.causality == Causality::Independent && g.settable))
    add(Rule::AliasIndependent, "shares a value reference with " + named(g.independent ? g.independent : g.settable));
  const std::optional<std::string_view> unit = unit_of(model, v);
  if (unit && g.with_unit && *unit != *unit_of(model, *g.with_unit))
    add(Rule::AliasUnit, "has the unit '" + std::string(*unit) + "', " + named(g.with_unit) +
                             " with the same value reference '" + std::string(*unit_of(model, *g.with_unit)) + "'");
  if (!constant && g.other && g.other->variability != v.variability)
    add(Rule::AliasVariability, "is " + std::string(word(v.variability)) + ", " + named(g.other) +
                                    " with the same value reference is " + std::string(word(g.other->variability)));
}

void keep(const Variable*& slot, const Variable& v, bool condition) {
  if (condition && !slot) slot = &v;
}

}  // namespace

void check_aliases(const Model& model, Report& report) {
  std::unordered_map<std::uint64_t, Group> groups;
  groups.reserve(model.variables.size());
  for (const Variable& v : model.variables) {
    if (!v.type || !v.value_reference) continue;
    const Type type = v.type == Type::Enumeration ? Type::Integer : *v.type;
    Group& g = groups[std::uint64_t{*v.value_reference} << 3 | static_cast<std::uint64_t>(type)];
    if (g.first) check_member(model, g, v, report);
    const bool constant = v.variability == Variability::Constant;
    keep(g.first, v, true);
    keep(g.constant, v, constant);
    keep(g.other, v, !constant);
    keep(g.started, v, !constant && v.has_start);
    keep(g.settable, v, can_be_set(v));
    keep(g.independent, v, v.causality == Causality::Independent);
    keep(g.with_unit, v, unit_of(model, v).has_value());
  }
}

}  // namespace fmugen::fmu::validate
