/* Problem: bring x from one time to another, or to the first root of an event function, with any of the methods.
 *
 * Method: methods make steps whose inside can be interpolated; this driver consumes them. `at` is the point returned
 * last, [from, to] the last step: at <= to always. An advance uses up what is left of that, then makes another:
 *
 *     advance to 1.0          step [0, 0.7], no root: at = 0.7;  step [0.7, 1.3], no root up to 1.0: at = 1.0, reached
 *     advance to 2.0          what is left, [1.0, 1.3], has a root at 1.2: at = 1.2, root
 *
 * If the problem cannot be evaluated beyond the end, steps are limited to it. Fixed steps always end there.
 *
 * Root functions are evaluated at the beginning of each advance, since an event may have changed them. Where one has
 * headed for zero in the step before, changes back and forth within the step are looked for, too; within the first of
 * the fixed steps after an event, always.
 *
 * The tolerance may allow steps that are too coarse for events, as for a ball that bounces lower than that: implicit
 * methods of first order let it fall at once. So the first step, unless its length is fixed, is not longer than twice
 * the time in which a function that heads for zero would reach it, and a step at whose beginning a function turns to
 * zero although its true slope leads away is made anew, shorter. */
#include "integrate/integrator.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "integrate/method.h"

enum { STEPS_MOST = 1000000, SHORTER_MOST = 12 };
/* So many steps that get no farther than this part of the time itself, its last bits, get nowhere: CVODE goes on for
 * ever in front of a point behind which there are no rates. */
enum { STEPS_OF_PROGRESS = 1000 };
static const double PROGRESS = 64 * DBL_EPSILON;
/* Times in which everything is a straight line, as parts of an advance and of a step. */
static const double FIRST_GLANCE = 1.0 / (1 << 27), GLANCE = 1.0 / (1 << 10);

struct FmrIntegrator {
  FmrRun run;
  const FmrMethod* method;
  void* state;
  double from, to, at;
  double *x_from, *x_to;   /* at the ends of the last step */
  double* rate;            /* room for rates nobody keeps */
  double* x_inside;        /* room for a point inside the last step */
  double *z_at, *z_to, *z; /* root functions */
  double* z_before;        /* root functions at `before`; behind them room for a search */
  double before;           /* earlier than `at`, with no event between; NaN: no such point is known */
  double shorter;          /* the length of the next step at most; infinite: it is free */
  unsigned repeats;        /* of the last step, each time shorter */
  int started;
};

static const FmrMethod* method_of(const FmrIntegratorOptions* options, unsigned n) {
  if (n == 0) return &fmr_still;
  switch (options->method) {
    case FMR_SOLVER_CVODE:
    case FMR_SOLVER_ADAMS: return fmr_cvode;
    case FMR_SOLVER_IDA: return fmr_ida;
    case FMR_SOLVER_DOPRI45: return &fmr_dopri45;
    case FMR_SOLVER_EULER:
    case FMR_SOLVER_HEUN:
    case FMR_SOLVER_RK4: return &fmr_fixed;
    case FMR_SOLVER_AUTO: break;
  }
  return NULL;
}

int fmr_integrator_linked(const FmrProblem* problem, const FmrIntegratorOptions* options) {
  return method_of(options, problem->n) != NULL;
}

