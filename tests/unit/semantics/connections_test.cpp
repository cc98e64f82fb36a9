// Connection operators and connection sets.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/flattening.h"

using fmugen::testing::flatten;

namespace {

// Two-poles a..d with a main path, loads p..s with a main cut, nodes N and M.
std::string circuit(const std::string& statements) {
  return "model type two\n cut A(Va / I) B(Vb / -I)\n main path P(A - B)\nend\n"
         "model type one\n main cut C(V / I)\nend\n"
         "model m\n submodel (two) a b c\n submodel (one) p q\n node N, M\n" +
         statements + "\nend\n";
}

// Equations of the connections alone: those of unconnected cuts are left out.
std::string connection_equations(const std::string& statements) {
  const auto flat = flatten(circuit(statements));
  if (!flat.model) return flat.messages;
  std::string text;
  const auto equations = flat.equations();
  for (std::size_t k = 0; k < equations.size(); ++k)
    if (flat.model->equations[k].origin.kind != fmugen::equations::OriginKind::Unconnected) text += equations[k] + "\n";
  return text;
}

}  // namespace

TEST_CASE("every operator couples the ends of the table, in words and symbols") {
  const struct {
    const char* words;
    const char* symbols;
    const char* expected;
  } cases[] = {
      {"p at q", "p = q", "p.V = q.V\np.I + q.I = 0\n"},
      {"a to b", "a - b", "a.Vb = b.Va\n-a.I + b.I = 0\n"},
      {"p to a", "p - a", "p.V = a.Va\np.I + a.I = 0\n"},
      {"a to p", "a - p", "a.Vb = p.V\n-a.I + p.I = 0\n"},
      {"a from b", "connect a < b", "a.Va = b.Vb\na.I - b.I = 0\n"},
      {"p from a", "connect p < a", "p.V = a.Vb\np.I - a.I = 0\n"},
      {"a from p", "connect a < p", "a.Va = p.V\na.I + p.I = 0\n"},
      {"a par b", "a // b", "a.Va = b.Va\na.I + b.I = 0\na.Vb = b.Vb\n-a.I - b.I = 0\n"},
      {"a loop b", "a // \\ b", "a.Va = b.Vb\na.I - b.I = 0\na.Vb = b.Va\n-a.I + b.I = 0\n"},
      {"p par q", "p // q", "p.V = q.V\np.I + q.I = 0\n"},
      {"reversed a to b", "\\ a - b", "a.Va = b.Va\na.I + b.I = 0\n"},
      {"a to b to c", "a - b - c", "a.Vb = b.Va\n-a.I + b.I = 0\nb.Vb = c.Va\n-b.I + c.I = 0\n"},
  };
  for (const auto& c : cases) {
    INFO(c.words);
    CHECK(connection_equations(c.words) == c.expected);
    CHECK(connection_equations(c.symbols) == c.expected);
  }
}

TEST_CASE("sets are closed over statements; nodes and superfluous connections add nothing") {
  CHECK(connection_equations("p at N\nq at N") == "p.V = q.V\np.I + q.I = 0\n");
  CHECK(connection_equations("p at N\nN at M\nM at q\nq at p") == "p.V = q.V\np.I + q.I = 0\n");
  CHECK(connection_equations("p at p") == "");
  CHECK(connection_equations("p at N") == "p.I = 0\n");
}

TEST_CASE("lists are hierarchical cuts and paths") {
  CHECK(connection_equations("a:(A, B) at (p:C, q:C)") == "a.Va = p.V\na.I + p.I = 0\na.Vb = q.V\n-a.I + q.I = 0\n");
  CHECK(connection_equations("a:(A, B) at (N, N)") == "a.Va = a.Vb\n");
  CHECK(connection_equations("(a, b) to (p, q)") == "a.Vb = p.V\n-a.I + p.I = 0\nb.Vb = q.V\n-b.I + q.I = 0\n");
  CHECK(connection_equations("(N, M) to (a, b)") == "a.I = 0\nb.I = 0\n");
  CHECK(connection_equations("a..(B - A) to p") == "a.Va = p.V\na.I + p.I = 0\n");
}

TEST_CASE("temporary cuts bring variables, numbers and dots") {
  CHECK(connection_equations("(5 / .) at p") == "p.V = 5\n");
  CHECK(connection_equations("(. / 0.2) at p") == "0.2 + p.I = 0\n");
  CHECK(connection_equations("(a.Va / -b.I) at p") == "a.Va = p.V\n-b.I + p.I = 0\n");
}

