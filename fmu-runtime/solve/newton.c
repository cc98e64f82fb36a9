/* Problem: r(x) = 0 for the tearing variables x of a loop, close to a given guess.
 *
 * Method: Newton's method with three kinds of care.
 *   Scaling. Unknowns are measured by the larger of their value and their nominal value, residuals by what their
 *   equation makes of such changes (row by row the largest |J_ij|*weight_j). All tests below are on scaled numbers.
 *   Damping. A step that leads to where residuals cannot be computed is halved, as is one that makes neither the
 *   residuals smaller nor the next simplified step J(x)^-1*r(x + step) (the natural test, which sees progress along
 *   curved valleys where residuals grow in between). Steps end at min and max.
 *   A singular Jacobian. The step is then that of Levenberg and Marquardt with a small penalty.
 * The end is a full step below the tolerance; it is taken, too, so the error left is about the square of the tolerance.
 *
 *     x*x = 2 from 1:  1.5, 1.41667, 1.414216, 1.41421356237: the step below 1e-9 would be the fifth, and ends it
 *
 * Reference: Deuflhard: Newton Methods for Nonlinear Problems, 3.3 (natural monotonicity test). */
#include "solve/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/dense.h"

/* Below this, steps are not halved any more. */
static const double LEAST_DAMPING = 1e-12;
/* If rounding lets nothing get better, a scaled step below this is a solution. */
static const double STAGNATED = 1e-10;
/* Residuals of this scaled size are nothing but rounding. */
static const double ROUNDING = 4.0 * DBL_EPSILON;
/* Of the largest squared entry of the scaled Jacobian: the penalty where it is singular. */
static const double PENALTY = 1e-8;
/* Scaled size of a step without a direction. */
static const double ANYWHERE = 1e-3;
/* Contraction that old factors must give, and how often they are used in one solution. */
static const double FAST = 0.1;
enum { OLD_FACTORS_MOST = 6 };

double fmr_loop_nominal(const FmrLoop* loop, unsigned j) {
  double nominal = loop->block->nominal ? fabs(loop->block->nominal[j]) : 1.0;
  return nominal > 0.0 && nominal <= DBL_MAX ? nominal : 1.0;
}

int fmr_loop_residual(FmrLoop* loop, const double* x, double* residual) {
  const FmrNonlinearBlock* block = loop->block;
  for (unsigned j = 0; j < block->n; j++) loop->m->v[block->unknown[j]] = x[j];
  loop->store->trials++;
  int failed = block->residual(loop->m, residual);
  loop->store->trials--;
  if (failed) {
    loop->why = "they cannot be computed there";
    return 1;
  }
  for (unsigned j = 0; j < block->n; j++) {
    if (loop->share != 0.0) residual[j] -= loop->share * loop->memory->offset[j];
    if (isfinite(residual[j])) continue;
    loop->why = "their residuals are not numbers there";
    return 1;
  }
  return 0;
}

/* Columns by tangents with one of them 1 and the others 0. */
static int jacobian_by_tangents(FmrLoop* loop) {
  const FmrNonlinearBlock* block = loop->block;
  FmrData* m = loop->m;
  double* before = m->d;
  double* d = fmr_take_tangents(m, loop->store);
  if (!d) return 1;
  int failed = 0;
  loop->store->trials++;
  for (unsigned j = 0; j < block->n && !failed; j++) {
    d[block->unknown[j]] = 1.0;
    failed = block->tangent(m, loop->memory->jacobian + (size_t)j * block->n);
    d[block->unknown[j]] = 0.0;
  }
  loop->store->trials--;
  for (unsigned k = 0; k < block->inner; k++) d[block->inner_unknown[k]] = 0.0;
  fmr_give_back_tangents(m, loop->store, before);
  return failed;
}

static int jacobian_by_differences(FmrLoop* loop, const double* x) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  double *moved = memory->trial, *residual = memory->trial_residual;
  memcpy(moved, x, n * sizeof *x);
  for (unsigned j = 0; j < n; j++) {
    double distance = sqrt(DBL_EPSILON) * fmax(fabs(x[j]), fmr_loop_nominal(loop, j));
    moved[j] = x[j] + distance;
    int failed = fmr_loop_residual(loop, moved, residual);
    if (failed) {
      moved[j] = x[j] - distance;
      failed = fmr_loop_residual(loop, moved, residual);
    }
    distance = moved[j] - x[j];
    for (unsigned i = 0; i < n && !failed; i++) {
      memory->jacobian[(size_t)j * n + i] = (residual[i] - memory->residual[i]) / distance;
    }
    moved[j] = x[j];
    if (failed) return 1;
  }
  return fmr_loop_residual(loop, x, residual); /* inner unknowns back to where they were */
}

