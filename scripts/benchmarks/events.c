/* x_i' = n/(n + 1 - i), and every x_i that passes 1 is counted: n events in the time of 1. Nothing jumps, so that CVODE
 * goes on after a root. */
#include "reference.h"

static int n, count;

static void size(int given, int* unknowns, int* entries) { *unknowns = *entries = n = given; }

static void start(double* x) {
  for (int i = 0; i < n; i++) x[i] = 0.0;
  count = 0;
}

static void rates(double t, const double* x, double* rate) {
  (void)t, (void)x;
  for (int i = 0; i < n; i++) rate[i] = (double)n / (n - i);
}

static void jacobian(double t, const double* x, int* column_start, int* row, double* entry) {
  (void)t, (void)x;
  for (int j = 0; j < n; j++) {
    column_start[j] = row[j] = j;
    entry[j] = 0.0;
  }
  column_start[n] = n;
}

static double output(const double* x) { return (void)x, count; }

static int roots(void) { return n; }

static void root(const double* x, double* z) {
  for (int i = 0; i < n; i++) z[i] = x[i] - 1.0;
}

static void crossed(const int* which) {
  for (int i = 0; i < n; i++) count += which[i] != 0;
}

const Ode ode = {.stop = 1.0, .interval = 0.002, .tolerance = 1e-6, .check_time = 1.0, .size = size, .start = start,
                 .rates = rates, .jacobian = jacobian, .output = output, .roots = roots, .root = root,
                 .crossed = crossed};
