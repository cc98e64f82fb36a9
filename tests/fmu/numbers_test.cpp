// The numbers that the examples state in their README: by Co-Simulation, by Model Exchange and from the plan.
//
// A table row says at which time which variable has which value. Values come from formulas or from other programs, never
// from fmugen; the margin is that of the digits given, or what the tolerance of 1E-9 a step leaves after the whole run.
#include <algorithm>
#include <cmath>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

struct Point {
  double time;
  std::string name;
  double value;
  double margin = 1e-6;
};

struct Case {
  std::string fmu, file, model;
  std::vector<Point> points;                               // ordered by time
  std::vector<std::pair<std::string, double>> given = {};  // set before the start
  double tolerance = 1e-9;
  double from = 0;  // where it starts
};

void check(const char* way, double value, const Point& p) {
  INFO(way << ": " << p.name << " at " << p.time);
  CHECK(value == Approx(p.value).margin(p.margin).epsilon(0));
}

// `further` is called with the run at its end. `advance` is not called for points at the beginning, so that they show the
// values after initialization.
template <class Run, class Further>
void check_points(const char* way, const Case& c, double tolerance, Run& run, Further further) {
  run.tolerance = tolerance;
  for (const auto& [name, value] : c.given) run.set(name, value);
  run.start(c.from);
  for (const Point& p : c.points) {
    if (p.time > run.time()) run.advance(p.time);
    check(way, run[p.name], p);
  }
  INFO(way);
  further(run);
}

template <class Further>
void check_case(const Case& c, Further further) {
  INFO(c.fmu);
  const Fmu fmu(fmu_path(c.fmu));
  CsRun cs(fmu);
  check_points("Co-Simulation", c, c.tolerance, cs, further);
  MeRun me(fmu);
  check_points("Model Exchange", c, c.tolerance, me, further);
  const auto plan = plan_of(example(c.file, c.model));
  PlanInterpreter interpreted(plan);
  check_points("plan", c, std::max(c.tolerance, 1e-9), interpreted, further);  // slow
}

void check_case(const Case& c) {
  check_case(c, [](const auto&) {});
}

// All of these at one time.
std::vector<Point> at(double time, double margin, const std::vector<std::pair<std::string, double>>& values) {
  std::vector<Point> points;
  for (const auto& [name, value] : values) points.push_back({time, name, value, margin});
  return points;
}

