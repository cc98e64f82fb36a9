// Plans of the examples, and what every test of them checks.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/plan_interpreter.h"

using fmugen::structure::AliasMode;
using fmugen::structure::SimulationPlan;
using fmugen::tests::plan_of;
using fmugen::tests::PlanInterpreter;
using fmugen::tests::PlanSource;

inline PlanSource example(const std::string& file, const std::string& model = "", AliasMode aliases = AliasMode::All) {
  PlanSource source;
  source.file = std::string(MODELS) + "/examples/" + file + ".dym";
  source.model = model;
  source.library_path = {MODELS};
  source.options.aliases = aliases;
  return source;
}

// Each example is computed with and without removing aliases: the numbers must not depend on it.
#define FOR_ALL_ALIASES() GENERATE(AliasMode::All, AliasMode::Equal, AliasMode::None)

inline void check(const PlanInterpreter& run, const std::string& name, double expected, double margin) {
  INFO(name << " at " << run.time());
  CHECK(run[name] == Approx(expected).margin(margin).epsilon(0));
}

// Whatever was removed, substituted or differentiated: the equations as they were written hold.
inline void check_equations(const PlanInterpreter& run, double margin = 1e-7) {
  std::string worst;
  const double residual = run.largest_residual(&worst);
  INFO(worst << " at " << run.time());
  CHECK(residual < margin);
}
