/* Making, resetting and freeing an instance.
 *
 * Problem: an instance consists of some thirty arrays, which have to be allocated, reset, saved and freed together, and
 * an allocation may fail at any of them.
 * Method: all numbers that are kept form one block, all room to work another; a table of places and lengths cuts them
 * up. A state is then saved by copying one block, a failed allocation is one test, and freeing is two calls.
 *
 *   numbers  | v        | held | pre | start    | scale | ...        kept
 *   room     | d        | z | flips | ...                            worth nothing between calls */
#include "instance/instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "instance/delays.h"
#include "solve/store.h"

typedef struct Part {
  double** place;
  size_t length;
} Part;

enum { MOST_PARTS = 32 };

static size_t kept_parts(FmrInstance* s, Part* part) {
  const FmrModel* model = s->model;
  size_t n = 0;
#define PART(where, how_many) part[n++] = (Part){&(where), (how_many)}
  PART(s->data.v, (size_t)model->values + model->delays);
  PART(s->data.held, model->relations);
  PART(s->data.pre, model->pre_count);
  PART(s->start, model->values);
  PART(s->scale, model->relations);
  PART(s->side, model->relations);
  PART(s->growth, model->relations);
  PART(s->last_flip, model->relations);
  PART(s->flip_before, model->relations);
  PART(s->pace, model->relations);
  PART(s->quick, model->relations);
  PART(s->was_true, model->branches);
  PART(s->acted, model->branches);
  PART(s->longest, model->branches);
  PART(s->strongest, model->branches);
  PART(s->weak, model->branches);
  PART(s->rest, model->states);
  PART(s->period, model->samples);
  PART(s->offset, model->samples);
  PART(s->instant, model->samples);
  PART(s->taken, model->samples);
  PART(s->was_valid, model->checks);
  PART(s->input_base, model->inputs);
  PART(s->input_rate, (size_t)model->inputs * FMR_INPUT_ORDERS);
  return n;
}

static size_t working_parts(FmrInstance* s, Part* part) {
  const FmrModel* model = s->model;
  size_t n = 0;
  PART(s->data.d, (size_t)model->values + model->delays);
  PART(s->z, model->relations);
  PART(s->instants, model->relations);
  PART(s->flips, model->relations);
  PART(s->acts, model->branches);
  PART(s->natural, model->states);
  PART(s->states_before, model->states);
  PART(s->event_states, model->states);
  PART(s->rest_room, 4 * (size_t)model->states);
  PART(s->w, model->branches);
  PART(s->condition, (size_t)model->checks + model->terminations);
  PART(s->discrete_before, model->discrete);
  PART(s->values_before, model->samples || model->delays ? (size_t)model->values + model->delays : 0);
  PART(s->choice_room, fmr_state_sets_room(model));
#undef PART
  return n;
}

/* One block for all parts; at least one number each, so that no pointer is null. */
static double* cut(const Part* part, size_t parts, size_t* total) {
  *total = 0;
  for (size_t k = 0; k < parts; k++) *total += part[k].length + 1;
  double* block = calloc(*total, sizeof *block);
  if (!block) return NULL;
  double* next = block;
  for (size_t k = 0; k < parts; k++) {
    *part[k].place = next;
    next += part[k].length + 1;
  }
  return block;
}

static void find_needs(FmrInstance* s) {
  const FmrModel* model = s->model;
  memset(s->need, FMR_NEED_OUTPUTS, model->values);
  s->need[0] = FMR_NEED_NOTHING;
  for (FmrSlot k = 1; k < model->values; k++) {
    if (model->role[k] & (FMR_INPUT | FMR_PARAMETER | FMR_STATE)) s->need[k] = FMR_NEED_NOTHING;
  }
  for (unsigned i = 0; i < model->states; i++) {
    s->need[model->state[i]] = FMR_NEED_NOTHING;
    /* a rate that is itself a state, as in h' = v, is known like any state */
    if (s->need[model->rate[i]] == FMR_NEED_OUTPUTS) s->need[model->rate[i]] = FMR_NEED_DYNAMIC;
  }
}

FmrInstance* fmr_instance_new(const FmrModel* model) {
  FmrInstance* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->model = model;
  s->data.host = s;
  for (unsigned i = 0; i < model->relations; i++) s->indicators += !model->relation[i].timed;
  Part part[MOST_PARTS];
  size_t room_count;
  s->numbers = cut(part, kept_parts(s, part), &s->number_count);
  double* room = cut(part, working_parts(s, part), &room_count); /* begins with d */
  s->need = malloc(model->values + 1);
  s->store = fmr_solve_store_new(model);
  s->delays = fmr_delays_new(model->delays);
  if (!s->numbers || !room || !s->need || !s->store || !s->delays) {
    fmr_instance_free(s);
    return NULL;
  }
  find_needs(s);
  fmr_instance_reset(s);
  return s;
}

void fmr_instance_free(FmrInstance* s) {
  if (!s) return;
  free(s->numbers);
  free(s->data.d);
  free(s->need);
  if (s->store) fmr_solve_store_free(s->store);
  fmr_delays_free(s->delays);
  free(s);
}

void fmr_instance_reset(FmrInstance* s) {
  const FmrModel* model = s->model;
  memset(s->numbers, 0, s->number_count * sizeof *s->numbers);
  memcpy(s->data.v, model->start, model->values * sizeof *s->data.v);
  s->moment = (FmrMoment){.start = model->start_time,
                          .stop = INFINITY,
                          .next_event = INFINITY,
                          .event_time = -INFINITY,
                          .option_solver = (int)model->solver + 1,
                          .initializing = 1,
                          .initial_old = 1,
                          .parameters_old = 1,
                          .dynamic_old = 1,
                          .outputs_old = 1,
                          .jumped = 1,
                          .rest_relation = -1};
  s->data.initializing = 1;
  s->data.text = NULL;
  s->data.v[0] = s->moment.start;
  s->data.late = s->moment.late = s->moment.start;
  memcpy(s->start, s->data.v, model->values * sizeof *s->data.v);
  for (unsigned i = 0; i < model->relations; i++) {
    s->scale[i] = s->growth[i] = 1.0;
    s->last_flip[i] = s->flip_before[i] = -INFINITY;
  }
  for (unsigned b = 0; b < model->branches; b++) s->acted[b] = -INFINITY;
  for (unsigned k = 0; k < model->checks; k++) s->was_valid[k] = 1.0;
  fmr_clear_tangents(s);
  fmr_solve_store_reset(s->store);
  fmr_delays_clear(s->delays);
  fmr_forget_failure(s);
}

FmrSolver fmr_chosen_solver(const FmrInstance* s) {
  FmrSolver chosen = (FmrSolver)(s->moment.option_solver - 1);
  return chosen == FMR_SOLVER_AUTO ? s->model->solver : chosen;
}

double fmr_chosen_tolerance(const FmrInstance* s) {
  if (s->moment.option_tolerance > 0.0) return s->moment.option_tolerance;
  if (s->moment.tolerance > 0.0) return s->moment.tolerance;
  return s->model->tolerance > 0.0 ? s->model->tolerance : 1e-6;
}
