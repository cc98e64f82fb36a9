// Problem: what an XML schema validator would say about modelDescription.xml, without the schema files and in words
// that help.
//
// Method: a table with a row an element: its attributes with their types, and its children in order with how often they
// may occur. An element name can mean two things (Real in a type and in a variable), so children name rows, not
// elements. The walk is recursive: the table is six deep, and what annotations hold is not looked at.
//
// Miniature: the row {"DisplayUnit", {"name!" string, "factor" real, "offset" real}, no children} rejects
// <DisplayUnit nane="K"/>: xml-required for 'name', xml-attribute for 'nane' with the question whether 'name' was
// meant.
//
// Reference: the schema files of FMI 2.0.4, whose types are xs:int, xs:unsignedInt, xs:double, xs:boolean,
// xs:normalizedString and enumerations.
#include "fmugen/fmu/validate/schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace fmugen::fmu::validate {
namespace {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;
using tinyxml2::XMLNode;

enum class Kind { Text, Name, Real, Int, Unsigned, Bool, Indices, OneOf, ListOf };

struct AttributeRow {
  const char* name;
  Kind kind = Kind::Name;
  bool required = false;
  std::vector<std::string_view> words = {};  // of OneOf and ListOf
};

struct ElementRow;
struct ChildRow {
  const ElementRow* row;
  int least = 0;
  int most = 1;
};

struct ElementRow {
  const char* name;
  std::vector<AttributeRow> attributes = {};
  std::vector<ChildRow> children = {};
  bool one_of = false;  // the first children are alternatives, up to an optional Annotations at the end
  bool open = false;    // may hold anything
};

constexpr int kMany = 1 << 30;
constexpr bool kRequired = true;

const ElementRow kTool{"Tool", {{"name", Kind::Name, kRequired}}, {}, false, true};
const ElementRow kVendorAnnotations{"VendorAnnotations", {}, {{&kTool, 1, kMany}}};
const ElementRow kAnnotations{"Annotations", {}, {{&kTool, 1, kMany}}};
const ElementRow kFile{"File", {{"name", Kind::Name, kRequired}}};
const ElementRow kSourceFiles{"SourceFiles", {}, {{&kFile, 1, kMany}}};

const ElementRow kModelExchange{"ModelExchange",
                                {{"modelIdentifier", Kind::Name, kRequired},
                                 {"needsExecutionTool", Kind::Bool},
                                 {"completedIntegratorStepNotNeeded", Kind::Bool},
                                 {"canBeInstantiatedOnlyOncePerProcess", Kind::Bool},
                                 {"canNotUseMemoryManagementFunctions", Kind::Bool},
                                 {"canGetAndSetFMUstate", Kind::Bool},
                                 {"canSerializeFMUstate", Kind::Bool},
                                 {"providesDirectionalDerivative", Kind::Bool}},
                                {{&kSourceFiles}}};
const ElementRow kCoSimulation{"CoSimulation",
                               {{"modelIdentifier", Kind::Name, kRequired},
                                {"needsExecutionTool", Kind::Bool},
                                {"canHandleVariableCommunicationStepSize", Kind::Bool},
                                {"canInterpolateInputs", Kind::Bool},
                                {"maxOutputDerivativeOrder", Kind::Unsigned},
                                {"canRunAsynchronuously", Kind::Bool},
                                {"canBeInstantiatedOnlyOncePerProcess", Kind::Bool},
                                {"canNotUseMemoryManagementFunctions", Kind::Bool},
                                {"canGetAndSetFMUstate", Kind::Bool},
                                {"canSerializeFMUstate", Kind::Bool},
                                {"providesDirectionalDerivative", Kind::Bool}},
                               {{&kSourceFiles}}};

const ElementRow kBaseUnit{"BaseUnit",
                           {{"kg", Kind::Int},
                            {"m", Kind::Int},
                            {"s", Kind::Int},
                            {"A", Kind::Int},
                            {"K", Kind::Int},
                            {"mol", Kind::Int},
                            {"cd", Kind::Int},
                            {"rad", Kind::Int},
                            {"factor", Kind::Real},
                            {"offset", Kind::Real}}};
const ElementRow kDisplayUnit{"DisplayUnit",
                              {{"name", Kind::Name, kRequired}, {"factor", Kind::Real}, {"offset", Kind::Real}}};
const ElementRow kUnit{"Unit", {{"name", Kind::Name, kRequired}}, {{&kBaseUnit}, {&kDisplayUnit, 0, kMany}}};
const ElementRow kUnitDefinitions{"UnitDefinitions", {}, {{&kUnit, 1, kMany}}};

const ElementRow kItem{"Item",
                       {{"name", Kind::Name, kRequired}, {"value", Kind::Int, kRequired}, {"description", Kind::Text}}};
const ElementRow kTypeReal{"Real",
                           {{"quantity"},
                            {"unit"},
                            {"displayUnit"},
                            {"relativeQuantity", Kind::Bool},
                            {"min", Kind::Real},
                            {"max", Kind::Real},
                            {"nominal", Kind::Real},
                            {"unbounded", Kind::Bool}}};
const ElementRow kTypeInteger{"Integer", {{"quantity"}, {"min", Kind::Int}, {"max", Kind::Int}}};
const ElementRow kTypeBoolean{"Boolean"};
const ElementRow kTypeString{"String"};
const ElementRow kTypeEnumeration{"Enumeration", {{"quantity"}}, {{&kItem, 1, kMany}}};
const ElementRow kSimpleType{"SimpleType",
                             {{"name", Kind::Name, kRequired}, {"description", Kind::Text}},
                             {{&kTypeReal}, {&kTypeInteger}, {&kTypeBoolean}, {&kTypeString}, {&kTypeEnumeration}},
                             true};
const ElementRow kTypeDefinitions{"TypeDefinitions", {}, {{&kSimpleType, 1, kMany}}};

const ElementRow kCategory{"Category", {{"name", Kind::Name, kRequired}, {"description", Kind::Text}}};
const ElementRow kLogCategories{"LogCategories", {}, {{&kCategory, 1, kMany}}};
const ElementRow kDefaultExperiment{
    "DefaultExperiment",
    {{"startTime", Kind::Real}, {"stopTime", Kind::Real}, {"tolerance", Kind::Real}, {"stepSize", Kind::Real}}};

const ElementRow kReal{"Real",
                       {{"declaredType"},
                        {"quantity"},
                        {"unit"},
                        {"displayUnit"},
                        {"relativeQuantity", Kind::Bool},
                        {"min", Kind::Real},
                        {"max", Kind::Real},
                        {"nominal", Kind::Real},
                        {"unbounded", Kind::Bool},
                        {"start", Kind::Real},
                        {"derivative", Kind::Unsigned},
                        {"reinit", Kind::Bool}}};
const ElementRow kInteger{
    "Integer", {{"declaredType"}, {"quantity"}, {"min", Kind::Int}, {"max", Kind::Int}, {"start", Kind::Int}}};
const ElementRow kBoolean{"Boolean", {{"declaredType"}, {"start", Kind::Bool}}};
const ElementRow kString{"String", {{"declaredType"}, {"start", Kind::Text}}};
const ElementRow kEnumeration{"Enumeration",
                              {{"declaredType", Kind::Name, kRequired},
                               {"quantity"},
                               {"min", Kind::Int},
                               {"max", Kind::Int},
                               {"start", Kind::Int}}};
const ElementRow kScalarVariable{
    "ScalarVariable",
    {{"name", Kind::Name, kRequired},
     {"valueReference", Kind::Unsigned, kRequired},
     {"description", Kind::Text},
     {"causality", Kind::OneOf, false, {"parameter", "calculatedParameter", "input", "output", "local", "independent"}},
     {"variability", Kind::OneOf, false, {"constant", "fixed", "tunable", "discrete", "continuous"}},
     {"initial", Kind::OneOf, false, {"exact", "approx", "calculated"}},
     {"canHandleMultipleSetPerTimeInstant", Kind::Bool}},
    {{&kReal}, {&kInteger}, {&kBoolean}, {&kString}, {&kEnumeration}, {&kAnnotations}},
    true};
const ElementRow kModelVariables{"ModelVariables", {}, {{&kScalarVariable, 1, kMany}}};

const ElementRow kUnknown{
    "Unknown",
    {{"index", Kind::Unsigned, kRequired},
     {"dependencies", Kind::Indices},
     {"dependenciesKind", Kind::ListOf, false, {"dependent", "constant", "fixed", "tunable", "discrete"}}}};
const ElementRow kOutputs{"Outputs", {}, {{&kUnknown, 1, kMany}}};
const ElementRow kDerivatives{"Derivatives", {}, {{&kUnknown, 1, kMany}}};
const ElementRow kInitialUnknowns{"InitialUnknowns", {}, {{&kUnknown, 1, kMany}}};
const ElementRow kModelStructure{"ModelStructure", {}, {{&kOutputs}, {&kDerivatives}, {&kInitialUnknowns}}};

const ElementRow kRoot{"fmiModelDescription",
                       {{"fmiVersion", Kind::Name, kRequired},
                        {"modelName", Kind::Text, kRequired},
                        {"guid", Kind::Name, kRequired},
                        {"description", Kind::Text},
                        {"author", Kind::Text},
                        {"version", Kind::Name},
                        {"copyright", Kind::Text},
                        {"license", Kind::Text},
                        {"generationTool", Kind::Name},
                        {"generationDateAndTime", Kind::Text},  // has a rule of its own
                        {"variableNamingConvention", Kind::OneOf, false, {"flat", "structured"}},
                        {"numberOfEventIndicators", Kind::Unsigned}},
                       {{&kModelExchange},
                        {&kCoSimulation},
                        {&kUnitDefinitions},
                        {&kTypeDefinitions},
                        {&kLogCategories},
                        {&kDefaultExperiment},
                        {&kVendorAnnotations},
                        {&kModelVariables, 1, 1},
                        {&kModelStructure, 1, 1}}};

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return "'" + std::string(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "") + "'";
}

