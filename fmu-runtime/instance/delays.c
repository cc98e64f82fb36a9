/* delay(u, T): what u was T ago.
 *
 * Problem: u is known only at the points that the integrator accepted, T may vary, u may jump, and the past must not
 * grow for ever.
 * Method: for every delay a list of points (t, u), oldest first. What is older than the longest delay of interest is
 * dropped, by moving a beginning along and compacting when half of the list is unused, so that a point costs constant
 * time on average. Between points a cubic through the four nearest ones is taken, as long as no jump lies between them;
 * a jump is two points at one time. Before the first point u is what it was there; behind the last one it is continued
 * along the line of the last two, which happens only within a step that is longer than T.
 *
 *   t  0    1    2    2    3          delay(u, 1) at time 3.5: t = 2.5, between the second point at 2 and the one
 *   u  0    1    2    7    8          at 3, nothing else on this side of the jump: 7.5
 *
 * A jump of u reappears T later; there the integrator is stopped, as at any time event. So does the bend at the start,
 * before which u was constant. */
#include "instance/delays.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "instance/instance.h"

/* The bend at the start comes back after the delay, smoother each time; after so many delays it does no harm. */
static const double kBends = 3.5;
static const double kTooNear = 1e-7; /* of the delay: points so near to each other say nothing but rounding errors */

typedef struct Past {
  double *time, *value; /* one allocation; `value` is its second half */
  size_t begin, end, room;
  double by;    /* the delay asked for last; 0: none */
  double asked; /* the same as the model said it, which may make no sense; of interest at the start only */
} Past;

struct FmrDelays {
  unsigned count;
  double shortest;
  double *value, *longest; /* room for FmrModel.delayed */
  Past past[];
};

FmrDelays* fmr_delays_new(unsigned count) {
  FmrDelays* delays = calloc(1, sizeof *delays + count * sizeof(Past));
  if (!delays) return NULL;
  delays->value = calloc(2 * (size_t)count + 1, sizeof(double));
  if (!delays->value) {
    free(delays);
    return NULL;
  }
  delays->longest = delays->value + count;
  delays->count = count;
  fmr_delays_clear(delays);
  return delays;
}

void fmr_delays_free(FmrDelays* delays) {
  if (!delays) return;
  for (unsigned k = 0; k < delays->count; k++) free(delays->past[k].time);
  free(delays->value);
  free(delays);
}

void fmr_delays_clear(FmrDelays* delays) {
  delays->shortest = INFINITY;
  for (unsigned k = 0; k < delays->count; k++) {
    delays->past[k].begin = delays->past[k].end = 0;
    delays->past[k].by = 0.0;
    delays->past[k].asked = 1.0;
  }
}

static int reserve(Past* past, size_t room) {
  if (room <= past->room) return 0;
  if (room > SIZE_MAX / (2 * sizeof(double))) return 1;
  double* both = malloc(2 * room * sizeof *both);
  if (!both) return 1;
  size_t length = past->end - past->begin;
  if (length) {
    memcpy(both, past->time + past->begin, length * sizeof *both);
    memcpy(both + room, past->value + past->begin, length * sizeof *both);
  }
  free(past->time);
  *past = (Past){both, both + room, 0, length, room, past->by, past->asked};
  return 0;
}

static int append(Past* past, double time, double value) {
  if (past->end == past->room) {
    if (past->begin > past->room / 2) {
      size_t length = past->end - past->begin;
      memmove(past->time, past->time + past->begin, length * sizeof(double));
      memmove(past->value, past->value + past->begin, length * sizeof(double));
      past->begin = 0;
      past->end = length;
    } else if (reserve(past, past->room ? 2 * past->room : 64)) {
      return 1;
    }
  }
  past->time[past->end] = time;
  past->value[past->end++] = value;
  return 0;
}

