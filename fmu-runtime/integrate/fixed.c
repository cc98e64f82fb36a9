/* Problem: integrate in steps of fixed size, with the same work in each: what runs against a clock needs no accuracy
 * control but must never take longer than last time.
 *
 * Method: explicit Euler (order 1), Heun (order 2: Euler's point, then the mean of both slopes) and the classical
 * Runge-Kutta method (order 4). The last step before the end of an advance is shortened to land there; a rest of less
 * than a billionth of a step is taken along instead. A point inside a step is what a shorter step from the same
 * beginning gives, so that events are located as exactly as the method is. After an event the rest of the step comes
 * first: the other ends of steps stay where they were planned.
 *
 *     x' = -x, x(0) = 1, h = 0.1:  Euler 0.9, Heun 0.905, Runge-Kutta 0.9048375 (exact 0.904837418)
 *
 * Euler's method adds g*h to the speed at which a thrown ball comes back, and a ball that loses a fifth of its speed at
 * each bounce would bounce for ever, 4*g*h fast. So where a root function leaves zero after an event and is seen to come
 * back within SOON steps, Runge-Kutta steps are made until it has.
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

/* Steps of Euler's method within which the return of a root function is followed more exactly. */
static const double SOON = 100.0;
/* Of a step: a time in which everything is a straight line. */
static const double GLANCE = 1.0 / (1 << 20);

typedef struct Fixed {
  FmrRun* run;
  double from, t, size; /* the last step is [from, t] */
  double planned;       /* where the step in progress ends if events leave it alone; NaN: nothing is planned */
  double exact_until;   /* Runge-Kutta steps instead of Euler's until then */
  FmrSolver scheme;     /* of the last step */
  int fresh;            /* no step since the last restart */
  double toward;        /* end of the advance in progress; without states only */
  double *x_from, *x, *moved, *k[4], *z[3];
} Fixed;

static void fixed_destroy(void* method) {
  Fixed* fixed = method;
  free(fixed->x);
  free(fixed);
}

static void* fixed_create(FmrRun* run) {
  const size_t n = run->problem.n, roots = run->problem.roots;
  Fixed* fixed = calloc(1, sizeof *fixed);
  if (!fixed) return NULL;
  fixed->run = run;
  fixed->size = run->options.fixed_step > 0.0 ? run->options.fixed_step : 0.0;
  fixed->planned = NAN;
  fixed->x = calloc(7 * n + 3 * roots + 1, sizeof(double));
  if (!fixed->x) {
    free(fixed);
    return NULL;
  }
  fixed->moved = fixed->x + n;
  fixed->x_from = fixed->x + 2 * n;
  for (unsigned s = 0; s < 4; s++) fixed->k[s] = fixed->x + (3 + s) * n;
  for (unsigned i = 0; i < 3; i++) fixed->z[i] = fixed->x + 7 * n + i * roots;
  return fixed;
}

static int fixed_restart(void* method, double t, const double* x) {
  Fixed* fixed = method;
  if (!(t > fixed->from && t < fixed->planned)) fixed->planned = NAN;
  fixed->from = fixed->t = t;
  fixed->toward = t;
  fixed->fresh = 1;
  fixed->exact_until = -INFINITY;
  fmr_copy(fixed->x, x, fixed->run->problem.n);
  fmr_copy(fixed->x_from, x, fixed->run->problem.n);
  return 0;
}

/* Rates at from + part*h, x_from + part*h*k[slope], to k[to]. */
static int stage(Fixed* fixed, double h, double part, unsigned slope, unsigned to) {
  unsigned n = fixed->run->problem.n;
  for (unsigned j = 0; j < n; j++) fixed->moved[j] = fixed->x_from[j] + part * h * fixed->k[slope][j];
  return fmr_run_rates(fixed->run, fixed->from + part * h, fixed->moved, fixed->k[to]);
}

