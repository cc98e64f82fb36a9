#include <catch2/catch.hpp>

#include "tests/unit/structure/plans.h"

using namespace fmugen;
using namespace fmugen::structure;

namespace {

// "h < 0 [h]", "time > 5 @5": relations with their crossing functions or instants.
std::string events(const std::string& statements) {
  const Planned p("model m\n" + statements + "\nend\n");
  if (!p.plan) return p.errors();
  std::string out;
  for (const Relation& r : p.plan->events.relations) {
    CHECK((r.crossing == nullptr) != (r.instant == nullptr));
    out += (out.empty() ? "" : ", ") + p.text(r.node) +
           (r.instant ? " @" + p.text(r.instant) : " [" + p.text(r.crossing) + "]");
  }
  return out;
}

}  // namespace

TEST_CASE("conditions on states are state events") {
  CHECK(events("local x\nder(x) = if x > 1 then 0 else 1") == "x > 1 [1 - x]");
  CHECK(events("local x, y\nder(x) = if x <= y then 0 else 1\nder(y) = if (x = y) then 2 else 3") ==
        "x <= y [x - y], x = y [x - y]");
  CHECK(events("input u\nlocal x\nder(x) = if u < 2 then 0 else 1") == "u < 2 [u - 2]");
}

TEST_CASE("conditions on time and parameters are time events") {
  CHECK(events("local x\nparameter T = 3\nder(x) = if time > T then 1 else 0") == "T < time @T");
  CHECK(events("local x\nparameter T = 3\nder(x) = if 2*time + 1 < T then 1 else 0") == "2*time + 1 < T @0.5*T - 0.5");
  CHECK(events("local x\nparameter T = 3\nder(x) = if 5 - time >= 0 then 1 else sign(time - T)") ==
        "5 - time >= 0 @5, sign(time - T) @T");
}

TEST_CASE("conditions not linear in time have a crossing") {
  CHECK(events("local x\nder(x) = if sin(time) > 0.5 then 1 else 0") == "sin(time) > 0.5 [0.5 - sin(time)]");
}

TEST_CASE("conditions between parameters or discrete variables make no event") {
  CHECK(events("local x\nparameter p = 1\nder(x) = if p > 0 then 1 else 2") == "");
  CHECK(events("local x\ndiscrete k = 0\nder(x) = if k > 0 then 1 else 2\nwhen x > 3 then\nk := 1\nend") ==
        "x > 3 [3 - x]");
}

TEST_CASE("an instant that is a discrete variable is looked for") {
  CHECK(events("local x\ndiscrete t1 = 1\nder(x) = 1 + t1\nwhen time > t1 then\nt1 := pre(t1) + 1\nend") ==
        "t1 < time [t1 - time]");
}

TEST_CASE("noevent suppresses events, also where the condition is written elsewhere") {
  CHECK(events("local x, y\nder(x) = noevent(if x > 1 then 0 else 1)") == "2: nothing determines 'y'\n");
  CHECK(events("local x\nder(x) = noevent(if x > 1 then floor(x) else 1)") == "");
  CHECK(events("local x, y\nder(x) = noevent(if x > 1 then 0 else 1)\ny = if x > 1 then 2 else 3") == "x > 1 [1 - x]");
}

TEST_CASE("sign, int, floor, ceil and mod make events; abs, min and max do not") {
  CHECK(events("local x, y\nder(x) = sign(2*x)\ny = abs(x) + min(x, 2) + max(x, 3)") == "sign(2*x) [2*x]");
  CHECK(events("local x\nder(x) = floor(x)") == "floor(x) [sin(3.141592653589793*x)]");
  CHECK(events("local x\nparameter p = 2\nder(x) = mod(x, p)") == "mod(x, p) [sin(3.141592653589793*x/p)]");
  CHECK(events("local x\nder(x) = int(x) + ceil(x)").size() > 0);
}

TEST_CASE("a condition written twice is one relation") {
  CHECK(events("local x, y\nder(x) = if x > 1 then 0 else 1\nder(y) = if x > 1 then 2 else 3") == "x > 1 [1 - x]");
  CHECK(events("local x, y, z\nder(x) = if x > 1 then 0 else 1\ny = x\nz = if y > 1 then 2 else 3") == "x > 1 [1 - x]");
}

TEST_CASE("conditions of when, valid and terminate are in terms of what is left") {
  const Planned p(
      "model m\nlocal h, v, w, n\nder(h, 10) = v\nder(v) = -9.81\nw = -v\nn = h\nwhen n < 0 and w > 0 then\n"
      "reinit w := -0.5*pre(w)\nend\nvalid n > -1 \"low\"\nterminate when w > 100 \"fast\"\nend\n");
  REQUIRE(p.plan);
  const Events& e = p.plan->events;
  REQUIRE(e.whens.size() == 1);
  CHECK(p.text(e.whens[0].branches[0].condition) == "h < 0 and -v > 0");
  const auto& action = e.whens[0].branches[0].actions[0];
  CHECK(p.name(action.target) + " := " + p.text(action.value) == "v := -0.5*pre(v)");
  CHECK(p.text(e.validity[0].condition) == "h > -1");
  CHECK(p.text(e.terminations[0].condition) == "-v > 100");
  CHECK(e.relations.size() == 4);
}

TEST_CASE("reinit needs a state") {
  CHECK(events("local x, y\nder(x) = -x\ny = x**2\nwhen x > 1 then\nreinit y := 0\nend") ==
        "6: 'y' is not a state, so 'reinit' cannot set it\n");
  CHECK(events("local w1(stateselect=always), w2, t\nder(w1) = 1 - t\nder(w2) = 3*t - w2\nw2 = 3*w1\n"
               "when w1 > 1 then\nreinit w2 := 0\nend") ==
        "7: 'w2' is not a state, so 'reinit' cannot set it\n"
        "  2: other variables determine it; 'stateselect=always' makes it a state\n");
}

TEST_CASE("what reinit sets becomes a state") {
  const Planned p(
      "model m\nlocal w1(start=1), w2, t\nder(w1) = 1 - t\nder(w2) = 3*t - w2\nw2 = 3*w1\n"
      "when w1 > 1 then\nreinit w2 := 0\nend\nend\n");
  REQUIRE(p.plan);
  REQUIRE(p.plan->selection.states.size() == 1);
  CHECK(p.name(p.plan->selection.states[0]) == "w2");
}

TEST_CASE("a derivative that no equation contains cannot be watched") {
  CHECK(events("local x, y\nder(x) = -x\ny = x**2\nvalid der(y) > 1 \"slow\"") ==
        "5: der(y) cannot be used here: no equation contains it\n");
  CHECK(events("local x\nder(x) = -x\nvalid der(x) > 1 \"slow\"") == "der(x) > 1 [1 - der(x)]");
}

TEST_CASE("relations of sampled systems are looked at when they are sampled") {
  CHECK(events("end\ndiscrete model type s\ninput u\noutput y\nsample every 0.1\ny = if u > 1 then 1 else 0\nend\n"
               "model m2\nsubmodel (s) a\nlocal x\nder(x) = a.y\na.u = x") == "");
}
