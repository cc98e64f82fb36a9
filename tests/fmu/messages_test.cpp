// What FMUs say when something cannot be computed: the time, the equations as they were written, and the variables of
// the model, not those that the compiler made.
#include <algorithm>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;
using Catch::Contains;

namespace {

std::string problem(const std::string& name) { return fmu_path("problem-" + name); }

auto how_often(const FmuRun& run, const std::string& what) {
  return std::count_if(run.log().begin(), run.log().end(),
                       [&](const std::string& line) { return line.find(what) != std::string::npos; });
}

}  // namespace

TEST_CASE("a small loop without a unique solution names its equations") {
  const Fmu fmu(problem("singular"));
  const auto check_failure = [](const std::string& text, const std::string& time, const std::string& coefficients) {
    CHECK_THAT(text, Contains("at time " + time + ": these equations have no unique solution for a, b, since the "
                                                  "determinant of their coefficients is 0:"));
    CHECK_THAT(text, Contains("(time - 1)*a + k*b = 1   (singular.dym:7)"));
    CHECK_THAT(text, Contains("k*a + (time - 1)*b = z   (singular.dym:8)"));
    CHECK_THAT(text, Contains("The coefficients are " + coefficients));
  };
  const auto failure = [](auto what) -> std::string {
    try {
      what();
    } catch (const FmuError& error) {
      return error.what();
    }
    return "";
  };
  CsRun at_start(fmu);
  check_failure(failure([&] { at_start.start(); }), "0", "-1, 1; 1, -1");
  CsRun later(fmu);
  later.set("k", 2);
  later.start(0, 3);
  later.advance(2.5);
  check_failure(failure([&] { later.advance(3); }), "3", "2, 2; 2, 2");
}

TEST_CASE("where no choice of states is any good, variables and constraint are named") {
  const Fmu fmu(problem("collapse"));
  CsRun cs(fmu);
  cs.set("_fmu.solver", 8);  // rk4
  cs.set("_fmu.step", 0.01);
  cs.start(0, 3);
  CHECK_THROWS_WITH(cs.advance(3), Contains("no solution found for x, y") &&
                                       Contains("the state chosen among 'x', 'y', tied together by x**2 + y**2 = "
                                                "L**2*(1 - time)**2   (collapse.dym:9") &&
                                       !Contains("stateset"));
}

TEST_CASE("clauses that trigger each other for ever are named") {
  const Fmu fmu(problem("unsettled"));
  CsRun cs(fmu);
  cs.start(0, 1);
  CHECK_THROWS_WITH(cs.advance(1), Contains("does not come to an end") &&
                                       Contains("when x > 0.5 and pre(a) <= pre(b)   (unsettled.dym:6)") &&
                                       Contains("when pre(b) < pre(a)   (unsettled.dym:9)"));
}

TEMPLATE_TEST_CASE("a delay that is none is refused at the start", "", CsRun, MeRun) {
  const Fmu fmu(problem("delayed"));
  for (const double delay : {0.0, -1.0}) {
    TestType run(fmu);
    run.set("T", delay);
    CHECK_THROWS_WITH(run.start(), Contains("a delay must be greater than 0, but is ") &&
                                       Contains("delay(u, T) in y = delay(u, T)   (delayed.dym:6)"));
  }
  TestType run(fmu);
  run.set("T", 1e-3);
  CHECK_NOTHROW(run.start());
}

TEST_CASE("leaving min and max is told once each time") {
  const Fmu fmu(problem("limits"));
  CsRun cs(fmu);
  cs.start(0, 3);
  double highest = 0;
  for (int k = 1; k <= 300; ++k) {
    cs.advance(k * 0.01);
    highest = std::max(highest, cs["y"]);
  }
  CHECK(highest > 1.28);
  CHECK(how_often(cs, "the solution leaves the limits") == 3);
  CHECK(how_often(cs, "is greater than its max 1.2") == 3);
}

TEST_CASE("tolerances that make no sense are refused, or replaced with a warning") {
  const Fmu fmu(problem("ball"));
  for (const double tolerance : {1e-300, 1e-14, 0.2}) {
    CsRun cs(fmu);
    CHECK_THROWS_WITH(cs.set("_fmu.tolerance", tolerance), Contains("fmi2Error") && Contains("from 1e-13 to 0.1"));
  }
  CsRun cs(fmu);
  CHECK_NOTHROW(cs.set("_fmu.tolerance", 1e-13));
  CHECK_NOTHROW(cs.set("_fmu.tolerance", 0));
  cs.tolerance = 1e-20;
  cs.start(0, 1);
  CHECK(how_often(cs, "the tolerance 1e-20 is taken as 1e-13") == 1);
  CHECK_NOTHROW(cs.advance(1));
}
