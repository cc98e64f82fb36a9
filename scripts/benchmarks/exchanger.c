/* A counter-current heat exchanger of n - 1 segments, with a step of the inlet temperature at 8 s and of the flow at
 * 15 s. States of a segment: medium A, wall, medium B. */
#include "reference.h"

static const double rho = 1000, cp = 4200, cp_wall = 2000, area = 5e-5, gamma_a = 4000, gamma_b = 10000, omega = 0.1,
                    length = 10, flow_b = 1;
static int segments;
static double mass, wall, heat_a, heat_b;

static void size(int given, int* unknowns, int* entries) {
  segments = given - 1;
  *unknowns = 3 * segments;
  *entries = 3 * segments + 4 * segments + 4 * (segments - 1);
  mass = rho * (length / segments) * area * cp;
  wall = cp_wall / segments;
  heat_a = gamma_a * omega * (length / segments);
  heat_b = gamma_b * omega * (length / segments);
}

static void start(double* x) {
  for (int i = 0; i < 3 * segments; i++) x[i] = 300.0;
}

static double flow_at(double t) { return t < 15.0 ? 1.0 : 1.1; }

static void rates(double t, const double* x, double* rate) {
  const double flow = flow_at(t);
  double before = t < 8.0 ? 300.0 : 301.0;
  for (int s = 0; s < segments; s++) {
    const double a = x[3 * s], w = x[3 * s + 1], b = x[3 * s + 2], after = s + 1 < segments ? x[3 * s + 5] : 310.0;
    const double to_a = (w - 0.5 * (before + a)) * heat_a, from_b = (0.5 * (after + b) - w) * heat_b;
    rate[3 * s] = (flow * cp * (before - a) + to_a) / mass;
    rate[3 * s + 1] = (from_b - to_a) / wall;
    rate[3 * s + 2] = (flow_b * cp * (after - b) - from_b) / mass;
    before = a;
  }
}

static void jacobian(double t, const double* x, int* column_start, int* row, double* entry) {
  (void)x;
  const double flow = flow_at(t);
  int k = 0;
#define ENTRY(where, value) (row[k] = (where), entry[k++] = (value))
  for (int s = 0; s < segments; s++) {
    const int a = 3 * s;
    column_start[a] = k;
    ENTRY(a, (-flow * cp - 0.5 * heat_a) / mass);
    ENTRY(a + 1, 0.5 * heat_a / wall);
    if (s + 1 < segments) {
      ENTRY(a + 3, (flow * cp - 0.5 * heat_a) / mass);
      ENTRY(a + 4, 0.5 * heat_a / wall);
    }
    column_start[a + 1] = k;
    ENTRY(a, heat_a / mass);
    ENTRY(a + 1, (-heat_b - heat_a) / wall);
    ENTRY(a + 2, heat_b / mass);
    column_start[a + 2] = k;
    if (s > 0) {
      ENTRY(a - 2, 0.5 * heat_b / wall);
      ENTRY(a - 1, (flow_b * cp - 0.5 * heat_b) / mass);
    }
    ENTRY(a + 1, 0.5 * heat_b / wall);
    ENTRY(a + 2, (-flow_b * cp - 0.5 * heat_b) / mass);
  }
  column_start[3 * segments] = k;
#undef ENTRY
}

static double output(const double* x) { return x[3 * segments - 3]; }

const Ode ode = {.stop = 20.0, .interval = 0.04, .tolerance = 1e-8, .check_time = 20.0, .event = {8.0, 15.0},
                 .size = size, .start = start, .rates = rates, .jacobian = jacobian, .output = output};
