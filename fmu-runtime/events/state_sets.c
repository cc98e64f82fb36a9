/* States that are chosen while the simulation runs.
 *
 * Problem: m constraints tie n candidates c together, so n - m of them are free; but whichever are taken as states s,
 * the constraints can become singular in the others: of a pendulum x*x + y*y = L*L gives x from y except where x = 0.
 * Method: the constraints' Jacobian, columns scaled by nominal values, rows by their largest element, is eliminated
 * with complete pivoting. Columns with pivots are those best computed from the others; the states are the rest. The
 * smallest pivot of the best choice is compared with that of the present choice; only a clear difference makes a
 * change, so that two equally good choices do not alternate. A change sets s = A*c and leaves the candidates alone.
 *
 *   pendulum   J = (2x, 2y): at x = 0.6, y = -0.8 the pivot is y, the state x; it becomes y when |y| < 0.3*|x|
 *
 * Reference: S. E. Mattsson, H. Olsson, H. Elmqvist: Dynamic selection of states in Dymola, Modelica Workshop 2000. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "events/events.h"

static const double kKeepStates = 0.5; /* the present choice is kept if its smallest pivot is this part of the best */

static void scale(const FmrStateSet* set, double* matrix) {
  for (unsigned r = 0; r < set->constraints; r++) {
    double *row = matrix + (size_t)r * set->candidates, largest = 0.0;
    for (unsigned c = 0; c < set->candidates; c++) {
      row[c] *= set->nominal ? set->nominal[c] : 1.0;
      largest = fmax(largest, fabs(row[c]));
    }
    for (unsigned c = 0; c < set->candidates && largest > 0.0; c++) row[c] /= largest;
  }
}

/* Gaussian elimination with complete pivoting among the columns that are allowed; returns the smallest pivot.
 * pivot_column[c] becomes 1 where column c got a pivot. The matrix is destroyed. */
static double smallest_pivot(double* a, unsigned rows, unsigned columns, const unsigned char* allowed,
                             unsigned char* pivot_column) {
  double smallest = INFINITY;
  memset(pivot_column, 0, columns);
  for (unsigned step = 0; step < rows; step++) {
    unsigned best_row = step, best_column = columns;
    double best = -1.0;
    for (unsigned r = step; r < rows; r++) {
      for (unsigned c = 0; c < columns; c++) {
        double size = fabs(a[(size_t)r * columns + c]);
        if ((allowed && !allowed[c]) || pivot_column[c] || !(size > best)) continue;
        best = size;
        best_row = r;
        best_column = c;
      }
    }
    if (best_column == columns || best == 0.0) return 0.0;
    smallest = fmin(smallest, best);
    pivot_column[best_column] = 1;
    double *top = a + (size_t)step * columns, *chosen = a + (size_t)best_row * columns;
    for (unsigned c = 0; c < columns && chosen != top; c++) {
      double swap = top[c];
      top[c] = chosen[c];
      chosen[c] = swap;
    }
    for (unsigned r = step + 1; r < rows; r++) {
      double *row = a + (size_t)r * columns, factor = row[best_column] / top[best_column];
      for (unsigned c = 0; c < columns && factor != 0.0; c++) row[c] -= factor * top[c];
    }
  }
  return smallest;
}

/* Behind the matrices of better_choice, room for three times as many flags as there are candidates. */
static unsigned char* flags_of(FmrInstance* s, const FmrStateSet* set) {
  return (unsigned char*)(s->choice_room + 2 * (size_t)set->constraints * set->candidates);
}

size_t fmr_state_sets_room(const FmrModel* model) {
  size_t most = 0;
  for (unsigned k = 0; k < model->state_sets; k++) {
    const FmrStateSet* set = &model->state_set[k];
    const size_t room = (2 * (size_t)set->constraints + 3) * set->candidates;
    if (room > most) most = room;
  }
  return most;
}

/* Whether `chosen` (1: a state stands for it) should be another choice, which it becomes. */
static int better_choice(FmrInstance* s, const FmrStateSet* set, int always, unsigned char* chosen) {
  const size_t entries = (size_t)set->constraints * set->candidates;
  double *matrix = s->choice_room, *copy = matrix + entries;
  unsigned char *allowed = chosen + set->candidates, *pivot = allowed + set->candidates;
  set->jacobian(&s->data, matrix);
  scale(set, matrix);
  memcpy(copy, matrix, entries * sizeof *matrix);
  for (unsigned c = 0; c < set->candidates; c++) allowed[c] = !chosen[c];
  const double present = smallest_pivot(copy, set->constraints, set->candidates, allowed, pivot);
  const double best = smallest_pivot(matrix, set->constraints, set->candidates, NULL, pivot);
  const int change = best > 0.0 && isfinite(best) && (always || !(present >= kKeepStates * best));
  for (unsigned c = 0; c < set->candidates && change; c++) chosen[c] = !pivot[c];
  return change;
}

static void read_choice(const FmrInstance* s, const FmrStateSet* set, unsigned char* chosen) {
  memset(chosen, 0, set->candidates);
  for (unsigned k = 0; k < set->states * set->candidates; k++) {
    if (s->data.v[set->selection[k]] != 0.0) chosen[k % set->candidates] = 1;
  }
}

static int write_choice(FmrInstance* s, const FmrStateSet* set, const unsigned char* chosen) {
  int changed = 0;
  unsigned j = 0;
  for (unsigned c = 0; c < set->candidates; c++) {
    if (!chosen[c] || j == set->states) continue;
    for (unsigned k = 0; k < set->candidates; k++) {
      double *a = &s->data.v[set->selection[(size_t)j * set->candidates + k]], value = k == c;
      changed |= *a != value;
      *a = value;
    }
    s->data.v[set->state[j++]] = s->data.v[set->candidate[c]];
  }
  return changed;
}

static void note_choice(FmrInstance* s, const FmrStateSet* set, const unsigned char* chosen) {
  char names[500] = "";
  size_t used = 0;
  for (unsigned c = 0; c < set->candidates && set->text.unknown; c++) {
    const char* name = set->text.unknown[c];
    if (!chosen[c] || used + strlen(name) + 3 > sizeof names) continue;
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : ": ", name);
  }
  fmr_host_report(&s->data, FMR_NOTE, "logDynamicStateSelection", "other states are chosen at time %.15g%s",
                  s->data.v[0], names);
}

int fmr_choose_states(FmrInstance* s, int always) {
  int changed = 0;
  for (unsigned k = 0; k < s->model->state_sets; k++) {
    const FmrStateSet* set = &s->model->state_set[k];
    unsigned char* chosen = flags_of(s, set);
    read_choice(s, set, chosen);
    if (better_choice(s, set, always, chosen) && write_choice(s, set, chosen)) {
      changed = 1;
      s->moment.dynamic_old = s->moment.outputs_old = s->moment.jumped = 1;
      note_choice(s, set, chosen);
    }
  }
  return changed;
}

int fmr_states_badly_chosen(FmrInstance* s) {
  for (unsigned k = 0; k < s->model->state_sets; k++) {
    const FmrStateSet* set = &s->model->state_set[k];
    unsigned char* chosen = flags_of(s, set);
    read_choice(s, set, chosen);
    if (better_choice(s, set, 0, chosen)) return 1;
  }
  return 0;
}
