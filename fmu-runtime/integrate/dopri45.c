/* Problem: integrate systems that are not stiff, with the step size chosen by the error.
 *
 * Method: the pair of Dormand and Prince: seven stages, the last of which is the first of the next step, give a
 * solution of order 5 and an estimate of its error of order 4. The step size follows a controller with
 * proportional and integral part,
 *
 *     h := (target/r)^0.06 * (r_before/r)^0.13 * h           r: norm of the scaled error, 1 is the tolerance
 *
 * because where stability limits the step (a fast mode that has died out), the usual rule h := (target/r)^(1/5)*h makes
 * steps bounce between too large and too small. It aims below the limit of acceptance so that it does not sit on it. A
 * rejected step is repeated by the usual rule; the next accepted one goes on with the trend, h*(h/h_rejected). Far
 * below the target, where the linear analysis behind the exponents says nothing, the usual rule sets the pace.
 *
 * The inside of a step is a polynomial of order 4 that uses the same stages.
 *
 * Reference: Dormand, Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980); Gustafsson,
 * Lundh, Soderlind: A PI stepsize control for the numerical solution of ordinary differential equations, BIT 28 (1988);
 * Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.4 (first step) and II.6 (inside). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate/method.h"

static const double INTEGRAL = 0.06, PROPORTIONAL = 0.13, USUAL = 0.2;
/* Of the limit of acceptance, 1. */
static const double TARGET = 0.8, FAR_BELOW = 0.1;
/* Bounds of the change of h in one step, and of r where it is too small to mean something. */
static const double LEAST_FACTOR = 0.2, MOST_FACTOR = 5.0, LEAST_ERROR = 1e-8;
/* Least step in units of the spacing of numbers at t, and where that is nothing, at t = 0. */
static const double LEAST_STEP = 16.0, LEAST_STEP_AT_ZERO = 1e-60;

enum { STAGES = 7 };
static const double node[STAGES] = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
static const double stage_weight[STAGES][STAGES - 1] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
/* Of order 5 minus of order 4. */
static const double error_weight[STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                            -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
static const double inside_weight[STAGES] = {-12715105075.0 / 11282082432.0,  0.0,
                                             87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                             701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                             69997945.0 / 29380423.0};

typedef struct Dopri {
  FmrRun* run;
  double t, h;         /* h: of the next step; 0: to be found */
  double error_before; /* r of the last accepted step; 0: none */
  double begin, size;  /* of the last step */
  int rates_known;     /* k[0] is at t, x */
  double *x, *moved, *scaled;
  double* k[STAGES];
  double* inside[5]; /* coefficients of the polynomial */
} Dopri;

static void dopri_destroy(void* method) {
  Dopri* dopri = method;
  free(dopri->x);
  free(dopri);
}

static void* dopri_create(FmrRun* run) {
  size_t n = run->problem.n;
  Dopri* dopri = calloc(1, sizeof *dopri);
  if (!dopri) return NULL;
  dopri->run = run;
  dopri->x = calloc((3 + STAGES + 5) * n + 1, sizeof(double));
  if (!dopri->x) {
    free(dopri);
    return NULL;
  }
  dopri->moved = dopri->x + n;
  dopri->scaled = dopri->x + 2 * n;
  for (unsigned s = 0; s < STAGES; s++) dopri->k[s] = dopri->x + (3 + s) * n;
  for (unsigned s = 0; s < 5; s++) dopri->inside[s] = dopri->x + (3 + STAGES + s) * n;
  return dopri;
}

static int dopri_restart(void* method, double t, const double* x) {
  Dopri* dopri = method;
  dopri->t = dopri->begin = t;
  dopri->size = 0.0;
  dopri->h = 0.0;
  dopri->error_before = 0.0;
  dopri->rates_known = 0;
  memcpy(dopri->x, x, dopri->run->problem.n * sizeof *x);
  return 0;
}

static double scale_of(const Dopri* dopri, unsigned j, double value, double other) {
  return fmr_run_absolute(dopri->run, j) + dopri->run->options.tolerance * fmax(fabs(value), fabs(other));
}

static double norm(const Dopri* dopri, const double* vector) {
  unsigned n = dopri->run->problem.n;
  double sum = 0.0;
  for (unsigned j = 0; j < n; j++) {
    double part = vector[j] / scale_of(dopri, j, dopri->x[j], 0.0);
    sum += part * part;
  }
  return sqrt(sum / n);
}

/* Of steps that are not cut off by a limit. */
static double least_size(const Dopri* dopri) {
  return fmax(LEAST_STEP * DBL_EPSILON * fabs(dopri->t), LEAST_STEP_AT_ZERO);
}

/* First step from the sizes of x, x' and x''. */
static int first_step(Dopri* dopri, double toward) {
  FmrRun* run = dopri->run;
  unsigned n = run->problem.n;
  double *rate = dopri->k[0], *next = dopri->k[1];
  double size = norm(dopri, dopri->x), slope = norm(dopri, rate);
  double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
  h = fmin(h, fabs(toward - dopri->t));
  for (unsigned tries = 0; tries < 20; tries++, h *= 0.1) {
    for (unsigned j = 0; j < n; j++) dopri->moved[j] = dopri->x[j] + h * rate[j];
    if (fmr_run_rates(run, dopri->t + h, dopri->moved, next)) continue;
    for (unsigned j = 0; j < n; j++) dopri->moved[j] = next[j] - rate[j];
    double curvature = norm(dopri, dopri->moved) / h;
    double larger = fmax(slope, curvature);
    double other = larger <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / larger, 0.2);
    dopri->h = fmax(fmin(100.0 * h, other), least_size(dopri)); /* a tiny way ahead is no reason for less */
    return 0;
  }
  run->why = "the rates of change cannot be computed near the beginning";
  return 1;
}