std::string list_of(const std::vector<std::string_view>& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i)
    result += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
  return result;
}

class SchemaCheck {
 public:
  explicit SchemaCheck(Report& report) : report_(report) {}

  void element(const XMLElement& e, const ElementRow& row) {
    const std::string outer = variable_;
    if (&row == &kScalarVariable) variable_ = e.Attribute("name") ? e.Attribute("name") : "";
    attributes(e, row);
    if (!row.open) children(e, row);
    variable_ = outer;
  }

 private:
  void add(Rule rule, int line, std::string text) {
    report_.add(rule, {kDescription, line, variable_}, std::move(text));
  }

  void attributes(const XMLElement& e, const ElementRow& row) {
    for (const XMLAttribute* a = e.FirstAttribute(); a; a = a->Next()) {
      const std::string_view name = a->Name();
      const auto known = std::find_if(row.attributes.begin(), row.attributes.end(),
                                      [&](const AttributeRow& candidate) { return name == candidate.name; });
      if (known != row.attributes.end())
        value(*a, *known);
      else
        unknown_attribute(e, row, *a);
    }
    for (const AttributeRow& wanted : row.attributes)
      if (wanted.required && !e.Attribute(wanted.name))
        add(Rule::XmlRequired, e.GetLineNum(), std::string(row.name) + " has no attribute '" + wanted.name + "'");
  }

