/* Bringing values up to date, no more and no oftener than needed.
 *
 * Problem: environments set and read in any order and often one value at a time; computing the model at every call
 * would cost hundreds of evaluations per step.
 * Method: what is set marks what follows from it as out of date; what is read brings up to date what it follows from.
 *
 *   parameters -> [initial values] -> dynamic (rates, conditions) -> outputs
 *
 * A setting that changes nothing marks nothing, so that repeating an input is free.
 *
 *   set u = 1; set u = 1; get der(x); get der(x); get y     one dynamic(), one outputs() */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "instance/instance.h"
#include "solve/store.h"

static void changed(FmrInstance* s) { s->moment.initial_old = s->moment.dynamic_old = s->moment.outputs_old = 1; }

int fmr_same_value(double a, double b) {
  if (a == b || (isnan(a) && isnan(b))) return 1;
  return fabs(a - b) <= 1e-10 * fmax(fabs(a), fabs(b)) + 1e-14;
}

void fmr_set_time(FmrInstance* s, double time) {
  if (s->data.v[0] == time) return;
  s->data.v[0] = s->data.late = s->moment.late = time;
  changed(s);
}

void fmr_set_states(FmrInstance* s, const double* x) {
  const FmrSlot* state = s->model->state;
  double* v = s->data.v;
  int same = 1; /* without a branch for each state, since this is done at every evaluation */
  for (unsigned i = 0; i < s->model->states; i++) {
    same &= v[state[i]] == x[i];
    v[state[i]] = x[i];
  }
  if (!same) changed(s);
}

void fmr_set_value(FmrInstance* s, FmrSlot slot, double value) {
  const unsigned role = s->model->role[slot];
  if (s->moment.initializing) s->start[slot] = value;
  const double old = s->data.v[slot];
  if (old == value) return;
  s->data.v[slot] = value;
  changed(s);
  /* an input that followed its derivatives arrives where its next value is, up to rounding: no jump */
  const int arrives = s->moment.inputs_varied && (role & FMR_INPUT);
  if (arrives && fabs(value - old) <= 1e-12 * (fabs(value) + fabs(old))) return;
  if (role & (FMR_PARAMETER | FMR_TUNABLE)) s->moment.parameters_old = 1;
  if (role & (FMR_INPUT | FMR_TUNABLE)) s->moment.inputs_changed = 1;
  s->moment.jumped = 1;
}

void fmr_get_states(const FmrInstance* s, double* x) {
  for (unsigned i = 0; i < s->model->states; i++) x[i] = s->data.v[s->model->state[i]];
}

void fmr_get_rates(const FmrInstance* s, double* rate) {
  const FmrSlot* slot = s->model->rate;
  const double* v = s->data.v;
  for (unsigned i = 0; i < s->model->states; i++) rate[i] = v[slot[i]];
  for (unsigned i = 0; s->moment.resting && i < s->model->states; i++) {
    if (s->rest[i] != 0.0) rate[i] = 0.0;
  }
}

int fmr_update_parameters(FmrInstance* s) {
  if (!s->moment.parameters_old) return 0;
  fmr_solve_store_parameters_changed(s->store);
  if (s->model->parameters && s->model->parameters(&s->data)) return 1;
  s->moment.parameters_old = 0;
  return 0;
}

/* A rate that is no number would poison everything; better to say so here. */
int fmr_rates_are_finite(FmrInstance* s) {
  double odd = 0.0, even = 0.0; /* zero times a finite number is zero, anything else is not */
  unsigned k = 0;
  for (; k + 1 < s->model->states; k += 2) {
    even += 0.0 * s->data.v[s->model->rate[k]];
    odd += 0.0 * s->data.v[s->model->rate[k + 1]];
  }
  if (k < s->model->states) even += 0.0 * s->data.v[s->model->rate[k]];
  if (even + odd == 0.0) return 1;
  for (unsigned i = 0; i < s->model->states; i++) {
    double rate = s->data.v[s->model->rate[i]];
    if (isfinite(rate)) continue;
    char number[32];
    snprintf(number, sizeof number, "state %u", i + 1);
    if (!s->failure[0] && !fmr_report_formula(&s->data))
      fmr_host_report(&s->data, FMR_ERROR, "logStatusError",
                      "the derivative of %s is %g at time %.15g: its equation has no value there",
                      s->model->state_name ? s->model->state_name[i] : number, rate, s->data.v[0]);
    return 0;
  }
  return 1;
}

