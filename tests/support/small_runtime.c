/* For tests: the functions that generated code calls, as small as can be. Dense elimination, Newton's method without
 * damping, tables that are linear; no delays. An oracle must not share code with what it judges, so nothing of the run
 * time is used here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu-runtime/include/fmu_runtime/model_interface.h"

/* Solves a*x = b, a by columns, with full columns; the solution replaces b. */
static int eliminate(double *a, double *b, unsigned n) {
  for (unsigned k = 0; k < n; ++k) {
    unsigned p = k;
    for (unsigned r = k + 1; r < n; ++r)
      if (fabs(a[r + k * n]) > fabs(a[p + k * n])) p = r;
    if (!(fabs(a[p + k * n]) > 0)) return 1;
    for (unsigned c = k; c < n; ++c) {
      const double t = a[k + c * n];
      a[k + c * n] = a[p + c * n];
      a[p + c * n] = t;
    }
    const double t = b[k];
    b[k] = b[p];
    b[p] = t;
    for (unsigned r = k + 1; r < n; ++r) {
      const double f = a[r + k * n] / a[k + k * n];
      for (unsigned c = k; c < n; ++c) a[r + c * n] -= f * a[k + c * n];
      b[r] -= f * b[k];
    }
  }
  for (unsigned k = n; k-- > 0;) {
    for (unsigned c = k + 1; c < n; ++c) b[k] -= a[k + c * n] * b[c];
    b[k] /= a[k + k * n];
  }
  return 0;
}

static int solve_sparse(FmrData *m, const FmrLinearBlock *block, double *b) {
  const unsigned n = block->n;
  double *full = calloc((size_t)n * n, sizeof *full), *entries = malloc((block->entries + 1) * sizeof *entries);
  block->matrix(m, entries);
  for (unsigned c = 0; c < n; ++c)
    for (unsigned k = block->column_start[c]; k < block->column_start[c + 1]; ++k)
      full[block->row[k] + c * n] += entries[k];
  const int failed = eliminate(full, b, n);
  free(full);
  free(entries);
  return failed;
}

int fmr_solve_linear(FmrData *m, const FmrLinearBlock *block) {
  double *b = malloc(block->n * sizeof *b);
  block->right(m, b);
  const int failed = solve_sparse(m, block, b);
  for (unsigned k = 0; k < block->n; ++k) m->v[block->unknown[k]] = b[k];
  free(b);
  return failed;
}

int fmr_tangent_linear(FmrData *m, const FmrLinearBlock *block) {
  double *b = malloc(block->n * sizeof *b);
  block->tangent_right(m, b);
  const int failed = solve_sparse(m, block, b);
  for (unsigned k = 0; k < block->n; ++k) m->d[block->unknown[k]] = b[k];
  free(b);
  return failed;
}

/* The Jacobian of the residuals by the tearing variables, everything else held. */
static int jacobian(FmrData *m, const FmrNonlinearBlock *block, double *a) {
  const unsigned n = block->n, inner = block->inner;
  int failed = 0;
  double *outside = m->d;
  double *d = calloc(fmr_model.values + fmr_model.delays, sizeof *d);
  if (!block->tangent) abort();
  m->d = d;
  for (unsigned c = 0; c < n; ++c) {
    for (unsigned k = 0; k < inner; ++k) d[block->inner_unknown[k]] = 0;
    d[block->unknown[c]] = 1;
    failed = block->tangent(m, a + c * n) || failed;
    d[block->unknown[c]] = 0;
  }
  free(d);
  m->d = outside;
  return failed;
}

