/* An FMU for Co-Simulation that counts x from 0 by der(x) = 1 and fails in the way it was compiled for:
 *
 *   FAIL_IN=Call     the function of that number returns FAIL_WITH; doStep only in the step that reaches time 0.5
 *   NOT_A_NUMBER     x is no number from time 0.5 on
 *   TERMINATE        the model ends the simulation at time 0.5
 *   TALK             every step logs a warning */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu-runtime/fmi2/fmi2_abi.h"

enum { NOTHING, INSTANTIATE, SETUP, ENTER, EXIT, STEP, GET, SET, TERMINATION };
#ifndef FAIL_IN
#define FAIL_IN NOTHING
#endif
#ifndef FAIL_WITH
#define FAIL_WITH fmi2Error
#endif
#define RESULT(call) (FAIL_IN == (call) ? fail(c) : fmi2OK)

typedef struct {
  double x, reached;
  fmi2CallbackFunctions functions;
} Counter;

static fmi2Status fail(fmi2Component component) {
  Counter* c = component;
  c->functions.logger(c->functions.componentEnvironment, "counter", FAIL_WITH, "logStatusError", "x is #r1#, and %s",
                      "that is bad");
  return FAIL_WITH;
}

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logging) {
  (void)name, (void)type, (void)resources, (void)visible, (void)logging;
  if (FAIL_IN == INSTANTIATE || strcmp(guid, "counter") != 0) return NULL;
  Counter* c = calloc(1, sizeof *c);
  c->functions = *functions;
  return c;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean td, fmi2Real t, fmi2Real start, fmi2Boolean sd,
                               fmi2Real s) {
  (void)td, (void)t, (void)sd, (void)s;
  ((Counter*)c)->x = start;
  return RESULT(SETUP);
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return RESULT(ENTER); }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return RESULT(EXIT); }
fmi2Status fmi2Terminate(fmi2Component c) { return RESULT(TERMINATION); }

fmi2Status fmi2GetReal(fmi2Component c, FMI2_REFERENCES, fmi2Real* values) {
  (void)references;
  for (size_t i = 0; i < count; i++) values[i] = ((Counter*)c)->x;
#ifdef NOT_A_NUMBER
  if (values[0] >= 0.5) values[0] = nan("");
#endif
  return RESULT(GET);
}
#define UNUSED(name, type)                                         \
  fmi2Status name(fmi2Component c, FMI2_REFERENCES, type values) { \
    (void)c, (void)references, (void)values;                       \
    return count ? fmi2Error : fmi2OK;                             \
  }
UNUSED(fmi2GetInteger, fmi2Integer*)
UNUSED(fmi2GetBoolean, fmi2Boolean*)
UNUSED(fmi2GetString, fmi2String*)
UNUSED(fmi2SetInteger, const fmi2Integer*)
UNUSED(fmi2SetBoolean, const fmi2Boolean*)
UNUSED(fmi2SetString, const fmi2String*)
fmi2Status fmi2SetReal(fmi2Component c, FMI2_REFERENCES, const fmi2Real* values) {
  (void)references, (void)count, (void)values;
  return RESULT(SET);
}

#ifndef WITHOUT_STEP
fmi2Status fmi2DoStep(fmi2Component component, fmi2Real time, fmi2Real step, fmi2Boolean no_set) {
  (void)no_set;
  Counter* c = component;
  c->x = c->reached = time + step;
#ifdef TALK
  c->functions.logger(c->functions.componentEnvironment, "counter", fmi2Warning, "w", "at %g", time);
#endif
#ifdef TERMINATE
  if (time + step >= 0.5) {
    c->x = c->reached = 0.5;
    return fmi2Discard;
  }
#endif
  return FAIL_IN == STEP && time + step >= 0.5 ? fail(c) : fmi2OK;
}
#endif
fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  (void)c, (void)kind;
#ifdef TERMINATE
  *value = fmi2True;
#else
  *value = fmi2False;
#endif
  return fmi2OK;
}
fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  (void)kind;
  *value = ((Counter*)c)->reached;
  return fmi2OK;
}
