/* The start: values of everything from parameters, start values and inputs.
 *
 * Problem: the initial equations contain relations whose values follow from their solution, sampled systems that act at
 * the start, and delayed values that are not yet there.
 * Method: the initial system is solved with the relations as they are, then all of these are brought up to date, until
 * nothing changes. Every attempt begins with the values that were set, so that the result depends on these alone and
 * not on how often somebody looked at it. During all this time is exactly the start time: "time > start" is false.
 *
 *   x = 1 at the start, y = if x > 0 then 1 else 2       relation false: y = 2; relation true: y = 1; done
 *
 * After it: relations are on the side of their values, when clauses have seen no condition true yet, and the first
 * event is still to come. */
#include <math.h>
#include <string.h>

#include "events/events.h"
#include "instance/delays.h"
#include "solve/store.h"

/* One pass. *changed: another is needed. */
static int pass(FmrInstance* s, int* changed) {
  *changed = 0;
  if (s->model->initial && s->model->initial(&s->data)) return 1;
  if (fmr_relations_assign(s)) *changed = 1;
  int sampled = 0;
  if (fmr_samples_compute(s, &sampled)) return 1;
  if (sampled) *changed = 1;
  int past = fmr_delays_begin(s);
  if (past < 0) {
    fmr_host_report(&s->data, FMR_ERROR, "logStatusError", "there is not enough memory");
    return 1;
  }
  if (past > 0) *changed = 1;
  return 0;
}

static int report_unsettled(FmrInstance* s) {
  char list[600] = "";
  size_t used = 0;
  double* before = s->flips;
  for (unsigned i = 0; i < s->model->relations; i++) before[i] = s->data.held[i];
  fmr_relations_assign(s);
  for (unsigned i = 0; i < s->model->relations && used + 160 < sizeof list; i++) {
    if (before[i] == s->data.held[i]) continue;
    const char* text = s->model->relation[i].text;
    size_t length = strlen(text) < 150 ? strlen(text) : 150;
    memcpy(list + used, "\n  ", 3);
    memcpy(list + used + 3, text, length);
    used += length + 3;
    list[used] = '\0';
  }
  fmr_host_report(&s->data, FMR_ERROR, "logStatusError",
                  "no initial values at time %.15g: conditions and values contradict each other%s%s", s->data.v[0],
                  used ? ":" : "", list);
  return 1;
}

/* Sampled systems that are due at the start and set states do so now, and the rest follows. */
static int overwrite_states(FmrInstance* s) {
  const FmrModel* model = s->model;
  fmr_samples_overwrite(s);
  for (unsigned round = 0; s->moment.sampled; round++) {
    if (model->dynamic && model->dynamic(&s->data)) return 1;
    if (model->outputs && model->outputs(&s->data)) return 1;
    if (!fmr_relations_assign(s)) break;
    if (round > 2 * model->relations + 20) return report_unsettled(s);
  }
  return 0;
}

int fmr_initialize(FmrInstance* s) {
  if (!s->moment.initial_old && !s->moment.parameters_old) return 0;
  const FmrModel* model = s->model;
  fmr_forget_failure(s);
  s->start[0] = s->data.v[0];
  memcpy(s->data.v, s->start, model->values * sizeof *s->start);
  s->data.late = s->data.v[0];
  s->data.initializing = 1;
  s->moment.parameters_old = 1;
  s->moment.sampled = 0;
  fmr_solve_store_reset(s->store);
  fmr_delays_clear(s->delays);
  if (fmr_update_parameters(s)) return 1;
  fmr_schedule_start(s);
  fmr_remember_pre(s);
  fmr_relations_assign(s);
  int changed = 1;
  for (unsigned round = 0; changed; round++) {
    if (round > 2 * model->relations + model->samples + 20) return report_unsettled(s);
    if (pass(s, &changed)) return 1;
  }
  if (overwrite_states(s)) return 1;
  if (fmr_delays_check(s) || !fmr_rates_are_finite(s)) return 1;
  fmr_choose_states(s, 1);
  fmr_remember_pre(s);
  s->moment.initial_old = 0;
  return 0;
}

int fmr_end_initialization(FmrInstance* s) {
  if (fmr_initialize(s)) return 1;
  s->moment.initializing = s->data.initializing = 0;
  s->moment.dynamic_old = s->moment.outputs_old = s->moment.jumped = 1;
  s->moment.next_event = s->data.v[0];
  memset(s->flips, 0, s->model->relations * sizeof *s->flips);
  fmr_relations_settled(s);
  return 0;
}
