/* Co-Simulation: steps, derivatives of inputs and outputs, and what became of a step.
 *
 *   fmi2DoStep    OK       the instance is exactly at communication point + step size
 *                 Discard  it came as far as fmi2LastSuccessfulTime; fmi2Terminated: because the model wants to end
 *                 Error    the arguments make no sense; the instance is as it was
 *
 * Steps are never asynchronous, so nothing is ever pending. Setting inputs between steps takes effect at once: outputs
 * that depend on them directly show it, states and discrete variables follow in the step.
 *
 * Derivatives of inputs count from the beginning of the next step, up to order FMR_INPUT_ORDERS; those of outputs are
 * the first ones, at the end of the last step, higher ones being given as zero.
 *
 * Reference: FMI 2.0, 4.2. */
#include <math.h>
#include <stdlib.h>

#include "fmi2/component.h"

static const double kMasterRounding = 1e-9; /* of time: masters add up steps, or multiply them */

fmi2Status FMI2_NAME(fmi2DoStep)(fmi2Component component, fmi2Real point, fmi2Real step, fmi2Boolean no_set_prior) {
  Component* c = fmu_begin(component, CALL_DO_STEP);
  (void)no_set_prior;
  if (!c) return fmi2Error;
  FmrMoment* moment = &c->instance->moment;
  const double now = c->instance->data.v[0], end = point + step;
  if (!(step > 0.0) || !isfinite(end)) return fmu_refuse(c, "the step from %.15g by %g makes no sense", point, step);
  const double rounding = kMasterRounding * fmax(fabs(now), fabs(point)) + 1e-3 * step;
  if (!(fabs(point - now) <= rounding)) {
    return fmu_refuse(c, "the communication point is %.15g, but the last step ended at %.15g", point, now);
  }
  if (end > moment->stop + kMasterRounding * fabs(moment->stop) + 1e-3 * step) {
    return fmu_refuse(c, "the step ends at %.15g, beyond the stop time %.15g", end, moment->stop);
  }
  const FmrStepResult result = fmr_cosim_step(c->cosim, end);
  c->last_step = fmi2OK;
  if (result == FMR_STEP_DONE) return fmi2OK;
  moment->mode = MODE_STEP_FAILED;
  c->last_step = fmi2Discard;
  if (result == FMR_STEP_FAILED) return fmu_fail(c, fmi2Discard, "the step cannot be computed");
  return fmi2Discard; /* the model ends the simulation: nothing is wrong, and the event has been logged */
}

