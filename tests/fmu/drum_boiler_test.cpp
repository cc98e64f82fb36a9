// The power station: its operating point, and that mass and energy are conserved on the way to another.
//
// Around the whole plant nothing is left of the flows inside: mass comes from the storage of the deaerator only; energy
// comes with the oil, leaves at the shaft and with the cooling water. What has come must be found in the components. Their
// content is summed up from step to step, by the trapezoidal rule: the model states energy as capacity times change, such
// as (Vw*Rw*H2P + m*Cm*T2P)*der(Psat), which no function of the state need be the integral of.
#include <array>
#include <cmath>
#include <map>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

const std::vector<std::string> heaters = {"preh1", "preh2", "preh3", "preh4", "preh5", "preh6", "preh7"};

struct Balance {
  double inflow = 0;                              // as it is now
  std::vector<double> contents;                   // functions of the state
  std::vector<std::array<double, 2>> capacities;  // capacity and the quantity whose change it multiplies
};

Balance mass(const FmuRun& run) {
  const auto drum = [&](const char* name) { return run[std::string("drum.drumdowncomers.") + name]; };
  const auto risers = [&](const char* name) { return run[std::string("drum.risers.") + name]; };
  return {run["deaerator.Wwater"],
          {drum("Vs") * drum("Rs"), risers("Vr") * risers("Rmix"), run["reheater.Vs"] * run["reheater.R2"]},
          {{drum("Adrum") * drum("Rw"), drum("z")}}};
}

Balance energy(const FmuRun& run) {
  const auto of = [&](const std::string& component) {
    return [&run, component](const char* name) { return run[component + "." + name]; };
  };
  const auto drum = of("drum.drumdowncomers"), risers = of("drum.risers"), reheater = of("reheater"),
             condensor = of("condensor"), deaerator = of("deaerator"), economizer = of("economizer");
  Balance b;
  b.inflow = deaerator("Wwater") * deaerator("Hwater") - run["power.N2"] -
             run["inwater.W1"] * (run["outwater.H2"] - run["inwater.H1"]);
  for (const char* heat : {"Q1", "Q2", "Q3", "Q4", "Q5", "Q6"})
    b.inflow += run[std::string("combustionchamber.") + heat];
  const double water = risers("Vr") - risers("Vb");
  b.contents = {drum("Vs") * drum("Rs") * drum("Hs"),
                risers("Cm") * risers("m") * risers("Tmix") + water * risers("Rwr") * risers("Hwr") +
                    risers("Vb") * risers("Rs") * risers("Hs"),
                reheater("Vs") * reheater("R2") * reheater("H2")};
  b.capacities = {
      {drum("Adrum") * drum("Rw") * drum("Hd"), drum("z")},
      {(drum("Vw") + drum("Vdc")) * drum("Rw"), drum("Hd")},
      {reheater("m") * reheater("Cm") * reheater("TmH"), reheater("H2")},
      {economizer("Cm") * economizer("m") * economizer("TmH") + economizer("Ve") * economizer("R2"), economizer("H2")},
      {(condensor("Vc") * condensor("Rw") + condensor("Vcool") * condensor("R2")) * condensor("HwP") +
           condensor("m") * condensor("Cm") * condensor("TmP"),
       condensor("Pw")},
      {deaerator("Vw") * deaerator("Rw") * deaerator("H2P") + deaerator("m") * deaerator("Cm") * deaerator("T2P"),
       deaerator("Psat")}};
  for (const char* name : {"superh1", "superh2", "superh3"}) {
    const auto s = of(name);
    b.capacities.push_back({s("m") * s("Cm") * s("TmH") + s("Vs") * s("R2"), s("H2")});
  }
  for (const std::string& name : heaters) {
    const auto h = of(name);
    const double water_and_metal = (h("Vc") * h("Rc") + h("Vw") * h("Rw")) * h("HsatP") + h("m") * h("Cm") * h("TsatP");
    b.capacities.push_back({water_and_metal, h("Psat")});
  }
  return b;
}

// What came, what was stored, and the sum of what each part stored or gave, whatever its sign.
struct Account {
  double came = 0, stored = 0, moved = 0;
  std::vector<double> parts = {};

  void add(const Balance& a, const Balance& b, double step) {
    came += step * (a.inflow + b.inflow) / 2;
    parts.resize(a.contents.size() + a.capacities.size());
    std::size_t part = 0;
    for (std::size_t i = 0; i < a.contents.size(); ++i) parts[part++] += b.contents[i] - a.contents[i];
    for (std::size_t i = 0; i < a.capacities.size(); ++i)
      parts[part++] += (a.capacities[i][0] + b.capacities[i][0]) / 2 * (b.capacities[i][1] - a.capacities[i][1]);
    stored = moved = 0;
    for (const double p : parts) {
      stored += p;
      moved += std::abs(p);
    }
  }
};

}  // namespace

