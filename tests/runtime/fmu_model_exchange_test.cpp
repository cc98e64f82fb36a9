// Model Exchange, driven by a small integrator of the test's own: classical Runge-Kutta steps, events found by
// bisection.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/fmu.h"

namespace fmugen::tests {

namespace {

class Driver {
 public:
  Driver(Fmu& fmu, const FmrModel& model) : f_(fmu.component), n_(model.states) {
    for (unsigned i = 0; i < model.relations; i++) roots_ += !model.relation[i].timed;
    z_.resize(roots_);
    event();
  }
  unsigned events = 0, states_changed = 0;
  bool ended = false;

  void run(double until, double step) {
    while (t_ < until - 1e-14 && !ended) {
      growing_ = std::min(1.5 * growing_, step);  // small steps at first, as an integrator after a restart
      double h = std::min({growing_, until - t_, info_.nextEventTimeDefined ? info_.nextEventTime - t_ : 1e300});
      const std::vector<double> start = x_;
      const double t = t_;
      advance(start, t, h);
      bool crossed = sides() != side_;
      if (crossed) {
        double low = 0, high = h;
        while (high - low > 1e-15 * (1 + t)) {
          const double middle = (low + high) / 2;
          if (middle <= low || middle >= high) break;
          advance(start, t, middle);
          (sides() != side_ ? high : low) = middle;
        }
        h = high;
        advance(start, t, h);
      }
      fmi2Boolean enter = 0, stop = 0;
      REQUIRE(fmi2CompletedIntegratorStep(f_, fmi2True, &enter, &stop) == fmi2OK);
      const bool due = info_.nextEventTimeDefined && t_ >= info_.nextEventTime;
      if (crossed || enter || due) {
        REQUIRE(fmi2EnterEventMode(f_) == fmi2OK);
        event();
      }
      if (stop) ended = true;
    }
  }

 private:
  std::vector<double> rates(const std::vector<double>& x, double t) {
    std::vector<double> r(n_);
    REQUIRE(fmi2SetTime(f_, t) == fmi2OK);
    REQUIRE(fmi2SetContinuousStates(f_, x.data(), n_) == fmi2OK);
    REQUIRE(fmi2GetDerivatives(f_, r.data(), n_) == fmi2OK);
    return r;
  }
  void advance(const std::vector<double>& x, double t, double h) {
    const auto plus = [&](double a, const std::vector<double>& k) {
      std::vector<double> sum = x;
      for (std::size_t i = 0; i < n_; i++) sum[i] += a * k[i];
      return sum;
    };
    const auto k1 = rates(x, t), k2 = rates(plus(h / 2, k1), t + h / 2), k3 = rates(plus(h / 2, k2), t + h / 2),
               k4 = rates(plus(h, k3), t + h);
    x_ = x;
    for (std::size_t i = 0; i < n_; i++) x_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    t_ = t + h;
    rates(x_, t_);
  }
  std::vector<bool> sides() {
    REQUIRE(fmi2GetEventIndicators(f_, z_.data(), roots_) == fmi2OK);
    std::vector<bool> side;
    for (const double z : z_) side.push_back(z > 0);
    return side;
  }
  void event() {
    events++;
    growing_ = 1e-6;
    REQUIRE(fmi2NewDiscreteStates(f_, &info_) == fmi2OK);
    CHECK(info_.newDiscreteStatesNeeded == fmi2False);
    CHECK(info_.nominalsOfContinuousStatesChanged == fmi2False);
    states_changed += info_.valuesOfContinuousStatesChanged;
    ended = info_.terminateSimulation;
    REQUIRE(fmi2EnterContinuousTimeMode(f_) == fmi2OK);
    x_.resize(n_);
    REQUIRE(fmi2GetContinuousStates(f_, x_.data(), n_) == fmi2OK);
    const unsigned time = 0;
    REQUIRE(fmi2GetReal(f_, &time, 1, &t_) == fmi2OK);
    side_ = sides();
    for (const double z : z_) CHECK(z != 0);
  }

