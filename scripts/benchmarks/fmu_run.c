/* Runs the Co-Simulation of an FMU as a master does: a step and a look at the output for each interval.
 *
 *     fmu_run LIBRARY GUID REFERENCE STOP INTERVAL CHECK_TIME SECONDS [SOLVER]
 *
 * Again and again for so many seconds, once at least. SOLVER is a value of the parameter _fmu.solver. Prints the least
 * processor time of a simulation, from the end of instantiation on, the check value, and the least processor time from
 * the file to the end of initialization; then, line by line, what the FMU had to say at the end of its integration. */
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmi2/fmi2_abi.h"
#include "fmu_runtime/model_interface.h"

static char said[4000];

static void need(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "the FMU failed: %s\n%s", what, said);
  exit(1);
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void logger(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                   fmi2String message, ...) {
  (void)environment, (void)instance, (void)status, (void)category;
  const size_t length = strlen(said);
  if (length + 2 >= sizeof said) return; /* what was said first tells most */
  va_list arguments;
  va_start(arguments, message);
  vsnprintf(said + length, sizeof said - length - 1, message, arguments);
  va_end(arguments);
  strcat(said, "\n");
}

static void* library;

/* Pointers to functions and to data have the same size wherever there is dlsym(). */
#define FUNCTION(name)                        \
  __typeof__(&name) call_##name;              \
  *(void**)&call_##name = dlsym(library, #name); \
  need(call_##name != NULL, #name)

int main(int argc, char** argv) {
  need(argc == 8 || argc == 9, "usage: fmu_run LIBRARY GUID REFERENCE STOP INTERVAL CHECK_TIME SECONDS [SOLVER]");
  const double loading = processor_time();
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  const double load = processor_time() - loading;
  need(library != NULL, "dlopen");
  FUNCTION(fmi2Instantiate);
  FUNCTION(fmi2SetInteger);
  FUNCTION(fmi2SetDebugLogging);
  FUNCTION(fmi2SetupExperiment);
  FUNCTION(fmi2EnterInitializationMode);
  FUNCTION(fmi2ExitInitializationMode);
  FUNCTION(fmi2DoStep);
  FUNCTION(fmi2GetReal);
  FUNCTION(fmi2Terminate);
  FUNCTION(fmi2FreeInstance);
  const fmi2ValueReference reference = (fmi2ValueReference)strtoul(argv[3], NULL, 10);
  const double stop = atof(argv[4]), interval = atof(argv[5]), check_time = atof(argv[6]);
  const double until = processor_time() + atof(argv[7]);
  const fmi2CallbackFunctions callbacks = {logger, calloc, free, NULL, NULL};
  const int intervals = (int)lround(stop / interval);
  double best = INFINITY, start = INFINITY, check = NAN;
  do {
    said[0] = '\0';
    const double instantiating = processor_time();
    fmi2Component c = call_fmi2Instantiate("one", fmi2CoSimulation, argv[2], NULL, &callbacks, fmi2False, fmi2False);
    need(c != NULL, "fmi2Instantiate");
    if (argc == 9) {
      const fmi2ValueReference option = FMR_OPTION_SOLVER;
      const fmi2Integer solver = atoi(argv[8]);
      need(call_fmi2SetInteger(c, &option, 1, &solver) == fmi2OK, "fmi2SetInteger");
    }
    const double begin = processor_time();
    need(call_fmi2SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2True, stop) == fmi2OK, "fmi2SetupExperiment");
    need(call_fmi2EnterInitializationMode(c) == fmi2OK, "fmi2EnterInitializationMode");
    need(call_fmi2ExitInitializationMode(c) == fmi2OK, "fmi2ExitInitializationMode");
    start = fmin(start, load + processor_time() - instantiating);
    for (int k = 0; k < intervals; k++) {
      const double at = interval * k, end = k + 1 < intervals ? interval * (k + 1) : stop;
      double output;
      need(call_fmi2DoStep(c, at, end - at, fmi2True) == fmi2OK, "fmi2DoStep");
      need(call_fmi2GetReal(c, &reference, 1, &output) == fmi2OK, "fmi2GetReal");
      if (fabs(end - check_time) < 0.5 * interval) check = output;
    }
    best = fmin(best, processor_time() - begin);
    said[0] = '\0';
    /* notes only now: a text for each event would be measured, too */
    need(call_fmi2SetDebugLogging(c, fmi2True, 0, NULL) == fmi2OK, "fmi2SetDebugLogging");
    need(call_fmi2Terminate(c) == fmi2OK, "fmi2Terminate");
    call_fmi2FreeInstance(c);
  } while (processor_time() < until);
  printf("%.9g %.15g %.9g\n%s", best, check, start, said);
  return 0;
}
