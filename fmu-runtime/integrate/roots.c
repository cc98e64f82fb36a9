/* Problem: between a and b, within one step, root functions change sign. Find the first change, and return a time just
 * behind it, so that whatever is evaluated there sees the new sign.
 *
 * Method: a bracket [a, b] with old signs at a and at least one new sign at b. The next point is where the straight
 * line through one of the changed functions crosses zero, the earliest of these; where the same end moves twice, the
 * line is tilted (Illinois), and a bracket that has long not become half as wide is halved. Near the root, points are
 * put half the final width off the ends, so that the bracket closes from the other side, too. Zero counts as
 * negative: a function that comes down to exactly zero has changed, one that comes up to it has not yet.
 *
 *     z = 1 - t^2 on [0, 2]: 0.5 by the line 1, -3; 0.8; tilted: 1.0323, 0.99648, 0.99994, 1.0001, 1, ...
 *
 * A function may also change twice within a step, so that nothing is to be seen at its ends: a ball that bounces low
 * has left the ground and come back. If a function heads for zero at a, the cubic with its values and slopes at a and b
 * shows how far it gets; where it turns round, a point of the bracket is put.
 *
 *     z = t*(1 - t) - 0.1 on [0, 1]: -0.1 at both ends, slopes 1, -1; the cubic has its top at 0.5, where z = 0.15
 *
 * Reference: Dowell, Jarratt: A modified regula falsi method, BIT 11 (1971); Hiebert, Shampine: Implicitly defined
 * output points for solutions of ODEs, Sandia report SAND80-0180. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/method.h"

/* Width of the last bracket, relative to the time and the step: room for the rounding of interpolation. */
static const double WIDTH = 64.0 * DBL_EPSILON;
/* So many points may pass without making the bracket half as wide. Each time they do, the patience is less. */
enum { PATIENCE = 6, SEARCH_MOST = 200 };

static int above(double z) { return z > 0.0; }

int fmr_changed_side(unsigned roots, const double* z_a, const double* z_b) {
  for (unsigned i = 0; i < roots; i++) {
    if (!isnan(z_b[i]) && above(z_a[i]) != above(z_b[i])) return 1;
  }
  return 0;
}

/* How far from a to b, 0 to 1, the earliest changed function crosses zero, by straight lines. tilt > 1 moves the
 * crossing toward b, < 1 toward a. */
static double earliest_crossing(unsigned roots, const double* z_a, const double* z_b, double tilt) {
  double earliest = 1.0;
  for (unsigned i = 0; i < roots; i++) {
    if (isnan(z_b[i]) || above(z_a[i]) == above(z_b[i])) continue;
    double crossing = fabs(z_a[i]) * tilt / (fabs(z_a[i]) * tilt + fabs(z_b[i]));
    if (!(crossing >= 0.0 && crossing <= 1.0)) crossing = 0.5;
    if (crossing < earliest) earliest = crossing;
  }
  return earliest;
}

int fmr_find_root(FmrRootSearch* search, double a, double b, double* at, double* x) {
  FmrRun* run = search->run;
  unsigned roots = run->problem.roots;
  double width = WIDTH * (fmax(fabs(a), fabs(b)) + (b - a));
  double tilt = 1.0, halved = b - a; /* halved: the width when it was last half of what it had been */
  int slow = 0, patience = PATIENCE;
  int last_moved = 0; /* -1: a, 1: b */
  for (unsigned k = 0; k < SEARCH_MOST && b - a > width; k++) {
    double c = a + (b - a) * earliest_crossing(roots, search->z_a, search->z_b, tilt);
    if (slow >= patience) {
      c = 0.5 * (a + b);
      if (patience > 0) patience--;
    }
    c = fmin(fmax(c, a + 0.5 * width), b - 0.5 * width);
    if (!(a < c && c < b)) break;
    if (search->method->inside(search->state, c, x)) return 1;
    run->statistics.roots++;
    if (run->problem.root(run->problem.who, c, x, search->z)) return 1;
    int moved = fmr_changed_side(roots, search->z_a, search->z) ? 1 : -1;
    memcpy(moved > 0 ? search->z_b : search->z_a, search->z, roots * sizeof(double));
    if (moved > 0) {
      b = c;
    } else {
      a = c;
    }
    tilt = moved != last_moved ? 1.0 : moved > 0 ? tilt * 0.5 : tilt * 2.0;
    last_moved = moved;
    slow++;
    if (b - a <= 0.5 * halved) {
      halved = b - a;
      slow = 0;
    }
  }
  *at = b;
  memcpy(search->z, search->z_b, roots * sizeof(double));
  return search->method->inside(search->state, b, x);
}

