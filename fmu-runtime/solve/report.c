/* Messages about loops that could not be solved. They name the time, the equations as the user wrote them, the unknowns
 * with their values, and what to try; see the comment of each. Long lists are cut.
 *
 *   at time 0.25: these equations have no unique solution for I1, I2, since nothing determines I2 (pivot 0)
 *     R1*I1 = V   (circuit.dym:12, R1)
 *     ...
 *
 * Loops of up to three unknowns are solved by formulas of generated code, which nobody watches: x1 = (...)/determinant.
 * When a value turns out to be no number, these loops are looked through for one whose determinant is zero. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "solve/blocks.h"

enum { LONGEST_LIST = 8, LONGEST_TEXT = 6000 };

typedef struct Text {
  char text[LONGEST_TEXT];
  size_t length;
} Text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(Text* text, const char* format, ...) {
  if (text->length >= LONGEST_TEXT - 1) return;
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(text->text + text->length, LONGEST_TEXT - text->length, format, arguments);
  va_end(arguments);
  if (written < 0) return;
  text->length += (size_t)written;
  if (text->length > LONGEST_TEXT - 1) text->length = LONGEST_TEXT - 1;
}

static void add_name(Text* text, const FmrText* names, const FmrSlot* unknown, unsigned k) {
  if (names->unknown && names->unknown[k]) {
    add(text, "%s", names->unknown[k]);
  } else {
    add(text, "variable %u", unknown[k]);
  }
}

static void add_names(Text* text, const FmrText* names, const FmrSlot* unknown, unsigned n) {
  for (unsigned k = 0; k < n && k < LONGEST_LIST; k++) {
    if (k > 0) add(text, ", ");
    add_name(text, names, unknown, k);
  }
  if (n > LONGEST_LIST) add(text, " and %u more", n - LONGEST_LIST);
}

static void add_equations(Text* text, const FmrText* names) {
  for (unsigned k = 0; k < names->count && k < LONGEST_LIST; k++) add(text, "\n  %s", names->equation[k]);
  if (names->count > LONGEST_LIST) add(text, "\n  and %u more", names->count - LONGEST_LIST);
}

/* A failure at a trial point of an outer loop is of no interest to anybody but those who look for it. */
static void report(const FmrData* m, const char* category, const Text* text) {
  FmrLevel level = fmr_host_solve_store(m)->trials > 0 ? FMR_NOTE : FMR_ERROR;
  fmr_host_report(m, level, category, "%s", text->text);
}

void fmr_report_no_memory(const FmrData* m, const char* what) {
  fmr_host_report(m, FMR_ERROR, "logStatusError", "memory is short %s", what);
}

void fmr_report_singular(const FmrData* m, const FmrLinearBlock* block, unsigned column, double pivot_value) {
  Text text = {.length = 0};
  add(&text, "at time %.15g: ", m->v[0]);
  if (isfinite(pivot_value)) {
    add(&text, "these equations have no unique solution for ");
    add_names(&text, &block->text, block->unknown, block->n);
    add(&text, ", since nothing determines ");
    add_name(&text, &block->text, block->unknown, column);
    add(&text, " (pivot %g)", pivot_value);
  } else {
    add(&text, "a coefficient of ");
    add_name(&text, &block->text, block->unknown, column);
    add(&text, " is %g in", pivot_value);
  }
  add(&text, ":");
  add_equations(&text, &block->text);
  report(m, "logSingularLinearSystems", &text);
}

/* Of the product of the lengths of its rows: a determinant that is but rounding. */
static const double ROUNDING = 1e-14;

