#include "fmugen/structure/state_sets.h"

#include <catch2/catch.hpp>

#include "tests/unit/structure/plans.h"

namespace fmugen::structure {

namespace {

std::string joined(const Planned& planned, const std::vector<VarId>& variables) {
  std::string out;
  for (const VarId v : variables) out += (out.empty() ? "" : " ") + planned.name(v);
  return out;
}

// "x of x y, by 2*x 2*y" for each set: what is chosen before the start, the candidates, the Jacobian.
std::string sets(const Planned& planned) {
  std::string out;
  for (const StateSet& set : planned.plan->selection.dynamic) {
    std::vector<VarId> chosen;
    for (const std::uint32_t i : set.chosen) chosen.push_back(set.candidates[i]);
    out += (out.empty() ? "" : "; ") + joined(planned, chosen) + " of " + joined(planned, set.candidates) + ", by";
    for (const Entry& e : set.jacobian) out += " " + planned.text(e.value);
  }
  return out;
}

std::string starts(const Planned& planned) {
  std::string out;
  for (const auto& start : planned.plan->initial.starts)
    out += (out.empty() ? "" : ", ") + planned.name(start.variable) + " = " + planned.text(start.value);
  return out;
}

std::string notes(const Planned& planned) {
  std::string out;
  for (const auto& d : planned.diagnostics.all())
    if (d.severity == support::Severity::Note) out += (out.empty() ? "" : "\n") + d.text;
  return out;
}

std::string pendulum(const std::string& declarations, const std::string& more = "") {
  return "model m\n  local F\n  " + declarations + "\n  x' = u\n  y' = v\n  u' = -F*x\n  v' = -F*y - 9.81\n" +
         "  x**2 + y**2 = 1\n" + more + "end\n";
}

}  // namespace

TEST_CASE("what a state set consists of") {
  const Planned planned(pendulum("local x(start=0.6), y(start=-0.8), u, v"));
  REQUIRE(planned.errors() == "");
  REQUIRE(planned.plan);
  CHECK(verify(*planned.plan) == "");
  CHECK(sets(planned) == "u of u v, by 2*x 2*y; x of x y, by 2*x 2*y");
  CHECK(joined(planned, planned.plan->selection.states) == "stateset1[1] stateset2[1]");
  const StateSet& set = planned.plan->selection.dynamic[1];
  CHECK(joined(planned, set.selection) == "stateset2.A[1,1] stateset2.A[1,2]");
  CHECK(planned.plan->system.model[set.selection[0]].value == 1);
  CHECK(planned.plan->system.model[set.selection[1]].value == 0);
  CHECK(set.nominal == std::vector<double>{1, 1});
  CHECK(starts(planned) == "x = 0.6, u = 0");
  const auto& last = planned.plan->system.equations.back();
  CHECK(planned.text(last.left) == "der(stateset2[1])");
  CHECK(planned.text(last.right) == "stateset2.A[1,1]*der(x) + stateset2.A[1,2]*der(y)");
}

TEST_CASE("the choice before the start") {
  struct Row {
    const char *declarations, *sets, *starts;
  };
  const Row row = GENERATE(
      // where the rod hangs, stands and lies, and what is written decides
      Row{"local x(start=0), y(start=-1), u(start=3), v", "u of u v, by 2*x 2*y; x of x y, by 2*x 2*y", "u = 3, x = 0"},
      Row{"local x(start=1), y(start=0), u, v", "v of u v, by 2*x 2*y; y of x y, by 2*x 2*y", "y = 0, v = 0"},
      Row{"local x(start=1), y(start=0), u(start=3), v", "v of u v, by 2*x 2*y; y of x y, by 2*x 2*y", "y = 0, v = 0"},
      Row{"local x(start=0.9), y, u, v", "u of u v, by 2*x 2*y; x of x y, by 2*x 2*y", "x = 0.9, u = 0"},
      Row{"local x, y(start=0.9), u, v", "v of u v, by 2*x 2*y; y of x y, by 2*x 2*y", "y = 0.9, v = 0"},
      // what must hold holds, whatever the choice
      Row{"local x(start=1, fixed=true), y(start=0), u(start=0, fixed=true), v",
          "v of u v, by 2*x 2*y; y of x y, by 2*x 2*y", "x = 1, u = 0"},
      Row{"local x(start=0.6, stateselect=avoid), y(start=-0.8, stateselect=prefer), u, v",
          "u of u v, by 2*x 2*y; y of x y, by 2*x 2*y", "y = -0.8, u = 0"});
  const Planned planned(pendulum(row.declarations));
  INFO(row.declarations);
  REQUIRE(planned.plan);
  CHECK(sets(planned) == row.sets);
  CHECK(starts(planned) == row.starts);
}

TEST_CASE("nominal values scale the candidates") {
  const Planned planned(pendulum("local x(start=0.6, nominal=1E-3), y(start=0.8, nominal=5), u, v"));
  REQUIRE(planned.plan);
  CHECK(planned.plan->selection.dynamic[1].nominal == std::vector<double>{1e-3, 5});
  CHECK(planned.plan->selection.dynamic[0].nominal == std::vector<double>{1, 1});
}

TEST_CASE("a static choice where it stays regular") {
  const auto dynamic = [](const std::string& text) {
    const Planned planned(text);
    REQUIRE(planned.plan);
    return planned.plan->selection.dynamic.size();
  };
  CHECK(dynamic("model m\n  local w1, w2, T\n  w1' = 3 - T\n  2*w2' = T\n  w1 = 7*w2\nend\n") == 0);
  // one slope that is fixed is enough
  CHECK(dynamic("model m\n  local x, y, F\n  x' = F\n  y' = -F + 1\n  y = x**2\nend\n") == 0);
  CHECK(dynamic("model m\n  local x(start=1), y, F\n  x' = F\n  y' = -F + 1\n  y**2 = x**2\nend\n") == 1);
  // nothing to choose
  CHECK(dynamic("model m\n  local x(start=1), F\n  x' = F\n  x**2 = 1 + time\nend\n") == 0);
}

TEST_CASE("a choice of the user stands") {
  struct Row {
    const char *declarations, *more, *states, *notes;
  };
  const Row row =
      GENERATE(Row{"local x(start=0.6, stateselect=always), y, u(stateselect=always), v", "", "x u",
                   "no fixed choice of states stays regular here, but 'u' and what is tied to it are not chosen anew: "
                   "it has stateselect=always\n"
                   "no fixed choice of states stays regular here, but 'x' and what is tied to it are not chosen anew: "
                   "it has stateselect=always"},
               Row{"local x(start=0.6, stateselect=never), y, u, v", "", "y stateset1[1]",
                   "no fixed choice of states stays regular here, but 'x' and what is tied to it are not chosen anew: "
                   "it has stateselect=never"},
               Row{"local x(start=0.6), y, u, v", "  when x > 0.5 then reinit u := 0 end\n", "u stateset1[1]",
                   "no fixed choice of states stays regular here, but 'u' and what is tied to it are not chosen anew: "
                   "'reinit' sets it"});
  const Planned planned(pendulum(row.declarations, row.more));
  INFO(row.declarations << row.more << planned.errors());
  REQUIRE(planned.plan);
  CHECK(verify(*planned.plan) == "");
  CHECK(joined(planned, planned.plan->selection.states) == row.states);
  CHECK(notes(planned) == row.notes);
}

TEST_CASE("no sets with --states static") {
  PlanOptions options;
  options.dynamic_states = false;
  const Planned planned(pendulum("local x(start=0.6), y, u, v"), options);
  REQUIRE(planned.plan);
  CHECK(planned.plan->selection.dynamic.empty());
  CHECK(notes(planned) == "");
}

TEST_CASE("names that are taken") {
  const Planned planned(pendulum("local x(start=0.6), y, u, v, stateset1", "  stateset1 = 2*x\n"));
  REQUIRE(planned.plan);
  CHECK(joined(planned, planned.plan->selection.states) == "stateset_1[1] stateset_2[1]");
}

TEST_CASE("sets that have nothing to do with each other stay apart") {
  const Planned planned(
      "model rod\n  local x(start=0.6), y, u, v, F\n  x' = u\n  y' = v\n  u' = -F*x\n  v' = -F*y - 9.81\n"
      "  x**2 + y**2 = 1\nend\n\nmodel m\n  submodel (rod) a, b\nend\n");
  REQUIRE(planned.plan);
  CHECK(planned.plan->selection.dynamic.size() == 4);
  for (const StateSet& set : planned.plan->selection.dynamic) CHECK(set.candidates.size() == 2);
}

TEST_CASE("a constraint of many") {
  // x1**2 + ... + xn**2 = 1, rates given but for a force towards the middle
  const auto text = [](int n) {
    std::string equations, sum;
    for (int k = 1; k <= n; ++k) {
      const std::string x = "x" + std::to_string(k);
      equations += "  " + x + "' = 1 - F*" + x + "\n";
      sum += (k > 1 ? " + " : "") + x + "**2";
    }
    return "model m\n  local F\n" + equations + "  " + sum + " = 1\nend\n";
  };
  const Planned small(text(20));
  REQUIRE(small.plan);
  REQUIRE(small.plan->selection.dynamic.size() == 1);
  CHECK(small.plan->selection.dynamic[0].states.size() == 19);
  CHECK(small.plan->initial.starts.size() == 19);
  const Planned large(text(static_cast<int>(kLargestSet) + 1));
  REQUIRE(large.plan);
  CHECK(large.plan->selection.dynamic.empty());
  CHECK(large.plan->selection.states.size() == kLargestSet);
  CHECK(notes(large) ==
        "no fixed choice of states stays regular here, but 'x1' and what is tied to it are not chosen anew: "
        "too many variables are related with it");
}

}  // namespace fmugen::structure