FmrIntegrator* fmr_integrator_new(const FmrProblem* problem, const FmrIntegratorOptions* options) {
  const FmrMethod* method = method_of(options, problem->n);
  FmrIntegrator* integrator = method ? calloc(1, sizeof *integrator) : NULL;
  if (!integrator) return NULL;
  integrator->run.problem = *problem;
  integrator->run.options = *options;
  if (!(integrator->run.options.tolerance > 0.0)) integrator->run.options.tolerance = 1e-6;
  if (!integrator->run.options.most_steps) integrator->run.options.most_steps = STEPS_MOST;
  integrator->method = method;
  integrator->x_from = calloc(problem->n + 1, sizeof(double));
  integrator->x_to = calloc(problem->n + 1, sizeof(double));
  integrator->rate = calloc(problem->n + 1, sizeof(double));
  integrator->x_inside = calloc(problem->n + 1, sizeof(double));
  integrator->z_at = calloc(problem->roots + 1, sizeof(double));
  integrator->z_to = calloc(problem->roots + 1, sizeof(double));
  integrator->z = calloc(problem->roots + 1, sizeof(double));
  integrator->z_before = calloc(4 * (size_t)problem->roots + 1, sizeof(double));
  if (integrator->x_from && integrator->x_to && integrator->rate && integrator->x_inside && integrator->z_at &&
      integrator->z_to && integrator->z && integrator->z_before) {
    integrator->state = method->create(&integrator->run);
  }
  if (integrator->state) return integrator;
  fmr_integrator_free(integrator);
  return NULL;
}

void fmr_integrator_free(FmrIntegrator* integrator) {
  if (!integrator) return;
  if (integrator->state) integrator->method->destroy(integrator->state);
  free(integrator->x_from);
  free(integrator->x_to);
  free(integrator->rate);
  free(integrator->x_inside);
  free(integrator->z_at);
  free(integrator->z_to);
  free(integrator->z);
  free(integrator->z_before);
  free(integrator);
}

static int roots_at(FmrIntegrator* integrator, double t, const double* x, double* z) {
  FmrRun* run = &integrator->run;
  if (run->problem.roots == 0) return 0;
  run->statistics.roots++;
  run->why = "the conditions of events cannot be evaluated";
  run->worst_known = 0;
  return run->problem.root(run->problem.who, t, x, z);
}

/* x at `at`. */
static int point(FmrIntegrator* integrator, double* x) {
  if (integrator->at == integrator->to) {
    fmr_copy(x, integrator->x_to, integrator->run.problem.n);
    return 0;
  }
  return integrator->method->inside(integrator->state, integrator->at, x);
}

static void explain(FmrIntegrator* integrator, double end) {
  FmrRun* run = &integrator->run;
  if (!run->problem.message) return;
  char blamed[900] = "";
  if (run->worst_known) {
    char number[48];
    snprintf(number, sizeof number, "state %u of %u", run->worst + 1, run->problem.n);
    snprintf(blamed, sizeof blamed, "; the largest error is that of %s, whose value is %g",
             run->problem.name ? run->problem.name[run->worst] : number, integrator->x_to[run->worst]);
  }
  char text[1300];
  snprintf(text, sizeof text, "the integration stops at time %.15g on the way to %.15g, since %s%s", integrator->at,
           end, run->why ? run->why : "no step could be made", blamed);
  run->problem.message(run->problem.who, text);
}

int fmr_integrator_restart(FmrIntegrator* integrator, double t, const double* x) {
  integrator->from = integrator->to = integrator->at = t;
  integrator->before = NAN;
  integrator->shorter = INFINITY;
  integrator->repeats = 0;
  fmr_copy(integrator->x_to, x, integrator->run.problem.n);
  integrator->run.why = NULL;
  integrator->run.worst_known = 0;
  integrator->started = integrator->method->restart(integrator->state, t, x) == 0;
  if (!integrator->started) explain(integrator, t);
  return !integrator->started;
}

/* Whether root functions might change twice between a and b. */
static int may_hide_roots(const FmrIntegrator* integrator, double a, double b) {
  if (isnan(integrator->before)) return integrator->method->fixed;
  return fmr_heads_for_zero(integrator->run.problem.roots, integrator->z_at, integrator->z_before,
                            (b - a) / (a - integrator->before));
}

/* z a little behind `from`, x being the point there, by the rates. */
static int glance_ahead(FmrIntegrator* integrator, double from, double glance, const double* x) {
  FmrRun* run = &integrator->run;
  const double t = from + glance;
  if (!(t > from) || fmr_run_rates(run, from, x, integrator->rate)) return 1;
  for (unsigned j = 0; j < run->problem.n; j++) integrator->x_inside[j] = x[j] + glance * integrator->rate[j];
  return roots_at(integrator, t, integrator->x_inside, integrator->z);
}

