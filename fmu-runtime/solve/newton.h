/* Newton's method for one nonlinear loop, and what stands behind it when it fails. */
#ifndef FMU_RUNTIME_SOLVE_NEWTON_H
#define FMU_RUNTIME_SOLVE_NEWTON_H

#include "solve/blocks.h"

/* The equations r(x) - share*offset = 0 of a loop; offset is memory->offset. Share 0 are the equations themselves,
 * others are met on the way of a continuation. */
typedef struct FmrLoop {
  FmrData* m;
  const FmrNonlinearBlock* block;
  FmrNonlinearMemory* memory;
  FmrSolveStore* store;
  double tolerance; /* of the unknowns, relative to the larger of value and nominal value */
  double share;
  int limited;     /* steps stay between min and max */
  int bold;        /* steps are taken as they are wherever they lead to numbers */
  const char* why; /* of the last failure */
} FmrLoop;

double fmr_loop_nominal(const FmrLoop* loop, unsigned j);

/* Residuals at x, which must all be numbers: 0 if so. v holds x and the inner unknowns then. */
int fmr_loop_residual(FmrLoop* loop, const double* x, double* residual);

/* memory->jacobian, at the point where residuals were computed last, which is x. 0 if done. */
int fmr_loop_jacobian(FmrLoop* loop, const double* x);
/* Factors of it: 0 if done, 1 if it is singular. */
int fmr_loop_factor(FmrLoop* loop);

/* Damped Newton from x, in `iterations` at most. 0: x is the solution, and v and memory->residual belong to it. Else x
 * is the best point found. */
int fmr_newton(FmrLoop* loop, double* x, unsigned iterations);
/* With the factors at hand, maybe of another point; gives up as soon as convergence is slow. As above, but x is left as
 * it was if there is no solution. */
int fmr_newton_with_old_factors(FmrLoop* loop, double* x);

/* Newton with a continuation from the residuals at x to zero. */
int fmr_continue(FmrLoop* loop, double* x);
/* One unknown: a search for a change of sign around x, then bisection and interpolation. */
int fmr_bracket(FmrLoop* loop, double* x);

#endif