  void unknown_attribute(const XMLElement& e, const ElementRow& row, const XMLAttribute& a) {
    const std::string name = a.Name();
    if (&row == &kRoot && (name.rfind("xmlns", 0) == 0 || name.rfind("xsi:", 0) == 0)) {
      if (name.rfind("xsi:", 0) == 0)
        add(Rule::XmlSchemaLocation, a.GetLineNum(), "there is an attribute '" + name + "'");
      return;
    }
    std::vector<std::string> names;
    for (const AttributeRow& candidate : row.attributes) names.emplace_back(candidate.name);
    const std::string nearest = support::nearest_name(name, names);
    add(Rule::XmlAttribute, e.GetLineNum(),
        std::string(row.name) + " has no attribute " + quoted(name) + " in the schema" +
            (nearest.empty() ? "" : ", did you mean '" + nearest + "'?"));
  }

  void value(const XMLAttribute& a, const AttributeRow& row) {
    const std::string_view text = a.Value();
    const auto bad = [&](const std::string& wanted) {
      add(Rule::XmlValue, a.GetLineNum(), "'" + std::string(row.name) + "' is " + quoted(text) + ", not " + wanted);
    };
    switch (row.kind) {
      case Kind::Text: return;
      case Kind::Name:
        if (text.find_first_of("\t\r\n") != std::string_view::npos)
          add(Rule::XmlNormalized, a.GetLineNum(), "'" + std::string(row.name) + "' holds a tab or a line end");
        return;
      case Kind::Real: return real(a, row, text);
      case Kind::Int: return int_value(text) ? void() : bad("a whole number of 32 bits");
      case Kind::Unsigned: return unsigned_value(text) ? void() : bad("a whole number from 0 to 4294967295");
      case Kind::Bool: return bool_value(text) ? void() : bad("true or false");
      case Kind::Indices:
        return each_word(text, [](std::string_view word) { return unsigned_value(word).has_value(); })
                   ? void()
                   : bad("a list of indices");
      case Kind::OneOf: return is_word(row, text) ? void() : bad(list_of(row.words));
      case Kind::ListOf:
        return each_word(text, [&](std::string_view word) { return is_word(row, word); })
                   ? void()
                   : bad("a list of " + list_of(row.words));
    }
  }

