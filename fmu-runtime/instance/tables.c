/* Tables: an interpolant through given points, and its derivatives.
 *
 * Along one axis the interpolant between two points is a combination of the values at both and, for cubic ones, of the
 * slopes there. So an axis is reduced to four weights, those of its derivatives being the derivatives of the weights; a
 * table with two axes is the product of both.
 *
 *   linear     1 - s, s                            s from 0 to 1 within the interval
 *   constant   1, 0                                the value of the point to the left
 *   cubic      Hermite's polynomials; slopes chosen such that the interpolant rises where the points rise: the weighted
 *              harmonic mean of the two slopes beside a point, 0 if they differ in sign
 *
 * Outside: the value at the end (hold), a line that continues the interpolant (linear), or a reported error and no
 * number. An argument that is no number gives none.
 *
 *   x 0 1 2   linear at 1.5: weights 0.5, 0.5 of points 1, 2: 2.5
 *   f 0 1 4   cubic at 1.5: slopes 1.5 and 4: 2.5 + 1/8*1.5 - 1/8*4 = 2.1875
 *
 * Reference: F. N. Fritsch, J. Butland: A method for constructing local monotone piecewise cubic interpolants,
 * SIAM J. Sci. Stat. Comput. 5 (1984). */
#include <math.h>
#include <stddef.h>

#include "instance/host.h"

enum { LINEAR, CONSTANT, CUBIC };
enum { HOLD, CONTINUE, FAIL };

/* Weights of the values and slopes of two neighbouring points. */
typedef struct Weights {
  size_t left; /* the other one is left + 1, if its weights are not zero */
  double value[2], slope[2];
} Weights;

