/* Problem: solve A*x = b for the small full matrices of algebraic loops and Jacobians, and say which unknown is to
 * blame if that is impossible.
 *
 * Method: Gaussian elimination with partial pivoting. Equations of a loop come in any units (a current balance in
 * amperes beside a voltage balance in kilovolts), so rows are scaled first to a largest entry between 1/2 and 1; powers
 * of two, so that scaling adds no rounding error. A column whose candidates have all been cancelled down to the
 * rounding errors of the entries it had before the elimination has no pivot: its unknown could be anything.
 *
 *     2 4      scaled  1/4 1/2     column 0: pivot 1/4 in row 0
 *     4 8              1/4 1/2     column 1: 1/2 - (1/4)/(1/4)*1/2 = 0: no pivot, the answer is 1 + 1
 *
 * Reference: Golub, Van Loan: Matrix Computations, 3.4 (pivoting) and 3.5.2 (row equilibration). */
#include "solve/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Cancellation leaves errors of about the unit roundoff for every subtraction, of which a pivot sees up to n; 4 is room
 * for their growth. */
static double lost_below(unsigned n) { return 4.0 * DBL_EPSILON * (1.0 + 0.1 * n); }

/* Of the right side: what may be left where equations are dependent. */
static const double CONSISTENT = 1e-10;

static void scale_rows(unsigned n, double* a, double* row_scale) {
  for (unsigned i = 0; i < n; i++) row_scale[i] = 0.0;
  for (unsigned j = 0; j < n; j++) {
    for (unsigned i = 0; i < n; i++) row_scale[i] = fmax(row_scale[i], fabs(a[(size_t)j * n + i]));
  }
  for (unsigned i = 0; i < n; i++) {
    int exponent = 0;
    if (row_scale[i] > 0.0 && row_scale[i] <= DBL_MAX) frexp(row_scale[i], &exponent);
    row_scale[i] = ldexp(1.0, -exponent < 1000 ? -exponent : 1000);
  }
  for (unsigned j = 0; j < n; j++) {
    for (unsigned i = 0; i < n; i++) a[(size_t)j * n + i] *= row_scale[i];
  }
}

static void swap_rows(unsigned n, double* a, unsigned i, unsigned k) {
  for (unsigned j = 0; j < n; j++) {
    double keep = a[(size_t)j * n + i];
    a[(size_t)j * n + i] = a[(size_t)j * n + k];
    a[(size_t)j * n + k] = keep;
  }
}

/* Columns are eliminated one after the other (left-looking), so that the entries a column had before are known when its
 * pivot is judged. */
unsigned fmr_dense_factor(unsigned n, double* a, double* row_scale, unsigned* pivot, double* pivot_value) {
  scale_rows(n, a, row_scale);
  for (unsigned k = 0; k < n; k++) {
    double* column = a + (size_t)k * n;
    double before = 0.0;
    for (unsigned i = 0; i < n; i++) before = fmax(before, fabs(column[i]));
    for (unsigned j = 0; j < k; j++) {
      const double* left = a + (size_t)j * n;
      double factor = column[j];
      if (factor == 0.0) continue;
      before = fmax(before, fabs(factor));
      for (unsigned i = j + 1; i < n; i++) column[i] -= left[i] * factor;
    }
    unsigned best = k;
    for (unsigned i = k + 1; i < n; i++) {
      if (fabs(column[i]) > fabs(column[best])) best = i;
    }
    if (!(fabs(column[best]) > lost_below(n) * before) || !isfinite(column[best])) { /* also if it is not a number */
      *pivot_value = column[best];
      return k + 1;
    }
    pivot[k] = best;
    if (best != k) swap_rows(n, a, best, k);
    double inverse = 1.0 / column[k];
    for (unsigned i = k + 1; i < n; i++) column[i] *= inverse;
  }
  *pivot_value = 1.0;
  return 0;
}

void fmr_dense_solve(unsigned n, const double* a, const double* row_scale, const unsigned* pivot, double* b) {
  for (unsigned i = 0; i < n; i++) b[i] *= row_scale[i];
  for (unsigned k = 0; k < n; k++) {
    double keep = b[pivot[k]];
    b[pivot[k]] = b[k];
    b[k] = keep;
  }
  for (unsigned k = 0; k < n; k++) {
    const double* column = a + (size_t)k * n;
    double value = b[k];
    if (value == 0.0) continue;
    for (unsigned i = k + 1; i < n; i++) b[i] -= column[i] * value;
  }
  for (unsigned k = n; k-- > 0;) {
    const double* column = a + (size_t)k * n;
    double value = b[k] / column[k];
    b[k] = value;
    if (value == 0.0) continue;
    for (unsigned i = 0; i < k; i++) b[i] -= column[i] * value;
  }
}

