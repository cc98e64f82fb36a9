/* What the driver (integrator.c) and the methods know of each other. A method makes single steps; the driver looks for
 * roots, lands on the end of an advance, counts and explains. */
#ifndef FMU_RUNTIME_INTEGRATE_METHOD_H
#define FMU_RUNTIME_INTEGRATE_METHOD_H

#include <string.h>

#include "integrate/integrator.h"

/* Shared by the driver and its method. */
typedef struct FmrRun {
  FmrProblem problem;
  FmrIntegratorOptions options;
  FmrIntegratorStatistics statistics;
  const char* why; /* of a failed step: "the error test failed repeatedly", ... */
  unsigned worst;  /* the state with the largest error of a failed step */
  int worst_known;
} FmrRun;

/* Vectors without entries may have no address. */
static inline void fmr_copy(double* to, const double* from, size_t n) {
  if (n > 0) memcpy(to, from, n * sizeof *to);
}

/* problem.rates, counted; 1 also if a rate is not a finite number. */
int fmr_run_rates(FmrRun* run, double t, const double* x, double* rate);
/* Entries of the Jacobian, from the problem or by differences, column by column of the pattern or of the full matrix.
 * rate is that at x; work has 2*n numbers. */
int fmr_run_jacobian(FmrRun* run, double t, const double* x, const double* rate, double* entries, double* work);
/* Absolute tolerance of a state. */
double fmr_run_absolute(const FmrRun* run, unsigned j);
/* Remembers the state with the largest of these scaled errors. */
void fmr_run_blame(FmrRun* run, const double* scaled_error);

typedef struct FmrMethod {
  void* (*create)(FmrRun* run); /* null if memory is short */
  void (*destroy)(void* method);
  int (*restart)(void* method, double t, const double* x);
  /* One step on, not beyond `limit`, which may be infinite; `toward` is where the advance is to end. *t and x are the
   * end of the step. Nonzero: no step could be made, and run->why says why. */
  int (*step)(void* method, double limit, double toward, double* t, double* x);
  /* x at a time within the last step. It may evaluate rates there. */
  int (*inside)(void* method, double t, double* x);
  /* Steps are as long as they were asked to be: they end where an advance ends, even if they might go beyond. */
  int fixed;
} FmrMethod;

extern const FmrMethod fmr_dopri45, fmr_fixed;
extern const FmrMethod fmr_still; /* no states: only time goes on */
/* Null if not linked in: exactly one of cvode.c and cvode_absent.c, of ida.c and ida_absent.c is part of a program. */
extern const FmrMethod *const fmr_cvode, *const fmr_ida;

/* Just behind the first of the sign changes between a and b (roots.c). z_a, z_b are the root functions there; x and z
 * have room for one point. Returns 0 with *at, x and z of it, or nonzero if something could not be evaluated. */
typedef struct FmrRootSearch {
  FmrRun* run;
  const FmrMethod* method;
  void* state;
  double *z_a, *z_b, *z;
  double* spare; /* room for three times the root functions */
} FmrRootSearch;
int fmr_find_root(FmrRootSearch* search, double a, double b, double* at, double* x);
/* Whether a root function is on one side of zero or the other, zero being on the negative one. */
int fmr_changed_side(unsigned roots, const double* z_a, const double* z_b);
/* For a step without a change between its ends. *change: a time at which there is one, z_b becoming that of it; NaN if
 * none was found. Nonzero if something could not be evaluated. */
int fmr_look_inside(FmrRootSearch* search, double a, double b, double* change, double* x);
/* Whether some function, that changed from z_before to z_a, would reach zero soon if it went on like that for `ratio`
 * times as long. */
int fmr_heads_for_zero(unsigned roots, const double* z_a, const double* z_before, double ratio);
/* When the first function would be zero if all went on as they did from z_a to z_b, that being the unit of time;
 * infinite: never. */
double fmr_first_zero(unsigned roots, const double* z_a, const double* z_b);

#endif
