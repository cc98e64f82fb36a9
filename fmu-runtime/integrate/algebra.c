/* Problem: CVODE and IDA form matrices I - gamma*J and c*F' + F of their own kind and want them factored.
 *
 * Method: small matrices are dense, with the solver that comes with SUNDIALS. Large ones are sparse by columns, with a
 * solver of ours that hands the entries to the library of sparse matrices linked in (solve/sparse.h): SUNDIALS itself
 * then needs no such library. Patterns hold the whole diagonal, so that adding the identity changes entries only and
 * keeps their order; the tables of indices, which CVODE clears before it asks for a Jacobian, are copied each time. */
#include "integrate/algebra.h"

#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "solve/sparse.h"

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID solver_id(SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_CUSTOM;
}

static int solver_initialize(SUNLinearSolver solver) {
  (void)solver;
  return SUNLS_SUCCESS;
}

static int solver_setup(SUNLinearSolver solver, SUNMatrix matrix) {
  double pivot_value;
  int failed = fmr_sparse_backend->factor(solver->content, SM_DATA_S(matrix), &pivot_value);
  if (failed == FMR_SPARSE_NO_MEMORY) return SUNLS_MEM_FAIL;
  return failed ? SUNLS_LUFACT_FAIL : SUNLS_SUCCESS; /* positive: another step size may help */
}

static int solver_solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tolerance) {
  (void)matrix;
  (void)tolerance;
  N_VScale(1.0, b, x);
  fmr_sparse_backend->solve(solver->content, N_VGetArrayPointer(x));
  return SUNLS_SUCCESS;
}

static int solver_free(SUNLinearSolver solver) {
  if (!solver) return SUNLS_SUCCESS;
  if (solver->content) fmr_sparse_backend->destroy(solver->content);
  solver->content = NULL;
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

static SUNLinearSolver new_sparse_solver(const FmrAlgebra* algebra, SUNContext context) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  if (!solver) return NULL;
  solver->ops->gettype = solver_type;
  solver->ops->getid = solver_id;
  solver->ops->initialize = solver_initialize;
  solver->ops->setup = solver_setup;
  solver->ops->solve = solver_solve;
  solver->ops->free = solver_free;
  solver->content = fmr_sparse_backend->create(algebra->n, algebra->column_start, algebra->row);
  if (solver->content) return solver;
  solver_free(solver);
  return NULL;
}

static int is_sparse(unsigned n, const unsigned* column_start, int wanted) {
  return wanted && column_start && fmr_sparse_backend && n >= FMR_SPARSE_FROM;
}

/* More than enough: vectors of a method of order 12 with its solvers, matrix and copy, and everything whose size does
 * not depend on the model. */
enum { VECTORS_MOST = 48, BESIDE_VECTOR = 1024, BESIDE_ALL = 1 << 16, MATRICES_MOST = 3 };

int fmr_algebra_no_room(unsigned n, const unsigned* column_start, int sparse_wanted) {
  const size_t entry = sizeof(realtype) + sizeof(sunindextype);
  const size_t matrix = is_sparse(n, column_start, sparse_wanted) ? ((size_t)column_start[n] + n + 1) * entry
                                                                  : ((size_t)n + 1) * n * entry;
  void* room =
      malloc(BESIDE_ALL + VECTORS_MOST * (BESIDE_VECTOR + n * sizeof(realtype)) + MATRICES_MOST * matrix);
  const int none = !room;
  free(room);
  return none;
}

int fmr_algebra_new(FmrAlgebra* algebra, unsigned n, const unsigned* column_start, const unsigned* row,
                    int sparse_wanted, N_Vector like, SUNContext context) {
  memset(algebra, 0, sizeof *algebra);
  algebra->n = n;
  algebra->column_start = column_start;
  algebra->row = row;
  algebra->sparse = is_sparse(n, column_start, sparse_wanted);
  if (column_start) {
    algebra->entries = calloc((size_t)column_start[n] + 1, sizeof(double));
    if (!algebra->entries) return 1;
  }
  if (algebra->sparse) {
    algebra->matrix =
        SUNSparseMatrix((sunindextype)n, (sunindextype)n, (sunindextype)column_start[n], CSC_MAT, context);
    algebra->solver = new_sparse_solver(algebra, context);
  } else {
    algebra->matrix = SUNDenseMatrix((sunindextype)n, (sunindextype)n, context);
    algebra->solver = algebra->matrix ? SUNLinSol_Dense(like, algebra->matrix, context) : NULL;
  }
  return !algebra->matrix || !algebra->solver;
}

void fmr_algebra_free(FmrAlgebra* algebra) {
  if (algebra->solver) SUNLinSolFree(algebra->solver);
  if (algebra->matrix) SUNMatDestroy(algebra->matrix);
  free(algebra->entries);
  memset(algebra, 0, sizeof *algebra);
}

void fmr_algebra_fill(const FmrAlgebra* algebra, const double* entries, SUNMatrix to) {
  size_t n = algebra->n;
  if (algebra->sparse) {
    for (size_t j = 0; j <= n; j++) SM_INDEXPTRS_S(to)[j] = (sunindextype)algebra->column_start[j];
    for (size_t k = 0; k < algebra->column_start[n]; k++) SM_INDEXVALS_S(to)[k] = (sunindextype)algebra->row[k];
    memcpy(SM_DATA_S(to), entries, algebra->column_start[n] * sizeof *entries);
  } else if (algebra->column_start) {
    double* full = SM_DATA_D(to);
    memset(full, 0, n * n * sizeof *full);
    for (size_t j = 0; j < n; j++) {
      for (size_t k = algebra->column_start[j]; k < algebra->column_start[j + 1]; k++) {
        full[j * n + algebra->row[k]] += entries[k];
      }
    }
  } else {
    memcpy(SM_DATA_D(to), entries, n * n * sizeof *entries);
  }
}
