/* Sparse LU factors behind a table of functions, so that a library of sparse matrices is linked in only where it is
 * wanted: exactly one of sparse_klu.c and sparse_absent.c (or another like them) is part of a program. */
#ifndef FMU_RUNTIME_SOLVE_SPARSE_H
#define FMU_RUNTIME_SOLVE_SPARSE_H

typedef struct FmrSparse FmrSparse;

enum { FMR_SPARSE_NO_MEMORY = -1 };

typedef struct FmrSparseBackend {
  const char* name;
  /* For matrices with this pattern by columns, without repeated entries. Null if memory is short. */
  FmrSparse* (*create)(unsigned n, const unsigned* column_start, const unsigned* row);
  void (*destroy)(FmrSparse* sparse);
  /* From entries in the order of `row`: 0, k + 1 if column k has no pivot (*pivot_value was found instead), or
   * FMR_SPARSE_NO_MEMORY. The order of elimination found by one call is used by the next as long as it is good. */
  int (*factor)(FmrSparse* sparse, const double* entries, double* pivot_value);
  void (*solve)(FmrSparse* sparse, double* b); /* b := solution; after a factor() that returned 0 */
  void (*forget)(FmrSparse* sparse);           /* the next factor() depends on no call before */
} FmrSparseBackend;

extern const FmrSparseBackend* const fmr_sparse_backend; /* null: none is linked in */

/* From this size on, sparse factors are worth their overhead. */
enum { FMR_SPARSE_FROM = 40 };

#endif
