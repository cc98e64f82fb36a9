/* Model Exchange: the environment integrates; the instance evaluates and has events.
 *
 *   event mode       fmi2NewDiscreteStates: the whole event in one call, so never a further one is needed
 *   continuous time  SetTime, SetContinuousStates, GetDerivatives, GetEventIndicators, in any order and number;
 *   relations
 *                    keep their values, so that the right side is smooth
 *   after a step     fmi2CompletedIntegratorStep: remembers the past of delays, and asks for event mode if other states
 *                    have to be chosen or the model ends the simulation
 *
 * A point at which the equations have no solution is fmi2Discard: the environment tries a shorter step.
 *
 * Nominal values never change. Reference: FMI 2.0, 3.2. */
#include <math.h>

#include "events/events.h"
#include "fmi2/component.h"

static fmi2Status check_count(Component* c, const void* array, size_t count, size_t expected) {
  if (count != expected) return fmu_refuse(c, "there are %zu of them, not %zu", expected, count);
  if (count && !array) return fmu_refuse(c, "an argument is NULL");
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2EnterEventMode)(fmi2Component component) {
  Component* c = fmu_begin(component, CALL_ENTER_EVENT_MODE);
  if (!c) return fmi2Error;
  c->instance->moment.mode = MODE_EVENT;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2NewDiscreteStates)(fmi2Component component, fmi2EventInfo* info) {
  Component* c = fmu_begin(component, CALL_NEW_DISCRETE_STATES);
  if (!c) return fmi2Error;
  if (!info) return fmu_refuse(c, "an argument is NULL");
  FmrInstance* s = c->instance;
  int states_changed = 0;
  const int failed = fmr_event(s, &states_changed);
  *info = (fmi2EventInfo){.newDiscreteStatesNeeded = fmi2False,
                          .terminateSimulation = s->moment.terminate ? fmi2True : fmi2False,
                          .nominalsOfContinuousStatesChanged = fmi2False,
                          .valuesOfContinuousStatesChanged = states_changed ? fmi2True : fmi2False,
                          .nextEventTimeDefined = isfinite(s->moment.next_event) ? fmi2True : fmi2False,
                          .nextEventTime = isfinite(s->moment.next_event) ? s->moment.next_event : 0.0};
  if (!failed) return fmi2OK;
  info->terminateSimulation = fmi2True; /* environments that ignore the status must not wait for ever */
  s->moment.mode = MODE_ERROR;
  return fmu_fail(c, fmi2Error, "the event cannot be computed");
}

fmi2Status FMI2_NAME(fmi2EnterContinuousTimeMode)(fmi2Component component) {
  Component* c = fmu_begin(component, CALL_ENTER_CONTINUOUS_TIME_MODE);
  if (!c) return fmi2Error;
  c->instance->moment.mode = MODE_CONTINUOUS;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2CompletedIntegratorStep)(fmi2Component component, fmi2Boolean no_set_prior,
                                                  fmi2Boolean* enter_event_mode, fmi2Boolean* terminate_simulation) {
  Component* c = fmu_begin(component, CALL_COMPLETED_INTEGRATOR_STEP);
  (void)no_set_prior;
  if (!c) return fmi2Error;
  if (!enter_event_mode || !terminate_simulation) return fmu_refuse(c, "an argument is NULL");
  int event = 0;
  *enter_event_mode = *terminate_simulation = fmi2False;
  if (fmr_step_accepted(c->instance, &event)) {
    return fmu_fail(c, fmi2Error, "the model cannot be computed at the end of this step");
  }
  *terminate_simulation = c->instance->moment.terminate ? fmi2True : fmi2False;
  *enter_event_mode = event ? fmi2True : fmi2False;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SetTime)(fmi2Component component, fmi2Real time) {
  Component* c = fmu_begin(component, CALL_SET_TIME);
  if (!c) return fmi2Error;
  if (c->instance->moment.mode == MODE_EVENT && c->instance->model->states) {
    return fmu_refuse(c, "not allowed in event mode, since there are states");
  }
  if (!isfinite(time)) return fmu_refuse(c, "time cannot be %g", time);
  fmr_set_time(c->instance, time);
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SetContinuousStates)(fmi2Component component, const fmi2Real* x, size_t count) {
  Component* c = fmu_begin(component, CALL_SET_CONTINUOUS_STATES);
  if (!c || check_count(c, x, count, c->instance->model->states)) return fmi2Error;
  for (size_t i = 0; i < count; i++) {
    if (isfinite(x[i])) continue;
    fmu_log(c, fmi2Discard, NULL, "state %zu cannot be set to %g", i + 1, x[i]);
    return fmi2Discard;
  }
  fmr_set_states(c->instance, x);
  return fmi2OK;
}

/* Up to date, except after the end or an error, when the last values are shown. */
static fmi2Status update(Component* c) {
  if (c->instance->moment.mode & (MODE_TERMINATED | MODE_ERROR)) return fmi2OK;
  return fmr_update_dynamic(c->instance) ? fmu_fail(c, fmi2Discard, "the model cannot be computed at this point")
                                         : fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetDerivatives)(fmi2Component component, fmi2Real* derivatives, size_t count) {
  Component* c = fmu_begin(component, CALL_GET_DERIVATIVES);
  if (!c || check_count(c, derivatives, count, c->instance->model->states)) return fmi2Error;
  const fmi2Status status = update(c);
  if (status == fmi2OK) fmr_get_rates(c->instance, derivatives);
  return status;
}

fmi2Status FMI2_NAME(fmi2GetEventIndicators)(fmi2Component component, fmi2Real* indicators, size_t count) {
  Component* c = fmu_begin(component, CALL_GET_EVENT_INDICATORS);
  if (!c || check_count(c, indicators, count, c->instance->indicators)) return fmi2Error;
  const fmi2Status status = update(c);
  if (status == fmi2OK) fmr_indicators(c->instance, indicators);
  return status;
}

fmi2Status FMI2_NAME(fmi2GetContinuousStates)(fmi2Component component, fmi2Real* x, size_t count) {
  Component* c = fmu_begin(component, CALL_GET_CONTINUOUS_STATES);
  if (!c || check_count(c, x, count, c->instance->model->states)) return fmi2Error;
  const fmi2Status status = c->instance->moment.initializing ? update(c) : fmi2OK;
  if (status == fmi2OK) fmr_get_states(c->instance, x);
  return status;
}

fmi2Status FMI2_NAME(fmi2GetNominalsOfContinuousStates)(fmi2Component component, fmi2Real* nominals, size_t count) {
  Component* c = fmu_begin(component, CALL_GET_NOMINALS);
  if (!c || check_count(c, nominals, count, c->instance->model->states)) return fmi2Error;
  const double* nominal = c->instance->model->nominal;
  for (size_t i = 0; i < count; i++) nominals[i] = nominal ? nominal[i] : 1.0;
  return fmi2OK;
}