int fmr_update_dynamic(FmrInstance* s) {
  if (s->moment.initializing) return fmr_initialize(s);
  if (!s->moment.dynamic_old) return 0;
  fmr_forget_failure(s);
  if (fmr_update_parameters(s)) return 1;
  s->data.below = 0.0;
  if (s->model->dynamic && s->model->dynamic(&s->data)) return 1;
  if (!fmr_rates_are_finite(s)) return 1;
  if (s->moment.resting) fmr_suppress_rates(s);
  s->moment.dynamic_old = 0;
  s->moment.outputs_old = 1;
  return 0;
}

int fmr_update_outputs(FmrInstance* s) {
  if (s->moment.initializing) return fmr_initialize(s);
  if (fmr_update_dynamic(s)) return 1;
  if (!s->moment.outputs_old) return 0;
  if (s->model->outputs && s->model->outputs(&s->data)) return 1;
  fmr_solve_store_limits(s->store, &s->data);
  s->moment.outputs_old = 0;
  return 0;
}

void fmr_clear_tangents(FmrInstance* s) {
  memset(s->data.d, 0, ((size_t)s->model->values + s->model->delays) * sizeof *s->data.d);
}

int fmr_tangents(FmrInstance* s, size_t known_count, const FmrSlot* known, const double* seed, FmrNeed need) {
  const FmrModel* model = s->model;
  fmr_clear_tangents(s);
  for (size_t k = 0; k < known_count; k++) s->data.d[known[k]] += seed[k];
  if (!model->tangent || model->tangent(&s->data)) return 1;
  for (unsigned i = 0; s->moment.resting && i < model->states; i++) {
    if (s->rest[i] != 0.0) s->data.d[model->rate[i]] = 0.0;
  }
  return need == FMR_NEED_OUTPUTS && (!model->tangent_outputs || model->tangent_outputs(&s->data));
}

/* Values of delays at the start, which are those of what they remember, behind the variables. */
static int place_delayed(FmrInstance* s) {
  const size_t n = s->model->delays;
  double* longest = malloc((n + 1) * sizeof *longest);
  if (!longest) return 1;
  if (n) s->model->delayed(&s->data, s->data.v + s->model->values, longest);
  free(longest);
  return 0;
}

/* Sampled systems and delays read what the equations computed, and these read the results: as often as it takes until
 * nothing changes, like initialization itself. */
int fmr_start_tangents(FmrInstance* s, size_t known_count, const FmrSlot* known, const double* seed) {
  const FmrModel* model = s->model;
  const FmrStartTangents* start = model->start_tangents;
  const size_t size = ((size_t)model->values + model->delays) * sizeof *s->data.d;
  fmr_clear_tangents(s);
  for (size_t k = 0; k < known_count; k++) s->data.d[known[k]] += seed[k];
  if (!start || place_delayed(s) || start->parameters(&s->data) || start->initial(&s->data)) return 1;
  if (!model->samples && !model->delays) return 0;
  for (unsigned round = 0; round < 2 * (model->samples + model->delays) + 2; round++) {
    memcpy(s->values_before, s->data.d, size);
    for (unsigned k = 0; k < model->samples; k++) {
      if (fmr_sample_due(s, k) && start->sample[k](&s->data)) return 1;
    }
    if (start->delayed && start->delayed(&s->data, s->data.d + model->values)) return 1;
    if (start->initial(&s->data)) return 1;
    if (memcmp(s->values_before, s->data.d, size) == 0) return 0;
  }
  return 1;
}

double fmr_root(FmrData* m, double x) {
  if (!(x < 0.0)) return sqrt(x);
  if (-x > m->below) m->below = -x;
  return 0.0;
}
