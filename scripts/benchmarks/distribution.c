/* A network of resistors: n primary segments, n secondary ones at the end of each, a load at the end of each of those;
 * the voltage of the source rises. No states: one linear system for the n + n*n potentials, factored once and solved
 * for every output. Unknowns: primary node i, then its secondary nodes. */
#include <klu.h>
#include <stdlib.h>

#include "reference.h"

Run simulate(int size, double tolerance) {
  (void)tolerance;
  const int n = size, unknowns = n * (n + 1);
  const double load = 1.0, of_primary = 2.0 * n * n * n * n, of_secondary = 2.0 * n * n; /* conductances */
  Run run = {.unknowns = unknowns, .jacobians = 1};
  const double begin = processor_time();
  int *column_start = malloc(sizeof(int) * (size_t)(unknowns + 1)), *row = malloc(sizeof(int) * 5 * (size_t)unknowns);
  double *entry = malloc(sizeof(double) * 5 * (size_t)unknowns), *b = malloc(sizeof(double) * (size_t)unknowns);
  need(column_start && row && entry && b, "memory");
  int k = 0;
#define ENTRY(where, value) (row[k] = (where), entry[k++] = (value))
  for (int i = 0; i < n; i++) {
    const int node = i * (n + 1);
    column_start[node] = k;
    if (i > 0) ENTRY(node - n - 1, -of_primary);
    ENTRY(node, (i + 1 < n ? 2.0 : 1.0) * of_primary + of_secondary);
    ENTRY(node + 1, -of_secondary);
    if (i + 1 < n) ENTRY(node + n + 1, -of_primary);
    for (int j = 1; j <= n; j++) {
      column_start[node + j] = k;
      ENTRY(node + j - 1, -of_secondary);
      ENTRY(node + j, (j < n ? 2.0 : 1.0) * of_secondary + 1.0 / load);
      if (j < n) ENTRY(node + j + 1, -of_secondary);
    }
  }
  column_start[unknowns] = k;
#undef ENTRY
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(unknowns, column_start, row, &common);
  klu_numeric* numeric = symbolic ? klu_factor(column_start, row, entry, symbolic, &common) : NULL;
  need(numeric != NULL, "klu_factor");
  volatile double output = 0.0;
  for (int step = 0; step <= 1000; step++) {
    for (int i = 0; i < unknowns; i++) b[i] = 0.0;
    b[0] = of_primary * 600.0 * (step * 1e-3);
    need(klu_solve(symbolic, numeric, unknowns, 1, b, &common), "klu_solve");
    output = b[unknowns - 1];
    run.rates++;
  }
  run.seconds = processor_time() - begin;
  run.check = output;
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  free(column_start);
  free(row);
  free(entry);
  free(b);
  return run;
}
