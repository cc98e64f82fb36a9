/* One event: everything that happens at an instant.
 *
 * Problem: a relation that changes lets a when clause act, which changes other relations, and so on; the values of
 * continuous variables jump meanwhile. All of it belongs to one instant and must come to an end, or be reported.
 *
 * Method: rounds, until nothing changes:
 *   1. pre := values.
 *   2. Values and relations: solve the equations with the relations as they are, change those that disagree, again. If
 *      that goes round in circles only the first that disagrees is changed at a time, which finds the solution of many
 *      ideal diodes where changing all at once does not (Murty's least-index rule).
 *   3. When clauses: of each clause the first branch whose condition has become true acts.
 *   4. If none acted: sampled systems that are due are computed. When these have settled, they give states the values
 *      they have for them, once.
 * A circle is recognised by hashing relations, discrete variables and states and comparing with the hash of round 1, 2,
 * 4, 8, ... (Brent). A condition that is true at the start has become true there.
 *
 *   h < 0 becomes true -> bounces := pre(bounces) + 1, reinit v := -0.8*pre(v) -> h < 0 still true, not anew: done
 *
 * At the beginning values are those before the event (left), at the end those after it (right). */
#include <stdint.h>
#include <string.h>

#include "events/events.h"
#include "instance/delays.h"
#include "solve/store.h"

void fmr_remember_pre(FmrInstance* s) {
  for (unsigned k = 0; k < s->model->pre_count; k++) s->data.pre[k] = s->data.v[s->model->pre[k]];
}

/* ---- going round in circles -------------------------------------------------------------------------------------- */

typedef struct Circle {
  uint64_t remembered;
  unsigned round, next;
} Circle;

static uint64_t add_to_hash(uint64_t hash, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  hash ^= bits + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
  hash *= 0xBF58476D1CE4E5B9u;
  return hash ^ (hash >> 31);
}

static uint64_t hash_of(const FmrInstance* s) {
  const FmrModel* model = s->model;
  uint64_t hash = 1;
  for (unsigned i = 0; i < model->relations; i++) hash = add_to_hash(hash, s->data.held[i]);
  for (unsigned i = 0; i < model->branches; i++) hash = add_to_hash(hash, s->was_true[i]);
  for (unsigned i = 0; i < model->discrete; i++) hash = add_to_hash(hash, s->data.v[model->discrete_slot[i]]);
  for (unsigned i = 0; i < model->states; i++) hash = add_to_hash(hash, s->data.v[model->state[i]]);
  return hash;
}

/* Whether things are as they were in an earlier round. */
static int closed(Circle* circle, const FmrInstance* s) {
  uint64_t hash = hash_of(s);
  if (circle->round > 0 && hash == circle->remembered) return 1;
  if (circle->round == circle->next) {
    circle->remembered = hash;
    circle->next = circle->next ? 2 * circle->next : 1;
  }
  circle->round++;
  return 0;
}

/* A line more, if there is room. */
static void add_line(char* list, size_t size, const char* text) {
  const size_t used = strlen(list), length = strlen(text) < 250 ? strlen(text) : 250;
  if (used + length + 4 > size) return;
  memcpy(list + used, "\n  ", 3);
  memcpy(list + used + 3, text, length);
  list[used + 3 + length] = '\0';
}

/* Names the conditions that change and the branches of when clauses that act more than once, or, if there are none, at
 * all. */
static int report_unsettled(FmrInstance* s) {
  char list[1500] = "";
  double often = 1.0; /* changes of a condition that is named */
  for (unsigned i = 0; i < s->model->relations; i++) often = s->flips[i] >= 2.0 ? 2.0 : often;
  for (unsigned i = 0; i < s->model->relations; i++) {
    if (s->flips[i] >= often) add_line(list, sizeof list, s->model->relation[i].text);
  }
  const char* how = often > 1.0 ? "; these conditions change again and again:"
                    : list[0]   ? ": when clauses act again and again, after these conditions changed:"
                                : ": when clauses act again and again";
  char clauses[1500] = "";
  double most = 0.0;
  for (unsigned b = 0; b < s->model->branches; b++) most = s->acts[b] > most ? s->acts[b] : most;
  for (unsigned b = 0; b < s->model->branches && s->model->branch_text; b++) {
    if (s->acts[b] >= (most > 1.0 ? 2.0 : 1.0)) add_line(clauses, sizeof clauses, s->model->branch_text[b]);
  }
  fmr_host_report(&s->data, FMR_ERROR, "logStatusError", "the event at time %.15g does not come to an end%s%s%s%s",
                  s->data.v[0], how, list, clauses[0] ? "\nThese clauses act again and again:" : "", clauses);
  return 1;
}

