#include "fmugen/fmu/documentation.h"

#include <catch2/catch.hpp>

namespace fmugen::fmu {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("the page shows variables, cuts, equations and how the FMU was built") {
  ModelDescription d;
  d.model_name = "motor";
  d.description = "torque < load & friction";
  d.generation_tool = "fmugen";
  Variable r;
  r.name = "R";
  r.causality = Causality::Parameter;
  r.variability = Variability::Fixed;
  r.start = 0.5;
  r.attributes.unit = "Ohm";
  d.variables.push_back(r);
  Documentation page;
  page.description = &d;
  page.equations = "a < b";
  page.cuts = {{"pin", "", {{"V", "pin.V", "across"}}}};
  page.build_notes = {"integrator: cvode"};
  const std::string html = write_documentation(page);
  CHECK(has(html, "<h1>motor</h1>"));
  CHECK(has(html, "torque &lt; load &amp; friction"));
  CHECK(has(html, "<td>R</td><td>parameter, fixed</td><td>0.5</td><td>Ohm</td>"));
  CHECK(has(html, "<td>pin</td><td>V</td><td>pin.V</td><td>across</td>"));
  CHECK(has(html, "<pre>a &lt; b</pre>"));
  CHECK(has(html, "<li>integrator: cvode</li>"));
}

TEST_CASE("long lists are cut off with a remark") {
  ModelDescription d;
  d.variables.resize(6000);
  Documentation page;
  page.description = &d;
  const std::string html = write_documentation(page);
  CHECK(has(html, "Other variables (6000)"));
  CHECK(has(html, "The first 5000 are shown; modelDescription.xml has all."));
}

}  // namespace
}  // namespace fmugen::fmu
