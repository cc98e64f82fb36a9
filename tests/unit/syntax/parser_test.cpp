#include "fmugen/syntax/parser.h"

#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("independent mistakes are all reported, in the order of the text, and the rest is read") {
  Parsed parsed;
  parse_into(parsed,
             "model m\n"
             "  parameter R = 5x\n"
             "  x = * 2\n"
             "  a = b\n"
             "  y = (1 + 2\n"
             "  local z\n"
             "  cut c(1)\n"
             "  w = $\n"
             "  a to b\n"
             "end\n");
  CHECK(messages(parsed) ==
        "m.dym:2:17: error: bad number '5x'\n"
        "    parameter R = 5x\n"
        "                  ^~\n"
        "m.dym:3:7: error: expected an expression, found '*'\n"
        "    x = * 2\n"
        "        ^\n"
        "m.dym:5:7: error: '(' is not closed\n"
        "    y = (1 + 2\n"
        "        ^\n"
        "m.dym:6:3: note: a new statement begins here\n"
        "    local z\n"
        "    ^~~~~\n"
        "m.dym:7:9: error: a declared cut holds no numbers\n"
        "    cut c(1)\n"
        "          ^\n"
        "note: a number may stand in a cut of a connection statement\n"
        "m.dym:8:7: error: unexpected character '$'\n"
        "    w = $\n"
        "        ^\n");
  std::ostringstream out;
  print_ast(out, parsed.file);
  CHECK(out.str() ==
        "model m\n"
        "  parameter R = 0\n"
        "  equation a = b\n"
        "  or connection (a at b)\n"
        "  local z\n"
        "  connection (a to b)\n");
}

TEST_CASE("a mistake inside of a block does not disturb its end") {
  CHECK(errors(
            "model m\n  if c then\n    x = = 1\n  else\n    for i := 1 to 3 do\n      y + \n    end\n  end\nend m\n") ==
        "m.dym:3:9: error: expected an expression, found '='\n"
        "      x = = 1\n"
        "          ^\n"
        "m.dym:6:10: error: expected an expression, found the end of the statement\n"
        "        y + \n"
        "           ^\n");
  CHECK(errors("model m\n  if c then x = = 1 else y = 2 end\nend m\n") ==
        "m.dym:2:17: error: expected an expression, found '='\n"
        "    if c then x = = 1 else y = 2 end\n"
        "                  ^\n");
}

TEST_CASE("after an unclosed comment nothing is said about missing ends") {
  CHECK(errors("model m\n  x = 1 { first\n  y = 2\nend\n") ==
        "m.dym:2:9: error: comment is not closed\n"
        "    x = 1 { first\n"
        "          ^\n"
        "note: a comment ends with '}'\n");
}

TEST_CASE("a statement with an unclosed string is not reported again") {
  CHECK(errors("model m\n  parameter R \"text\n  x = 1\nend\n") ==
        "m.dym:2:15: error: string is not closed\n"
        "    parameter R \"text\n"
        "                ^~~~~\n"
        "note: a string ends with '\"' on the same line\n");
}

TEST_CASE("at most twenty errors are kept") {
  std::string text = "model m\n";
  for (int i = 0; i < 50; ++i) text += "  x = = 1\n";
  Parsed parsed;
  parse_into(parsed, text + "end\n");
  CHECK(parsed.diagnostics.all().size() == 20);
  CHECK(parsed.diagnostics.full());
  text = "model m\n";
  for (int i = 0; i < 50; ++i) text += "  x = $\n";
  Parsed signs;
  parse_into(signs, text + "end\n");
  CHECK(signs.diagnostics.all().size() == 20);
}

TEST_CASE("messages of several files are kept apart") {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  parse(sources, sources.add("a.dym", "model a\n  x\nend"), symbols, diagnostics);
  parse(sources, sources.add("b.dym", "model b\nend b"), symbols, diagnostics);
  parse(sources, sources.add("c.dym", "model c\nend d"), symbols, diagnostics);
  REQUIRE(diagnostics.all().size() == 2);
  CHECK(sources.describe(diagnostics.all()[0].where) == "a.dym:2:3");
  CHECK(sources.describe(diagnostics.all()[1].where) == "c.dym:2:1");
}

TEST_CASE("names are symbols of the table that was given") {
  Parsed parsed;
  parse_into(parsed, "model m\n  local x\nend");
  const auto& model = std::get<ModelDefinition>(parsed.file.items.at(0).node);
  CHECK(model.name.symbol == parsed.symbols.intern("m"));
  CHECK(std::get<VariableDeclaration>(model.body.at(0).node).items.at(0).name.symbol == parsed.symbols.intern("x"));
  CHECK(parsed.file.source == 0);
}
