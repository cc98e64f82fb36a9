#include "fmugen/codegen/memory_layout.h"

#include <catch2/catch.hpp>

#include "fmu-runtime/include/fmu_runtime/model_interface.h"
#include "tests/support/plan_interpreter.h"

using namespace fmugen;
using codegen::Initial;
using codegen::MemoryLayout;

namespace {

struct Layout {
  structure::SimulationPlan plan;
  MemoryLayout layout;

  explicit Layout(const std::string& text, codegen::LayoutOptions options = {})
      : plan(tests::plan_of({.text = text})), layout(codegen::lay_out(plan, options)) {}

  equations::VarId var(const std::string& name) const {
    for (std::uint32_t v = 0; v < plan.system.model.variables.size(); ++v)
      if (plan.system.name(equations::VarId{v}) == name) return equations::VarId{v};
    throw std::runtime_error("no variable " + name);
  }
  codegen::Slot slot(const std::string& name) const { return layout.slot_of(var(name)); }
  std::uint32_t reference(const std::string& name) const { return layout.value_reference(var(name)); }
  Initial initial(const std::string& name) const { return layout.initial[index(var(name))]; }
  unsigned role(const std::string& name) const { return layout.role[slot(name)]; }
};

constexpr const char* kSmall =
    "model m\n"
    "  parameter k = 2, k2 = 2*k, free = 1\n"
    "  input u\n"
    "  output y\n"
    "  local x, z, three, w\n"
    "  der(x, 1) = -k*y + u\n"
    "  y = x\n"
    "  z = -x\n"
    "  three = 3\n"
    "  w = k2*x\n"
    "end\n";

}  // namespace

TEST_CASE("slots come kind by kind behind time") {
  const Layout m(kSmall);
  CHECK(m.slot("x") == 1);
  CHECK(m.slot("der(x)") == 2);
  CHECK(m.slot("u") == 3);
  CHECK(m.slot("k") == 4);
  CHECK(m.slot("k2") == 5);
  CHECK(m.slot("free") == 6);
  CHECK(m.slot("w") == 7);
  CHECK(m.slot("three") == 8);
  CHECK(m.layout.slots == 9);
  CHECK(m.layout.states == std::vector<codegen::Slot>{1});
  CHECK(m.layout.rates == std::vector<codegen::Slot>{2});
  CHECK(m.layout.inputs == std::vector<codegen::Slot>{3});
}

TEST_CASE("aliases share the value reference; negated ones are numbered behind the slots") {
  const Layout m(kSmall);
  CHECK(m.reference("y") == m.reference("x"));
  CHECK(m.reference("z") == m.layout.slots);
  CHECK(m.layout.negated == std::vector<codegen::Slot>{1});
  CHECK(m.layout.start_of(m.var("z")) == -1);
}

TEST_CASE("start values are those of the model") {
  const Layout m(kSmall);
  CHECK(m.layout.start[m.slot("x")] == 1);
  CHECK(m.layout.start[m.slot("k2")] == 4);
  CHECK(m.layout.start[m.slot("three")] == 3);
}

TEST_CASE("what starts at a number can be set, what starts at an expression is calculated") {
  const Layout m(
      "model m\n"
      "  parameter p = 2\n"
      "  local x, y, z\n"
      "  der(x, 1) = -x\n"
      "  der(y, 2*p) = -y\n"
      "  z + exp(z) = x\n"
      "end\n");
  CHECK(m.initial("x") == Initial::Exact);
  CHECK((m.role("x") & FMR_START) != 0);
  CHECK((m.role("x") & FMR_STATE) != 0);
  CHECK(m.initial("y") == Initial::Calculated);
  CHECK((m.role("y") & FMR_START) == 0);
  CHECK(m.layout.start[m.slot("y")] == 4);
  CHECK(m.initial("z") == Initial::Approx);
  CHECK((m.role("z") & FMR_GUESS) != 0);
  CHECK(m.initial("p") == Initial::Exact);
  CHECK(m.role("p") == (FMR_EXPOSED | FMR_PARAMETER));
}

TEST_CASE("an initial equation computes the state") {
  const Layout m("model m\n  local x\n  der(x) = 1 - x\n  initial der(x) = 0\nend\n");
  CHECK(m.initial("x") == Initial::Calculated);
}

TEST_CASE("parameters that follow from others are calculated") {
  const Layout m(kSmall);
  CHECK(m.initial("k2") == Initial::Calculated);
  CHECK((m.role("k2") & FMR_PARAMETER) == 0);
  CHECK((m.role("k") & FMR_PARAMETER) != 0);
}

TEST_CASE("the interface leaves out what is inside") {
  const std::string text =
      "model type part\n  parameter r = 1\n  local a, b\n  der(a) = -r*a\n  b = a*a\nend\n"
      "model m\n  submodel (part) s\n  output y\n  y = s.a + s.b\nend\n";
  const Layout all(text);
  CHECK((all.role("s.b") & FMR_EXPOSED) != 0);
  const Layout interface(text, {.expose = codegen::Expose::Interface});
  CHECK((interface.role("s.b") & FMR_EXPOSED) == 0);
  CHECK((interface.role("s.a") & FMR_EXPOSED) != 0);
  CHECK((interface.role("der(s.a)") & FMR_EXPOSED) != 0);
  CHECK((interface.role("s.r") & FMR_EXPOSED) != 0);
  CHECK((interface.role("y") & FMR_EXPOSED) != 0);
}

TEST_CASE("only a tunable parameter that is given can be set at events") {
  const Layout m("model m\nparameter k(tunable=true) = 2, k2 = 2*k, r = 1\nlocal x\nx' = k2*x + r\nend\n");
  CHECK(m.role("k") == (FMR_EXPOSED | FMR_PARAMETER | FMR_TUNABLE));
  CHECK(m.role("k2") == FMR_EXPOSED);
  CHECK(m.role("r") == (FMR_EXPOSED | FMR_PARAMETER));
}