TEST_CASE("a cut with variables has an inside and an outside of opposite sign") {
  const auto flat = flatten(
      "model type one\n cut C(V / I)\n V = 2*I\nend\n"
      "model type box\n cut C(V / I)\n submodel (one) x y\n C at x:C at y:C\nend\n"
      "model m\n submodel (box) b\n submodel (one) z\n b:C at z:C\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  const auto equations = flat.equations();
  const auto has = [&](const std::string& text) {
    return std::find(equations.begin(), equations.end(), text) != equations.end();
  };
  CHECK(has("b.V = b.x.V"));
  CHECK(has("b.x.V = b.y.V"));
  CHECK(has("-b.I + b.x.I + b.y.I = 0"));
  CHECK(has("b.V = z.V"));
  CHECK(has("b.I + z.I = 0"));
  CHECK(equations.size() == 8);
}

TEST_CASE("a cut without variables passes through any number of levels") {
  const auto flat = flatten(
      "model type one\n cut C(V / I)\nend\n"
      "model type box\n cut C\n submodel (one) x\n C at x:C\nend\n"
      "model type boxbox\n cut C\n submodel (box) x\n C at x:C\nend\n"
      "model m\n submodel (boxbox) b\n submodel (one) z\n b:C at z:C\nend\n");
  REQUIRE(flat.model);
  CHECK(flat.equation_text() == "b.x.x.V = z.V\nb.x.x.I + z.I = 0\n");
}

TEST_CASE("an unconnected cut carries nothing, unless an across variable has a default") {
  const auto flat = flatten(
      "model type pipe\n cut a(P1 / q1) b(P2 / q2)\n default P2 = 3\n q1 = P1 - P2\n q2 = -q1\nend\n"
      "model m\n submodel pipe\nend\n");
  REQUIRE(flat.model);
  CHECK(flat.equations() == std::vector<std::string>{"pipe.q1 = pipe.P1 - pipe.P2", "pipe.q2 = -pipe.q1", "pipe.q1 = 0",
                                                     "pipe.P2 = 3"});
}

TEST_CASE("units of one dimension get a factor, across and through") {
  const auto flat = flatten(
      "model type a\n cut c(v(unit = \"km/h\") / f(unit = \"kN\"))\nend\n"
      "model type b\n cut c(v(unit = \"m/s\") / f(unit = \"N\"))\nend\n"
      "model type t\n cut c(T(unit = \"degC\"))\nend\n"
      "model type k\n cut c(T(unit = \"K\"))\nend\n"
      "model m\n submodel a, b, t, k\n a:c at b:c\n t:c at k:c\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.equations() == std::vector<std::string>{"a.v = 3.6*b.v", "a.f + 0.001*b.f = 0", "t.T = k.T - 273.15"});
}

TEST_CASE("the cuts of the root are terminals; one without variables takes those of the first inner cut") {
  const auto flat = flatten(
      "model type one\n cut C(V / I)\n V = I\nend\n"
      "model m\n cut flange(w / -tau) \"shaft\"\n cut p\n submodel (one) x\n p at x:C\n w = tau\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  REQUIRE(flat.model->boundary.size() == 2);
  CHECK(flat.model->boundary[0].name == "flange");
  CHECK(flat.model->boundary[0].description == "shaft");
  CHECK(flat.model->boundary[0].members[1].through);
  CHECK(flat.model->boundary[0].members[1].sign == -1);
  CHECK(flat.model->boundary[1].members[0].name == "p.V");
  CHECK(flat.equations().back() == "-p.I + x.I = 0");
}

TEST_CASE("cuts of a matrix of cuts are reached by both indices") {
  const auto flat = flatten(
      "model type grid\n cut c[2,3]\n submodel (one) x[2,3]\n for i := 1 to 2 do\n for j := 1 to 3 do\n c[i,j] at x[i,j]:C\n"
      " end\n end\nend\nmodel type one\n cut C(V / I)\nend\n"
      "model m\n submodel (grid) g\n submodel (one) z\n g:c[2,1] at z:C\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  const auto equations = flat.equations();
  CHECK(std::find(equations.begin(), equations.end(), "g.x[2,1].V = z.V") != equations.end());
  CHECK(flatten("model type a\n cut c[2](x)\nend\nmodel m\n submodel a\n node N\n a:c[3] at N\nend\n").first_error() ==
        "7:6: index 3 of 'c' is out of range: it has 2 elements");
}
