#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("words and signs of the connection operators mean the same") {
  CHECK(body("a at b") == body("connect a = b"));
  CHECK(body("a to b") == body("a - b"));
  CHECK(body("a from b") == body("a < b"));
  CHECK(body("a par b") == body("a // b"));
  CHECK(body("a to reversed b") == body("a - \\ b"));
  CHECK(body("a loop b") == "connection (a loop b)\n");
  CHECK(body("a / b") == "connection (a / b)\n");
}

TEST_CASE("operators work from left to right with equal priority") {
  CHECK(body("R1 to ( C par ( R2 to R3 ) ) par E") == "connection (R1 to (C par (R2 to R3)) par E)\n");
  CHECK(body("a at b to c from d par e loop f - g") == "connection (a at b to c from d par e loop f to g)\n");
  CHECK(body("Line1 from Bus1 to Bus2") == "connection (Line1 from Bus1 to Bus2)\n");
  CHECK(body("E - ( \\ D1 // C // \\ (I - J) ) - N") ==
        "connection (E to ((reversed D1) par C par (reversed (I to J))) to N)\n");
}

TEST_CASE("operands") {
  CHECK(body("m:c at a::b:c[2]") == "connection (m:c at a.b:c[2])\n");
  CHECK(body("s[1]..hot to s[i+1]..cold[2]") == "connection (s[1]..hot to s[(i + 1)]..cold[2])\n");
  CHECK(body("T..(Base - Emitter) // C") == "connection (T..(Base - Emitter) par C)\n");
  CHECK(body("T..((a, b) - c[2]) // C") == "connection (T..((a, b) - c[2]) par C)\n");
  CHECK(body("m:(a, b / c) at x") == "connection (m:(a, b / c) at x)\n");
  CHECK(body("m:[a, b] at x") == "connection (m:(a, b) at x)\n");
}

TEST_CASE("lists and temporary cuts") {
  CHECK(body("R1:conn at (C1:wire2, L1:wire1)") == "connection (R1:conn at list(C1:wire2, L1:wire1))\n");
  CHECK(body("M at (N N N)") == body("M at (N, N, N)"));
  CHECK(body("M at [N, N, N]") == body("M at (N, N, N)"));
  CHECK(body("(.,.,.,1000/0.2) to Tank1 to Pipe1") == "connection (list(., ., ., 1000 / 0.2) to Tank1 to Pipe1)\n");
  CHECK(body("a at (x, -y / -2, (2*k + 1))") == "connection (a at list(x, -y / (-2), ((2 * k) + 1)))\n");
  CHECK(body("a at (5 / -q)") == "connection (a at list(5 / -q))\n");
  CHECK(body("a at (5 / .)") == "connection (a at list(5 / .))\n");
  CHECK(body("a at (5 / -2)") == "connection (a at list(5 / (-2)))\n");
  CHECK(body("a at (/ q)") == "connection (a at list(/ q))\n");
  CHECK(body("a at (p /)") == "connection (a at list(p /))\n");
  CHECK(body("x to (a, b to (c, d), \\ e)") == "connection (x to list(a, (b to list(c, d)), (reversed e)))\n");
  CHECK(body("x to ((a, b), (c / d, e))") == "connection (x to list((a, b), (c / d, e)))\n");
  CHECK(body("x at (a)") == "connection (x at a)\n");
  CHECK(body("x at (a, 5)") == "connection (x at list(a, 5))\n");
  CHECK(body("x at (.)") == "connection (x at list(.))\n");
}

TEST_CASE("a slash in parentheses has two readings") {
  CHECK(body("(a / b) to c") == "connection (list(a / b or (a / b)) to c)\n");
  CHECK(body("(a - b / c - d) to e") == "connection (list((a to b) / (c to d) or (a to b / c to d)) to e)\n");
  CHECK(body("x to (a / b / c)") == "connection (x to (a / b / c))\n");
  CHECK(body("x to ((a / b) / c)") == "connection (x to (list(a / b or (a / b)) / c))\n");
  CHECK(body("x to ((Q1), (R / S))") == "connection (x to list((Q1) or Q1, (R / S) or list(R / S or (R / S))))\n");
}

