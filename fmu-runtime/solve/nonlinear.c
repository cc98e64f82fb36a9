/* Problem: solve a nonlinear loop each time its turn comes, mostly close to where it was solved before, sometimes with
 * no idea of where the solution is.
 *
 * Method: a ladder of attempts, each tried when those above failed.
 *   1. From the best guess with the factors of the last call, if the loop is large enough for that to pay.
 *   2. Newton from the best guess: extrapolated in time from the last two accepted solutions, or the last solution if
 *      that is as near in time.
 *   3. Newton from the last solution, from the start values.
 *   4. Newton from nominal values in place of start values that are zero, where products and squares are flat;
 *      then the same without damping.
 *   5. Continuation from the last solution, from the start values.
 *   6. One unknown: a search for a change of sign.
 *   7. Once more from the start values, over min and max.
 * Loops are solved tighter than the integration, which takes their solutions for exact functions.
 *
 * Tangents by the implicit function theorem: with tangents dp of what is known, r_x*dx + r_p*dp = 0. The model computes
 * r_p*dp with dx = 0, and the inner unknowns with the dx found. */
#include <math.h>
#include <string.h>

#include "solve/dense.h"
#include "solve/newton.h"

/* Of the tolerance of the integration, but not below what rounding allows. */
static const double TIGHTER = 1e-3, TIGHTEST = 1e-13, LOOSEST = 1e-8;
/* With fewer unknowns, a new Jacobian costs no more than another iteration. */
enum { OLD_FACTORS_FROM = 4 };
enum { ITERATIONS_FROM_GUESS = 30, ITERATIONS_FROM_START = 100 };
/* Extrapolation beyond that many times the distance of the last two points is not to be trusted. */
static const double FARTHEST = 3.0;

static FmrLoop loop_of(FmrData* m, const FmrNonlinearBlock* block) {
  FmrSolveStore* store = fmr_host_solve_store(m);
  double tolerance = TIGHTER * fmr_host_tolerance(m);
  if (!(tolerance >= TIGHTEST)) tolerance = TIGHTEST;
  if (tolerance > LOOSEST) tolerance = LOOSEST;
  FmrLoop loop = {m, block, &store->nonlinear[block->index], store, tolerance, 0.0, 1, 0, "it is not known why"};
  return loop;
}

/* Values at the first call: what start values made of the unknowns. */
static void remember_start(FmrLoop* loop) {
  FmrNonlinearMemory* memory = loop->memory;
  if (memory->saved[FMR_SAVED_KNOWN] > 0.0) return;
  for (unsigned j = 0; j < loop->block->n; j++) {
    double value = loop->m->v[loop->block->unknown[j]];
    if (!isfinite(value)) value = loop->store->model->start[loop->block->unknown[j]];
    memory->start[j] = isfinite(value) ? value : 0.0;
  }
  memory->saved[FMR_SAVED_KNOWN] = 1.0;
}

static void guess(const FmrLoop* loop, double* x) {
  const FmrNonlinearMemory* memory = loop->memory;
  const double* saved = memory->saved;
  unsigned n = loop->block->n;
  double t = loop->m->v[0];
  double reach = saved[FMR_SAVED_TIME_ACCEPTED] - saved[FMR_SAVED_TIME_BEFORE];
  double ahead = t - saved[FMR_SAVED_TIME_ACCEPTED];
  memcpy(x, saved[FMR_SAVED_KNOWN] < 2.0 ? memory->start : memory->last, n * sizeof *x);
  if (saved[FMR_SAVED_ACCEPTED] < 2.0 || t == saved[FMR_SAVED_TIME]) return;
  if (!(reach > 0.0) || fabs(ahead) > FARTHEST * reach) return;
  for (unsigned j = 0; j < n; j++) {
    x[j] = memory->accepted[j] + (memory->accepted[j] - memory->before[j]) * (ahead / reach);
  }
}

/* Where a guess leaves min and max, which the true values do not. */
static void keep_within_limits(const FmrLoop* loop, double* x) {
  const FmrNonlinearBlock* block = loop->block;
  for (unsigned j = 0; j < block->n; j++) {
    if (block->min && x[j] < block->min[j]) x[j] = block->min[j];
    if (block->max && x[j] > block->max[j]) x[j] = block->max[j];
  }
}

static int from(FmrLoop* loop, const double* where, int (*how)(FmrLoop*, double*), const char* name) {
  double* x = loop->memory->x;
  memcpy(x, where, loop->block->n * sizeof *x);
  keep_within_limits(loop, x);
  if (how(loop, x)) return 1;
  fmr_note_ladder(loop->m, loop->block, name);
  return 0;
}

static int newton_far(FmrLoop* loop, double* x) { return fmr_newton(loop, x, ITERATIONS_FROM_START); }

static int newton_without_limits(FmrLoop* loop, double* x) {
  loop->limited = 0;
  int failed = fmr_newton(loop, x, ITERATIONS_FROM_START);
  loop->limited = 1;
  return failed;
}

