/* Events whose instants are known beforehand: sampling, and relations between time and parameters.
 *
 * Problem: instants that belong together differ by rounding (10*0.05 and 0.5), repeated addition of a period drifts,
 * and at its instant "time > c" is still false.
 * Method: the k-th instant of a sampled system is offset + k*period, computed from k. Instants closer than kSame
 * relative to time or period are one. During an event relations see a time that is a hair later, beyond all instants
 * that belong to it; so they are what they are from now on, and each of them is passed exactly once.
 *
 *   period 0.05, offset 0; when time >= 0.5     next event 0.5: the sample with k = 10 and the relation, together
 *
 * A system may compute its next instant itself (SIMNON's TSAMP). As long as the instants stay equally far apart they are
 * counted, too, so that TS = T + DT does not drift; another distance starts a new count. An instant that is not later
 * than the present one never comes.
 *
 * Intervals: a relation or output changes at its instant; before it, values are the old ones (left), at and after it
 * the new ones (right). */
#include <math.h>
#include <string.h>

#include "events/events.h"
#include "instance/delays.h"

static const double kSame = 1e-10; /* of the larger of time and period */
static const double kHair = 1e-14; /* of the larger of time and what is short in this model */

static double instant_of(const FmrInstance* s, unsigned k) { return s->offset[k] + s->instant[k] * s->period[k]; }

static double same(double time, double period) { return kSame * fmax(fabs(time), period); }

static void never_again(FmrInstance* s, unsigned k) {
  s->period[k] = s->instant[k] = 0.0;
  s->offset[k] = INFINITY;
}

/* The first instant of a system that computes its own. */
static void start_computed(FmrInstance* s, unsigned k) {
  const double start = s->data.v[0], first = s->data.v[s->model->sample[k].instants];
  if (!(s->period[k] > 0.0) || !isfinite(s->period[k])) s->period[k] = 0.0;
  s->offset[k] = first;
  if (isfinite(first) && first >= start - same(start, s->period[k])) return;
  fmr_host_report(&s->data, FMR_WARNING, "logStatusWarning",
                  "'%s' is never sampled: its first instant is %g, the start time %g", s->model->sample[k].name, first,
                  start);
  never_again(s, k);
}

/* The next one, after it has been computed at the present one. */
static void plan_computed(FmrInstance* s, unsigned k) {
  const double present = instant_of(s, k), wanted = s->data.v[s->model->sample[k].instants];
  if (s->period[k] > 0.0 && fabs(wanted - present - s->period[k]) <= same(wanted, s->period[k])) {
    s->instant[k] += 1.0;
  } else if (wanted > present + same(present, 0.0)) {
    s->offset[k] = present;
    s->period[k] = wanted - present;
    s->instant[k] = 1.0;
  } else {
    fmr_host_report(&s->data, FMR_WARNING, "logStatusWarning",
                    "'%s' is not sampled any more: at time %.15g its next instant is %.15g", s->model->sample[k].name,
                    s->data.v[0], wanted);
    never_again(s, k);
  }
}

void fmr_schedule_start(FmrInstance* s) {
  const double start = s->data.v[0];
  for (unsigned k = 0; k < s->model->samples; k++) {
    const FmrSample* sample = &s->model->sample[k];
    if (sample->before) sample->before(&s->data);
    s->period[k] = s->offset[k] = NAN;
    sample->times(&s->data, &s->period[k], &s->offset[k]);
    if (isnan(s->offset[k])) s->offset[k] = start;
    s->taken[k] = s->instant[k] = 0.0;
    if (sample->instants) {
      start_computed(s, k);
      continue;
    }
    if (!(s->period[k] > 0.0) || !isfinite(s->period[k]) || !isfinite(s->offset[k])) {
      fmr_host_report(&s->data, FMR_WARNING, "logStatusWarning",
                      "'%s' is never sampled: its period is %g, its first instant %g", sample->name, s->period[k],
                      s->offset[k]);
      s->period[k] = 0.0;
      s->offset[k] = INFINITY;
      continue;
    }
    double passed = ceil((start - same(start, s->period[k]) - s->offset[k]) / s->period[k]);
    if (passed > 0.0) s->instant[k] = passed;
  }
}

int fmr_sample_due(const FmrInstance* s, unsigned k) {
  return instant_of(s, k) <= s->data.v[0] + same(s->data.v[0], s->period[k]);
}

