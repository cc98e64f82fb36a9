#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("equations, and those that may be connections") {
  CHECK(body("R*I = V") == "equation (R * I) = V\n");
  CHECK(body("V = Va - Vb") == "equation V = (Va - Vb)\nor connection (V at Va to Vb)\n");
  CHECK(body("Ein.V = U") == "equation Ein.V = U\nor connection (Ein.V at U)\n");
  CHECK(body("T2 = T1/N") == "equation T2 = (T1 / N)\nor connection (T2 at T1 / N)\n");
  CHECK(body("a = b < c") == "equation a = (b < c)\nor connection (a at b from c)\n");
  CHECK(body("a - b = c") == "equation (a - b) = c\nor connection (a to b at c)\n");
  CHECK(body("a = (b - c)/d") == "equation a = ((b - c) / d)\nor connection (a at (b to c) / d)\n");
  CHECK(body("-a = b") == "equation (-a) = b\n");
  CHECK(body("a = -b") == "equation a = (-b)\n");
  CHECK(body("a = 5") == "equation a = 5\n");
  CHECK(body("a = f(b)") == "equation a = f(b)\n");
  CHECK(body("a = b'") == "equation a = b'\n");
  CHECK(body("a = b and c") == "equation a = (b and c)\n");
  CHECK(body("7*x + y*y - 3*x*y = 25") == "equation ((7 * x) + (y * y) - (3 * x * y)) = 25\n");
}

TEST_CASE("statements that can only be connections") {
  CHECK(body("Base - Rbb - N") == "connection (Base to Rbb to N)\n");
  CHECK(body("hotin < x") == "connection (hotin from x)\n");
  CHECK(body("a = b = c") == "connection (a at b at c)\n");
  CHECK(body("a = (b, c)") == "connection (a at list(b, c))\n");
  CHECK(body("m:c = n:d") == "connection (m:c at n:d)\n");
  CHECK(body("a = b, c = d") == "connection (a at b)\nconnection (c at d)\n");
}

TEST_CASE("a connection word may be a variable where it makes no connection") {
  CHECK(body("x = from*2 + at") == "equation x = ((from * 2) + at)\n");
  CHECK(body("x = a to b") == "connection (x at a to b)\n");
}

TEST_CASE("procedure calls") {
  CHECK(body("y1 y2 = proc(u1 u2)") == "procedure y1, y2 = proc(u1, u2)\n");
  CHECK(body("y1, m.y[2] = proc(u1, -u2, 3*x)") == "procedure y1, m.y[2] = proc(u1, (-u2), (3 * x))\n");
  CHECK(body("y1 y2 = proc()") == "procedure y1, y2 = proc()\n");
  CHECK(body("y = proc(u1, u2)") == "equation y = proc(u1, u2)\n");
}

TEST_CASE("initial, valid, terminate, iterate") {
  CHECK(body("initial x = 3*y") == "initial x = (3 * y)\n");
  CHECK(body("initial der(x) + z = 0") == "initial (der(x) + z) = 0\n");
  CHECK(body("initial -x = 0") == "initial (-x) = 0\n");
  CHECK(body("valid T > 273 and T < 400 \"range\"") == "valid ((T > 273) and (T < 400)) \"range\"\n");
  CHECK(body("valid n = 3") == "valid (n = 3)\n");
  CHECK(body("terminate when h < 0 \"on the ground\"") == "terminate when (h < 0) \"on the ground\"\n");
  CHECK(body("iterate x, y.z w") == "iterate x, y.z, w\n");
}

TEST_CASE("sample and experiment") {
  CHECK(body("sample every 0.1") == "sample every 0.1\n");
  CHECK(body("sample every DT/2 offset -T0") == "sample every (DT / 2) offset (-T0)\n");
  CHECK(body("experiment start 0 stop 10 step 0.01 tolerance 1E-6 solver cvode") ==
        "experiment start 0 stop 10 step 0.01 tolerance 1e-06 solver cvode\n");
  CHECK(body("experiment stop = 2*T, solver = ida") == "experiment stop (2 * T) solver ida\n");
  CHECK(body("experiment tolerance 1E-6 start -1") == "experiment start (-1) tolerance 1e-06\n");
}

TEST_CASE("the same words as names") {
  CHECK(body("initial = 3") == "equation initial = 3\n");
  CHECK(body("valid' = sample*2") == "equation valid' = (sample * 2)\n");
  CHECK(body("default.x = experiment + 1") == "equation default.x = (experiment + 1)\n");
  CHECK(body("node - path - for") == "connection (node to path to for)\n");
}

