#include "fmugen/syntax/layout.h"

#include <catch2/catch.hpp>

#include "fmugen/syntax/lexer.h"
#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

namespace {

// The statements of a text, each between bars, its tokens separated by blanks.
std::string statements(const std::string& text) {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  Tokens tokens = lex(sources, sources.add("m.dym", text), symbols, diagnostics).tokens;
  lay_out(tokens, diagnostics);
  std::string result;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (i > 0) result += tokens[i].starts_statement ? " | " : " ";
    result += sources.text(tokens[i].where);
  }
  return result;
}

}  // namespace

TEST_CASE("a statement ends at the end of the line or at a semicolon") {
  CHECK(statements("a = b\nc = d; e = f") == "a = b | c = d ; | e = f");
  CHECK(statements("a = b\n\n{ text\n}\nc") == "a = b | c");
}

TEST_CASE("a line that cannot be complete goes on") {
  for (const char* sign :
       {"+",  "-",  "*", "/", "**", "^",  "=",    ",",   "<",    "<=",       ">",   ">=", "<>",  "/=",   "//",
        "\\", ":=", "(", "[", "at", "to", "from", "par", "loop", "reversed", "and", "or", "not", "then", "else"}) {
    CHECK(statements(std::string("a ") + sign + "\nb") == std::string("a ") + sign + " b");
  }
  CHECK(statements("a ->\n- b\nc") == "a - b | c");
  CHECK(statements("a\nb") == "a | b");
  CHECK(statements("a'\nb") == "a ' | b");
}

TEST_CASE("a line that cannot begin a statement continues the one before") {
  for (const char* sign : {"=",  "+",    "*",   "/",    "**",  "//", ")",    ",",    "<",  ">",       "at",
                           "to", "from", "par", "loop", "and", "or", "then", "else", "do", "\"text\""}) {
    CHECK(statements(std::string("a\n") + sign + " b") == std::string("a ") + sign + " b");
  }
  CHECK(statements("a = b\n-c = d") == "a = b | - c = d");
  CHECK(statements("a = b\n(c) = d") == "a = b | ( c ) = d");
  CHECK(statements("a = b\n\\c - d") == "a = b | \\ c - d");
}

TEST_CASE("inside parentheses a newline is a blank") {
  CHECK(statements("a(b\n-c;\nd)\ne") == "a ( b - c ; d ) | e");
  CHECK(statements("x = [1\n; 2]\ny") == "x = [ 1 ; 2 ] | y");
}

TEST_CASE("declarations always begin a statement") {
  CHECK(statements("local a,\ninput b") == "local a , | input b");
  CHECK(statements("x = a +\nend") == "x = a + | end");
}

TEST_CASE("operator words end a list of names") {
  CHECK(statements("local a, to\nx = y") == "local a , to | x = y");
  CHECK(statements("local ia if\nx = y") == "local ia if | x = y");
}

TEST_CASE("a path may end with >") { CHECK(statements("path p < a - b >\nx = y") == "path p < a - b > | x = y"); }

TEST_CASE("a submodel statement waits for its names") {
  CHECK(statements("submodel (generator)\n  G1(1),\n  G2") == "submodel ( generator ) G1 ( 1 ) , G2");
  CHECK(statements("submodel (generator)\nlocal x") == "submodel ( generator ) | local x");
}

TEST_CASE("unclosed parentheses are found at the next declaration") {
  CHECK(errors("model m\n  x = (a + (b)\n  parameter c\nend\n") ==
        "m.dym:2:7: error: '(' is not closed\n"
        "    x = (a + (b)\n"
        "        ^\n"
        "m.dym:3:3: note: a new statement begins here\n"
        "    parameter c\n"
        "    ^~~~~~~~~\n");
  CHECK(errors("model m\n  x = [1, 2\nend\n") ==
        "m.dym:2:7: error: '[' is not closed\n"
        "    x = [1, 2\n"
        "        ^\n"
        "m.dym:3:1: note: a new statement begins here\n"
        "  end\n"
        "  ^~~\n");
  CHECK(errors("model m\n  submodel (a\n  when c then\n  end\nend\n") ==
        "m.dym:2:12: error: '(' is not closed\n"
        "    submodel (a\n"
        "             ^\n"
        "m.dym:3:3: note: a new statement begins here\n"
        "    when c then\n"
        "    ^~~~\n");
}

TEST_CASE("an unclosed parenthesis that swallows a block causes no further messages") {
  CHECK(errors("model m\n  x = (a +\n  if c then\n    y = 1\n  end\n  z = 2\nend\n") ==
        "m.dym:2:7: error: '(' is not closed\n"
        "    x = (a +\n"
        "        ^\n"
        "m.dym:5:3: note: a new statement begins here\n"
        "    end\n"
        "    ^~~\n");
}

TEST_CASE("parentheses of different kinds") {
  CHECK(errors("model m\n  x = (1 + [2, 3)\nend\n") ==
        "m.dym:2:17: error: expected ']' before ')'\n"
        "    x = (1 + [2, 3)\n"
        "                  ^\n"
        "m.dym:2:12: note: '[' was opened here\n"
        "    x = (1 + [2, 3)\n"
        "             ^\n");
  CHECK(errors("model m\n  x = 3)\nend\n") ==
        "m.dym:2:8: error: ')' without '('\n"
        "    x = 3)\n"
        "         ^\n");
  CHECK(errors("model m\n  x = 3]\nend\n") ==
        "m.dym:2:8: error: ']' without '['\n"
        "    x = 3]\n"
        "         ^\n");
}

TEST_CASE("an arrow stands at the end of its line") {
  CHECK(errors("model m\n  x = a -> b\nend\n") ==
        "m.dym:2:9: error: '->' stands only at the end of a line that goes on\n"
        "    x = a -> b\n"
        "          ^~\n");
}

TEST_CASE("an if without then is a name") {
  CHECK(body("Lf*der(if) = uf - Rf*if") == "equation (Lf * der(if)) = (uf - (Rf * if))\n");
  CHECK(body("if = uf/Rf") == "equation if = (uf / Rf)\nor connection (if at uf / Rf)\n");
  CHECK(expression("if if > 0 then if else -if") == "(if (if > 0) then if else (-if))");
  CHECK(expression("if*2 + (if a then b else c)") == "((if * 2) + (if a then b else c))");
  CHECK(expression("2*if + if a then b else c") == "((2 * if) + (if a then b else c))");
  CHECK(body("local ia, if, ui\nif' = ui") == "local ia\nlocal if\nlocal ui\nequation if' = ui\n");
}