/* The largest entry of what is left to eliminate, by row and column; its size. */
static double largest_left(unsigned n, const double* a, unsigned k, unsigned* row, unsigned* column) {
  double most = 0.0;
  for (unsigned j = k; j < n; j++) {
    for (unsigned i = k; i < n; i++) {
      if (!(fabs(a[(size_t)j * n + i]) > most)) continue;
      most = fabs(a[(size_t)j * n + i]);
      *row = i;
      *column = j;
    }
  }
  return most;
}

static void swap_columns(unsigned n, double* a, unsigned j, unsigned k) {
  for (unsigned i = 0; i < n; i++) {
    double keep = a[(size_t)j * n + i];
    a[(size_t)j * n + i] = a[(size_t)k * n + i];
    a[(size_t)k * n + i] = keep;
  }
}

/* Elimination with the largest of all entries as pivot, until nothing but rounding errors is left. The equations left
 * then say 0 = b: they must. Unknowns left are free, and zero. */
int fmr_dense_dependent(unsigned n, double* a, double* b, unsigned* order) {
  double size = 0.0;
  for (unsigned i = 0; i < n; i++) {
    double most = 0.0;
    for (unsigned j = 0; j < n; j++) most = fmax(most, fabs(a[(size_t)j * n + i]));
    if (!isfinite(b[i]) || !isfinite(most)) return 1;
    for (unsigned j = 0; j < n && most > 0.0; j++) a[(size_t)j * n + i] /= most;
    if (most > 0.0) b[i] /= most;
    size = fmax(size, fabs(b[i]));
    order[i] = i;
  }
  unsigned rank = 0, row = 0, column = 0;
  for (; rank < n && largest_left(n, a, rank, &row, &column) > 16.0 * lost_below(n); rank++) {
    swap_rows(n, a, row, rank);
    swap_columns(n, a, column, rank);
    double keep = b[row];
    b[row] = b[rank];
    b[rank] = keep;
    unsigned unknown = order[column];
    order[column] = order[rank];
    order[rank] = unknown;
    const double* pivot_column = a + (size_t)rank * n;
    for (unsigned j = rank + 1; j < n; j++) {
      double factor = a[(size_t)j * n + rank] / pivot_column[rank];
      for (unsigned i = rank + 1; i < n && factor != 0.0; i++) a[(size_t)j * n + i] -= pivot_column[i] * factor;
    }
    for (unsigned i = rank + 1; i < n; i++) b[i] -= pivot_column[i] * (b[rank] / pivot_column[rank]);
  }
  for (unsigned i = rank; i < n; i++) {
    if (fabs(b[i]) > CONSISTENT * size) return 1;
    b[i] = 0.0;
  }
  for (unsigned k = rank; k-- > 0;) {
    for (unsigned j = k + 1; j < rank; j++) b[k] -= a[(size_t)j * n + k] * b[j];
    b[k] /= a[(size_t)k * n + k];
  }
  for (unsigned k = 0; k < n; k++) { /* back to the order of the unknowns, one cycle of the permutation after another */
    while (order[k] != k) {
      unsigned to = order[k], unknown = order[to];
      double value = b[to];
      b[to] = b[k];
      b[k] = value;
      order[to] = to;
      order[k] = unknown;
    }
  }
  return 0;
}

/* Normal equations (A'A + penalty*I)*x = A'b by Cholesky's method: they square the condition, which is harmless where
 * the penalty dominates what is lost by that. */
int fmr_dense_regularized(unsigned n, const double* a, double penalty, double* b, double* work) {
  double *c = work, *x = work + (size_t)n * n;
  for (unsigned j = 0; j < n; j++) {
    const double* right = a + (size_t)j * n;
    x[j] = 0.0;
    for (unsigned k = 0; k < n; k++) x[j] += right[k] * b[k];
    for (unsigned i = j; i < n; i++) {
      const double* left = a + (size_t)i * n;
      double sum = i == j ? penalty : 0.0;
      for (unsigned k = 0; k < n; k++) sum += left[k] * right[k];
      c[(size_t)j * n + i] = sum;
    }
  }
  for (unsigned j = 0; j < n; j++) {
    for (unsigned k = 0; k < j; k++) {
      double factor = c[(size_t)k * n + j];
      for (unsigned i = j; i < n; i++) c[(size_t)j * n + i] -= c[(size_t)k * n + i] * factor;
    }
    double root = sqrt(c[(size_t)j * n + j]);
    if (!(root > 0.0) || !isfinite(root)) return 1;
    for (unsigned i = j; i < n; i++) c[(size_t)j * n + i] /= root;
  }
  for (unsigned j = 0; j < n; j++) {
    x[j] /= c[(size_t)j * n + j];
    for (unsigned i = j + 1; i < n; i++) x[i] -= c[(size_t)j * n + i] * x[j];
  }
  for (unsigned j = n; j-- > 0;) {
    for (unsigned i = j + 1; i < n; i++) x[j] -= c[(size_t)j * n + i] * x[i];
    x[j] /= c[(size_t)j * n + j];
  }
  memcpy(b, x, n * sizeof *b);
  return 0;
}
