/* Dense LU factors of small matrices, stored column by column. */
#ifndef FMU_RUNTIME_SOLVE_DENSE_H
#define FMU_RUNTIME_SOLVE_DENSE_H

/* Replaces a (n*n) by factors of R*A, R a diagonal of powers of two that is left in row_scale, with the order of the
 * rows in pivot (n each). Returns 0, or k + 1 if column k, counted from 0, has no pivot: the columns up to k are
 * linearly dependent as far as rounding lets us see. *pivot_value is then what was found instead of a pivot. */
unsigned fmr_dense_factor(unsigned n, double* a, double* row_scale, unsigned* pivot, double* pivot_value);

/* b := solution of A*x = b. */
void fmr_dense_solve(unsigned n, const double* a, const double* row_scale, const unsigned* pivot, double* b);

/* A dependent system: b := one of the solutions of A*x = b, the one that is zero in as many unknowns as are free. a is
 * destroyed; order has n entries. Returns 0, or 1 if there is none, as far as rounding lets us see. */
int fmr_dense_dependent(unsigned n, double* a, double* b, unsigned* order);

/* Solves A*x = b in the sense of least squares with a penalty: minimizes |A*x - b|^2 + penalty*|x|^2. Needs no regular
 * A. b is replaced by x; work has n*n + n numbers. Returns 0 if done. */
int fmr_dense_regularized(unsigned n, const double* a, double penalty, double* b, double* work);

#endif
