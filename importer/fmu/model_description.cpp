// Problem: descriptions in the wild are old, sloppy or broken; what a simulation uses must be exact, the rest must not
// get in the way.
//
// Method: the text is looked through for what harms a parser (nesting, document types; see check_xml_text), parsed by
// tinyxml2, and read element by element. What is used (names, value references, types, identifiers) must be there; what
// only informs is put up with and noted:
//
//   <ScalarVariable name="h" valueReference="1" causality="output">    Variable{h, 1, Real, Output, Continuous,
//     <Real start="1" unit="m"/>                                                Calculated, "1", "m"}
//   </ScalarVariable>
//   causality="internal"                                               a note, and local is taken
//
// Reference: FMI 2.0.4, section 2.2.
#include "importer/fmu/model_description.h"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "fmugen/fmu/validate/xml_text.h"
#include "importer/fmu/errors.h"

namespace importer::fmu {

namespace {

using tinyxml2::XMLElement;

constexpr const char* kTypes[] = {"Real", "Integer", "Boolean", "String", "Enumeration"};
constexpr const char* kCausalities[] = {"parameter", "calculatedParameter", "input", "output", "local", "independent"};
constexpr const char* kVariabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
constexpr const char* kInitials[] = {"", "exact", "approx", "calculated"};

std::string text_of(const XMLElement* element, const char* attribute) {
  const char* value = element->Attribute(attribute);
  return value ? value : "";
}

bool flag(const XMLElement* element, const char* attribute) {
  const std::string text = text_of(element, attribute);
  return text == "true" || text == "1";
}

template <typename Number>
std::optional<Number> number(std::string text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  const auto first = std::find_if_not(text.begin(), text.end(), is_blank);
  text.erase(text.begin(), first);
  if (!text.empty() && text.front() == '+') text.erase(0, 1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string at_line(const XMLElement* element) {
  return "modelDescription.xml:" + std::to_string(element->GetLineNum()) + ": ";
}

// The place of an attribute's value among `names`; if it is none of them, a note and `otherwise`.
template <std::size_t N>
std::size_t one_of(const XMLElement* element, const char* attribute, const char* const (&names)[N],
                   std::size_t otherwise, std::vector<std::string>& notes) {
  const char* value = element->Attribute(attribute);
  if (!value) return otherwise;
  for (std::size_t i = 0; i < N; ++i)
    if (std::strcmp(value, names[i]) == 0) return i;
  notes.push_back(at_line(element) + attribute + " '" + value + "' is unknown; '" + names[otherwise] + "' is taken");
  return otherwise;
}

// Encodings of one byte a character, which the parser does not know: ISO-8859-1 and the similar Windows-1252.
std::string as_utf8(std::string_view text) {
  std::string head(text.substr(0, 100));
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t end = head.find("?>");
  const std::string_view declaration = std::string_view(head).substr(0, end == std::string::npos ? 0 : end);
  const auto names = [&](std::string_view encoding) { return declaration.find(encoding) != std::string_view::npos; };
  if (!names("iso-8859-1") && !names("windows-1252") && !names("us-ascii")) return std::string(text);
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) result += static_cast<char>(0xC0 | byte >> 6);
    result += byte >= 0x80 ? static_cast<char>(0x80 | (byte & 0x3F)) : c;
  }
  return result;
}

struct DeclaredType {
  std::string unit;
};

class Reader {
 public:
  explicit Reader(const XMLElement* root) : root_(root) {}

  ModelDescription run() {
    read_root();
    read_types();
    const XMLElement* variables = root_->FirstChildElement("ModelVariables");
    if (!variables) throw Rejected("modelDescription.xml: there is no element ModelVariables");
    for (const auto* v = variables->FirstChildElement("ScalarVariable"); v; v = v->NextSiblingElement("ScalarVariable"))
      read_variable(v);
    mark_states();
    return std::move(result_);
  }