/* The first point later than t. */
static size_t first_after(const Past* past, double t) {
  size_t low = past->begin, high = past->end;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (past->time[middle] > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

int fmr_delays_begin(FmrInstance* s) {
  FmrDelays* delays = s->delays;
  if (!delays->count) return 0;
  s->model->delayed(&s->data, delays->value, delays->longest);
  int news = 0;
  for (unsigned k = 0; k < delays->count; k++) {
    Past* past = &delays->past[k];
    if (past->end == past->begin + 2 && fmr_same_value(past->value[past->begin], delays->value[k])) continue;
    past->begin = past->end = 0;
    /* twice: what was constant until now has a bend here */
    if (append(past, s->data.v[0], delays->value[k]) || append(past, s->data.v[0], delays->value[k])) return -1;
    news = 1;
  }
  return news;
}

static int is_jump(const Past* past, size_t at) { return at > past->begin && past->time[at] == past->time[at - 1]; }

/* One point more, at `now`. */
static int accept(Past* past, double now, double value, double longest, int bend) {
  while (past->end > past->begin && past->time[past->end - 1] > now) past->end--; /* the environment went back */
  if (past->end > past->begin) {
    const size_t last = past->end - 1;
    const double gap = now - past->time[last];
    if (gap == 0.0) {
      if (past->value[last] == value && !bend) return 0;
      if (is_jump(past, last)) past->end--; /* of many values at one time the first and the last count */
    } else if (gap <= kTooNear * fmax(longest, past->by)) {
      if (is_jump(past, last)) return 0;
      past->end--;
    }
  }
  if (append(past, now, value)) return 1;
  const double oldest = now - fmax(longest, past->by);
  while (past->end - past->begin > 4 && past->time[past->begin + 2] < oldest) past->begin++;
  return 0;
}

int fmr_delays_accept(FmrInstance* s, int event) {
  FmrDelays* delays = s->delays;
  if (!delays->count) return 0;
  const double now = s->data.v[0];
  s->model->delayed(&s->data, delays->value, delays->longest);
  for (unsigned k = 0; k < delays->count; k++) {
    Past* past = &delays->past[k];
    const int bend = event && now - s->moment.start <= kBends * past->by;
    if (accept(past, now, delays->value[k], delays->longest[k], bend)) return 1;
  }
  return 0;
}

double fmr_delays_next_jump(const FmrInstance* s, double after) {
  double next = INFINITY;
  for (unsigned k = 0; k < s->delays->count; k++) {
    const Past* past = &s->delays->past[k];
    if (past->by == 0.0) continue;
    for (size_t i = first_after(past, after - past->by); i + 1 < past->end; i++) {
      if (past->time[i] != past->time[i + 1]) continue;
      double arrival = past->time[i] + past->by;
      if (arrival > after && arrival < next) next = arrival;
      break;
    }
  }
  return next;
}

double fmr_delays_shortest(const FmrInstance* s) { return s->delays->shortest; }

/* Through points [first, last) at t, by Neville's scheme. */
static double through(const Past* past, size_t first, size_t last, double t) {
  double p[4];
  const double* x = past->time + first;
  size_t n = last - first;
  memcpy(p, past->value + first, n * sizeof *p);
  for (size_t width = 1; width < n; width++) {
    for (size_t i = 0; i + width < n; i++) {
      p[i] = ((t - x[i + width]) * p[i] - (t - x[i]) * p[i + 1]) / (x[i] - x[i + width]);
    }
  }
  return p[0];
}

static const char* text_of(const FmrModel* model, unsigned number) {
  return model->delay_text ? model->delay_text[number] : "its equation is not known";
}

int fmr_delays_check(FmrInstance* s) {
  const FmrDelays* delays = s->delays;
  for (unsigned k = 0; k < delays->count; k++) {
    const double least = fmin(delays->longest[k], delays->past[k].asked);
    if (least > 0.0) continue;
    fmr_host_report(&s->data, FMR_ERROR, "logStatusError", "a delay must be greater than 0, but is %g at the start: %s",
                    least, text_of(s->model, k));
    return 1;
  }
  return 0;
}

/* The delay `by` at the present time. During an event a value that jumps now is the one after the jump. */
double fmr_delay(FmrData* m, unsigned number, double by) {
  FmrInstance* s = m->host;
  Past* past = &s->delays->past[number];
  if (past->begin == past->end) return 0.0; /* before the first evaluation at the start */
  past->asked = by;
  if (!(by >= 0.0)) {
    if (!m->initializing)
      fmr_host_report(m, FMR_WARNING, "logStatusWarning", "the delay is %g at time %.15g, taken as 0: %s", by, m->v[0],
                      text_of(s->model, number));
    by = 0.0;
  }
  past->by = by;
  if (by > 0.0 && by < s->delays->shortest) s->delays->shortest = by;
  const double t = m->late - by;
  size_t right = first_after(past, t);
  if (right == past->begin) return past->value[right];
  if (right == past->end && past->end - past->begin == 1) return past->value[past->begin];
  if (right == past->end) right--;
  size_t first = right - 1, last = right + 1;
  if (past->time[first] == past->time[right]) return past->value[right]; /* behind a jump that was the last point */
  if (t > past->time[right]) return through(past, first, last, t);
  if (first > past->begin && past->time[first - 1] < past->time[first]) first--;
  if (last < past->end && past->time[last] > past->time[last - 1]) last++;
  return through(past, first, last, t);
}

size_t fmr_delays_size(const FmrDelays* delays) {
  size_t size = 1;
  for (unsigned k = 0; k < delays->count; k++) size += 2 + 2 * (delays->past[k].end - delays->past[k].begin);
  return size;
}

void fmr_delays_save(const FmrDelays* delays, double* to) {
  *to++ = delays->shortest;
  for (unsigned k = 0; k < delays->count; k++) {
    const Past* past = &delays->past[k];
    size_t length = past->end - past->begin;
    *to++ = past->by;
    *to++ = (double)length;
    if (!length) continue;
    memcpy(to, past->time + past->begin, length * sizeof *to);
    memcpy(to + length, past->value + past->begin, length * sizeof *to);
    to += 2 * length;
  }
}

int fmr_delays_load(FmrDelays* delays, const double* from, size_t count) {
  const double *p = from, *stop = from + count;
  if (p == stop) return 1;
  p++;
  for (unsigned k = 0; k < delays->count; k++) { /* first make sure that all will go well */
    if (stop - p < 2 || !(p[1] >= 0.0 && p[1] <= (double)(stop - p))) return 1;
    size_t length = (size_t)p[1];
    if ((size_t)(stop - p) < 2 + 2 * length || reserve(&delays->past[k], length + 1)) return 1;
    p += 2 + 2 * length;
  }
  if (p != stop) return 1;
  delays->shortest = *from++;
  for (unsigned k = 0; k < delays->count; k++) {
    Past* past = &delays->past[k];
    size_t length = (size_t)from[1];
    past->by = from[0];
    past->begin = 0;
    past->end = length;
    memcpy(past->time, from + 2, length * sizeof *from);
    memcpy(past->value, from + 2 + length, length * sizeof *from);
    from += 2 + 2 * length;
  }
  return 0;
}
