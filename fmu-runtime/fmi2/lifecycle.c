/* From instantiation to the end: creating, initializing, resetting, terminating, freeing.
 *
 * Everything the environment passes is valid only during the call, so all of it is copied. Memory comes from calloc,
 * not from the callbacks, which FMI 2.0.2 advises against (canNotUseMemoryManagementFunctions is true). An instance
 * has no use for its resources at run time, so their location is not looked at.
 *
 *   Instantiate -> [Set...] SetupExperiment -> EnterInitializationMode -> [Set, Get] -> ExitInitializationMode
 *       Model Exchange: in event mode, the first event is up to the environment's fmi2NewDiscreteStates
 *       Co-Simulation:  the first event is part of it; then steps
 *
 * Initial values are found when somebody asks for them or when initialization ends, whichever is first.
 *
 * Reference: FMI 2.0, 2.1.5 and 2.1.6. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "fmi2/component.h"

const char* FMI2_NAME(fmi2GetTypesPlatform)(void) { return "default"; }
const char* FMI2_NAME(fmi2GetVersion)(void) { return "2.0"; }

fmi2Status FMI2_NAME(fmi2SetDebugLogging)(fmi2Component component, fmi2Boolean on, size_t count,
                                          const fmi2String* names) {
  Component* c = fmu_begin(component, CALL_SET_DEBUG_LOGGING);
  if (!c) return fmi2Error;
  const char* unknown = NULL;
  if (count && !names) return fmu_refuse(c, "no categories are given, although there are to be %zu", count);
  if (fmu_choose_categories(c, count, names, &unknown)) {
    return fmu_refuse(c, "there is no log category '%s'", unknown ? unknown : "(null)");
  }
  c->logging = on != fmi2False;
  return fmi2OK;
}

static int is_blank(const char* text) {
  for (; text && *text; text++) {
    if (!isspace((unsigned char)*text)) return 0;
  }
  return 1;
}

static char* copy_of(const char* text) {
  char* copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

/* A message when there is no component yet. */
static fmi2Component give_up(Component* c, const char* reason, const char* detail) {
  fmu_log(c, fmi2Error, "logStatusError", "%s%s", reason, detail);
  return NULL;
}

fmi2Component FMI2_NAME(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resource_location,
                                         const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                                         fmi2Boolean logging_on) {
  (void)resource_location;
  (void)visible;
  char nameless[] = "?";
  Component early = {.name = name ? (char*)name : nameless, .function = "fmi2Instantiate"};
  if (functions) early.callbacks = *functions;
  if (is_blank(name)) return give_up(&early, "the instance has no name", "");
  if (type != fmi2ModelExchange && type != fmi2CoSimulation) return give_up(&early, "the type of FMU is unknown", "");
  if (!guid || strcmp(guid, fmr_model.guid) != 0) {
    return give_up(&early, "the guid is not that of this binary, which is ", fmr_model.guid);
  }
  Component* c = calloc(1, sizeof *c);
  if (c) {
    *c = early;
    c->name = copy_of(name);
    c->type = type;
    c->logging = logging_on != fmi2False;
    c->categories = ~0u;
    c->instance = fmr_instance_new(&fmr_model);
    if (c->instance && type == fmi2CoSimulation) c->cosim = fmr_cosim_new(c->instance);
  }
  if (!c || !c->name || !c->instance || (type == fmi2CoSimulation && !c->cosim)) {
    FMI2_NAME(fmi2FreeInstance)(c);
    return give_up(&early, "there is not enough memory", "");
  }
  c->instance->say = fmu_listen;
  c->instance->listener = c;
  c->instance->moment.mode = MODE_INSTANTIATED;
  return c;
}

void FMI2_NAME(fmi2FreeInstance)(fmi2Component component) {
  Component* c = component;
  if (!c) return;
  fmr_cosim_free(c->cosim);
  fmr_instance_free(c->instance);
  free(c->name);
  free(c);
}

fmi2Status FMI2_NAME(fmi2SetupExperiment)(fmi2Component component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                          fmi2Real start_time, fmi2Boolean stop_time_defined, fmi2Real stop_time) {
  Component* c = fmu_begin(component, CALL_SETUP_EXPERIMENT);
  if (!c) return fmi2Error;
  if (!isfinite(start_time)) return fmu_refuse(c, "the start time is %g", start_time);
  if (stop_time_defined && !(stop_time >= start_time)) {
    return fmu_refuse(c, "the stop time %g is before the start time %g", stop_time, start_time);
  }
  if (tolerance_defined && !(tolerance > 0.0 && isfinite(tolerance))) {
    return fmu_refuse(c, "the tolerance is %g, but must be greater than 0", tolerance);
  }
  FmrMoment* moment = &c->instance->moment;
  moment->start = start_time;
  moment->stop = stop_time_defined ? stop_time : INFINITY;
  moment->tolerance =
      tolerance_defined ? fmin(fmax(tolerance, FMR_LEAST_TOLERANCE), FMR_GREATEST_TOLERANCE) : 0.0;
  fmr_set_time(c->instance, start_time);
  if (tolerance_defined && moment->tolerance != tolerance) {
    fmu_log(c, fmi2Warning, NULL, "the tolerance %g is taken as %g: it is useful from %g to %g", tolerance,
            moment->tolerance, FMR_LEAST_TOLERANCE, FMR_GREATEST_TOLERANCE);
    return fmi2Warning;
  }
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2EnterInitializationMode)(fmi2Component component) {
  Component* c = fmu_begin(component, CALL_ENTER_INITIALIZATION_MODE);
  if (!c) return fmi2Error;
  c->instance->moment.mode = MODE_INITIALIZATION;
  c->instance->moment.initial_old = 1;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2ExitInitializationMode)(fmi2Component component) {
  Component* c = fmu_begin(component, CALL_EXIT_INITIALIZATION_MODE);
  if (!c) return fmi2Error;
  FmrMoment* moment = &c->instance->moment;
  int states_changed;
  int failed = fmr_end_initialization(c->instance);
  if (!failed && c->type == fmi2CoSimulation) failed = fmr_event(c->instance, &states_changed);
  if (failed) {
    moment->mode = MODE_ERROR;
    return fmu_fail(c, fmi2Error, "the initial values cannot be computed");
  }
  moment->mode = c->type == fmi2CoSimulation ? MODE_STEP_COMPLETE : MODE_EVENT;
  c->last_step = fmi2OK;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2Terminate)(fmi2Component component) {
  Component* c = fmu_begin(component, CALL_TERMINATE);
  if (!c) return fmi2Error;
  fmr_update_outputs(c->instance); /* last values can still be read; if they do not exist, they do not */
  if (c->cosim) fmr_cosim_note_statistics(c->cosim);
  c->instance->moment.mode = MODE_TERMINATED;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2Reset)(fmi2Component component) {
  Component* c = fmu_begin(component, CALL_RESET);
  if (!c) return fmi2Error;
  if (c->cosim) fmr_cosim_reset(c->cosim);
  fmr_instance_reset(c->instance);
  c->instance->moment.mode = MODE_INSTANTIATED;
  c->last_step = fmi2OK;
  return fmi2OK;
}