 private:
  void read_root() {
    if (std::strcmp(root_->Name(), "fmiModelDescription") != 0)
      throw Rejected("modelDescription.xml: the root is '" + std::string(root_->Name()) + "', not fmiModelDescription");
    result_.fmi_version = text_of(root_, "fmiVersion");
    if (result_.fmi_version.rfind("2.", 0) != 0)
      throw Rejected("the FMU is of FMI version '" + result_.fmi_version + "'; only version 2.0 can be run");
    result_.model_name = text_of(root_, "modelName");
    result_.guid = text_of(root_, "guid");
    result_.generation_tool = text_of(root_, "generationTool");
    result_.description = text_of(root_, "description");
    if (!root_->Attribute("guid")) result_.notes.push_back("modelDescription.xml: there is no guid");
    result_.event_indicators = number<unsigned>(text_of(root_, "numberOfEventIndicators")).value_or(0);
    result_.model_exchange = read_kind("ModelExchange");
    result_.co_simulation = read_kind("CoSimulation");
    if (!result_.model_exchange && !result_.co_simulation)
      throw Rejected("modelDescription.xml: there is neither ModelExchange nor CoSimulation");
    if (const auto* experiment = root_->FirstChildElement("DefaultExperiment")) {
      result_.start_time = time_of(experiment, "startTime");
      result_.stop_time = time_of(experiment, "stopTime");
      result_.tolerance = time_of(experiment, "tolerance");
      result_.step_size = time_of(experiment, "stepSize");
    }
  }

  std::optional<double> time_of(const XMLElement* experiment, const char* attribute) {
    const char* text = experiment->Attribute(attribute);
    if (!text) return std::nullopt;
    const auto value = number<double>(text);
    if (value && std::isfinite(*value)) return value;
    result_.notes.push_back(at_line(experiment) + attribute + " '" + text + "' is not a number and is ignored");
    return std::nullopt;
  }

  std::optional<Kind> read_kind(const char* element_name) {
    const XMLElement* element = root_->FirstChildElement(element_name);
    if (!element) return std::nullopt;
    Kind kind;
    kind.identifier = text_of(element, "modelIdentifier");
    if (kind.identifier.empty() || kind.identifier.find('/') != std::string::npos)
      throw Rejected(at_line(element) + element_name + " has no usable modelIdentifier");
    kind.needs_execution_tool = flag(element, "needsExecutionTool");
    kind.once_per_process = flag(element, "canBeInstantiatedOnlyOncePerProcess");
    kind.get_and_set_state = flag(element, "canGetAndSetFMUstate");
    kind.serialize_state = flag(element, "canSerializeFMUstate");
    kind.directional_derivatives = flag(element, "providesDirectionalDerivative");
    kind.variable_steps = flag(element, "canHandleVariableCommunicationStepSize");
    kind.interpolates_inputs = flag(element, "canInterpolateInputs");
    kind.output_derivatives = number<unsigned>(text_of(element, "maxOutputDerivativeOrder")).value_or(0);
    kind.asynchronous = flag(element, "canRunAsynchronuously");
    return kind;
  }

  void read_types() {
    const XMLElement* types = root_->FirstChildElement("TypeDefinitions");
    if (!types) return;
    for (const auto* t = types->FirstChildElement("SimpleType"); t; t = t->NextSiblingElement("SimpleType")) {
      const std::string name = text_of(t, "name");
      if (const auto* real = t->FirstChildElement("Real")) types_[name].unit = text_of(real, "unit");
      const auto* enumeration = t->FirstChildElement("Enumeration");
      if (!enumeration) continue;
      Enumeration items{name, {}};
      for (const auto* item = enumeration->FirstChildElement("Item"); item; item = item->NextSiblingElement("Item"))
        if (const auto value = number<int>(text_of(item, "value")))
          items.items.push_back({text_of(item, "name"), *value});
      result_.enumerations.push_back(std::move(items));
    }
  }