TEST_CASE("connect with and without the name of a path") {
  CHECK(body("connect (water) pump to pipe to tank") == "connection by water (pump to pipe to tank)\n");
  CHECK(body("connect (heat) c to (e, d,\n  s)") == "connection by heat (c to list(e, d, s))\n");
  CHECK(body("connect (heat) (a, b) to c") == "connection by heat (list(a, b) to c)\n");
  CHECK(body("connect (heat) \\ a to b") == "connection by heat ((reversed a) to b)\n");
  CHECK(body("connect (heat) reversed a to b") == "connection by heat ((reversed a) to b)\n");
  CHECK(body("connect (a) to b") == "connection (a to b)\n");
  CHECK(body("connect (a) - b") == "connection (a to b)\n");
}

TEST_CASE("several connections in one statement") {
  CHECK(body("connect M:A at N, M:B at N") == "connection (M:A at N)\nconnection (M:B at N)\n");
  CHECK(body("a to b,\n  c to d") == "connection (a to b)\nconnection (c to d)\n");
  CHECK(body("connect (p) a to b, c to d") == "connection by p (a to b)\nconnection by p (c to d)\n");
}

TEST_CASE("what is wrong in a connection") {
  CHECK(errors("model m\n  connect a\nend\n") ==
        "m.dym:2:12: error: expected a connection operator such as 'at' or 'to', found the end of the statement\n"
        "    connect a\n"
        "             ^\n");
  CHECK(errors("model m\n  a to 5\nend\n") ==
        "m.dym:2:8: error: expected a model, cut, node or path, found '5'\n"
        "    a to 5\n"
        "         ^\n");
  CHECK(errors("model m\n  a to b c\nend\n") ==
        "m.dym:2:10: error: expected the end of the statement, found 'c'\n"
        "    a to b c\n"
        "           ^\n");
  CHECK(errors("model m\n  a to (b, )\nend\n") ==
        "m.dym:2:12: error: expected a model, cut, node or path, found ')'\n"
        "    a to (b, )\n"
        "             ^\n");
  CHECK(errors("model m\n  a to ()\nend\n") ==
        "m.dym:2:9: error: expected a model, cut, node or path, found ')'\n"
        "    a to ()\n"
        "          ^\n");
  CHECK(errors("model m\n  a to (b, c / d / e)\nend\n") ==
        "m.dym:2:18: error: a cut has one '/' only\n"
        "    a to (b, c / d / e)\n"
        "                   ^\n"
        "note: across variables stand before it, through variables after it\n");
  CHECK(errors("model m\n  a:5 to b\nend\n") ==
        "m.dym:2:5: error: expected the name of a cut, found '5'\n"
        "    a:5 to b\n"
        "      ^\n");
  CHECK(errors("model m\n  a..(b, c) to d\nend\n") ==
        "m.dym:2:8: error: expected '-', found ','\n"
        "    a..(b, c) to d\n"
        "         ^\n");
  CHECK(errors("model m\n  a to [b c]\nend\n") ==
        "m.dym:2:11: error: expected ',' or ']', found 'c'\n"
        "    a to [b c]\n"
        "            ^\n");
}

TEST_CASE("a chain of 100 000 operands is flat") {
  std::string text = "model m\n  a0";
  for (int i = 1; i < 100000; ++i) text += " - a" + std::to_string(i);
  Parsed parsed;
  parse_into(parsed, text + "\nend\n");
  REQUIRE_FALSE(parsed.diagnostics.has_errors());
  const auto& model = std::get<ModelDefinition>(parsed.file.items.at(0).node);
  const auto& chain = std::get<ConnectionStatement>(model.body.at(0).node).expressions.at(0);
  CHECK(chain.children.size() == 100000);
  CHECK(chain.operators.size() == 99999);
}
