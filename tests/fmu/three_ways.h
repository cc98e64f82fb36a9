// One model computed in three ways that share nothing but the plan: its FMU by Co-Simulation, its FMU by Model Exchange
// with the integrator of the tests, and the interpreter of plans.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/fmu_driver.h"
#include "tests/support/plan_interpreter.h"

namespace fmugen::tests {

inline std::string fmu_path(const std::string& name) { return std::string(FMUS) + "/" + name + ".fmu"; }

inline PlanSource example(const std::string& file, const std::string& model = "") {
  PlanSource source;
  source.file = std::string(MODELS) + "/examples/" + file + ".dym";
  source.model = model;
  source.library_path = {MODELS};
  return source;
}

}  // namespace fmugen::tests
