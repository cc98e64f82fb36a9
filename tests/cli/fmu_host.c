/* Runs the library of an FMU, on Linux or Windows, and prints a line of values at each communication point.
 *
 *   fmu_host LIBRARY GUID cs|me STOP STEP STATES INDICATORS REFERENCE...
 *
 * Model Exchange is integrated by Euler's method; events are handled at the ends of steps. Messages of the FMU go to
 * standard error. Exit code 1: a function has failed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu-runtime/fmi2/fmi2_abi.h"

#ifdef _WIN32
#include <windows.h>
static void* library_open(const char* path) { return (void*)LoadLibraryA(path); }
static void* library_find(void* library, const char* name) {
  FARPROC found = GetProcAddress((HMODULE)library, name);
  void* result;
  memcpy(&result, &found, sizeof result);
  return result;
}
#else
#include <dlfcn.h>
static void* library_open(const char* path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void* library_find(void* library, const char* name) { return dlsym(library, name); }
#endif

enum { REFERENCES_MOST = 16, STATES_MOST = 64 };

static void log_message(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                        fmi2String message, ...) {
  va_list arguments;
  (void)environment, (void)category;
  fprintf(stderr, "%s %d: ", instance, (int)status);
  va_start(arguments, message);
  vfprintf(stderr, message, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

static void check(const char* function, fmi2Status status) {
  if (status <= fmi2Warning) return;
  fprintf(stderr, "%s returns %d\n", function, (int)status);
  exit(1);
}

static void* library;

static void* need(const char* name) {
  void* found = library_find(library, name);
  if (found) return found;
  fprintf(stderr, "there is no %s\n", name);
  exit(1);
}

#define CALL(name, type, ...)               \
  do {                                      \
    fmi2Status(*f) type;                    \
    void* found = need(#name);              \
    memcpy(&f, &found, sizeof found);       \
    check(#name, f(__VA_ARGS__));           \
  } while (0)

static fmi2ValueReference references[REFERENCES_MOST];
static size_t reference_count;

static void print_values(fmi2Component c, double time) {
  double values[REFERENCES_MOST];
  CALL(fmi2GetReal, (fmi2Component, const fmi2ValueReference*, size_t, fmi2Real*), c, references, reference_count, values);
  printf("%.17g", time);
  for (size_t k = 0; k < reference_count; k++) printf(" %.17g", values[k]);
  printf("\n");
}

static void iterate_events(fmi2Component c, fmi2EventInfo* info) {
  do {
    CALL(fmi2NewDiscreteStates, (fmi2Component, fmi2EventInfo*), c, info);
  } while (info->newDiscreteStatesNeeded && !info->terminateSimulation);
  CALL(fmi2EnterContinuousTimeMode, (fmi2Component), c);
}

static void run_model_exchange(fmi2Component c, double stop, double step, size_t states, size_t indicators) {
  double x[STATES_MOST], dx[STATES_MOST], before[STATES_MOST], now[STATES_MOST];
  fmi2EventInfo info = {0};
  iterate_events(c, &info);
  print_values(c, 0.0);
  CALL(fmi2GetEventIndicators, (fmi2Component, fmi2Real*, size_t), c, before, indicators);
  for (int k = 1; k * step < stop * (1 + 1e-12); k++) {
    fmi2Boolean enter = 0, end = 0;
    CALL(fmi2GetContinuousStates, (fmi2Component, fmi2Real*, size_t), c, x, states);
    CALL(fmi2GetDerivatives, (fmi2Component, fmi2Real*, size_t), c, dx, states);
    for (size_t i = 0; i < states; i++) x[i] += step * dx[i];
    CALL(fmi2SetTime, (fmi2Component, fmi2Real), c, k * step);
    CALL(fmi2SetContinuousStates, (fmi2Component, const fmi2Real*, size_t), c, x, states);
    CALL(fmi2CompletedIntegratorStep, (fmi2Component, fmi2Boolean, fmi2Boolean*, fmi2Boolean*), c, 1, &enter, &end);
    CALL(fmi2GetEventIndicators, (fmi2Component, fmi2Real*, size_t), c, now, indicators);
    for (size_t i = 0; i < indicators; i++) enter |= (before[i] > 0) != (now[i] > 0);
    if (enter || (info.nextEventTimeDefined && info.nextEventTime <= k * step)) {
      CALL(fmi2EnterEventMode, (fmi2Component), c);
      iterate_events(c, &info);
      CALL(fmi2GetEventIndicators, (fmi2Component, fmi2Real*, size_t), c, now, indicators);
    }
    memcpy(before, now, sizeof before);
    print_values(c, k * step);
  }
}

static void run_co_simulation(fmi2Component c, double stop, double step) {
  print_values(c, 0.0);
  for (int k = 0; (k + 1) * step < stop * (1 + 1e-12); k++) {
    CALL(fmi2DoStep, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean), c, k * step, step, 1);
    print_values(c, (k + 1) * step);
  }
}

int main(int argc, char** argv) {
  if (argc < 9) return 2;
  library = library_open(argv[1]);
  if (!library) {
    fprintf(stderr, "cannot load %s\n", argv[1]);
    return 1;
  }
  const int me = strcmp(argv[3], "me") == 0;
  const double stop = atof(argv[4]), step = atof(argv[5]);
  for (int k = 8; k < argc && reference_count < REFERENCES_MOST; k++)
    references[reference_count++] = (fmi2ValueReference)strtoul(argv[k], NULL, 10);
  fmi2CallbackFunctions callbacks = {log_message, calloc, free, NULL, NULL};
  fmi2Component (*instantiate)(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, fmi2Boolean,
                               fmi2Boolean);
  void* found = need("fmi2Instantiate");
  memcpy(&instantiate, &found, sizeof found);
  fmi2Component c = instantiate("host", me ? fmi2ModelExchange : fmi2CoSimulation, argv[2], "file:///C:/resources",
                                &callbacks, 0, 0);
  if (!c) return 1;
  CALL(fmi2SetupExperiment, (fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real), c, 0, 0, 0, 0, 0);
  CALL(fmi2EnterInitializationMode, (fmi2Component), c);
  CALL(fmi2ExitInitializationMode, (fmi2Component), c);
  if (me)
    run_model_exchange(c, stop, step, (size_t)atoi(argv[6]), (size_t)atoi(argv[7]));
  else
    run_co_simulation(c, stop, step);
  CALL(fmi2Terminate, (fmi2Component), c);
  void (*release)(fmi2Component);
  found = need("fmi2FreeInstance");
  memcpy(&release, &found, sizeof found);
  release(c);
  return 0;
}
