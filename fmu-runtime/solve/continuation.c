/* Problem: Newton's method fails from every guess there is.
 *
 * Method 1, continuation: x0 solves the equations r(x) - s*r(x0) = 0 for s = 1, and what is wanted is the solution for
 * s = 0. Between, s goes down in steps as large as Newton's method stands, each from a point predicted along the
 * tangent, J*dx = r(x0)*ds. If the branch turns back before s = 0, this fails.
 *
 *     exp(x) = 1 from x0 = 40:  r(x0) = 2.4e17; s = 0.9, 0.8, ... follow x = log(1 + s*2.4e17) down to 0
 *
 * Method 2, for one unknown: outward from the guess in growing steps to both sides in turn until residuals have
 * opposite signs, then false position with bisection whenever that is slow. It needs no derivative and cannot be led
 * away; a change of sign at a pole or a jump is told from a root by the residual that is left.
 *
 * Reference: Allgower, Georg: Introduction to Numerical Continuation Methods, ch. 2; Dowell, Jarratt: A modified regula
 * falsi method, BIT 11 (1971). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/dense.h"
#include "solve/newton.h"

static const double FIRST_SHARE = 0.1, LEAST_SHARE = 1e-7;
/* Points on the way need not be exact. */
static const double TOLERANCE_ON_THE_WAY = 1e-5;
enum { SHARES_MOST = 400, NEWTON_ON_THE_WAY = 6, NEWTON_AT_THE_END = 50 };

/* x := the point predicted for a share less by `down`, from the solved point `at`. */
static void predict(FmrLoop* loop, const double* at, double down, double* x) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  memcpy(x, at, n * sizeof *x);
  if (!memory->factored) return;
  memcpy(memory->tangent, memory->offset, n * sizeof *x);
  fmr_dense_solve(n, memory->lu, memory->row_scale, memory->pivot, memory->tangent);
  for (unsigned j = 0; j < n; j++) {
    double to = at[j] - down * memory->tangent[j];
    if (isfinite(to)) x[j] = to;
  }
}

int fmr_continue(FmrLoop* loop, double* x) {
  FmrNonlinearMemory* memory = loop->memory;
  unsigned n = loop->block->n;
  double* at = memory->guess;
  double tolerance = loop->tolerance;
  memcpy(at, x, n * sizeof *x);
  if (fmr_loop_residual(loop, x, memory->offset)) return 1;
  memcpy(memory->residual, memory->offset, n * sizeof *x);
  if (fmr_loop_jacobian(loop, x)) return 1;
  fmr_loop_factor(loop);
  loop->tolerance = TOLERANCE_ON_THE_WAY;
  double share = 1.0, down = FIRST_SHARE;
  for (unsigned k = 0; k < SHARES_MOST && share > 0.0 && down >= LEAST_SHARE; k++) {
    double to = share - down > LEAST_SHARE ? share - down : 0.0;
    predict(loop, at, share - to, x);
    loop->share = to;
    if (fmr_newton(loop, x, NEWTON_ON_THE_WAY) == 0) {
      memcpy(at, x, n * sizeof *x);
      share = to;
      down *= 2.0;
    } else {
      down *= 0.25;
      loop->share = share; /* factors at the point from which the next prediction starts */
      if (fmr_loop_residual(loop, at, memory->residual) || fmr_loop_jacobian(loop, at)) break;
      fmr_loop_factor(loop);
    }
  }
  loop->tolerance = tolerance;
  loop->share = 0.0;
  if (share > 0.0) {
    memcpy(x, at, n * sizeof *x);
    fmr_loop_residual(loop, x, memory->residual);
    loop->why = "a continuation from the start values does not reach them";
    return 1;
  }
  return fmr_newton(loop, x, NEWTON_AT_THE_END);
}

/* One side of the search for a change of sign. */
typedef struct Walk {
  double at, residual, stride; /* stride with its direction */
  int walled;                  /* residuals could not be computed further out: strides only shrink now */
} Walk;

enum { WALK_MOST = 80, NARROW_MOST = 200, POLISH_MOST = 20 };
/* Of the residuals at the ends of the bracket: what may be left at a root with an infinite slope. */
static const double LEFT_AT_ROOT = 1e-5;

/* One stride: 1 if the sign changed between *from and walk->at. */
static int stride(FmrLoop* loop, Walk* walk, double* from, double* from_residual) {
  const FmrNonlinearBlock* block = loop->block;
  if (fabs(walk->stride) <= 4.0 * DBL_EPSILON * fabs(walk->at)) return 0;
  double to = walk->at + walk->stride, residual;
  if (loop->limited && block->min) to = fmax(to, fmin(block->min[0], walk->at));
  if (loop->limited && block->max) to = fmin(to, fmax(block->max[0], walk->at));
  if (to == walk->at || !isfinite(to)) return 0;
  if (fmr_loop_residual(loop, &to, &residual)) {
    walk->walled = 1;
    walk->stride *= 0.5;
    return 0;
  }
  *from = walk->at;
  *from_residual = walk->residual;
  walk->at = to;
  walk->residual = residual;
  walk->stride *= walk->walled ? 0.5 : 2.0;
  return (*from_residual < 0.0) != (residual < 0.0);
}

/* The bracket a, b with residuals ra, rb of opposite signs becomes a point; *x is that. */
static int narrow(FmrLoop* loop, double a, double ra, double b, double rb, double* x) {
  double first = fmax(fabs(ra), fabs(rb));
  double width = fabs(b - a);
  double residual = rb;
  for (unsigned k = 0; k < NARROW_MOST; k++) {
    double least = 2.0 * DBL_EPSILON * fmax(fabs(a), fabs(b));
    if (fabs(b - a) <= least || residual == 0.0) break;
    double c = k % 3 == 2 ? 0.5 * (a + b) : b - rb * (b - a) / (rb - ra);
    if (!(fmin(a, b) < c && c < fmax(a, b))) c = 0.5 * (a + b);
    if (c == a || c == b || fmr_loop_residual(loop, &c, &residual)) break;
    if ((residual < 0.0) == (ra < 0.0)) {
      a = c;
      ra = residual;
      if (k % 3 != 2) rb *= 0.5;
    } else {
      b = c;
      rb = residual;
      if (k % 3 != 2) ra *= 0.5;
    }
    *x = c;
  }
  if (fmr_loop_residual(loop, x, loop->memory->residual)) return 1;
  if (fabs(loop->memory->residual[0]) <= LEFT_AT_ROOT * first && fabs(b - a) < width) return 0;
  loop->why = "they jump from one side of zero to the other";
  return 1;
}

int fmr_bracket(FmrLoop* loop, double* x) {
  double* residual = loop->memory->residual;
  double from, from_residual;
  if (fmr_loop_residual(loop, x, residual)) return 1;
  double first = 1e-3 * fmax(fabs(*x), fmr_loop_nominal(loop, 0));
  Walk walks[2] = {{*x, *residual, first, 0}, {*x, *residual, -first, 0}};
  for (unsigned k = 0; k < 2 * WALK_MOST; k++) {
    Walk* walk = &walks[k % 2];
    if (!stride(loop, walk, &from, &from_residual)) continue;
    double root = walk->at;
    if (narrow(loop, from, from_residual, walk->at, walk->residual, &root)) continue;
    *x = root;
    double polished = root;
    if (fmr_newton(loop, &polished, POLISH_MOST) == 0 && (polished - from) * (polished - walk->at) <= 0.0)
      *x = polished;
    return fmr_loop_residual(loop, x, residual);
  }
  loop->why = "their residual has the same sign everywhere";
  return 1;
}
