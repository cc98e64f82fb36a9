// Plans that are spoiled in one place each: verify() says where.
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "tests/unit/structure/plans.h"

namespace fmugen::structure {

namespace {

// x is a state; y, z and w follow; {a, b} is a linear loop, {p, q} a nonlinear one.
const char* const kModel = R"(
model m
  local x, y, z, a, b, p, q
  der(x) = -z
  y = x + 1
  z = 2*y*a
  a + 2*b = x
  a - b = y
  p + q**3 = x
  p*q + sin(q) = 1
end
)";

std::string spoiled(const std::function<void(SimulationPlan&)>& spoil) {
  Planned planned(kModel);
  REQUIRE(planned.plan);
  CHECK(verify(*planned.plan) == "");
  spoil(*planned.plan);
  return verify(*planned.plan);
}

VarId named(const SimulationPlan& plan, const std::string& name) {
  for (std::uint32_t v = 0; v < plan.system.model.variables.size(); ++v)
    if (plan.system.name(VarId{v}) == name) return VarId{v};
  throw std::runtime_error("no variable " + name);
}

std::size_t block_of(const SimulationPlan& plan, const std::string& name) {
  const VarId v = named(plan, name);
  for (std::size_t k = 0; k < plan.blocks.size(); ++k)
    for (const VarId u : plan.blocks[k].unknowns)
      if (u == v) return k;
  throw std::runtime_error("no block with " + name);
}

}  // namespace

TEST_CASE("a block is missing") {
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.blocks.erase(plan.blocks.begin() + static_cast<std::ptrdiff_t>(block_of(plan, "p")));
        }).ends_with("of the equations is in no block"));
}

TEST_CASE("a block comes too early") {
  CHECK(spoiled([](SimulationPlan& plan) {
          const std::size_t y = block_of(plan, "y"), z = block_of(plan, "z");
          REQUIRE(y < z);
          std::swap(plan.blocks[y], plan.blocks[z]);
        }).ends_with("in an assignment, where it is not known"));
}

TEST_CASE("a block stands twice") {
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.blocks.push_back(plan.blocks[block_of(plan, "y")]);
        }).find("repeats equation") != std::string::npos);
}

TEST_CASE("an unknown is determined by nothing, or twice") {
  CHECK(spoiled([](SimulationPlan& plan) { plan.selection.states.clear(); }).find("uses 'x'") != std::string::npos);
  CHECK(spoiled([](SimulationPlan& plan) { plan.selection.states.push_back(named(plan, "x")); }) ==
        "'x' is a state twice");
  CHECK(spoiled([](SimulationPlan& plan) { plan.selection.states.push_back(named(plan, "y")); }) ==
        "state 'y' has no derivative");
  CHECK(spoiled([](SimulationPlan& plan) {
          Block& block = plan.blocks[block_of(plan, "p")];
          block.unknowns[0] = block.unknowns[1];
        }).find("which is known already") != std::string::npos);
}

TEST_CASE("an assignment uses what it assigns") {
  CHECK(spoiled([](SimulationPlan& plan) {
          Block& block = plan.blocks[block_of(plan, "y")];
          block.assignments[0].value = plan.system.model.pool.variable(named(plan, "y"));
        }).ends_with("uses 'y' in an assignment, where it is not known"));
}

TEST_CASE("parts of loops") {
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.blocks[block_of(plan, "a")].right.pop_back();
        }).ends_with("has not as many right sides as unknowns to solve for"));
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.blocks[block_of(plan, "a")].matrix[0].row = 7;
        }).ends_with("has a matrix entry outside its matrix"));
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.blocks[block_of(plan, "p")].residuals.clear();
        }).ends_with("has not as many residuals as tearing variables"));
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.blocks[block_of(plan, "p")].assignments.clear();
        }).find("does not determine") != std::string::npos);
  CHECK(spoiled([](SimulationPlan& plan) {
          Block& block = plan.blocks[block_of(plan, "p")];
          block.residuals[0] = plan.system.model.pool.der(plan.system.model.pool.variable(named(plan, "x")));
        }).ends_with("has a derivative that is no variable in a residual"));
}

TEST_CASE("links and aliases") {
  CHECK(spoiled([](SimulationPlan& plan) { plan.system.integral[index(named(plan, "der(x)"))] = kNone; }) ==
        "'x' is not the integral of its derivative");
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.system.alias[index(named(plan, "y"))].root = named(plan, "z");
          plan.system.alias[index(named(plan, "z"))].root = named(plan, "x");
        }) == "'y' is an alias of an alias");
}

TEST_CASE("state sets") {
  const auto spoiled_set = [](const std::function<void(StateSet&)>& spoil) {
    Planned planned("model m\n  local x, y, z\n  x' = z*y\n  y' = -z*x + time\n  x**2 + y**2 = 1\nend\n");
    REQUIRE(planned.plan);
    REQUIRE(verify(*planned.plan).empty());
    spoil(planned.plan->selection.dynamic.at(0));
    return verify(*planned.plan);
  };
  CHECK(spoiled_set([](StateSet& set) { set.constraints.clear(); }) ==
        "a state set has not as many states as are free");
  CHECK(spoiled_set([](StateSet& set) { set.selection.pop_back(); }) == "the tables of a state set differ in length");
  CHECK(spoiled_set([](StateSet& set) { set.chosen[0] = 2; }) == "a state set begins with a choice that is none");
  CHECK(spoiled_set([](StateSet& set) { set.states[0] = set.candidates[0]; }) == "'x' is in a state set, but no state");
  CHECK(spoiled_set([](StateSet& set) { set.candidates[1] = set.states[0]; }) ==
        "'stateset1[1]' cannot be a candidate of a state set");
  CHECK(spoiled_set([](StateSet& set) { set.selection[0] = set.candidates[0]; }) ==
        "'x' selects states, but is not made for it");
  CHECK(spoiled_set([](StateSet& set) { set.constraints[0] = 1000; }) ==
        "a state set has a constraint that does not exist");
  CHECK(spoiled_set([](StateSet& set) { set.jacobian[0].row = 1; }) == "a state set has a slope outside its matrix");
}

TEST_CASE("colours") {
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.jacobians.residuals.colour.assign(plan.jacobians.residuals.columns, 0);
          plan.jacobians.residuals.colours = 1;
        }) == "residuals: two columns of one colour in one row");
}

TEST_CASE("the start") {
  CHECK(spoiled([](SimulationPlan& plan) {
          plan.initial.blocks.pop_back();
        }).find("of the equations at the start is in no block") != std::string::npos);
}

}  // namespace fmugen::structure
