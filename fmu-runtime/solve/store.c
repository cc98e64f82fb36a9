/* Memory of the algebraic loops of one instance. It is allocated at the beginning: solving allocates nothing but what a
 * library of sparse matrices needs, and tangents of loops within loops, without which differences are taken.
 *
 * Of a nonlinear loop, three kinds of solutions are remembered: where it began (`start`), the last one found (`last`),
 * and those at the last two accepted points of an integration, from which a good guess is extrapolated. They are plain
 * numbers in one array, so that saving the state of an instance is copying it. */
#include "solve/store.h"

#include <stdlib.h>
#include <string.h>

#include "solve/blocks.h"

static int wants_sparse(const FmrModel* model, const FmrLinearBlock* block) {
  return fmr_sparse_backend && model->sparse && block->n >= FMR_SPARSE_FROM;
}

static int new_linear(const FmrModel* model, const FmrLinearBlock* block, FmrLinearMemory* memory) {
  size_t n = block->n;
  memory->entries = calloc(block->entries + 1, sizeof(double));
  memory->fresh = calloc(block->entries + 1, sizeof(double));
  memory->b = calloc(n + 1, sizeof(double));
  if (!memory->entries || !memory->fresh || !memory->b) return 0;
  if (wants_sparse(model, block)) {
    memory->sparse = fmr_sparse_backend->create(block->n, block->column_start, block->row);
    return memory->sparse != NULL;
  }
  memory->lu = calloc(n * n + 1, sizeof(double));
  memory->row_scale = calloc(n + 1, sizeof(double));
  memory->pivot = calloc(n + 1, sizeof(unsigned));
  return memory->lu && memory->row_scale && memory->pivot;
}

static void free_linear(FmrLinearMemory* memory) {
  free(memory->entries);
  free(memory->fresh);
  free(memory->b);
  free(memory->lu);
  free(memory->row_scale);
  free(memory->pivot);
  if (memory->sparse) fmr_sparse_backend->destroy(memory->sparse);
}

static size_t saved_size(const FmrNonlinearBlock* block) { return FMR_SAVED_SCALARS + 4 * (size_t)block->n; }

static int new_nonlinear(const FmrNonlinearBlock* block, FmrNonlinearMemory* memory) {
  size_t n = block->n;
  memory->saved = calloc(saved_size(block), sizeof(double));
  memory->jacobian = calloc(n * n + 1, sizeof(double));
  memory->lu = calloc(n * n + 1, sizeof(double));
  memory->work = calloc(n * n + n + 1, sizeof(double));
  memory->pivot = calloc(n + 1, sizeof(unsigned));
  double* vectors = calloc(11 * n + 1, sizeof(double));
  memory->x = vectors;
  if (!memory->saved || !memory->jacobian || !memory->lu || !memory->work || !memory->pivot || !vectors) return 0;
  double** vector[] = {&memory->x,        &memory->residual,   &memory->step,  &memory->trial,  &memory->trial_residual,
                       &memory->weight,   &memory->row_weight, &memory->guess, &memory->offset, &memory->tangent,
                       &memory->row_scale};
  for (size_t k = 0; k < sizeof vector / sizeof vector[0]; k++) *vector[k] = vectors + k * n;
  double* solutions = memory->saved + FMR_SAVED_SCALARS;
  memory->start = solutions;
  memory->last = solutions + n;
  memory->before = solutions + 2 * n;
  memory->accepted = solutions + 3 * n;
  return 1;
}

static void free_nonlinear(FmrNonlinearMemory* memory) {
  free(memory->saved);
  free(memory->jacobian);
  free(memory->lu);
  free(memory->work);
  free(memory->pivot);
  free(memory->x);
}

FmrSolveStore* fmr_solve_store_new(const FmrModel* model) {
  FmrSolveStore* store = calloc(1, sizeof *store);
  if (!store) return NULL;
  store->model = model;
  store->linear = calloc(model->linear_blocks + 1, sizeof *store->linear);
  store->nonlinear = calloc(model->nonlinear_blocks + 1, sizeof *store->nonlinear);
  int complete = store->linear && store->nonlinear;
  for (unsigned k = 0; complete && k < model->linear_blocks; k++) {
    complete = new_linear(model, model->linear[k], &store->linear[k]);
  }
  for (unsigned k = 0; complete && k < model->nonlinear_blocks; k++) {
    complete = new_nonlinear(model->nonlinear[k], &store->nonlinear[k]);
  }
  if (complete && model->nonlinear_blocks) {
    store->tangents[0] = calloc(model->values + 1, sizeof(double));
    complete = store->tangents[0] != NULL;
  }
  if (complete) return store;
  fmr_solve_store_free(store);
  return NULL;
}

void fmr_solve_store_free(FmrSolveStore* store) {
  if (!store) return;
  for (unsigned k = 0; store->linear && k < store->model->linear_blocks; k++) free_linear(&store->linear[k]);
  for (unsigned k = 0; store->nonlinear && k < store->model->nonlinear_blocks; k++) {
    free_nonlinear(&store->nonlinear[k]);
  }
  for (unsigned k = 0; k < FMR_DEEPEST; k++) free(store->tangents[k]);
  free(store->linear);
  free(store->nonlinear);
  free(store);
}

