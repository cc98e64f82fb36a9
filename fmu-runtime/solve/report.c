/* Messages about loops that could not be solved. They name the time, the equations as the user wrote them, the unknowns
 * with their values, and what to try; see the comment of each. Long lists are cut.
 *
 *   at time 0.25: these equations have no unique solution for I1, I2, since nothing determines I2 (pivot 0)
 *     R1*I1 = V   (circuit.dym:12, R1)
 *     ...
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

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

void fmr_note_ladder(const FmrData* m, const FmrNonlinearBlock* block, const char* how) {
  Text text = {.length = 0};
  add(&text, "at time %.15g: ", m->v[0]);
  add_names(&text, &block->text, block->unknown, block->n);
  add(&text, " found %s", how);
  fmr_host_report(m, FMR_NOTE, "logNonlinearSystems", "%s", text.text);
}
