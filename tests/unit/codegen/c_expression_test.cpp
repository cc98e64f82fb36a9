#include "fmugen/codegen/c_expression.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/plan_interpreter.h"

using namespace fmugen;
using codegen::Leaf;
using codegen::LeafKind;

namespace {

// The right side of y = EXPRESSION as C text, with the constants declared before it.
std::string c_text(const std::string& expression) {
  const structure::SimulationPlan plan = tests::plan_of(
      {.text = "function f(p, q)\n  f := p + q\nend\n"
               "model m\n  parameter a = 2, b = 3\n  table t = (0, 1; 2, 3)\n  table t2 = (0, 1, 2; 1, 5, 6; 2, 7, 8)\n"
               "  local x, z, y\n  der(x) = 1 - x\n  der(z) = -z\n  y = " +
               expression + "\nend\n"});
  const codegen::MemoryLayout layout = codegen::lay_out(plan);
  codegen::Vocabulary words(plan, layout);
  codegen::Translator translate(words, {});
  codegen::CWriter writer(words, [&](Leaf leaf) -> std::string {
    switch (leaf.kind) {
      case LeafKind::Held: return "held" + std::to_string(leaf.number);
      case LeafKind::Pre: return "pre" + std::to_string(leaf.number);
      case LeafKind::Table:
      case LeafKind::Delay: return std::to_string(leaf.number);
      default: return leaf.number == 0 ? "t" : plan.system.name(layout.variable[leaf.number]);
    }
  });
  for (const structure::Block& block : plan.blocks)
    for (const structure::Assignment& a : block.assignments)
      if (plan.system.name(a.unknown) == "y") {
        std::string before;
        const std::string text = writer.write(translate(a.value), before, "");
        return before + text;
      }
  throw std::runtime_error("y is not computed by a formula");
}

}  // namespace

TEST_CASE("C text of expressions") {
  struct Case {
    const char *expression, *text;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"x + 2*z - 1", "x + 2.0*z - 1.0"},
           {"-x*z", "-x*z"},
           {"x - (z - a)", "x - (z - a)"},
           {"2*(x + z)", "2.0*(x + z)"},
           {"x/(z*a)", "x/(z*a)"},
           {"x/z/a", "x/z/a"},
           {"1/x", "1.0/x"},
           {"x**2 - x**3 + x**4 - x**5", "square_of(x) - cube_of(x) + square_of(square_of(x)) - pow(x, 5.0)"},
           {"a*x**(-2)", "a/square_of(x)"},
           {"x**0.5", "pow(x, 0.5)"},
           {"x**a", "pow(x, a)"},
           {"x/3", "x/3.0"},
           {"sin(time)*cos(x)", "sin(t)*cos(x)"},
           {"log(x) + ln(z)", "log10(x) + log(z)"},
           {"min(x, z, a)", "smaller_of(smaller_of(x, z), a)"},
           {"max(x, z, a, b)", "larger_of(larger_of(x, z), larger_of(a, b))"},
           {"abs(x) + atan2(x, z)", "fabs(x) + atan2(x, z)"},
           {"f(x, z + 1)", "fn_1_f(m, 0, x, z + 1.0)"},
           {"t(2*x)", "fmr_table_1d(m, model_tables + 0, 2.0*x, 0)"},
           {"t2(x, z)", "fmr_table_2d(m, model_tables + 1, x, z, 0, 0)"},
           {"delay(x, a)", "fmr_delay(m, 0, a)"},
       }) {
    INFO(c.expression);
    CHECK(c_text(c.expression) == c.text);
  }
}

TEST_CASE("relations that make events are read where they are held; others are computed") {
  CHECK(c_text("if x < z then x else 1") == "held0 != 0 ? x : 1.0");
  CHECK(c_text("noevent(if x < z then x else 1)") == "x < z ? x : 1.0");
  CHECK(c_text("if a < b then x else 1") == "a < b ? x : 1.0");
  CHECK(c_text("if x < z and not a < b then x else 1") == "held0 != 0 && !(a < b) ? x : 1.0");
  CHECK(c_text("2*(if noevent(x < z or a < b) then x else if x < a then 1 else 2)") ==
        "2.0*(x < z || a < b ? x : held0 != 0 ? 1.0 : 2.0)");
  CHECK(c_text("floor(x) + sign(z)") == "held0 + held1");
  CHECK(c_text("mod(x, a)") == "x - held0*a");
  CHECK(c_text("noevent(mod(x, a))") == "fmod(x, a)");
}

TEST_CASE("what is used twice is computed once, but not where it may not be needed") {
  CHECK(c_text("sin(x)*z + exp(sin(x))") == "const double e1 = sin(x);\ne1*z + exp(e1)");
  CHECK(c_text("a/(x + z) + b/(x + z)") == "const double e1 = x + z;\na/e1 + b/e1");
  CHECK(c_text("noevent(if x > 0 then sqrt(x)*exp(sqrt(x)) else 0)") == "0.0 < x ? sqrt(x)*exp(sqrt(x)) : 0.0");
}

TEST_CASE("sums of many terms are cut") {
  std::string sum = "sin(x)";
  for (int k = 1; k < 200; ++k) sum += " + sin(" + std::to_string(k + 1) + "*x)";
  const std::string text = c_text(sum);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK(text.find("const double e2 = e1 + sin(65.0*x)") != std::string::npos);
}

TEST_CASE("deep nests are cut") {
  std::string nest = "x";
  for (int k = 0; k < 100; ++k) nest = "sin(1 + " + nest + ")";
  const std::string text = c_text(nest);
  CHECK(std::count(text.begin(), text.end(), '\n') >= 2);
}
