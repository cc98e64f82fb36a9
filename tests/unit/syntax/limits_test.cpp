// Texts of unusual size and depth: the parser takes time in proportion to the size and never overflows the stack.
#include <catch2/catch.hpp>
#include <ctime>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

namespace {

std::string repeated(const std::string& text, int count) {
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// The first message about the statement, without the source line.
std::string first_error(const std::string& statement) {
  Parsed parsed;
  parse_into(parsed, "model m\n" + statement + "\nend\n");
  return parsed.diagnostics.all().empty() ? "" : parsed.diagnostics.all()[0].text;
}

// Time of the processor, not of the clock: other programs may be running.
double seconds_to_parse(const std::string& text) {
  Parsed parsed;
  const std::clock_t start = std::clock();
  parse_into(parsed, text);
  const double time = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CHECK_FALSE(parsed.diagnostics.has_errors());
  return time;
}

const std::string kTooDeep = "parentheses and operators nest deeper than 400 levels";

}  // namespace

TEST_CASE("expressions may nest 400 levels") {
  const struct {
    const char* open;
    const char* inner;
    const char* close;
  } cases[] = {
      {"(", "a", ")"},
      {"f(", "a", ")"},
      {"[", "a", "]"},
      {"x[", "a", "]"},
      {"if a then b else ", "c", ""},
      {"if ", "a", " then b else c"},
      {"1 + b*(", "a", ")"},
      {"not ", "a", ""},
      {"-", "a", ""},
      {"a**", "a", ""},
      {"a or b and c < -d + e*(", "a", ")"},
  };
  for (const auto& [open, inner, close] : cases) {
    CHECK(first_error("y = " + repeated(open, 395) + inner + repeated(close, 395)) == "");
    CHECK(first_error("y = " + repeated(open, 405) + inner + repeated(close, 405)) == kTooDeep);
    CHECK(first_error("y = " + repeated(open, 50000) + inner + repeated(close, 50000)) == kTooDeep);
  }
}

TEST_CASE("connections and cuts may nest 400 levels") {
  const struct {
    const char* open;
    const char* inner;
    const char* close;
  } cases[] = {{"(a to ", "b", ")"}, {"(", "a, b", ")"}, {"\\", "a", ""}, {"(a / ", "b", ")"}};
  for (const auto& [open, inner, close] : cases) {
    CHECK(first_error("c to " + repeated(open, 395) + inner + repeated(close, 395)) == "");
    CHECK(first_error("c to " + repeated(open, 405) + inner + repeated(close, 405)) == kTooDeep);
    CHECK(first_error("c to " + repeated(open, 50000) + inner + repeated(close, 50000)) == kTooDeep);
  }
  CHECK(first_error("cut c" + repeated("(", 395) + "a" + repeated(")", 395)) == "");
  CHECK(first_error("cut c" + repeated("(", 50000) + "a" + repeated(")", 50000)) == kTooDeep);
  CHECK(first_error("x" + repeated(":(a", 395) + repeated(")", 395) + " at b") == "");
}

TEST_CASE("models and blocks may nest 2000 levels") {
  CHECK(errors(repeated("model m ", 1000) + repeated(" end", 1000)) == "");
  for (const char* open : {"model m\n", "for i := 1 to 2 do\n", "if c then\n", "realization r\n"}) {
    CHECK(errors("model m\n" + repeated(open, 1999) + "x = 1\n" + repeated("end\n", 2000)) == "");
    CHECK(first_error(repeated(open, 2000) + "x = 1\n" + repeated("end\n", 2000)) ==
          "models and blocks nest deeper than 2000 levels");
    CHECK(first_error(repeated(open, 100000)) == "models and blocks nest deeper than 2000 levels");
  }
  CHECK(first_error("if a then x = 1\n" + repeated("else if b then x = 2\n", 1900) + "end") == "");
  CHECK(first_error("if a then x = 1\n" + repeated("else if b then x = 2\n", 3000) + "end") ==
        "models and blocks nest deeper than 2000 levels");
}

TEST_CASE("a deep tree can be printed") {
  CHECK(tree(repeated("model m\n", 2000) + repeated("end\n", 2000)).size() > 2000u * 2000u);
}

TEST_CASE("blocks in functions may nest 400 levels") {
  CHECK(errors("function f(a)\n" + repeated("if a then\n", 395) + "f := 1\n" + repeated("end\n", 396)) == "");
  CHECK(errors("function f(a)\n" + repeated("for i := 1 to 2 do\n", 500) + "f := 1\n" + repeated("end\n", 501))
            .find(kTooDeep) != std::string::npos);
}

TEST_CASE("100 000 operands are one flat node") {
  std::string sum = "y = a", chain = "a", list = "a to (b", list_of_names = "local a";
  for (int i = 0; i < 100000; ++i) {
    sum += i % 2 == 0 ? " + b*c" : " - d/e";
    chain += " // b";
    list += ", c";
    list_of_names += " x" + std::to_string(i);
  }
  const std::string text = "model m\n" + sum + "\n" + chain + "\n" + list + ")\n" + list_of_names + "\nend\n";
  CHECK(seconds_to_parse(text) < 5);  // some tenths of a second without sanitizers
}

TEST_CASE("100 000 lines are read in well under a second") {
  std::string text = "model m\n";
  for (int i = 0; i < 25000; ++i) {
    const std::string k = std::to_string(i);
    text += "  local v" + k + "(unit=\"V\"), i" + k + "\n  C*der(v" + k + ") = i" + k + "/2\n  V" + k + " = Va" + k +
            " - Vb" + k + "\n  R" + k + " to C" + k + " to N\n";
  }
  CHECK(seconds_to_parse(text + "end\n") < 5);  // the limit allows for sanitizers
}

TEST_CASE("the name if in a long statement costs no more than any other") {
  CHECK(seconds_to_parse("model m\n  y = if" + repeated(" - if", 100000) + "\nend\n") < 5);
  CHECK(seconds_to_parse("model m\n  y = " + repeated("(if a then b else c) + ", 30000) + "d\nend\n") < 5);
}
