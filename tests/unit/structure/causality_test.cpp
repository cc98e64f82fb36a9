// Inputs and outputs at the cuts of the root.
#include <catch2/catch.hpp>

#include "tests/unit/structure/graphs.h"
#include "tests/unit/structure/sorted_models.h"

namespace fmugen::structure {

namespace {

using Names = std::vector<std::string>;

const char* const kStar =
    "model star\n"
    "  cut A(v1 / i1), B(v2 / i2), C(v3 / i3)\n"
    "  parameter R1 = 1, R2 = 2, R3 = 3\n"
    "  local vc\n"
    "  i1 + i2 + i3 = 0\n"
    "  v1 - vc = i1*R1\n"
    "  v2 - vc = i2*R2\n"
    "  v3 - vc = i3*R3\n"
    "end\n";

const char* const kCapacitor = "model capacitor\n  cut A(v / i)\n  parameter C = 1\n  C*der(v) = i\nend\n";

PlanOptions with(Names inputs, Names outputs = {}, bool derivatives = false) {
  PlanOptions options;
  options.as_input = std::move(inputs);
  options.as_output = std::move(outputs);
  options.input_derivatives = derivatives;
  return options;
}

}  // namespace

TEST_CASE("inputs and outputs of small models") {
  struct Case {
    const char* body;
    Names inputs, outputs;
  };
  const Case cases[] = {
      {"cut A(v / i)\n parameter C = 1\n C*der(v) = i", {"i"}, {"v"}},  // a state is an output
      {"cut A(v / i)\n parameter R = 1\n v = R*i", {"v"}, {"i"}},       // both work: across is the input
      {"cut A(v / i)\n parameter L = 1\n L*der(i) = v", {"v"}, {"i"}},
      {"cut A(v / i)\n local x\n parameter C = 1\n v = 2*x\n C*der(x) = 2*i", {"i"}, {"v"}},  // v constrains a state
      {"cut A(v / i)\n local x\n parameter R = 1, C = 1\n v = x + R*i\n C*der(x) = i", {"v"}, {"i"}},
      {"cut A(Va / I), B(Vb / -I)\n parameter R = 1\n Va - Vb = R*I", {"Va", "Vb"}, {"I"}},
      {"cut A(Va / I), B(Vb / -I)\n local V\n parameter C = 1\n V = Va - Vb\n C*der(V) = I", {"Va", "I"}, {"Vb"}},
      {"cut A(W, P1), B(W, P2)\n parameter f = 1\n P1**2 - P2**2 = f*W**2", {"W", "P1"}, {"P2"}},  // flow along a path
      {"cut A(v / i)\n v = 5\n i = 2*v", {}, {"v", "i"}},
      {"cut A(v / i)\n input u\n v = u", {"u", "i"}, {"v"}},
      {"cut A(u), B(y)\n input u\n output y\n y = 2*u", {"u"}, {"y"}},
      {"cut A(p), B(q)\n parameter p = 1\n q = 2*p", {}, {"q"}},
      {"cut A(w / t)\n local w1, t1\n input t0\n parameter N = 2\n der(w1) = t0 - t1\n w = N*w1\n der(w) = N*t1 + t",
       {"t0", "t"},
       {"w"}},  // a constraint inside the model
      {"cut A(a), B(b), C(c)\n a = -b\n b = -c", {"a"}, {"b", "c"}},
  };
  for (const Case& c : cases) {
    INFO(c.body);
    const Sorted made = sorted(std::string("model m\n ") + c.body + "\nend\n");
    CHECK(made.messages == "");
    CHECK(made.inputs() == c.inputs);
    CHECK(made.outputs() == c.outputs);
  }
}

TEST_CASE("the equations speak of the inputs, whatever was an alias of what") {
  const Sorted made = sorted("model m\n cut A(u)\n local x, v(start=3), y\n v = -u\n der(x) = v\n y = x\nend\n");
  REQUIRE(made.good);
  CHECK(made.inputs() == Names{"u"});
  const System& s = made.plan.system;
  const VarId u = made.variable("u");
  CHECK(s.alias[index(u)].root == u);
  CHECK(s.alias[index(made.variable("v"))].root == u);
  CHECK(s.alias[index(made.variable("v"))].sign == -1);
  REQUIRE(made.plan.blocks.size() == 1);
  CHECK(made.plan.blocks[0].assignments[0].value ==
        const_cast<System&>(s).model.pool.neg(const_cast<System&>(s).model.pool.variable(u)));
}

TEST_CASE("options choose") {
  CHECK(sorted(kStar).inputs() == Names{"v1", "v2", "v3"});
  CHECK(sorted(kStar, with({"i1", "i2"})).inputs() == Names{"i1", "i2", "v3"});
  CHECK(sorted(kStar, with({"i1", "i2"})).good);
  CHECK(sorted(kStar, with({}, {"v2"})).outputs() == Names{"i1", "v2", "i3"});
  const char* const pipe = "model pipe\n cut A(W), B(W2)\n local P\n W = W2\n P = W\nend\n";
  CHECK(sorted(pipe).inputs() == Names{"W"});
  CHECK(sorted(pipe, with({"W2"})).inputs() == Names{"W2"});
  CHECK(sorted(pipe, with({}, {"W"})).inputs() == Names{"W2"});  // another member of the class takes its place
}

TEST_CASE("impossible choices list the possible ones") {
  CHECK(sorted(kStar, with({"i1", "i2", "i3"})).messages ==
        "'i3' cannot be an input together with 'i1', 'i2': the equations determine it | the cuts of the model need 3 "
        "inputs; possible instead are 'v1', 'v2', 'v3'");
  CHECK(sorted(kStar, with({"i1", "i2"}, {"v1", "v2", "v3"})).messages ==
        "'v3' cannot be an output together with 'v1', 'v2': nothing would determine it | the cuts of the model need 3 "
        "inputs; possible instead is 'i3'");
  CHECK(
      sorted(kStar, with({"v1", "v2", "v3", "i1"})).messages ==
      "'i1' cannot be an input together with 'v1', 'v2', 'v3': the equations determine it | the cuts of the model need "
      "3 inputs; no other input is possible");
  CHECK(sorted(kCapacitor, with({"v"})).messages ==
        "'v' cannot be an input: the derivative of an input would be needed | the cuts of the model need 1 input; "
        "possible instead is 'i' | with --input-derivatives the derivative becomes a further input");
  CHECK(sorted(kCapacitor, with({}, {"i"})).messages ==
        "'i' cannot be an output: the derivative of an input would be needed | the cuts of the model need 1 input; "
        "possible instead is 'v' | with --input-derivatives the derivative becomes a further input");
  CHECK(sorted("model m\n cut A(v)\n v = 5\nend\n", with({"v"})).messages ==
        "'v' cannot be an input: the equations determine it | the cuts of the model need 0 inputs; no other input is "
        "possible");
  CHECK(sorted(kCapacitor, with({"v"}, {"v"})).messages == "'v' cannot be both input and output");
  CHECK(sorted(kCapacitor, with({"w"})).messages == "'w' is not a variable of a cut of the model; these are 'v', 'i'");
  CHECK(sorted("model m\n local x\n x = 1\nend\n", with({}, {"x"})).messages ==
        "'x' is not a variable of a cut of the model, which has none");
}

TEST_CASE("derivatives of inputs become inputs if that is allowed") {
  const Sorted made = sorted(kCapacitor, with({"v"}, {}, true));
  CHECK(made.messages == "");
  CHECK(made.inputs() == Names{"v", "der(v)"});
  CHECK(made.outputs() == Names{"i"});
  CHECK(made.plan.selection.states.empty());
  const char* const declared = "model m\n input u\n output y\n y = der(u)\nend\n";
  CHECK(
      sorted(declared).messages ==
      "the derivative of input 'u' is needed in y = der(u) | with --input-derivatives the derivative becomes a further "
      "input");
  CHECK(sorted(declared, with({}, {}, true)).inputs() == Names{"u", "der(u)"});
  const Sorted renamed =
      sorted("model m\n cut A(p), B(q)\n local x(start=1)\n p = -x\n q = der(x) + x\nend\n", with({"p"}, {}, true));
  CHECK(renamed.messages == "");
  CHECK(renamed.inputs() == Names{"p", "der(p)"});
  REQUIRE(renamed.plan.blocks.size() == 1);
}

TEST_CASE("a redundant sum takes no unknown of a cut") {
  const Sorted made = sorted(
      "model m\n cut A(a), B(b)\n local x, y, z\n"
      " x + y + z = 0\n x + y + 2*z = 0\n 2*x + 2*y + 3*z = 0\n x = 3*y*a\n b = 2*a\nend\n");
  CHECK(made.messages == "");
  CHECK(made.inputs() == Names{"a"});
}

TEST_CASE("what is wrong inside is reported as ever") {
  CHECK(sorted("model m\n cut A(a)\n local x, y\n x + 2*y = a\nend\n").messages.rfind("too few equations", 0) == 0);
  CHECK(sorted("model m\n cut A(a)\n local x\n x*x = 1\n x**3 = 1\n a = x\nend\n")
            .messages.rfind("too many equations", 0) == 0);
}

TEST_CASE("random models: the first solvable choice in the order of preference") {
  Chance chance(17);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t inner = chance.below(4), outer = 1 + chance.below(5);
    const std::uint32_t rows = inner + chance.below(outer + 1);
    Rows graph;
    std::string text = "model m\n cut A(";
    for (std::uint32_t k = 0; k < outer; ++k) text += (k ? ", c" : "c") + std::to_string(k);
    text += ")\n";
    for (std::uint32_t k = 0; k < inner; ++k) text += " local x" + std::to_string(k) + "\n";
    for (std::uint32_t r = 0; r < rows; ++r) {
      graph.push_back({});
      text += " 1";
      for (std::uint32_t c = 0; c < inner + outer; ++c)
        if (chance.percent(45)) {
          graph.back().push_back(c);
          text += " + sin(" + (c < inner ? "x" + std::to_string(c) : "c" + std::to_string(c - inner)) + ")";
        }
      text += " = " + std::to_string(r) + ".5*time\n";
    }
    const auto solvable = [&](std::uint32_t outputs) {
      Incidence g;
      g.columns = inner + outer;
      for (const Row& row : graph) {
        Row kept;
        for (const std::uint32_t c : row)
          if (c < inner || (outputs >> (c - inner) & 1)) kept.push_back(c);
        g.add_row(kept);
      }
      return maximum_matching(g).size == rows;
    };
    std::uint32_t best = 0;  // the largest number: later members are outputs first
    for (std::uint32_t set = 0; set < (1u << outer); ++set)
      if (static_cast<std::uint32_t>(__builtin_popcount(set)) + inner == rows && solvable(set)) best = set;
    if (!solvable(best) || static_cast<std::uint32_t>(__builtin_popcount(best)) + inner != rows) continue;
    const Sorted made = sorted(text + "end\n");
    INFO(text);
    CHECK(made.messages == "");
    for (std::uint32_t k = 0; k < outer; ++k)
      CHECK((made.plan.system.model[made.variable("c" + std::to_string(k))].kind == equations::VariableKind::Output) ==
            ((best >> k & 1) != 0));
  }
}

TEST_CASE("many members cost little") {
  const int n = 5000;  // a cascade open at every stage
  std::string text = "model m\n cut A(u0)\n";
  for (int k = 1; k <= n; ++k) {
    const std::string i = std::to_string(k), before = std::to_string(k - 1);
    text += " cut C" + i + "(u" + i + ")\n u" + i + " = 2*u" + before + "\n";
  }
  const Sorted made = sorted(text + "end\n");
  CHECK(made.inputs() == Names{"u0"});
}

}  // namespace fmugen::structure