/* k[1..6] and, in `moved`, the end of a step of size h. */
static int stages(Dopri* dopri, double h) {
  unsigned n = dopri->run->problem.n;
  for (unsigned s = 1; s < STAGES; s++) {
    memcpy(dopri->moved, dopri->x, n * sizeof(double));
    for (unsigned p = 0; p < s; p++) {
      double weight = h * stage_weight[s][p];
      if (weight == 0.0) continue;
      for (unsigned j = 0; j < n; j++) dopri->moved[j] += weight * dopri->k[p][j];
    }
    int failed = fmr_run_rates(dopri->run, dopri->t + node[s] * h, dopri->moved, dopri->k[s]);
    if (failed) return failed;
  }
  return 0;
}

/* Norm of the scaled error, whose parts are left in `scaled`. */
static double error_of(Dopri* dopri, double h) {
  unsigned n = dopri->run->problem.n;
  double sum = 0.0;
  for (unsigned j = 0; j < n; j++) {
    double error = 0.0;
    for (unsigned s = 0; s < STAGES; s++) error += error_weight[s] * dopri->k[s][j];
    dopri->scaled[j] = h * error / scale_of(dopri, j, dopri->x[j], dopri->moved[j]);
    sum += dopri->scaled[j] * dopri->scaled[j];
  }
  double r = sqrt(sum / n);
  return isfinite(r) ? r : 1e10; /* overflow: far too large a step */
}

/* The polynomial of the step, then everything moved on to its end. */
static void accept(Dopri* dopri, double h, double to) {
  unsigned n = dopri->run->problem.n;
  double **c = dopri->inside, **k = dopri->k;
  for (unsigned j = 0; j < n; j++) {
    double difference = dopri->moved[j] - dopri->x[j];
    double bend = h * k[0][j] - difference;
    double sum = 0.0;
    for (unsigned s = 0; s < STAGES; s++) sum += inside_weight[s] * k[s][j];
    c[0][j] = dopri->x[j];
    c[1][j] = difference;
    c[2][j] = bend;
    c[3][j] = difference - h * k[6][j] - bend;
    c[4][j] = h * sum;
  }
  dopri->begin = dopri->t;
  dopri->size = h;
  dopri->t = to;
  memcpy(dopri->x, dopri->moved, n * sizeof(double));
  double* last = k[6]; /* the first of the next step */
  k[6] = k[0];
  k[0] = last;
}

