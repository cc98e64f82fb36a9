/* What the files of solve/ share: the memory of each loop of one instance, and the messages about loops. */
#ifndef FMU_RUNTIME_SOLVE_BLOCKS_H
#define FMU_RUNTIME_SOLVE_BLOCKS_H

#include <stddef.h>

#include "solve/sparse.h"
#include "solve/store.h"

typedef struct FmrLinearMemory {
  int warned;              /* that its equations were dependent once */
  int factored;            /* the factors are those of `entries` */
  double *entries, *fresh; /* of the matrix: factored ones, and those of the call in progress */
  double* b;
  double *lu, *row_scale; /* dense factors; null if sparse */
  unsigned* pivot;
  FmrSparse* sparse; /* null if dense */
} FmrLinearMemory;

/* Solutions are numbered by `solutions`, so that a Jacobian is known to belong to the values at hand. */
typedef struct FmrNonlinearMemory {
  /* Plain numbers, saved with the state of an instance. */
  double* saved;             /* FMR_SAVED_SCALARS, then start, last, before, accepted: n each */
  double* start;             /* values at the first call */
  double* last;              /* the last solution */
  double *accepted, *before; /* solutions at the last two accepted points of an integration */

  unsigned long solutions;
  unsigned long jacobian_of; /* number of the solution at which the factors are exact; 0: none */
  int factored;              /* there are factors, maybe of another point */
  double* jacobian;          /* n*n, column by column; not scaled */
  double *lu, *row_scale;    /* factors of it */
  unsigned* pivot;

  double *x, *residual, *step, *trial, *trial_residual, *weight, *row_weight, *guess, *offset, *tangent; /* n each */
  double* work;                                                                                          /* n*n + n */
} FmrNonlinearMemory;

/* Scalars at the beginning of FmrNonlinearMemory.saved. */
enum {
  FMR_SAVED_KNOWN,
  FMR_SAVED_TIME,
  FMR_SAVED_ACCEPTED,
  FMR_SAVED_TIME_ACCEPTED,
  FMR_SAVED_TIME_BEFORE,
  FMR_SAVED_OUTSIDE, /* 1: the last accepted solution was outside min and max */
  FMR_SAVED_SCALARS
};
/* SAVED_KNOWN: 0 nothing, 1 `start` is there, 2 `last`, too. SAVED_ACCEPTED: how many accepted solutions, up to 2. */

/* Loops can stand in loops; arrays of tangents are needed once for each depth. */
enum { FMR_DEEPEST = 8 };

struct FmrSolveStore {
  const FmrModel* model;
  FmrLinearMemory* linear;
  FmrNonlinearMemory* nonlinear;
  double* tangents[FMR_DEEPEST]; /* as many as there are slots, all zero when not in use; null until needed, but the first */
  unsigned depth;                /* how many of them are in use */
  unsigned trials;               /* > 0: a failure is of a trial point of an outer loop, and no error yet */
};

/* A zero array of tangents in place of m->d; null if memory is short. give_back restores m->d: the caller has cleared
 * what it set. */
double* fmr_take_tangents(FmrData* m, FmrSolveStore* store);
void fmr_give_back_tangents(FmrData* m, FmrSolveStore* store, double* before);

/* ---- messages (report.c) ---- */

void fmr_report_no_memory(const FmrData* m, const char* what);
void fmr_report_singular(const FmrData* m, const FmrLinearBlock* block, unsigned column, double pivot_value);
/* The loop has been solved nevertheless. */
void fmr_warn_dependent(const FmrData* m, const FmrLinearBlock* block, unsigned column);
/* The unknowns and residuals are those in v and `residual`; why: "the residuals are not numbers", ... */
void fmr_report_unsolved(const FmrData* m, const FmrNonlinearBlock* block, const double* residual, const char* why);
/* A solution at an accepted point is outside min and max: names the unknowns that are. */
void fmr_warn_outside(const FmrData* m, const FmrNonlinearBlock* block);
/* A note for those who asked for it. */
void fmr_note_ladder(const FmrData* m, const FmrNonlinearBlock* block, const char* how);

#endif