/* ---- the parts of a round ---------------------------------------------------------------------------------------- */

static int settle_relations(FmrInstance* s, int* any) {
  const unsigned relations = s->model->relations;
  Circle circle = {0, 0, 0};
  int single = 0;
  for (unsigned round = 0, most = 2 * relations + 20;; round++) {
    /* values that do not exist on this side of a relation may exist on the other */
    const int failed = fmr_update_dynamic(s);
    if (!fmr_relations_update(s, single)) return failed;
    *any = 1;
    s->moment.dynamic_old = s->moment.outputs_old = 1;
    fmr_solve_store_jump(s->store);
    if (!closed(&circle, s) && round < most) continue;
    if (single) return report_unsettled(s);
    single = 1;
    circle = (Circle){0, 0, 0};
    round = 0;
    most = 50 * relations + 100;
  }
}

static int act(FmrInstance* s, unsigned branch) {
  double* before = s->states_before;
  s->acts[branch] += 1.0;
  fmr_get_states(s, before);
  int result = s->model->act(&s->data, branch);
  if (result & FMR_ACT_FAILED) return 1;
  if (result & FMR_ACT_TERMINATE) {
    s->moment.terminate = 1;
    fmr_host_report(&s->data, FMR_NOTE, "logEvents", "the model ends the simulation at time %.15g: %s", s->data.v[0],
                    s->data.text ? s->data.text : "no reason is given");
  }
  s->moment.dynamic_old = s->moment.outputs_old = 1;
  if (result & FMR_ACT_STATES) fmr_rest_watch(s, branch, before);
  return 0;
}

static int act_on_edges(FmrInstance* s, int* acted) {
  const FmrModel* model = s->model;
  if (!model->branches) return 0;
  memset(s->w, 0, model->branches * sizeof *s->w);
  model->conditions(&s->data, s->w);
  unsigned done = ~0u; /* the clause of which a branch has acted */
  for (unsigned b = 0; b < model->branches; b++) {
    const int now = s->w[b] != 0.0, before = s->was_true[b] != 0.0;
    s->was_true[b] = now;
    if (!now || before || model->clause[b] == done) continue;
    done = model->clause[b];
    *acted = 1;
    if (act(s, b)) return 1;
  }
  return 0;
}

static int iterate(FmrInstance* s, int* any) {
  const FmrModel* model = s->model;
  Circle circle = {0, 0, 0};
  const unsigned most = model->discrete + model->relations + model->branches + model->samples + 10;
  fmr_remember_pre(s);
  for (unsigned round = 0;; round++) {
    int acted = 0, computed = 0;
    if (settle_relations(s, any)) return 1;
    if (act_on_edges(s, &acted)) return 1;
    if (acted) {
      fmr_remember_pre(s);
    } else if (!s->moment.sampled && fmr_samples_compute(s, &computed)) {
      return 1;
    }
    if (!acted && !computed && !s->moment.sampled) computed = fmr_samples_overwrite(s);
    if (!acted && !computed && !fmr_rest_release(s)) return 0;
    *any = 1;
    fmr_solve_store_jump(s->store);
    /* values that pass from one sampled system to the next are not hashed: the number of rounds limits them */
    if ((!computed && closed(&circle, s)) || round >= most) return report_unsettled(s);
  }
}

/* Validity and termination, at the end of an event or step. */
static int check_run(FmrInstance* s) {
  const FmrModel* model = s->model;
  if (!model->checks && !model->terminations) return 0;
  if (fmr_update_outputs(s)) return 1;
  double *valid = s->condition, *terminate = s->condition + model->checks;
  model->conditions_of_run(&s->data, valid, terminate);
  for (unsigned k = 0; k < model->checks; k++) {
    if (valid[k] == 0.0 && s->was_valid[k] != 0.0) {
      fmr_host_report(&s->data, FMR_WARNING, "logStatusWarning", "not valid from time %.15g: %s", s->data.v[0],
                      model->check[k].text);
    }
    s->was_valid[k] = valid[k] != 0.0;
  }
  for (unsigned k = 0; k < model->terminations && !s->moment.terminate; k++) {
    if (terminate[k] == 0.0) continue;
    s->moment.terminate = 1;
    s->data.text = model->termination[k].text;
    fmr_host_report(&s->data, FMR_NOTE, "logEvents", "the model ends the simulation at time %.15g: %s", s->data.v[0],
                    s->data.text);
  }
  return 0;
}