static int dopri_inside(void* method, double t, double* x) {
  const Dopri* dopri = method;
  double a = dopri->size > 0.0 ? (t - dopri->begin) / dopri->size : 0.0, b = 1.0 - a;
  double* const* c = dopri->inside;
  for (unsigned j = 0; j < dopri->run->problem.n; j++) {
    x[j] = c[0][j] + a * (c[1][j] + b * (c[2][j] + a * (c[3][j] + b * c[4][j])));
  }
  return 0;
}

/* The size after an accepted step h with error r; `rejected` is the size that failed before it, or 0. */
static double next_size(Dopri* dopri, double h, double r, double rejected) {
  r = fmax(r, LEAST_ERROR);
  double before = dopri->error_before > 0.0 ? dopri->error_before : r;
  double trend = rejected > 0.0 ? fmax(h / rejected, LEAST_FACTOR) : 1.0;
  double factor = trend * pow(TARGET / r, INTEGRAL) * pow(before / r, PROPORTIONAL);
  if (r < FAR_BELOW && rejected == 0.0) factor = fmax(factor, pow(FAR_BELOW / r, USUAL));
  dopri->error_before = r;
  return h * fmin(fmax(factor, LEAST_FACTOR), MOST_FACTOR);
}

static int fail(Dopri* dopri, const char* why, int blame) {
  dopri->run->why = why;
  if (blame) fmr_run_blame(dopri->run, dopri->scaled);
  return 1;
}

static int dopri_step(void* method, double limit, double toward, double* t, double* x) {
  Dopri* dopri = method;
  FmrRun* run = dopri->run;
  if (!dopri->rates_known && fmr_run_rates(run, dopri->t, dopri->x, dopri->k[0])) {
    return fail(dopri, "the rates of change cannot be computed there", 0);
  }
  dopri->rates_known = 1;
  if (dopri->h == 0.0 && first_step(dopri, toward)) return 1;
  double rejected = 0.0;
  int computable = 1;
  for (;;) {
    double h = dopri->h;
    if (run->options.largest_step > 0.0) h = fmin(h, run->options.largest_step);
    double to = dopri->t + h, rest = limit - dopri->t;
    int shortened = 1.01 * h >= rest;
    if (shortened) {
      h = rest;
      to = limit;
    } else if (2.0 * h > rest) { /* two like steps rather than a long and a short one */
      h = 0.5 * rest;
      to = dopri->t + h;
      shortened = 1;
    }
    if (!shortened && h < least_size(dopri)) {
      return computable ? fail(dopri, "the step would become too small for the error allowed", 1)
                        : fail(dopri, "the rates of change cannot be computed close by", 0);
    }
    int failed = stages(dopri, h);
    if (failed < 0) return fail(dopri, "the rates of change cannot be computed", 0);
    computable = !failed;
    double r = failed ? 0.0 : error_of(dopri, h);
    if (!failed && r <= 1.0) {
      double next = next_size(dopri, h, r, rejected);
      dopri->h = shortened && rejected == 0.0 ? fmax(dopri->h, next) : next;
      accept(dopri, h, to);
      *t = dopri->t;
      memcpy(x, dopri->x, run->problem.n * sizeof *x);
      return 0;
    }
    run->statistics.rejected++;
    if (!failed) rejected = h;
    dopri->h = h * (failed ? 0.25 : fmin(0.9, fmax(LEAST_FACTOR, pow(TARGET / r, USUAL))));
    if (shortened && dopri->h < DBL_EPSILON * fabs(dopri->t)) return fail(dopri, "no step is small enough", computable);
  }
}

const FmrMethod fmr_dopri45 = {dopri_create, dopri_destroy, dopri_restart, dopri_step, dopri_inside, 0};