static int newton_from_nominals(FmrLoop* loop, double* x) {
  for (unsigned j = 0; j < loop->block->n; j++) {
    if (x[j] == 0.0) x[j] = fmr_loop_nominal(loop, j);
  }
  keep_within_limits(loop, x);
  return fmr_newton(loop, x, ITERATIONS_FROM_START);
}

/* Convex functions far from their roots throw Newton's method far out once, and are then followed back quickly. */
static int bold_newton_from_nominals(FmrLoop* loop, double* x) {
  loop->bold = 1;
  int failed = newton_from_nominals(loop, x);
  loop->bold = 0;
  return failed;
}

/* memory->x := the solution: 0 if found. */
static int climb(FmrLoop* loop) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  int solved_before = memory->saved[FMR_SAVED_KNOWN] >= 2.0;
  guess(loop, memory->x);
  keep_within_limits(loop, memory->x);
  if (n >= OLD_FACTORS_FROM && fmr_newton_with_old_factors(loop, memory->x) == 0) return 0;
  if (fmr_newton(loop, memory->x, ITERATIONS_FROM_GUESS) == 0) return 0;
  if (solved_before && from(loop, memory->last, newton_far, "from the last solution") == 0) return 0;
  if (from(loop, memory->start, newton_far, "from the start values") == 0) return 0;
  if (from(loop, memory->start, newton_from_nominals, "from nominal values") == 0) return 0;
  if (from(loop, memory->start, bold_newton_from_nominals, "without damping") == 0) return 0;
  if (solved_before && from(loop, memory->last, fmr_continue, "by continuation from the last solution") == 0) return 0;
  if (from(loop, memory->start, fmr_continue, "by continuation from the start values") == 0) return 0;
  if (n == 1 && solved_before && from(loop, memory->last, fmr_bracket, "by bisection") == 0) return 0;
  if (n == 1 && from(loop, memory->start, fmr_bracket, "by bisection") == 0) return 0;
  if (!loop->block->min && !loop->block->max) return 1;
  /* of this one the run time warns, once it is accepted */
  memcpy(memory->x, solved_before ? memory->last : memory->start, n * sizeof(double));
  return newton_without_limits(loop, memory->x);
}

int fmr_solve_nonlinear(FmrData* m, const FmrNonlinearBlock* block) {
  FmrLoop loop = loop_of(m, block);
  FmrNonlinearMemory* memory = loop.memory;
  remember_start(&loop);
  if (climb(&loop) == 0) {
    memcpy(memory->last, memory->x, block->n * sizeof(double));
    memory->saved[FMR_SAVED_KNOWN] = 2.0;
    memory->saved[FMR_SAVED_TIME] = m->v[0];
    memory->solutions++;
    return 0;
  }
  memory->factored = 0;
  fmr_loop_residual(&loop, memory->x, memory->residual);
  fmr_report_unsolved(m, block, memory->residual, loop.why);
  return 1;
}

/* Exact factors at the present values, which are a solution. */
static int factors_here(FmrLoop* loop) {
  FmrNonlinearMemory* memory = loop->memory;
  if (memory->jacobian_of == memory->solutions && memory->factored) return 0;
  for (unsigned j = 0; j < loop->block->n; j++) memory->x[j] = loop->m->v[loop->block->unknown[j]];
  if (!loop->block->tangent && fmr_loop_residual(loop, memory->x, memory->residual)) return 1;
  if (fmr_loop_jacobian(loop, memory->x)) return 1;
  if (fmr_loop_factor(loop)) {
    loop->why = "they are linearly dependent there";
    return 1;
  }
  memory->jacobian_of = memory->solutions;
  return 0;
}

/* `of` gives the tangents of inner unknowns and residuals. */
static int tangent_by(FmrData* m, const FmrNonlinearBlock* block, int (*of)(FmrData*, double*)) {
  FmrLoop loop = loop_of(m, block);
  FmrNonlinearMemory* memory = loop.memory;
  if (factors_here(&loop)) {
    fmr_report_unsolved(m, block, memory->residual, loop.why);
    return 1;
  }
  double* tangent = memory->tangent;
  for (unsigned j = 0; j < block->n; j++) m->d[block->unknown[j]] = 0.0;
  if (of(m, tangent)) return 1;
  for (unsigned j = 0; j < block->n; j++) tangent[j] = -tangent[j];
  fmr_dense_solve(block->n, memory->lu, memory->row_scale, memory->pivot, tangent);
  for (unsigned j = 0; j < block->n; j++) m->d[block->unknown[j]] = tangent[j];
  return of(m, tangent);
}

int fmr_tangent_nonlinear(FmrData* m, const FmrNonlinearBlock* block) {
  return !block->tangent || tangent_by(m, block, block->tangent);
}

int fmr_start_tangent_nonlinear(FmrData* m, const FmrNonlinearBlock* block) {
  return tangent_by(m, block, fmr_host_model(m)->start_tangents->nonlinear[block->index]);
}
