// Reading a tree that has been checked against the schema: what is not there or cannot be read is left absent, so that
// the checks that follow speak of what is written and say nothing twice.
//
// The one thing computed here is what holds where 'initial' is not written: exact for parameters and constants,
// calculated for everything else but inputs and the independent variable, which have none (FMI 2.0.4, section 2.2.7).
#include "fmugen/fmu/validate/model.h"

#include <algorithm>

#include "fmugen/fmu/validate/schema.h"

namespace fmugen::fmu::validate {
namespace {

using tinyxml2::XMLElement;

constexpr std::string_view kTypes[] = {"Real", "Integer", "Boolean", "String", "Enumeration"};
constexpr std::string_view kCausalities[] = {"parameter", "calculatedParameter", "input", "output",
                                             "local",     "independent"};
constexpr std::string_view kVariabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
constexpr std::string_view kInitials[] = {"exact", "approx", "calculated"};

template <typename Enum, std::size_t N>
std::optional<Enum> named(const std::string_view (&words)[N], const char* text) {
  for (std::size_t i = 0; text && i < N; ++i)
    if (words[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

std::optional<std::string_view> text(const XMLElement& e, const char* name) {
  const char* value = e.Attribute(name);
  return value ? std::optional<std::string_view>(value) : std::nullopt;
}

std::optional<double> real(const XMLElement& e, const char* name) {
  const char* value = e.Attribute(name);
  return value ? real_value(value) : std::nullopt;
}

bool flag(const XMLElement& e, const char* name) {
  const char* value = e.Attribute(name);
  return value && bool_value(value).value_or(false);
}

const XMLElement* type_element(const XMLElement& e, std::optional<Type>& type) {
  for (const XMLElement* child = e.FirstChildElement(); child; child = child->NextSiblingElement())
    if ((type = named<Type>(kTypes, child->Name()))) return child;
  return nullptr;
}

void read_quantity(const XMLElement& e, const XMLElement* inner, Quantity& q) {
  q.line = e.GetLineNum();
  q.name = text(e, "name").value_or("");
  if (!inner) return;
  q.unit = text(*inner, "unit");
  q.display_unit = text(*inner, "displayUnit");
  q.min = real(*inner, "min");
  q.max = real(*inner, "max");
  q.nominal = real(*inner, "nominal");
}

// The table of causality and variability: whether they go together, and what 'initial' is if it is not written.
void deduce_initial(Variable& v) {
  const bool parameter = v.causality == Causality::Parameter;
  const bool steady = v.variability == Variability::Fixed || v.variability == Variability::Tunable;
  switch (v.causality) {
    case Causality::Parameter:
    case Causality::CalculatedParameter: v.legal = steady; break;
    case Causality::Input: v.legal = !steady && v.variability != Variability::Constant; break;
    case Causality::Output: v.legal = !steady; break;
    case Causality::Local: v.legal = true; break;
    case Causality::Independent: v.legal = v.variability == Variability::Continuous; break;
  }
  v.initial = v.given;
  if (v.given || v.causality == Causality::Input || v.causality == Causality::Independent) return;
  v.initial = parameter || v.variability == Variability::Constant ? Initial::Exact : Initial::Calculated;
}

Variable read_variable(const XMLElement& e) {
  Variable v;
  const XMLElement* inner = type_element(e, v.type);
  read_quantity(e, inner, v);
  if (const auto reference = text(e, "valueReference")) v.value_reference = unsigned_value(*reference);
  v.causality = named<Causality>(kCausalities, e.Attribute("causality")).value_or(Causality::Local);
  v.variability = named<Variability>(kVariabilities, e.Attribute("variability")).value_or(Variability::Continuous);
  v.given = named<Initial>(kInitials, e.Attribute("initial"));
  v.has_multiple_set = e.Attribute("canHandleMultipleSetPerTimeInstant") != nullptr;
  deduce_initial(v);
  if (!inner) return v;
  v.has_start = inner->Attribute("start") != nullptr;
  v.start = text(*inner, "start").value_or("");
  v.declared_type = text(*inner, "declaredType").value_or("");
  v.has_derivative = inner->Attribute("derivative") != nullptr;
  if (v.has_derivative) v.derivative = unsigned_value(inner->Attribute("derivative"));
  v.has_reinit = inner->Attribute("reinit") != nullptr;
  v.reinit = flag(*inner, "reinit");
  return v;
}

template <typename Take>
void each_word(std::string_view list, Take&& take) {
  for (std::size_t at = list.find_first_not_of(" \t\r\n"); at != std::string_view::npos;) {
    const std::size_t end = std::min(list.find_first_of(" \t\r\n", at), list.size());
    take(list.substr(at, end - at));
    at = list.find_first_not_of(" \t\r\n", end);
  }
}

std::vector<Unknown> read_unknowns(const XMLElement* list) {
  std::vector<Unknown> result;
  for (const XMLElement* e = list ? list->FirstChildElement("Unknown") : nullptr; e;
       e = e->NextSiblingElement("Unknown")) {
    Unknown unknown;
    unknown.line = e->GetLineNum();
    if (const auto index = text(*e, "index")) unknown.index = unsigned_value(*index);
    if (const auto dependencies = text(*e, "dependencies")) {
      unknown.dependencies.emplace();
      each_word(*dependencies, [&](std::string_view item) {
        if (const auto index = unsigned_value(item)) unknown.dependencies->push_back(*index);
      });
    }
    if (const auto kinds = text(*e, "dependenciesKind")) {
      unknown.kinds.emplace();
      each_word(*kinds, [&](std::string_view item) { unknown.kinds->push_back(item); });
    }
    result.push_back(std::move(unknown));
  }
  return result;
}

void read_types(const XMLElement* list, Model& model) {
  for (const XMLElement* e = list ? list->FirstChildElement("SimpleType") : nullptr; e;
       e = e->NextSiblingElement("SimpleType")) {
    SimpleType type;
    const XMLElement* inner = type_element(*e, type.type);
    read_quantity(*e, inner, type);
    for (const XMLElement* item = inner ? inner->FirstChildElement("Item") : nullptr; item;
         item = item->NextSiblingElement("Item"))
      if (const auto value = text(*item, "value"); value && int_value(*value)) type.items.push_back(*int_value(*value));
    std::sort(type.items.begin(), type.items.end());
    model.type_places.emplace(type.name, model.types.size());
    model.types.push_back(std::move(type));
  }
}

void read_units(const XMLElement* list, Model& model) {
  for (const XMLElement* e = list ? list->FirstChildElement("Unit") : nullptr; e; e = e->NextSiblingElement("Unit")) {
    Unit unit{e->GetLineNum(), {}};
    for (const XMLElement* display = e->FirstChildElement("DisplayUnit"); display;
         display = display->NextSiblingElement("DisplayUnit"))
      unit.display_units.emplace(text(*display, "name").value_or(""), display->GetLineNum());
    model.units.emplace(text(*e, "name").value_or(""), std::move(unit));
  }
}

}  // namespace

std::string_view word(Type type) { return kTypes[static_cast<std::size_t>(type)]; }
std::string_view word(Causality causality) { return kCausalities[static_cast<std::size_t>(causality)]; }
std::string_view word(Variability variability) { return kVariabilities[static_cast<std::size_t>(variability)]; }
std::string_view word(Initial initial) { return kInitials[static_cast<std::size_t>(initial)]; }

const SimpleType* Model::type_of(const Variable& v) const {
  const auto place = type_places.find(v.declared_type);
  return v.declared_type.empty() || place == type_places.end() ? nullptr : &types[place->second];
}

Model read_model(const XMLElement& root) {
  Model model;
  model.root = &root;
  model.model_exchange = root.FirstChildElement("ModelExchange");
  model.co_simulation = root.FirstChildElement("CoSimulation");
  model.structured = text(root, "variableNamingConvention").value_or("flat") == "structured";
  read_units(root.FirstChildElement("UnitDefinitions"), model);
  read_types(root.FirstChildElement("TypeDefinitions"), model);
  const XMLElement* variables = root.FirstChildElement("ModelVariables");
  for (const XMLElement* e = variables ? variables->FirstChildElement("ScalarVariable") : nullptr; e;
       e = e->NextSiblingElement("ScalarVariable"))
    model.variables.push_back(read_variable(*e));
  if (const XMLElement* structure = root.FirstChildElement("ModelStructure")) {
    model.outputs = read_unknowns(structure->FirstChildElement("Outputs"));
    model.lists_derivatives = structure->FirstChildElement("Derivatives") != nullptr;
    model.derivatives = read_unknowns(structure->FirstChildElement("Derivatives"));
    model.initial_unknowns = read_unknowns(structure->FirstChildElement("InitialUnknowns"));
  }
  model.is_state.resize(model.variables.size());
  for (const Unknown& unknown : model.derivatives) {
    const Variable* derivative = model.variable(unknown.index);
    if (derivative && model.variable(derivative->derivative)) model.is_state[*derivative->derivative - 1] = true;
  }
  return model;
}

}  // namespace fmugen::fmu::validate