std::vector<Point> operator+(std::vector<Point> a, const std::vector<Point>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("electrical networks") {
  std::vector<Point> charge;
  for (const double t : {0.5, 1., 2.}) charge.push_back({t, "C.V", 0.75 * (1 - std::exp(-4. / 3 * t)), 1e-7});
  check_case({"network", "network/network", "", charge});
  check_case({"network_library", "network/network_library", "", charge, {{"E.V", 1}}});
  check_case({"rcnet", "rcnet/rcnet", "",
              at(0, 1e-7, {{"v1", 0}, {"v2", 0}, {"i1", 0.1818182}, {"i2", 0.0909091}}) +
                  at(0.5, 1e-7, {{"v1", 0.0842708}, {"v2", 0.0471065}, {"i1", 0.1563605}, {"i2", 0.0967624}}) +
                  at(2, 1e-7, {{"v1", 0.2786295}, {"v2", 0.1942538}, {"i1", 0.1081467}, {"i2", 0.0962612}}) +
                  at(10, 1e-7, {{"v1", 0.7580066}, {"v2", 0.7145264}, {"i1", 0.0321406}, {"i2", 0.0378104}})});
  check_case({"rlc", "rlc/rlc", "", {{1, "UC", 1 - std::exp(-2.), 1e-7}, {1, "iL", 0.5 * (1 - std::exp(-4.)), 1e-7}}});
  check_case({"parallelcaps", "parallelcaps/parallelcaps", "",
              at(0, 1e-9, {{"v1", 4}, {"v2", 4}, {"i", -4}}) +
                  at(4, 1e-6, {{"v1", 4 * std::exp(-1.)}, {"v2", 4 * std::exp(-1.)}})});
  check_case({"parallelcaps-redistributed", "parallelcaps/parallelcaps", "redistributed",
              at(0, 1e-9, {{"v1", 1}, {"v2", 1}, {"i", -1}}) +
                  at(4, 1e-7, {{"v1", std::exp(-1.)}, {"v2", std::exp(-1.)}, {"i", -std::exp(-1.)}})});
  check_case(
      {"circuit", "circuit/circuit", "",
       at(0.5, 1e-6,
          {{"i1", 4.545455}, {"u1", 4.545455}, {"u2", 5.454545}, {"i2", 2.727273}, {"i3", 1.818182}, {"iL", 10}})});
}

TEST_CASE("filter in three environments") {
  check_case({"filter",
              "filter/filter",
              "",
              {{1, "F.u2", 0.3345241, 1e-7}, {2, "F.u2", 0.7303898, 1e-7}, {5, "F.u2", -0.6179243, 1e-7}}});
  check_case({"filter-coil_driven", "filter/filter", "coil_driven",
              at(1, 1e-7, {{"F.u2", 0.1193978}, {"F.i", 0.3079638}}) +
                  at(2, 1e-7, {{"F.u2", 0.5667212}, {"F.i", 0.4900178}}) +
                  at(5, 1e-7, {{"F.u2", -0.3582528}, {"F.i", -0.8709819}})});
  check_case({"filter-resistive", "filter/filter", "resistive",
              at(1, 1e-7, {{"F.u2", 0.1947855}, {"F.u1", 0.5181283}}) +
                  at(2, 1e-7, {{"F.u2", 0.4954700}, {"F.u1", 0.7023837}}) +
                  at(5, 1e-7, {{"F.u2", -0.2724157}, {"F.u1", -0.6156700}})});
}

TEST_CASE("motors") {
  for (const bool library : {false, true}) {
    const std::string motor = library ? "M." : "motor.", load = library ? "L." : "load.";
    const auto row = [&](double t, double w, double wl, double i) {
      return at(t, 2e-7, {{motor + "Omega", w}, {load + "Omega", wl}, {motor + "I", i}});
    };
    const std::string name = library ? "motorload_library" : "motorload";
    check_case({name, "motorload/" + name, "",
                row(0.5, 0.6837914, 1.3675828, 4.3162086) + row(1, 1.2252787, 2.4505574, 3.7747213) +
                    row(2, 1.9936376, 3.9872753, 3.0063624) + row(5, 2.9670921, 5.9341842, 2.0329079) +
                    std::vector<Point>{{100, motor + "Omega", 3.2857143, 1e-7}}});
  }
  for (const bool ports : {false, true}) {
    const std::string m = ports ? "m." : "", name = ports ? "motordc_ports" : "motordc";
    check_case({name,
                "motordc/" + name,
                "",
                {{0, m + "i", 100},
                 {0.1, m + "w", 10.480022},
                 {0.2, m + "w", 15.427959},
                 {0.5, m + "w", 19.387689},
                 {1, m + "w", 19.842505},
                 {5, m + "i", 0.732845}}});
    check_case({name,
                "motordc/" + name,
                "",
                {{0, m + "w", 30}, {0.1, m + "w", 24.643935}, {1, m + "w", 19.859015}},
                {{m + "w0", 30}}});
  }
}

TEST_CASE("cable reel") {
  const auto row = [](double t, double v, double measured, double radius, double omega, double ua, double ia) {
    return at(t, 1e-5, {{"r.v", v}, {"tacho.out", measured}, {"r.R", radius}, {"m.omega", omega}}) +
           std::vector<Point>{{t, "m.ua", ua, 1e-4}, {t, "m.ia", ia, 1e-3}};
  };
  check_case({"cablereel",
              "cablereel/cablereel",
              "",
              row(0, 0, 0, 1.2, 0, 90, 360) + row(10, 3.05677, 3.03530, 1.19964, 2.54807, 96.9608, 5.632) +
                  row(300, 12.30132, 12.29713, 1.16231, 10.58350, 396.7848, -0.386) +
                  row(600, 14.09131, 14.09059, 1.10132, 12.79488, 479.4605, -1.389),
              {},
              1e-8});
}

// A section is left by h = (2*hot + c)/3 and entered by cold = 2*c - h, if c leaves it on the cold side: from the end where
// the hot medium enters, the temperature at which the cold one enters is a linear function of that at which it leaves.
TEST_CASE("heat exchanger") {
  const double hot = 360, cold = 290;
  const auto through = [&](double cold_out) {
    double h = hot, c = cold_out;
    for (int section = 1; section <= 5; ++section) {
      h = (2 * h + c) / 3;
      c = 2 * c - h;
    }
    return std::pair{h, c};
  };
  const double c0 = through(0).second, cold_out = (cold - c0) / (through(1).second - c0);
  const double hot_out = through(cold_out).first;
  CHECK(2 * (hot - hot_out) == Approx(cold_out - cold).epsilon(1e-9));
  check_case({"heatexchanger_driven", "heatexchanger/heatexchanger_driven", "",
              at(100, 1e-5, {{"X.section[5].Tho", hot_out}, {"X.section[1].Tco", cold_out}})},
             [&](const auto& run) {
               const double given = run["Whot"] * (run["Thot"] - run["X.section[5].Tho"]);
               CHECK(given > 10);
               CHECK(run["Wcold"] * (run["X.section[1].Tco"] - run["Tcold"]) == Approx(given).epsilon(1e-7));
             });
}

TEST_CASE("air density of the lander") {
  const std::pair<double, double> table[] = {{0, 1.293}, {450, 1.238}, {2400, 1.0185}, {10500, 0.3975}, {18000, 0.122}};
  for (const auto& [height, density] : table)
    check_case({"lander", "lander/lander", "", {{0, "Fair", -0.5 * 4 * density * 300 * 300, 1e-6}}, {{"h", height}}});
}

TEST_CASE("orders of computation") {
  check_case({"blt-triangular",
              "blt/blt",
              "triangular",
              {{0.1, "i", 0.00695436, 1e-8},
               {0.5, "i", 0.06728280, 1e-8},
               {1, "i", 0.13182560, 1e-8},
               {2, "i", 0.15624436, 1e-8}}});
  check_case({"blt-linear",
              "blt/blt",
              "linear",
              at(1, 1e-8, {{"V3", 0.13701580}, {"i", 0.11740920}, {"V1", 0.72406179}, {"V2", 0.48924339}}) +
                  at(5, 1e-8, {{"V3", -0.12432840}, {"i", -0.13909931}}),
              {},
              1e-11});
}

// At time 0 the loop is singular: i**2 = 0 has a double root. So it begins a little later.
TEST_CASE("torn loop") {
  check_case({"blt-torn",
              "blt/blt",
              "torn",
              at(0.25, 2e-6, {{"V3", 0.061132}, {"i", 0.176197}}) + at(0.5, 2e-6, {{"V3", 0.163924}, {"i", 0.229311}}) +
                  at(1, 2e-6, {{"V3", 0.417600}, {"i", 0.265792}}),
              {},
              1e-9,
              1e-9});
}

TEST_CASE("constraints between states") {
  check_case({"index-capacitors", "index/index", "capacitors",
              at(0, 1e-9, {{"i1", 1}, {"i2", 2}}) + at(2, 1e-7, {{"V0", 2}, {"V1", 2}})});
  check_case({"index-shafts", "index/index", "shafts", {{0, "T", 2, 1e-9}, {2, "w2", 2, 1e-7}}});
  check_case(
      {"index-motion",
       "index/index",
       "motion",
       {{0, "F", -0.2, 1e-8}, {1, "F", -0.85155764, 1e-8}, {2, "F", -0.66888263, 1e-8}, {5, "F", 0.54139084, 1e-8}}});
  check_case({"index",
              "index/index",
              "",
              at(0.5, 1e-6, {{"x", 0.0146691}, {"y", -0.9998924}, {"vx", -1.5489360}, {"vy", -0.0227239}}) +
                  std::vector<Point>{{0.5, "F", 12.208664, 2e-5}},
              {},
              1e-11});
  check_case({"pendulum",
              "pendulum/pendulum",
              "",
              {{1, "x", -0.9714943, 1e-6},
               {1, "y", 0.2370629, 1e-6},
               {1, "F", 22.403240, 2e-5},
               {10, "x", -0.915728, 2e-5},
               {10, "y", 0.401798, 2e-5}},
              {},
              1e-11});
  check_case({"pendulum-double", "pendulum/pendulum", "double", {{5, "E", 9.81, 1e-6}}, {}, 1e-11});
  check_case({"pendulum-crank", "pendulum/pendulum", "crank", {{5, "E", 104.54574, 2e-5}}, {}, 1e-11});
}

TEST_CASE("tanks") {
  check_case(
      {"tanks", "tanks/tanks", "",
       at(10, 1e-5, {{"Tank1.h", 0.94367}, {"Tank2.h", 0.06218}, {"Pipe1.v", 2.55082}, {"Pipe2.v", 0.39498}}) +
           at(50, 1e-5, {{"Tank1.h", 4.00438}, {"Tank2.h", 0.14528}, {"Pipe1.v", 6.10858}, {"Pipe2.v", 1.17057}})});
  // what they come to, and that it is at rest there
  const std::vector<std::pair<std::string, double>> rest = {
      {"Tank1.h", 42.40571}, {"Tank2.h", 1.63099}, {"Pipe1.v", 20}, {"Pipe2.v", 4}};
  const std::vector<std::pair<std::string, double>> rates = {
      {"der(Tank1.h)", 0}, {"der(Tank2.h)", 0}, {"der(Pipe1.v)", 0}, {"der(Pipe2.v)", 0}};
  check_case({"tanks", "tanks/tanks", "", at(15000, 1e-5, rest) + at(15000, 1e-6, rates)});
  check_case({"tanks", "tanks/tanks", "", at(0, 1e-5, rates) + at(50, 2e-5, rest), rest});
  const std::vector<std::pair<std::string, double>> wide_rest = {
      {"Tank1.h", 3.26198}, {"Tank2.h", 1.63099}, {"Pipe1.v", 4}, {"Pipe2.v", 4}};
  check_case(
      {"tanks",
       "tanks/tanks",
       "",
       at(10, 1e-5, {{"Tank1.h", 0.76578}, {"Tank2.h", 0.27307}, {"Pipe1.v", 1.92866}, {"Pipe2.v", 1.30899}}) +
           at(50, 1e-5, {{"Tank1.h", 1.99544}, {"Tank2.h", 0.92727}, {"Pipe1.v", 3.21518}, {"Pipe2.v", 3.00122}}) +
           at(5000, 1e-5, wide_rest) + at(5000, 1e-6, rates),
       {{"Pipe1.A", 0.05}}});
  check_case({"surgetank", "surgetank/surgetank", "",
              at(0, 1e-5, {{"station.vp", 43.39954}, {"station.vt", 2.169977}, {"station.z", 3148.69392}})});
}

TEST_CASE("power system") {
  check_case({"powersystem", "powersystem/powersystem", "",
              at(0, 1e-6,
                 {{"G1.Vx", 0.981431},
                  {"G1.Vy", -0.020954},
                  {"G2.Vx", 0.993264},
                  {"G2.Vy", -0.022995},
                  {"Load3.Vx", 0.974028},
                  {"Load3.Vy", -0.045753},
                  {"G1.Ix", 1.313576},
                  {"G1.Iy", -0.320729},
                  {"G2.Ix", 0.425836},
                  {"G2.Iy", -0.124742},
                  {"G1.Pg", 1.295905},
                  {"G2.Pg", 0.425836}})});
}

TEST_CASE("limited state") {
  check_case({"prueba-ordering",
              "prueba/prueba",
              "ordering",
              {{0, "S", 50.24, 1e-9}, {0, "F", 104.838150, 1e-6}, {1, "V", 0.1 + 50.24 + std::exp(4.), 1e-6}}});
  const auto row = [](double t, double x, double y, double z) { return at(t, 2e-6, {{"x", x}, {"y", y}, {"z", z}}); };
  check_case({"prueba", "prueba/prueba", "",
              row(0.35, 0.285199, 0.285199, 0.570399) + row(0.7, 0.802344, 0.802344, 1.604687) +
                  row(1.05, 1.808599, 1, 6.042997) + row(2, 3.840024, 1, 16.200121)});
}

TEST_CASE("transfer functions") {
  check_case({"transferfunctions",
              "transferfunctions/transferfunctions",
              "",
              {{0.02, "y", 3.001073},
               {0.05, "y", 4.927842},
               {0.1, "y", 5.050460},
               {0.2, "y", 3.088038},
               {0.5, "y", 1.120420},
               {1, "y", 1.000817}},
              {},
              1e-11});
  check_case({"transferfunctions-improper",
              "transferfunctions/transferfunctions",
              "improper",
              {{0, "y", 3}, {0.5, "y", 3.325570}, {1, "y", 2.010606}, {2, "y", -1.652361}, {5, "y", 1.471010}}});
  check_case({"transferfunctions-tachometer",
              "transferfunctions/transferfunctions",
              "tachometer",
              {{1, "y", 1 - std::exp(-3.), 1e-7}}});
}

TEST_CASE("connections") {
  check_case(
      {"hierarchy", "hierarchy/hierarchy", "", at(2, 1e-7, {{"S2.v", std::exp(-2.)}, {"S3.S5.v", std::exp(-1.)}})});
  check_case({"resistors", "resistors/resistors", "", at(0, 1e-9, {{"R1.I", 2}, {"R1.V2", 6}})});
  check_case(
      {"connections", "connections/connections", "", at(40, 1e-6, {{"L1.X", 1. / 3}, {"L2.Y", 2. / 3}, {"L3.Z", 1}})});
}

TEST_CASE("models without states") {
  check_case({"valve", "valve/valve", "", {{0, "q", 2, 1e-9}}});
  check_case({"valve-pressure", "valve/valve", "pressure", {{0, "p2", 3, 1e-9}}});
  check_case({"star", "star/star", "",
              at(0, 1e-6,
                 {{"branches.vc", 6.181818},
                  {"branches.i1", 3.818182},
                  {"branches.i2", 2.090909},
                  {"branches.i3", 1.727273}})});
  check_case({"star-centre", "star/star", "centre", {{0, "branches.v1", 9.666667}}});
  check_case({"formula", "formula/formula", "", {{0, "B", 2.6, 1e-12}}});
  check_case({"formula-cellier", "formula/formula", "cellier", {{0, "x", 6, 1e-12}}});
  check_case({"nonlinear", "nonlinear/nonlinear", "", {{0, "x", 0.4384471872, 1e-9}}});
  check_case({"nonlinear-upper_root", "nonlinear/nonlinear", "upper_root", {{0, "x", 4.5615528128, 1e-9}}});
  check_case({"nonlinear-implicit",
              "nonlinear/nonlinear",
              "implicit",
              {{0, "z", -1.326724665, 1e-8},
               {0.5, "z", -0.534037792, 1e-8},
               {1, "z", -0.139894568, 1e-8},
               {2, "z", -0.078059559, 1e-8},
               {4, "z", -3.886588544, 1e-8}}});
  check_case({"nonlinear-circle",
              "nonlinear/nonlinear",
              "circle",
              {{2, "y", std::sqrt(1 - std::pow(std::sin(2.) / 2, 2)), 1e-8}}});
}

// Shafts are joined at 50 and, with half the speed for the load, at 100.
TEST_CASE("Ward-Leonard group") {
  check_case({"wardleonard", "wardleonard/wardleonard", "",
              at(99.999999, 1e-4, {{"M3.theta", 4.69063}, {"M1.omega", 49.21260}, {"M3.omega", 0.02424}}) +
                  at(100.000001, 1e-5, {{"M3.omega", 0.02424 / 2}, {"ld.omega", 0.02424 / 2}})});
}
