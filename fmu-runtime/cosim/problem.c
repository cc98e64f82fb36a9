/* A model as integrators see it: rates, roots, Jacobian and residuals as functions of time and states.
 *
 * The instance is brought to the point asked about; its marks of what is out of date make repeated questions at one
 * point cheap. Inputs whose derivatives were given follow their Taylor polynomial from the beginning of the step.
 *
 * Jacobian: columns of one colour share no row, so one tangent evaluation with a 1 for all states of a colour gives
 * them all.
 *
 *   x1' = -x1, x2' = x1 - x2, x3' = x2 - x3      colours 0 1 0: two evaluations instead of three */
#include <string.h>

#include "cosim/cosim.h"
#include "events/events.h"

static void move_inputs(FmrInstance* s, double t) {
  const double dt = t - s->moment.input_time;
  for (unsigned i = 0; i < s->model->inputs; i++) {
    double *u = &s->data.v[s->model->input[i]], value = s->input_base[i], term = 1.0;
    const double* rate = s->input_rate + (size_t)i * FMR_INPUT_ORDERS;
    for (unsigned k = 0; k < FMR_INPUT_ORDERS; k++) {
      term *= dt / (k + 1);
      value += rate[k] * term;
    }
    if (*u == value) continue;
    *u = value;
    s->moment.dynamic_old = s->moment.outputs_old = 1;
  }
}

int fmr_cosim_at(FmrInstance* s, double t, const double* x) {
  fmr_set_time(s, t);
  fmr_set_states(s, x);
  if (s->moment.inputs_vary) move_inputs(s, t);
  return fmr_update_dynamic(s);
}

static FmrInstance* instance_of(void* who) { return ((FmrCosim*)who)->instance; }

/* The same for integrators. Why it failed is kept: the next point, nearer, forgets it, and the integrator may give up
 * only after many of them. */
static int try_at(FmrCosim* cosim, double t, const double* x) {
  FmrInstance* s = cosim->instance;
  if (!fmr_cosim_at(s, t, x)) return 0;
  memcpy(cosim->cause, s->failure, sizeof cosim->cause);
  return 1;
}

static int rates(void* who, double t, const double* x, double* rate) {
  FmrInstance* s = instance_of(who);
  if (try_at(who, t, x)) return 1;
  fmr_get_rates(s, rate);
  return 0;
}

static int root(void* who, double t, const double* x, double* z) {
  FmrInstance* s = instance_of(who);
  if (try_at(who, t, x)) return 1;
  fmr_indicators(s, z);
  return 0;
}

static int dense_jacobian(FmrInstance* s, double* entries) {
  const unsigned n = s->model->states;
  const double one = 1.0;
  for (unsigned j = 0; j < n; j++) {
    if (fmr_tangents(s, 1, &s->model->state[j], &one, FMR_NEED_DYNAMIC)) return 1;
    for (unsigned i = 0; i < n; i++) entries[(size_t)j * n + i] = s->data.d[s->model->rate[i]];
  }
  return 0;
}

static int jacobian(void* who, double t, const double* x, const double* rate, double* entries) {
  FmrCosim* cosim = who;
  FmrInstance* s = cosim->instance;
  const FmrPattern* pattern = s->model->jacobian;
  (void)rate;
  if (fmr_cosim_at(s, t, x)) return 1;
  int failed = 0;
  if (!pattern) failed = dense_jacobian(s, entries);
  for (unsigned colour = 0; pattern && !failed && colour < pattern->colours; colour++) {
    const unsigned begin = cosim->colour_begin[colour], end = cosim->colour_begin[colour + 1];
    failed = fmr_tangents(s, end - begin, cosim->seed_slot + begin, cosim->ones, FMR_NEED_DYNAMIC);
    for (unsigned k = begin; k < end && !failed; k++) {
      const unsigned column = cosim->seed_column[k];
      for (unsigned e = pattern->column_start[column]; e < pattern->column_start[column + 1]; e++) {
        entries[e] = s->data.d[s->model->rate[pattern->row[e]]];
      }
    }
  }
  fmr_clear_tangents(s);
  return failed;
}