/* Pivots found for other entries would give other rounding errors. */
static void forget_factors(FmrSolveStore* store) {
  fmr_solve_store_parameters_changed(store);
  for (unsigned k = 0; k < store->model->linear_blocks; k++) {
    if (store->linear[k].sparse) fmr_sparse_backend->forget(store->linear[k].sparse);
  }
}

void fmr_solve_store_reset(FmrSolveStore* store) {
  forget_factors(store);
  for (unsigned k = 0; k < store->model->linear_blocks; k++) store->linear[k].warned = 0;
  for (unsigned k = 0; k < store->model->nonlinear_blocks; k++) {
    FmrNonlinearMemory* memory = &store->nonlinear[k];
    memset(memory->saved, 0, saved_size(store->model->nonlinear[k]) * sizeof(double));
    memory->factored = 0;
    memory->jacobian_of = 0;
  }
}

void fmr_solve_store_parameters_changed(FmrSolveStore* store) {
  for (unsigned k = 0; k < store->model->linear_blocks; k++) store->linear[k].factored = 0;
}

/* Once for every time that a solution leaves min and max. */
static void watch_limits(const FmrData* m, const FmrNonlinearBlock* block, double* was_outside) {
  double outside = 0.0;
  for (unsigned j = 0; j < block->n; j++) {
    const double x = m->v[block->unknown[j]];
    if ((block->min && x < block->min[j]) || (block->max && x > block->max[j])) outside = 1.0;
  }
  if (outside > *was_outside) fmr_warn_outside(m, block);
  *was_outside = outside;
}

void fmr_solve_store_limits(FmrSolveStore* store, const FmrData* m) {
  for (unsigned k = 0; k < store->model->nonlinear_blocks; k++) {
    const FmrNonlinearBlock* block = store->model->nonlinear[k];
    double* saved = store->nonlinear[k].saved;
    if ((!block->min && !block->max) || saved[FMR_SAVED_KNOWN] < 2.0 || saved[FMR_SAVED_TIME] != m->v[0]) continue;
    watch_limits(m, block, &saved[FMR_SAVED_OUTSIDE]);
  }
}

void fmr_solve_store_accept(FmrSolveStore* store, const FmrData* m) {
  fmr_solve_store_limits(store, m);
  for (unsigned k = 0; k < store->model->nonlinear_blocks; k++) {
    const FmrNonlinearBlock* block = store->model->nonlinear[k];
    FmrNonlinearMemory* memory = &store->nonlinear[k];
    double* saved = memory->saved;
    if (saved[FMR_SAVED_KNOWN] < 2.0) continue;
    if (saved[FMR_SAVED_ACCEPTED] > 0.0 && m->v[0] > saved[FMR_SAVED_TIME_ACCEPTED]) {
      memcpy(memory->before, memory->accepted, block->n * sizeof(double));
      saved[FMR_SAVED_TIME_BEFORE] = saved[FMR_SAVED_TIME_ACCEPTED];
      saved[FMR_SAVED_ACCEPTED] = 2.0;
    } else { /* the first one, or the same point again */
      saved[FMR_SAVED_ACCEPTED] = 1.0;
    }
    for (unsigned j = 0; j < block->n; j++) memory->accepted[j] = m->v[block->unknown[j]];
    saved[FMR_SAVED_TIME_ACCEPTED] = m->v[0];
  }
}

void fmr_solve_store_jump(FmrSolveStore* store) {
  for (unsigned k = 0; k < store->model->nonlinear_blocks; k++) {
    store->nonlinear[k].saved[FMR_SAVED_ACCEPTED] = 0.0;
    store->nonlinear[k].factored = 0;
  }
}

size_t fmr_solve_store_size(const FmrSolveStore* store) {
  size_t size = 0;
  for (unsigned k = 0; k < store->model->nonlinear_blocks; k++) size += saved_size(store->model->nonlinear[k]);
  return size;
}

void fmr_solve_store_save(const FmrSolveStore* store, double* to) {
  for (unsigned k = 0; k < store->model->nonlinear_blocks; k++) {
    size_t size = saved_size(store->model->nonlinear[k]);
    memcpy(to, store->nonlinear[k].saved, size * sizeof(double));
    to += size;
  }
}

void fmr_solve_store_load(FmrSolveStore* store, const double* from) {
  for (unsigned k = 0; k < store->model->nonlinear_blocks; k++) {
    size_t size = saved_size(store->model->nonlinear[k]);
    memcpy(store->nonlinear[k].saved, from, size * sizeof(double));
    store->nonlinear[k].factored = 0;
    store->nonlinear[k].jacobian_of = 0;
    from += size;
  }
  forget_factors(store); /* the saved state may have other parameters */
}

double* fmr_take_tangents(FmrData* m, FmrSolveStore* store) {
  if (store->depth == FMR_DEEPEST) return NULL;
  double** taken = &store->tangents[store->depth];
  if (!*taken) *taken = calloc((size_t)store->model->values + store->model->delays + 1, sizeof(double));
  if (!*taken) return NULL;
  store->depth++;
  m->d = *taken;
  return *taken;
}

void fmr_give_back_tangents(FmrData* m, FmrSolveStore* store, double* before) {
  store->depth--;
  m->d = before;
}
