/* Integrators behind one interface: CVODE (BDF, Adams), IDA, Dormand-Prince 4/5, Euler, Heun, Runge-Kutta 4.
 *
 * An integrator advances x from t to a given time, or to just behind the first sign change of a root function on the
 * way. It knows nothing of FMI or of models: the functions of FmrProblem are all it calls. Functions return 0, a
 * positive number if another, nearer point may succeed, or a negative number if nothing helps. */
#ifndef FMU_RUNTIME_INTEGRATE_INTEGRATOR_H
#define FMU_RUNTIME_INTEGRATE_INTEGRATOR_H

#include "fmu_runtime/model_interface.h"

typedef struct FmrProblem {
  unsigned n;
  int (*rates)(void *who, double t, const double *x, double *rate);
  /* Entries of d(rate)/d(x) in the order of `pattern`, or column by column if pattern is null. Null: differences. */
  int (*jacobian)(void *who, double t, const double *x, const double *rate, double *entries);
  const FmrPattern *pattern;
  unsigned roots;
  int (*root)(void *who, double t, const double *x, double *z);
  const double *nominal;         /* of x; null: all 1 */
  const char *const *name;       /* of x, for messages; null: numbers do */
  int may_overshoot;             /* rates beyond the end of an advance may be evaluated: nothing changes there */
  int sparse;                    /* sparse linear algebra is wanted */
  /* Residual form, for IDA: y has n_residual unknowns, the states first. Null: not there. */
  const FmrResidualForm *residual_form;
  int (*residual)(void *who, double t, const double *y, const double *state_rate, double *r);
  int (*residual_jacobian)(void *who, double t, const double *y, const double *state_rate, double *entries);
  int (*algebraic)(void *who, double t, const double *x, double *y, double *state_rate);  /* all of y from the states */
  void (*message)(void *who, const char *text);  /* what the integrator wants to say; may be called at any time */
  void (*note)(void *who, const char *text);     /* a choice it has made, for those who ask; or null */
  /* After every accepted step whose end is not beyond the end of the advance, with the point that was reached, before
   * roots of later steps are looked for. Nonzero: stop here, advance() returns FMR_ROOT with this point. Null: nobody
   * asks. It may call what the functions above call. */
  int (*accepted)(void *who, double t, const double *x);
  void *who;
} FmrProblem;

typedef struct FmrIntegratorOptions {
  FmrSolver method;              /* not AUTO */
  double tolerance;              /* relative; absolute is tolerance*nominal */
  double fixed_step;             /* of the fixed-step methods; 0: chosen from the length of the first advance */
  double largest_step;           /* 0: none */
  unsigned most_steps;           /* in one advance; 0: a large default */
} FmrIntegratorOptions;

typedef enum FmrAdvance {
  FMR_REACHED,                   /* t is exactly the end */
  FMR_ROOT,                      /* t is just behind a sign change of a root */
  FMR_STUCK                      /* t and x are those of the last point that was reached; why was given to message() */
} FmrAdvance;

typedef struct FmrIntegrator FmrIntegrator;

/* Whether this FMU has the method. */
int fmr_integrator_linked(const FmrProblem *problem, const FmrIntegratorOptions *options);
/* Null if memory is short or the method is not linked in. `problem` is copied. */
FmrIntegrator *fmr_integrator_new(const FmrProblem *problem, const FmrIntegratorOptions *options);
void fmr_integrator_free(FmrIntegrator *integrator);

/* From here on, with no memory of what was before: at the beginning, and after x or the rates jumped. Step size hints
 * of the past are kept where they help. 0 if done. */
int fmr_integrator_restart(FmrIntegrator *integrator, double t, const double *x);

/* To `end` or to the first root. On return *t and x are the point reached; problem.rates has been called there last. */
FmrAdvance fmr_integrator_advance(FmrIntegrator *integrator, double end, double *t, double *x);

typedef struct FmrIntegratorStatistics {
  unsigned long steps, rejected, rates, jacobians, roots;
} FmrIntegratorStatistics;
void fmr_integrator_statistics(const FmrIntegrator *integrator, FmrIntegratorStatistics *statistics);

/* Time step that the last accepted step had; 0 if none. */
double fmr_integrator_last_step(const FmrIntegrator *integrator);

#endif
