/* Reading and setting variables.
 *
 * A value reference is a slot of the model, or behind the slots a variable that is the negative of one, or an option of
 * the run time, or the time of the next event. A call is checked as a whole before it changes anything, so that a
 * refused one has no effect.
 *
 * What can be set when, by role of the slot:
 *
 *   before initialization     parameters, start values (exact and approximate), inputs
 *   initialization mode       parameters, exact start values, inputs
 *   event mode, between steps inputs, tunable parameters
 *   continuous-time mode      inputs, states
 *
 * Values that are no finite numbers are discarded: fmi2Discard, and the old value stays.
 *
 * Reference: FMI 2.0.1, 2.1.7 and 2.2.7. */
#include <float.h>
#include <math.h>

#include "events/events.h"
#include "fmi2/component.h"
#include "solve/store.h"

enum { SLOT, NEGATED, OPTION };

typedef struct Place {
  int kind;
  FmrSlot slot; /* or the number of the option */
} Place;

/* Nonzero: there is no such variable. */
static int find(const FmrModel* model, fmi2ValueReference reference, Place* place) {
  if (reference < model->values) {
    *place = (Place){SLOT, reference};
    return !(model->role[reference] & FMR_EXPOSED);
  }
  if (reference - model->values < model->negated_count) {
    *place = (Place){NEGATED, model->negated[reference - model->values]};
    return 0;
  }
  *place = (Place){OPTION, reference};
  if (reference == FMR_NEXT_EVENT_TIME) return !model->next_event_time;
  return reference < FMR_OPTION_SOLVER || reference > FMR_OPTION_STEP;
}

static int is_boolean(const FmrModel* model, Place place) {
  return place.kind == SLOT && (model->role[place.slot] & FMR_BOOLEAN);
}

static int is_real(const FmrModel* model, Place place) {
  return place.kind == OPTION ? place.slot != FMR_OPTION_SOLVER : !is_boolean(model, place);
}

int fmu_find_real(const Component* c, fmi2ValueReference reference, FmrSlot* slot, double* sign) {
  Place place;
  if (reference == FMR_NEXT_EVENT_TIME && c->instance->model->next_event_time) { /* held: its derivatives are zero */
    *slot = 0;
    *sign = 0.0;
    return 0;
  }
  if (find(c->instance->model, reference, &place) || place.kind == OPTION || is_boolean(c->instance->model, place)) {
    return 1;
  }
  *slot = place.slot;
  *sign = place.kind == NEGATED ? -1.0 : 1.0;
  return 0;
}

