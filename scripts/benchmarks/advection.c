/* u_i' = n*(u_(i-1) - u_i) - mu*u_i*(u_i - 1/2)*(u_i - 1), u_0 = 1, mu = 5*n: a steep front that wanders. */
#include "reference.h"

static int n;
static double mu;

static void size(int given, int* unknowns, int* entries) {
  *unknowns = n = given;
  *entries = 2 * n - 1;
  mu = 5.0 * n;
}

static void start(double* x) {
  for (int i = 0; i < n; i++) x[i] = 0.0;
}

static void rates(double t, const double* x, double* rate) {
  (void)t;
  double before = 1.0;
  for (int i = 0; i < n; i++) {
    rate[i] = n * (before - x[i]) - mu * x[i] * (x[i] - 0.5) * (x[i] - 1.0);
    before = x[i];
  }
}

static void jacobian(double t, const double* x, int* column_start, int* row, double* entry) {
  (void)t;
  int k = 0;
  for (int j = 0; j < n; j++) {
    column_start[j] = k;
    row[k] = j;
    entry[k++] = -n - mu * ((x[j] - 0.5) * (x[j] - 1.0) + x[j] * (x[j] - 1.0) + x[j] * (x[j] - 0.5));
    if (j + 1 == n) continue;
    row[k] = j + 1;
    entry[k++] = n;
  }
  column_start[n] = k;
}

/* The length of what the front has passed. */
static double output(const double* x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i];
  return sum / n;
}

const Ode ode = {.stop = 1.0, .interval = 0.004, .tolerance = 1e-6, .check_time = 1.0, .size = size, .start = start,
                 .rates = rates, .jacobian = jacobian, .output = output};