/* Where the first step is to end at the latest, x being the point from which it starts. */
static double first_limit(FmrIntegrator* integrator, double end, const double* x) {
  FmrRun* run = &integrator->run;
  const double glance = FIRST_GLANCE * (end - integrator->at);
  if (glance_ahead(integrator, integrator->at, glance, x)) return INFINITY;
  double limit = integrator->at + 2.0 * glance * fmr_first_zero(run->problem.roots, integrator->z_at, integrator->z);
  return fmax(limit, integrator->at + 100.0 * DBL_EPSILON * fmax(fabs(end), fabs(integrator->at)));
}

/* The next step, to be consumed. */
static int make_step(FmrIntegrator* integrator, double limit, double end, double* x) {
  FmrRun* run = &integrator->run;
  const int fresh = isnan(integrator->before) && run->problem.roots > 0 && !integrator->method->fixed;
  const double first = fresh ? first_limit(integrator, end, integrator->x_to) : INFINITY;
  const double shorter = fmin(first, integrator->at + integrator->shorter);
  double to = integrator->to;
  run->why = NULL;
  run->worst_known = 0;
  fmr_copy(integrator->x_from, integrator->x_to, run->problem.n);
  if (integrator->method->step(integrator->state, fmin(limit, shorter), fmin(end, shorter), &to, x)) return 1;
  integrator->from = integrator->to;
  integrator->to = to;
  integrator->shorter = INFINITY;
  fmr_copy(integrator->x_to, x, run->problem.n);
  run->statistics.steps++;
  return 0;
}

/* Whether a root function that has changed between the ends of the last step goes there at once, by the inside of the
 * step, although its slope leads away. */
static int misleading(FmrIntegrator* integrator) {
  FmrRun* run = &integrator->run;
  const double from = integrator->from, glance = GLANCE * (integrator->to - from);
  double* z_inside = integrator->z_before + run->problem.roots;
  if (integrator->repeats >= SHORTER_MOST) return 0;
  if (integrator->method->inside(integrator->state, from + glance, integrator->x_inside) ||
      roots_at(integrator, from + glance, integrator->x_inside, z_inside)) {
    return 0;
  }
  if (glance_ahead(integrator, from, glance, integrator->x_from)) return 0;
  for (unsigned i = 0; i < run->problem.roots; i++) {
    double start = integrator->z_at[i], away = start > 0.0 ? 1.0 : -1.0;
    if (!fmr_changed_side(1, &start, &integrator->z_to[i])) continue;
    if (away * (z_inside[i] - start) < 0.0 && away * (integrator->z[i] - start) > 0.0) return 1;
  }
  return 0;
}

/* As if the last step had not been made; the next one is shorter. */
static int take_back(FmrIntegrator* integrator) {
  integrator->shorter = (integrator->to - integrator->from) / 8.0;
  integrator->repeats++;
  integrator->at = integrator->to = integrator->from;
  fmr_copy(integrator->x_to, integrator->x_from, integrator->run.problem.n);
  return integrator->method->restart(integrator->state, integrator->at, integrator->x_to);
}

