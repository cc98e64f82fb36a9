/* Coming to rest: infinitely many events in finite time.
 *
 * Problem: a ball that loses speed at every bounce bounces ever faster, and comes to rest after infinitely many
 * bounces. Step by step nobody gets there; and once the bounces are lost in rounding the ball falls through the floor.
 *
 * Method: a branch that sets states (reinit) is watched. When what it changes has become a small part of what it once
 * changed, and the time between is a small part of what it once was, the limit is taken: the branch acts until nothing
 * changes any more, without consequences for discrete variables, and the states it sets rest there: their rates are
 * taken as zero as long as the equations push them in the direction they pushed at first. When they pull the other way
 * the states are free again. While states rest, the indicator of the relation that triggered the branch watches the
 * push.
 *
 *   ball, reinit v := -0.8*pre(v): the bounce at 1E-4 of the first speed. v := 0, der(v) = -9.81 suppressed, so v and h
 *   stay; an upward force greater than the weight makes der(v) > 0 and sets the ball free.
 *
 * Where the integrator's tolerance is coarser than the last bounces these do not get weaker regularly. So rest is also
 * entered where the states, set as they are, would not get away from the event: the triggering relation stands at its
 * boundary and heads back, and a short step of second order shows that it does not get clearly beyond.
 *
 *   ball, v = 1E-6 after the bounce: within the 1E-10 that make h < 0 false again it has long turned round
 *
 * So does a weak event after which the relation goes on as it came, since only rounding errors were left of the bounce.
 *
 * A generator of pulses that resets an integrator at a growing rate is no such case, since what it changes stays. */
#include <math.h>
#include <string.h>

#include "events/events.h"

static const double kWeak = 1e-4;       /* of the strongest and longest: twice in a row is rest */
static const double kVeryWeak = 2e-5;   /* once is enough */
static const double kAtBoundary = 1e-6; /* of the size of z: so near the event has been located */
static const double kClear = 1.75;      /* of the way to the boundary and as far beyond, 2 by a straight line */
static const double kGlance = 1e-9;     /* of the length of the experiment: a time in which all is straight */
enum { MOST_REPEATS = 100000 };

static double nominal(const FmrInstance* s, unsigned i) {
  double size = s->model->nominal ? fabs(s->model->nominal[i]) : 1.0;
  return size > 0.0 && isfinite(size) ? size : 1.0;
}

static double largest_change(const FmrInstance* s, const double* before) {
  double largest = 0.0;
  for (unsigned i = 0; i < s->model->states; i++) {
    largest = fmax(largest, fabs(s->data.v[s->model->state[i]] - before[i]) / nominal(s, i));
  }
  return largest;
}

static int trigger(const FmrInstance* s) {
  for (unsigned i = 0; i < s->model->relations; i++) {
    if (s->flips[i] > 0.0 && !s->model->relation[i].timed) return (int)i;
  }
  return -1;
}

/* Lets the branch act until the states stay where they are. Discrete variables keep their values. */
static int find_limit(FmrInstance* s, unsigned branch, double enough) {
  const FmrModel* model = s->model;
  double* before = s->rest_room;
  int settled = 0;
  for (unsigned k = 0; k < model->discrete; k++) s->discrete_before[k] = s->data.v[model->discrete_slot[k]];
  for (int repeat = 0; repeat < MOST_REPEATS && !settled; repeat++) {
    fmr_get_states(s, before);
    fmr_remember_pre(s);
    if (model->act(&s->data, branch) & FMR_ACT_FAILED) break;
    settled = largest_change(s, before) <= enough;
  }
  for (unsigned k = 0; k < model->discrete; k++) s->data.v[model->discrete_slot[k]] = s->discrete_before[k];
  return settled;
}

static int enter_rest(FmrInstance* s, unsigned branch, const double* before) {
  const FmrModel* model = s->model;
  const int relation = trigger(s);
  if (relation < 0) return 0;
  double* moved = s->rest_room + model->states; /* which states the branch sets */
  for (unsigned i = 0; i < model->states; i++) moved[i] = s->data.v[model->state[i]] != before[i];
  if (!find_limit(s, branch, 1e-15 * s->strongest[branch])) return 0;
  s->moment.dynamic_old = 1;
  if (fmr_update_dynamic(s)) return 0;
  int resting = 0;
  for (unsigned i = 0; i < model->states; i++) {
    double rate = s->data.v[model->rate[i]];
    if (moved[i] == 0.0 || rate == 0.0) continue;
    s->rest[i] = 1.0 / rate;
    resting++;
  }
  if (!resting) return 0;
  s->moment.resting += resting;
  s->moment.rest_relation = relation;
  s->moment.rest_since = s->data.v[0];
  s->moment.dynamic_old = s->moment.outputs_old = 1;
  fmr_host_report(&s->data, FMR_NOTE, "logEvents",
                  "at time %.15g events accumulate: %s; the states that they set are taken as being at rest",
                  s->data.v[0], model->relation[relation].text);
  return 1;
}