/* The determinant of n rows of n, up to 3. *size: the product of the lengths of the rows. */
static double determinant(unsigned n, const double* a, double* size) {
  *size = 1.0;
  for (unsigned r = 0; r < n; r++) {
    double sum = 0.0;
    for (unsigned c = 0; c < n; c++) sum += fabs(a[r * n + c]);
    *size *= sum;
  }
  if (n == 1) return a[0];
  if (n == 2) return a[0] * a[3] - a[1] * a[2];
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

static int is_singular(const FmrData* m, const FmrFormula* formula, const double* a) {
  double size, value = determinant(formula->n, a, &size);
  int finite = 1;
  for (unsigned k = 0; k < formula->n; k++) finite &= isfinite(m->v[formula->unknown[k]]) != 0;
  return !finite && isfinite(size) && fabs(value) <= ROUNDING * size;
}

int fmr_report_formula(FmrData* m) {
  const FmrModel* model = fmr_host_model(m);
  double* a = model->formulas ? calloc(9 * (size_t)model->formulas, sizeof *a) : NULL;
  if (!a) return 0;
  model->formula_matrices(m, a);
  unsigned k = 0;
  while (k < model->formulas && !is_singular(m, &model->formula[k], a + 9 * (size_t)k)) k++;
  if (k < model->formulas) {
    const FmrFormula* formula = &model->formula[k];
    Text text = {.length = 0};
    add(&text, "at time %.15g: these equations have no unique solution for ", m->v[0]);
    add_names(&text, &formula->text, formula->unknown, formula->n);
    add(&text, ", since the determinant of their coefficients is 0:");
    add_equations(&text, &formula->text);
    add(&text, "\nThe coefficients are");
    for (unsigned e = 0; e < formula->n * formula->n; e++) {
      add(&text, "%s%g", e == 0 ? " " : e % formula->n ? ", " : "; ", a[9 * (size_t)k + e]);
    }
    fmr_host_report(m, FMR_ERROR, "logSingularLinearSystems", "%s", text.text);
  }
  free(a);
  return k < model->formulas;
}

void fmr_warn_dependent(const FmrData* m, const FmrLinearBlock* block, unsigned column) {
  Text text = {.length = 0};
  add(&text, "at time %.15g: these equations do not determine ", m->v[0]);
  add_name(&text, &block->text, block->unknown, column);
  add(&text, ", which keeps its value where it can:");
  add_equations(&text, &block->text);
  FmrLevel level = fmr_host_solve_store(m)->trials > 0 ? FMR_NOTE : FMR_WARNING;
  fmr_host_report(m, level, "logSingularLinearSystems", "%s", text.text);
}

void fmr_report_unsolved(const FmrData* m, const FmrNonlinearBlock* block, const double* residual, const char* why) {
  Text text = {.length = 0};
  add(&text, "at time %.15g: no solution found for ", m->v[0]);
  add_names(&text, &block->text, block->unknown, block->n);
  add(&text, " of these equations, since %s:", why);
  add_equations(&text, &block->text);
  add(&text, "\nThe closest came");
  for (unsigned k = 0; k < block->n && k < LONGEST_LIST; k++) {
    add(&text, k > 0 ? ", " : " ");
    add_name(&text, &block->text, block->unknown, k);
    add(&text, " = %g (residual %g)", m->v[block->unknown[k]], residual[k]);
  }
  add(&text, ". Try start values near the solution, nominal values of the right size, or min and max.");
  report(m, "logNonlinearSystems", &text);
}

void fmr_warn_outside(const FmrData* m, const FmrNonlinearBlock* block) {
  Text text = {.length = 0};
  add(&text, "at time %.15g the solution leaves the limits:", m->v[0]);
  for (unsigned k = 0; k < block->n; k++) {
    const double x = m->v[block->unknown[k]];
    const int below = block->min && x < block->min[k], over = block->max && x > block->max[k];
    if (!below && !over) continue;
    add(&text, "\n  ");
    add_name(&text, &block->text, block->unknown, k);
    add(&text, " = %g is %s %g", x, below ? "less than its min" : "greater than its max",
        below ? block->min[k] : block->max[k]);
  }
  add(&text, "\nNo solution of these equations was found within the limits:");
  add_equations(&text, &block->text);
  fmr_host_report(m, FMR_WARNING, "logStatusWarning", "%s", text.text);
}

void fmr_note_ladder(const FmrData* m, const FmrNonlinearBlock* block, const char* how) {
  Text text = {.length = 0};
  add(&text, "at time %.15g: ", m->v[0]);
  add_names(&text, &block->text, block->unknown, block->n);
  add(&text, " found %s", how);
  fmr_host_report(m, FMR_NOTE, "logNonlinearSystems", "%s", text.text);
}
