/* A communication step: integration, with the events on the way.
 *
 * Problem: the environment asks for the values at the end of the step and not one rounding error beside it; events
 * happen inside the step, at its end and at its beginning; something may fail.
 *
 * Method: the integrator advances to the end or to the next time event, whichever is first, or to the first state event
 * on the way; there the event happens, and so on. The integrator starts anew only after something has jumped, so that a
 * master with many small steps and steady inputs pays nothing for them.
 *
 *   step 0 .. 1, sample at 0.5, h < 0 at 0.3:   advance to 0.5: root at 0.3; event; restart; advance to 0.5; event; ...
 *
 * An event at the end belongs to the step that ends there: before the end values are left limits, at the end right
 * limits. Inputs that were changed are an event at the beginning. A failure leaves the instance at the last point that was reached.
 *
 * Reference: FMI 2.0, 4.2.2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/cosim.h"
#include "events/events.h"
#include "instance/delays.h"

static const double kSame = 1e-10;       /* an event this near to the end, relative, is at the end */
static const double kNoProgress = 1e-9; /* of time */
static const double kOfDelay = 0.1;      /* the past is known at so many points per delay, at least */
enum { MOST_EVENTS_AT_ONCE = 2000 };     /* without progress of time */

/* Counting sort of the columns by colour. */
static int sort_colours(FmrCosim* cosim, const FmrModel* model) {
  const FmrPattern* pattern = model->jacobian;
  if (!pattern) return 0;
  const size_t n = pattern->columns;
  cosim->seed_slot = calloc(n + 1, sizeof *cosim->seed_slot);
  cosim->seed_column = calloc(n + 1, sizeof *cosim->seed_column);
  cosim->colour_begin = calloc((size_t)pattern->colours + 2, sizeof *cosim->colour_begin);
  cosim->ones = calloc(n + 1, sizeof *cosim->ones);
  if (!cosim->seed_slot || !cosim->seed_column || !cosim->colour_begin || !cosim->ones) return 1;
  unsigned* begin = cosim->colour_begin;
  for (size_t j = 0; j < n; j++) begin[pattern->colour[j] + 2]++;
  for (size_t c = 2; c < (size_t)pattern->colours + 2; c++) begin[c] += begin[c - 1];
  for (unsigned j = 0; j < n; j++) {
    unsigned at = begin[pattern->colour[j] + 1]++;
    cosim->seed_column[at] = j;
    cosim->seed_slot[at] = model->state[j];
    cosim->ones[j] = 1.0;
  }
  return 0;
}

FmrCosim* fmr_cosim_new(FmrInstance* instance) {
  FmrCosim* cosim = calloc(1, sizeof *cosim);
  if (!cosim) return NULL;
  cosim->instance = instance;
  cosim->x = calloc((size_t)instance->model->states + 1, sizeof *cosim->x);
  if (!cosim->x || sort_colours(cosim, instance->model)) {
    fmr_cosim_free(cosim);
    return NULL;
  }
  return cosim;
}

void fmr_cosim_reset(FmrCosim* cosim) {
  if (cosim->integrator) fmr_integrator_free(cosim->integrator);
  cosim->integrator = NULL;
}

void fmr_cosim_free(FmrCosim* cosim) {
  if (!cosim) return;
  fmr_cosim_reset(cosim);
  free(cosim->x);
  free(cosim->seed_slot);
  free(cosim->seed_column);
  free(cosim->colour_begin);
  free(cosim->ones);
  free(cosim);
}

static FmrIntegratorOptions wanted_options(const FmrInstance* s, double length) {
  FmrIntegratorOptions options = {.method = fmr_chosen_solver(s), .tolerance = fmr_chosen_tolerance(s)};
  const double step = s->moment.option_step;
  /* the residual form knows nothing of suppressed rates */
  if (options.method == FMR_SOLVER_IDA && (s->moment.resting || !s->model->residual_form)) {
    options.method = FMR_SOLVER_CVODE;
  }
  if (options.method >= FMR_SOLVER_EULER) {
    options.fixed_step = step > 0.0 ? step : s->model->step > 0.0 ? fmin(s->model->step, length) : length;
  } else {
    options.largest_step = step;
    const double shortest = kOfDelay * fmr_delays_shortest(s);
    if (isfinite(shortest)) options.largest_step = step > 0.0 ? fmin(step, shortest) : shortest;
  }
  return options;
}

/* An integrator at the present point, new or restarted if need be. Nonzero: there is none. */
static int prepare(FmrCosim* cosim, double length) {
  FmrInstance* s = cosim->instance;
  FmrIntegratorOptions wanted = wanted_options(s, length);
  if (cosim->integrator && wanted.fixed_step > 0.0 && cosim->options.fixed_step > 0.0 &&
      wanted.method == cosim->options.method && s->moment.option_step <= 0.0) {
    wanted.fixed_step = cosim->options.fixed_step; /* a shorter last step changes nothing for the others */
  }
  if (cosim->integrator &&
      (wanted.method != cosim->options.method || wanted.tolerance != cosim->options.tolerance ||
       wanted.fixed_step != cosim->options.fixed_step || wanted.largest_step != cosim->options.largest_step)) {
    fmr_cosim_reset(cosim);
  }
  const int fresh = !cosim->integrator;
  if (fresh) {
    FmrProblem problem;
    fmr_cosim_problem(cosim, &problem);
    cosim->options = wanted;
    if (!fmr_integrator_linked(&problem, &wanted)) {
      fmr_host_report(&s->data, FMR_WARNING, "logStatusWarning",
                      "the solver asked for is not part of this FMU; Dormand-Prince is used");
      wanted.method = FMR_SOLVER_DOPRI45;
    }
    cosim->integrator = fmr_integrator_new(&problem, &wanted);
    if (!cosim->integrator) {
      fmr_host_report(&s->data, FMR_ERROR, "logStatusError", "there is not enough memory for the solver");
      return 1;
    }
  }
  if (!fresh && !s->moment.jumped) return 0;
  fmr_get_states(s, cosim->x);
  if (fmr_integrator_restart(cosim->integrator, s->data.v[0], cosim->x)) {
    if (!s->failure[0]) {
      fmr_host_report(&s->data, FMR_ERROR, "logStatusDiscard", "the solver cannot start at time %.15g", s->data.v[0]);
    }
    fmr_cosim_reset(cosim);
    return 1;
  }
  s->moment.jumped = 0;
  return 0;
}

