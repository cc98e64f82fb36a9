#include <catch2/catch.hpp>

#include "importer/cli/run.h"
#include "importer/cli/select.h"
#include "importer/fmu/errors.h"

using namespace importer;
using namespace importer::cli;
using fmu::Causality;
using fmu::Initial;
using fmu::Type;
using fmu::Variability;

namespace {

fmu::Variable variable(std::string name, unsigned reference, Type type, Causality causality,
                       Variability variability = Variability::Continuous, Initial initial = Initial::Calculated) {
  fmu::Variable v;
  v.name = std::move(name);
  v.reference = reference;
  v.type = type;
  v.causality = causality;
  v.variability = variability;
  v.initial = initial;
  return v;
}

fmu::ModelDescription tank() {
  fmu::ModelDescription d;
  d.generation_tool = "fmugen 1";
  d.variables = {variable("time", 0, Type::Real, Causality::Independent),
                 variable("area", 1, Type::Real, Causality::Parameter, Variability::Fixed, Initial::Exact),
                 variable("n", 2, Type::Integer, Causality::Local, Variability::Constant, Initial::Exact),
                 variable("level", 3, Type::Real, Causality::Local, Variability::Continuous, Initial::Exact),
                 variable("same", 3, Type::Real, Causality::Output),
                 variable("flow", 4, Type::Real, Causality::Local),
                 variable("open", 1, Type::Boolean, Causality::Input, Variability::Discrete),
                 variable("kind", 5, Type::Enumeration, Causality::Parameter, Variability::Fixed, Initial::Exact),
                 variable("text", 1, Type::String, Causality::Parameter, Variability::Fixed, Initial::Exact)};
  d.variables[3].state = true;
  d.variables[7].declared_type = "Kind";
  d.enumerations = {{"Kind", {{"round", 1}, {"square", 2}}}};
  return d;
}

std::string names(const std::vector<const fmu::Variable*>& variables) {
  std::string text;
  for (const auto* v : variables) text += (text.empty() ? "" : " ") + v->name;
  return text;
}

std::string refusal(const std::string& name, const std::string& value) {
  try {
    read_settings(tank(), {{name, value}});
  } catch (const fmu::Rejected& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("patterns") {
  CHECK(matches("a*b?c", "axxbyc"));
  CHECK(matches("*", ""));
  CHECK(matches("*.h", "tank.h"));
  CHECK(matches("x[1,2]", "x[1,2]"));
  CHECK(!matches("?", ""));
  CHECK(!matches("tank", "tank.h"));
  CHECK(!matches("a*b", "abc"));
  CHECK(!matches(std::string(200, '*') + "b", std::string(2000, 'a')));
}

TEST_CASE("variables are recorded in the order of the FMU") {
  const auto d = tank();
  CHECK(names(select_recorded(d, {}).variables) == "area n level same flow open kind text");
  CHECK(names(select_recorded(d, {"open", "*l*"}).variables) == "level flow open");
  CHECK_THROWS_WITH(select_recorded(d, {"levle"}), "no variable matches 'levle'; did you mean 'level'?");
  CHECK_THROWS_WITH(select_recorded(d, {"zzzzzzz*"}),
                    "no variable matches 'zzzzzzz*'; 'cutsim info' lists what there is");
}

TEST_CASE("of large FMUs the interface and the states are recorded") {
  auto d = tank();
  for (unsigned i = 0; i < 1000; ++i)
    d.variables.push_back(variable("x" + std::to_string(i), 10 + i, Type::Real, Causality::Local));
  const Selection selection = select_recorded(d, {});
  CHECK(!selection.complete);
  CHECK(names(selection.variables) == "level same open");
}

TEST_CASE("plots show each value once") {
  const auto d = tank();
  CHECK(names(select_plotted(select_recorded(d, {}), false)) == "level open");
  CHECK(names(select_plotted(select_recorded(d, {"*"}), true)) == "level flow open");
}

TEST_CASE("values are read as the type of their variable") {
  const auto d = tank();
  const auto settings =
      read_settings(d, {{"area", "2.5"}, {"open", "true"}, {"kind", "square"}, {"text", "a=b"}, {"level", "+1e-3"}});
  CHECK(settings[0].number == 2.5);
  CHECK(settings[1].number == 1.0);
  CHECK(settings[2].number == 2.0);
  CHECK(settings[3].text == "a=b");
  CHECK(settings[4].number == 1e-3);
}

TEST_CASE("what cannot be set is told") {
  CHECK(refusal("aera", "1") == "there is no variable 'aera' in the FMU; did you mean 'area'?");
  CHECK(refusal("flow", "1") == "'flow' is calculated by the model and cannot be set");
  CHECK(refusal("n", "3") ==
        "'n' is a constant, fixed when the FMU was built; build it anew with 'fmugen build --set n=3'");
  CHECK(refusal("area", "2m") == "'area' is of type Real: expected a number, got '2m'");
  CHECK(refusal("area", "nan") == "'area' is of type Real: expected a number, got 'nan'");
  CHECK(refusal("area", "") == "'area' is of type Real: expected a number, got ''");
  CHECK(refusal("open", "yes") == "'open' is of type Boolean: expected true or false, got 'yes'");
  CHECK(refusal("kind", "oval") == "'kind' is of type Enumeration: expected one of round, square, got 'oval'");
}

TEST_CASE("points in time") {
  fmu::ModelDescription d;
  Options o;
  std::string problem;
  Schedule s = make_schedule(o, d, problem);
  CHECK(s.steps == 500);
  CHECK(s.at(500) == 1.0);
  d.stop_time = 10;
  d.step_size = 0.1;
  s = make_schedule(o, d, problem);
  CHECK(s.steps == 100);
  CHECK(s.at(33) == 33 * 0.1);
  o.step = 3;
  s = make_schedule(o, d, problem);
  CHECK(s.steps == 4);
  CHECK(s.at(3) == 9.0);
  CHECK(s.at(4) == 10.0);
  o.step = 100;
  CHECK(make_schedule(o, d, problem).steps == 1);
  CHECK(problem.empty());
  o.step = 1e-20;
  make_schedule(o, d, problem);
  CHECK(problem == "the step 1e-20 is too small for times from 0 to 10");
  o.start = 10;
  make_schedule(o, d, problem);
  CHECK(problem == "the stop time 10 is not after the start time 10");
}
