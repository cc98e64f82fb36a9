/* Problem: integrate in steps of fixed size, with the same work in each: what runs against a clock needs no accuracy
 * control but must never take longer than last time.
 *
 * Method: explicit Euler (order 1), Heun (order 2: Euler's point, then the mean of both slopes) and the classical
 * Runge-Kutta method (order 4). The last step before the end of an advance is shortened to land there; a rest of less
 * than a billionth of a step is taken along instead. Steps have no inside: events are seen at their ends.
 *
 *     x' = -x, x(0) = 1, h = 0.1:  Euler 0.9, Heun 0.905, Runge-Kutta 0.9048375 (exact 0.904837418)
 *
 * The second method of this file is for problems without states, where only time goes on: it offers steps in which root
 * functions of time can be looked at.
 *
 * Reference: Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.1. */
#include <math.h>
#include <stdlib.h>

#include "integrate/method.h"

/* Steps in the first advance if no step size is given. */
static const double STEPS_IF_NOT_GIVEN = 10.0;
/* Of a step: a rest that is rounding of the caller's sums rather than a step of its own. */
static const double REST = 1e-9;

typedef struct Fixed {
  FmrRun* run;
  double t, size;
  double toward; /* end of the advance in progress; without states only */
  double *x, *moved, *k[4];
} Fixed;

static void fixed_destroy(void* method) {
  Fixed* fixed = method;
  free(fixed->x);
  free(fixed);
}

static void* fixed_create(FmrRun* run) {
  size_t n = run->problem.n;
  Fixed* fixed = calloc(1, sizeof *fixed);
  if (!fixed) return NULL;
  fixed->run = run;
  fixed->size = run->options.fixed_step > 0.0 ? run->options.fixed_step : 0.0;
  fixed->x = calloc(6 * n + 1, sizeof(double));
  if (!fixed->x) {
    free(fixed);
    return NULL;
  }
  fixed->moved = fixed->x + n;
  for (unsigned s = 0; s < 4; s++) fixed->k[s] = fixed->x + (2 + s) * n;
  return fixed;
}

static int fixed_restart(void* method, double t, const double* x) {
  Fixed* fixed = method;
  fixed->t = t;
  fixed->toward = t;
  fmr_copy(fixed->x, x, fixed->run->problem.n);
  return 0;
}

/* Rates at t + part*h, x + part*h*k[slope], to k[to]. */
static int stage(Fixed* fixed, double h, double part, unsigned slope, unsigned to) {
  unsigned n = fixed->run->problem.n;
  for (unsigned j = 0; j < n; j++) fixed->moved[j] = fixed->x[j] + part * h * fixed->k[slope][j];
  return fmr_run_rates(fixed->run, fixed->t + part * h, fixed->moved, fixed->k[to]);
}

static int stages(Fixed* fixed, double h) {
  unsigned n = fixed->run->problem.n;
  double **k = fixed->k, *x = fixed->moved;
  if (fmr_run_rates(fixed->run, fixed->t, fixed->x, k[0])) return 1;
  if (fixed->run->options.method == FMR_SOLVER_HEUN) {
    if (stage(fixed, h, 1.0, 0, 1)) return 1;
    for (unsigned j = 0; j < n; j++) x[j] = fixed->x[j] + 0.5 * h * (k[0][j] + k[1][j]);
  } else if (fixed->run->options.method == FMR_SOLVER_RK4) {
    if (stage(fixed, h, 0.5, 0, 1) || stage(fixed, h, 0.5, 1, 2) || stage(fixed, h, 1.0, 2, 3)) return 1;
    for (unsigned j = 0; j < n; j++) {
      x[j] = fixed->x[j] + h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
  } else {
    for (unsigned j = 0; j < n; j++) x[j] = fixed->x[j] + h * k[0][j];
  }
  return 0;
}

static int fixed_step(void* method, double limit, double toward, double* t, double* x) {
  Fixed* fixed = method;
  unsigned n = fixed->run->problem.n;
  if (fixed->size == 0.0) fixed->size = (toward - fixed->t) / STEPS_IF_NOT_GIVEN;
  double to = fixed->t + fixed->size;
  if (to + REST * fixed->size >= limit) to = limit;
  if (stages(fixed, to - fixed->t)) {
    fixed->run->why = "the rates of change cannot be computed; a smaller step may help";
    return 1;
  }
  for (unsigned j = 0; j < n; j++) {
    if (isfinite(fixed->moved[j])) continue;
    fixed->run->why = "a state grows beyond all bounds; a smaller step may help";
    fixed->run->worst = j;
    fixed->run->worst_known = 1;
    return 1;
  }
  fixed->t = *t = to;
  fmr_copy(fixed->x, fixed->moved, n);
  fmr_copy(x, fixed->moved, n);
  return 0;
}

const FmrMethod fmr_fixed = {fixed_create, fixed_destroy, fixed_restart, fixed_step, NULL};

/* ---- no states ---- */

/* Root functions of time are looked at that often in an advance, unless the largest step asks for more. */
static const double LOOKS = 20.0;

static int still_step(void* method, double limit, double toward, double* t, double* x) {
  Fixed* fixed = method;
  (void)x;
  double largest = fixed->run->options.largest_step;
  if (toward != fixed->toward) { /* another advance */
    fixed->toward = toward;
    fixed->size = (toward - fixed->t) / LOOKS;
    if (largest > 0.0 && fixed->size > largest) fixed->size = largest;
  }
  double to = fixed->t + fixed->size;
  if (to + REST * fixed->size >= limit || !(to > fixed->t)) to = fmin(limit, toward);
  fixed->t = *t = to;
  return 0;
}

static int still_inside(void* method, double t, double* x) {
  (void)method;
  (void)t;
  (void)x;
  return 0;
}

const FmrMethod fmr_still = {fixed_create, fixed_destroy, fixed_restart, still_step, still_inside};