/* Slopes are differences over this part of the step. */
static const double SLOPE = 1.0 / (1 << 20);

/* z at a + part*(b - a). */
static int functions_at(FmrRootSearch* search, double a, double b, double part, double* x, double* z) {
  if (search->method->inside(search->state, a + part * (b - a), x)) return 1;
  search->run->statistics.roots++;
  return search->run->problem.root(search->run->problem.who, a + part * (b - a), x, z);
}

/* Where between 0 and 1 the cubic with the values p, q and slopes dp < 0, dq > 0 at the ends has its minimum. */
static double lowest_point(double p, double q, double dp, double dq) {
  double cubic = dp + dq - 2.0 * (q - p), square = 3.0 * (q - p) - 2.0 * dp - dq;
  double root = sqrt(fmax(0.0, square * square - 3.0 * cubic * dp)), at = -dp / (square + root);
  return at > 0.0 && at < 1.0 ? at : 0.5;
}

/* How far from zero a function is on the side where it is at a. */
static double distance(double z_a, double z) { return above(z_a) ? z : -z; }

int fmr_heads_for_zero(unsigned roots, const double* z_a, const double* z_before, double ratio) {
  for (unsigned i = 0; i < roots; i++) {
    double now = distance(z_a[i], z_a[i]), before = distance(z_a[i], z_before[i]);
    if (now < 2.0 * ratio * (before - now)) return 1;
  }
  return 0;
}

double fmr_first_zero(unsigned roots, const double* z_a, const double* z_b) {
  double earliest = INFINITY;
  for (unsigned i = 0; i < roots; i++) {
    double p = distance(z_a[i], z_a[i]), nearer = p - distance(z_a[i], z_b[i]);
    if (nearer > 0.0) earliest = fmin(earliest, p / nearer);
  }
  return earliest;
}

int fmr_look_inside(FmrRootSearch* search, double a, double b, double* change, double* x) {
  unsigned roots = search->run->problem.roots;
  double *near_a = search->z, *near_b = search->spare, *inside = search->spare + roots;
  *change = NAN;
  if (functions_at(search, a, b, SLOPE, x, near_a)) return 1;
  if (fmr_changed_side(roots, search->z_a, near_a)) {
    *change = a + SLOPE * (b - a);
    memcpy(search->z_b, near_a, roots * sizeof(double));
    return 0;
  }
  if (!fmr_heads_for_zero(roots, near_a, search->z_a, 1.0 / SLOPE)) return 0;
  if (functions_at(search, a, b, 1.0 - SLOPE, x, near_b)) return 1;
  double earliest = INFINITY;
  for (unsigned i = 0; i < roots; i++) {
    double p = distance(search->z_a[i], search->z_a[i]), q = distance(search->z_a[i], search->z_b[i]);
    double dp = (distance(search->z_a[i], near_a[i]) - p) / SLOPE;
    double dq = (q - distance(search->z_a[i], near_b[i])) / SLOPE;
    if (!(dp < 0.0 && dq > 0.0 && p + 2.0 * dp < 0.0)) continue;
    double at = lowest_point(p, q, dp, dq);
    if (!(at < earliest)) continue;
    if (functions_at(search, a, b, at, x, inside)) return 1;
    if (!fmr_changed_side(roots, search->z_a, inside)) continue;
    earliest = at;
    *change = a + at * (b - a);
    memcpy(search->spare + 2 * (size_t)roots, inside, roots * sizeof(double));
  }
  if (earliest < 1.0) memcpy(search->z_b, search->spare + 2 * (size_t)roots, roots * sizeof(double));
  return 0;
}
