// The examples of the SIMNON manual: by Co-Simulation, by Model Exchange, and executed as the manual says. Numbers come
// from other programs, or from the manual.
#include <cmath>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/fmu/three_ways.h"
#include "tests/support/simnon_reference.h"

using namespace fmugen::tests;

namespace {

using Settings = std::vector<std::pair<std::string, double>>;

std::string text_of(const std::vector<std::string>& files) {
  std::ostringstream text;
  for (const std::string& file : files) {
    std::ifstream in(std::string(MODELS) + "/examples/" + file + ".sim");
    REQUIRE(in);
    text << in.rdbuf() << '\n';
  }
  return text.str();
}

struct Point {
  double time, y, u;
};

template <class Run>
void check_servo(const char* way, Run& run, const Settings& settings, const std::vector<Point>& points) {
  for (const auto& [name, value] : settings) run.set(name, value);
  run.start(0);
  for (const Point& p : points) {
    run.advance(p.time + 1e-12);  // 12*0.05 is a bit more than 0.6
    INFO(way << " at " << p.time);
    CHECK(run["MOTOR.Y"] == Approx(p.y).margin(1e-6).epsilon(0));
    CHECK(run["MOTOR.U"] == Approx(p.u).margin(1e-6).epsilon(0));
    CHECK(run["SERVO.UP"] == Approx(0.5 * p.u + 1.5).margin(1e-6).epsilon(0));
  }
}

void check_servo(Settings settings, const std::vector<Point>& points) {
  settings.insert(settings.end(), {{"SERVO.A", 0.5}, {"SERVO.B", 1.5}});
  const Fmu fmu(fmu_path("simnon-servo"));
  CsRun cs(fmu);
  check_servo("Co-Simulation", cs, settings, points);
  MeRun me(fmu);
  check_servo("Model Exchange", me, settings, points);
  SimnonReference manual(
      text_of({"simnon_servo/motor", "simnon_servo/cpid", "simnon_servo/dpid", "simnon_servo/servo"}));
  check_servo("as the manual says", manual, settings, points);
}

}  // namespace

TEST_CASE("servo with a continuous controller") {
  check_servo({{"DPID.DT", 10}},
              {{0.5, 0, 1}, {0.6, 0.183614, 0.816386}, {1, 1.040209, -0.040209}, {2.5, 1.000077, -0.000077}});
  check_servo({{"DPID.DT", 10}, {"CPID.G", 3}, {"CPID.TD", 0.08}, {"CPID.GD", 5}},
              {{0.5, 0, 3}, {0.6, 0.469934, 1.078177}, {1, 1.000274, 0.031558}, {2.5, 1.000000, -0.000001}});
}

TEST_CASE("servo with a sampled controller, whose sample at 0.5 sees the step") {
  const Settings sampled = {{"SERVO.CONT", 0}, {"DPID.DT", 0.05}};
  check_servo(sampled, {{0.5, 0, 1},
                        {0.6, 0.188088, 0.811912},
                        {1, 1.102167, -0.102167},
                        {1.05, 1.107607, -0.107607},
                        {2.5, 1.000014, -0.000014}});
  Settings derivative = sampled;
  derivative.insert(derivative.end(), {{"DPID.G", 3}, {"DPID.TD", 0.15}});
  check_servo(derivative, {{0.5, 0, 3}, {0.6, 0.518704, 0.383774}, {1, 0.987452, 0.030562}, {2.5, 1.000000, 0.000000}});
}

TEST_CASE("parameters and initial values of SIMNON systems are those of the FMU") {
  const Fmu fmu(fmu_path("simnon-servo"));
  for (const char* name : {"CPID.G", "CPID.TI", "DPID.DT", "SERVO.CONT", "MOTOR.J"}) {
    INFO(name);
    CHECK(fmu.variable(name).causality == "parameter");
    CHECK(fmu.variable(name).variability == "fixed");
  }
  for (const char* name : {"MOTOR.TH", "CPID.X", "DPID.X"}) {
    INFO(name);
    CHECK(fmu.variable(name).initial == "exact");
  }
  CHECK(fmu.variable("MOTOR.Y").causality == "output");
  CHECK(fmu.stop_time == 2.5);
}

namespace {

template <class Run>
void check_two_points(Run& run) {
  run.start(0);
  // what was tried, and by how much the end was missed
  const std::vector<std::pair<double, double>> tried = {
      {-2, 1.211521}, {2, 0.408311}, {4.033399, 0.082485}, {4.548168, -0.009450}};
  for (std::size_t k = 0; k < tried.size(); ++k) {
    INFO("interval " << k + 1);
    run.advance(static_cast<double>(k) + 0.5);
    CHECK(run["SECAN.Y"] == Approx(tried[k].first).margin(2e-6).epsilon(0));
    run.advance(static_cast<double>(k) + 1.25);
    CHECK(run["SECAN.NFOLD"] == Approx(tried[k].second).margin(2e-6).epsilon(0));
  }
  run.advance(10);
  CHECK(run.time() == Approx(5).epsilon(1e-12));
  CHECK(run["SECAN.Y"] == Approx(4.495255).margin(2e-6).epsilon(0));
}

}  // namespace

TEST_CASE("two-point boundary problem by shooting, which stops itself") {
  const Fmu fmu(fmu_path("simnon-twopoint"));
  CsRun cs(fmu);
  check_two_points(cs);
  CHECK(cs.terminated());
  MeRun me(fmu);
  check_two_points(me);
  CHECK(me.terminated());
  SimnonReference manual(text_of({"simnon_twopoint/twopoint"}));
  check_two_points(manual);
  CHECK(manual.stopped());
}