void fmr_samples_begin(FmrInstance* s) {
  for (unsigned k = 0; k < s->model->samples; k++) {
    const FmrSample* sample = &s->model->sample[k];
    if (!fmr_sample_due(s, k) || s->taken[k] == 0.0) continue;
    for (unsigned i = 0; i < sample->states; i++) s->data.v[sample->state[i]] = s->data.v[sample->next[i]];
    s->moment.dynamic_old = 1;
  }
}

int fmr_samples_compute(FmrInstance* s, int* changed) {
  const size_t size = s->model->values * sizeof *s->data.v;
  int due = 0;
  for (unsigned k = 0; k < s->model->samples; k++) {
    if (!fmr_sample_due(s, k)) continue;
    if (!due) memcpy(s->values_before, s->data.v, size);
    due = 1;
    if (s->model->sample[k].compute(&s->data)) return 1;
  }
  if (!due || memcmp(s->values_before, s->data.v, size) == 0) return 0;
  s->moment.dynamic_old = s->moment.outputs_old = 1;
  for (unsigned k = 0; k < s->model->values && !*changed; k++) {
    *changed = !fmr_same_value(s->values_before[k], s->data.v[k]);
  }
  return 0;
}

int fmr_samples_overwrite(FmrInstance* s) {
  int changed = 0;
  for (unsigned k = 0; k < s->model->samples; k++) {
    const FmrSample* sample = &s->model->sample[k];
    if (!sample->overwrites || !fmr_sample_due(s, k)) continue;
    s->moment.sampled = 1;
    for (unsigned i = 0; i < sample->overwrites; i++) {
      double* state = &s->data.v[sample->overwritten[i]];
      changed |= *state != s->data.v[sample->value[i]];
      *state = s->data.v[sample->value[i]];
    }
  }
  if (changed) s->moment.dynamic_old = s->moment.outputs_old = 1;
  return changed;
}

void fmr_samples_done(FmrInstance* s) {
  for (unsigned k = 0; k < s->model->samples; k++) {
    if (!fmr_sample_due(s, k)) continue;
    s->taken[k] = 1.0;
    if (s->model->sample[k].instants) {
      plan_computed(s, k);
      continue;
    }
    /* instants that were jumped over are not made up for */
    double passed = floor((s->data.v[0] + same(s->data.v[0], s->period[k]) - s->offset[k]) / s->period[k]) + 1.0;
    s->instant[k] = fmax(s->instant[k] + 1.0, passed);
    if (fmr_sample_due(s, k)) s->instant[k] += 1.0;
  }
}

/* A time that is short compared with what happens in this model. */
static double short_time(const FmrInstance* s) {
  double least = 1e-6 * fabs(s->model->stop_time - s->model->start_time);
  for (unsigned k = 0; k < s->model->samples; k++) {
    if (s->period[k] > 0.0) least = fmin(least > 0.0 ? least : INFINITY, s->period[k]);
  }
  return least > 0.0 && isfinite(least) ? least : 1e-6;
}

static int has_timed(const FmrInstance* s) { return s->indicators < s->model->relations && s->model->instants; }

static void find_instants(FmrInstance* s) {
  for (unsigned i = 0; i < s->model->relations; i++) s->instants[i] = INFINITY;
  s->model->instants(&s->data, s->instants);
}

double fmr_late(FmrInstance* s) {
  const double now = s->data.v[0], hair = kHair * fmax(fabs(now), short_time(s));
  double late = now + hair;
  if (!(late > now)) late = nextafter(now, INFINITY);
  /* at a time event all instants that belong to it */
  const double planned = s->moment.next_event, near = same(now, short_time(s));
  if (has_timed(s) && isfinite(planned) && fabs(planned - now) <= near) {
    find_instants(s);
    for (unsigned i = 0; i < s->model->relations; i++) {
      double instant = s->instants[i];
      if (s->model->relation[i].timed && instant > now && instant <= now + near) late = fmax(late, instant + hair);
    }
  }
  return late;
}

double fmr_next_event(FmrInstance* s) {
  const double late = fmr_late(s);
  double next = fmr_delays_next_jump(s, late);
  for (unsigned k = 0; k < s->model->samples; k++) next = fmin(next, instant_of(s, k));
  if (!has_timed(s)) return next;
  find_instants(s);
  for (unsigned i = 0; i < s->model->relations; i++) {
    if (s->model->relation[i].timed && s->instants[i] > late) next = fmin(next, s->instants[i]);
  }
  return next;
}
