/* One instance of a model: its numbers, what of them is out of date, and how to bring them up to date.
 *
 * Everything that decides how the simulation goes on lives in three places, so that saving a state forgets nothing:
 * `moment` (plain numbers), `numbers` (one block of doubles, cut into the arrays below), and `delays`. Solutions of
 * loops are saved as well, since a loop may have several solutions. All else can be computed from these. */
#ifndef FMU_RUNTIME_INSTANCE_INSTANCE_H
#define FMU_RUNTIME_INSTANCE_INSTANCE_H

#include <stddef.h>

#include "instance/host.h"

typedef struct FmrDelays FmrDelays; /* delays.h */

/* Relative tolerances that make sense: below, rounding errors count for more; above, nothing is right any more. */
#define FMR_LEAST_TOLERANCE 1e-13
#define FMR_GREATEST_TOLERANCE 0.1

enum { FMR_INPUT_ORDERS = 6 }; /* derivatives of inputs that are known to a step */

typedef struct FmrMoment {
  double start, stop; /* of the experiment; stop is infinite if not given */
  double tolerance;   /* of the environment; 0: not given */
  double option_tolerance, option_step;
  double next_event;       /* when; infinite: none */
  double late, event_time; /* FmrData.late; time of the last event */
  double rest_since;
  double input_time; /* where the derivatives of inputs count from */
  int option_solver; /* FmrSolver + 1 */
  int initializing;
  int initial_old, parameters_old, dynamic_old, outputs_old; /* out of date */
  int jumped;         /* states, rates or inputs are not what they were: an integrator must start anew */
  int inputs_changed; /* since the last event */
  int terminate;      /* the model wants to end the simulation */
  int sampled;        /* sampled systems have set states at this instant: events/schedule.c */
  int resting;        /* number of states that rest: events/rest.c */
  int rest_relation;  /* whose indicator tells when rest ends; -1: none */
  int inputs_vary;    /* inputs follow their derivatives in the present step */
  int inputs_varied;  /* and they did in the step before */
  int roots_below;    /* steps in a row at whose ends a root of a negative number was taken as 0 */
  int mode;           /* of whoever owns the instance */
} FmrMoment;

typedef struct FmrInstance {
  const FmrModel* model;
  FmrData data; /* data.host is this */
  FmrMoment moment;
  FmrSolveStore* store;
  FmrDelays* delays;
  unsigned indicators; /* relations that are not timed */

  double* numbers;
  size_t number_count;
  /* arrays within numbers */
  double* start; /* by slot: values that initialization starts from */
  double *scale, *side, *growth, *last_flip, *flip_before, *quick, *pace; /* by relation: events/relations.c */
  double* was_true;                           /* by branch: its condition at the last iteration */
  double *acted, *longest, *strongest, *weak; /* by branch: events/rest.c */
  double* rest;                               /* by state: sign of the rate that is suppressed; 0: it does not rest */
  double *period, *offset, *instant, *taken;  /* by sample: events/schedule.c */
  double* was_valid;                          /* by check */
  double *input_base, *input_rate; /* by input: its value at input_time; its derivatives, FMR_INPUT_ORDERS of each */

  /* room to work, holding nothing between calls */
  double *z, *instants, *flips, *acts, *natural, *states_before, *event_states, *rest_room, *w, *condition, *discrete_before,
      *values_before, *choice_room;
  unsigned char* need; /* by slot: FmrNeed */

  void (*say)(void* who, FmrLevel level, const char* category, const char* text); /* or null */
  void* listener;
  const char* failure_category; /* of the last error; null: none */
  char failure[2048];
} FmrInstance;

/* What must be up to date for a slot to be read. */
typedef enum FmrNeed { FMR_NEED_NOTHING, FMR_NEED_DYNAMIC, FMR_NEED_OUTPUTS } FmrNeed;

/* As instantiated: start values, time is the model's start time. Null if memory is short. */
FmrInstance* fmr_instance_new(const FmrModel* model);
void fmr_instance_free(FmrInstance* instance);
/* Back to that, without allocating. */
void fmr_instance_reset(FmrInstance* instance);

/* ---- evaluate.c: setting marks as out of date, reading brings up to date ----------------------------------------- */

/* Whether two solutions of the same equations differ by no more than the iteration of a loop leaves open. */
int fmr_same_value(double a, double b);
void fmr_set_time(FmrInstance* instance, double time);
void fmr_set_states(FmrInstance* instance, const double* x);
/* A slot that is an input, a state, a parameter or has a start value. */
void fmr_set_value(FmrInstance* instance, FmrSlot slot, double value);
void fmr_get_states(const FmrInstance* instance, double* x);
void fmr_get_rates(const FmrInstance* instance, double* rate); /* after fmr_update_dynamic */
/* Zero, or nonzero after a report. While the instance initializes, both find initial values. */
int fmr_update_parameters(FmrInstance* instance);
int fmr_update_dynamic(FmrInstance* instance);
int fmr_update_outputs(FmrInstance* instance);
int fmr_rates_are_finite(FmrInstance* instance); /* reports if not */
/* Tangents of everything, for tangents of known slots; d of slot k is in instance->data.d afterwards and must be
 * cleared by fmr_clear_tangents. Nonzero: not available, or failed. */
int fmr_tangents(FmrInstance* instance, size_t known_count, const FmrSlot* known, const double* seed, FmrNeed need);
/* The same while the instance initializes, when parameters and start values are known. After fmr_update_outputs. */
int fmr_start_tangents(FmrInstance* instance, size_t known_count, const FmrSlot* known, const double* seed);
void fmr_clear_tangents(FmrInstance* instance);

/* Solver, tolerance and step to use: options, then environment, then model. */
FmrSolver fmr_chosen_solver(const FmrInstance* instance);
double fmr_chosen_tolerance(const FmrInstance* instance);

/* ---- report.c ---------------------------------------------------------------------------------------------------- */

void fmr_forget_failure(FmrInstance* instance);
/* The text of the last error since then, or `otherwise`. */
const char* fmr_failure(const FmrInstance* instance, const char* otherwise);

/* ---- saved.c: all of it as bytes, for the same model, in this or another process --------------------------------- */

/* Bytes have the alignment of double. */
size_t fmr_saved_size(const FmrInstance* instance);
void fmr_save(const FmrInstance* instance, unsigned char* to);
int fmr_saved_fits(const FmrInstance* instance, const unsigned char* from, size_t size);
/* Nonzero if the bytes are not a state of this model, or memory is short; the instance is unchanged then. */
int fmr_load(FmrInstance* instance, const unsigned char* from, size_t size);

#endif
