/* The past of what delay(u, T) looks back at: for every delay of the model the values at accepted points. */
#ifndef FMU_RUNTIME_INSTANCE_DELAYS_H
#define FMU_RUNTIME_INSTANCE_DELAYS_H

#include <stddef.h>

typedef struct FmrInstance FmrInstance;
typedef struct FmrDelays FmrDelays;

FmrDelays* fmr_delays_new(unsigned count); /* null if memory is short */
void fmr_delays_free(FmrDelays* delays);   /* null is fine */
void fmr_delays_clear(FmrDelays* delays);

/* The start: the past is what the delayed expression is now. 1 if that differs from what was known: values that depend
 * on the past are to be computed anew. Negative if memory is short. */
int fmr_delays_begin(FmrInstance* instance);
/* At the end of initialization: nonzero after a report if a delay is not greater than 0. */
int fmr_delays_check(FmrInstance* instance);
/* The present values become part of the past, at the end of a step or before and after an `event`. A second point at
 * the same time is a jump. Nonzero if memory is short. */
int fmr_delays_accept(FmrInstance* instance, int event);
/* When a jump of the past arrives: the first instant after `after`; infinite if there is none. */
double fmr_delays_next_jump(const FmrInstance* instance, double after);
/* The shortest delay asked for so far; infinite if there is none. */
double fmr_delays_shortest(const FmrInstance* instance);

/* As plain numbers, for saved states. */
size_t fmr_delays_size(const FmrDelays* delays); /* in doubles */
void fmr_delays_save(const FmrDelays* delays, double* to);
/* Nonzero if the numbers make no sense, or memory is short: then nothing has changed. `count` of them are there. */
int fmr_delays_load(FmrDelays* delays, const double* from, size_t count);

#endif
