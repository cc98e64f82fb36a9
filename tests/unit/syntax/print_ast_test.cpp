#include "fmugen/syntax/print_ast.h"

#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("a tree is printed one declaration or statement a line, indented as it nests") {
  CHECK(tree("use fluid\n"
             "model type tank is a fluid.vessel \"open tank\"\n"
             "  parameter A = 5, H\n"
             "  for i := 1 to 3 do\n"
             "    if i > 1 then q[i] = -q[i-1]**2 else q[i] = 0 end\n"
             "  end\n"
             "end\n") ==
        "use fluid\n"
        "model type tank is a fluid.vessel \"open tank\"\n"
        "  parameter A = 5\n"
        "  parameter H\n"
        "  for i := 1 to 3\n"
        "    if (i > 1)\n"
        "      equation q[i] = (-(q[(i - 1)] ** 2))\n"
        "    else\n"
        "      equation q[i] = 0\n");
}

TEST_CASE("numbers are printed so that they read the same, strings with their quotes doubled") {
  CHECK(expression("0.1") == "0.1");
  CHECK(expression("100000000000000000000000") == "1e+23");
  CHECK(expression("3.14159265358979323846") == "3.141592653589793");
  CHECK(expression("\"a \"\"b\"\"\"") == "\"a \"\"b\"\"\"");
  CHECK(body("m.\"a \"\"b\" = 1") == "equation m.\"a \"\"b\" = 1\n");
}

TEST_CASE("printed expressions are read as the same tree") {
  for (const char* text : {"-x**2 + a*-b - 2**-3", "if a = b then c else d and not e", "x[1:k] + f(a, [1, 2; 3, 4])''",
                           "(a or b) and (c <> d or e)", "a - (b - c) - (d/(e/f))"}) {
    const std::string printed = expression(text);
    CHECK(expression(printed) == printed);
  }
}
