/* Co-Simulation: an instance with an integrator of its own. */
#ifndef FMU_RUNTIME_COSIM_COSIM_H
#define FMU_RUNTIME_COSIM_COSIM_H

#include "instance/instance.h"
#include "integrate/integrator.h"

typedef struct FmrCosim {
  FmrInstance* instance;
  FmrIntegrator* integrator;                    /* null: not made yet */
  FmrIntegratorOptions options;                 /* it was made with */
  int wants_event;                              /* an accepted step asked for one */
  double accepted;                              /* where the last step was accepted; NaN: nowhere */
  char cause[sizeof((FmrInstance*)0)->failure]; /* of the last point of this advance that had no values; or empty */
  double* x;                                    /* states, at least one number */
  /* columns of the Jacobian by colour */
  FmrSlot* seed_slot; /* states of the first colour, then those of the second, ... */
  unsigned* seed_column;
  unsigned* colour_begin; /* colours + 1 */
  double* ones;
} FmrCosim;

FmrCosim* fmr_cosim_new(FmrInstance* instance); /* null if memory is short */
void fmr_cosim_free(FmrCosim* cosim);           /* null is fine; the instance stays */
/* Forgets the integrator: options, states or time are others now. */
void fmr_cosim_reset(FmrCosim* cosim);

typedef enum FmrStepResult {
  FMR_STEP_DONE,  /* time is exactly the end */
  FMR_STEP_ENDED, /* the model ended the simulation, at or before the end */
  FMR_STEP_FAILED /* it could not go on; fmr_failure() says why; time is how far it came */
} FmrStepResult;

/* From the present time to `end`, with all events on the way and at the end. */
FmrStepResult fmr_cosim_step(FmrCosim* cosim, double end);

/* The derivative of an input by time, order 1 to FMR_INPUT_ORDERS, at the beginning of the next step and for that step
 * alone. */
void fmr_cosim_set_input_rate(FmrCosim* cosim, unsigned input, unsigned order, double value);

/* Says how many steps and evaluations the integrator took since it was made. */
void fmr_cosim_note_statistics(const FmrCosim* cosim);

/* problem.c: the model as integrators see it. */
void fmr_cosim_problem(FmrCosim* cosim, FmrProblem* problem);
/* Brings the instance to a point; nonzero if it cannot be evaluated there. */
int fmr_cosim_at(FmrInstance* instance, double t, const double* x);

#endif
