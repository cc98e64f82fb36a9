/* Problem: IDA wants residuals of all unknowns and one matrix, F_y + c*F_y'. The model gives entries of F_y and F_y'
 * one after the other, equation by equation; some models have no residual form at all.
 *
 * Method: columns of a state and of its derivative are the same column of the matrix, so entries at the same place are
 * added, those of derivatives times c. Places are found once, by sorting entries by column and row with two passes of
 * counting sort. A model without residual form is taken as rate(t, x) - x' = 0: then the matrix is J - c*I.
 *
 *     0 = x' - y, 0 = y*y - x    y = (x, y):   c  -1         entries in order: d/dx' -> (0,0) times c, d/dy -> (0,1),
 *                                             -1  2*y        d/dx -> (1,0), d/dy -> (1,1) */
#include "integrate/ida_form.h"

#include <stdlib.h>
#include <string.h>

/* Places of `count` entries, given by row and column (below n), in a pattern by columns that holds each place once. */
static int find_places(FmrForm* form, unsigned count, const unsigned* row, const unsigned* column) {
  unsigned n = form->n;
  unsigned *by_row = calloc((size_t)count + 1, sizeof *by_row), *by_both = calloc((size_t)count + 1, sizeof *by_both);
  unsigned* begin = calloc((size_t)n + 2, sizeof *begin);
  form->column_start = calloc((size_t)n + 1, sizeof *form->column_start);
  form->row = calloc((size_t)count + 1, sizeof *form->row);
  int done = by_row && by_both && begin && form->column_start && form->row;
  if (done) {
    for (unsigned k = 0; k < count; k++) begin[row[k] + 1]++;
    for (unsigned i = 0; i < n; i++) begin[i + 1] += begin[i];
    for (unsigned k = 0; k < count; k++) by_row[begin[row[k]]++] = k;
    memset(begin, 0, ((size_t)n + 2) * sizeof *begin);
    for (unsigned k = 0; k < count; k++) begin[column[k] + 1]++;
    for (unsigned j = 0; j < n; j++) begin[j + 1] += begin[j];
    for (unsigned k = 0; k < count; k++) by_both[begin[column[by_row[k]]]++] = by_row[k];
    unsigned places = 0;
    for (unsigned k = 0; k < count; k++) {
      unsigned entry = by_both[k];
      int again = k > 0 && column[by_both[k - 1]] == column[entry] && row[by_both[k - 1]] == row[entry];
      if (!again) {
        form->row[places++] = row[entry];
        form->column_start[column[entry] + 1]++;
      }
      form->place[entry] = places - 1;
    }
    for (unsigned j = 0; j < n; j++) form->column_start[j + 1] += form->column_start[j];
  }
  free(by_row);
  free(by_both);
  free(begin);
  return !done;
}

static int places_of_residuals(FmrForm* form, const FmrResidualForm* given) {
  unsigned* column = calloc((size_t)given->entries + 1, sizeof *column);
  form->place = calloc((size_t)given->entries + 1, sizeof *form->place);
  form->entries = calloc((size_t)given->entries + 1, sizeof *form->entries);
  int failed = !column || !form->place || !form->entries;
  for (unsigned k = 0; !failed && k < given->entries; k++) {
    column[k] = given->column[k] < form->n ? given->column[k] : given->column[k] - form->n;
  }
  failed = failed || find_places(form, given->entries, given->row, column);
  free(column);
  return failed;
}