static int report_memory(FmrInstance* s) {
  fmr_host_report(&s->data, FMR_ERROR, "logStatusError", "there is not enough memory");
  return 1;
}

static void note_changes(FmrInstance* s) {
  for (unsigned i = 0; i < s->model->relations; i++) {
    if (s->flips[i] == 0.0) continue;
    fmr_host_report(&s->data, FMR_NOTE, "logEvents", "event at time %.15g: %s becomes %g", s->data.v[0],
                    s->model->relation[i].text, s->data.held[i]);
  }
}

/* ---- the event --------------------------------------------------------------------------------------------------- */

static int happen(FmrInstance* s, int* any) {
  const int left_exists = !fmr_update_dynamic(s);
  if (left_exists && fmr_delays_accept(s, 0)) return report_memory(s);
  fmr_samples_begin(s);
  const unsigned touched = left_exists ? fmr_relations_touch(s) : 0;
  s->data.late = fmr_late(s);
  if (touched) { /* an instant at which equality holds, then the one after it */
    s->moment.dynamic_old = s->moment.outputs_old = 1;
    int acted = 0;
    fmr_remember_pre(s);
    if (fmr_update_dynamic(s) || act_on_edges(s, &acted)) return 1;
    s->moment.dynamic_old = *any = 1;
  }
  if (iterate(s, any)) return 1;
  if (fmr_choose_states(s, 0)) *any = 1;
  return fmr_update_dynamic(s) || check_run(s);
}

int fmr_event(FmrInstance* s, int* states_changed) {
  const size_t states = s->model->states;
  int any = 0;
  double* at_first = s->event_states;
  fmr_get_states(s, at_first);
  memset(s->flips, 0, s->model->relations * sizeof *s->flips);
  memset(s->acts, 0, s->model->branches * sizeof *s->acts);
  const int failed = happen(s, &any) || (fmr_delays_accept(s, 1) && report_memory(s));
  *states_changed = 0;
  for (size_t i = 0; i < states; i++) *states_changed |= s->data.v[s->model->state[i]] != at_first[i];
  if (!failed) {
    fmr_relations_settled(s);
    note_changes(s);
    fmr_samples_done(s);
    fmr_remember_pre(s);
    s->moment.next_event = fmr_next_event(s);
    s->moment.event_time = s->data.v[0];
    s->moment.inputs_changed = 0;
  }
  s->data.late = s->moment.late = s->data.v[0];
  s->moment.sampled = 0;
  if (any || *states_changed) s->moment.jumped = 1;
  return failed;
}

/* Roots of negative numbers are 0 on the way to an event; at points that are kept, one after the other and without an
 * event between them, they are somebody's mistake. */
static void check_roots(FmrInstance* s) {
  static const double kRounding = 1e-6;
  static const int kPatience = 3;
  if (!(s->data.below > kRounding)) {
    if (s->moment.roots_below < kPatience) s->moment.roots_below = 0;
    return;
  }
  if (s->moment.roots_below >= kPatience || ++s->moment.roots_below < kPatience) return;
  fmr_host_report(&s->data, FMR_WARNING, "logStatusWarning",
                  "sqrt(%.6g) at time %.15g, in a branch whose condition holds: it is taken as 0", -s->data.below,
                  s->data.v[0]);
}

int fmr_step_accepted(FmrInstance* s, int* event) {
  *event = 0;
  if (fmr_update_dynamic(s)) return 1;
  check_roots(s);
  if (fmr_delays_accept(s, 0)) return report_memory(s);
  fmr_solve_store_accept(s->store, &s->data);
  fmr_relations_observe(s);
  if (check_run(s)) return 1;
  *event = s->moment.terminate || fmr_states_badly_chosen(s);
  return 0;
}
