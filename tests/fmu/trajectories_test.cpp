// Every example over its default experiment: all variables of the FMU by Co-Simulation, by Model Exchange and from the
// plan, at several times. Whatever the numbers are, they must be the same.
//
// Differences are measured by the largest absolute value that a variable has at any of the times, so that a rate of
// change that has died out need not agree in its last digits. The times are chosen beside round numbers, at which
// events happen: there one way may stand just before and another just behind.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

const double fractions[] = {0, 0.0137, 0.137, 0.371, 0.613, 0.829, 0.983};  // of the experiment

struct Example {
  std::string fmu, file, model;
};

std::vector<Example> examples() {
  std::ifstream list(std::string(FMUS) + "/list.txt");
  std::vector<Example> result;
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    Example e;
    words >> e.fmu >> e.file >> e.model;
    result.push_back(e);
  }
  return result;
}

constexpr double tolerance = 1e-10;

struct Exception {
  double until = 0;      // 0: the end of the experiment
  double margin = 1e-5;  // relative
  bool plan = true;      // false: the interpreter knows neither delays nor sampled systems
  bool by_plan = false;  // start by the blocks of the plan: the equations have no values at start values of 0
  double plan_tolerance = 1e-8;
};

const std::map<std::string, Exception> exceptions = {
    {"bicyclists", {240}},                         // the chase ends where nothing tells the direction
    {"cablereel", {100}},                          // long for the interpreter
    {"cablereel_inductive", {1}},                  // stiff
    {"pendulum", {10, 2e-5}},                      // small errors grow from turn to turn
    {"pendulum-double", {2, 1e-4}},                // chaotic
    {"domino", {0.25}},                            // long for the interpreter; domino_test.cpp sees the end
    {"drumboiler", {0, 1e-4, true, true, 1e-10}},  // near rest: rates are small differences of great flows
    {"control", {0, 1e-5, false}},
    {"sampled", {0, 1e-5, false}},
    {"sampled-delayed", {0, 1e-5, false}},
};

struct Trajectory {
  std::vector<std::vector<double>> values;  // by time and variable
  bool ended = false;
  double end = 0;
};

using Values = std::function<std::vector<double>()>;

template <class Run>
Trajectory trajectory(Run& run, double from, double length, const Values& values) {
  Trajectory result;
  for (const double fraction : fractions) {
    if (fraction > 0) run.advance(from + fraction * length);
    if (run.terminated()) break;
    result.values.push_back(values());
  }
  result.ended = run.terminated();
  result.end = run.time();
  return result;
}

std::vector<double> largest_values(const Trajectory& a) {
  std::vector<double> largest(a.values.empty() ? 0 : a.values.front().size(), 0.);
  for (const auto& row : a.values)
    for (std::size_t i = 0; i < row.size(); ++i) largest[i] = std::max(largest[i], std::abs(row[i]));
  return largest;
}

void compare(const char* ways, const Trajectory& a, const Trajectory& b, const std::vector<std::string>& names,
             double margin) {
  INFO(ways);
  CHECK(a.ended == b.ended);
  CHECK(a.end == Approx(b.end).epsilon(1e-6));
  REQUIRE(a.values.size() == b.values.size());
  const std::vector<double> scale = largest_values(a);
  double worst = 0;
  std::ostringstream where;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double difference = std::abs(a.values[k][i] - b.values[k][i]) / (scale[i] + 1e-6);
      if (difference <= worst) continue;
      worst = difference;
      where.str("");
      where << names[i] << " at point " << k << ": " << a.values[k][i] << " and " << b.values[k][i];
    }
  }
  INFO(where.str());
  CHECK(worst <= margin);
}

// Not the options of the FMU, and not states that stand now for one variable, now for another.
std::vector<std::string> names_of(const Fmu& fmu) {
  std::vector<std::string> names;
  for (const FmuVariable& v : fmu.variables()) {
    if (v.type != "Real" || v.causality == "independent") continue;
    if (v.name.rfind("_fmu.", 0) != 0 && v.name.find("stateset") == std::string::npos) names.push_back(v.name);
  }
  return names;
}

void check_example(const Example& e) {
  const auto found = exceptions.find(e.fmu);
  const Exception except = found == exceptions.end() ? Exception{} : found->second;
  const Fmu fmu(fmu_path(e.fmu));
  const std::vector<std::string> names = names_of(fmu);
  const double stop = except.until > 0 ? except.until : fmu.stop_time, length = stop - fmu.start_time;

  CsRun cs(fmu);
  cs.tolerance = tolerance;
  cs.start(fmu.start_time, stop);
  const Trajectory by_steps = trajectory(cs, fmu.start_time, length, [&] { return cs.reals(names); });
  CHECK(cs.log().empty());

  MeRun me(fmu);
  me.tolerance = tolerance;
  me.start(fmu.start_time, stop);
  const Trajectory by_rates = trajectory(me, fmu.start_time, length, [&] { return me.reals(names); });
  CHECK(me.log().empty());
  compare("Co-Simulation and Model Exchange", by_steps, by_rates, names, except.margin);

  if (!except.plan) return;
  const auto plan = plan_of(example(e.file, e.model));
  PlanInterpreter interpreted(plan);
  interpreted.tolerance = except.plan_tolerance;
  except.by_plan ? interpreted.start_by_plan(fmu.start_time) : interpreted.start(fmu.start_time);
  const Trajectory by_plan = trajectory(interpreted, fmu.start_time, length, [&] {
    std::vector<double> values;
    for (const std::string& name : names) values.push_back(interpreted[name]);
    return values;
  });
  compare("Co-Simulation and plan", by_steps, by_plan, names, std::max(except.margin, 1e-4));
}

}  // namespace

TEST_CASE("examples agree in all ways") {
  const std::vector<Example> all = examples();
  REQUIRE(all.size() > 60);
  for (const Example& e : all) {
    DYNAMIC_SECTION(e.fmu) {
      INFO(e.fmu);
      check_example(e);
    }
  }
}
