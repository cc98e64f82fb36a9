#include "fmugen/fmu/validate/report.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "fmugen/fmu/validate/model.h"

using namespace fmugen::fmu::validate;

namespace {

Report sample() {
  Report report;
  report.fmi_version = "2.0";
  report.model_name = "ball";
  report.model_exchange = report.co_simulation = true;
  report.variables = 8;
  report.states = 1;
  report.platforms = {"linux64", "win64"};
  report.libraries = {"libc.so.6"};
  report.add(Rule::GuidBraces, {"modelDescription.xml", 2, ""}, "the guid has braces");
  report.add(Rule::StartRange, {"modelDescription.xml", 14, "h"}, "start value 5 is above max");
  report.add(Rule::ZipFormat, {}, "cut\noff");
  return report;
}

}  // namespace

TEST_CASE("a report is grouped by severity") {
  std::ostringstream out;
  print_text(out, "ball.fmu", sample());
  CHECK(out.str() ==
        "ball.fmu: FMI 2.0, Model Exchange and Co-Simulation, 8 variables, 1 state, linux64 (needs libc.so.6), win64\n"
        "\n"
        "errors\n"
        "  cut?off [zip-format]\n"
        "    -> build or download the file again\n"
        "  modelDescription.xml:14: variable 'h': start value 5 is above max [start-range]\n"
        "    -> correct one of the three\n"
        "\n"
        "notes\n"
        "  modelDescription.xml:2: the guid has braces [guid-braces]\n"
        "    -> leave the braces out\n"
        "\n"
        "2 errors, no warnings, 1 note\n");
}

TEST_CASE("an empty report says so") {
  std::ostringstream out;
  print_text(out, "a.fmu", {});
  CHECK(out.str() == "a.fmu\n\nno errors, no warnings, no notes\n");
}

TEST_CASE("findings of one rule are counted beyond twenty") {
  Report report;
  for (int i = 0; i < 25; ++i) report.add(Rule::NameStructured, {"modelDescription.xml", i + 1, "a b"}, "bad name");
  CHECK(report.findings.size() == 20);
  CHECK(report.left_out(Rule::NameStructured) == 5);
  std::ostringstream out;
  print_text(out, "a.fmu", report);
  CHECK(out.str().find("  and 5 more [name-structured]\n") != std::string::npos);
  CHECK(out.str().find("\n25 errors, no warnings, no notes\n") != std::string::npos);
}

TEST_CASE("a report as JSON") {
  std::ostringstream out;
  print_json(out, "ball.fmu", sample());
  const std::string text = out.str();
  CHECK(text.rfind("{\n  \"file\": \"ball.fmu\",\n  \"fmi_version\": \"2.0\",\n  \"model\": \"ball\",\n", 0) == 0);
  CHECK(text.find("  \"errors\": 2,\n  \"warnings\": 0,\n  \"notes\": 1,\n  \"findings\": [\n") != std::string::npos);
  CHECK(text.find(
            "{\"rule\": \"start-range\", \"severity\": \"error\", \"entry\": \"modelDescription.xml\", \"line\": 14, "
            "\"variable\": \"h\", \"text\": \"start value 5 is above max\", \"demand\": \"start values lie between "
            "min and max\", \"advice\": \"correct one of the three\"}") != std::string::npos);
  std::ostringstream empty;
  print_json(empty, "a.fmu", {});
  CHECK(empty.str().find("\"findings\": []\n}\n") != std::string::npos);
}

TEST_CASE("structured names") {
  for (const char* name :
       {"a", "_a1", "a.b[1,2].c", "der(a.b)", "der(x,2)", "'any text: 1/2'", "a.'b c'[3]", "'it\\'s'", "der('x')"}) {
    INFO(name);
    CHECK(is_structured_name(name));
  }
  for (const char* name :
       {"",      "1a",      "a b",     "a.",  ".a", "a[]", "a[1, 2]", "a[1",        "a[i]",        "a(1)",   "der(x",
        "der()", "der(x,)", "der(x)y", "a/b", "''", "'a",  "'\\q'",   "'\xC3\xA4'", "der(der(x))", "'a\"b'", "'a\\"}) {
    INFO(name);
    CHECK_FALSE(is_structured_name(name));
  }
}

TEST_CASE("identifiers of C") {
  CHECK(is_c_identifier("A_B_1"));
  for (const char* name : {"", "1a", "A-B", "a.b", "a b", "\xC3\xA4"}) CHECK_FALSE(is_c_identifier(name));
}
