#include "fmugen/syntax/lexer.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

namespace {

// The texts of all tokens but the last, with a bar between them; numbers by value.
std::string split(const std::string& text) {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  const LexedText lexed = lex(sources, sources.add("m.dym", text), symbols, diagnostics);
  std::ostringstream out;
  for (const Token& token : lexed.tokens) {
    if (token.kind == TokenKind::End) break;
    if (out.tellp() > 0) out << " | ";
    if (token.kind == TokenKind::Number)
      out << token.number;
    else if (token.kind == TokenKind::String)
      out << '"' << token.symbol.text() << '"';
    else
      out << sources.text(token.where);
  }
  if (diagnostics.has_errors()) {
    out << '\n';
    support::print(out, sources, diagnostics);
  }
  return out.str();
}

Tokens tokens_of(const std::string& text) {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  return lex(sources, sources.add("m.dym", text), symbols, diagnostics).tokens;
}

}  // namespace

TEST_CASE("signs are read as long as possible") {
  CHECK(split("a::b:c") == "a | :: | b | : | c");
  CHECK(split("a..b") == "a | .. | b");
  CHECK(split("i:=1") == "i | := | 1");
  CHECK(split("a//b/c\\d") == "a | // | b | / | c | \\ | d");
  CHECK(split("a**b*c^d") == "a | ** | b | * | c | ^ | d");
  CHECK(split("a<>b/=c<=d>=e<f>g=h") == "a | <> | b | /= | c | <= | d | >= | e | < | f | > | g | = | h");
  CHECK(split("x''+y'->") == "x | ' | ' | + | y | ' | ->");
  CHECK(split("x-->y") == "x | - | -> | y");
}

TEST_CASE("a dot is part of a number, of a name, or an empty place") {
  CHECK(split("1..2") == "1 | .. | 2");
  CHECK(split("x = .5") == "x | = | 0.5");
  CHECK(split("(.,.,.,1000/0.2)") == "( | . | , | . | , | . | , | 1000 | / | 0.2 | )");
  CHECK(split("(P . . / .)") == "( | P | . | . | / | . | )");
  CHECK(split("s[3].x") == "s | [ | 3 | ] | . | x");
  CHECK(split("1.+2.") == "1 | + | 2");
  CHECK(split("m.\"any name\"") == "m | . | \"any name\"");
}

TEST_CASE("numbers") {
  CHECK(split("5 3.5E-9 1e3 2.E+2 .5e1 007") == "5 | 3.5e-09 | 1000 | 200 | 5 | 7");
  CHECK(split("1E-400") == "0");  // too small to matter
  const struct {
    const char* number;
    const char* carets;
  } bad[] = {{"3.5E", "^~~~"},   {"1E+", "^~~"},     {"1.2.3", "^~~~~"},    {"5x", "^~"},
             {"1E999", "^~~~~"}, {"3.5Ex", "^~~~~"}, {"1.2E3.4", "^~~~~~~"}};
  for (const auto& [number, carets] : bad) {
    const std::string text(number);
    CHECK(split(text + " y") ==
          "0 | y\nm.dym:1:1: error: bad number '" + text + "'\n  " + text + " y\n  " + carets + "\n");
  }
}

TEST_CASE("comments are blanks, over any number of lines") {
  CHECK(split("a{b}c { d\n e } f{}") == "a | c | f");
  const Tokens tokens = tokens_of("a{x}b {\n} c");
  CHECK(tokens[1].blank_before);
  CHECK_FALSE(tokens[1].newline_before);
  CHECK(tokens[2].newline_before);
}

TEST_CASE("an unclosed comment is reported where it begins") {
  CHECK(split("a {b\nc\n") ==
        "a\n"
        "m.dym:1:3: error: comment is not closed\n"
        "  a {b\n"
        "    ^\n"
        "note: a comment ends with '}'\n");
  CHECK(split("a } b") ==
        "a | } | b\n"
        "m.dym:1:3: error: '}' without '{'\n"
        "  a } b\n"
        "    ^\n"
        "note: comments do not nest\n");
}

TEST_CASE("strings end on their line and hold quotes twice") {
  CHECK(split("\"V\" \"\" \"a \"\"b\"\" {c}\"") == "\"V\" | \"\" | \"a \"b\" {c}\"");
  CHECK(split("x \"ab\ny") ==
        "x | \"ab | y\n"
        "m.dym:1:3: error: string is not closed\n"
        "  x \"ab\n"
        "    ^~~\n"
        "note: a string ends with '\"' on the same line\n");
}

TEST_CASE("unknown characters are reported once per run and shown as codes") {
  CHECK(split("a ## b") ==
        "a | ## | b\n"
        "m.dym:1:3: error: unexpected characters '##'\n"
        "  a ## b\n"
        "    ^~\n");
  CHECK(errors(std::string("model m\n  x\xC3\xA4 = 1\nend\n")) ==
        "m.dym:2:4: error: unexpected characters '\\xC3\\xA4'\n"
        "    x\xC3\xA4 = 1\n"
        "     ^~\n");
  CHECK(errors(std::string("model m\n  x = \0\nend\n", 20)) ==
        "m.dym:2:7: error: unexpected character '\\x00'\n    x = ?\n        ^\n");
  const std::string noise(40, '\x80');
  CHECK(split(noise).find("unexpected characters '\\x80\\x80\\x80\\x80\\x80\\x80\\x80\\x80\\x80\\x80\\x80\\x80...'") !=
        std::string::npos);
}

TEST_CASE("line ends of all kinds, tabs and a byte order mark") {
  CHECK(split("\xEF\xBB\xBF"
              "a\r\n\tb\f\vc") == "a | b | c");
  const Tokens tokens = tokens_of("a\r\nb c");
  CHECK(tokens[0].newline_before);
  CHECK(tokens[1].newline_before);
  CHECK_FALSE(tokens[2].newline_before);
  CHECK(tokens[2].blank_before);
}

TEST_CASE("keywords are lower case names") {
  const Tokens tokens = tokens_of("submodel Submodel x");
  CHECK(tokens[0].word == Word::Submodel);
  CHECK(tokens[1].word == Word::None);
  CHECK(tokens[2].kind == TokenKind::Identifier);
  for (int i = 1; i <= static_cast<int>(Word::When); ++i) {
    const auto word = static_cast<Word>(i);
    CHECK(tokens_of(text_of(word))[0].word == word);
  }
}

TEST_CASE("an empty text has one token") {
  for (const char* text : {"", " \n", "{ }"}) {
    const Tokens tokens = tokens_of(text);
    REQUIRE(tokens.size() == 1);
    CHECK(tokens[0].kind == TokenKind::End);
  }
}
