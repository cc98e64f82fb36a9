/* Relations between continuous quantities, which keep their values between events.
 *
 * Problem: z = left - right of "h < 0" decides the relation, but only at events; an integrator watches an indicator
 * that changes its sign where the relation is to change. At the event z is all but zero, and rounding must not turn the
 * relation back; right after the event the indicator must not be zero either; and the instant must not be shifted.
 *
 * Method: the indicator is z plus a shift that depends on the value held. Becoming true is exact, to kTiny of the size
 * of z; becoming false comes late by kBand of it:
 *
 *   z < 0:   false  z + tiny   > 0 until z <= -tiny        then z < 0: true
 *            true   z - band   <= 0 until z > band         then z >= 0: false
 *   z <= 0:  false  z          > 0 until z <= 0
 *            true   z - band
 *   sign(z):   1    z + tiny     -1   z - tiny     0   |z| - tiny
 *   z = 0, floor and the like:  as sign, by the side on which z was, the zero lying between
 *
 * At an event relations are what z says, without any band, since z may have jumped exactly to zero. Only one that has
 * changed in the same event needs |z| beyond kNoise, doubling each time, to change back. "z = 0" holds for an instant
 * when z passes through zero.
 *
 *   falling ball, h < 0: h = -1e-13, true; it bounces; false at h = 1e-10; true again when h < 0
 *
 * Chattering: a relation that changes many times in no time (a relay that holds a quantity at its switching point)
 * gets a band that doubles with every change, up to kWidest of its size, as long as this makes the changes rarer. The
 * quantity then slides along within the band.
 *
 * Before an event, z is on the side held or on the boundary; after it, on the side held. Reference: FMI 2.0, 3.1.1. */
#include <math.h>
#include <string.h>

#include "events/events.h"

static const double kTiny = 1e-13, kBand = 1e-10; /* of the size of z */
static const double kNoise = 1e-9;                /* accuracy to which loops are solved, at least */
static const double kTouch = 1e-6;                /* an event is located better than this */
static const double kWidest = 1e-4;
static const double kQuick = 1e-4;     /* of the length of the experiment: changes that follow so soon ... */
static const double kPatience = 100.0; /* ... and so often chatter */

static double length_of_experiment(const FmrInstance* s) {
  double span = (isfinite(s->moment.stop) ? s->moment.stop : s->model->stop_time) - s->moment.start;
  return span > 0.0 && isfinite(span) ? span : 1.0;
}

static int is_stepwise(FmrRelationKind kind) { return kind == FMR_EQUAL || kind == FMR_UNEQUAL || kind == FMR_STEP; }

/* What z says. For FMR_STEP `step` is the value. */
static double value_of(FmrRelationKind kind, double z, double step) {
  switch (kind) {
    case FMR_LESS: return z < 0.0;
    case FMR_LESS_EQUAL: return z <= 0.0;
    case FMR_EQUAL: return z == 0.0;
    case FMR_UNEQUAL: return z != 0.0;
    case FMR_SIGN: return (z > 0.0) - (z < 0.0);
    case FMR_STEP: return step;
  }
  return 0.0;
}

/* z by relation into s->z, values of steps into s->instants. */
static void measure(FmrInstance* s) {
  const FmrModel* model = s->model;
  if (!model->relations) return;
  memset(s->z, 0, model->relations * sizeof *s->z);
  memset(s->instants, 0, model->relations * sizeof *s->instants);
  if (model->crossings) model->crossings(&s->data, s->z);
  if (model->steps) model->steps(&s->data, s->instants);
}

static void enlarge_scale(FmrInstance* s, unsigned i) {
  double size = fabs(s->z[i]);
  if (size > s->scale[i] && isfinite(size)) s->scale[i] = size;
}

unsigned fmr_relations_assign(FmrInstance* s) {
  unsigned changed = 0;
  measure(s);
  for (unsigned i = 0; i < s->model->relations; i++) {
    double value = value_of(s->model->relation[i].kind, s->z[i], s->instants[i]);
    changed += value != s->data.held[i];
    s->data.held[i] = value;
    double size = fabs(s->z[i]);
    s->scale[i] = size > 0.0 && isfinite(size) ? size : 1.0;
  }
  return changed;
}

unsigned fmr_relations_update(FmrInstance* s, int single) {
  unsigned changed = 0;
  measure(s);
  for (unsigned i = 0; i < s->model->relations; i++) {
    const FmrRelation* relation = &s->model->relation[i];
    double value = value_of(relation->kind, s->z[i], s->instants[i]);
    if (value == s->data.held[i] || isnan(s->z[i])) continue;
    if (s->flips[i] > 0.0 && !relation->timed) {
      double noise = kNoise * s->scale[i] * exp2(fmin(s->flips[i] - 1.0, 10.0));
      if (fabs(s->z[i]) <= noise) continue;
    }
    s->data.held[i] = value;
    s->flips[i] += 1.0;
    changed++;
    if (single) break;
  }
  return changed;
}

