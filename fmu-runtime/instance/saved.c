/* A state of an instance as bytes.
 *
 * Problem: what is restored must go on exactly as what was saved, in another instance, process or place; and bytes from
 * outside must not do harm.
 * Method: nothing that is kept contains an address (instance.h), so blocks are copied one after the other behind a
 * header that says which model and which lengths they are of. Loading checks all of that before it changes anything.
 *
 *   header | moment | numbers ... | solutions of loops ... | delays ... */
#include <string.h>

#include "instance/delays.h"
#include "instance/instance.h"
#include "solve/store.h"

/* Changes with the layout of what is saved. */
static const double kLayout = 1.0;

typedef struct Header {
  double layout, model, size;        /* model: a number made of its guid */
  double numbers, solutions, delays; /* how many doubles */
} Header;

static double identity(const FmrModel* model) {
  unsigned long long hash = 1469598103934665603ULL; /* Fowler, Noll, Vo */
  for (const char* p = model->guid; p && *p; p++) hash = (hash ^ (unsigned char)*p) * 1099511628211ULL;
  return (double)(hash >> 12);
}

static Header header_of(const FmrInstance* s) {
  Header header = {kLayout,
                   identity(s->model),
                   0.0,
                   (double)s->number_count,
                   (double)fmr_solve_store_size(s->store),
                   (double)fmr_delays_size(s->delays)};
  header.size = (double)(sizeof(Header) + sizeof(FmrMoment)) +
                (header.numbers + header.solutions + header.delays) * (double)sizeof(double);
  return header;
}

size_t fmr_saved_size(const FmrInstance* s) { return (size_t)header_of(s).size; }

void fmr_save(const FmrInstance* s, unsigned char* to) {
  const Header header = header_of(s);
  memcpy(to, &header, sizeof header);
  to += sizeof header;
  memcpy(to, &s->moment, sizeof s->moment);
  to += sizeof s->moment;
  memcpy(to, s->numbers, s->number_count * sizeof(double));
  to += s->number_count * sizeof(double);
  /* header, moment and doubles are multiples of eight bytes long, so what was allocated is aligned here */
  fmr_solve_store_save(s->store, (double*)(void*)to);
  to += (size_t)header.solutions * sizeof(double);
  fmr_delays_save(s->delays, (double*)(void*)to);
}

/* Where the parts begin. */
typedef struct Parts {
  const unsigned char *moment, *numbers, *solutions, *delays;
  size_t delay_count;
} Parts;

static int find_parts(const FmrInstance* s, const unsigned char* from, size_t size, Parts* parts) {
  Header header, mine = header_of(s);
  FmrMoment moment;
  if (size < sizeof header + sizeof moment) return 1;
  memcpy(&header, from, sizeof header);
  if (header.layout != mine.layout || header.model != mine.model || header.size != (double)size ||
      header.numbers != mine.numbers || header.solutions != mine.solutions || !(header.delays >= 0.0)) {
    return 1;
  }
  const double rest = (double)size - (double)(sizeof header + sizeof moment) -
                      (header.numbers + header.solutions) * (double)sizeof(double);
  if (rest != header.delays * (double)sizeof(double)) return 1;
  parts->moment = from + sizeof header;
  parts->numbers = parts->moment + sizeof moment;
  parts->solutions = parts->numbers + s->number_count * sizeof(double);
  parts->delays = parts->solutions + (size_t)header.solutions * sizeof(double);
  parts->delay_count = (size_t)header.delays;
  memcpy(&moment, parts->moment, sizeof moment);
  return moment.rest_relation < -1 || moment.rest_relation >= (int)s->model->relations || moment.option_solver < 1 ||
         moment.option_solver > (int)FMR_SOLVER_RK4 + 1;
}

int fmr_saved_fits(const FmrInstance* s, const unsigned char* from, size_t size) {
  Parts parts;
  return !find_parts(s, from, size, &parts);
}

int fmr_load(FmrInstance* s, const unsigned char* from, size_t size) {
  Parts parts;
  if (find_parts(s, from, size, &parts)) return 1;
  if (fmr_delays_load(s->delays, (const double*)(const void*)parts.delays, parts.delay_count)) return 1;
  memcpy(&s->moment, parts.moment, sizeof s->moment);
  memcpy(s->numbers, parts.numbers, s->number_count * sizeof(double));
  fmr_solve_store_load(s->store, (const double*)(const void*)parts.solutions);
  fmr_solve_store_parameters_changed(s->store); /* factors are of other parameters, perhaps */
  s->data.late = s->moment.late;
  s->data.initializing = s->moment.initializing;
  s->moment.jumped = 1;
  /* computed anew, so that runs from this state do not depend on what the instance had computed before */
  s->moment.dynamic_old = s->moment.outputs_old = 1;
  return 0;
}