/* What is left of the last step, up to `end` at most. */
static int consume(FmrIntegrator* integrator, double end, double* x, int* root) {
  double to = integrator->to < end ? integrator->to : end;
  double before = integrator->at;
  unsigned roots = integrator->run.problem.roots;
  integrator->at = to;
  if (point(integrator, x)) return 1;
  if (roots == 0) return 0;
  if (roots_at(integrator, to, x, integrator->z_to)) {
    integrator->at = before;
    return 1;
  }
  *root = fmr_changed_side(roots, integrator->z_at, integrator->z_to);
  if (*root && before == integrator->from && misleading(integrator)) {
    *root = 0;
    return take_back(integrator);
  }
  integrator->repeats = 0;
  FmrRootSearch search = {&integrator->run, integrator->method, integrator->state,           integrator->z_at,
                          integrator->z_to, integrator->z,      integrator->z_before + roots};
  double change = *root ? to : NAN;
  int failed = !*root && may_hide_roots(integrator, before, to) &&
               fmr_look_inside(&search, before, to, &change, integrator->x_inside);
  *root = !isnan(change);
  if (failed || (*root && fmr_find_root(&search, before, change, &integrator->at, x))) {
    integrator->at = before;
    return 1;
  }
  if (*root) return 0;
  integrator->before = before;
  fmr_copy(integrator->z_before, integrator->z_at, roots);
  fmr_copy(integrator->z_at, integrator->z_to, roots);
  return 0;
}

/* Whether another step may be made; run->why if not. */
static int go_on(FmrIntegrator* integrator, unsigned steps, double* progress) {
  FmrRun* run = &integrator->run;
  run->worst_known = 0;
  run->why = "steps get so short that time stands still";
  if (steps % STEPS_OF_PROGRESS == 0) {
    if (steps > 0 && integrator->at - *progress <= PROGRESS * fabs(integrator->at)) return 0;
    *progress = integrator->at;
  }
  run->why = "it takes too many steps; a stiff system needs cvode or ida";
  return steps < run->options.most_steps;
}

static FmrAdvance stuck(FmrIntegrator* integrator, double end, double* t, double* x) {
  point(integrator, x);
  *t = integrator->at;
  explain(integrator, end);
  integrator->started = 0;
  return FMR_STUCK;
}

/* The end of an advance: rates there, as the caller expects. */
static FmrAdvance arrive(FmrIntegrator* integrator, FmrAdvance how, double* t, double* x) {
  *t = integrator->at;
  FmrRun* run = &integrator->run;
  run->statistics.rates++;
  run->problem.rates(run->problem.who, *t, x, integrator->rate);
  return how;
}

FmrAdvance fmr_integrator_advance(FmrIntegrator* integrator, double end, double* t, double* x) {
  FmrRun* run = &integrator->run;
  double limit = run->problem.may_overshoot && !integrator->method->fixed ? INFINITY : end;
  run->why = NULL;
  run->worst_known = 0;
  if (!integrator->started) run->why = "it was not restarted after it had failed";
  const int used = run->problem.roots > 0 || !(end > integrator->at); /* x at the beginning; interpolation costs */
  if (!integrator->started || (used && point(integrator, x))) return stuck(integrator, end, t, x);
  if (!(end > integrator->at)) return arrive(integrator, FMR_REACHED, t, x);
  if (roots_at(integrator, integrator->at, x, integrator->z_at)) return stuck(integrator, end, t, x);
  double progress = integrator->at;
  for (unsigned steps = 0;;) {
    if (integrator->at >= integrator->to) {
      if (!go_on(integrator, steps++, &progress)) return stuck(integrator, end, t, x);
      if (make_step(integrator, limit, end, x)) return stuck(integrator, end, t, x);
    }
    int root = 0;
    if (consume(integrator, end, x, &root)) return stuck(integrator, end, t, x);
    if (root) return arrive(integrator, FMR_ROOT, t, x);
    if (isfinite(integrator->shorter)) continue;
    if (integrator->at == integrator->to && run->problem.accepted &&
        run->problem.accepted(run->problem.who, integrator->at, x)) {
      return arrive(integrator, FMR_ROOT, t, x);
    }
    if (integrator->at >= end) return arrive(integrator, FMR_REACHED, t, x);
  }
}

void fmr_integrator_statistics(const FmrIntegrator* integrator, FmrIntegratorStatistics* statistics) {
  *statistics = integrator->run.statistics;
}

double fmr_integrator_last_step(const FmrIntegrator* integrator) { return integrator->to - integrator->from; }
