#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("functions") {
  CHECK(tree("function f(a, b)\n  local c, d\n  c := a + b\n  f := c*2\nend f\n") ==
        "function f(a, b)\n  local c\n  local d\n  assign c := (a + b)\n  assign f := (c * 2)\n");
  CHECK(tree("function y = f(a b) \"text\"\n  y := a\nend") == "function y = f(a, b) \"text\"\n  assign y := a\n");
  CHECK(tree("function r, phi = polar(x, y)\nend") == "function r, phi = polar(x, y)\n");
  CHECK(tree("function r phi = polar()\nend") == "function r, phi = polar()\n");
  CHECK(tree("function f(a) f := a*2 end") == "function f(a)\n  assign f := (a * 2)\n");
  CHECK(body("function f(a)\n  x[2] := a\nend\nx = 1") == "function f(a)\n  assign x[2] := a\nequation x = 1\n");
}

TEST_CASE("choices and loops in functions") {
  CHECK(
      tree("function f(a)\n  if a > 0 then\n    f := 1\n  else if a = 0 then f := 0\n  else\n    f := 2\n  end\nend") ==
      "function f(a)\n  if (a > 0)\n    assign f := 1\n  else if (a = 0)\n    assign f := 0\n  else\n    assign f := "
      "2\n");
  CHECK(tree("function f(a)\n  if a then f := 1 else f := if b then 1 else 2 end\nend") ==
        "function f(a)\n  if a\n    assign f := 1\n  else\n    assign f := (if b then 1 else 2)\n");
  CHECK(tree("function f(a)\n  for i := 1 to 3 do\n    begin\n    for j := 1 to i do f := f*j end\n    end\nend") ==
        "function f(a)\n  for i := 1 to 3\n    for j := 1 to i\n      assign f := (f * j)\n");
}

TEST_CASE("external functions") {
  CHECK(tree("external function y = f(u1, u2) \"file.c\" derivative df \"text\"") ==
        "external function y = f(u1, u2) \"file.c\" derivative df \"text\"\n");
  CHECK(tree("external function y1 y2 = f(u) \"file.c\"") == "external function y1, y2 = f(u) \"file.c\"\n");
  CHECK(body("external function, x") == "external function\nexternal x\n");
}

TEST_CASE("tables") {
  CHECK(body("table rho = (0, 1.293; 300, 1.256)") == "table rho = [0, 1.293; 300, 1.256]\n");
  CHECK(body("table rho = (0 1.293;\n  300 -1.256;\n  -2, -1)") ==
        "table rho = [0, 1.293; (300 - 1.256); (-2), (-1)]\n");
  CHECK(body("table rho = [0, 1; 2, 3] \"density\"") == "table rho = [0, 1; 2, 3] \"density\"\n");
  CHECK(body("table rho \"air.csv\"") == "table rho \"air.csv\"\n");
  CHECK(body("table rho(interpolation = cubic, extrapolation = linear) \"air.csv\" \"density\"") ==
        "table rho(interpolation = cubic, extrapolation = linear) \"air.csv\" \"density\"\n");
}

TEST_CASE("what is wrong in functions and tables") {
  CHECK(errors("function f(a)\n  f = a\nend\n") ==
        "m.dym:2:5: error: an assignment in a function is written ':='\n"
        "    f = a\n"
        "      ^\n");
  CHECK(errors("function f(a\n  f := a\nend\n") ==
        "m.dym:1:11: error: '(' is not closed\n"
        "  function f(a\n"
        "            ^\n"
        "m.dym:3:1: note: a new statement begins here\n"
        "  end\n"
        "  ^~~\n");
  CHECK(errors("function f(a)\n  f := a\nmodel m\nend\n") ==
        "m.dym:1:1: error: function 'f' is not closed\n"
        "  function f(a)\n"
        "  ^~~~~~~~\n"
        "m.dym:3:1: note: expected 'end' before this\n"
        "  model m\n"
        "  ^~~~~\n");
  CHECK(errors("function f(a)\n  if a then\n    f := a\nmodel m\nend\n") ==
        "m.dym:2:3: error: 'if' is not closed\n"
        "    if a then\n"
        "    ^~\n"
        "m.dym:4:1: note: expected 'end' before this\n"
        "  model m\n"
        "  ^~~~~\n");
  CHECK(errors("function f(a)\nend g\n") ==
        "m.dym:2:5: error: 'end g' does not match function 'f'\n"
        "  end g\n"
        "      ^\n"
        "m.dym:1:10: note: function 'f' begins here\n"
        "  function f(a)\n"
        "           ^\n");
  CHECK(errors("external function y = f(u)\n") ==
        "m.dym:1:27: error: expected the name of a C file in quotes, found the end of the file\n"
        "  external function y = f(u)\n"
        "                            ^\n");
  CHECK(errors("model m\n  table rho\nend\n") ==
        "m.dym:2:12: error: expected '=' or the name of a file in quotes, found the end of the statement\n"
        "    table rho\n"
        "             ^\n");
  CHECK(errors("model m\n  table rho = 3\nend\n") ==
        "m.dym:2:15: error: expected '(', found '3'\n"
        "    table rho = 3\n"
        "                ^\n");
  CHECK(errors("model m\n  table rho = (1, ; 2)\nend\n") ==
        "m.dym:2:19: error: expected an expression, found ';'\n"
        "    table rho = (1, ; 2)\n"
        "                    ^\n");
}
