/* No library of sparse matrices: what links if none is wanted. */
#include <stddef.h>

#include "solve/sparse.h"

const FmrSparseBackend* const fmr_sparse_backend = NULL;
