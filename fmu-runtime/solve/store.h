/* Memory of the algebraic loops of one instance: factors of matrices, last solutions. */
#ifndef FMU_RUNTIME_SOLVE_STORE_H
#define FMU_RUNTIME_SOLVE_STORE_H

#include <stddef.h>

#include "instance/host.h"

FmrSolveStore *fmr_solve_store_new(const FmrModel *model);  /* null if memory is short */
void fmr_solve_store_free(FmrSolveStore *store);
void fmr_solve_store_reset(FmrSolveStore *store);           /* as new: no factors, no last solutions */
void fmr_solve_store_parameters_changed(FmrSolveStore *store);  /* constant matrices are to be factored anew */
/* An integration step was accepted at time t: the solutions are the base of extrapolation from now on. */
void fmr_solve_store_accept(FmrSolveStore *store, const FmrData *m);
/* Warns of solutions of the present time that have left min and max since this was last asked. */
void fmr_solve_store_limits(FmrSolveStore *store, const FmrData *m);
void fmr_solve_store_jump(FmrSolveStore *store);            /* an event: extrapolate from nothing before it */

/* A value has turned out to be no number: reports the first loop solved by formulas whose determinant is zero. 0: there
 * is none. */
int fmr_report_formula(FmrData *m);

/* Last solutions as plain numbers, for saved states. */
size_t fmr_solve_store_size(const FmrSolveStore *store);    /* in doubles */
void fmr_solve_store_save(const FmrSolveStore *store, double *to);
void fmr_solve_store_load(FmrSolveStore *store, const double *from);

#endif