/* To `moved`, a step of length h from x_from; k[0] is known. */
static int other_stages(Fixed* fixed, FmrSolver scheme, double h) {
  unsigned n = fixed->run->problem.n;
  double **k = fixed->k, *x = fixed->moved, *x_from = fixed->x_from;
  if (scheme == FMR_SOLVER_HEUN) {
    if (stage(fixed, h, 1.0, 0, 1)) return 1;
    for (unsigned j = 0; j < n; j++) x[j] = x_from[j] + 0.5 * h * (k[0][j] + k[1][j]);
  } else if (scheme == FMR_SOLVER_RK4) {
    if (stage(fixed, h, 0.5, 0, 1) || stage(fixed, h, 0.5, 1, 2) || stage(fixed, h, 1.0, 2, 3)) return 1;
    for (unsigned j = 0; j < n; j++) {
      x[j] = x_from[j] + h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
  } else {
    for (unsigned j = 0; j < n; j++) x[j] = x_from[j] + h * k[0][j];
  }
  return 0;
}

static int root_functions(Fixed* fixed, double t, double* z) {
  FmrRun* run = fixed->run;
  run->statistics.roots++;
  return run->problem.root(run->problem.who, t, fixed->moved, z);
}

/* After how long the first of the root functions that leave zero now is back, by the parabola with its slope here and
 * its value after h; infinite: never, or it cannot be told. k[0] is known. */
static double time_of_return(Fixed* fixed, double h) {
  const unsigned n = fixed->run->problem.n;
  const double glance = GLANCE * h;
  double** z = fixed->z;
  fmr_copy(fixed->moved, fixed->x_from, n);
  if (root_functions(fixed, fixed->from, z[0])) return INFINITY;
  for (unsigned j = 0; j < n; j++) fixed->moved[j] = fixed->x_from[j] + glance * fixed->k[0][j];
  if (root_functions(fixed, fixed->from + glance, z[1])) return INFINITY;
  if (other_stages(fixed, FMR_SOLVER_RK4, h) || root_functions(fixed, fixed->from + h, z[2])) return INFINITY;
  double first = INFINITY;
  for (unsigned i = 0; i < fixed->run->problem.roots; i++) {
    const double side = z[0][i] > 0.0 ? 1.0 : -1.0, here = fabs(z[0][i]);
    const double slope = side * (z[1][i] - z[0][i]) / glance;
    const double bend = (side * z[2][i] - here - slope * h) / (h * h);
    if (!(slope > 0.0 && bend < 0.0)) continue;
    first = fmin(first, (slope + sqrt(slope * slope - 4.0 * bend * here)) / (-2.0 * bend));
  }
  return first;
}

/* Where the next step ends. */
static double end_of_step(const Fixed* fixed, double limit) {
  double to = fixed->t + fixed->size;
  if (fixed->planned - fixed->t > REST * fixed->size) to = fmin(to, fixed->planned);
  return to + REST * fixed->size >= limit ? limit : to;
}

static int fixed_step(void* method, double limit, double toward, double* t, double* x) {
  Fixed* fixed = method;
  const FmrProblem* problem = &fixed->run->problem;
  fixed->run->why = "the rates of change cannot be computed; a smaller step may help";
  if (fixed->size == 0.0) fixed->size = (toward - fixed->t) / STEPS_IF_NOT_GIVEN;
  const double to = end_of_step(fixed, limit), h = to - fixed->t;
  fixed->from = fixed->t;
  fmr_copy(fixed->x_from, fixed->x, problem->n);
  if (fmr_run_rates(fixed->run, fixed->from, fixed->x_from, fixed->k[0])) return 1;
  fixed->scheme = fixed->run->options.method;
  if (fixed->scheme == FMR_SOLVER_EULER && problem->roots > 0) {
    const double back = fixed->fresh ? time_of_return(fixed, h) : INFINITY;
    if (back < SOON * fixed->size) fixed->exact_until = fixed->from + 2.0 * back;
    if (fixed->from < fixed->exact_until) fixed->scheme = FMR_SOLVER_RK4;
  }
  if (other_stages(fixed, fixed->scheme, h)) return 1;
  for (unsigned j = 0; j < problem->n; j++) {
    if (isfinite(fixed->moved[j])) continue;
    fixed->run->why = "a state grows beyond all bounds; a smaller step may help";
    fixed->run->worst = j;
    fixed->run->worst_known = 1;
    return 1;
  }
  fixed->fresh = 0;
  fixed->planned = fixed->t = *t = to;
  fmr_copy(fixed->x, fixed->moved, problem->n);
  fmr_copy(x, fixed->moved, problem->n);
  return 0;
}

/* The shorter step, whose first stage is that of the whole one. */
static int fixed_inside(void* method, double t, double* x) {
  Fixed* fixed = method;
  if (other_stages(fixed, fixed->scheme, t - fixed->from)) return 1;
  fmr_copy(x, fixed->moved, fixed->run->problem.n);
  return 0;
}

const FmrMethod fmr_fixed = {fixed_create, fixed_destroy, fixed_restart, fixed_step, fixed_inside, 1};

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

const FmrMethod fmr_still = {fixed_create, fixed_destroy, fixed_restart, still_step, still_inside, 0};
