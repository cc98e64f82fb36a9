/* T/n*x_i' = x_(i-1) - x_i, x_0 = 1: a chain of first order lags. */
#include "reference.h"

static int n;

static void size(int given, int* unknowns, int* entries) {
  *unknowns = n = given;
  *entries = 2 * n - 1;
}

static void start(double* x) {
  for (int i = 0; i < n; i++) x[i] = 0.0;
}

static void rates(double t, const double* x, double* rate) {
  (void)t;
  rate[0] = n * (1.0 - x[0]);
  for (int i = 1; i < n; i++) rate[i] = n * (x[i - 1] - x[i]);
}

static void jacobian(double t, const double* x, int* column_start, int* row, double* entry) {
  (void)t, (void)x;
  int k = 0;
  for (int j = 0; j < n; j++) {
    column_start[j] = k;
    row[k] = j;
    entry[k++] = -n;
    if (j + 1 == n) continue;
    row[k] = j + 1;
    entry[k++] = n;
  }
  column_start[n] = k;
}

static double output(const double* x) { return x[n - 1]; }

const Ode ode = {.stop = 2.0, .interval = 0.004, .tolerance = 1e-6, .check_time = 1.0, .size = size, .start = start,
                 .rates = rates, .jacobian = jacobian, .output = output};
