// Memory runs out. Then a call must return an error or nothing at all, or the results are those of always (KLU can do
// with less); the instance can still be freed, and nothing is left behind. Two ways:
//
//   one failure   of a whole life of an instance the first allocation fails, in the next life the second, and so on
//   a limit       only so many bytes are there, in the next life some more, and so on
//
// The linker puts __wrap_malloc and its like in the place of malloc, calloc and realloc of everything in this program
// (--wrap). In a build with AddressSanitizer that sees wrong accesses and leaks; here blocks that were allocated and not
// freed are counted as well. SUNDIALS does not survive a failure; it is asked only where there is room for all that it
// takes (fmr_algebra_no_room). So its own allocations, which have names of their own, are not made to fail one by one,
// but are held to the limit like all.
#include <malloc.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>

#include "tests/robustness/subjects.h"

namespace {

bool counting = false;
long made = 0, failing = 0;                      // failing: the number of the allocation that fails; 0: none
long alive = 0;                                  // blocks
std::size_t used = 0, limit = 0, most_used = 0;  // bytes

// Whether there is no memory for this one.
bool refused(std::size_t size, bool may_fail) {
  if (!counting) return false;
  if (may_fail && ++made == failing) return true;
  return limit > 0 && used + size > limit;
}

void* counted(void* memory) {
  if (counting && memory) {
    ++alive;
    used += malloc_usable_size(memory);
    most_used = std::max(most_used, used);
  }
  return memory;
}

void forgotten(void* memory) {
  if (counting && memory) {
    --alive;
    used -= malloc_usable_size(memory);
  }
}

}  // namespace

extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void __real_free(void*);
void* __wrap_malloc(std::size_t size) { return refused(size, true) ? nullptr : counted(__real_malloc(size)); }
void* __wrap_calloc(std::size_t n, std::size_t size) {
  return refused(n * size, true) ? nullptr : counted(__real_calloc(n, size));
}
void* sundials_malloc(std::size_t size) { return refused(size, false) ? nullptr : counted(__real_malloc(size)); }
void* sundials_calloc(std::size_t n, std::size_t size) {
  return refused(n * size, false) ? nullptr : counted(__real_calloc(n, size));
}
void* __wrap_realloc(void* old, std::size_t size) {
  if (refused(size, true)) return nullptr;
  forgotten(old);
  return counted(__real_realloc(old, size));
}
void __wrap_free(void* memory) {
  forgotten(memory);
  __real_free(memory);
}
}

using namespace fmugen::tests;

