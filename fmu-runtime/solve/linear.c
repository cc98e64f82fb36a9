/* Problem: A*x = b, where the model computes the entries of A and b from what is known when the loop's turn comes.
 *
 * Method: LU factors, dense or sparse. They are kept as long as the entries stay what they were: a constant matrix is
 * not even fetched again until parameters change, and of the others the entries are compared, since a matrix that
 * depends on switches only is the same at nearly all calls. One step of iterative refinement is made where factors are
 * sparse, because these prefer few entries to large pivots.
 *
 * A singular matrix is no error if the equations do not contradict each other: two closed switches side by side leave
 * open how a current is shared. The unknowns then change as few as possible of their last values, with a warning.
 *
 * Tangents: A*x = b gives A*dx = db - dA*x with the same factors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/blocks.h"
#include "solve/dense.h"

/* Up to that size a singular matrix is looked at more closely, which takes n^3 operations at every call. */
enum { DEPENDENT_UP_TO = 500 };

static void fill(const FmrLinearBlock* block, const FmrLinearMemory* memory, double* full) {
  size_t n = block->n;
  memset(full, 0, n * n * sizeof *full);
  for (size_t j = 0; j < n; j++) {
    for (unsigned k = block->column_start[j]; k < block->column_start[j + 1]; k++) {
      full[j * n + block->row[k]] += memory->entries[k];
    }
  }
}

/* Factors of the present matrix, which may be there already: 0, k + 1 if column k has no pivot, or
 * FMR_SPARSE_NO_MEMORY. */
static int refresh(FmrData* m, const FmrLinearBlock* block, FmrLinearMemory* memory, double* pivot_value) {
  if (memory->factored && block->constant) return 0;
  block->matrix(m, memory->fresh);
  if (memory->factored && memcmp(memory->fresh, memory->entries, block->entries * sizeof(double)) == 0) return 0;
  memcpy(memory->entries, memory->fresh, block->entries * sizeof(double));
  int lost;
  if (memory->sparse) {
    lost = fmr_sparse_backend->factor(memory->sparse, memory->entries, pivot_value);
  } else {
    fill(block, memory, memory->lu);
    lost = (int)fmr_dense_factor(block->n, memory->lu, memory->row_scale, memory->pivot, pivot_value);
  }
  memory->factored = lost == 0;
  return lost;
}

static void solve_factored(const FmrLinearBlock* block, FmrLinearMemory* memory, double* b) {
  if (memory->sparse) {
    fmr_sparse_backend->solve(memory->sparse, b);
  } else {
    fmr_dense_solve(block->n, memory->lu, memory->row_scale, memory->pivot, b);
  }
}

/* b := b - A*x for the unknowns x in v. */
static void subtract_product(const FmrData* m, const FmrLinearBlock* block, const FmrLinearMemory* memory, double* b) {
  for (unsigned j = 0; j < block->n; j++) {
    double x = m->v[block->unknown[j]];
    for (unsigned k = block->column_start[j]; k < block->column_start[j + 1]; k++) {
      b[block->row[k]] -= memory->entries[k] * x;
    }
  }
}

/* b := a solution of A*x = b if there is one though A is singular: 0 if so. */
static int solve_dependent(const FmrLinearBlock* block, FmrLinearMemory* memory, double* b) {
  size_t n = block->n;
  if (n > DEPENDENT_UP_TO) return 1;
  double* full = malloc(n * n * sizeof *full);
  unsigned* order = malloc(n * sizeof *order);
  int failed = !full || !order;
  if (!failed) {
    fill(block, memory, full);
    failed = fmr_dense_dependent(block->n, full, b, order);
  }
  free(full);
  free(order);
  return failed;
}

/* The loop without factors: solved if it can be, else reported. */
static int solve_singular(FmrData* m, const FmrLinearBlock* block, FmrLinearMemory* memory, int lost,
                          double pivot_value) {
  if (lost == FMR_SPARSE_NO_MEMORY) {
    fmr_report_no_memory(m, "to factor a sparse matrix");
    return 1;
  }
  unsigned column = (unsigned)lost - 1;
  for (unsigned j = 0; j < block->n; j++) {
    if (!isfinite(m->v[block->unknown[j]])) m->v[block->unknown[j]] = 0.0;
  }
  block->right(m, memory->b);
  subtract_product(m, block, memory, memory->b);
  if (!isfinite(pivot_value) || solve_dependent(block, memory, memory->b)) {
    fmr_report_singular(m, block, column, pivot_value);
    return 1;
  }
  for (unsigned j = 0; j < block->n; j++) m->v[block->unknown[j]] += memory->b[j];
  if (!memory->warned) fmr_warn_dependent(m, block, column);
  memory->warned = 1;
  return 0;
}

int fmr_solve_linear(FmrData* m, const FmrLinearBlock* block) {
  FmrLinearMemory* memory = &fmr_host_solve_store(m)->linear[block->index];
  double pivot_value = 0.0, *b = memory->b;
  int lost = refresh(m, block, memory, &pivot_value);
  if (lost) return solve_singular(m, block, memory, lost, pivot_value);
  block->right(m, b);
  solve_factored(block, memory, b);
  for (unsigned j = 0; j < block->n; j++) m->v[block->unknown[j]] = b[j];
  if (!memory->sparse) return 0;
  block->right(m, b); /* reads nothing that has just been written */
  subtract_product(m, block, memory, b);
  solve_factored(block, memory, b);
  for (unsigned j = 0; j < block->n; j++) m->v[block->unknown[j]] += b[j];
  return 0;
}

/* A*dx = b, which is in memory; `lost` is what refresh() said. */
static int solve_tangent(FmrData* m, const FmrLinearBlock* block, FmrLinearMemory* memory, int lost) {
  if (lost > 0) {
    if (solve_dependent(block, memory, memory->b)) return 1;
  } else if (lost == 0) {
    solve_factored(block, memory, memory->b);
  } else {
    return 1;
  }
  for (unsigned j = 0; j < block->n; j++) m->d[block->unknown[j]] = memory->b[j];
  return 0;
}

int fmr_tangent_linear(FmrData* m, const FmrLinearBlock* block) {
  FmrLinearMemory* memory = &fmr_host_solve_store(m)->linear[block->index];
  double pivot_value = 0.0;
  if (!block->tangent_right) return 1;
  const int lost = refresh(m, block, memory, &pivot_value);
  block->tangent_right(m, memory->b);
  return solve_tangent(m, block, memory, lost);
}

int fmr_start_tangent_linear(FmrData* m, const FmrLinearBlock* block) {
  const FmrStartTangents* start = fmr_host_model(m)->start_tangents;
  FmrLinearMemory* memory = &fmr_host_solve_store(m)->linear[block->index];
  double pivot_value = 0.0;
  const int lost = refresh(m, block, memory, &pivot_value);
  if (start->linear[block->index](m, memory->b)) return 1;
  return solve_tangent(m, block, memory, lost);
}