TEST_CASE("a saved state remembers computed instants and what is written into states") {
  const Fmu fmu(fmu_path("simnon-twopoint"));
  CsRun cs(fmu);
  cs.start(0);
  cs.advance(2.5);
  fmi2FMUstate saved = nullptr;
  REQUIRE(fmu.call.GetFMUstate(cs.component(), &saved) == fmi2OK);
  REQUIRE(cs.step(1.25) == fmi2OK);
  const double r = cs["AREA.R"], lam = cs["AREA.LAM"], instant = cs["SECAN.TS"];
  // a restored run starts its integrator anew: equal to other restored runs, and to this one within the tolerance
  const auto again = [&] {
    REQUIRE(fmu.call.SetFMUstate(cs.component(), saved) == fmi2OK);
    CHECK(cs["SECAN.TS"] == 3);
    REQUIRE(fmu.call.DoStep(cs.component(), 2.5, 1.25, fmi2True) == fmi2OK);
    return std::vector<double>{cs["AREA.R"], cs["AREA.LAM"], cs["SECAN.Y"], cs["SECAN.TS"]};
  };
  const std::vector<double> first = again();
  CHECK(again() == first);
  CHECK(first[0] == Approx(r).margin(1e-7).epsilon(0));
  CHECK(first[1] == Approx(lam).margin(1e-7).epsilon(0));
  CHECK(first[3] == instant);
  CHECK(fmu.call.FreeFMUstate(cs.component(), &saved) == fmi2OK);
}

TEST_CASE("states without initial values are set before anything is divided by them") {
  const Fmu fmu(fmu_path("simnon-twopoint"));
  CsRun cs(fmu);
  cs.start(0);
  CHECK(cs["AREA.R"] == 1);
  CHECK(cs["AREA.LAM"] == -2);
  CHECK(std::isfinite(cs["AREA.DR"]));
}

namespace {

// Points at t = 5, 10, ... from a start.
template <class Run>
void check_triode(Run& run, double u, double v, const std::vector<std::pair<double, double>>& points) {
  run.set("U", u);
  run.set("V", v);
  run.start(0);
  for (std::size_t k = 0; k < points.size(); ++k) {
    run.advance(5. * static_cast<double>(k + 1));
    INFO("from " << u << ", " << v << " at " << run.time());
    CHECK(run["U"] == Approx(points[k].first).margin(2e-5).epsilon(0));
    CHECK(run["V"] == Approx(points[k].second).margin(2e-5).epsilon(0));
  }
}

}  // namespace

TEST_CASE("triode oscillator") {
  const Fmu fmu(fmu_path("simnon-triod"));
  const auto check = [&](double u, double v, const std::vector<std::pair<double, double>>& points) {
    CsRun cs(fmu);
    check_triode(cs, u, v, points);
    MeRun me(fmu);
    check_triode(me, u, v, points);
  };
  check(0.25, 0,
        {{0.89753, 2.09028}, {-1.52525, 1.16866}, {-1.94507, -1.52287}, {1.24290, -1.30584}, {2.22866, 0.71616}});
  check(6, -10,
        {{2.54330, 1.60686}, {-1.34463, 1.33897}, {-2.18847, -0.88867}, {0.97899, -1.45753}, {2.31473, 0.19146}});
  check(6, 8,
        {{-2.75111, 1.61609}, {-0.90715, -3.00389}, {1.82244, -1.12827}, {1.53500, 2.32090}, {-1.51933, 1.24187}});
  check(-6, -8,
        {{2.75111, -1.61609}, {0.90715, 3.00389}, {-1.82244, 1.12827}, {-1.53500, -2.32090}, {1.51933, -1.24187}});
}

TEST_CASE("triode oscillator reaches its limit cycle") {
  const Fmu fmu(fmu_path("simnon-triod"));
  CsRun cs(fmu);
  cs.start(0);
  cs.advance(60);
  double largest = 0, up = 0, period = 0, before = cs["U"], v = cs["V"];
  for (int k = 1; k <= 16000; ++k) {
    const double t = 60 + k * 0.001;
    cs.advance(t);
    const double now = cs["U"], rate = cs["V"];
    if (v > 0 && rate <= 0) largest = std::max(largest, now);
    if (before < 0 && now >= 0) {
      const double crossing = t - 0.001 * now / (now - before);
      if (up > 0 && period == 0) period = crossing - up;
      up = crossing;
    }
    before = now;
    v = rate;
  }
  CHECK(largest == Approx(2.32217).margin(1e-5).epsilon(0));
  CHECK(period == Approx(6.49964).margin(2e-5).epsilon(0));
}

TEST_CASE("inputs assigned in a harmful order are sorted: the solution that was meant") {
  const Fmu good(fmu_path("simnon-order")), bad(fmu_path("simnon-order_bad"));
  CsRun a(good), b(bad);
  a.start(0);
  b.start(0);
  for (const double t : {1., 2., 5.}) {
    a.advance(t);
    b.advance(t);
    // der(x) = sin(t) + 2*x - 2*x - 3*x
    const double x = (3 * std::sin(t) - std::cos(t) + std::exp(-3 * t)) / 10;
    CHECK(a["SC.X"] == Approx(x).margin(1e-7).epsilon(0));
    CHECK(b["SC.X"] == Approx(x).margin(1e-7).epsilon(0));
    CHECK(b["SA.Y1"] == Approx(std::sin(t) + 2 * x).margin(1e-7).epsilon(0));
  }
}