/* One advance and the event at its end. `end` is the end of the communication step. */
static FmrStepResult advance(FmrCosim* cosim, double end, int* happened) {
  FmrInstance* s = cosim->instance;
  const double near = kSame * fmax(fabs(end), end - s->data.v[0]);
  const double planned = s->moment.next_event;
  const double target = planned < end - near ? planned : end;
  if (prepare(cosim, end - s->data.v[0])) return FMR_STEP_FAILED;
  cosim->wants_event = 0;
  cosim->accepted = NAN;
  cosim->cause[0] = '\0';
  double t = s->data.v[0];
  FmrAdvance how = FMR_REACHED;
  if (target > t) how = fmr_integrator_advance(cosim->integrator, target, &t, cosim->x);
  char reason[sizeof s->failure];
  memcpy(reason, s->failure, sizeof reason);
  const int failed = fmr_cosim_at(s, t, cosim->x);
  if (how == FMR_STUCK) {
    if (reason[0]) fmr_host_report(&s->data, FMR_ERROR, "logStatusDiscard", "%s", reason);
    fmr_cosim_reset(cosim);
    return FMR_STEP_FAILED;
  }
  int event = 0;
  if (!failed && t != cosim->accepted && fmr_step_accepted(s, &event)) return FMR_STEP_FAILED;
  *happened = how == FMR_ROOT || event || cosim->wants_event || planned <= t + near || failed;
  int states_changed;
  if (*happened && fmr_event(s, &states_changed)) return FMR_STEP_FAILED;
  return s->moment.terminate ? FMR_STEP_ENDED : FMR_STEP_DONE;
}

static int report_no_progress(FmrInstance* s) {
  const char* text = s->model->state_sets ? "other states are chosen again and again" : "";
  double latest = s->model->state_sets ? s->data.v[0] - kNoProgress * fabs(s->data.v[0]) : -INFINITY;
  for (unsigned i = 0; i < s->model->relations; i++) {
    if (s->last_flip[i] > latest) {
      latest = s->last_flip[i];
      text = s->model->relation[i].text;
    }
  }
  fmr_host_report(&s->data, FMR_ERROR, "logStatusDiscard", "events follow each other without end at time %.15g: %s",
                  s->data.v[0], text);
  return 1;
}

static FmrStepResult run(FmrCosim* cosim, double end) {
  FmrInstance* s = cosim->instance;
  int states_changed;
  if (s->moment.inputs_changed && fmr_event(s, &states_changed)) return FMR_STEP_FAILED;
  if (s->moment.terminate) return FMR_STEP_ENDED;
  unsigned at_once = 0;
  double since = s->data.v[0];
  while (s->data.v[0] < end) {
    int happened = 0;
    FmrStepResult result = advance(cosim, end, &happened);
    if (result != FMR_STEP_DONE) return result;
    if (s->data.v[0] - since > kNoProgress * fmax(fabs(since), end - since)) {
      since = s->data.v[0];
      at_once = 0;
    } else if (++at_once > MOST_EVENTS_AT_ONCE) {
      report_no_progress(s);
      return FMR_STEP_FAILED;
    }
  }
  return FMR_STEP_DONE;
}

void fmr_cosim_set_input_rate(FmrCosim* cosim, unsigned input, unsigned order, double value) {
  FmrInstance* s = cosim->instance;
  if (!s->moment.inputs_vary) { /* those of the last step are over */
    memset(s->input_rate, 0, (size_t)s->model->inputs * FMR_INPUT_ORDERS * sizeof *s->input_rate);
    s->moment.inputs_vary = 1;
  }
  s->input_rate[(size_t)input * FMR_INPUT_ORDERS + order - 1] = value;
}

FmrStepResult fmr_cosim_step(FmrCosim* cosim, double end) {
  FmrInstance* s = cosim->instance;
  s->moment.input_time = s->data.v[0];
  for (unsigned i = 0; i < s->model->inputs; i++) s->input_base[i] = s->data.v[s->model->input[i]];
  fmr_forget_failure(s);
  FmrStepResult result = run(cosim, end);
  s->moment.inputs_varied = s->moment.inputs_vary;
  s->moment.inputs_vary = 0;
  return result;
}

void fmr_cosim_note_statistics(const FmrCosim* cosim) {
  if (!cosim->integrator) return;
  FmrIntegratorStatistics done;
  fmr_integrator_statistics(cosim->integrator, &done);
  fmr_host_report(&cosim->instance->data, FMR_NOTE, "logAll",
                  "the integrator took %lu steps, %lu evaluations of the rates, %lu Jacobians and %lu evaluations of "
                  "event indicators; %lu steps were rejected",
                  done.steps, done.rates, done.jacobians, done.roots, done.rejected);
}