/* The pattern of the rates, full if there is none, and a second time the diagonal. */
static int places_of_rates(FmrForm* form, const FmrPattern* pattern) {
  unsigned n = form->n;
  size_t entries = pattern ? pattern->column_start[n] : (size_t)n * n;
  size_t count = entries + n;
  unsigned *row = calloc(count + 1, sizeof *row), *column = calloc(count + 1, sizeof *column);
  form->place = calloc(count + 1, sizeof *form->place);
  form->entries = calloc(count + 1, sizeof *form->entries);
  int failed = !row || !column || !form->place || !form->entries;
  for (unsigned j = 0; !failed && j < n; j++) {
    size_t first = pattern ? pattern->column_start[j] : (size_t)j * n;
    size_t last = pattern ? pattern->column_start[j + 1] : (size_t)(j + 1) * n;
    for (size_t k = first; k < last; k++) {
      row[k] = pattern ? pattern->row[k] : (unsigned)(k - first);
      column[k] = j;
    }
    row[entries + j] = column[entries + j] = j;
  }
  failed = failed || find_places(form, (unsigned)count, row, column);
  form->diagonal = form->place ? form->place + entries : NULL;
  free(row);
  free(column);
  return failed;
}

int fmr_form_new(FmrForm* form, FmrRun* run) {
  const FmrProblem* problem = &run->problem;
  memset(form, 0, sizeof *form);
  form->run = run;
  form->states = problem->n;
  form->residuals = problem->residual_form && problem->residual && problem->residual_jacobian && problem->algebraic;
  form->n = form->residuals ? problem->residual_form->n : problem->n;
  form->rate = calloc((size_t)form->n + 1, sizeof(double));
  form->work = calloc(2 * (size_t)form->n + 1, sizeof(double));
  if (!form->rate || !form->work) return 1;
  return form->residuals ? places_of_residuals(form, problem->residual_form) : places_of_rates(form, problem->pattern);
}

void fmr_form_free(FmrForm* form) {
  free(form->column_start);
  free(form->row);
  free(form->place);
  free(form->entries);
  free(form->rate);
  free(form->work);
  memset(form, 0, sizeof *form);
}

int fmr_form_complete(FmrForm* form, double t, const double* x, double* y, double* y_rate) {
  memset(y_rate, 0, form->n * sizeof *y_rate);
  memcpy(y, x, form->states * sizeof *x);
  if (!form->residuals) return fmr_run_rates(form->run, t, x, y_rate);
  form->run->statistics.rates++;
  return form->run->problem.algebraic(form->run->problem.who, t, x, y, y_rate);
}

int fmr_form_residual(FmrForm* form, double t, const double* y, const double* y_rate, double* r) {
  if (form->residuals) {
    form->run->statistics.rates++;
    int failed = form->run->problem.residual(form->run->problem.who, t, y, y_rate, r);
    double sum = 0.0; /* not a number if one of them is not finite */
    for (unsigned j = 0; !failed && j < form->n; j++) sum += 0.0 * r[j];
    return failed ? failed : sum != 0.0;
  }
  int failed = fmr_run_rates(form->run, t, y, r);
  for (unsigned j = 0; !failed && j < form->n; j++) r[j] -= y_rate[j];
  return failed;
}

int fmr_form_matrix(FmrForm* form, double t, double c, const double* y, const double* y_rate, double* matrix) {
  FmrRun* run = form->run;
  memset(matrix, 0, form->column_start[form->n] * sizeof *matrix);
  if (form->residuals) {
    const FmrResidualForm* given = run->problem.residual_form;
    run->statistics.jacobians++;
    int failed = run->problem.residual_jacobian(run->problem.who, t, y, y_rate, form->entries);
    for (unsigned k = 0; !failed && k < given->entries; k++) {
      matrix[form->place[k]] += given->column[k] < form->n ? form->entries[k] : c * form->entries[k];
    }
    return failed;
  }
  int failed = fmr_run_rates(run, t, y, form->rate);
  if (!failed) failed = fmr_run_jacobian(run, t, y, form->rate, form->entries, form->work);
  size_t entries = (size_t)(form->diagonal - form->place);
  for (size_t k = 0; !failed && k < entries; k++) matrix[form->place[k]] += form->entries[k];
  for (unsigned j = 0; !failed && j < form->n; j++) matrix[form->diagonal[j]] -= c;
  return failed;
}