unsigned fmr_relations_touch(FmrInstance* s) {
  unsigned touched = 0;
  measure(s);
  for (unsigned i = 0; i < s->model->relations; i++) {
    FmrRelationKind kind = s->model->relation[i].kind;
    if ((kind != FMR_EQUAL && kind != FMR_UNEQUAL) || s->model->relation[i].timed) continue;
    if (!(s->side[i] * s->z[i] < 0.0) || fabs(s->z[i]) > kTouch * s->scale[i]) continue;
    s->data.held[i] = kind == FMR_EQUAL;
    touched++;
  }
  return touched;
}

static double tiny_of(const FmrInstance* s, unsigned i) {
  double tiny = s->growth[i] > 1.0 ? kBand * s->growth[i] : kTiny;
  /* steps are told by a sine of pi times the argument, whose rounding errors grow with the argument */
  if (s->model->relation[i].kind == FMR_STEP) tiny = fmax(tiny, kBand + 1e-14 * fabs(s->data.held[i]));
  return tiny * s->scale[i];
}

static void judge_chattering(FmrInstance* s, unsigned i) {
  const double now = s->data.v[0], soon = kQuick * length_of_experiment(s);
  const double pace = 0.5 * (now - s->flip_before[i]); /* mean of the last two intervals */
  s->flip_before[i] = s->last_flip[i];
  s->last_flip[i] = now;
  if (pace > 10.0 * soon) {
    s->quick[i] = 0.0;
    s->growth[i] = 1.0;
  }
  if (pace > soon || s->quick[i] < 0.0) return;
  s->quick[i] += 1.0;
  if (s->quick[i] <= kPatience) {
    s->pace[i] = pace;
  } else if (s->growth[i] >= 64.0 && pace < 4.0 * s->pace[i]) {
    s->growth[i] = 1.0; /* a wider band makes it no slower, so it switches fast in earnest */
    s->quick[i] = -1.0;
  } else if (kBand * s->growth[i] < kWidest) {
    s->growth[i] *= 2.0;
    if (kBand * s->growth[i] < kWidest) return;
    fmr_host_report(&s->data, FMR_WARNING, "logStatusWarning",
                    "at time %.15g a condition changes again and again: %s; it is given a hysteresis of %g. A "
                    "hysteresis in the model, or noevent(...), avoids this",
                    now, s->model->relation[i].text, kWidest * s->scale[i]);
  }
}

void fmr_relations_settled(FmrInstance* s) {
  measure(s);
  for (unsigned i = 0; i < s->model->relations; i++) {
    enlarge_scale(s, i);
    double tiny = tiny_of(s, i);
    s->side[i] = fabs(s->z[i]) <= tiny ? 0.0 : s->z[i] > 0.0 ? 1.0 : -1.0;
    if (s->flips[i] > 0.0 && !s->model->relation[i].timed) judge_chattering(s, i);
  }
}

void fmr_relations_observe(FmrInstance* s) {
  measure(s);
  for (unsigned i = 0; i < s->model->relations; i++) enlarge_scale(s, i);
}

static double indicator_of(const FmrInstance* s, unsigned i) {
  const FmrRelationKind kind = s->model->relation[i].kind;
  const double z = s->z[i], held = s->data.held[i];
  const double band = kBand * s->growth[i] * s->scale[i], tiny = tiny_of(s, i);
  if (kind == FMR_LESS) return held != 0.0 ? z - band : z + tiny;
  if (kind == FMR_LESS_EQUAL) return held != 0.0 ? z - band : z;
  const double side = is_stepwise(kind) ? s->side[i] : held;
  return side > 0.0 ? z + tiny : side < 0.0 ? z - tiny : fabs(z) - tiny;
}

double fmr_indicator(FmrInstance* s, unsigned relation) {
  measure(s);
  return indicator_of(s, relation) / s->scale[relation];
}

void fmr_indicators(FmrInstance* s, double* indicator) {
  measure(s);
  for (unsigned i = 0; i < s->model->relations; i++) {
    if (s->model->relation[i].timed) continue;
    *indicator++ = s->moment.resting && (int)i == s->moment.rest_relation ? fmr_rest_indicator(s)
                                                                          : indicator_of(s, i) / s->scale[i];
  }
}
