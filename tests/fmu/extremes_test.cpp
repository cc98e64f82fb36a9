// Numbers of examples that are no value at a given time: the greatest value and when it is reached, the instant of an
// event, the rest that a system comes to. By Co-Simulation with short steps, and by Model Exchange.
#include <algorithm>
#include <cmath>

#include "tests/fmu/three_ways.h"

using namespace fmugen::tests;

namespace {

// Calls `look` every `step` until `stop`, by Co-Simulation and then by Model Exchange.
template <class Look, class Check>
void watch(const std::string& name, double stop, double step, Look look, Check check_numbers) {
  const Fmu fmu(fmu_path(name));
  const auto run = [&](auto& instance, const char* way) {
    INFO(name << " by " << way);
    instance.start();
    auto seen = look(instance, nullptr);
    for (double k = 1; k * step <= stop && !instance.terminated(); ++k) {
      instance.advance(k * step);
      seen = look(instance, &seen);
    }
    check_numbers(seen, instance);
  };
  CsRun cs(fmu);
  run(cs, "Co-Simulation");
  MeRun me(fmu);
  me.largest_step = step;
  run(me, "Model Exchange");
}

}  // namespace

TEST_CASE("reservoir") {
  struct Seen {
    double overflow = 0, time = 0, volume = 0, largest = 0, when = 0, volume_then = 0;
  };
  const auto look = [](const FmuRun& run, const Seen* before) {
    Seen now = before ? *before : Seen{};
    const double v = run["V"], outflow = run["outflow"];
    if (before && now.overflow == 0 && v > 4000)
      now.overflow = now.time + (run.time() - now.time) * (4000 - now.volume) / (v - now.volume);
    if (outflow > now.largest) {
      now.largest = outflow;
      now.when = run.time();
      now.volume_then = v;
    }
    now.time = run.time();
    now.volume = v;
    return now;
  };
  watch("reservoir", 10, 0.01, look, [](const Seen& seen, const FmuRun&) {
    CHECK(seen.overflow == Approx(2.50781).margin(2e-5));
    CHECK(seen.largest == Approx(42.646).margin(1e-3));
    CHECK(seen.when == Approx(6.73).margin(0.01));
    CHECK(seen.volume_then == Approx(4175.061).margin(2e-3));
  });
}

TEST_CASE("surge tank") {
  struct Seen {
    double pressure = 0, when = 0, highest = 0, lowest = 1e9;
  };
  const auto look = [](const FmuRun& run, const Seen* before) {
    Seen now = before ? *before : Seen{};
    const double pressure = std::abs(run["station.pI"]), z = run["station.z"];
    if (pressure > now.pressure) {
      now.pressure = pressure;
      now.when = run.time();
    }
    now.highest = std::max(now.highest, z);
    now.lowest = std::min(now.lowest, z);
    return now;
  };
  watch("surgetank", 2000, 1, look, [](const Seen& seen, const FmuRun&) {
    CHECK(seen.pressure == Approx(3.737e5).epsilon(2e-4));
    CHECK(seen.when == Approx(157).margin(1));
    CHECK(seen.highest == Approx(3206.09).margin(0.01));
  });
  watch("surgetank-opening", 2000, 1, look, [](const Seen& seen, const FmuRun&) {
    CHECK(seen.pressure == Approx(3.348e5).epsilon(2e-4));
    CHECK(seen.when == Approx(86).margin(1));
    CHECK(seen.lowest == Approx(3124.15).margin(0.01));
  });
}

TEST_CASE("a model ends the simulation") {
  const auto look = [](const FmuRun&, const int*) { return 0; };
  watch("prueba", 10, 0.35, look, [](int, const FmuRun& run) {
    CHECK(run.terminated());
    CHECK(run.time() == Approx(3).margin(1e-6));
  });
}

// The inverter follows its input; then it has come to rest.
TEST_CASE("inverter at rest") {
  const double expected[][2] = {{0, 6.00000}, {3, 6.00000}, {4, 5.68076}, {5, 0.18585}, {6, 0.16202}};
  const Fmu fmu(fmu_path("inverter"));
  const auto follow = [&](auto& run, const char* way) {
    INFO(way);
    run.set("U", 0);
    run.start();
    double time = 0;
    for (const auto& row : expected) {
      run.set("U", row[0]);
      run.advance(time += 2e-3);
      INFO("U = " << row[0]);
      CHECK(run["Y"] == Approx(row[1]).margin(1.5e-5).epsilon(0));
    }
  };
  CsRun cs(fmu);
  follow(cs, "Co-Simulation");
  MeRun me(fmu);
  me.stiff = true;
  follow(me, "Model Exchange");
  const Fmu steady(fmu_path("inverter-steady"));
  CsRun at_rest(steady);
  at_rest.set("U", 0);
  at_rest.start();
  CHECK(at_rest["Y"] == Approx(6).margin(1e-5));
  for (const std::string& state : steady.states()) CHECK(at_rest["der(" + state + ")"] == Approx(0).margin(1e-3));
}

// The first two turns of a pendulum, without the interpreter of plans, which is slow.
TEST_CASE("states chosen anew") {
  const auto look = [](const FmuRun& run, const double* before) {
    return std::max(before ? *before : 0., std::abs(std::hypot(run["x"], run["y"]) - 1));
  };
  watch("pendulum", 2.5817876, 2.5817876 / 50, look, [](double drift, const FmuRun& run) {
    CHECK(drift < 1e-9);
    CHECK(run["x"] == Approx(0).margin(3e-5));
    CHECK(run["y"] == Approx(-1).margin(1e-5));
    CHECK(run["u"] == Approx(7).margin(1e-5));
  });
}