  void real(const XMLAttribute& a, const AttributeRow& row, std::string_view text) {
    if (real_value(text)) return;
    const std::string_view bare = without_blanks(text);
    const bool infinite = bare == "INF" || bare == "-INF" || bare == "+INF" || bare == "NaN" || bare == "inf" ||
                          bare == "-inf" || bare == "nan" || bare == "Infinity" || bare == "-Infinity";
    if (infinite)
      add(Rule::XmlNotFinite, a.GetLineNum(), "'" + std::string(row.name) + "' is " + quoted(text));
    else
      add(Rule::XmlValue, a.GetLineNum(), "'" + std::string(row.name) + "' is " + quoted(text) + ", not a number");
  }

  static bool is_word(const AttributeRow& row, std::string_view text) {
    return std::find(row.words.begin(), row.words.end(), text) != row.words.end();
  }

  template <typename Good>
  static bool each_word(std::string_view text, Good&& good) {
    for (std::size_t at = text.find_first_not_of(" \t\r\n"); at != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
      if (!good(text.substr(at, end - at))) return false;
      at = text.find_first_not_of(" \t\r\n", end);
    }
    return true;
  }

  void children(const XMLElement& e, const ElementRow& row) {
    std::vector<int> counts(row.children.size());
    std::size_t reached = 0;
    for (const XMLNode* node = e.FirstChild(); node; node = node->NextSibling()) {
      if (node->ToText()) add(Rule::XmlStrayText, node->GetLineNum(), "there is text in " + std::string(row.name));
      const XMLElement* child = node->ToElement();
      if (!child) continue;
      const std::string_view name = child->Name();
      const auto known = std::find_if(row.children.begin(), row.children.end(),
                                      [&](const ChildRow& candidate) { return name == candidate.row->name; });
      if (known == row.children.end()) {
        unknown_element(*child, row);
        continue;
      }
      const auto place = static_cast<std::size_t>(known - row.children.begin());
      if (place < reached) out_of_order(*child, row, row.children[reached]);
      reached = std::max(reached, place);
      if (++counts[place] > known->most)
        add(Rule::XmlCount, child->GetLineNum(), "there is more than one " + std::string(name));
      element(*child, *known->row);
    }
    numbers(e, row, counts);
  }

  void unknown_element(const XMLElement& child, const ElementRow& row) {
    std::vector<std::string> names;
    for (const ChildRow& candidate : row.children) names.emplace_back(candidate.row->name);
    const std::string nearest = support::nearest_name(child.Name(), names);
    add(Rule::XmlElement, child.GetLineNum(),
        std::string(row.name) + " has no element " + quoted(child.Name()) + " in the schema" +
            (nearest.empty() ? "" : ", did you mean '" + nearest + "'?"));
  }

  void out_of_order(const XMLElement& child, const ElementRow& row, const ChildRow& before) {
    if (row.one_of && before.row != &kAnnotations) return;  // two alternatives: counted below
    const bool interfaces = &row == &kRoot && before.row == &kCoSimulation;
    add(interfaces ? Rule::InterfaceOrder : Rule::XmlOrder, child.GetLineNum(),
        std::string(child.Name()) + " comes after " + before.row->name);
  }

  void numbers(const XMLElement& e, const ElementRow& row, const std::vector<int>& counts) {
    int alternatives = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const ChildRow& child = row.children[i];
      if (child.row != &kAnnotations) alternatives += counts[i];
      if (counts[i] >= child.least) continue;
      if (child.most == kMany)
        add(Rule::XmlEmptyList, e.GetLineNum(), std::string(row.name) + " is empty");
      else
        add(Rule::XmlCount, e.GetLineNum(), "there is no " + std::string(child.row->name));
    }
    if (row.one_of && alternatives != 1)
      add(Rule::XmlCount, e.GetLineNum(),
          std::string(row.name) + " has " + (alternatives == 0 ? "no type" : "more than one type") + " element");
  }

  Report& report_;
  std::string variable_;
};

template <typename Number>
std::optional<Number> whole(std::string_view text) {
  text = without_blanks(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void check_schema(const XMLElement& root, Report& report) { SchemaCheck(report).element(root, kRoot); }

std::optional<double> real_value(std::string_view text) {
  text = without_blanks(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    value = std::strtod(std::string(text).c_str(), nullptr);  // 0 if too small
  else if (error != std::errc())
    return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int32_t> int_value(std::string_view text) { return whole<std::int32_t>(text); }

std::optional<std::uint32_t> unsigned_value(std::string_view text) { return whole<std::uint32_t>(text); }

std::optional<bool> bool_value(std::string_view text) {
  text = without_blanks(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

}  // namespace fmugen::fmu::validate