  fmi2Component f_;
  std::size_t n_, roots_ = 0;
  fmi2EventInfo info_{};
  std::vector<double> x_, z_;
  std::vector<bool> side_;
  double t_ = 0, growing_ = 1e-6;
};

}  // namespace

TEST_CASE("Model Exchange: a smooth model") {
  Fmu f(decay_model(), fmi2ModelExchange);
  REQUIRE(f.initialize() == fmi2OK);
  Driver driver(f, decay_model());
  driver.run(1, 0.01);
  CHECK(f.get(decay::x) == Approx(std::exp(-1)).epsilon(1e-8));
  CHECK(f.get(decay::y) == Approx(2 * std::exp(-1)).epsilon(1e-8));
  CHECK(driver.events == 1);
  CHECK(driver.states_changed == 0);
  CHECK(fmi2Terminate(f.component) == fmi2OK);
  CHECK(f.get(decay::x) == Approx(std::exp(-1)).epsilon(1e-8));
}

TEST_CASE("Model Exchange: a ball bounces and comes to rest") {
  Fmu f(ball_model(), fmi2ModelExchange);
  REQUIRE(f.initialize() == fmi2OK);
  Driver driver(f, ball_model());
  const double fall = std::sqrt(2 / 9.81);
  double bounce = fall;
  for (int k = 0; k < 6; k++) {
    driver.run(bounce - 1e-9, 0.01);
    CHECK(f.get(ball::bounces) == k);
    driver.run(bounce + 1e-9, 0.01);
    CHECK(f.get(ball::bounces) == k + 1);
    CHECK(driver.states_changed == static_cast<unsigned>(k + 1));
    bounce += 2 * fall * std::pow(0.8, k + 1);
  }
  driver.run(10, 0.01);
  CHECK(std::abs(f.get(ball::h)) < 1e-7);
  CHECK(f.get(ball::v) == Approx(0).margin(1e-12));
  CHECK(driver.events < 300);
}

TEST_CASE("Model Exchange: sampled systems announce their instants") {
  Fmu f(sampled_model(), fmi2ModelExchange);
  REQUIRE(f.initialize() == fmi2OK);
  Driver driver(f, sampled_model());
  driver.run(3.0000001, 0.07);
  double s = 0, i = 0;
  for (int k = 0; k < 30; k++) {
    const double next = i + 0.1 * s;
    s += 0.1 * (1 - i);
    i = next;
  }
  CHECK(f.get(sampled::out) == Approx(i).epsilon(1e-9));
  CHECK(driver.events == 31);
}

TEST_CASE("Model Exchange: states are chosen anew") {
  Fmu f(pendulum_model(), fmi2ModelExchange, true);
  REQUIRE(f.initialize() == fmi2OK);
  Driver driver(f, pendulum_model());
  driver.run(5, 0.002);
  const double x = f.get(pendulum::x), y = f.get(pendulum::y);
  const double energy = (std::pow(f.get(pendulum::vx), 2) + std::pow(f.get(pendulum::vy), 2)) / 2 + 9.81 * y;
  CHECK(x * x + y * y == Approx(1).epsilon(1e-12));
  CHECK(energy == Approx(-0.5 * 9.81).epsilon(1e-7));
  CHECK(driver.events > 1);
  CHECK(f.messages.at(0).find("0 logDynamicStateSelection: other states are chosen at time ") == 0);
}

TEST_CASE("Model Exchange: without states time alone moves") {
  Fmu f(switch_model(), fmi2ModelExchange);
  REQUIRE(f.initialize() == fmi2OK);
  fmi2EventInfo info{};
  double t = 0;
  std::vector<double> instants;
  for (;;) {
    REQUIRE(fmi2NewDiscreteStates(f.component, &info) == fmi2OK);
    if (!info.nextEventTimeDefined || info.terminateSimulation) break;
    t = info.nextEventTime;
    instants.push_back(t);
    REQUIRE(fmi2SetTime(f.component, t) == fmi2OK);
  }
  CHECK(instants == std::vector<double>{0.25, 0.5, 2});
  CHECK(info.terminateSimulation == fmi2True);
  CHECK(f.get(switches::count) == 2);
}

TEST_CASE("Model Exchange: tunable parameters and inputs change at events") {
  Fmu f(decay_model(), fmi2ModelExchange);
  REQUIRE(f.initialize() == fmi2OK);
  CHECK(f.set(decay::k, 3) == fmi2OK);
  fmi2EventInfo info{};
  REQUIRE(fmi2NewDiscreteStates(f.component, &info) == fmi2OK);
  CHECK(f.get(decay::twice_k) == 6);
  CHECK(f.get(decay::der_x) == -3);
  REQUIRE(fmi2EnterContinuousTimeMode(f.component) == fmi2OK);
  CHECK(f.set(decay::k, 4) == fmi2Error);
  CHECK(f.messages.back() == "3 logStatusError: fmi2SetReal: value reference 4 cannot be set in continuous-time mode");
  CHECK(f.set(decay::u, 10) == fmi2OK);
  CHECK(f.get(decay::der_x) == 7);
  CHECK(f.set(decay::x, 2) == fmi2OK);  // states by fmi2SetReal, too
  CHECK(f.get(decay::der_x) == 4);
}

TEST_CASE("directional derivatives in all modes") {
  Fmu f(decay_model(), fmi2ModelExchange);
  const fmi2ValueReference unknown[] = {decay::der_x, decay::y, decay::minus_y}, known[] = {decay::x, decay::u},
                           start[] = {decay::k, decay::x};
  const double seed[] = {1, 10};
  double d[3];
  fmi2EnterInitializationMode(f.component);
  REQUIRE(fmi2GetDirectionalDerivative(f.component, unknown, 3, start, 2, seed, d) == fmi2OK);
  CHECK(d[0] == Approx(-11).epsilon(1e-8));  // -k*x: -x*1 - k*10
  CHECK(d[1] == Approx(20).epsilon(1e-8));
  REQUIRE(fmi2ExitInitializationMode(f.component) == fmi2OK);
  REQUIRE(fmi2GetDirectionalDerivative(f.component, unknown, 3, known, 2, seed, d) == fmi2OK);
  CHECK(d[0] == 9);
  CHECK(d[1] == 12);
  CHECK(d[2] == -12);
  CHECK(fmi2GetDirectionalDerivative(f.component, unknown, 3, unknown, 1, seed, d) == fmi2Error);
  CHECK(f.messages.back() ==
        "3 logStatusError: fmi2GetDirectionalDerivative: value reference 2 is not a known in event mode");
  CHECK(fmi2GetDirectionalDerivative(f.component, nullptr, 0, nullptr, 0, nullptr, nullptr) == fmi2OK);
}

TEST_CASE("directional derivatives by differences where the model has none") {
  Fmu f(loop_model(), fmi2ModelExchange);
  REQUIRE(f.initialize() == fmi2OK);
  const fmi2ValueReference unknown[] = {loops::z, loops::p}, known[] = {loops::x};
  const double seed[] = {1};
  double d[2];
  const double before = f.get(loops::z);
  REQUIRE(fmi2GetDirectionalDerivative(f.component, unknown, 2, known, 1, seed, d) == fmi2OK);
  CHECK(d[0] == Approx(1 / (3 * before * before + 1)).epsilon(1e-6));
  CHECK(d[1] == Approx(0.5).epsilon(1e-8));
  CHECK(f.get(loops::z) == Approx(before).epsilon(1e-12));
  CHECK(f.get(loops::x) == 2);
}

}  // namespace fmugen::tests
