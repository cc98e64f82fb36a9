/* Whether the order of the BDF is to be limited, found while it runs. */
#ifndef FMU_RUNTIME_INTEGRATE_ORDER_CAP_H
#define FMU_RUNTIME_INTEGRATE_ORDER_CAP_H

typedef struct FmrOrderCap {
  enum { FMR_ORDER_UNKNOWN, FMR_ORDER_FREE, FMR_ORDER_TRIAL, FMR_ORDER_CAPPED } phase;
  double frequency;  /* of the fastest oscillation, in radians by time; 0: the fastest motion is none */
  unsigned steps;    /* of the trial */
  double since;      /* when the pace began to be measured */
} FmrOrderCap;

enum { FMR_ORDER_MOST = 5, FMR_ORDER_LIMIT = 2 };
enum { FMR_ORDER_CAP_FROM = 20 }; /* states: in smaller models the fastest oscillation usually is the one to be seen */

/* Looks at a Jacobian, given by columns. Only the first call does so: later ones return at once. Nonzero
 * if memory is short. */
int fmr_order_cap_look(FmrOrderCap* cap, unsigned n, const unsigned* column_start, const unsigned* row,
                       const double* entries);
/* After a step that ended at t. The largest order from now on, which the method is to be restarted with, or 0: nothing
 * changes. */
int fmr_order_cap_step(FmrOrderCap* cap, double t);
/* The method starts anew, after an event: the largest order from now on. */
int fmr_order_cap_restart(FmrOrderCap* cap);

#endif
