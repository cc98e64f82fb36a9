#include "fmugen/simnon/parser.h"

#include <catch2/catch.hpp>

using namespace fmugen;
using namespace fmugen::simnon;

namespace {

// Fully parenthesised, to see how it was grouped.
std::string shape(const Expression& e) {
  const auto list = [&](const char* name) {
    std::string text = std::string(name) + "(";
    for (std::size_t k = 0; k < e.children.size(); ++k) text += (k ? "," : "") + shape(e.children[k]);
    return text + ")";
  };
  switch (e.kind) {
    case ExpressionKind::Number: return std::to_string(static_cast<int>(e.number));
    case ExpressionKind::Reference:
      return e.reference.system ? e.reference.name.text + "[" + e.reference.system->text + "]" : e.reference.name.text;
    case ExpressionKind::Call: return list(e.reference.name.text.c_str());
    case ExpressionKind::Sum: return list("sum");
    case ExpressionKind::Product: return list("product");
    case ExpressionKind::Negative: return list("negative");
    case ExpressionKind::Inverse: return list("inverse");
    case ExpressionKind::Power: return list("power");
    case ExpressionKind::Less: return list("less");
    case ExpressionKind::Greater: return list("greater");
    case ExpressionKind::Not: return list("not");
    case ExpressionKind::And: return list("and");
    case ExpressionKind::Or: return list("or");
    case ExpressionKind::If: return list("if");
  }
  return "";
}

std::string shape(const std::string& text) {
  support::Sources sources;
  support::Diagnostics diagnostics;
  const auto lines = read_lines(sources, sources.add("a.sim", text), diagnostics);
  std::size_t at = 0;
  const auto e = parse_expression(lines.at(0).tokens, at, diagnostics);
  if (!e) return "error: " + diagnostics.all().at(0).text;
  return shape(*e) + (lines[0].tokens[at].kind == TokenKind::End ? "" : " and more");
}

}  // namespace

TEST_CASE("expressions are grouped as in Algol") {
  CHECK(shape("-A*B+C/D/E") == "sum(negative(product(A,B)),product(C,inverse(D),inverse(E)))");
  CHECK(shape("A-(B-C)") == "sum(A,negative(sum(B,negative(C))))");
  CHECK(shape("-A^2") == "negative(power(A,2))");
  CHECK(shape("A^B^C") == "power(power(A,B),C)");
  CHECK(shape("A+B<C*D") == "less(sum(A,B),product(C,D))");
  CHECK(shape("NOT A<B AND C OR D>E") == "or(and(not(less(A,B)),C),greater(D,E))");
  CHECK(shape("IF T<1 THEN A ELSE IF T<T2 THEN B ELSE C") == "if(less(T,1),A,if(less(T,T2),B,C))");
  CHECK(shape("IF T<T2 THEN (IF T<T1 THEN A ELSE B) ELSE C") == "if(less(T,T2),if(less(T,T1),A,B),C)");
  CHECK(shape("IF IF SW THEN T<10 ELSE T>5 THEN 0 ELSE 1") == "if(if(SW,less(T,10),greater(T,5)),0,1)");
  CHECK(shape("(IF T<1 OR T>2 THEN 0 ELSE 1) + LEVEL") == "sum(if(or(less(T,1),greater(T,2)),0,1),LEVEL)");
  CHECK(shape("FI[CONT]*ATAN2(X,-Y)") == "product(FI[CONT],ATAN2(X,negative(Y)))");
}

TEST_CASE("long sums make flat trees") {
  std::string text = "A";
  for (int k = 0; k < 20000; ++k) text += "+A*B";
  CHECK(shape(text).size() > 100000);
}

TEST_CASE("a word of the language is a name where an assignment follows") {
  support::Sources sources;
  support::Diagnostics diagnostics;
  const File file =
      parse(sources, sources.add("a.sim", "CONTINUOUS SYSTEM A\nTIME=1\nNEW:2\nEND[B]=STATE\nEND\n"), diagnostics);
  CHECK(!diagnostics.has_errors());
  REQUIRE(file.systems.size() == 1);
  REQUIRE(file.systems[0].statements.size() == 3);
  CHECK(file.systems[0].statements[1].kind == StatementKind::Constant);
  CHECK(file.systems[0].statements[2].target.system->text == "B");
}

TEST_CASE("systems, sections, declarations and the experiment") {
  support::Sources sources;
  support::Diagnostics diagnostics;
  const File file =
      parse(sources,
            sources.add("a.sim",
                        "DISCRETE SYSTEM D \" what it is\nINPUT U, V W\nOUTPUT Y \" the output\nTSAMP TS\n"
                        "INITIAL\nTS=1\nOUTPUT\nY=U\nSTOP WHEN Y>1\nDYNAMICS\nTS=2\nK:-2.5\nEND D\nSIMU -1 2 0.5\n"),
            diagnostics);
  CHECK(!diagnostics.has_errors());
  const System& s = file.systems.at(0);
  CHECK(s.kind == SystemKind::Discrete);
  CHECK(s.comment == "what it is");
  CHECK(s.declarations.size() == 5);
  CHECK(s.declarations[3].comment == "the output");
  REQUIRE(s.statements.size() == 5);
  CHECK(s.statements[0].section == Section::Initial);
  CHECK(s.statements[2].kind == StatementKind::Stop);
  CHECK(s.statements[4].number == -2.5);
  CHECK(file.experiment->start == -1);
  CHECK(file.experiment->increment == 0.5);
}
