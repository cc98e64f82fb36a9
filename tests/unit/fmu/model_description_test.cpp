#include "fmugen/fmu/model_description.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

using namespace fmugen::fmu;
using fmugen::support::Unit;

namespace {

Variable state() {
  Variable v;
  v.name = "x";
  v.description = "position \"of\" the <body> & more";
  v.initial = Initial::Exact;
  v.attributes.unit = "m";
  v.attributes.display_unit = "mm";
  v.attributes.nominal = 0.1;
  v.start = 1.0;
  v.reinit = true;
  return v;
}

Variable derivative() {
  Variable v;
  v.name = "der(x)";
  v.value_reference = 1;
  v.initial = Initial::Calculated;
  v.derivative = 1;
  return v;
}

ModelDescription small() {
  ModelDescription d;
  d.model_name = "ball";
  d.guid = "0123456789abcdef";
  d.variables = {state(), derivative()};
  d.model_exchange.emplace().model_identifier = "ball";
  d.derivatives = {{2, {{{1, DependencyKind::Constant}}}}};
  return d;
}

std::string line_with(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return "";
  const std::size_t begin = text.find_first_not_of(' ', text.rfind('\n', at) + 1);
  return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("a small model description is written whole") {
  ModelDescription d = small();
  d.event_indicators = 2;
  Unit metre;
  metre.exponents[1] = 1;
  d.units = {{"m", metre, {{"mm", 1000, 0}}}};
  CHECK(write_xml(d) == R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="ball" guid="0123456789abcdef" variableNamingConvention="structured" numberOfEventIndicators="2">
    <ModelExchange modelIdentifier="ball"/>
    <UnitDefinitions>
        <Unit name="m">
            <BaseUnit m="1"/>
            <DisplayUnit name="mm" factor="1000"/>
        </Unit>
    </UnitDefinitions>
    <ModelVariables>
        <!-- Index 1 -->
        <ScalarVariable name="x" valueReference="0" description="position &quot;of&quot; the &lt;body&gt; &amp; more" causality="local" variability="continuous" initial="exact">
            <Real unit="m" displayUnit="mm" nominal="0.1" start="1" reinit="true"/>
        </ScalarVariable>
        <!-- Index 2 -->
        <ScalarVariable name="der(x)" valueReference="1" causality="local" variability="continuous" initial="calculated">
            <Real derivative="1"/>
        </ScalarVariable>
    </ModelVariables>
    <ModelStructure>
        <Derivatives>
            <Unknown index="2" dependencies="1" dependenciesKind="constant"/>
        </Derivatives>
    </ModelStructure>
</fmiModelDescription>
)xml");
}

TEST_CASE("elements come in the order of the standard") {
  ModelDescription d = small();
  d.co_simulation.emplace().model_identifier = "ball";
  d.units = {{"u", {}, {}}};
  d.types.push_back({"T", "", {}, {}});
  d.log_categories = {{"logAll", "everything"}};
  d.default_experiment.stop_time = 10;
  d.vendor_annotations = {{"tool", "<a><b c='1'/></a>"}};
  d.outputs = d.initial_unknowns = d.derivatives;
  const std::string text = write_xml(d);
  std::size_t last = 0;
  for (const char* element : {"<ModelExchange", "<CoSimulation", "<UnitDefinitions", "<TypeDefinitions",
                              "<LogCategories", "<DefaultExperiment", "<VendorAnnotations", "<ModelVariables",
                              "<ModelStructure", "<Outputs", "<Derivatives", "<InitialUnknowns"}) {
    INFO(element);
    const std::size_t at = text.find(element);
    CHECK(at != std::string::npos);
    CHECK(at > last);
    last = at;
  }
  CHECK(line_with(text, "<b ") == "<b c=\"1\"/>");
  CHECK(line_with(text, "<DefaultExperiment") == "<DefaultExperiment stopTime=\"10\"/>");
}

TEST_CASE("capabilities are written as the standard spells them") {
  ModelDescription d = small();
  auto& me = *d.model_exchange;
  me.needs_execution_tool = me.completed_integrator_step_not_needed = me.can_be_instantiated_only_once_per_process =
      true;
  me.can_not_use_memory_management_functions = me.can_get_and_set_fmu_state = me.can_serialize_fmu_state = true;
  me.provides_directional_derivative = true;
  me.source_files = {"all.c"};
  auto& cs = d.co_simulation.emplace();
  cs.model_identifier = "ball";
  cs.can_handle_variable_communication_step_size = cs.can_interpolate_inputs = cs.can_run_asynchronously = true;
  cs.max_output_derivative_order = 2;
  const std::string text = write_xml(d);
  CHECK(line_with(text, "<ModelExchange") ==
        "<ModelExchange modelIdentifier=\"ball\" needsExecutionTool=\"true\" completedIntegratorStepNotNeeded=\"true\" "
        "canBeInstantiatedOnlyOncePerProcess=\"true\" canNotUseMemoryManagementFunctions=\"true\" "
        "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\">");
  CHECK(line_with(text, "<File") == "<File name=\"all.c\"/>");
  CHECK(line_with(text, "<CoSimulation") ==
        "<CoSimulation modelIdentifier=\"ball\" canHandleVariableCommunicationStepSize=\"true\" "
        "canInterpolateInputs=\"true\" maxOutputDerivativeOrder=\"2\" canRunAsynchronuously=\"true\"/>");
}

TEST_CASE("every type has its own start values and attributes") {
  ModelDescription d = small();
  Variable v;
  v.variability = Variability::Discrete;
  v.causality = Causality::Input;
  const auto line = [&](Type type, const Value& start) {
    v.attributes.type = type;
    v.attributes.min = -1;
    v.attributes.max = 2;
    v.start = start;
    d.variables = {v};
    return line_with(write_xml(d), "start=");
  };
  CHECK(line(Type::Real, -0.1) == "<Real min=\"-1\" max=\"2\" start=\"-0.1\"/>");
  CHECK(line(Type::Integer, 2) == "<Integer min=\"-1\" max=\"2\" start=\"2\"/>");
  CHECK(line(Type::Boolean, true) == "<Boolean start=\"true\"/>");
  CHECK(line(Type::String, std::string()) == "<String start=\"\"/>");
  v.declared_type = "Colour";
  CHECK(line(Type::Enumeration, 1) == "<Enumeration declaredType=\"Colour\" min=\"-1\" max=\"2\" start=\"1\"/>");
}

TEST_CASE("numbers read back as they were") {
  ModelDescription d = small();
  for (const double value : {0.1, 1.0 / 3, 1e-300, -2.5e17, 5e-324, 0.1 + 0.2, 1.7976931348623157e308}) {
    d.default_experiment.stop_time = value;
    const std::string text = line_with(write_xml(d), "stopTime");
    const std::size_t quote = text.find('"') + 1;
    CHECK(std::strtod(text.c_str() + quote, nullptr) == value);
  }
  d.variables[0].attributes.max = std::numeric_limits<double>::infinity();
  CHECK(write_xml(d).find("max=") == std::string::npos);
  d.variables[0].start = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(write_xml(d), "a model description cannot hold a number that is not finite");
}

TEST_CASE("texts are made fit for XML") {
  ModelDescription d = small();
  d.description = "one\ntwo\tthree\x01 \xC3\xA4 \xFF \xED\xA0\x80 \xF0\x9F\x98\x80";
  CHECK(line_with(write_xml(d), "<fmiModelDescription")
            .find("description=\"one two three? \xC3\xA4 ? ??? \xF0\x9F\x98\x80\"") != std::string::npos);
  d.vendor_annotations = {{"tool", "<a>"}};
  CHECK_THROWS_WITH(write_xml(d), Catch::StartsWith("an annotation is not XML: "));
}

TEST_CASE("an enumeration lists its items, an unknown without dependencies an empty list") {
  ModelDescription d = small();
  SimpleType colour{"Colour", "of a lamp", {}, {{"red", 1, ""}, {"green", 2, "go"}}};
  colour.attributes.type = Type::Enumeration;
  d.types = {colour};
  d.outputs = {{1, std::vector<Unknown::Dependency>{}}, {2, std::nullopt}};
  const std::string text = write_xml(d);
  CHECK(line_with(text, "green") == "<Item name=\"green\" value=\"2\" description=\"go\"/>");
  CHECK(line_with(text, "<Unknown index=\"1\"") == "<Unknown index=\"1\" dependencies=\"\" dependenciesKind=\"\"/>");
  CHECK(line_with(text, "<Unknown index=\"2\"/>") == "<Unknown index=\"2\"/>");
}