  void read_variable(const XMLElement* element) {
    Variable v;
    v.name = text_of(element, "name");
    if (v.name.empty()) throw Rejected(at_line(element) + "a variable has no name");
    if (!names_.insert(v.name).second) throw Rejected(at_line(element) + "a second variable is named '" + v.name + "'");
    const auto reference = number<unsigned>(text_of(element, "valueReference"));
    if (!reference) throw Rejected(at_line(element) + "variable '" + v.name + "' has no value reference");
    v.reference = *reference;
    v.description = text_of(element, "description");
    const XMLElement* type = nullptr;
    for (std::size_t i = 0; i < std::size(kTypes) && !type; ++i) {
      type = element->FirstChildElement(kTypes[i]);
      v.type = static_cast<Type>(i);
    }
    if (!type) throw Rejected(at_line(element) + "variable '" + v.name + "' has no type");
    const bool real = v.type == Type::Real;
    v.causality = static_cast<Causality>(one_of(element, "causality", kCausalities, 4, result_.notes));
    v.variability =
        static_cast<Variability>(one_of(element, "variability", kVariabilities, real ? 4 : 3, result_.notes));
    v.start = text_of(type, "start");
    v.declared_type = text_of(type, "declaredType");
    v.unit = text_of(type, "unit");
    if (v.unit.empty())
      if (const auto declared = types_.find(v.declared_type); declared != types_.end()) v.unit = declared->second.unit;
    v.initial = static_cast<Initial>(one_of(element, "initial", kInitials, 0, result_.notes));
    if (v.initial == Initial::None) v.initial = default_initial(v);
    state_of_.push_back(real ? number<std::size_t>(text_of(type, "derivative")).value_or(0) : 0);
    result_.variables.push_back(std::move(v));
  }

  // The table of FMI 2.0.4, section 2.2.7.
  static Initial default_initial(const Variable& v) {
    switch (v.causality) {
      case Causality::Parameter: return Initial::Exact;
      case Causality::CalculatedParameter: return Initial::Calculated;
      case Causality::Input:
      case Causality::Independent: return Initial::None;
      case Causality::Output:
      case Causality::Local: return v.variability == Variability::Constant ? Initial::Exact : Initial::Calculated;
    }
    return Initial::None;
  }

  // States are what the variables listed as derivatives are derivatives of.
  void mark_states() {
    const XMLElement* structure = root_->FirstChildElement("ModelStructure");
    const XMLElement* derivatives = structure ? structure->FirstChildElement("Derivatives") : nullptr;
    if (!derivatives) return;
    for (const auto* u = derivatives->FirstChildElement("Unknown"); u; u = u->NextSiblingElement("Unknown")) {
      const std::size_t index = number<std::size_t>(text_of(u, "index")).value_or(0);
      const std::size_t state = index >= 1 && index <= state_of_.size() ? state_of_[index - 1] : 0;
      if (state >= 1 && state <= result_.variables.size())
        result_.variables[state - 1].state = true;
      else
        result_.notes.push_back(at_line(u) + "index " + text_of(u, "index") + " is not that of a derivative");
    }
  }

  const XMLElement* root_;
  ModelDescription result_;
  std::unordered_map<std::string, DeclaredType> types_;
  std::unordered_set<std::string> names_;
  std::vector<std::size_t> state_of_;  // variable -> index of the variable whose derivative it is, or 0
};

}  // namespace

const char* name_of(Type type) { return kTypes[static_cast<std::size_t>(type)]; }
const char* name_of(Causality causality) { return kCausalities[static_cast<std::size_t>(causality)]; }
const char* name_of(Variability variability) { return kVariabilities[static_cast<std::size_t>(variability)]; }

const Variable* ModelDescription::find(const std::string& name) const {
  const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

const Enumeration* ModelDescription::enumeration(const std::string& name) const {
  const auto same = [&](const Enumeration& e) { return e.name == name; };
  const auto found = std::find_if(enumerations.begin(), enumerations.end(), same);
  return found == enumerations.end() ? nullptr : &*found;
}

std::size_t ModelDescription::states() const {
  return static_cast<std::size_t>(
      std::count_if(variables.begin(), variables.end(), [](const Variable& v) { return v.state; }));
}

ModelDescription read_model_description(std::string_view text) {
  namespace validate = fmugen::fmu::validate;
  const std::string words = as_utf8(text);
  validate::Report report;
  if (!validate::check_xml_text(words, "modelDescription.xml", report)) {
    const validate::Finding& why = report.findings.back();
    throw Rejected("modelDescription.xml:" + std::to_string(why.place.line) + ": " + why.text);
  }
  tinyxml2::XMLDocument document;
  if (document.Parse(words.data(), words.size()) != tinyxml2::XML_SUCCESS)
    throw Rejected("modelDescription.xml:" + std::to_string(document.ErrorLineNum()) + ": " +
                   tinyxml2::XMLDocument::ErrorIDToName(document.ErrorID()));
  return Reader(document.RootElement()).run();
}

}  // namespace importer::fmu
