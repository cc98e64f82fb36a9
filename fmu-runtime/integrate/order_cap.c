/* Problem: the BDF of orders 3 to 5 are unstable for oscillations that are hardly damped. Error control hides that: once
 * rounding and truncation errors have stirred the fastest oscillation up to the tolerance, steps stay as short as that one
 * needs, about 0.4 by its frequency, though nothing of it is to be seen. A wave on a long line then takes ten times as
 * many steps as with order 2, which is stable for all oscillations. Afterwards it is too late: order 2 has to follow
 * what has been stirred up. And where the fastest oscillation does take part, higher orders allow longer steps.
 *
 * Method: the first Jacobian J tells whether the fastest motion is an oscillation: its square then has a negative number
 * as its largest eigenvalue, -frequency^2, and power iteration turns every vector into its opposite. If so, the order is
 * limited to 2 from the beginning. If its steps become about as long as higher orders could make them, the limit stays,
 * since they go on growing; if not, it is lifted after a while.
 *
 *     x' = y, y' = -9*x: J*J = (-9, 0; 0, -9), frequency 3; with steps of 0.5 at order 2 the limit stays
 *
 * Reference: Hairer, Wanner: Solving Ordinary Differential Equations II, V.1 (regions of stability of BDF). */
#include "integrate/order_cap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 12 };               /* of the square; the frequency is needed to one digit */
static const double OPPOSITE = -0.8;    /* cosine of the angle between a vector and its image below which it is so */
/* Steps of order 2, times the frequency, that are worth the limit: those of orders 3 to 5 are twice as long at most. */
static const double LONG_STEP = 0.2;
enum { TRIAL_STEPS = 200, MEASURED = 20 };

static void multiply(unsigned n, const unsigned* column_start, const unsigned* row, const double* entries,
                     const double* x, double* to) {
  memset(to, 0, n * sizeof *to);
  for (unsigned j = 0; j < n; j++) {
    for (unsigned k = column_start[j]; k < column_start[j + 1]; k++) to[row[k]] += entries[k] * x[j];
  }
}

static double product(unsigned n, const double* a, const double* b) {
  double sum = 0.0;
  for (unsigned j = 0; j < n; j++) sum += a[j] * b[j];
  return sum;
}

int fmr_order_cap_look(FmrOrderCap* cap, unsigned n, const unsigned* column_start, const unsigned* row,
                       const double* entries) {
  if (cap->phase != FMR_ORDER_UNKNOWN) return 0;
  cap->phase = FMR_ORDER_FREE;
  double *x = malloc(n * sizeof *x), *half = malloc(n * sizeof *half), *image = malloc(n * sizeof *image);
  double cosine = 0.0, growth = 0.0;
  for (unsigned j = 0; x && j < n; j++) x[j] = (j % 2 ? -1.0 : 1.0) * (1.0 + 0.3 * (j % 7)); /* anything uneven */
  for (int k = 0; x && half && image && k < ITERATIONS; k++) {
    multiply(n, column_start, row, entries, x, half);
    multiply(n, column_start, row, entries, half, image);
    const double length = sqrt(product(n, x, x)), longer = sqrt(product(n, image, image));
    if (!(length > 0.0 && longer > 0.0 && isfinite(longer))) break;
    growth = longer / length;
    cosine = product(n, x, image) / (length * longer);
    for (unsigned j = 0; j < n; j++) x[j] = image[j] / longer;
  }
  const int short_of_memory = !x || !half || !image;
  if (cosine < OPPOSITE) cap->frequency = sqrt(growth);
  free(x);
  free(half);
  free(image);
  return short_of_memory;
}

int fmr_order_cap_step(FmrOrderCap* cap, double t) {
  if (cap->phase == FMR_ORDER_FREE && cap->frequency > 0.0 && cap->steps == 0) {
    cap->phase = FMR_ORDER_TRIAL;
    return FMR_ORDER_LIMIT;
  }
  if (cap->phase != FMR_ORDER_TRIAL) return 0;
  if (cap->steps++ % MEASURED == 0) {
    const double step = (t - cap->since) / MEASURED;
    cap->since = t;
    if (cap->steps > 1 && step * cap->frequency > LONG_STEP) {
      cap->phase = FMR_ORDER_CAPPED;
      return 0;
    }
  }
  if (cap->steps < TRIAL_STEPS) return 0;
  cap->phase = FMR_ORDER_FREE;
  return FMR_ORDER_MOST;
}

int fmr_order_cap_restart(FmrOrderCap* cap) {
  if (cap->phase == FMR_ORDER_CAPPED) return FMR_ORDER_LIMIT;
  if (cap->phase == FMR_ORDER_TRIAL) cap->phase = FMR_ORDER_FREE;
  cap->steps = 0; /* an oscillation is put to the trial again */
  return FMR_ORDER_MOST;
}
