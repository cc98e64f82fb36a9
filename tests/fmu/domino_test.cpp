// The chain of dominoes: speeds by the law of energy, times by quadrature.
//
// A stone that is pushed with w at phi0 has omega**2 = w**2 + a*(cos(phi0) - cos(phi)) on its way, with a = 2*m*g*R/Iy, and
// hits the next at phi1, where sin(phi1 - phi0) = (d - xD)/zD. That one is pushed with the speed of the first. So w**2
// grows, or falls, by a*(cos(phi0) - cos(phi1)) from stone to stone, and it takes the integral of 1/omega from phi0 to phi1.
#include <cmath>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

constexpr double xd = 0.008, zd = 0.046, gravity = 9.81, begin = 0.01;
const double phi0 = -std::atan(xd / zd), a = 3 * gravity / std::hypot(xd, zd), first = 0.2 / (0.75 * zd);
const double flat = std::acos(0.0);

double square_of_speed(double w2, double phi) { return w2 + a * (std::cos(phi0) - std::cos(phi)); }
double touching(double d) { return phi0 + std::asin((d - xd) / zd); }
double gain(double d) { return square_of_speed(0, touching(d)); }

// Simpson's rule.
double time_to(double phi, double w2) {
  constexpr int parts = 2000;
  const double h = (phi - phi0) / parts;
  double sum = 0;
  for (int i = 0; i <= parts; ++i)
    sum += (i == 0 || i == parts ? 1 : i % 2 ? 4 : 2) / std::sqrt(square_of_speed(w2, phi0 + i * h));
  return sum * h / 3;
}

double when_last_falls(double d, int stones) {
  double time = begin, w2 = first * first;
  for (int k = 1; k < stones; ++k, w2 += gain(d)) time += time_to(touching(d), w2);
  return time + time_to(1.5, w2);
}

std::string stone(int k, const char* name) { return "s[" + std::to_string(k) + "]." + name; }

// They lie on the floor, with the speed that they came with.
template <class Run>
void check_fallen(const Run& run, double d, int from, int to) {
  for (int k = from; k <= to; ++k) {
    INFO("stone " << k);
    CHECK(run[stone(k, "phi")] == Approx(flat).margin(1e-6));
    CHECK(run[stone(k, "c")] == 0);
    const double w2 = first * first + (k - 1) * gain(d);
    CHECK(run[stone(k, "omega")] == Approx(std::sqrt(square_of_speed(w2, flat))).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("a stone alone") {
  CHECK(first == Approx(5.79710).margin(1e-5));
  CHECK(time_to(flat, first * first) == Approx(0.172675).margin(1e-6));
  CHECK(std::sqrt(square_of_speed(first * first, flat)) == Approx(25.58528).margin(1e-5));
}

TEMPLATE_TEST_CASE("55 dominoes fall faster and faster", "", CsRun, MeRun) {
  const Fmu fmu(fmu_path("domino"));
  TestType run(fmu);
  run.start(0, 2);
  const double d = run["d"];
  CHECK(d == 0.03);
  run.advance(begin + 0.172675);  // when the first reaches the floor
  CHECK(run[stone(1, "phi")] == Approx(flat).margin(2e-5));
  run.advance(2);
  CHECK(run.terminated());
  CHECK(run.time() == Approx(when_last_falls(d, 55)).margin(1e-6));
  CHECK(run.time() == Approx(1.373903).margin(2e-6));
  check_fallen(run, d, 1, 45);  // the last ones are still on their way
  CHECK(run[stone(55, "omega")] == Approx(std::sqrt(square_of_speed(first * first + 54 * gain(d), 1.5))).epsilon(1e-6));
}

TEMPLATE_TEST_CASE("dominoes that stand too near come to rest", "", CsRun, MeRun) {
  const Fmu fmu(fmu_path("domino"));
  TestType run(fmu);
  run.set("d", 0.02);
  run.start(0, 2);
  run.advance(2);
  CHECK(!run.terminated());
  REQUIRE(gain(0.02) < 0);
  // stones tip over if their centre passes the edge
  const double barrier = -square_of_speed(0, 0);
  REQUIRE(first * first + 3 * gain(0.02) > barrier);
  REQUIRE(first * first + 4 * gain(0.02) < barrier);
  check_fallen(run, 0.02, 1, 4);
  for (int k = 5; k <= 55; ++k) {
    INFO("stone " << k);
    CHECK(run[stone(k, "phi")] == Approx(phi0).margin(1e-9));
    CHECK(run[stone(k, "c")] == 0);
  }
}

TEST_CASE("the plan of eight dominoes") {
  PlanSource source = example("domino/domino");
  source.settings = {{"n", "8"}};
  const auto plan = plan_of(source);
  PlanInterpreter run(plan);
  run.start();
  run.advance(2);
  CHECK(run.terminated());
  CHECK(run.time() == Approx(when_last_falls(0.03, 8)).margin(1e-5));
  check_fallen(run, 0.03, 1, 4);
}