static int jacobian_is_finite(const FmrLoop* loop) {
  size_t n = loop->block->n;
  double sum = 0.0; /* not a number if an entry is not finite */
  for (size_t k = 0; k < n * n; k++) sum += 0.0 * loop->memory->jacobian[k];
  return sum == 0.0;
}

/* Where there is no finite derivative, as of sqrt at zero, differences say how steep it is. */
int fmr_loop_jacobian(FmrLoop* loop, const double* x) {
  int failed = !loop->block->tangent || jacobian_by_tangents(loop) || !jacobian_is_finite(loop);
  if (failed) failed = jacobian_by_differences(loop, x);
  if (failed) loop->why = "their derivatives cannot be computed there";
  return failed;
}

int fmr_loop_factor(FmrLoop* loop) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  double pivot_value;
  memory->jacobian_of = 0;
  memcpy(memory->lu, memory->jacobian, (size_t)n * n * sizeof(double));
  memory->factored = fmr_dense_factor(n, memory->lu, memory->row_scale, memory->pivot, &pivot_value) == 0;
  return !memory->factored;
}

static void weigh_unknowns(FmrLoop* loop, const double* x) {
  for (unsigned j = 0; j < loop->block->n; j++) {
    loop->memory->weight[j] = fmax(fabs(x[j]), fmr_loop_nominal(loop, j));
  }
}

static void weigh_residuals(FmrLoop* loop) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  for (unsigned i = 0; i < n; i++) {
    double most = 0.0;
    for (unsigned j = 0; j < n; j++) most = fmax(most, fabs(memory->jacobian[(size_t)j * n + i]) * memory->weight[j]);
    memory->row_weight[i] = most > 0.0 && most <= DBL_MAX ? most : 1.0;
  }
}

static double scaled_norm(unsigned n, const double* vector, const double* weight) {
  double norm = 0.0;
  for (unsigned j = 0; j < n; j++) {
    double size = fabs(vector[j]) / weight[j];
    if (!(size <= norm)) norm = size; /* also if it is not a number */
  }
  return norm;
}

/* No derivative at all: any small step within the limits may lead to where there is one. */
static void step_anywhere(FmrLoop* loop, const double* x) {
  const FmrNonlinearBlock* block = loop->block;
  for (unsigned j = 0; j < block->n; j++) {
    double step = ANYWHERE * loop->memory->weight[j];
    loop->memory->step[j] = loop->limited && block->max && x[j] + step > block->max[j] ? -step : step;
  }
}

/* memory->step from the residuals and the Jacobian at hand, which are those at x. */
static int newton_step(FmrLoop* loop, const double* x) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  if (fmr_loop_factor(loop) == 0) {
    for (unsigned j = 0; j < n; j++) memory->step[j] = -memory->residual[j];
    fmr_dense_solve(n, memory->lu, memory->row_scale, memory->pivot, memory->step);
    return 0;
  }
  double* scaled = memory->lu; /* which is of no use */
  double most = 0.0;
  for (unsigned j = 0; j < n; j++) {
    for (unsigned i = 0; i < n; i++) {
      double* entry = &scaled[(size_t)j * n + i];
      *entry = memory->jacobian[(size_t)j * n + i] * memory->weight[j] / memory->row_weight[i];
      if (!isfinite(*entry)) {
        loop->why = "their derivatives are not numbers there";
        return 1;
      }
      most = fmax(most, fabs(*entry));
    }
  }
  if (most == 0.0) {
    step_anywhere(loop, x);
    return 0;
  }
  for (unsigned i = 0; i < n; i++) memory->step[i] = -memory->residual[i] / memory->row_weight[i];
  if (fmr_dense_regularized(n, scaled, PENALTY * most * most, memory->step, memory->work)) {
    loop->why = "they are linearly dependent there";
    return 1;
  }
  for (unsigned j = 0; j < n; j++) memory->step[j] *= memory->weight[j];
  return 0;
}

/* trial := x + damping*step, within min and max if these are asked for and x is. */
static void step_to(FmrLoop* loop, const double* x, double damping) {
  const FmrNonlinearBlock* block = loop->block;
  FmrNonlinearMemory* memory = loop->memory;
  for (unsigned j = 0; j < block->n; j++) {
    double to = x[j] + damping * memory->step[j];
    if (loop->limited && block->min && x[j] >= block->min[j] && to < block->min[j]) to = block->min[j];
    if (loop->limited && block->max && x[j] <= block->max[j] && to > block->max[j]) to = block->max[j];
    memory->trial[j] = to;
  }
}