/* ---- residual form ----------------------------------------------------------------------------------------------- */

static void set_all(FmrInstance* s, double t, const double* y, const double* state_rate) {
  const FmrResidualForm* form = s->model->residual_form;
  fmr_set_time(s, t);
  if (s->moment.inputs_vary) move_inputs(s, t);
  for (unsigned i = 0; i < s->model->states; i++) s->data.v[s->model->rate[i]] = state_rate[i];
  for (unsigned k = 0; k < form->n; k++) s->data.v[form->unknown[k]] = y[k];
  s->moment.dynamic_old = s->moment.outputs_old = 1; /* nothing of this was computed by dynamic() */
}

static int residual(void* who, double t, const double* y, const double* state_rate, double* r) {
  FmrInstance* s = instance_of(who);
  set_all(s, t, y, state_rate);
  return s->model->residual_form->residual(&s->data, r) != 0;
}

static int residual_jacobian(void* who, double t, const double* y, const double* state_rate, double* entries) {
  FmrInstance* s = instance_of(who);
  set_all(s, t, y, state_rate);
  s->model->residual_form->jacobian(&s->data, entries);
  return 0;
}

static int algebraic(void* who, double t, const double* x, double* y, double* state_rate) {
  FmrInstance* s = instance_of(who);
  const FmrResidualForm* form = s->model->residual_form;
  if (try_at(who, t, x) || fmr_update_outputs(s)) return 1;
  for (unsigned k = 0; k < form->n; k++) y[k] = s->data.v[form->unknown[k]];
  fmr_get_rates(s, state_rate);
  return 0;
}

/* ---- what else integrators do ------------------------------------------------------------------------------------ */

/* Behind what the integrator says goes what the model said last during this advance. */
static void message(void* who, const char* text) {
  FmrCosim* cosim = who;
  FmrInstance* s = cosim->instance;
  char cause[sizeof s->failure];
  memcpy(cause, s->failure[0] ? s->failure : cosim->cause, sizeof cause);
  if (cause[0])
    fmr_host_report(&s->data, FMR_ERROR, "logStatusDiscard", "%s; %s", text, cause);
  else
    fmr_host_report(&s->data, FMR_ERROR, "logStatusDiscard", "%s", text);
}

static void note(void* who, const char* text) {
  fmr_host_report(&instance_of(who)->data, FMR_NOTE, "logAll", "%s", text);
}

static int accepted(void* who, double t, const double* x) {
  FmrCosim* cosim = who;
  int event = 0;
  if (fmr_cosim_at(cosim->instance, t, x) || fmr_step_accepted(cosim->instance, &event)) return 0;
  cosim->wants_event |= event;
  cosim->accepted = t;
  return event;
}

void fmr_cosim_problem(FmrCosim* cosim, FmrProblem* problem) {
  const FmrModel* model = cosim->instance->model;
  *problem = (FmrProblem){.n = model->states,
                          .rates = rates,
                          .jacobian = model->tangent ? jacobian : NULL,
                          .pattern = model->jacobian,
                          .roots = cosim->instance->indicators,
                          .root = cosim->instance->indicators ? root : NULL,
                          .nominal = model->nominal,
                          .name = model->state_name,
                          .may_overshoot = model->inputs == 0 && model->delays == 0,
                          .sparse = model->sparse,
                          .residual_form = model->residual_form,
                          .message = message,
                          .note = note,
                          .who = cosim};
  if (model->residual_form) {
    problem->residual = residual;
    problem->residual_jacobian = model->residual_form->jacobian ? residual_jacobian : NULL;
    problem->algebraic = algebraic;
  }
  if (model->delays || model->state_sets || model->nonlinear_blocks || model->checks || model->terminations) {
    problem->accepted = accepted;
  }
}