/* The indicator at x0 + dt*rate. */
static int indicator_along(FmrInstance* s, unsigned relation, const double* x0, const double* rate, double dt,
                           double* z) {
  for (unsigned i = 0; i < s->model->states; i++) s->data.v[s->model->state[i]] = x0[i] + dt * rate[i];
  s->moment.dynamic_old = 1;
  if (fmr_update_dynamic(s)) return 1;
  *z = fmr_indicator(s, relation);
  return 0;
}

/* Whether the relation that triggered the event would turn round before it changes back, or, of a weak event, goes on as
 * it came. Time stands still meanwhile. */
static int falls_back(FmrInstance* s, unsigned relation, int weak) {
  const unsigned n = s->model->states;
  double *x0 = s->rest_room + 2 * (size_t)n, *rate = x0 + n, here, there, z;
  const double glance = kGlance * fmax(fabs(s->model->stop_time - s->model->start_time), 1e-300);
  fmr_get_states(s, x0);
  for (unsigned i = 0; i < n; i++) rate[i] = 0.0;
  int back = 0;
  if (!indicator_along(s, relation, x0, rate, 0.0, &here) && fabs(here) < kAtBoundary) {
    fmr_get_rates(s, rate);
    const int failed = indicator_along(s, relation, x0, rate, glance, &there);
    if (!failed && fabs(there) >= fabs(here)) {
      back = weak;
    } else if (!failed) {
      const double twice = 2.0 * glance * here / (here - there);
      if (!indicator_along(s, relation, x0, rate, twice, &z)) { /* Heun */
        for (unsigned i = 0; i < n; i++) rate[i] = 0.5 * (rate[i] + s->data.v[s->model->rate[i]]);
        back = !indicator_along(s, relation, x0, rate, twice, &z) && (here - z) / here < kClear;
      }
    }
  }
  fmr_set_states(s, x0);
  s->moment.dynamic_old = s->moment.outputs_old = 1;
  return back;
}

int fmr_rest_watch(FmrInstance* s, unsigned branch, const double* before) {
  const double now = s->data.v[0], change = largest_change(s, before), interval = now - s->acted[branch];
  if (change == 0.0 || s->moment.resting) return 0;
  s->acted[branch] = now;
  s->strongest[branch] = fmax(s->strongest[branch], change);
  const int relation = trigger(s);
  const double unseen = fmax(kWeak, 10.0 * fmr_chosen_tolerance(s)) * s->strongest[branch];
  if (relation >= 0 && falls_back(s, (unsigned)relation, change < unseen)) {
    return enter_rest(s, branch, before);
  }
  if (!isfinite(interval)) return 0;
  s->longest[branch] = fmax(s->longest[branch], interval);
  if (!(change < kWeak * s->strongest[branch] && interval < kWeak * s->longest[branch])) {
    s->weak[branch] = 0.0;
    return 0;
  }
  s->weak[branch] += 1.0;
  if (s->weak[branch] < 2.0 && change > kVeryWeak * s->strongest[branch]) return 0;
  return enter_rest(s, branch, before);
}

void fmr_suppress_rates(FmrInstance* s) {
  for (unsigned i = 0; i < s->model->states; i++) {
    if (s->rest[i] == 0.0) continue;
    const FmrSlot rate = s->model->rate[i];
    s->natural[i] = s->data.v[rate];
    if (!(s->model->role[rate] & FMR_STATE)) s->data.v[rate] = 0.0; /* a state is its own rate in h' = v */
  }
}

double fmr_rest_indicator(const FmrInstance* s) {
  double least = INFINITY;
  for (unsigned i = 0; i < s->model->states; i++) {
    if (s->rest[i] != 0.0) least = fmin(least, s->natural[i] * s->rest[i]);
  }
  return least;
}

int fmr_rest_release(FmrInstance* s) {
  if (!s->moment.resting) return 0;
  const int moved = s->flips[s->moment.rest_relation] > 0.0 && s->moment.rest_since < s->data.v[0];
  if (fmr_rest_indicator(s) > 0.0 && !moved) return 0;
  memset(s->rest, 0, s->model->states * sizeof *s->rest);
  s->moment.resting = 0;
  s->moment.rest_relation = -1;
  for (unsigned b = 0; b < s->model->branches; b++) {
    s->acted[b] = -INFINITY;
    s->longest[b] = s->strongest[b] = s->weak[b] = 0.0;
  }
  s->moment.dynamic_old = s->moment.outputs_old = 1;
  return 1;
}
