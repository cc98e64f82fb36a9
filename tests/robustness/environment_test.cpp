// What belongs to the host stays as it was: rounding mode, traps, locale; and memory does not grow. Floating-point
// exception flags that the host finds raised stay raised; calls may raise others, as any arithmetic does.
//
// Signals for invalid operations are for the host to keep off while it calls (docs/fmu.md): "not a number" marks what is
// not known, and comparing it is such an operation.
#include <fenv.h>
#include <malloc.h>

#include <catch2/catch.hpp>
#include <clocale>
#include <cmath>
#include <cstring>

#include "tests/robustness/subjects.h"

using namespace fmugen::tests;

namespace {

Outcome usual_run(const Subject& s, const Choice& choice, bool exchange) {
  const Instance instance(s, exchange ? fmi2ModelExchange : fmi2CoSimulation);
  return exchange ? run_model_exchange(s, instance(), 30, 0.03) : run_co_simulation(s, instance(), choice, 4, 0.02);
}

// Calls `test` with a name and a run for every model and integrator.
template <class Test>
void for_all(Test test) {
  for (const Subject& s : subjects()) {
    INFO(s.name << " by Model Exchange");
    test(s, Choice{}, true);
    for (const Choice& choice : choices()) {
      INFO(s.name << " by Co-Simulation, solver " << choice.solver);
      test(s, choice, false);
    }
  }
}

}  // namespace

TEST_CASE("the rounding mode and the traps of the host stay") {
  for_all([](const Subject& s, const Choice& choice, bool exchange) {
    const Outcome usual = usual_run(s, choice, exchange);
    const int before = feenableexcept(FE_OVERFLOW);
    const Outcome again = usual_run(s, choice, exchange);
    const int traps = fegetexcept(), rounding = fegetround();
    fedisableexcept(FE_ALL_EXCEPT);
    feenableexcept(before);
    CHECK(traps == FE_OVERFLOW);
    CHECK(rounding == FE_TONEAREST);
    CHECK(again == usual);
    fesetround(FE_UPWARD);
    usual_run(s, choice, exchange);
    const int upward = fegetround();
    fesetround(FE_TONEAREST);
    CHECK(upward == FE_UPWARD);
  });
}

TEST_CASE("exception flags that are raised stay raised") {
  for_all([](const Subject& s, const Choice& choice, bool exchange) {
    const Outcome usual = usual_run(s, choice, exchange);
    for (const int flags : {FE_DIVBYZERO, FE_INVALID, FE_OVERFLOW, FE_UNDERFLOW, FE_ALL_EXCEPT}) {
      feclearexcept(FE_ALL_EXCEPT);
      feraiseexcept(flags);
      const Outcome again = usual_run(s, choice, exchange);
      const int raised = fetestexcept(FE_ALL_EXCEPT);
      feclearexcept(FE_ALL_EXCEPT);
      CHECK((raised & flags) == flags);
      CHECK(again == usual);
    }
  });
}

TEST_CASE("the locale is left alone, and decimal points are points") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for_all([](const Subject& s, const Choice& choice, bool exchange) { usual_run(s, choice, exchange); });
  CHECK(before == std::setlocale(LC_ALL, nullptr));
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_NUMERIC, name)) break;
  const Subject& s = subject("mixer");
  const Instance instance(s, fmi2CoSimulation);
  CHECK(fmi2SetupExperiment(instance(), fmi2True, -0.25, 0, fmi2False, 0) == fmi2Error);
  const std::string numeric = std::setlocale(LC_NUMERIC, nullptr), said = instance.said();
  std::setlocale(LC_ALL, before.c_str());
  INFO("LC_NUMERIC is " << numeric);
  CHECK(said == "fmi2SetupExperiment: the tolerance is -0.25, but must be greater than 0");
}

TEST_CASE("ten thousand resets take no memory") {
  for (const char* name : {"mixer", "distribution"}) {
    INFO(name);
    const Subject& s = subject(name);
    const Instance instance(s, fmi2CoSimulation);
    const auto again = [&](int times) {
      for (int k = 0; k < times; ++k) {
        fmi2Reset(instance());
        fmi2SetupExperiment(instance(), fmi2False, 0, 0, fmi2False, 0);
        fmi2EnterInitializationMode(instance());
        fmi2ExitInitializationMode(instance());
        if (fmi2DoStep(instance(), 0, 0.001 * s.length, fmi2True) != fmi2OK) FAIL("step");
      }
      return mallinfo2().uordblks;
    };
    const auto early = again(100);
    CHECK(again(10000) < early + 10000);  // a byte a reset; blocks may come out 16 bytes larger than asked for
  }
}
