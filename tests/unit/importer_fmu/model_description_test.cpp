#include <catch2/catch.hpp>

#include "importer/fmu/errors.h"
#include "importer/fmu/model_description.h"

using namespace importer::fmu;

namespace {

const std::string kBegin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

std::string described(const std::string& variables, const std::string& rest = "",
                      const std::string& root = "fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"") {
  return kBegin + "<fmiModelDescription " + root + "><CoSimulation modelIdentifier=\"m\"/>" + rest +
         "<ModelVariables>\n" + variables + "</ModelVariables></fmiModelDescription>";
}

}  // namespace

TEST_CASE("a description is read") {
  const ModelDescription d = read_model_description(
      kBegin +
      R"xml(<fmiModelDescription fmiVersion="2.0" modelName="ball" guid="{1}" numberOfEventIndicators="2">
<CoSimulation modelIdentifier="ball" canHandleVariableCommunicationStepSize="true" maxOutputDerivativeOrder="1"/>
<TypeDefinitions><SimpleType name="Length"><Real unit="m"/></SimpleType>
<SimpleType name="Kind"><Enumeration><Item name="a" value="3"/></Enumeration></SimpleType></TypeDefinitions>
<DefaultExperiment startTime="1" stopTime="2.5" stepSize="0.1"/>
<ModelVariables>
<ScalarVariable name="h" valueReference="1" causality="output"><Real declaredType="Length" start="1"/></ScalarVariable>
<ScalarVariable name="der(h)" valueReference="2"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="g" valueReference="3" causality="parameter" variability="fixed"><Real start="9"/></ScalarVariable>
<ScalarVariable name="k" valueReference="1"><Enumeration declaredType="Kind"/></ScalarVariable>
</ModelVariables>
<ModelStructure><Derivatives><Unknown index="2"/></Derivatives></ModelStructure>
</fmiModelDescription>)xml");
  CHECK(d.model_name == "ball");
  CHECK(d.guid == "{1}");
  CHECK(d.event_indicators == 2);
  CHECK(!d.model_exchange);
  CHECK(d.co_simulation->variable_steps);
  CHECK(d.co_simulation->output_derivatives == 1);
  CHECK(*d.start_time == 1.0);
  CHECK(*d.stop_time == 2.5);
  CHECK(!d.tolerance);
  REQUIRE(d.variables.size() == 4);
  CHECK(d.variables[0].unit == "m");
  CHECK(d.variables[0].start == "1");
  CHECK(d.variables[0].state);
  CHECK(d.variables[0].causality == Causality::Output);
  CHECK(d.variables[0].initial == Initial::Calculated);
  CHECK(d.variables[1].causality == Causality::Local);
  CHECK(d.variables[1].variability == Variability::Continuous);
  CHECK(d.variables[2].initial == Initial::Exact);
  CHECK(d.variables[3].type == Type::Enumeration);
  CHECK(d.variables[3].variability == Variability::Discrete);
  CHECK(d.enumeration("Kind")->items.at(0).value == 3);
  CHECK(d.states() == 1);
  CHECK(d.notes.empty());
  CHECK(d.find("g") == &d.variables[2]);
  CHECK(d.find("G") == nullptr);
}

TEST_CASE("what does no harm is noted") {
  const ModelDescription d = read_model_description(
      described("<ScalarVariable name=\"x\" valueReference=\"1\" causality=\"internal\"><Real/></ScalarVariable>\n",
                "<DefaultExperiment stopTime=\"soon\"/>", "fmiVersion=\"2.0\" modelName=\"m\""));
  CHECK(d.notes ==
        std::vector<std::string>{"modelDescription.xml: there is no guid",
                                 "modelDescription.xml:2: stopTime 'soon' is not a number and is ignored",
                                 "modelDescription.xml:3: causality 'internal' is unknown; 'local' is taken"});
}

TEST_CASE("encodings of one byte are understood") {
  std::string text = described("");
  text.replace(text.find("UTF-8"), 5, "ISO-8859-1");
  text.replace(text.find("\"m\""), 3, "\"\xE4\"");
  CHECK(read_model_description(text).model_name == "\xC3\xA4");
}

TEST_CASE("descriptions that cannot be used are refused") {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read_model_description(text);
    } catch (const Rejected& error) {
      return error.what();
    }
    return "accepted";
  };
  CHECK(refusal("") == "modelDescription.xml:1: there is no element");
  CHECK(refusal(kBegin + "<a>") == "modelDescription.xml:2: the text ends inside an element");
  CHECK(refusal(kBegin + "<!DOCTYPE a []><a/>") == "modelDescription.xml:2: there is a document type declaration");
  CHECK(refusal(kBegin + "<a/>") == "modelDescription.xml: the root is 'a', not fmiModelDescription");
  CHECK(refusal(described("", "", "fmiVersion=\"3.0\"")) ==
        "the FMU is of FMI version '3.0'; only version 2.0 can be run");
  CHECK(refusal(kBegin + "<fmiModelDescription fmiVersion=\"2.0\"/>") ==
        "modelDescription.xml: there is neither ModelExchange nor CoSimulation");
  CHECK(refusal(kBegin + "<fmiModelDescription fmiVersion=\"2.0\"><CoSimulation modelIdentifier=\"a\"/>"
                         "</fmiModelDescription>") == "modelDescription.xml: there is no element ModelVariables");
  CHECK(refusal(kBegin + "<fmiModelDescription fmiVersion=\"2.0\"><CoSimulation modelIdentifier=\"../a\"/>"
                         "</fmiModelDescription>") ==
        "modelDescription.xml:2: CoSimulation has no usable modelIdentifier");
  CHECK(refusal(described("<ScalarVariable valueReference=\"1\"/>")) ==
        "modelDescription.xml:3: a variable has no name");
  CHECK(refusal(described("<ScalarVariable name=\"x\"><Real/></ScalarVariable>")) ==
        "modelDescription.xml:3: variable 'x' has no value reference");
  CHECK(refusal(described("<ScalarVariable name=\"x\" valueReference=\"1\"/>")) ==
        "modelDescription.xml:3: variable 'x' has no type");
  const std::string x = "<ScalarVariable name=\"x\" valueReference=\"1\"><Real/></ScalarVariable>";
  CHECK(refusal(described(x + x)) == "modelDescription.xml:3: a second variable is named 'x'");
}
