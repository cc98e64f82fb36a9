// Directional derivatives of every example against differences that the test takes by setting and reading: at the start
// in initialization mode, while Model Exchange runs, at an event, and between steps of Co-Simulation.
//
// A difference f(x + h) - f(x - h) is taken with two distances; Richardson's extrapolation of both is the reference, and
// how far they are apart tells how much it is to be trusted, together with the accuracy of loops that are iterated. At a
// kink, of a table or where a condition changes, the derivative must be that of one of the sides.
// What ModelStructure does not list as a dependency must have the derivative zero.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

constexpr std::size_t most_knowns = 25, most_unknowns = 120;  // of large models, evenly spread
constexpr double distance = 1e-3, loops = 1e-9;               // relative
constexpr double kink_margin = 4;  // differences to one side are less accurate

// Points at which an unknown has no derivative.
const std::vector<std::string> singular = {"blt-torn"};  // i**2 is zero at the start

std::vector<std::string> examples() {
  std::ifstream list(std::string(FMUS) + "/list.txt");
  std::vector<std::string> names;
  for (std::string line, name; std::getline(list, line);)
    if (std::istringstream(line) >> name) names.push_back(name);
  return names;
}

template <class T>
std::vector<T> spread(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(all[k * all.size() / most]);
  return some;
}

using Values = std::vector<double>;
using References = std::vector<unsigned>;

// Comparisons of one kind: how many, and how many of them with a reference good to three digits.
struct Count {
  std::size_t all = 0, sharp = 0;
};

class Comparison {
 public:
  Comparison(const Fmu& fmu, fmi2Component component, const std::vector<FmuUnknown>& unknowns)
      : fmu_(fmu), component_(component), unknowns_(spread(real(unknowns), most_unknowns)) {
    for (const FmuUnknown& u : unknowns_) references_.push_back(fmu.variable(u.name).reference);
  }

  Values derivatives(const std::string& known) const {
    const unsigned reference = fmu_.variable(known).reference;
    const double seed = 1;
    Values result(references_.size());
    INFO("known " << known);
    REQUIRE(fmu_.call.GetDirectionalDerivative(component_, references_.data(), references_.size(), &reference, 1, &seed,
                                               result.data()) == fmi2OK);
    return result;
  }

  void compare(const std::string& known, Count& count) const {
    if (references_.empty()) return;
    const unsigned reference = fmu_.variable(known).reference;
    const Values exact = derivatives(known);
    double x = 0;
    REQUIRE(fmu_.call.GetReal(component_, &reference, 1, &x) == fmi2OK);
    const double h = distance * (x == 0 ? 1 : std::abs(x));
    Values here, left, right, near_left, near_right;
    if (!read(here)) return;
    const bool there = value_at(reference, x - h, left) && value_at(reference, x + h, right) &&
                       value_at(reference, x - h / 2, near_left) && value_at(reference, x + h / 2, near_right);
    REQUIRE(fmu_.call.SetReal(component_, &reference, 1, &x) == fmi2OK);
    if (!there) return;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const double wide = (right[k] - left[k]) / (2 * h), narrow = (near_right[k] - near_left[k]) / h;
      const double expected = (4 * narrow - wide) / 3;
      const double margin =
          2 * std::abs(narrow - wide) + 10 * loops * (std::abs(here[k]) + std::abs(h * expected)) / h + 1e-9;
      // at a kink the derivative is that of one side
      const double from_left = (4 * (here[k] - near_left[k]) - (here[k] - left[k])) / h,
                   from_right = (4 * (near_right[k] - here[k]) - (right[k] - here[k])) / h;
      INFO("d(" << unknowns_[k].name << ")/d(" << known << ") at " << x << ": " << exact[k] << ", by differences "
                << wide << " and " << narrow << ", from the left " << from_left << ", from the right " << from_right);
      const double off = std::min({std::abs(exact[k] - expected), std::abs(exact[k] - from_left) / kink_margin,
                                   std::abs(exact[k] - from_right) / kink_margin});
      CHECK(off <= margin + 1e-6 * std::abs(exact[k]));
      const auto& listed = unknowns_[k].dependencies;
      const bool depends = unknowns_[k].depends_on_all || unknowns_[k].name == known ||
                           std::any_of(listed.begin(), listed.end(), [&](const std::string& name) {
                             return fmu_.variable(name).reference == reference;
                           });
      if (!depends) CHECK(exact[k] == 0);
      ++count.all;
      count.sharp += expected != 0 && margin <= 1e-3 * std::abs(expected);
    }
  }

 private:
  std::vector<FmuUnknown> real(const std::vector<FmuUnknown>& unknowns) const {
    std::vector<FmuUnknown> result;
    for (const FmuUnknown& u : unknowns) {
      const FmuVariable& v = fmu_.variable(u.name);
      // what stands now for one variable, now for another is chosen after the start
      if (v.type == "Real" && v.name.find("stateset") == std::string::npos) result.push_back(u);
    }
    return result;
  }

  bool read(Values& values) const {
    values.resize(references_.size());
    return fmu_.call.GetReal(component_, references_.data(), references_.size(), values.data()) == fmi2OK;
  }

  bool value_at(unsigned reference, double x, Values& result) const {
    return fmu_.call.SetReal(component_, &reference, 1, &x) == fmi2OK && read(result);
  }

  const Fmu& fmu_;
  fmi2Component component_;
  std::vector<FmuUnknown> unknowns_;
  References references_;
};

