#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("precedence and flat sums and products") {
  const struct {
    const char* text;
    const char* printed;
  } cases[] = {
      {"a + b - c", "(a + b - c)"},
      {"a - (b - c)", "(a - (b - c))"},
      {"-a + b", "(-a + b)"},
      {"+a", "a"},
      {"-x**2", "(-(x ** 2))"},
      {"-x*y", "(-(x * y))"},
      {"a*b/c*d", "(a * b / c * d)"},
      {"a*-b/+c", "(a * (-b) / c)"},
      {"a - -b", "(a - (-b))"},
      {"2**-3", "(2 ** (-3))"},
      {"a**b**c", "((a ** b) ** c)"},
      {"a^b*c", "((a ** b) * c)"},
      {"a + b*c**d", "(a + (b * (c ** d)))"},
      {"(a)", "a"},
      {"a < b + 1", "(a < (b + 1))"},
      {"not a < b", "(not (a < b))"},
      {"not not a and b", "((not (not a)) and b)"},
      {"a or b and c or d", "(a or (b and c) or d)"},
      {"a <> b or a /= b", "((a <> b) or (a <> b))"},
      {"a <= b and c >= d and e > f", "((a <= b) and (c >= d) and (e > f))"},
      {"(a = b)", "(a = b)"},
      {"true and false", "(true and false)"},
      {"if a then b else c", "(if a then b else c)"},
      {"if a = b then c else d", "(if (a = b) then c else d)"},
      {"if a then b else if c then d else e + f", "(if a then b else (if c then d else (e + f)))"},
      {"if if a then b else c then d else e", "(if (if a then b else c) then d else e)"},
      {"1 + (if a > 0 then a**2 else 0)", "(1 + (if (a > 0) then (a ** 2) else 0))"},
      {"x'", "x'"},
      {"x''*2", "(x'' * 2)"},
      {"(a*b)'", "(a * b)'"},
      {"x'**2", "(x' ** 2)"},
      {"der(x, 1) + der2(x, 1, 2)", "(der(x, 1) + der2(x, 1, 2))"},
      {"f()", "f()"},
      {"sin (x)", "sin(x)"},
      {"atan2(a, -b)", "atan2(a, (-b))"},
      {"rho(h)*x[1]", "(rho(h) * x[1])"},
      {"[1, 2; 3, 4]*z", "([1, 2; 3, 4] * z)"},
      {"[1, [2, 3]]", "[1, [2, 3]]"},
      {"\"text\"", "\"text\""},
      {"1E3 + 0.5", "(1000 + 0.5)"},
  };
  for (const auto& [text, printed] : cases) CHECK(expression(text) == printed);
}

TEST_CASE("references") {
  CHECK(expression("a.b::c.d") == "a.b.c.d");
  CHECK(expression("s[3].x[1, 2]") == "s[3].x[1, 2]");
  CHECK(expression("x[1:k] + x[:] + A[:, i+1]") == "(x[1:k] + x[:] + A[:, (i + 1)])");
  CHECK(expression("m.\"any name\".x") == "m.\"any name\".x");
  CHECK(expression("input*type + time") == "((input * type) + time)");
}

TEST_CASE("places in the source cover an expression with its parentheses") {
  Parsed parsed;
  parse_into(parsed, "model m\n  y = (a + b)*c - f(-d)\nend\n");
  const auto& model = std::get<ModelDefinition>(parsed.file.items.at(0).node);
  const auto& equation = std::get<Equation>(model.body.at(0).node);
  CHECK(parsed.sources.text(model.body.at(0).where) == "y = (a + b)*c - f(-d)");
  CHECK(parsed.sources.text(equation.left.where) == "y");
  CHECK(parsed.sources.text(equation.right.where) == "(a + b)*c - f(-d)");
  const Expression& product = equation.right.children.at(0);
  CHECK(parsed.sources.text(product.where) == "(a + b)*c");
  CHECK(parsed.sources.text(product.children.at(0).where) == "(a + b)");
  CHECK(parsed.sources.text(equation.right.children.at(1).where) == "f(-d)");
  CHECK(parsed.sources.text(equation.right.children.at(1).children.at(0).where) == "-d");
}

TEST_CASE("what is wrong in an expression") {
  CHECK(errors("model m\n  y = a +\nend\n") ==
        "m.dym:2:10: error: expected an expression, found the end of the statement\n"
        "    y = a +\n"
        "           ^\n");
  CHECK(errors("model m\n  y = a * * b\nend\n") ==
        "m.dym:2:11: error: expected an expression, found '*'\n"
        "    y = a * * b\n"
        "            ^\n");
  CHECK(errors("model m\n  y = 0 < x < 1\nend\n") ==
        "m.dym:2:13: error: a relation compares two values\n"
        "    y = 0 < x < 1\n"
        "              ^\n"
        "note: join relations with 'and': a < b and b < c\n");
  CHECK(errors("model m\n  y = (a, 2)*b\nend\n") ==
        "m.dym:2:9: error: expected ')', found ','\n"
        "    y = (a, 2)*b\n"
        "          ^\n");
  CHECK(errors("model m\n  y = f(a 2*b)\nend\n") ==
        "m.dym:2:11: error: expected ',' or ')', found '2'\n"
        "    y = f(a 2*b)\n"
        "            ^\n");
  CHECK(errors("model m\n  y = [1 2]\nend\n") ==
        "m.dym:2:10: error: expected ',', ';' or ']', found '2'\n"
        "    y = [1 2]\n"
        "           ^\n");
  CHECK(errors("model m\n  y = if a then b + 1\nend\n") ==
        "m.dym:2:22: error: expected 'else', found the end of the statement\n"
        "    y = if a then b + 1\n"
        "                       ^\n");
  CHECK(errors("model m\n  y = if a > 0 b else c\nend\n") ==
        "m.dym:2:7: error: 'if' without 'then'\n"
        "    y = if a > 0 b else c\n"
        "        ^~\n");
  CHECK(errors("model m\n  y = x[1:]*2\nend\n") ==
        "m.dym:2:11: error: expected an expression, found ']'\n"
        "    y = x[1:]*2\n"
        "            ^\n");
  CHECK(errors("model m\n  y = 2*a::5\nend\n") ==
        "m.dym:2:12: error: expected a name, found '5'\n"
        "    y = 2*a::5\n"
        "             ^\n");
}

TEST_CASE("a single expression, such as a setting of the command line") {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  const auto good = parse_expression(sources, sources.add("--set", "2*(a = b)"), symbols, diagnostics);
  REQUIRE(good);
  CHECK(good->kind == ExpressionKind::Product);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(parse_expression(sources, sources.add("--set", "n = 3"), symbols, diagnostics)->kind ==
        ExpressionKind::Relation);
  CHECK_FALSE(parse_expression(sources, sources.add("--set", "2 3"), symbols, diagnostics));
  CHECK_FALSE(parse_expression(sources, sources.add("--set", ""), symbols, diagnostics));
  CHECK_FALSE(parse_expression(sources, sources.add("--set", "1E999"), symbols, diagnostics));
  std::ostringstream out;
  support::print(out, sources, diagnostics);
  CHECK(out.str() ==
        "--set:1:3: error: expected the end of the expression, found '3'\n"
        "  2 3\n"
        "    ^\n"
        "--set:1:1: error: expected an expression, found the end of the file\n"
        "  \n"
        "  ^\n"
        "--set:1:1: error: bad number '1E999'\n"
        "  1E999\n"
        "  ^~~~~\n");
}
