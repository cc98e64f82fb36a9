#include "fmugen/codegen/c_text.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace fmugen::codegen;

TEST_CASE("numbers are doubles that read back the same") {
  struct Case {
    double value;
    const char* text;
  };
  for (const Case& c : std::initializer_list<Case>{{2, "2.0"},
                                                   {-3, "-3.0"},
                                                   {0.1, "0.1"},
                                                   {1.0 / 3, "0.33333333333333331"},
                                                   {1e300, "1e+300"},
                                                   {6.02e23, "6.02e+23"},
                                                   {5e-324, "4.94065645841247e-324"},
                                                   {HUGE_VAL, "INFINITY"},
                                                   {-HUGE_VAL, "-INFINITY"},
                                                   {NAN, "NAN"}})
    CHECK(c_number(c.value) == c.text);
}

TEST_CASE("texts of the user end neither strings nor comments") {
  CHECK(c_string("a \"b\" \\ ?\?/ \n\xc3\xa4") == R"("a \"b\" \\ \?\?/ \012\303\244")");
  CHECK(c_comment("a*/b /* c") == "/* a* /b / * c */");
  CHECK(c_comment("/") == "/* / */");
  CHECK(c_comment("line\nbreak\\") == "/* line break  */");
}

TEST_CASE("names stay legible and become legal") {
  CHECK(c_identifier("R1.V") == "R1_V");
  CHECK(c_identifier("der(s[3].x)") == "der_s_3_x");
  CHECK(c_identifier("sin") == "sin_");
  CHECK(c_identifier("v") == "v_");
  CHECK(c_identifier("e12") == "e12_");
  CHECK(c_identifier("e1x") == "e1x");
  CHECK(c_identifier("3rd") == "x3rd");
  CHECK(c_identifier("_x") == "x_x");
  CHECK(c_identifier("") == "x");
  CNames names;
  CHECK(names.name(7, "a.b") == "a_b");
  CHECK(names.name(8, "a_b") == "a_b_8");
  CHECK(names.name(7, "whatever") == "a_b");
  names.reserve("TLP");
  CHECK(names.name(9, "TLP") == "TLP_9");
}

TEST_CASE("tables are broken into lines; empty ones have an element") {
  CHECK(c_table("none", std::vector<std::uint32_t>{}) == "static const unsigned none[1] = {0};\n");
  CHECK(c_table("two", std::vector<double>{1, 0.5}) == "static const double two[2] = {1.0, 0.5};\n");
  const std::string longer = c_table("many", std::vector<std::uint32_t>(100, 12345));
  std::size_t line = 0;
  for (const char c : longer) {
    line = c == '\n' ? 0 : line + 1;
    CHECK(line <= 120);
  }
}