std::vector<std::string> names_where(const Fmu& fmu, bool (*wanted)(const FmuVariable&)) {
  std::vector<std::string> names;
  for (const FmuVariable& v : fmu.variables())
    if (v.type == "Real" && v.name.rfind("_fmu.", 0) != 0 && v.name.find("stateset") == std::string::npos && wanted(v))
      names.push_back(v.name);
  return names;
}

bool is_input(const FmuVariable& v) { return v.causality == "input"; }
bool is_known_at_start(const FmuVariable& v) {
  return is_input(v) || (v.initial == "exact" && v.variability != "constant");
}

std::vector<FmuUnknown> running_unknowns(const Fmu& fmu) {
  std::vector<FmuUnknown> unknowns = fmu.derivatives;
  for (const FmuUnknown& u : fmu.outputs)
    if (fmu.variable(u.name).variability == "continuous") unknowns.push_back(u);
  return unknowns;
}

bool is_legal(const Fmu& fmu) {  // the example starts without inputs or start values that must be given
  CsRun run(fmu);
  try {
    run.start(fmu.start_time);
  } catch (const FmuError&) {
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("directional derivatives in initialization mode") {
  Count count;
  for (const std::string& name : examples()) {
    INFO(name);
    const Fmu fmu(fmu_path(name));
    if (!is_legal(fmu)) continue;
    MeRun run(fmu);
    REQUIRE(fmu.call.SetupExperiment(run.component(), fmi2False, 0, fmu.start_time, fmi2False, 0) == fmi2OK);
    REQUIRE(fmu.call.EnterInitializationMode(run.component()) == fmi2OK);
    const Comparison comparison(fmu, run.component(), fmu.initial_unknowns);
    for (const std::string& known : spread(names_where(fmu, is_known_at_start), most_knowns))
      comparison.compare(known, count);
  }
  CHECK(count.all > 3000);
  CHECK(count.sharp > 500);
}

TEST_CASE("directional derivatives while Model Exchange runs, at events and between steps") {
  Count count, between;
  for (const std::string& name : examples()) {
    INFO(name);
    const Fmu fmu(fmu_path(name));
    if (!is_legal(fmu) || std::find(singular.begin(), singular.end(), name) != singular.end()) continue;
    MeRun me(fmu);
    me.start(fmu.start_time);
    CsRun cs(fmu);
    cs.start(fmu.start_time);
    const double accuracy = name == "drumboiler" ? 1e-4 : 1e-8;  // its functions of steam have no derivatives
    const std::vector<FmuUnknown> unknowns = running_unknowns(fmu);
    const Comparison running(fmu, me.component(), unknowns), waiting(fmu, cs.component(), unknowns);
    std::vector<std::string> knowns = spread(names_where(fmu, is_input), most_knowns);
    for (const std::string& input : knowns) waiting.compare(input, between);
    for (const std::string& state : spread(fmu.states(), most_knowns))
      if (state.find("stateset") == std::string::npos) knowns.push_back(state);
    for (const std::string& known : knowns) running.compare(known, count);
    for (const std::string& known : knowns) {
      const Values continuous = running.derivatives(known), steps = waiting.derivatives(known);
      REQUIRE(fmu.call.EnterEventMode(me.component()) == fmi2OK);
      const Values event = running.derivatives(known);
      REQUIRE(fmu.call.EnterContinuousTimeMode(me.component()) == fmi2OK);
      for (std::size_t k = 0; k < continuous.size(); ++k) {
        INFO(known << ", unknown " << k);
        CHECK(event[k] == Approx(continuous[k]).epsilon(accuracy).margin(accuracy));
        CHECK(steps[k] == Approx(continuous[k]).epsilon(accuracy).margin(accuracy));
      }
    }
  }
  CHECK(count.sharp > 300);
  CHECK(between.all > 20);
}

// Differences would give ten digits at most.
TEST_CASE("at the start derivatives are exact, through loops, delays and sampled systems") {
  const Fmu fmu(fmu_path("problem-start"));
  MeRun run(fmu);
  REQUIRE(fmu.call.SetupExperiment(run.component(), fmi2False, 0, 0, fmi2False, 0) == fmi2OK);
  REQUIRE(fmu.call.EnterInitializationMode(run.component()) == fmi2OK);
  const double x = run["x"], z = run["z"], p = run["p"], u = run["u"];
  CHECK(x * x * x + x == Approx(6));
  const auto derivative = [&](const char* unknown, const char* known) {
    const unsigned of = fmu.variable(unknown).reference, by = fmu.variable(known).reference;
    const double seed = 1;
    double value = 0;
    REQUIRE(fmu.call.GetDirectionalDerivative(run.component(), &of, 1, &by, 1, &seed, &value) == fmi2OK);
    return value;
  };
  const auto check = [](double value, double expected) { CHECK(value == Approx(expected).epsilon(1e-13)); };
  const double dx = 3 / (3 * x * x + 1), dz = u * dx / (1 + std::exp(z));
  check(derivative("q", "p"), 3);
  check(derivative("x", "p"), dx);
  check(derivative("der(x)", "p"), -dx);
  check(derivative("z", "p"), dz);
  check(derivative("y", "p"), u);
  check(derivative("s", "p"), 5 * u + z + p * dz);
  check(derivative("y", "u"), p);
  check(derivative("s", "u"), 5 * p + p * x / (1 + std::exp(z)));
  const Fmu ring(fmu_path("problem-tuned"));  // a = x/(1 + g), a linear loop of four
  MeRun linear(ring);
  REQUIRE(ring.call.SetupExperiment(linear.component(), fmi2False, 0, 0, fmi2False, 0) == fmi2OK);
  REQUIRE(ring.call.EnterInitializationMode(linear.component()) == fmi2OK);
  const unsigned of = ring.variable("a").reference, by = ring.variable("g").reference;
  const double seed = 1;
  double value = 0;
  REQUIRE(ring.call.GetDirectionalDerivative(linear.component(), &of, 1, &by, 1, &seed, &value) == fmi2OK);
  check(value, -1. / 9);
}

TEST_CASE("tunable parameters are known at events and between steps") {
  const Fmu fmu(fmu_path("problem-tuned"));
  MeRun me(fmu);
  me.start();
  me.advance(0.5);
  const unsigned k = fmu.variable("k").reference, rate = fmu.variable("der(x)").reference;
  const double seed = 1;
  double value = 0;
  CHECK(fmu.call.GetDirectionalDerivative(me.component(), &rate, 1, &k, 1, &seed, &value) == fmi2Error);
  REQUIRE(fmu.call.EnterEventMode(me.component()) == fmi2OK);
  REQUIRE(fmu.call.GetDirectionalDerivative(me.component(), &rate, 1, &k, 1, &seed, &value) == fmi2OK);
  CHECK(value == Approx(-std::exp(-0.5)).epsilon(1e-8));
}