fmi2Status FMI2_NAME(fmi2CancelStep)(fmi2Component component) {
  fmu_begin(component, CALL_CANCEL_STEP);
  return fmi2Error;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* The number of the input with this slot; the number of inputs if there is none. */
static unsigned input_number(const FmrModel* model, FmrSlot slot) {
  unsigned i = 0;
  while (i < model->inputs && model->input[i] != slot) i++;
  return i;
}

fmi2Status FMI2_NAME(fmi2SetRealInputDerivatives)(fmi2Component component, FMI2_REFERENCES, const fmi2Integer* orders,
                                                  const fmi2Real* values) {
  Component* c = fmu_begin(component, CALL_SET_REAL_INPUT_DERIVATIVES);
  if (!c) return fmi2Error;
  if (count && (!references || !orders || !values)) return fmu_refuse(c, "an argument is NULL");
  const FmrModel* model = c->instance->model;
  for (size_t k = 0; k < count; k++) {
    FmrSlot slot;
    double sign;
    if (fmu_find_real(c, references[k], &slot, &sign) || sign <= 0.0 || input_number(model, slot) == model->inputs) {
      return fmu_refuse(c, "value reference %u is not that of a Real input", references[k]);
    }
    if (orders[k] < 1 || orders[k] > FMR_INPUT_ORDERS) {
      return fmu_refuse(c, "there is no derivative of order %d; orders are 1 to %d", orders[k], FMR_INPUT_ORDERS);
    }
    if (!isfinite(values[k])) {
      fmu_log(c, fmi2Discard, NULL, "the derivative of value reference %u cannot be %g", references[k], values[k]);
      return fmi2Discard;
    }
  }
  for (size_t k = 0; k < count; k++) {
    fmr_cosim_set_input_rate(c->cosim, input_number(model, references[k]), (unsigned)orders[k], values[k]);
  }
  return fmi2OK;
}

/* The present rate of an input that followed its derivatives in the last step. */
static double input_rate(const FmrInstance* s, unsigned input) {
  if (!s->moment.inputs_varied || s->moment.inputs_vary) return 0.0;
  const double* rate = s->input_rate + (size_t)input * FMR_INPUT_ORDERS;
  const double dt = s->data.v[0] - s->moment.input_time;
  double sum = 0.0, term = 1.0;
  for (unsigned k = 0; k < FMR_INPUT_ORDERS; k++) {
    sum += rate[k] * term;
    term *= dt / (k + 1);
  }
  return sum;
}

/* d(slot)/dt along the solution: states move by their rates, inputs by theirs, time by 1. */
static int time_derivatives(Component* c, size_t count, const FmrSlot* slots, const double* signs, double* values) {
  FmrInstance* s = c->instance;
  const FmrModel* model = s->model;
  const size_t knowns = (size_t)model->states + model->inputs + 1;
  FmrSlot* known = malloc(knowns * sizeof *known);
  double* seed = malloc(knowns * sizeof *seed);
  int failed = !known || !seed || fmr_update_outputs(s);
  if (!failed) {
    size_t n = 0;
    known[n] = 0;
    seed[n++] = 1.0;
    for (unsigned i = 0; i < model->states; i++) known[n + i] = model->state[i];
    fmr_get_rates(s, seed + n);
    n += model->states;
    for (unsigned i = 0; i < model->inputs; i++) {
      known[n] = model->input[i];
      seed[n++] = input_rate(s, i);
    }
    failed = fmu_directional(c, n, known, seed, count, slots, signs, values);
  }
  free(known);
  free(seed);
  return failed;
}

fmi2Status FMI2_NAME(fmi2GetRealOutputDerivatives)(fmi2Component component, FMI2_REFERENCES, const fmi2Integer* orders,
                                                   fmi2Real* values) {
  Component* c = fmu_begin(component, CALL_GET_REAL_OUTPUT_DERIVATIVES);
  if (!c) return fmi2Error;
  if (!count) return fmi2OK;
  if (!references || !orders || !values) return fmu_refuse(c, "an argument is NULL");
  FmrSlot* slots = malloc(count * sizeof *slots);
  double* signs = malloc(count * sizeof *signs);
  fmi2Status status = slots && signs ? fmi2OK : fmu_refuse(c, "there is not enough memory");
  for (size_t k = 0; k < count && status == fmi2OK; k++) {
    if (fmu_find_real(c, references[k], &slots[k], &signs[k])) {
      status = fmu_refuse(c, "value reference %u is not that of a variable of type Real", references[k]);
    } else if (orders[k] < 1) {
      status = fmu_refuse(c, "there is no derivative of order %d", orders[k]);
    }
  }
  if (status == fmi2OK && time_derivatives(c, count, slots, signs, values)) {
    status = fmu_fail(c, fmi2Discard, "the derivatives cannot be computed");
  }
  for (size_t k = 0; k < count && status == fmi2OK; k++) {
    if (orders[k] > 1) values[k] = 0.0;
  }
  free(slots);
  free(signs);
  return status;
}

/* ---- status ------------------------------------------------------------------------------------------------------ */

static fmi2Status no_such_status(Component* c) {
  fmu_log(c, fmi2Discard, NULL, "there is no status of this kind");
  return fmi2Discard;
}

fmi2Status FMI2_NAME(fmi2GetStatus)(fmi2Component component, fmi2StatusKind kind, fmi2Status* value) {
  Component* c = fmu_begin(component, CALL_GET_STATUS);
  if (!c) return fmi2Error;
  if (!value) return fmu_refuse(c, "an argument is NULL");
  if (kind != fmi2DoStepStatus) return no_such_status(c);
  *value = c->last_step;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetRealStatus)(fmi2Component component, fmi2StatusKind kind, fmi2Real* value) {
  Component* c = fmu_begin(component, CALL_GET_REAL_STATUS);
  if (!c) return fmi2Error;
  if (!value) return fmu_refuse(c, "an argument is NULL");
  if (kind != fmi2LastSuccessfulTime) return no_such_status(c);
  *value = c->instance->data.v[0];
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetIntegerStatus)(fmi2Component component, fmi2StatusKind kind, fmi2Integer* value) {
  Component* c = fmu_begin(component, CALL_GET_INTEGER_STATUS);
  (void)kind;
  if (!c) return fmi2Error;
  return value ? no_such_status(c) : fmu_refuse(c, "an argument is NULL");
}

fmi2Status FMI2_NAME(fmi2GetBooleanStatus)(fmi2Component component, fmi2StatusKind kind, fmi2Boolean* value) {
  Component* c = fmu_begin(component, CALL_GET_BOOLEAN_STATUS);
  if (!c) return fmi2Error;
  if (!value) return fmu_refuse(c, "an argument is NULL");
  if (kind != fmi2Terminated) return no_such_status(c);
  *value = c->instance->moment.terminate ? fmi2True : fmi2False;
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetStringStatus)(fmi2Component component, fmi2StatusKind kind, fmi2String* value) {
  Component* c = fmu_begin(component, CALL_GET_STRING_STATUS);
  if (!c) return fmi2Error;
  if (!value) return fmu_refuse(c, "an argument is NULL");
  if (kind != fmi2PendingStatus) return no_such_status(c);
  *value = "no step is pending";
  return fmi2OK;
}