static fmi2Status refuse_reference(Component* c, fmi2ValueReference reference, const char* type) {
  return fmu_refuse(c, "value reference %u is not that of a variable of type %s", reference, type);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Brings up to date what the variables need. What was computed before the end or an error is left as it is. */
static fmi2Status update(Component* c, FmrNeed need) {
  FmrInstance* s = c->instance;
  if (s->moment.mode & (MODE_TERMINATED | MODE_ERROR)) return fmi2OK;
  int failed = 0;
  if (s->moment.initializing)
    failed = fmr_update_outputs(s);
  else if (need == FMR_NEED_DYNAMIC)
    failed = fmr_update_dynamic(s);
  else if (need == FMR_NEED_OUTPUTS)
    failed = fmr_update_outputs(s);
  return failed ? fmu_fail(c, fmi2Discard, "the model cannot be computed at this point") : fmi2OK;
}

static double option_value(FmrInstance* s, unsigned option) {
  if (option == FMR_NEXT_EVENT_TIME) {
    /* before the start nothing has been planned yet */
    const double next = s->moment.initializing ? fmr_next_event(s) : s->moment.next_event;
    return isfinite(next) ? next : DBL_MAX;
  }
  return option == FMR_OPTION_TOLERANCE ? s->moment.option_tolerance : s->moment.option_step;
}

static fmi2Status check_references(Component* c, size_t count, const fmi2ValueReference* references,
                                   const void* values) {
  if (count && (!references || !values)) return fmu_refuse(c, "an argument is NULL");
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetReal)(fmi2Component component, FMI2_REFERENCES, fmi2Real* values) {
  Component* c = fmu_begin(component, CALL_GET_REAL);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  FmrInstance* s = c->instance;
  FmrNeed need = FMR_NEED_NOTHING;
  for (size_t k = 0; k < count; k++) {
    Place place;
    if (find(s->model, references[k], &place) || !is_real(s->model, place)) {
      return refuse_reference(c, references[k], "Real");
    }
    if (place.kind != OPTION && s->need[place.slot] > need) need = s->need[place.slot];
  }
  fmi2Status status = update(c, need);
  if (status != fmi2OK) return status;
  for (size_t k = 0; k < count; k++) {
    Place place;
    find(s->model, references[k], &place);
    if (place.kind == OPTION)
      values[k] = option_value(s, place.slot);
    else
      values[k] = place.kind == NEGATED ? -s->data.v[place.slot] : s->data.v[place.slot];
    if (isfinite(values[k]) || s->moment.mode == MODE_ERROR) continue;
    fmu_log(c, fmi2Discard, NULL, "value reference %u is %g at time %.15g", references[k], values[k], s->data.v[0]);
    if (status == fmi2OK && fmr_report_formula(&s->data)) fmu_fail(c, fmi2Discard, "");
    status = fmi2Discard;
  }
  return status;
}

fmi2Status FMI2_NAME(fmi2GetBoolean)(fmi2Component component, FMI2_REFERENCES, fmi2Boolean* values) {
  Component* c = fmu_begin(component, CALL_GET_BOOLEAN);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  FmrInstance* s = c->instance;
  for (size_t k = 0; k < count; k++) {
    Place place;
    if (find(s->model, references[k], &place) || !is_boolean(s->model, place)) {
      return refuse_reference(c, references[k], "Boolean");
    }
  }
  fmi2Status status = update(c, count ? FMR_NEED_OUTPUTS : FMR_NEED_NOTHING);
  if (status != fmi2OK) return status;
  for (size_t k = 0; k < count; k++) values[k] = s->data.v[references[k]] != 0.0 ? fmi2True : fmi2False;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetInteger)(fmi2Component component, FMI2_REFERENCES, fmi2Integer* values) {
  Component* c = fmu_begin(component, CALL_GET_INTEGER);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  for (size_t k = 0; k < count; k++) {
    if (references[k] != FMR_OPTION_SOLVER) return refuse_reference(c, references[k], "Integer");
    values[k] = c->instance->moment.option_solver;
  }
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetString)(fmi2Component component, FMI2_REFERENCES, fmi2String* values) {
  Component* c = fmu_begin(component, CALL_GET_STRING);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  return count ? refuse_reference(c, references[0], "String") : fmi2OK;
}

/* ---- setting ----------------------------------------------------------------------------------------------------- */

static int settable(const FmrInstance* s, Place place) {
  const int mode = s->moment.mode;
  if (place.kind == OPTION && place.slot == FMR_NEXT_EVENT_TIME) return 0;
  if (place.kind == OPTION) return mode & (MODE_INSTANTIATED | MODE_INITIALIZATION);
  if (place.kind == NEGATED || place.slot == 0) return 0;
  const int role = s->model->role[place.slot];
  switch (mode) {
    case MODE_INSTANTIATED: return role & (FMR_PARAMETER | FMR_TUNABLE | FMR_START | FMR_GUESS | FMR_INPUT);
    case MODE_INITIALIZATION: return role & (FMR_PARAMETER | FMR_TUNABLE | FMR_START | FMR_INPUT);
    case MODE_CONTINUOUS: return role & (FMR_INPUT | FMR_STATE);
    default: return role & (FMR_INPUT | FMR_TUNABLE);
  }
}

static fmi2Status check_settable(Component* c, fmi2ValueReference reference, Place place) {
  if (settable(c->instance, place)) return fmi2OK;
  return fmu_refuse(c, "value reference %u cannot be set %s", reference, fmu_mode_name(c->instance->moment.mode));
}

static int useful_tolerance(double value) {
  return value == 0.0 || (value >= FMR_LEAST_TOLERANCE && value <= FMR_GREATEST_TOLERANCE);
}

fmi2Status FMI2_NAME(fmi2SetReal)(fmi2Component component, FMI2_REFERENCES, const fmi2Real* values) {
  Component* c = fmu_begin(component, CALL_SET_REAL);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  FmrInstance* s = c->instance;
  Place place;
  for (size_t k = 0; k < count; k++) {
    if (find(s->model, references[k], &place) || !is_real(s->model, place)) {
      return refuse_reference(c, references[k], "Real");
    }
    if (check_settable(c, references[k], place)) return fmi2Error;
    if (!isfinite(values[k]) || (place.kind == OPTION && values[k] < 0.0)) {
      fmu_log(c, fmi2Discard, NULL, "value reference %u cannot be set to %g", references[k], values[k]);
      return fmi2Discard;
    }
    if (place.kind == OPTION && place.slot == FMR_OPTION_TOLERANCE && !useful_tolerance(values[k])) {
      return fmu_refuse(c, "_fmu.tolerance cannot be %g: it is 0, for that of the environment, or from %g to %g",
                        values[k], FMR_LEAST_TOLERANCE, FMR_GREATEST_TOLERANCE);
    }
  }
  for (size_t k = 0; k < count; k++) {
    find(s->model, references[k], &place);
    if (place.kind != OPTION)
      fmr_set_value(s, place.slot, values[k]);
    else if (place.slot == FMR_OPTION_TOLERANCE)
      s->moment.option_tolerance = values[k];
    else
      s->moment.option_step = values[k];
  }
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SetBoolean)(fmi2Component component, FMI2_REFERENCES, const fmi2Boolean* values) {
  Component* c = fmu_begin(component, CALL_SET_BOOLEAN);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  FmrInstance* s = c->instance;
  for (size_t k = 0; k < count; k++) {
    Place place;
    if (find(s->model, references[k], &place) || !is_boolean(s->model, place)) {
      return refuse_reference(c, references[k], "Boolean");
    }
    if (check_settable(c, references[k], place)) return fmi2Error;
  }
  for (size_t k = 0; k < count; k++) fmr_set_value(s, references[k], values[k] != fmi2False);
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SetInteger)(fmi2Component component, FMI2_REFERENCES, const fmi2Integer* values) {
  Component* c = fmu_begin(component, CALL_SET_INTEGER);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  for (size_t k = 0; k < count; k++) {
    if (references[k] != FMR_OPTION_SOLVER) return refuse_reference(c, references[k], "Integer");
    if (check_settable(c, references[k], (Place){OPTION, references[k]})) return fmi2Error;
    if (values[k] < 1 || values[k] > (int)FMR_SOLVER_RK4 + 1) {
      fmu_log(c, fmi2Discard, NULL, "%d is not the number of a solver, which are 1 to %d", values[k],
              (int)FMR_SOLVER_RK4 + 1);
      return fmi2Discard;
    }
  }
  for (size_t k = 0; k < count; k++) c->instance->moment.option_solver = values[k];
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2SetString)(fmi2Component component, FMI2_REFERENCES, const fmi2String* values) {
  Component* c = fmu_begin(component, CALL_SET_STRING);
  if (!c || check_references(c, count, references, values)) return fmi2Error;
  return count ? refuse_reference(c, references[0], "String") : fmi2OK;
}
