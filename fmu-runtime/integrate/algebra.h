/* Linear algebra of CVODE and IDA: a matrix of theirs, dense or sparse, with a solver. */
#ifndef FMU_RUNTIME_INTEGRATE_ALGEBRA_H
#define FMU_RUNTIME_INTEGRATE_ALGEBRA_H

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nvector.h>

/* The pattern by columns is null for full matrices; it lives as long as this does. */
typedef struct FmrAlgebra {
  unsigned n;
  const unsigned *column_start, *row;
  int sparse;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  double* entries; /* room for those of the pattern; null for full matrices */
} FmrAlgebra;

/* Nonzero if there is not as much memory as SUNDIALS takes to make a method for n unknowns with this pattern. To be asked
 * before, since SUNDIALS does not survive an allocation that fails. */
int fmr_algebra_no_room(unsigned n, const unsigned* column_start, int sparse_wanted);

/* Sparse if wanted, if a library for it is linked in, and if the size makes it worth while. `like` is a vector of the
 * kind in use. 0 if done. */
int fmr_algebra_new(FmrAlgebra* algebra, unsigned n, const unsigned* column_start, const unsigned* row,
                    int sparse_wanted, N_Vector like, SUNContext context);
void fmr_algebra_free(FmrAlgebra* algebra);

/* `to` := the matrix with these entries of the pattern; where the pattern is null, full columns. */
void fmr_algebra_fill(const FmrAlgebra* algebra, const double* entries, SUNMatrix to);

#endif