TEMPLATE_TEST_CASE("the power station begins at rest", "", CsRun, MeRun) {
  const Fmu fmu(fmu_path("drumboiler"));
  CHECK(fmu.states().size() == 20);
  TestType run(fmu);
  run.start(0, 500);
  // from the balances of the cycle, computed apart from this model
  const std::vector<std::pair<std::string, double>> flows = {
      {"superh1.W", 120},         {"attemp1.Ww", 3},       {"attemp2.Ww", 3},     {"controlvalve.W", 126},
      {"feedwaterpump.W", 126},   {"preh7.Ws", 8.268},     {"preh6.Ws", 5.261},   {"preh5.Ws", 4.734},
      {"preh4.Ws", 2.406},        {"preh3.Ws", 4.792},     {"preh2.Ws", 4.970},   {"preh1.Ws", 4.382},
      {"drum.risers.Wmix", 1000}, {"condensor.Ws", 89.13}, {"power.N2", 159.27e6}};
  for (const auto& [name, value] : flows) {
    INFO(name);
    CHECK(run[name] == Approx(value).epsilon(2e-3));
  }
  // steam tables: 10 MPa, 540 degC, 5 kPa
  CHECK(run["drum.drumdowncomers.Hs"] == Approx(2725.5e3).epsilon(0.005));
  CHECK(run["drum.drumdowncomers.Rs"] == Approx(55.5).epsilon(0.01));
  CHECK(run["drum.risers.Hwr"] == Approx(1407.9e3).epsilon(0.01));
  CHECK(run["drum.risers.Rwr"] == Approx(688.4).epsilon(0.02));
  CHECK(run["drum.risers.Tmix"] == Approx(273.15 + 311.0).epsilon(0.005));
  CHECK(run["superh3.T2"] == Approx(273.15 + 540).epsilon(0.005));
  CHECK(run["condensor.Tw"] == Approx(273.15 + 32.9).epsilon(0.001));

  std::map<std::string, double> before;
  for (const std::string& state : fmu.states()) before[state] = run[state];
  run.advance(500);
  for (const auto& [state, value] : before) {
    INFO(state);
    CHECK(run[state] == Approx(value).epsilon(1e-3).margin(1e-3));
  }
  CHECK(run["power.N2"] == Approx(159.27e6).epsilon(2e-4));
}

TEMPLATE_TEST_CASE("the power station conserves mass and energy", "", CsRun, MeRun) {
  const Fmu fmu(fmu_path("drumboiler"));
  TestType run(fmu);
  run.start(0, 500);
  run.advance(10);
  const double power = run["power.N2"], pressure = run["drum.drumdowncomers.Pd"];
  run.set("combustionchamber.Woil", 9.09);
  Account of_mass, of_energy;
  Balance mass_before = mass(run), energy_before = energy(run);
  for (double time = 10.5; time <= 500; time += 0.5) {
    run.advance(time);
    const Balance mass_now = mass(run), energy_now = energy(run);
    of_mass.add(mass_before, mass_now, 0.5);
    of_energy.add(energy_before, energy_now, 0.5);
    mass_before = mass_now;
    energy_before = energy_now;
  }
  CHECK(run["drum.drumdowncomers.Pd"] > pressure + 1e5);
  CHECK(run["power.N2"] > power + 2e6);
  CHECK(run["drum.drumdowncomers.z"] < -0.1);
  CHECK(of_mass.came < -1000);
  CHECK(of_mass.stored == Approx(of_mass.came).margin(1e-4 * of_mass.moved).epsilon(0));
  CHECK(of_energy.moved > 1e9);
  CHECK(of_energy.stored == Approx(of_energy.came).margin(1e-4 * of_energy.moved).epsilon(0));
}

// The level sums up what feed water and steam differ by, some mg/s of 120 kg/s: what is inexact in the flows shows there.
TEST_CASE("the level of the power station is the same in all ways") {
  const std::string level = "drum.drumdowncomers.z";
  const auto plan = plan_of(example("drumboiler/drumboiler"));
  PlanInterpreter interpreted(plan);
  interpreted.tolerance = 1e-9;
  interpreted.start_by_plan();
  interpreted.advance(491);
  const double expected = interpreted[level];
  CHECK(expected > 1e-4);
  CHECK(interpreted.largest_residual() < 1e-9);
  const Fmu fmu(fmu_path("drumboiler"));
  const auto check = [&](auto& run, double margin) {
    run.start(0, 500);
    run.advance(491);
    CHECK(run[level] == Approx(expected).margin(margin).epsilon(0));
  };
  for (const int solver : {2, 3, 5})  // cvode, adams, dopri45
    for (const double tolerance : {1e-6, 1e-9}) {
      INFO("solver " << solver << ", tolerance " << tolerance);
      CsRun cs(fmu);
      cs.set("_fmu.solver", solver);
      cs.tolerance = tolerance;
      check(cs, tolerance > 1e-8 ? 1e-6 : 1e-8);
    }
  MeRun me(fmu);
  check(me, 1e-8);
}
