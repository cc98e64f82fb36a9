// Which blocks are computed once, for the simulation, or only to be looked at.
#include <catch2/catch.hpp>

#include "tests/unit/structure/sorted_models.h"

namespace fmugen::structure {

namespace {

std::string section_of(const Sorted& sorted, const std::string& name) {
  const VarId v = sorted.variable(name);
  for (const Block& block : sorted.plan.blocks)
    for (const VarId unknown : block.unknowns)
      if (unknown == v)
        return block.section == Section::Parameter ? "parameter"
               : block.section == Section::Dynamic ? "dynamic"
                                                   : "output";
  return "none";
}

Sorted marked(const std::string& body) {
  Sorted result = sorted("model m\n" + body + "\nend\n");
  REQUIRE(result.messages == "");
  mark_sections(result.plan);
  return result;
}

}  // namespace

TEST_CASE("parameter, dynamic and output blocks") {
  const Sorted m = marked(
      " parameter p = 2\n local x, a, b, f, g, y, z\n"
      " a = sin(p)\n b = 2*a\n f = b*x\n der(x) = -f\n g = f + 1\n y = cos(g)\n z = b + 1");
  CHECK(section_of(m, "a") == "parameter");
  CHECK(section_of(m, "b") == "parameter");
  CHECK(section_of(m, "z") == "parameter");
  CHECK(section_of(m, "f") == "dynamic");
  CHECK(section_of(m, "der(x)") == "dynamic");
  CHECK(section_of(m, "g") == "output");
  CHECK(section_of(m, "y") == "output");
}

TEST_CASE("loops are of one section") {
  const Sorted m = marked(
      " parameter p = 2\n local x, a, b, c, d\n"
      " a + sin(b) = p\n b + cos(a) = 1\n c + sin(d) = x\n d + cos(c) = a\n der(x) = b");
  CHECK(section_of(m, "a") == "parameter");
  CHECK(section_of(m, "b") == "parameter");
  CHECK(section_of(m, "c") == "output");
  CHECK(section_of(m, "d") == "output");
}

TEST_CASE("time, inputs and discrete variables are no parameters") {
  const Sorted m = marked(
      " input u\n discrete n\n local a, b, c, d, e\n a = time\n b = 2*u\n c = n + 1\n d = sin(a)\n e = 3 + sin(1)\n"
      " when time > 1 then\n  n := 2\n end");
  for (const char* name : {"a", "b", "c", "d"}) CHECK(section_of(m, name) == "output");
}

TEST_CASE("conditions, actions and delays need their variables") {
  const Sorted m = marked(
      " discrete n\n local x, a, b, c, d, e, f\n der(x) = 1\n a = sin(x)\n b = cos(x)\n c = 2*x\n d = delay(c, 1)\n"
      " e = 3*x\n f = 4*x\n terminate when e > 4\n"
      " when a > 1 then\n  n := b\n end");
  CHECK(section_of(m, "a") == "dynamic");
  CHECK(section_of(m, "b") == "dynamic");
  CHECK(section_of(m, "c") == "dynamic");
  CHECK(section_of(m, "d") == "output");
  CHECK(section_of(m, "e") == "dynamic");
  CHECK(section_of(m, "f") == "output");
}

TEST_CASE("what is inside a delay of a delay is remembered") {
  const Sorted m = marked(" local x, a, b, y\n der(x) = 1\n a = sin(x)\n b = cos(x)\n y = delay(b*delay(a, 1), 2)");
  CHECK(section_of(m, "a") == "dynamic");
  CHECK(section_of(m, "b") == "dynamic");
  CHECK(section_of(m, "y") == "output");
}

TEST_CASE("relations found as events need their variables") {
  Sorted m = sorted("model m\n local x, a, y\n der(x) = 1\n a = sin(x)\n y = if a > 0.5 then 1 else 2\nend\n");
  REQUIRE(m.messages == "");
  Relation relation;
  relation.node = m.plan.system.equations.back().right->child(0);
  REQUIRE(relation.node->op() == equations::Op::Less);
  m.plan.events.relations.push_back(relation);
  mark_sections(m.plan);
  CHECK(section_of(m, "a") == "dynamic");
  CHECK(section_of(m, "y") == "output");
}

TEST_CASE("what constraints determine is dynamic only if derivatives need it") {
  const Sorted m = marked(
      " local w1, w2, t\n parameter N = 2, J1 = 1, J2 = 3\n J1*der(w1) = time - t\n w2 = N*w1\n J2*der(w2) = t/N");
  CHECK(m.plan.selection.states.size() == 1);
  CHECK(section_of(m, "t") == "dynamic");
  CHECK(section_of(m, m.plan.selection.states[0] == m.variable("w1") ? "w2" : "w1") == "output");
}

}  // namespace fmugen::structure
