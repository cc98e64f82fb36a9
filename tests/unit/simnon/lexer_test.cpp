#include "fmugen/simnon/lexer.h"

#include <catch2/catch.hpp>

using namespace fmugen;

namespace {

struct Read {
  support::Sources sources;
  support::Diagnostics diagnostics;
  std::vector<simnon::Line> lines;
  explicit Read(const std::string& text) {
    lines = simnon::read_lines(sources, sources.add("a.sim", text), diagnostics);
  }
  std::string tokens(std::size_t line) const {
    std::string text;
    for (const simnon::Token& token : lines.at(line).tokens) text += (text.empty() ? "" : " ") + token.text;
    return text;
  }
};

}  // namespace

TEST_CASE("a line is split into names, numbers and signs") {
  const Read read("V=5.75*12/(.08-2.59E-4)+2E5  \" volts \n");
  REQUIRE(read.lines.size() == 1);
  CHECK(read.tokens(0) == "V = 5.75 * 12 / ( .08 - 2.59E-4 ) + 2E5 ");
  CHECK(read.lines[0].comment == "volts");
  CHECK(read.lines[0].tokens[9].number == 2.59e-4);
  CHECK(!read.diagnostics.has_errors());
}

TEST_CASE("empty lines and comments are left out") {
  const Read read("\n  \n\" a comment\r\nX=1\r\n\n");
  REQUIRE(read.lines.size() == 1);
  CHECK(read.tokens(0) == "X = 1 ");
}

TEST_CASE("an exponent needs digits") {
  const Read read("2E\n2E+\n2.E1\n7e-1");
  CHECK(read.tokens(0) == "2 E ");
  CHECK(read.tokens(1) == "2 E + ");
  CHECK(read.lines[2].tokens[0].number == 20);
  CHECK(read.lines[3].tokens[0].number == 0.7);
}

TEST_CASE("the power sign is written in three ways") {
  const Read read(
      "A^B\nA**B\nA\xe2\x86\x91"
      "B\n");
  for (std::size_t k = 0; k < 3; ++k) CHECK(read.tokens(k) == "A ^ B ");
}

TEST_CASE("words of the language may have letters of either case") {
  const Read read("Continuous system X1");
  CHECK(read.lines[0].tokens[0].is_word("CONTINUOUS"));
  CHECK(read.lines[0].tokens[1].is_word("SYSTEM"));
  CHECK(!read.lines[0].tokens[2].is_word("X"));
}

TEST_CASE("what cannot be read is reported and left out") {
  const Read read("A=B;C\x01\n\xff");
  CHECK(read.diagnostics.errors() == 3);
  CHECK(read.tokens(0) == "A = B C ");
}
