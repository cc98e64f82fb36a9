#include "fmugen/fmu/describe.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "fmugen/fmu/validate/validate.h"
#include "tests/support/plan_interpreter.h"

namespace fmugen::fmu {
namespace {

struct Described {
  std::vector<std::string> notes;
  ModelDescription description;

  explicit Described(const std::string& text, const DescribeOptions& options = {}) {
    structure::SimulationPlan plan = tests::plan_of({.text = text});
    description = describe(plan, codegen::lay_out(plan), options, notes);
    description.guid = "1";
  }
  const Variable& operator[](const std::string& name) const {
    const auto found = std::find_if(description.variables.begin(), description.variables.end(),
                                    [&](const Variable& x) { return x.name == name; });
    if (found == description.variables.end()) FAIL("there is no variable " << name);
    return *found;
  }
  std::uint32_t index(const std::string& name) const {
    return static_cast<std::uint32_t>(&(*this)[name] - description.variables.data()) + 1;
  }
  // "x constant, u dependent": what the unknown depends on.
  std::string dependencies(const std::vector<Unknown>& unknowns, const std::string& name) const {
    const auto found =
        std::find_if(unknowns.begin(), unknowns.end(), [&](const Unknown& u) { return u.index == index(name); });
    if (found == unknowns.end()) return "not listed";
    if (!found->dependencies) return "all";
    std::string text;
    const char* const kinds[] = {"dependent", "constant", "fixed", "tunable", "discrete"};
    for (const auto& d : *found->dependencies)
      text += (text.empty() ? "" : ", ") + description.variables[d.index - 1].name + " " +
              kinds[static_cast<std::size_t>(d.kind)];
    return text;
  }
  bool valid() const {
    const validate::Report report = validate::validate_description(write_xml(description));
    return report.count(support::Severity::Error) + report.count(support::Severity::Warning) == 0;
  }
};

const char* const kModel =
    "model m\n"
    "  parameter k = 2, follows = 2*k\n"
    "  constant c = 7\n"
    "  input u\n"
    "  output y\n"
    "  local x z w a\n"
    "  der(x, 1) = -k*x + 3*u\n"
    "  der(z, k) = u*u + sin(time)\n"
    "  y = x\n"
    "  w = -x\n"
    "  a = 5*follows*z + c\n"
    "end\n";

TEST_CASE("tunable parameters, what follows from them, and factors that contain them") {
  const Described d(
      "model m\n"
      "  parameter k(tunable=true) = 2, follows = 2*k, r = 3\n"
      "  input u\n"
      "  output y z w, a, b, c, e\n"
      "  local x\n"
      "  der(x, 1) = -follows*x + r*u\n"
      "  y = k\n"
      "  z = r*x\n"
      "  w = 5*x + k*k*u\n"
      "  a + k*b = x\n  b + k*c = x\n  c + k*e = x\n  e + k*a = u\n"
      "end\n");
  CHECK(d["k"].variability == Variability::Tunable);
  CHECK(d["k"].causality == Causality::Parameter);
  CHECK(d["follows"].variability == Variability::Tunable);
  CHECK(d["follows"].causality == Causality::CalculatedParameter);
  CHECK(d["r"].variability == Variability::Fixed);
  CHECK(d["y"].variability == Variability::Continuous);  // outputs cannot be tunable
  CHECK(d["y"].initial == Initial::Calculated);
  CHECK(d.dependencies(d.description.outputs, "y") == "");
  CHECK(d.dependencies(d.description.initial_unknowns, "y") == "k constant");
  CHECK(d.dependencies(d.description.derivatives, "der(x)") == "u fixed, x tunable");
  CHECK(d.dependencies(d.description.outputs, "z") == "x fixed");
  CHECK(d.dependencies(d.description.outputs, "w") == "u tunable, x constant");
  CHECK(d.dependencies(d.description.outputs, "a") == "u tunable, x tunable");
  CHECK(d.valid());
}

TEST_CASE("at the start unknowns depend on parameters through those that follow") {
  const Described d(
      "model m\nparameter k = 2, k2 = 2*k, k3 = k2 + 1\noutput y\nlocal x\nder(x, k2) = -x\ny = k3*x\nend\n");
  CHECK(d.dependencies(d.description.initial_unknowns, "k3") == "k constant");
  CHECK(d.dependencies(d.description.initial_unknowns, "x") == "k constant");
  CHECK(d.dependencies(d.description.initial_unknowns, "y") == "k dependent");
  CHECK(d.valid());
}

TEST_CASE("what sampled systems and delays do at the start may depend on everything") {
  const Described d(
      "discrete model type c\ninput u\noutput y\nsample every 1\ny = u\nend\n"
      "model m\nparameter k = 2\ninput u\noutput y, z, w\nsubmodel (c) s\ns.u = k*u\ny = s.y + 1\nz = k*u\n"
      "w = delay(z, 1)\nend\n");
  CHECK(d.dependencies(d.description.initial_unknowns, "y") == "all");
  CHECK(d.dependencies(d.description.initial_unknowns, "z") == "k dependent, u dependent");
  const std::string delayed = d.dependencies(d.description.initial_unknowns, "w");
  CHECK((delayed == "all" || delayed == "k dependent, u dependent"));
  CHECK(d.dependencies(d.description.outputs, "w") == "");
  CHECK(d.valid());
}

TEST_CASE("the next event time is an output on request") {
  DescribeOptions options;
  options.next_event_time = true;
  const std::string sampled =
      "discrete model type c\nparameter T = 0.1\ninput u\noutput y\nsample every T\ny = u\nend\n";
  const Described d(sampled + "model m\nparameter DT = 0.2, late = 3*DT, other = 1\ninput u\noutput y, z\n"
                              "submodel (c) s(T=DT)\ns.u = other*u\ny = s.y\nz = if time > late then 1 else 0\nend\n",
                    options);
  const Variable& next = d["_fmu.nextEventTime"];
  CHECK(next.causality == Causality::Output);
  CHECK(next.variability == Variability::Discrete);
  CHECK(next.initial == Initial::Calculated);
  CHECK(next.attributes.unit == "s");
  CHECK(d.dependencies(d.description.outputs, "_fmu.nextEventTime") == "time dependent");
  CHECK(d.dependencies(d.description.initial_unknowns, "_fmu.nextEventTime") == "time dependent, DT dependent");
  CHECK(d.valid());
  const Described delayed("model m\ninput u\noutput y\ny = delay(u, 1)\nend\n", options);
  CHECK(delayed.dependencies(delayed.description.outputs, "_fmu.nextEventTime") == "all");
  CHECK(delayed.valid());
}

TEST_CASE("causality, variability and initial follow from the kind of a variable") {
  const Described d(kModel);
  CHECK(d["time"].causality == Causality::Independent);
  CHECK(d["k"].causality == Causality::Parameter);
  CHECK(d["k"].initial == Initial::Exact);
  CHECK(std::get<double>(*d["k"].start) == 2);
  CHECK(d["follows"].causality == Causality::CalculatedParameter);
  CHECK_FALSE(d["follows"].start);
  CHECK(d["c"].variability == Variability::Constant);
  CHECK(d["u"].causality == Causality::Input);
  CHECK_FALSE(d["u"].initial);
  CHECK(d["x"].initial == Initial::Exact);       // starts at a number
  CHECK(d["z"].initial == Initial::Calculated);  // starts at a parameter
  CHECK(d["y"].causality == Causality::Output);
  CHECK(d["der(x)"].derivative == d.index("x"));
  CHECK(d.valid());
}

TEST_CASE("aliases share value references, negated ones have their own") {
  const Described d(kModel);
  CHECK(d["y"].value_reference == d["x"].value_reference);
  CHECK(d["w"].value_reference != d["x"].value_reference);
  CHECK_FALSE(d["y"].start);  // at most one of them has a start value
}

TEST_CASE("the structure tells on what unknowns depend, and how") {
  const Described d(kModel);
  CHECK(d.dependencies(d.description.derivatives, "der(x)") == "u constant, x fixed");
  CHECK(d.dependencies(d.description.derivatives, "der(z)") == "time dependent, u dependent");
  CHECK(d.dependencies(d.description.outputs, "y") == "x constant");
  CHECK(d.dependencies(d.description.initial_unknowns, "follows") == "k constant");
  CHECK(d.dependencies(d.description.initial_unknowns, "z") == "k constant");
  CHECK(d.dependencies(d.description.initial_unknowns, "x") == "not listed");
  CHECK(d.dependencies(d.description.initial_unknowns, "der(x)") == "k dependent, u constant, x dependent");
}

TEST_CASE("dependence goes through loops") {
  const Described d(
      "model m\n  parameter R = 2\n  input u\n  output y\n  local i v x\n  der(x, 0) = i\n  i + v = u\n  v = R*i*x\n"
      "  y**3 + y = x + u\nend\n");
  CHECK(d.dependencies(d.description.derivatives, "der(x)") == "u dependent, x dependent");
  CHECK(d.dependencies(d.description.outputs, "y") == "u dependent, x dependent");
}

TEST_CASE("derivatives have the names of their variables") {
  const Described d("model type part\n  local x\n  der2(x, 1) = -x\nend\nmodel m\n  submodel (part) p\nend\n");
  CHECK(d["der(p.x)"].derivative == d.index("p.x"));
  CHECK(d["der(p.x_dot)"].derivative == d.index("p.x_dot"));
  CHECK(d.valid());
}

TEST_CASE("a limit that the start value breaks is left out, with a note") {
  const Described d("model m\n  parameter a(min=0, max=1) = -1\n  local x\n  der(x, 1) = -a*x\nend\n");
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0] == "'a' starts below its min, which FMI does not allow; the FMU does without that limit");
  CHECK_FALSE(d["a"].attributes.min);
  CHECK(d["a"].attributes.max == 1.0);
  CHECK(d.valid());
}

TEST_CASE("every FMU has the options of its run time") {
  const Described d(kModel);
  CHECK(d["_fmu.solver"].declared_type == "fmugen.Solver");
  CHECK(std::get<double>(*d["_fmu.tolerance"].start) == 0);
  CHECK(std::get<double>(*d["_fmu.step"].start) == 0);
}

TEST_CASE("what the library is called is a C identifier") {
  CHECK(model_identifier("motor") == "motor");
  CHECK(model_identifier("a-b.c") == "a_b_c");
  CHECK(model_identifier("1st") == "m_1st");
  CHECK(model_identifier("") == "m_");
}

}  // namespace
}  // namespace fmugen::fmu