namespace {

double seen[1000];  // values at the end of a life

// The life of an instance, with calls of all that allocates. The number of calls that returned an error or nothing.
int live(const Subject& s, fmi2Type type, const Choice& choice) {
  fmi2CallbackFunctions callbacks{};
  int failures = 0;
  const auto expect = [&](fmi2Status status) { failures += status > fmi2Warning; };
  fmi2Component c = s.instantiate("it", type, s.name.c_str(), nullptr, &callbacks, fmi2False, fmi2False);
  if (!c) return 1;
  fmi2FMUstate state = nullptr, again = nullptr;
  const fmi2ValueReference solver = FMR_OPTION_SOLVER, option = FMR_OPTION_STEP;
  const fmi2Integer number = choice.solver + 1;
  const double fixed = choice.step * s.length, h = 0.004 * s.length, start = s.model->start_time;
  expect(fmi2SetInteger(c, &solver, 1, &number));
  expect(fmi2SetReal(c, &option, 1, &fixed));
  expect(fmi2SetupExperiment(c, fmi2True, 1e-4, start, fmi2False, 0));
  expect(fmi2EnterInitializationMode(c));
  expect(fmi2ExitInitializationMode(c));
  if (type == fmi2CoSimulation) {
    double time = start;
    for (int k = 0; k < 5; ++k) {
      const fmi2Status status = fmi2DoStep(c, time, h, fmi2True);
      expect(status);
      if (status <= fmi2Warning) time += h;
      if (k == 2) expect(fmi2GetFMUstate(c, &state));
    }
    const fmi2ValueReference first = s.reals.front();
    const fmi2Integer order = 1;
    double derivative = 0;
    expect(fmi2GetRealOutputDerivatives(c, &first, 1, &order, &derivative));
  } else {
    fmi2EventInfo info{};
    fmi2Boolean wants = fmi2False, ends = fmi2False;
    std::vector<double> x(s.states.size());
    expect(fmi2NewDiscreteStates(c, &info));
    expect(fmi2EnterContinuousTimeMode(c));
    for (int k = 1; k <= 5; ++k) {
      expect(fmi2SetTime(c, start + k * h));
      expect(fmi2GetDerivatives(c, x.data(), x.size()));
      expect(fmi2CompletedIntegratorStep(c, fmi2True, &wants, &ends));
    }
    expect(fmi2GetFMUstate(c, &state));
    expect(fmi2EnterEventMode(c));
  }
  REQUIRE(s.reals.size() <= 1000);
  expect(fmi2GetReal(c, s.reals.data(), s.reals.size(), seen));
  const fmi2ValueReference unknown = s.reals.back();
  const auto known =
      s.states.empty() ? std::vector<fmi2ValueReference>{} : std::vector<fmi2ValueReference>{s.states[0]};
  double derivative = 0;
  expect(fmi2GetDirectionalDerivative(c, &unknown, 1, known.data(), known.size(), nullptr, &derivative));
  if (state) {
    static char bytes[1 << 20];
    std::size_t size = 0;
    expect(fmi2SerializedFMUstateSize(c, state, &size));
    REQUIRE(size <= sizeof bytes);
    expect(fmi2SerializeFMUstate(c, state, bytes, size));
    expect(fmi2DeSerializeFMUstate(c, bytes, size, &again));
    expect(fmi2SetFMUstate(c, again ? again : state));
    fmi2FreeFMUstate(c, &again);
    fmi2FreeFMUstate(c, &state);
  }
  expect(fmi2Reset(c));
  fmi2FreeInstance(c);
  return failures;
}

// The same while allocations are watched: fails if anything is left behind.
int live_watched(const Subject& s, fmi2Type type, const Choice& choice, long which_fails, std::size_t bytes) {
  made = alive = 0;
  used = most_used = 0;
  failing = which_fails;
  limit = bytes;
  counting = true;
  const int failures = live(s, type, choice);
  counting = false;
  if (alive != 0 || used != 0) FAIL_CHECK(alive << " blocks are left, " << used << " bytes");
  return failures;
}

// Whether the values at the end are these, as exactly as the tolerance of the integrators promises.
bool all_as(const Subject& s, const std::vector<double>& usual) {
  for (std::size_t k = 0; k < s.reals.size(); ++k)
    if (!(std::abs(seen[k] - usual[k]) <= 1e-3 * (1 + std::abs(usual[k])))) return false;
  return true;
}

// Calls `test` for every model and integrator.
template <class Test>
void for_all(Test test) {
  for (const Subject& s : subjects()) {
    std::vector<Choice> all = {{}};
    all.insert(all.end(), choices().begin(), choices().end());
    for (const Choice& choice : all) {
      const fmi2Type type = choice.solver == FMR_SOLVER_AUTO ? fmi2ModelExchange : fmi2CoSimulation;
      INFO(s.name << (type == fmi2CoSimulation ? " by Co-Simulation, solver " : " by Model Exchange ")
                  << choice.solver);
      CHECK(live_watched(s, type, choice, 0, 0) == 0);
      const std::vector<double> usual(seen, seen + s.reals.size());
      test(s, type, choice, usual);
    }
  }
}

}  // namespace

TEST_CASE("every allocation may fail") {
  long tried = 0, failed = 0;
  for_all([&](const Subject& s, fmi2Type type, const Choice& choice, const std::vector<double>& usual) {
    const long all = made;
    for (long k = 1; k <= all; ++k) {
      INFO("allocation " << k << " of " << all << " fails");
      if (live_watched(s, type, choice, k, 0) > 0)
        ++failed;
      else if (!all_as(s, usual))
        FAIL_CHECK("no call has failed, but the results are others");
    }
    tried += all;
  });
  CHECK(tried > 2000);
  CHECK(failed > 0.95 * static_cast<double>(tried));
}

TEST_CASE("memory may end anywhere") {
  for_all([&](const Subject& s, fmi2Type type, const Choice& choice, const std::vector<double>& usual) {
    const std::size_t all = most_used;
    for (std::size_t part = 1; part < 60; ++part) {
      INFO("there are " << part << "/60 of " << all << " bytes");
      if (live_watched(s, type, choice, 0, all * part / 60) == 0 && !all_as(s, usual))
        FAIL_CHECK("no call has failed, but the results are others");
    }
  });
}
