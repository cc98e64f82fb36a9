/* A transmission line of n cells (R and L in series, C to ground) behind a filter of second order, with its wave
 * resistance at the end. States: y, y', then current and voltage of each cell. The order of the BDF is at most 2, since
 * those of higher order are unstable for oscillations that are hardly damped. */
#include <math.h>

#include "reference.h"

static const double w = 5e6, r = 48e-6, l = 253e-9, c = 101e-12, length = 100.0;
static int n, cells;
static double R, by_L, by_C, load;

static void size(int given, int* unknowns, int* entries) {
  cells = given;
  *unknowns = n = 2 * given + 2;
  *entries = 4 + 6 * given;
  R = r * length / given;
  by_L = given / (l * length);
  by_C = given / (c * length);
  load = sqrt(l / c);
}

static void start(double* x) {
  for (int i = 0; i < n; i++) x[i] = 0.0;
}

static void rates(double t, const double* x, double* rate) {
  (void)t;
  rate[0] = x[1];
  rate[1] = w * (w * (1.0 - x[0]) - 2.0 * x[1]);
  double before = x[0];
  for (int i = 2; i < n; i += 2) {
    const double next = i + 2 < n ? x[i + 2] : x[i + 1] / load;
    rate[i] = (before - R * x[i] - x[i + 1]) * by_L;
    rate[i + 1] = (x[i] - next) * by_C;
    before = x[i + 1];
  }
}

static void jacobian(double t, const double* x, int* column_start, int* row, double* entry) {
  (void)t, (void)x;
  int k = 0;
#define ENTRY(where, value) (row[k] = (where), entry[k++] = (value))
  column_start[0] = k;
  ENTRY(0, 0.0);
  ENTRY(1, -w * w);
  ENTRY(2, by_L);
  column_start[1] = k;
  ENTRY(0, 1.0);
  ENTRY(1, -2.0 * w);
  for (int i = 2; i < n; i += 2) {
    column_start[i] = k;
    if (i > 2) ENTRY(i - 1, -by_C);
    ENTRY(i, -R * by_L);
    ENTRY(i + 1, by_C);
    column_start[i + 1] = k;
    ENTRY(i, -by_L);
    ENTRY(i + 1, i + 2 < n ? 0.0 : -by_C / load);
    if (i + 2 < n) ENTRY(i + 2, by_L);
  }
  column_start[n] = k;
#undef ENTRY
}

static double output(const double* x) { return x[n - 1]; }

const Ode ode = {.stop = 4e-6, .interval = 2e-9, .tolerance = 1e-8, .check_time = 4e-6, .order = 2, .size = size,
                 .start = start, .rates = rates, .jacobian = jacobian, .output = output};
