// Problem: write modelDescription.xml so that no importer finds anything to object to. The order of elements, the lists
// that must not be empty, the attributes that must not be written for some variables: all of it is decided here and
// nowhere else.
//
// Method: one function an element, in the order of the file, on a streaming printer; nothing is built in between, so
// time and memory are linear in the text. What is equal to the standard's default is not written, except causality and
// variability: a reader should not have to know that a variable without them is local and continuous.
//
// Miniature: a state x with start 1 and its derivative become
//
//   <!-- Index 1 -->
//   <ScalarVariable name="x" valueReference="0" causality="local" variability="continuous" initial="exact">
//       <Real start="1"/>
//   </ScalarVariable>
//   <!-- Index 2 -->
//   <ScalarVariable name="der(x)" valueReference="1" causality="local" variability="continuous" initial="calculated">
//       <Real derivative="1"/>
//   </ScalarVariable>
//
// Texts are cleaned: bytes that are not UTF-8 and control characters have no place in XML, and a line end in an
// attribute would be read back as a blank anyway.
//
// Reference: FMI 2.0.4, section 2.2, and its schema files.
#include "fmugen/fmu/model_description.h"

#include <tinyxml2.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "fmugen/support/utf8.h"

namespace fmugen::fmu {
namespace {

constexpr const char* kTypes[] = {"Real", "Integer", "Boolean", "String", "Enumeration"};
constexpr const char* kCausalities[] = {"parameter", "calculatedParameter", "input", "output", "local", "independent"};
constexpr const char* kVariabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
constexpr const char* kInitials[] = {"exact", "approx", "calculated"};
constexpr const char* kKinds[] = {"dependent", "constant", "fixed", "tunable", "discrete"};

template <typename Enum, std::size_t N>
const char* word(const char* const (&words)[N], Enum value) {
  return words[static_cast<std::size_t>(value)];
}

// The fewest digits that read back as the same number, whatever the locale.
std::string real(double value) {
  if (!std::isfinite(value)) throw std::logic_error("a model description cannot hold a number that is not finite");
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// Length of the character that starts `text`; 0 if XML may not hold it.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x20 || first == 0x7F) return 0;
  const std::string_view three = text.substr(0, 3);
  return three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF" ? 0 : support::utf8_length(text);  // U+FFFE, U+FFFF
}

// Line ends and tabs become blanks, other control characters and stray bytes question marks.
std::string clean(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0)
      result += text[0] == '\n' || text[0] == '\r' || text[0] == '\t' ? ' ' : '?';
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

// The printer with the few kinds of attributes there are.
class Writer {
 public:
  void open(const char* element) { printer_.OpenElement(element); }
  void close() { printer_.CloseElement(); }
  void text(const char* name, std::string_view value) { printer_.PushAttribute(name, clean(value).c_str()); }
  void text_if(const char* name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void number(const char* name, double value) { printer_.PushAttribute(name, real(value).c_str()); }
  void number_if(const char* name, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) number(name, *value);
  }
  void number_unless(const char* name, double value, double usual) {
    if (value != usual) number(name, value);
  }
  template <typename Whole>
  void whole(const char* name, Whole value) {
    printer_.PushAttribute(name, std::to_string(value).c_str());
  }
  void flag(const char* name, bool value) {
    if (value) printer_.PushAttribute(name, "true");
  }
  void declaration(const char* value) { printer_.PushDeclaration(value); }
  void comment(const std::string& value) { printer_.PushComment(value.c_str()); }

  // Elements given as text: read first, so that a mistake in them cannot spoil the file.
  void elements(const std::string& xml) {
    if (xml.empty()) return;
    tinyxml2::XMLDocument document;
    if (document.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS)
      throw std::logic_error("an annotation is not XML: " + std::string(document.ErrorStr()));
    for (const tinyxml2::XMLNode* node = document.FirstChild(); node; node = node->NextSibling())
      node->Accept(&printer_);
  }
  std::string result() const { return printer_.CStr(); }

