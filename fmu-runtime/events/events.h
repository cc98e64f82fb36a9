/* Events: what happens at an instant, and when the next one is. */
#ifndef FMU_RUNTIME_EVENTS_EVENTS_H
#define FMU_RUNTIME_EVENTS_EVENTS_H

#include "instance/instance.h"

/* ---- initialize.c ------------------------------------------------------------------------------------------------ */

/* Initial values of everything from what was set; does nothing if nothing was set since. Nonzero after a report. */
int fmr_initialize(FmrInstance* instance);
/* The same, and the end of initialization: from now on time runs. The first event is still to come. */
int fmr_end_initialization(FmrInstance* instance);

/* ---- iterate.c --------------------------------------------------------------------------------------------------- */

/* The whole event at the present time: relations, when clauses, sampled systems, until nothing changes any more; then
 * the choice of states, checks, and moment.next_event. *states_changed tells exactly whether a state has another value
 * than before. Nonzero after a report. */
int fmr_event(FmrInstance* instance, int* states_changed);
/* A step has been accepted at the present time. *event: something needs an event now. Nonzero after a report. */
int fmr_step_accepted(FmrInstance* instance, int* event);

/* pre := present values. */
void fmr_remember_pre(FmrInstance* instance);

/* ---- relations.c ------------------------------------------------------------------------------------------------- */

/* Relations from the present values, whatever they were. Returns how many changed. For initialization. */
unsigned fmr_relations_assign(FmrInstance* instance);
/* The same during an event, when one that has changed already changes back only if it is clearly beyond zero; with
 * `single` only the first that differs. Counts in instance->flips. */
unsigned fmr_relations_update(FmrInstance* instance, int single);
/* x = 0 is true for an instant when x passes through zero: sets such relations, returns how many. */
unsigned fmr_relations_touch(FmrInstance* instance);
/* After an event: the sides on which the relations are, and whether they chatter. */
void fmr_relations_settled(FmrInstance* instance);
/* Scales grow with what is seen. */
void fmr_relations_observe(FmrInstance* instance);
/* By relation that is not timed: > 0 or <= 0, changing between these where an event is needed; about 1 in size. */
void fmr_indicators(FmrInstance* instance, double* indicator);
double fmr_indicator(FmrInstance* instance, unsigned relation); /* the same of one */

/* ---- schedule.c -------------------------------------------------------------------------------------------------- */

void fmr_schedule_start(FmrInstance* instance); /* instants of sampled systems, from parameters */
int fmr_sample_due(const FmrInstance* instance, unsigned sample);
void fmr_samples_begin(FmrInstance* instance); /* states of systems that are due take their next values */
int fmr_samples_compute(FmrInstance* instance, int* changed); /* computes those that are due; nonzero: failed */
/* Those that are due give states their new values, after which they are not computed again at this instant, since they
 * have seen the old ones: moment.sampled. Nonzero: a state changed. */
int fmr_samples_overwrite(FmrInstance* instance);
void fmr_samples_done(FmrInstance* instance);                 /* those that were due wait for the instant after */
/* Time as it is seen by timed relations during an event at the present time. */
double fmr_late(FmrInstance* instance);
double fmr_next_event(FmrInstance* instance);

/* ---- state_sets.c ------------------------------------------------------------------------------------------------ */

size_t fmr_state_sets_room(const FmrModel* model); /* of FmrInstance.choice_room */
/* Whether another choice of states is better, by a margin. */
int fmr_states_badly_chosen(FmrInstance* instance);
/* Chooses; nonzero if a choice changed. `always`: the best one, whatever the present one is. */
int fmr_choose_states(FmrInstance* instance, int always);

/* ---- rest.c ------------------------------------------------------------------------------------------------------ */

/* A branch set states to other values, `before` being those before it. Nonzero: the states have come to rest. */
int fmr_rest_watch(FmrInstance* instance, unsigned branch, const double* before);
/* Rates of resting states are zero. After dynamic(). */
void fmr_suppress_rates(FmrInstance* instance);
/* Ends rest that nothing enforces any more. Nonzero: it ended. After fmr_update_dynamic(). */
int fmr_rest_release(FmrInstance* instance);
/* What is > 0 as long as states rest. */
double fmr_rest_indicator(const FmrInstance* instance);

#endif
