// One mutant of a good model description a row: what is replaced by what, and the rule and text of the finding.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "fmugen/fmu/validate/validate.h"
#include "tests/support/fmu_builder.h"

using namespace fmugen::fmu::validate;
using fmugen::test::good_description;

namespace {

struct Mutant {
  const char* from;
  const char* to;
  Rule rule;
  const char* variable;
  const char* text;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

bool has(const Report& report, const Mutant& mutant) {
  for (const Finding& f : report.findings)
    if (f.rule == mutant.rule && f.place.variable == mutant.variable && f.text == mutant.text) return true;
  return false;
}

std::string all(const Report& report) {
  std::string text;
  for (const Finding& f : report.findings)
    text += std::string(text_of(f.rule).name) + " | " + f.place.variable + " | " + f.text + " | line " +
            std::to_string(f.place.line) + "\n";
  return text;
}

constexpr const char* kT = "room.T";

const Mutant kMutants[] = {
    // text
    {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "", Rule::XmlDeclaration, "",
     "the text does not start with an XML declaration"},
    {" encoding=\"UTF-8\"", "", Rule::XmlDeclaration, "", "the XML declaration names no encoding"},
    {"UTF-8", "latin1", Rule::XmlDeclaration, "", "the XML declaration names another encoding than UTF-8"},
    {"heater", "heat\xFF", Rule::XmlEncoding, "", "byte 255 is not UTF-8 here"},
    {"<fmiModelDescription", "<!DOCTYPE a [<!ENTITY b \"c\">]><fmiModelDescription", Rule::XmlDoctype, "",
     "there is a document type declaration"},
    {"modelName=\"heater\"", "modelName=\"&unknown;\"", Rule::XmlFormat, "", "'&' starts no entity of XML"},
    {"</ModelStructure>", "", Rule::XmlFormat, "", "the text ends inside an element"},
    {"</ModelStructure>", "</ModelVariables>", Rule::XmlFormat, "", "is not well-formed: XML_ERROR_MISMATCHED_ELEMENT"},
    {"</fmiModelDescription>", "</fmiModelDescription><more/>", Rule::XmlFormat, "", "there is a second root element"},
    {"</fmiModelDescription>", "</fmiModelDescription>more", Rule::XmlFormat, "", "text outside of the root element"},
    {"modelName=\"heater\"", "modelName=\"<\"", Rule::XmlFormat, "", "'<' inside a value, or a missing quote"},
    {"heater", "heat\x01", Rule::XmlFormat, "", "control character 1"},
    // schema
    {"<fmiModelDescription ", "<fmiModelDescription xsi:noNamespaceSchemaLocation=\"a.xsd\" ", Rule::XmlSchemaLocation,
     "", "there is an attribute 'xsi:noNamespaceSchemaLocation'"},
    {"<LogCategories>", "stray<LogCategories>", Rule::XmlStrayText, "", "there is text in fmiModelDescription"},
    {"<LogCategories>", "<LogCategory/><LogCategories>", Rule::XmlElement, "",
     "fmiModelDescription has no element 'LogCategory' in the schema, did you mean 'LogCategories'?"},
    {"fmiModelDescription ", "other ", Rule::XmlFormat, "", "is not well-formed: XML_ERROR_MISMATCHED_ELEMENT"},
    {"<ModelExchange ", "<ModelExchange providesDirectionalDerivatives=\"true\" ", Rule::XmlAttribute, "",
     "ModelExchange has no attribute 'providesDirectionalDerivatives' in the schema, did you mean "
     "'providesDirectionalDerivative'?"},
    {"<LogCategories><Category name=\"logAll\"/></LogCategories>\n  <DefaultExperiment startTime=\"0\" stopTime=\"10\" "
     "tolerance=\"1e-6\" stepSize=\"0.1\"/>",
     "<DefaultExperiment startTime=\"0\" stopTime=\"10\" tolerance=\"1e-6\" stepSize=\"0.1\"/><LogCategories><Category "
     "name=\"logAll\"/></LogCategories>",
     Rule::XmlOrder, "", "LogCategories comes after DefaultExperiment"},
    {"<LogCategories>", "<LogCategories><Category name=\"a\"/></LogCategories><LogCategories>", Rule::XmlCount, "",
     "there is more than one LogCategories"},
    {"<Boolean/>", "", Rule::XmlCount, "on", "ScalarVariable has no type element"},
    {"<Boolean/>", "<Boolean/><Real/>", Rule::XmlCount, "on", "ScalarVariable has more than one type element"},
    {"<Category name=\"logAll\"/>", "", Rule::XmlEmptyList, "", "LogCategories is empty"},
    {" valueReference=\"7\"", "", Rule::XmlRequired, "on", "ScalarVariable has no attribute 'valueReference'"},
    {"<Enumeration declaredType=\"Mode\" ", "<Enumeration ", Rule::XmlRequired, "mode",
     "Enumeration has no attribute 'declaredType'"},
    {"start=\"293.15\"", "start=\"warm\"", Rule::XmlValue, kT, "'start' is 'warm', not a number"},
    {"valueReference=\"7\"", "valueReference=\"-7\"", Rule::XmlValue, "on",
     "'valueReference' is '-7', not a whole number from 0 to 4294967295"},
    {"causality=\"input\"", "causality=\"in\"", Rule::XmlValue, "power",
     "'causality' is 'in', not parameter, calculatedParameter, input, output, local or independent"},
    {"reinit=\"true\"", "reinit=\"yes\"", Rule::XmlValue, kT, "'reinit' is 'yes', not true or false"},
    {"dependenciesKind=\"constant\"", "dependenciesKind=\"linear\"", Rule::XmlValue, "",
     "'dependenciesKind' is 'linear', not a list of dependent, constant, fixed, tunable or discrete"},
    {"dependencies=\"2\"", "dependencies=\"x\"", Rule::XmlValue, "", "'dependencies' is 'x', not a list of indices"},
    {"kg=\"1\"", "kg=\"1.5\"", Rule::XmlValue, "", "'kg' is '1.5', not a whole number of 32 bits"},
    {"nominal=\"300\"", "nominal=\"INF\"", Rule::XmlNotFinite, kT, "'nominal' is 'INF'"},
    {"name=\"power\"", "name=\"po&#9;wer\"", Rule::XmlNormalized, "po\twer", "'name' holds a tab or a line end"},
    // root
    {"fmiVersion=\"2.0\"", "fmiVersion=\"3.0\"", Rule::FmiVersion, "",
     "this is an FMU of version '3.0'; only version 2.0 can be checked"},
    {"fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"", Rule::FmiVersion, "",
     "this is an FMU of version '1.0'; only version 2.0 can be checked"},
    {"fmiVersion=\"2.0\"", "fmiVersion=\"2.0.4\"", Rule::FmiVersion, "",
     "this is an FMU of version '2.0.4', which does not exist"},
    {"modelName=\"heater\"", "modelName=\"\"", Rule::ModelName, "", "modelName is empty"},
    {"guid=\"4f2a\"", "guid=\"\"", Rule::GuidEmpty, "", "the guid is empty"},
    {"guid=\"4f2a\"", "guid=\"{4f2a}\"", Rule::GuidBraces, "",
     "the guid has braces: some importers make it a part of file names"},
    {"2026-11-18T12:00:00Z", "18 Nov 2026", Rule::DateFormat, "", "generationDateAndTime is '18 Nov 2026'"},
    {"2026-11-18T12:00:00Z", "2026-13-18T12:00:00Z", Rule::DateFormat, "",
     "generationDateAndTime is '2026-13-18T12:00:00Z'"},
    {"<ModelExchange modelIdentifier=\"heater\"/>", "", Rule::EventIndicators, "",
     "numberOfEventIndicators without ModelExchange"},
    {"<ModelExchange modelIdentifier=\"heater\"/>\n  <CoSimulation modelIdentifier=\"heater\"/>", "",
     Rule::InterfaceMissing, "", "there is neither ModelExchange nor CoSimulation"},
    {"<ModelExchange modelIdentifier=\"heater\"/>\n  <CoSimulation modelIdentifier=\"heater\"/>",
     "<CoSimulation modelIdentifier=\"heater\"/><ModelExchange modelIdentifier=\"heater\"/>", Rule::InterfaceOrder, "",
     "ModelExchange comes after CoSimulation"},
    {"modelIdentifier=\"heater\"", "modelIdentifier=\"A-B\"", Rule::ModelIdentifier, "",
     "modelIdentifier 'A-B' of ModelExchange is not an identifier of C"},
    {"<ModelExchange ", "<ModelExchange canSerializeFMUstate=\"true\" ", Rule::SerializeState, "",
     "ModelExchange can serialize its state, but not get and set it"},
    {"<ModelExchange modelIdentifier=\"heater\"/>",
     "<ModelExchange modelIdentifier=\"heater\"><SourceFiles><File name=\"a.c\"/><File "
     "name=\"a.c\"/></SourceFiles></ModelExchange>",
     Rule::SourceFileDuplicate, "", "'a.c' is listed twice"},
    {"<Category name=\"logAll\"/>", "<Category name=\"logAll\"/><Category name=\"logAll\"/>", Rule::CategoryDuplicate,
     "", "Category 'logAll' occurs twice"},
    {"<VendorAnnotations>", "<VendorAnnotations><Tool name=\"maker\"/>", Rule::ToolDuplicate, "",
     "Tool 'maker' occurs twice"},
    {"<Boolean/>", "<Boolean/><Annotations><Tool name=\"a\"/><Tool name=\"a\"/></Annotations>", Rule::ToolDuplicate,
     "on", "Tool 'a' occurs twice"},
    {"stopTime=\"10\"", "stopTime=\"0\"", Rule::ExperimentTimes, "", "stopTime is not after startTime"},
    {"stepSize=\"0.1\"", "stepSize=\"11\"", Rule::ExperimentTimes, "", "stepSize is longer than the experiment"},
    {"stepSize=\"0.1\"", "stepSize=\"0\"", Rule::ExperimentTimes, "", "stepSize is not positive"},
    {"tolerance=\"1e-6\"", "tolerance=\"-1\"", Rule::ExperimentTimes, "", "tolerance is not positive"},
    {"tolerance=\"1e-6\" stepSize=\"0.1\"", "", Rule::ExperimentIncomplete, "", "missing: tolerance, stepSize"},
    // units and types
    {"<Unit name=\"W\">", "<Unit name=\"K\"/><Unit name=\"W\">", Rule::UnitDuplicate, "", "unit 'K' is defined twice"},
    {"<BaseUnit K=\"1\"/>", "<BaseUnit K=\"1\" factor=\"0\"/>", Rule::UnitFactor, "", "the factor of a unit is zero"},
    {"offset=\"-273.15\"", "factor=\"0.0\"", Rule::UnitFactor, "", "the factor of a unit is zero"},
    {"<DisplayUnit ", "<DisplayUnit name=\"degC\"/><DisplayUnit ", Rule::DisplayUnitDuplicate, "",
     "display unit 'degC' of 'K' is defined twice"},
    {"<SimpleType name=\"Mode\">", "<SimpleType name=\"Temperature\"><Real/></SimpleType><SimpleType name=\"Mode\">",
     Rule::TypeDuplicate, "", "type 'Temperature' is defined twice"},
    {"<SimpleType name=\"Mode\">", "<SimpleType name=\"power\"><Real/></SimpleType><SimpleType name=\"Mode\">",
     Rule::TypeIsVariable, "", "type 'power' is a variable, too"},
    {"name=\"on\" value=\"2\"", "name=\"off\" value=\"2\"", Rule::ItemDuplicate, "", "two items are called 'off'"},
    {"name=\"on\" value=\"2\"", "name=\"on\" value=\"1\"", Rule::ItemDuplicate, "", "two items have the value 1"},
    {"<Real unit=\"W\"", "<Real unit=\"kW\"", Rule::UnitUndeclared, "power", "unit 'kW' is not defined"},
    {"<Real unit=\"W\"", "<Real unit=\"W\" displayUnit=\"kW\"", Rule::DisplayUnitUndeclared, "power",
     "display unit 'kW' is not defined for unit 'W'"},
    {"<Real unit=\"W\"", "<Real displayUnit=\"kW\"", Rule::DisplayUnitAlone, "power",
     "display unit 'kW' without a unit"},
    {"declaredType=\"Temperature\"", "declaredType=\"Heat\"", Rule::TypeUndeclared, kT, "type 'Heat' is not defined"},
    {"declaredType=\"Temperature\"", "declaredType=\"Mode\"", Rule::TypeKind, kT,
     "declared type 'Mode' is Enumeration, the variable is Real"},
    {"declaredType=\"Temperature\"", "declaredType=\"Temperature\" min=\"-1\"", Rule::TypeRange, kT,
     "min is below that of type 'Temperature'"},
    // variables
    {"name=\"power\"", "name=\"\"", Rule::NameEmpty, "", "the name of a variable is empty"},
    {"name=\"on\" valueR", "name=\"power\" valueR", Rule::NameDuplicate, "power", "the name was used in line 20"},
    {"name=\"power\"", "name=\"a[1, 2]\"", Rule::NameStructured, "a[1, 2]",
     "the name does not follow the structured naming convention"},
    {"name=\"on\" valueR", "name=\"der(x)\" valueR", Rule::NameDerivative, "der(x)",
     "is a derivative by its name, but of type Boolean"},
    {"name=\"half\"", "name=\"der(half)\"", Rule::NameDerivativeAlone, "der(half)",
     "is a derivative by its name, but has no attribute 'derivative'"},
    {"causality=\"output\" variability=\"discrete\"", "causality=\"output\" variability=\"fixed\"",
     Rule::CausalityVariability, "on", "causality 'output' and variability 'fixed' do not go together"},
    {"causality=\"parameter\" variability=\"tunable\"", "causality=\"parameter\" variability=\"constant\"",
     Rule::CausalityVariability, "C", "causality 'parameter' and variability 'constant' do not go together"},
    {"causality=\"input\" variability=\"continuous\"",
     "causality=\"input\" variability=\"continuous\" initial=\"exact\"", Rule::InitialIllegal, "power",
     "'initial' is 'exact', but must not be given for causality 'input'"},
    {"variability=\"tunable\" initial=\"exact\"", "variability=\"tunable\" initial=\"approx\"", Rule::InitialIllegal,
     "C", "'initial' is 'approx', which causality 'parameter' and variability 'tunable' do not allow"},
    {"variability=\"tunable\" initial=\"calculated\"", "variability=\"tunable\" initial=\"exact\"",
     Rule::InitialIllegal, "half",
     "'initial' is 'exact', which causality 'calculatedParameter' and variability 'tunable' do not allow"},
    {"variability=\"discrete\" ", "", Rule::ContinuousType, "on", "a variable of type Boolean is continuous"},
    {"variability=\"continuous\"><Real/>", "variability=\"continuous\"><Integer/>", Rule::IndependentType, "time",
     "the independent variable is of type Integer"},
    {"name=\"half\" valueReference=\"6\" causality=\"calculatedParameter\" variability=\"tunable\" "
     "initial=\"calculated\"",
     "name=\"half\" valueReference=\"6\" causality=\"independent\"", Rule::IndependentTwice, "half",
     "'time' is the independent variable already"},
    {"<Real unit=\"W\" start=\"0\"/>", "<Real unit=\"W\"/>", Rule::StartMissing, "power", "there is no start value"},
    {"<Boolean/>", "<Boolean start=\"true\"/>", Rule::StartForbidden, "on", "is calculated, but has a start value"},
    {"variability=\"continuous\"><Real/>", "variability=\"continuous\"><Real start=\"0\"/>", Rule::StartForbidden,
     "time", "the independent variable has a start value"},
    {"max=\"9\" start=\"2\"", "max=\"9\" start=\"10\"", Rule::StartRange, "C", "start value 10 is above max"},
    {"start=\"293.15\"", "start=\"-1\"", Rule::StartRange, kT, "start value -1 is below min"},
    {"declaredType=\"Mode\" start=\"1\"", "declaredType=\"Mode\" start=\"7\"", Rule::StartItem, "mode",
     "start value 7 is no item of 'Mode'"},
    {"min=\"1\" max=\"9\"", "min=\"9\" max=\"1\"", Rule::MinMax, "C", "min is above max"},
    {"nominal=\"300\"", "nominal=\"0\"", Rule::Nominal, kT, "the nominal value is not positive"},
    {"name=\"on\" valueR", "name=\"on\" canHandleMultipleSetPerTimeInstant=\"false\" valueR", Rule::MultipleSet, "on",
     "canHandleMultipleSetPerTimeInstant on a variable that is no input"},
    {"unit=\"W\" start=\"0\"", "unit=\"W\" start=\"0\" reinit=\"true\"", Rule::Reinit, "power",
     "'reinit' on a variable that is no state"},
    {"<ModelExchange modelIdentifier=\"heater\"/>", "", Rule::Reinit, kT, "'reinit' without ModelExchange"},
    {"derivative=\"2\"", "derivative=\"99\"", Rule::DerivativeIndex, "der(room.T)",
     "'derivative' is 99, but there are 10 variables"},
    {"derivative=\"2\"", "derivative=\"3\"", Rule::DerivativeTarget, "der(room.T)", "is its own derivative"},
    {"derivative=\"2\"", "derivative=\"9\"", Rule::DerivativeTarget, "der(room.T)",
     "is the derivative of 'on', which is no continuous Real"},
    // aliases
    {"name=\"half\" valueReference=\"6\"", "name=\"half\" valueReference=\"8\"", Rule::AliasConstant, "pi",
     "is constant, but shares a value reference with 'half'"},
    {"name=\"C\" valueReference=\"5\"", "name=\"C\" valueReference=\"1\"", Rule::AliasStart, "C",
     "has a start value, as has 'room.T' with the same value reference"},
    {"name=\"C\" valueReference=\"5\"", "name=\"C\" valueReference=\"3\"", Rule::AliasSettable, "C",
     "can be set, as can 'power' with the same value reference"},
    {"name=\"C\" valueReference=\"5\"", "name=\"C\" valueReference=\"0\"", Rule::AliasIndependent, "C",
     "shares a value reference with 'time'"},
    {"<Real unit=\"K\"/>", "<Real unit=\"W\"/>", Rule::AliasUnit, "y",
     "has the unit 'W', 'room.T' with the same value reference 'K'"},
    {"name=\"half\" valueReference=\"6\"", "name=\"half\" valueReference=\"2\"", Rule::AliasVariability, "half",
     "is tunable, 'der(room.T)' with the same value reference is continuous"},
    // structure
    {"<Unknown index=\"5\" dependencies=\"2\" dependenciesKind=\"constant\"/>\n      <Unknown index=\"9\" d",
     "<Unknown index=\"0\"/><Unknown index=\"9\" d", Rule::StructureIndex, "",
     "index 0 in Outputs, but there are 10 variables"},
    {"<Outputs>", "<Outputs><Unknown index=\"5\"/>", Rule::StructureDuplicate, "y", "is twice in Outputs"},
    {"<Unknown index=\"9\" dependencies=\"2 4\" dependenciesKind=\"dependent dependent\"/>", "", Rule::StructureOutputs,
     "on", "is an output, but not in Outputs"},
    {"<Outputs>", "<Outputs><Unknown index=\"2\"/>", Rule::StructureOutputs, kT, "is no output, but in Outputs"},
    {"<Real derivative=\"2\"/>", "<Real/>", Rule::StructureDerivatives, "der(room.T)",
     "is in Derivatives, but has no attribute 'derivative'"},
    {"<Derivatives>\n      <Unknown index=\"3\" dependencies=\"2 4\" dependenciesKind=\"fixed fixed\"/>\n    "
     "</Derivatives>",
     "", Rule::StructureDerivatives, "der(room.T)", "is the derivative of 'room.T', but not in Derivatives"},
    {"<Real unit=\"K\"/>", "<Real unit=\"K\" derivative=\"5\"/>", Rule::DerivativeTarget, "y", "is its own derivative"},
    {"<Real unit=\"K\"/>", "<Real unit=\"K\" derivative=\"3\"/>", Rule::StructureUnlisted, "y",
     "is the derivative of 'der(room.T)', but not in Derivatives"},
    {"<Unknown index=\"8\" dependencies=\"7\"/>", "", Rule::StructureInitial, "half",
     "is unknown at the start, but not in InitialUnknowns"},
    {"<InitialUnknowns>", "<InitialUnknowns><Unknown index=\"2\"/>", Rule::StructureInitial, kT,
     "is in InitialUnknowns, but known or of no concern at the start"},
    {"<Unknown index=\"8\" dependencies=\"7\"/>\n      <Unknown index=\"9\"/>",
     "<Unknown index=\"9\"/><Unknown index=\"8\"/>", Rule::StructureInitialOrder, "half",
     "comes after a variable with a larger index"},
    {"dependencies=\"2 4 7\"", "dependencies=\"2 4 77\"", Rule::DependencyIndex, "der(room.T)",
     "depends on index 77, but there are 10 variables"},
    {"dependencies=\"2 4 7\"", "dependencies=\"2 4 4\"", Rule::DependencyDuplicate, "der(room.T)",
     "dependency 4 is listed twice"},
    {"dependencies=\"2 4 7\"", "dependencies=\"2 3 4\"", Rule::DependencySelf, "der(room.T)", "depends on itself"},
    {"dependencies=\"2 4 7\"", "dependencies=\"2 7 4\"", Rule::DependencyOrder, "der(room.T)",
     "the dependencies are not sorted"},
    {"dependencies=\"2 4 7\"", "dependencies=\"2 4 8\"", Rule::DependencyKnown, "der(room.T)",
     "depends on 'half', which is not known in InitialUnknowns"},
    {"index=\"8\" dependencies=\"7\"", "index=\"8\" dependenciesKind=\"constant\"", Rule::KindAlone, "half",
     "has dependenciesKind without dependencies"},
    {"dependenciesKind=\"fixed fixed\"", "dependenciesKind=\"fixed\"", Rule::KindLength, "der(room.T)",
     "2 dependencies, but 1 kinds"},
    {"index=\"8\" dependencies=\"7\"", "index=\"8\" dependencies=\"7\" dependenciesKind=\"fixed\"", Rule::KindInitial,
     "half", "dependency kind 'fixed' in InitialUnknowns"},
    {"dependenciesKind=\"dependent dependent\"", "dependenciesKind=\"dependent constant\"", Rule::KindReal, "on",
     "dependency kind 'constant' of a variable of type Boolean"},
};

}  // namespace

TEST_CASE("a good description has no findings") {
  const Report report = validate_description(good_description());
  CHECK(all(report) == "");
  CHECK(report.variables == 10);
  CHECK(report.states == 1);
}

TEST_CASE("every mutant is found") {
  for (const Mutant& mutant : kMutants) {
    const Report report = validate_description(replaced(good_description(), mutant.from, mutant.to));
    INFO(mutant.from << " -> " << mutant.to << "\nfound:\n" << all(report));
    CHECK(has(report, mutant));
  }
}

TEST_CASE("every rule of descriptions has a mutant") {
  std::set<Rule> tested = {Rule::XmlLimits};  // below
  for (const Mutant& mutant : kMutants) tested.insert(mutant.rule);
  for (const RuleText& rule : all_rules()) {
    INFO(rule.name);
    CHECK(&text_of(rule.rule) == &rule);
    if (rule.rule >= Rule::XmlDeclaration) CHECK(tested.count(rule.rule) == 1);
  }
}

TEST_CASE("limits of nesting and of attributes") {
  std::string deep, ends, wide;
  for (int i = 0; i < 100; ++i) {
    deep += "<a>";
    ends += "</a>";
  }
  for (int i = 0; i < 300; ++i) wide += " a" + std::to_string(i) + "=\"1\"";
  const Report too_deep = validate_description(replaced(good_description(), "<at all=\"1\"/>", deep + ends));
  CHECK(all(too_deep) == "xml-limits |  | elements are nested too deep | line 15\n");
  const Report too_wide = validate_description(replaced(good_description(), "<at all=\"1\"/>", "<at" + wide + "/>"));
  CHECK(all(too_wide) == "xml-limits |  | an element has too many attributes | line 15\n");
}

TEST_CASE("findings know the line, and the root") {
  const Report report = validate_description(replaced(good_description(), "nominal=\"300\"", "nominal=\"0\""));
  CHECK(all(report) == "nominal | room.T | the nominal value is not positive | line 18\n");
  CHECK(all(validate_description("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>")) ==
        "xml-element |  | the root element is 'a', not fmiModelDescription | line 1\n");
  CHECK(all(validate_description("")) ==
        "xml-declaration |  | the text does not start with an XML declaration | line 1\n"
        "xml-format |  | there is no element | line 1\n");
}

TEST_CASE("truncated and shuffled descriptions never harm") {
  const std::string good = good_description();
  for (std::size_t length = 0; length < good.size(); length += 7) {
    const Report report = validate_description(good.substr(0, length));
    CHECK(report.has_errors());
  }
  unsigned state = 1;
  for (int i = 0; i < 2000; ++i) {
    std::string bad = good;
    for (int k = 0; k < 4; ++k) {
      state = state * 1664525u + 1013904223u;
      bad[(state >> 8) % bad.size()] = good[(state >> 3) % good.size()];
    }
    validate_description(bad);
  }
}