/* Goes along the step as far as that makes things better; 1 if it does nowhere. */
static int damped_step(FmrLoop* loop, double* x) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  double size = scaled_norm(n, memory->step, memory->weight);
  double norm = scaled_norm(n, memory->residual, memory->row_weight);
  for (double damping = 1.0; damping >= LEAST_DAMPING; damping *= 0.5) {
    step_to(loop, x, damping);
    if (memcmp(memory->trial, x, n * sizeof *x) == 0) break;
    if (fmr_loop_residual(loop, memory->trial, memory->trial_residual)) continue;
    int better =
        loop->bold || scaled_norm(n, memory->trial_residual, memory->row_weight) <= (1.0 - 1e-4 * damping) * norm;
    if (!better && memory->factored) {
      memcpy(memory->tangent, memory->trial_residual, n * sizeof(double));
      fmr_dense_solve(n, memory->lu, memory->row_scale, memory->pivot, memory->tangent);
      better = scaled_norm(n, memory->tangent, memory->weight) <= (1.0 - 0.25 * damping) * size;
    }
    if (!better) continue;
    memcpy(x, memory->trial, n * sizeof *x);
    memcpy(memory->residual, memory->trial_residual, n * sizeof(double));
    return 0;
  }
  loop->why = "no step from there makes the residuals smaller";
  return 1;
}

/* The last step, which is below the tolerance: taken if it can be, else x is good enough as it is. */
static int last_step(FmrLoop* loop, double* x) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  double norm = scaled_norm(n, memory->residual, memory->row_weight);
  step_to(loop, x, 1.0);
  if (fmr_loop_residual(loop, memory->trial, memory->trial_residual) == 0 &&
      scaled_norm(n, memory->trial_residual, memory->row_weight) <= norm) {
    memcpy(x, memory->trial, n * sizeof *x);
    memcpy(memory->residual, memory->trial_residual, n * sizeof(double));
    return 0;
  }
  return fmr_loop_residual(loop, x, memory->residual);
}

int fmr_newton(FmrLoop* loop, double* x, unsigned iterations) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  if (fmr_loop_residual(loop, x, memory->residual)) return 1;
  for (unsigned k = 0; k < iterations; k++) {
    if (fmr_loop_jacobian(loop, x)) return 1;
    weigh_unknowns(loop, x);
    weigh_residuals(loop);
    double norm = scaled_norm(n, memory->residual, memory->row_weight);
    if (norm == 0.0) {
      fmr_loop_factor(loop); /* for the next call */
      return 0;
    }
    if (newton_step(loop, x)) return 1;
    double size = scaled_norm(n, memory->step, memory->weight);
    if (!isfinite(size)) {
      loop->why = "they are linearly dependent there";
      return 1;
    }
    if (size <= loop->tolerance && (memory->factored || norm <= loop->tolerance)) return last_step(loop, x);
    if (damped_step(loop, x)) {
      if (size <= STAGNATED || norm <= ROUNDING) return fmr_loop_residual(loop, x, memory->residual);
      fmr_loop_residual(loop, x, memory->residual);
      return 1;
    }
  }
  loop->why = "the iteration does not come to an end";
  return 1;
}

int fmr_newton_with_old_factors(FmrLoop* loop, double* x) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  if (!memory->factored) return 1;
  memory->jacobian_of = 0;
  double *at = memory->trial, *residual = memory->trial_residual;
  memcpy(at, x, n * sizeof *x);
  weigh_unknowns(loop, x);
  double before = 0.0;
  for (unsigned k = 0; k < OLD_FACTORS_MOST; k++) {
    if (fmr_loop_residual(loop, at, residual)) return 1;
    for (unsigned j = 0; j < n; j++) memory->step[j] = -residual[j];
    fmr_dense_solve(n, memory->lu, memory->row_scale, memory->pivot, memory->step);
    double size = scaled_norm(n, memory->step, memory->weight);
    if (!isfinite(size) || (k > 0 && size > FAST * before && size > ROUNDING)) return 1;
    if (size <= ROUNDING ||
        (k > 0 && size <= FAST * loop->tolerance)) { /* contraction has been seen: size is the error */
      memcpy(x, at, n * sizeof *x);
      memcpy(memory->residual, residual, n * sizeof(double));
      return 0;
    }
    before = size;
    for (unsigned j = 0; j < n; j++) at[j] += memory->step[j];
  }
  return 1;
}
