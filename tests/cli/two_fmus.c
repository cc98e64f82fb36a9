/* Two FMUs linked statically into one program, with the prefixes one_ and two_: both run, side by side, and both values
 * of x at time 1 are printed. The arguments are the guids and the value references of x. */
#include <stdio.h>
#include <stdlib.h>

#define FMI2_FUNCTION_PREFIX one_
#include "fmu-runtime/fmi2/fmi2_abi.h"

fmi2Component two_fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                  const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logging_on);
fmi2Status two_fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,
                                   fmi2Boolean stop_defined, fmi2Real stop);
fmi2Status two_fmi2EnterInitializationMode(fmi2Component c);
fmi2Status two_fmi2ExitInitializationMode(fmi2Component c);
fmi2Status two_fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_return);
fmi2Status two_fmi2GetReal(fmi2Component c, const fmi2ValueReference* references, size_t count, fmi2Real* values);
void two_fmi2FreeInstance(fmi2Component c);

static void quiet(fmi2ComponentEnvironment e, fmi2String i, fmi2Status s, fmi2String c, fmi2String m, ...) {
  (void)e, (void)i, (void)s, (void)c, (void)m;
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const fmi2CallbackFunctions callbacks = {quiet, calloc, free, NULL, NULL};
  const fmi2ValueReference x[2] = {(fmi2ValueReference)atoi(argv[3]), (fmi2ValueReference)atoi(argv[4])};
  fmi2Component a = one_fmi2Instantiate("a", fmi2CoSimulation, argv[1], "", &callbacks, 0, 0);
  fmi2Component b = two_fmi2Instantiate("b", fmi2CoSimulation, argv[2], "", &callbacks, 0, 0);
  double values[2] = {0, 0};
  int bad = !a || !b || one_fmi2SetupExperiment(a, 0, 0, 0, 0, 0) || two_fmi2SetupExperiment(b, 0, 0, 0, 0, 0) ||
            one_fmi2EnterInitializationMode(a) || two_fmi2EnterInitializationMode(b) || one_fmi2ExitInitializationMode(a) ||
            two_fmi2ExitInitializationMode(b);
  for (int k = 0; k < 10 && !bad; k++)
    bad = one_fmi2DoStep(a, k * 0.1, 0.1, 1) > fmi2Warning || two_fmi2DoStep(b, k * 0.1, 0.1, 1) > fmi2Warning;
  bad = bad || one_fmi2GetReal(a, &x[0], 1, &values[0]) || two_fmi2GetReal(b, &x[1], 1, &values[1]);
  if (bad) return 1;
  printf("%.17g %.17g\n", values[0], values[1]);
  one_fmi2FreeInstance(a);
  two_fmi2FreeInstance(b);
  return 0;
}
