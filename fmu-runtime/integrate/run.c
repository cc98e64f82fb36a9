/* What all methods share: rates that are checked, Jacobians from the problem or by differences, tolerances.
 *
 * Differences: columns that share no row (one colour) are moved together, so that a banded matrix of any size costs a
 * handful of evaluations. A state is moved by the square root of the unit roundoff, relative to the larger of its value
 * and nominal value: the error is then about that of the rates, cut to half of their digits.
 *
 * Reference: Curtis, Powell, Reid: On the estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13 (1974). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/method.h"

int fmr_run_rates(FmrRun* run, double t, const double* x, double* rate) {
  run->statistics.rates++;
  int failed = run->problem.rates(run->problem.who, t, x, rate);
  if (failed) return failed;
  double sum = 0.0; /* finite times zero is zero, anything else is not */
  for (unsigned j = 0; j < run->problem.n; j++) sum += 0.0 * rate[j];
  return sum != 0.0;
}

static double nominal(const FmrRun* run, unsigned j) {
  double size = run->problem.nominal ? fabs(run->problem.nominal[j]) : 1.0;
  return size > 0.0 && size <= DBL_MAX ? size : 1.0;
}

double fmr_run_absolute(const FmrRun* run, unsigned j) { return run->options.tolerance * nominal(run, j); }

void fmr_run_blame(FmrRun* run, const double* scaled_error) {
  double most = -1.0;
  run->worst_known = 0;
  for (unsigned j = 0; j < run->problem.n; j++) {
    if (!(fabs(scaled_error[j]) > most)) continue;
    most = fabs(scaled_error[j]);
    run->worst = j;
    run->worst_known = 1;
  }
}

static double distance(const FmrRun* run, const double* x, unsigned j) {
  return sqrt(DBL_EPSILON) * fmax(fabs(x[j]), nominal(run, j));
}

static int full_differences(FmrRun* run, double t, const double* x, const double* rate, double* entries, double* work) {
  unsigned n = run->problem.n;
  double *moved = work, *moved_rate = work + n;
  memcpy(moved, x, n * sizeof *x);
  for (unsigned j = 0; j < n; j++) {
    moved[j] = x[j] + distance(run, x, j);
    int failed = fmr_run_rates(run, t, moved, moved_rate);
    if (failed) return failed;
    for (unsigned i = 0; i < n; i++) entries[(size_t)j * n + i] = (moved_rate[i] - rate[i]) / (moved[j] - x[j]);
    moved[j] = x[j];
  }
  return 0;
}

static int coloured_differences(FmrRun* run, double t, const double* x, const double* rate, double* entries,
                                double* work) {
  const FmrPattern* pattern = run->problem.pattern;
  unsigned n = run->problem.n;
  double *moved = work, *moved_rate = work + n;
  for (unsigned colour = 0; colour < pattern->colours; colour++) {
    for (unsigned j = 0; j < n; j++) moved[j] = pattern->colour[j] == colour ? x[j] + distance(run, x, j) : x[j];
    int failed = fmr_run_rates(run, t, moved, moved_rate);
    if (failed) return failed;
    for (unsigned j = 0; j < n; j++) {
      if (pattern->colour[j] != colour) continue;
      for (unsigned k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++) {
        entries[k] = (moved_rate[pattern->row[k]] - rate[pattern->row[k]]) / (moved[j] - x[j]);
      }
    }
  }
  return 0;
}

static int all_finite(const FmrRun* run, const double* entries) {
  size_t n = run->problem.n, count = run->problem.pattern ? run->problem.pattern->column_start[n] : n * n;
  double sum = 0.0;
  for (size_t k = 0; k < count; k++) sum += 0.0 * entries[k];
  return sum == 0.0;
}

/* Where a function is computable but has no finite derivative, as sqrt at zero, differences say how steep it is. */
int fmr_run_jacobian(FmrRun* run, double t, const double* x, const double* rate, double* entries, double* work) {
  run->statistics.jacobians++;
  if (run->problem.jacobian) {
    int failed = run->problem.jacobian(run->problem.who, t, x, rate, entries);
    if (failed || all_finite(run, entries)) return failed;
  }
  int failed = run->problem.pattern ? coloured_differences(run, t, x, rate, entries, work)
                                    : full_differences(run, t, x, rate, entries, work);
  return failed ? failed : !all_finite(run, entries);
}
