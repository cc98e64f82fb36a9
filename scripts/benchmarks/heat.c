/* A rod between two temperatures: n - 2 heat capacities between n - 1 conductors. */
#include "reference.h"

static int n;
static double a; /* conductance by capacity */

static void size(int given, int* unknowns, int* entries) {
  const double length = 0.2, cp = 910, lambda = 237, rho = 2712;
  *unknowns = n = given - 2;
  *entries = 3 * n - 2;
  a = lambda * (given - 1.0) / length / (cp * rho * length / (given - 2.0));
}

static void start(double* x) {
  for (int i = 0; i < n; i++) x[i] = 273.15;
}

static void rates(double t, const double* x, double* rate) {
  (void)t;
  rate[0] = a * (330.0 - 2.0 * x[0] + x[1]);
  for (int i = 1; i < n - 1; i++) rate[i] = a * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
  rate[n - 1] = a * (x[n - 2] - 2.0 * x[n - 1] + 300.0);
}

static void jacobian(double t, const double* x, int* column_start, int* row, double* entry) {
  (void)t, (void)x;
  int k = 0;
  for (int j = 0; j < n; j++) {
    column_start[j] = k;
    for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) {
      row[k] = i;
      entry[k++] = i == j ? -2.0 * a : a;
    }
  }
  column_start[n] = k;
}

static double output(const double* x) { return x[n / 2 - 1]; }

const Ode ode = {.stop = 350.0, .interval = 0.7, .tolerance = 1e-6, .check_time = 350.0, .size = size, .start = start,
                 .rates = rates, .jacobian = jacobian, .output = output};
