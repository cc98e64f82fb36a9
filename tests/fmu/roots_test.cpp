// Square roots in branches that a condition guards: on the way to the event their arguments may be negative.
#include <algorithm>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

TEST_CASE("a tank runs empty, whatever the integrator") {
  const Fmu fmu(fmu_path("problem-drain"));
  for (const double solver : {2, 3, 4, 5, 8}) {  // cvode, adams, ida, dopri45, rk4
    CsRun run(fmu);
    run.set("_fmu.solver", solver);
    run.start();
    run.advance(1);
    INFO("solver " << solver);
    CHECK(run["h"] == Approx(0.25).margin(1e-5));
    run.advance(5);
    CHECK(run["h"] == Approx(0).margin(1e-5));
    CHECK(run["q"] == 0);
    CHECK(run.log().empty());
  }
  MeRun me(fmu);
  me.start();
  me.advance(5);
  CHECK(me["h"] == Approx(0).margin(1e-6));
  CHECK(me.log().empty());
}

TEST_CASE("a root that stays below zero is reported") {
  const Fmu fmu(fmu_path("problem-mistake"));
  CsRun run(fmu);
  run.start();
  for (int k = 1; k <= 30; ++k) run.advance(0.1 * k);
  const auto& log = run.log();
  CHECK(std::any_of(log.begin(), log.end(), [](const std::string& line) {
    return line.find("in a branch whose condition holds: it is taken as 0") != std::string::npos;
  }));
}
