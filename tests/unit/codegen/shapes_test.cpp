#include "fmugen/codegen/shapes.h"

#include <catch2/catch.hpp>

#include "tests/support/plan_interpreter.h"

using namespace fmugen;
using codegen::code;
using codegen::Expr;
using codegen::Leaf;
using codegen::LeafKind;

TEST_CASE("expressions that differ only in their leaves have the same shape") {
  const structure::SimulationPlan plan = tests::plan_of({.text = "model m\n  local x\n  der(x) = -x\nend\n"});
  const codegen::MemoryLayout layout = codegen::lay_out(plan);
  codegen::Vocabulary words(plan, layout);
  codegen::Shapes shapes(words);
  equations::ExprPool& pool = words.pool;
  const auto value = [&](std::uint32_t n) { return pool.variable(code({LeafKind::Value, n})); };
  const auto passive = [&](std::uint32_t n) { return pool.variable(code({LeafKind::Passive, n})); };
  std::vector<Leaf> leaves;
  const auto shape = [&](Expr e) {
    leaves.clear();
    return shapes.shape(e, leaves);
  };

  const std::uint32_t product = shape(pool.mul(value(3), value(7)));
  CHECK(shape(pool.mul(value(5), value(9))) == product);
  REQUIRE(leaves.size() == 2);
  CHECK(leaves[0].number == 5);
  CHECK(leaves[1].number == 9);

  SECTION("the kind of a leaf matters") { CHECK(shape(pool.mul(value(3), passive(7))) != product); }
  SECTION("numbers matter") {
    const std::uint32_t twice = shape(pool.mul(pool.number(2), value(1)));
    CHECK(shape(pool.mul(pool.number(2), value(8))) == twice);
    CHECK(shape(pool.mul(pool.number(3), value(1))) != twice);
  }
  SECTION("a leaf that occurs twice is one") {
    const auto both = [&](std::uint32_t a, std::uint32_t b) {
      return pool.add(pool.call(equations::Function::Sin, value(a)), pool.mul(value(a), value(b)));
    };
    const auto three = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      return pool.add(pool.call(equations::Function::Sin, value(a)), pool.mul(value(c), value(b)));
    };
    CHECK(shape(both(1, 2)) == shape(both(4, 3)));
    CHECK(shape(both(1, 2)) != shape(three(1, 2, 3)));
  }
  SECTION("functions matter") {
    CHECK(shape(pool.call(equations::Function::Sin, value(1))) != shape(pool.call(equations::Function::Cos, value(1))));
  }
}
