/* The system that IDA integrates, F(t, y, y') = 0, and the pattern of its matrix F_y + c*F_y'. */
#ifndef FMU_RUNTIME_INTEGRATE_IDA_FORM_H
#define FMU_RUNTIME_INTEGRATE_IDA_FORM_H

#include "integrate/method.h"

typedef struct FmrForm {
  FmrRun* run;
  unsigned n, states;           /* unknowns; the first of them are the states */
  int residuals;                /* 1: residuals of the model; 0: rate - x', which every model has */
  unsigned *column_start, *row; /* of the matrix, by columns, without repetitions */
  unsigned* place;              /* by entry of the residual form or of the pattern of rates: where it goes */
  unsigned* diagonal;           /* of rate - x': places of the diagonal */
  double* entries;              /* as the problem computes them */
  double *rate, *work;          /* n each, 2*n */
} FmrForm;

/* 0 if done. */
int fmr_form_new(FmrForm* form, FmrRun* run);
void fmr_form_free(FmrForm* form);
/* All unknowns and their derivatives from the states; derivatives of other unknowns are set to zero. */
int fmr_form_complete(FmrForm* form, double t, const double* x, double* y, double* y_rate);
int fmr_form_residual(FmrForm* form, double t, const double* y, const double* y_rate, double* r);
/* Entries of F_y + c*F_y' in the order of the pattern. */
int fmr_form_matrix(FmrForm* form, double t, double c, const double* y, const double* y_rate, double* matrix);

#endif