TEST_CASE("what is neither an equation nor a connection") {
  CHECK(errors("model m\n  x + 1\nend\n") ==
        "m.dym:2:3: error: this is neither an equation nor a connection\n"
        "    x + 1\n"
        "    ^~~~~\n"
        "note: an equation needs a '='\n");
  CHECK(errors("model m\n  foo\nend\n") ==
        "m.dym:2:3: error: this is neither an equation nor a connection\n"
        "    foo\n"
        "    ^~~\n"
        "note: an equation needs a '='\n");
  CHECK(errors("model m\n  a b c\nend\n") ==
        "m.dym:2:5: error: expected '=' or a connection operator such as 'at' or 'to', found 'b'\n"
        "    a b c\n"
        "      ^\n");
  CHECK(errors("model m\n  x := 3\nend\n") ==
        "m.dym:2:5: error: ':=' stands only in functions and in 'when'\n"
        "    x := 3\n"
        "      ^~\n"
        "note: an equation is written with '='\n");
  CHECK(errors("model m\n  y = 2*a = b\nend\n") ==
        "m.dym:2:11: error: an equation has one '=' only\n"
        "    y = 2*a = b\n"
        "            ^\n"
        "note: a comparison needs parentheses: (a = b)\n");
  CHECK(errors("model m\n  y = a*b c\nend\n") ==
        "m.dym:2:11: error: expected the end of the statement, found 'c'\n"
        "    y = a*b c\n"
        "            ^\n");
  CHECK(errors("model m\n  + = 3\nend\n") ==
        "m.dym:2:5: error: expected an expression, found '='\n"
        "    + = 3\n"
        "      ^\n");
}

TEST_CASE("misspelt keywords") {
  const struct {
    const char* statement;
    const char* word;
    const char* meant;
  } cases[] = {{"submodle (resistor) R1", "submodle", "submodel"},
               {"paramater R = 5", "paramater", "parameter"},
               {"Parameter R", "Parameter", "parameter"},
               {"connct (p) a to b", "connct", "connect"},
               {"inptu u", "inptu", "input"},
               {"loacl x, y", "loacl", "local"},
               {"ouput y", "ouput", "output"},
               {"realisation a\nend", "realisation", "realization"},
               {"modle a\nend", "modle", "model"},
               {"wehn c then\nend", "wehn", "when"}};
  for (const auto& [statement, word, meant] : cases) {
    const std::string text = errors(std::string("model m\n") + statement + "\nend\n");
    CHECK(text == "m.dym:2:1: error: unknown statement '" + std::string(word) + "'\n  " +
                      std::string(statement).substr(0, std::string(statement).find('\n')) + "\n  ^" +
                      std::string(std::string(word).size() - 1, '~') + "\nnote: did you mean '" + meant + "'?\n");
  }
  CHECK(errors("model m\n  x = 1\nedn\n") ==
        "m.dym:3:1: error: unknown statement 'edn'\n"
        "  edn\n"
        "  ^~~\n"
        "note: did you mean 'end'?\n");
}

TEST_CASE("what is wrong in statements with a keyword") {
  CHECK(errors("model m\n  experiment stop 10 stop 20\nend\n") ==
        "m.dym:2:22: error: 'stop' is given twice\n"
        "    experiment stop 10 stop 20\n"
        "                       ^~~~\n");
  CHECK(errors("model m\n  experiment until 10\nend\n") ==
        "m.dym:2:14: error: expected 'start', 'stop', 'step', 'tolerance' or 'solver', found 'until'\n"
        "    experiment until 10\n"
        "               ^~~~~\n");
  CHECK(errors("model m\n  sample 0.1\nend\n") ==
        "m.dym:2:10: error: expected 'every', found '0.1'\n"
        "    sample 0.1\n"
        "           ^~~\n");
  CHECK(errors("model m\n  initial x\nend\n") ==
        "m.dym:2:12: error: expected '=', found the end of the statement\n"
        "    initial x\n"
        "             ^\n");
  CHECK(errors("model m\n  terminate \"now\"\nend\n") ==
        "m.dym:2:13: error: expected 'when', found a string\n"
        "    terminate \"now\"\n"
        "              ^~~~~\n");
  CHECK(errors("model m\n  reinit x := 3\nend\n") ==
        "m.dym:2:3: error: 'reinit' stands only in 'when'\n"
        "    reinit x := 3\n"
        "    ^~~~~~\n");
  CHECK(errors("model m\n  iterate 5\nend\n") ==
        "m.dym:2:11: error: expected a variable, found '5'\n"
        "    iterate 5\n"
        "            ^\n");
}