int fmr_solve_nonlinear(FmrData *m, const FmrNonlinearBlock *block) {
  const unsigned n = block->n;
  double *a = malloc((size_t)n * n * sizeof *a), *r = malloc(n * sizeof *r);
  int failed = 1;
  for (int iteration = 0; iteration < 200 && failed; ++iteration) {
    double moved = 0, before = 0, after = 0;
    if (block->residual(m, r) || jacobian(m, block, a)) break;
    for (unsigned k = 0; k < n; ++k) before = fmax(before, fabs(r[k]));
    if (eliminate(a, r, n)) break;
    for (double part = 1; part > 1e-6; part /= 2) {
      double *trial = malloc(n * sizeof *trial);
      moved = 0;
      after = 0;
      for (unsigned k = 0; k < n; ++k) {
        m->v[block->unknown[k]] -= part * r[k];
        moved = fmax(moved, fabs(part * r[k]) / (1 + fabs(m->v[block->unknown[k]])));
      }
      block->residual(m, trial);
      for (unsigned k = 0; k < n; ++k) after = isfinite(trial[k]) ? fmax(after, fabs(trial[k])) : INFINITY;
      free(trial);
      if (after <= before || after < 1e-13) break;
      for (unsigned k = 0; k < n; ++k) m->v[block->unknown[k]] += part * r[k];
    }
    if (moved < 1e-13 || after == 0) failed = 0;
  }
  block->residual(m, r);
  free(a);
  free(r);
  return failed;
}

int fmr_tangent_nonlinear(FmrData *m, const FmrNonlinearBlock *block) {
  const unsigned n = block->n;
  double *a = malloc((size_t)n * n * sizeof *a), *r = malloc(n * sizeof *r);
  for (unsigned k = 0; k < n; ++k) m->d[block->unknown[k]] = 0;
  int failed = block->tangent(m, r) || jacobian(m, block, a) || eliminate(a, r, n);
  for (unsigned k = 0; k < n; ++k) m->d[block->unknown[k]] = -r[k];
  double *ignored = malloc(n * sizeof *ignored);
  failed = block->tangent(m, ignored) || failed;
  free(ignored);
  free(a);
  free(r);
  return failed;
}

int fmr_start_tangent_linear(FmrData *m, const FmrLinearBlock *block) {
  double *b = malloc(block->n * sizeof *b);
  const int failed = fmr_model.start_tangents->linear[block->index](m, b) || solve_sparse(m, block, b);
  for (unsigned k = 0; k < block->n; ++k) m->d[block->unknown[k]] = b[k];
  free(b);
  return failed;
}

int fmr_start_tangent_nonlinear(FmrData *m, const FmrNonlinearBlock *block) {
  int (*const of)(FmrData *, double *) = fmr_model.start_tangents->nonlinear[block->index];
  const unsigned n = block->n;
  double *a = malloc((size_t)n * n * sizeof *a), *r = malloc(n * sizeof *r), *ignored = malloc(n * sizeof *ignored);
  for (unsigned k = 0; k < n; ++k) m->d[block->unknown[k]] = 0;
  int failed = of(m, r) || jacobian(m, block, a) || eliminate(a, r, n);
  for (unsigned k = 0; k < n; ++k) m->d[block->unknown[k]] = -r[k];
  failed = of(m, ignored) || failed;
  free(a);
  free(r);
  free(ignored);
  return failed;
}

double fmr_root(FmrData *m, double x) {
  (void)m;
  return x < 0 ? 0 : sqrt(x);
}

double fmr_delay(FmrData *m, unsigned delay, double by) {
  (void)m, (void)delay, (void)by;
  return 0;
}

double fmr_table_1d(FmrData *m, const FmrTable *table, double x, unsigned order) {
  unsigned k = 1;
  (void)m;
  if (x < table->x[0]) return order == 0 ? table->value[0] : 0;
  if (x >= table->x[table->nx - 1]) return order == 0 ? table->value[table->nx - 1] : 0;
  while (x >= table->x[k]) ++k;
  const double slope = (table->value[k] - table->value[k - 1]) / (table->x[k] - table->x[k - 1]);
  return order == 0 ? table->value[k - 1] + slope * (x - table->x[k - 1]) : order == 1 ? slope : 0;
}

double fmr_table_2d(FmrData *m, const FmrTable *table, double x, double y, unsigned order_x, unsigned order_y) {
  (void)m, (void)table, (void)x, (void)y, (void)order_x, (void)order_y;
  return NAN;
}