/* The last point not beyond x, but not the last of all. */
static size_t interval(const double* point, size_t n, double x) {
  size_t low = 0, high = n - 1; /* point[low] <= x < point[high], if x is inside */
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (point[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static Weights linear(size_t left, double h, double s, unsigned order) {
  Weights w = {left, {0.0, 0.0}, {0.0, 0.0}};
  if (order == 0) {
    w.value[0] = 1.0 - s;
    w.value[1] = s;
  } else if (order == 1) {
    w.value[0] = -1.0 / h;
    w.value[1] = 1.0 / h;
  }
  return w;
}

static Weights cubic(size_t left, double h, double s, unsigned order) {
  Weights w = {left, {0.0, 0.0}, {0.0, 0.0}};
  if (order == 0) {
    w.value[1] = s * s * (3.0 - 2.0 * s);
    w.value[0] = 1.0 - w.value[1];
    w.slope[0] = h * s * (1.0 - s) * (1.0 - s);
    w.slope[1] = h * s * s * (s - 1.0);
  } else if (order == 1) {
    w.value[1] = 6.0 * s * (1.0 - s) / h;
    w.value[0] = -w.value[1];
    w.slope[0] = (1.0 - s) * (1.0 - 3.0 * s);
    w.slope[1] = s * (3.0 * s - 2.0);
  } else if (order == 2) {
    w.value[1] = (6.0 - 12.0 * s) / (h * h);
    w.value[0] = -w.value[1];
    w.slope[0] = (6.0 * s - 4.0) / h;
    w.slope[1] = (6.0 * s - 2.0) / h;
  }
  return w;
}

/* At or beyond an end: the point there, continued by its slope if asked for. */
static Weights beyond(const double* point, size_t n, double x, unsigned order, int goes_on, int is_cubic) {
  const int right = x > point[0];
  Weights w = {right ? n - 2 : 0, {0.0, 0.0}, {0.0, 0.0}};
  const double h = point[w.left + 1] - point[w.left];
  if (goes_on && !is_cubic) return linear(w.left, h, (x - point[w.left]) / h, order);
  if (order == 0) w.value[right] = 1.0;
  if (goes_on && order == 0) w.slope[right] = x - point[w.left + (size_t)right];
  if (goes_on && order == 1) w.slope[right] = 1.0;
  return w;
}

static Weights weights(const FmrTable* table, const double* point, size_t n, double x, unsigned order) {
  Weights w = {0, {order == 0 ? 1.0 : 0.0, 0.0}, {0.0, 0.0}};
  if (n < 2) return w;
  if (x < point[0] || x > point[n - 1]) {
    return beyond(point, n, x, order, table->extrapolation == CONTINUE && table->interpolation != CONSTANT,
                  table->interpolation == CUBIC);
  }
  const size_t left = interval(point, n, x);
  const double h = point[left + 1] - point[left], s = (x - point[left]) / h;
  if (table->interpolation == LINEAR) return linear(left, h, s, order);
  if (table->interpolation == CUBIC) return cubic(left, h, s, order);
  w.left = left;
  if (x >= point[n - 1]) { /* the last point has nothing to its right */
    w.value[1] = w.value[0];
    w.value[0] = 0.0;
  }
  return w;
}

/* The slope at point i of n, from the values at points i-2 .. i+2 as far as they exist: f[2] is that of point i. */
static double monotone_slope(const double* point, size_t n, size_t i, const double* f) {
  if (n == 2) return i == 0 ? (f[3] - f[2]) / (point[1] - point[0]) : (f[2] - f[1]) / (point[1] - point[0]);
  if (i > 0 && i + 1 < n) {
    const double h0 = point[i] - point[i - 1], h1 = point[i + 1] - point[i];
    const double d0 = (f[2] - f[1]) / h0, d1 = (f[3] - f[2]) / h1;
    if (!(d0 * d1 > 0.0)) return 0.0;
    const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
  }
  /* at an end: of the parabola through three points, limited so that the interpolant does not overshoot */
  const int first = i == 0;
  const double h0 = first ? point[1] - point[0] : point[n - 1] - point[n - 2];
  const double h1 = first ? point[2] - point[1] : point[n - 2] - point[n - 3];
  const double d0 = first ? (f[3] - f[2]) / h0 : (f[2] - f[1]) / h0;
  const double d1 = first ? (f[4] - f[3]) / h1 : (f[1] - f[0]) / h1;
  const double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (!(slope * d0 > 0.0)) return 0.0;
  if (d0 * d1 < 0.0 && fabs(slope) > 3.0 * fabs(d0)) return 3.0 * d0;
  return slope;
}

static double value_at(const FmrTable* table, size_t i, size_t j) {
  return table->value[table->ny ? i * table->ny + j : i];
}

static double slope_x(const FmrTable* table, size_t i, size_t j) {
  double f[5] = {0};
  for (size_t k = 0; k < 5; k++) {
    if (i + k >= 2 && i + k - 2 < table->nx) f[k] = value_at(table, i + k - 2, j);
  }
  return monotone_slope(table->x, table->nx, i, f);
}

static double slope_y(const FmrTable* table, size_t i, size_t j, double (*of)(const FmrTable*, size_t, size_t)) {
  double f[5] = {0};
  for (size_t k = 0; k < 5; k++) {
    if (j + k >= 2 && j + k - 2 < table->ny) f[k] = of(table, i, j + k - 2);
  }
  return monotone_slope(table->y, table->ny, j, f);
}

static double combine(const FmrTable* table, const Weights* x, const Weights* y) {
  double sum = 0.0;
  for (size_t k = 0; k < 2; k++) {
    for (size_t l = 0; l < 2; l++) {
      const size_t i = x->left + k, j = y->left + l;
      if (x->value[k] != 0.0 && y->value[l] != 0.0) sum += x->value[k] * y->value[l] * value_at(table, i, j);
      if (x->slope[k] != 0.0 && y->value[l] != 0.0) sum += x->slope[k] * y->value[l] * slope_x(table, i, j);
      if (x->value[k] != 0.0 && y->slope[l] != 0.0) sum += x->value[k] * y->slope[l] * slope_y(table, i, j, value_at);
      if (x->slope[k] != 0.0 && y->slope[l] != 0.0) sum += x->slope[k] * y->slope[l] * slope_y(table, i, j, slope_x);
    }
  }
  return sum;
}

/* Whether the argument is one the table has a value for; reports if not. */
static int covered(FmrData* m, const FmrTable* table, const double* point, unsigned n, double x) {
  if (isnan(x)) return 0;
  if (table->extrapolation != FAIL || n == 0 || (x >= point[0] && x <= point[n - 1])) return 1;
  fmr_host_report(m, FMR_ERROR, "logStatusError",
                  "table '%s' has no value at %.15g, at time %.15g: it goes from %.15g to %.15g", table->name, x,
                  m->v[0], point[0], point[n - 1]);
  return 0;
}

double fmr_table_1d(FmrData* m, const FmrTable* table, double x, unsigned order) {
  if (!covered(m, table, table->x, table->nx, x)) return NAN;
  const Weights along = weights(table, table->x, table->nx, x, order);
  const Weights none = {0, {1.0, 0.0}, {0.0, 0.0}};
  return combine(table, &along, &none);
}

double fmr_table_2d(FmrData* m, const FmrTable* table, double x, double y, unsigned order_x, unsigned order_y) {
  if (!covered(m, table, table->x, table->nx, x) || !covered(m, table, table->y, table->ny, y)) return NAN;
  const Weights along_x = weights(table, table->x, table->nx, x, order_x);
  const Weights along_y = weights(table, table->y, table->ny, y, order_y);
  return combine(table, &along_x, &along_y);
}