 private:
  tinyxml2::XMLPrinter printer_;
};

void write_capabilities(Writer& w, const Capabilities& c) {
  w.text("modelIdentifier", c.model_identifier);
  w.flag("needsExecutionTool", c.needs_execution_tool);
}

void write_more_capabilities(Writer& w, const Capabilities& c) {
  w.flag("canBeInstantiatedOnlyOncePerProcess", c.can_be_instantiated_only_once_per_process);
  w.flag("canNotUseMemoryManagementFunctions", c.can_not_use_memory_management_functions);
  w.flag("canGetAndSetFMUstate", c.can_get_and_set_fmu_state);
  w.flag("canSerializeFMUstate", c.can_serialize_fmu_state);
  w.flag("providesDirectionalDerivative", c.provides_directional_derivative);
  if (c.source_files.empty()) return;
  w.open("SourceFiles");
  for (const std::string& file : c.source_files) {
    w.open("File");
    w.text("name", file);
    w.close();
  }
  w.close();
}

void write_interfaces(Writer& w, const ModelDescription& d) {
  if (const auto& me = d.model_exchange) {  // first: the compliance checker drops it when it comes second
    w.open("ModelExchange");
    write_capabilities(w, *me);
    w.flag("completedIntegratorStepNotNeeded", me->completed_integrator_step_not_needed);
    write_more_capabilities(w, *me);
    w.close();
  }
  if (const auto& cs = d.co_simulation) {
    w.open("CoSimulation");
    write_capabilities(w, *cs);
    w.flag("canHandleVariableCommunicationStepSize", cs->can_handle_variable_communication_step_size);
    w.flag("canInterpolateInputs", cs->can_interpolate_inputs);
    if (cs->max_output_derivative_order > 0) w.whole("maxOutputDerivativeOrder", cs->max_output_derivative_order);
    w.flag("canRunAsynchronuously", cs->can_run_asynchronously);  // the standard spells it so
    write_more_capabilities(w, *cs);
    w.close();
  }
}

void write_units(Writer& w, const std::vector<UnitDefinition>& units) {
  if (units.empty()) return;
  w.open("UnitDefinitions");
  for (const UnitDefinition& unit : units) {
    w.open("Unit");
    w.text("name", unit.name);
    if (unit.base) {
      w.open("BaseUnit");
      for (std::size_t i = 0; i < support::kBaseUnits; ++i) {
        if (unit.base->exponents[i] == 0) continue;
        w.whole(std::string(symbol(static_cast<support::BaseUnit>(i))).c_str(), unit.base->exponents[i]);
      }
      w.number_unless("factor", unit.base->factor, 1);
      w.number_unless("offset", unit.base->offset, 0);
      w.close();
    }
    for (const DisplayUnit& display : unit.display_units) {
      w.open("DisplayUnit");
      w.text("name", display.name);
      w.number_unless("factor", display.factor, 1);
      w.number_unless("offset", display.offset, 0);
      w.close();
    }
    w.close();
  }
  w.close();
}

void write_bound(Writer& w, const char* name, Type type, const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return;
  if (type == Type::Real)
    w.number(name, *value);
  else
    w.whole(name, std::llround(*value));
}

// Attributes that the type allows, in the order of the schema.
void write_attributes(Writer& w, const Attributes& a, bool in_type) {
  if (a.type == Type::Boolean || a.type == Type::String) return;
  w.text_if("quantity", a.quantity);
  if (a.type == Type::Real) {
    w.text_if("unit", a.unit);
    w.text_if("displayUnit", a.display_unit);
    w.flag("relativeQuantity", a.relative_quantity);
  }
  if (a.type == Type::Enumeration && in_type) return;
  write_bound(w, "min", a.type, a.min);
  write_bound(w, "max", a.type, a.max);
  if (a.type != Type::Real) return;
  w.number_if("nominal", a.nominal);
  w.flag("unbounded", a.unbounded);
}

void write_types(Writer& w, const std::vector<SimpleType>& types) {
  if (types.empty()) return;
  w.open("TypeDefinitions");
  for (const SimpleType& type : types) {
    w.open("SimpleType");
    w.text("name", type.name);
    w.text_if("description", type.description);
    w.open(word(kTypes, type.attributes.type));
    write_attributes(w, type.attributes, true);
    for (const SimpleType::Item& item : type.items) {
      w.open("Item");
      w.text("name", item.name);
      w.whole("value", item.value);
      w.text_if("description", item.description);
      w.close();
    }
    w.close();
    w.close();
  }
  w.close();
}

void write_log_categories(Writer& w, const std::vector<LogCategory>& categories) {
  if (categories.empty()) return;
  w.open("LogCategories");
  for (const LogCategory& category : categories) {
    w.open("Category");
    w.text("name", category.name);
    w.text_if("description", category.description);
    w.close();
  }
  w.close();
}

void write_default_experiment(Writer& w, const DefaultExperiment& e) {
  if (!e.start_time && !e.stop_time && !e.tolerance && !e.step_size) return;
  w.open("DefaultExperiment");
  w.number_if("startTime", e.start_time);
  w.number_if("stopTime", e.stop_time);
  w.number_if("tolerance", e.tolerance);
  w.number_if("stepSize", e.step_size);
  w.close();
}

void write_vendor_annotations(Writer& w, const std::vector<VendorAnnotation>& annotations) {
  if (annotations.empty()) return;
  w.open("VendorAnnotations");
  for (const VendorAnnotation& annotation : annotations) {
    w.open("Tool");
    w.text("name", annotation.tool);
    w.elements(annotation.xml);
    w.close();
  }
  w.close();
}

void write_start(Writer& w, const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) w.number("start", *number);
  if (const auto* whole = std::get_if<std::int32_t>(&value)) w.whole("start", *whole);
  if (const auto* truth = std::get_if<bool>(&value)) w.text("start", *truth ? "true" : "false");
  if (const auto* text = std::get_if<std::string>(&value)) w.text("start", *text);
}

void write_variable(Writer& w, const Variable& v) {
  w.open("ScalarVariable");
  w.text("name", v.name);
  w.whole("valueReference", v.value_reference);
  w.text_if("description", v.description);
  w.text("causality", word(kCausalities, v.causality));
  w.text("variability", word(kVariabilities, v.variability));
  if (v.initial) w.text("initial", word(kInitials, *v.initial));
  w.open(word(kTypes, v.attributes.type));
  w.text_if("declaredType", v.declared_type);
  write_attributes(w, v.attributes, false);
  if (v.start) write_start(w, *v.start);
  if (v.derivative) w.whole("derivative", *v.derivative);
  w.flag("reinit", v.reinit);
  w.close();
  if (!v.annotations.empty()) {
    w.open("Annotations");
    w.elements(v.annotations);
    w.close();
  }
  w.close();
}

void write_variables(Writer& w, const std::vector<Variable>& variables) {
  w.open("ModelVariables");
  std::size_t index = 0;
  for (const Variable& variable : variables) {
    w.comment(" Index " + std::to_string(++index) + " ");  // the model structure counts; people need not
    write_variable(w, variable);
  }
  w.close();
}

// "1 2" and "dependent constant".
void write_dependencies(Writer& w, const std::vector<Unknown::Dependency>& dependencies) {
  std::string indices, kinds;
  for (const Unknown::Dependency& dependency : dependencies) {
    if (!indices.empty()) {
      indices += ' ';
      kinds += ' ';
    }
    indices += std::to_string(dependency.index);
    kinds += word(kKinds, dependency.kind);
  }
  w.text("dependencies", indices);
  w.text("dependenciesKind", kinds);
}

void write_unknowns(Writer& w, const char* list, const std::vector<Unknown>& unknowns) {
  if (unknowns.empty()) return;
  w.open(list);
  for (const Unknown& unknown : unknowns) {
    w.open("Unknown");
    w.whole("index", unknown.index);
    if (unknown.dependencies) write_dependencies(w, *unknown.dependencies);
    w.close();
  }
  w.close();
}

void write_root_attributes(Writer& w, const ModelDescription& d) {
  w.text("fmiVersion", "2.0");
  w.text("modelName", d.model_name);
  w.text("guid", d.guid);
  w.text_if("description", d.description);
  w.text_if("author", d.author);
  w.text_if("version", d.version);
  w.text_if("copyright", d.copyright);
  w.text_if("license", d.license);
  w.text_if("generationTool", d.generation_tool);
  w.text_if("generationDateAndTime", d.generation_date_and_time);
  w.text("variableNamingConvention", d.structured_names ? "structured" : "flat");
  if (d.model_exchange) w.whole("numberOfEventIndicators", d.event_indicators);
}

}  // namespace

std::string write_xml(const ModelDescription& description) {
  Writer w;
  w.declaration("xml version=\"1.0\" encoding=\"UTF-8\"");
  w.open("fmiModelDescription");
  write_root_attributes(w, description);
  write_interfaces(w, description);
  write_units(w, description.units);
  write_types(w, description.types);
  write_log_categories(w, description.log_categories);
  write_default_experiment(w, description.default_experiment);
  write_vendor_annotations(w, description.vendor_annotations);
  write_variables(w, description.variables);
  w.open("ModelStructure");
  write_unknowns(w, "Outputs", description.outputs);
  write_unknowns(w, "Derivatives", description.derivatives);
  write_unknowns(w, "InitialUnknowns", description.initial_unknowns);
  w.close();
  w.close();
  return w.result();
}

}  // namespace fmugen::fmu
