/* Problem: factor large sparse matrices of the same pattern again and again.
 *
 * Method: KLU. The order of elimination (block triangular form, then AMD in each block) is found once for a pattern.
 * Later matrices are factored in the order of pivots found by the last full factorization, which is several times
 * faster but takes pivots as they come: if entries of the factors grow far beyond those of the matrix, a full
 * factorization with new pivots follows. KLU itself calls a matrix singular only if a pivot is exactly zero; pivots
 * that are nothing but rounding errors are found by comparing with the largest.
 *
 * Reference: Davis, Palamadai Natarajan: Algorithm 907, KLU, a direct sparse solver for circuit simulation problems,
 * ACM TOMS 37 (2010). */
#include <float.h>
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/sparse.h"

/* Least ratio of entries before and after the elimination that is no reason to look for new pivots. */
static const double GROWTH_LIMIT = 1e-4;
/* Smallest pivot by largest pivot of a matrix with scaled rows below which the smallest is a rounding error. */
static const double LOST_BELOW = 4.0 * DBL_EPSILON;

struct FmrSparse {
  unsigned n;
  int *column_start, *row;
  double* entries;
  klu_common common;
  klu_symbolic* symbolic;
  klu_numeric* numeric;
};

static void klu_destroy(FmrSparse* sparse) {
  if (!sparse) return;
  klu_free_numeric(&sparse->numeric, &sparse->common);
  klu_free_symbolic(&sparse->symbolic, &sparse->common);
  free(sparse->column_start);
  free(sparse->row);
  free(sparse->entries);
  free(sparse);
}

static FmrSparse* klu_create(unsigned n, const unsigned* column_start, const unsigned* row) {
  FmrSparse* sparse = calloc(1, sizeof *sparse);
  if (!sparse) return NULL;
  size_t entries = column_start[n];
  sparse->n = n;
  sparse->column_start = malloc((n + 1) * sizeof *sparse->column_start);
  sparse->row = malloc((entries + 1) * sizeof *sparse->row);
  sparse->entries = malloc((entries + 1) * sizeof *sparse->entries);
  if (!klu_defaults(&sparse->common) || !sparse->column_start || !sparse->row || !sparse->entries) {
    klu_destroy(sparse);
    return NULL;
  }
  for (unsigned j = 0; j <= n; j++) sparse->column_start[j] = (int)column_start[j];
  for (size_t k = 0; k < entries; k++) sparse->row[k] = (int)row[k];
  sparse->symbolic = klu_analyze((int)n, sparse->column_start, sparse->row, &sparse->common);
  /* A structurally singular matrix is analyzed, too, and found singular when it is factored. */
  if (!sparse->symbolic) {
    klu_destroy(sparse);
    return NULL;
  }
  return sparse;
}

/* The column of the smallest pivot if that is nothing but a rounding error. */
static int lost_column(FmrSparse* sparse, double* pivot_value) {
  const double* diagonal = sparse->numeric->Udiag;
  unsigned least = 0;
  double most = 0.0;
  for (unsigned k = 0; k < sparse->n; k++) {
    if (!isfinite(diagonal[k])) {
      *pivot_value = diagonal[k];
      return sparse->symbolic->Q[k] + 1;
    }
    if (fabs(diagonal[k]) < fabs(diagonal[least])) least = k;
    if (fabs(diagonal[k]) > most) most = fabs(diagonal[k]);
  }
  if (fabs(diagonal[least]) > LOST_BELOW * most) return 0;
  *pivot_value = diagonal[least];
  return sparse->symbolic->Q[least] + 1;
}

/* 1 if the pivots of the last full factorization serve these entries. */
static int refactor(FmrSparse* sparse) {
  klu_common* common = &sparse->common;
  if (!sparse->numeric) return 0;
  if (!klu_refactor(sparse->column_start, sparse->row, sparse->entries, sparse->symbolic, sparse->numeric, common)) {
    return 0;
  }
  if (common->status == KLU_SINGULAR) return 0;
  if (!klu_rgrowth(sparse->column_start, sparse->row, sparse->entries, sparse->symbolic, sparse->numeric, common)) {
    return 0;
  }
  return common->rgrowth > GROWTH_LIMIT;
}

static int klu_factor_entries(FmrSparse* sparse, const double* entries, double* pivot_value) {
  klu_common* common = &sparse->common;
  memcpy(sparse->entries, entries, (size_t)sparse->column_start[sparse->n] * sizeof *entries);
  if (!refactor(sparse)) {
    klu_free_numeric(&sparse->numeric, common);
    sparse->numeric = klu_factor(sparse->column_start, sparse->row, sparse->entries, sparse->symbolic, common);
    if (common->status == KLU_SINGULAR) {
      *pivot_value = 0.0;
      return common->singular_col >= 0 && common->singular_col < (int)sparse->n ? common->singular_col + 1 : 1;
    }
    if (!sparse->numeric) return FMR_SPARSE_NO_MEMORY;
  }
  int lost = lost_column(sparse, pivot_value);
  if (lost) klu_free_numeric(&sparse->numeric, common);
  return lost;
}

static void klu_solve_in_place(FmrSparse* sparse, double* b) {
  if (sparse->numeric) klu_solve(sparse->symbolic, sparse->numeric, (int)sparse->n, 1, b, &sparse->common);
}

static void klu_forget(FmrSparse* sparse) { klu_free_numeric(&sparse->numeric, &sparse->common); }

static const FmrSparseBackend klu_backend = {"KLU",      klu_create, klu_destroy, klu_factor_entries, klu_solve_in_place,
                                             klu_forget};
const FmrSparseBackend* const fmr_sparse_backend = &klu_backend;
