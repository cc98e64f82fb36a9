/* Directional derivatives: how unknowns change if knowns change in a given direction.
 *
 * The tangents of the generated code give them exactly, through all loops; during initialization those of the system at
 * the start. Where there is none (of a function, or at this point), and for tunable parameters once the simulation
 * runs, they are taken as central differences: the knowns are moved both ways along the direction, everything is
 * computed, and then put back. The distance is the cube root of the unit roundoff, relative to the known that it moves
 * most, which leaves about ten digits.
 *
 *   y = u*x at u = 2, x = 3, seed 1 for u:   dy = 3
 *
 * Knowns are inputs, states and time, at events and between steps also tunable parameters; during initialization inputs,
 * time, and what has an exact start value or is a parameter.
 *
 * Reference: FMI 2.0.1, 2.1.9. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2/component.h"

static int update(FmrInstance* s) { return s->moment.mode == MODE_TERMINATED ? 0 : fmr_update_outputs(s); }

static void move(FmrInstance* s, size_t count, const FmrSlot* known, const double* base, const double* seed,
                 double by) {
  for (size_t k = 0; k < count; k++) {
    const double value = base[k] + by * seed[k];
    s->data.v[known[k]] = value;
    if (s->moment.initializing) s->start[known[k]] = value;
    if (known[k] == 0) s->data.late = s->moment.late = value;
    if (s->model->role[known[k]] & (FMR_PARAMETER | FMR_TUNABLE)) s->moment.parameters_old = 1;
  }
  s->moment.initial_old = s->moment.dynamic_old = s->moment.outputs_old = 1;
}

static double distance(const FmrInstance* s, size_t count, const FmrSlot* known, const double* seed) {
  double least = INFINITY;
  for (size_t k = 0; k < count; k++) {
    if (seed[k] != 0.0) least = fmin(least, fmax(fabs(s->data.v[known[k]]), 1.0) / fabs(seed[k]));
  }
  return isfinite(least) ? cbrt(DBL_EPSILON) * least : 0.0;
}

static int by_differences(FmrInstance* s, size_t known_count, const FmrSlot* known, const double* seed,
                          size_t unknown_count, const FmrSlot* unknown, double* derivative) {
  const double h = distance(s, known_count, known, seed);
  memset(derivative, 0, unknown_count * sizeof *derivative);
  if (h == 0.0) return 0;
  double* base = malloc((known_count + 1) * sizeof *base);
  if (!base) return 1;
  for (size_t k = 0; k < known_count; k++) base[k] = s->data.v[known[k]];
  int failed = 0;
  for (int side = -1; side <= 1 && !failed; side += 2) {
    move(s, known_count, known, base, seed, side * h);
    failed = fmr_update_outputs(s);
    for (size_t k = 0; k < unknown_count; k++) derivative[k] += side * s->data.v[unknown[k]] / (2.0 * h);
  }
  move(s, known_count, known, base, seed, 0.0);
  free(base);
  return fmr_update_outputs(s) || failed;
}

int fmu_directional(Component* c, size_t known_count, const FmrSlot* known, const double* seed, size_t unknown_count,
                    const FmrSlot* unknown, const double* sign, double* derivative) {
  FmrInstance* s = c->instance;
  if (update(s)) return 1;
  int differences = !s->moment.initializing && !s->model->tangent;
  for (size_t k = 0; k < known_count && !s->moment.initializing; k++) {
    differences |= s->model->role[known[k]] & FMR_TUNABLE;
  }
  int failed = 0;
  if (!differences) {
    failed = s->moment.initializing ? fmr_start_tangents(s, known_count, known, seed)
                                    : fmr_tangents(s, known_count, known, seed, FMR_NEED_OUTPUTS);
    for (size_t k = 0; k < unknown_count; k++) {
      derivative[k] = s->data.d[unknown[k]];
      differences |= !isfinite(derivative[k]); /* as of sqrt(x) at 0, even if x does not change */
    }
    fmr_clear_tangents(s);
  }
  if (differences || (failed && s->moment.initializing)) {
    failed = by_differences(s, known_count, known, seed, unknown_count, unknown, derivative);
  }
  for (size_t k = 0; k < unknown_count; k++) derivative[k] *= sign[k];
  return failed;
}

static int can_be_known(const FmrInstance* s, FmrSlot slot) {
  const int role = s->model->role[slot];
  if (slot == 0) return 1;
  if (s->moment.initializing) return role & (FMR_INPUT | FMR_START | FMR_PARAMETER | FMR_TUNABLE);
  return role & (s->moment.mode == MODE_CONTINUOUS ? FMR_INPUT | FMR_STATE : FMR_INPUT | FMR_STATE | FMR_TUNABLE);
}

/* Slots, signs and signed seeds of both lists. */
static fmi2Status read_lists(Component* c, const fmi2ValueReference* unknowns, size_t unknown_count,
                             const fmi2ValueReference* knowns, size_t known_count, const fmi2Real* seeds, FmrSlot* slot,
                             double* number) {
  double sign;
  for (size_t k = 0; k < known_count; k++) {
    if (fmu_find_real(c, knowns[k], &slot[k], &sign) || sign == 0.0 || !can_be_known(c->instance, slot[k])) {
      return fmu_refuse(c, "value reference %u is not a known %s", knowns[k], fmu_mode_name(c->instance->moment.mode));
    }
    number[k] = seeds ? sign * seeds[k] : sign;
    if (!isfinite(number[k])) return fmu_refuse(c, "the seed of value reference %u is %g", knowns[k], number[k]);
  }
  for (size_t k = 0; k < unknown_count; k++) {
    if (fmu_find_real(c, unknowns[k], &slot[known_count + k], &number[known_count + k])) {
      return fmu_refuse(c, "value reference %u is not that of a variable of type Real", unknowns[k]);
    }
  }
  return fmi2OK;
}

fmi2Status FMI2_NAME(fmi2GetDirectionalDerivative)(fmi2Component component, const fmi2ValueReference* unknowns,
                                                   size_t unknown_count, const fmi2ValueReference* knowns,
                                                   size_t known_count, const fmi2Real* seeds, fmi2Real* derivatives) {
  Component* c = fmu_begin(component, CALL_GET_DIRECTIONAL_DERIVATIVE);
  if (!c) return fmi2Error;
  if ((unknown_count && (!unknowns || !derivatives)) || (known_count && !knowns)) {
    return fmu_refuse(c, "an argument is NULL");
  }
  FmrSlot* slot = calloc(known_count + unknown_count + 1, sizeof *slot);
  double* number = calloc(known_count + unknown_count + 1, sizeof *number);
  fmi2Status status = slot && number ? fmi2OK : fmu_refuse(c, "there is not enough memory");
  if (status == fmi2OK) {
    status = read_lists(c, unknowns, unknown_count, knowns, known_count, seeds, slot, number);
  }
  if (status == fmi2OK && unknown_count &&
      fmu_directional(c, known_count, slot, number, unknown_count, slot + known_count, number + known_count,
                      derivatives)) {
    status = fmu_fail(c, fmi2Error, "the derivatives cannot be computed at this point");
  }
  free(slot);
  free(number);
  return status;
}
