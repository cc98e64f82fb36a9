#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("all kinds of variables") {
  for (const char* kind : {"parameter", "structure parameter", "constant", "local", "terminal", "input", "output",
                           "default", "internal", "external", "discrete"}) {
    CHECK(body(std::string(kind) + " a = 1") == std::string(kind) + " a = 1\n");
    CHECK(body(std::string(kind) + " a") == std::string(kind) + " a\n");
  }
}

TEST_CASE("items are separated by blanks or commas") {
  CHECK(body("parameter J K=5 R") == "parameter J\nparameter K = 5\nparameter R\n");
  CHECK(body("parameter J, K=5, R") == body("parameter J K=5 R"));
  CHECK(body("parameter A1=1, A2=-1,\n  H=0") == "parameter A1 = 1\nparameter A2 = (-1)\nparameter H = 0\n");
  CHECK(body("local x[n] y[2,3] z") == "local x[n]\nlocal y[2, 3]\nlocal z\n");
}

TEST_CASE("values, attributes and descriptions") {
  CHECK(body("parameter R(unit=\"Ohm\", min=0) = 5 \"resistance\"") ==
        "parameter R(unit = \"Ohm\", min = 0) = 5 \"resistance\"\n");
  CHECK(body("local v(unit=\"V\" start=1 stateselect=prefer), w \"speed\"") ==
        "local v(unit = \"V\", start = 1, stateselect = prefer)\nlocal w \"speed\"\n");
  CHECK(body("local e = sin(time)") == "local e = sin(time)\n");
  CHECK(body("parameter a[3] = [1, 2, 3] A[2,2] = [1, 2; 3, 4]") ==
        "parameter a[3] = [1, 2, 3]\nparameter A[2, 2] = [1, 2; 3, 4]\n");
  CHECK(body("default ua = 25.0, uf = 25") == "default ua = 25\ndefault uf = 25\n");
  CHECK(body("parameter p = (a = b) \"\"") == "parameter p = (a = b)\n");
  CHECK(body("parameter R = 5\n  \"resistance\"") == "parameter R = 5 \"resistance\"\n");
}

TEST_CASE("keywords may be names where nothing else can be meant") {
  CHECK(body("local ia, if, ui") == "local ia\nlocal if\nlocal ui\n");
  CHECK(body("local in out input node") == "local in\nlocal out\nlocal input\nlocal node\n");
  CHECK(body("local table, sample; table = 3*sample") == "local table\nlocal sample\nequation table = (3 * sample)\n");
}

TEST_CASE("submodels") {
  CHECK(body("submodel(resistor) R1 R2 R3") ==
        "submodel (resistor) R1\nsubmodel (resistor) R2\nsubmodel (resistor) R3\n");
  CHECK(body("submodel Tank Pipe") == "submodel Tank\nsubmodel Pipe\n");
  CHECK(body("submodel Tank(A=5 H=10)") == "submodel Tank(A = 5, H = 10)\n");
  CHECK(body("submodel (Tank) Tank1(A=5) Tank2(A=20)") ==
        "submodel (Tank) Tank1(A = 5)\nsubmodel (Tank) Tank2(A = 20)\n");
  CHECK(body("submodel (resistor) R1(5.6), R2(-Rb, 100)") ==
        "submodel (resistor) R1(5.6)\nsubmodel (resistor) R2((-Rb), 100)\n");
  CHECK(body("submodel (section) s[n](L = 0.1, T=[1, 2]) \"tube\"") ==
        "submodel (section) s[n](L = 0.1, T = [1, 2]) \"tube\"\n");
  CHECK(body("submodel section[n]") == "submodel section[n]\n");
  CHECK(body("submodel (electrical.resistor) R") == "submodel (electrical.resistor) R\n");
  CHECK(body("submodel (fmu \"m.fmu\") m(J=1)") == "submodel (fmu \"m.fmu\") m(J = 1)\n");
  CHECK(body("submodel (fmu) m") == "submodel (fmu) m\n");
  CHECK(body("replace submodel (pid2) reg") == "replace submodel (pid2) reg\n");
  CHECK(body("submodel (tank) t(realization = detailed)") == "submodel (tank) t(realization = detailed)\n");
  CHECK(body("submodel (generator)\n  G1(X=1),\n  G2(X=2)") ==
        "submodel (generator) G1(X = 1)\nsubmodel (generator) G2(X = 2)\n");
  CHECK(body("submodel (a) b()") == "submodel (a) b\n");
  CHECK(body("submodel (a) b(5 -3)") == "submodel (a) b((5 - 3))\n");
}

TEST_CASE("what is wrong in declarations") {
  CHECK(errors("model m\n  parameter = 5\nend\n") ==
        "m.dym:2:13: error: expected a name, found '='\n"
        "    parameter = 5\n"
        "              ^\n");
  CHECK(errors("model m\n  local a,\n  input b\nend\n") ==
        "m.dym:2:11: error: expected a name, found the end of the statement\n"
        "    local a,\n"
        "            ^\n");
  CHECK(errors("model m\n  local a; ;parameter b 5\nend\n") ==
        "m.dym:2:25: error: expected the end of the statement, found '5'\n"
        "    local a; ;parameter b 5\n"
        "                          ^\n");
  CHECK(errors("model m\n  structure n\nend\n") ==
        "m.dym:2:13: error: expected 'parameter', found 'n'\n"
        "    structure n\n"
        "              ^\n");
  CHECK(errors("model m\n  local v(5)\nend\n") ==
        "m.dym:2:11: error: expected an attribute such as 'unit' or 'start', found '5'\n"
        "    local v(5)\n"
        "            ^\n");
  CHECK(errors("model m\n  submodel (resistor)\nend\n") ==
        "m.dym:2:22: error: expected the name of a submodel, found the end of the statement\n"
        "    submodel (resistor)\n"
        "                       ^\n");
  CHECK(errors("model m\n  submodel () x\nend\n") ==
        "m.dym:2:13: error: expected the name of a model type, found ')'\n"
        "    submodel () x\n"
        "              ^\n");
  CHECK(errors("model m\n  submodel (a) b(1,)\nend\n") ==
        "m.dym:2:20: error: expected an argument, found ')'\n"
        "    submodel (a) b(1,)\n"
        "                     ^\n");
  CHECK(errors("model m\n  submodel (a) b(x = y = 1)\nend\n") ==
        "m.dym:2:24: error: expected an expression, found '='\n"
        "    submodel (a) b(x = y = 1)\n"
        "                         ^\n");
}
