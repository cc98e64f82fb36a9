/* Problem: integrate stiff systems (BDF) and smooth systems at sharp tolerances (Adams).
 *
 * Method: CVODE, one internal step at a time. BDF solves its implicit equations by Newton's method with the Jacobian of
 * the problem, Adams by fixed point iteration. Steps end at the limit by CVODE's stop time, and their inside is CVODE's
 * own interpolating polynomial. Roots are looked for by the driver, so that all methods agree on what a root is.
 *
 * A first step needs some room. Where the limit is within a few rounding errors of the beginning, a step by Euler's
 * method is exact.
 *
 * The order of the BDF is limited where oscillations make high orders unstable (order_cap.c).
 *
 * SUNDIALS is kept from writing to the terminal: its messages end here, and what went wrong is said by `why`.
 *
 * Reference: Hindmarsh et al.: SUNDIALS, ACM TOMS 31 (2005); the CVODE user guide, sections CVode and CVodeGetDky. */
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrate/algebra.h"
#include "integrate/method.h"
#include "integrate/order_cap.h"

/* In units of the spacing of numbers: the least length of a first step that is left to CVODE. */
static const double ROOM = 200.0;
static const double SHORTEST = 1e-290; /* step at time 0, far from underflow */

typedef struct Cvode {
  FmrRun* run;
  SUNContext context;
  void* memory;
  N_Vector x, tolerance, scratch;
  FmrAlgebra algebra;             /* of BDF */
  SUNNonlinearSolver fixed_point; /* of Adams */
  double* work;                   /* 2*n: differences */
  double t, stop;                 /* stop: the stop time that is set; infinite: none */
  FmrOrderCap cap;                /* of BDF */
  int next_order;                 /* before the next step, BDF is to start anew with this as its largest; 0: go on */
  int fresh;                      /* no step since the restart */
  int by_hand;                    /* the last step was Euler's */
} Cvode;

static void say_nothing(int code, const char* module, const char* function, char* text, void* who) {
  (void)code;
  (void)module;
  (void)function;
  (void)text;
  (void)who;
}

static int rates(realtype t, N_Vector x, N_Vector rate, void* who) {
  Cvode* cvode = who;
  return fmr_run_rates(cvode->run, t, N_VGetArrayPointer(x), N_VGetArrayPointer(rate));
}

static int jacobian(realtype t, N_Vector x, N_Vector rate, SUNMatrix to, void* who, N_Vector a, N_Vector b,
                    N_Vector c) {
  Cvode* cvode = who;
  (void)a;
  (void)b;
  (void)c;
  double* entries = cvode->algebra.entries ? cvode->algebra.entries : SM_DATA_D(to);
  int failed = fmr_run_jacobian(cvode->run, t, N_VGetArrayPointer(x), N_VGetArrayPointer(rate), entries, cvode->work);
  if (!failed && cvode->algebra.entries) {
    if (cvode->algebra.n >= FMR_ORDER_CAP_FROM &&
        fmr_order_cap_look(&cvode->cap, cvode->algebra.n, cvode->algebra.column_start, cvode->algebra.row, entries))
      return -1;
    fmr_algebra_fill(&cvode->algebra, entries, to);
  }
  return failed;
}

static void cvode_destroy(void* method) {
  Cvode* cvode = method;
  if (cvode->memory) CVodeFree(&cvode->memory);
  fmr_algebra_free(&cvode->algebra);
  if (cvode->fixed_point) SUNNonlinSolFree(cvode->fixed_point);
  if (cvode->x) N_VDestroy(cvode->x);
  if (cvode->tolerance) N_VDestroy(cvode->tolerance);
  if (cvode->scratch) N_VDestroy(cvode->scratch);
  if (cvode->context) SUNContext_Free(&cvode->context);
  free(cvode->work);
  free(cvode);
}

/* Memory of CVODE, its tolerances and solvers, which outlive restarts; 0 if done. */
static int set_up(Cvode* cvode) {
  FmrRun* run = cvode->run;
  const FmrPattern* pattern = run->problem.pattern;
  int stiff = run->options.method == FMR_SOLVER_CVODE;
  for (unsigned j = 0; j < run->problem.n; j++) NV_Ith_S(cvode->tolerance, j) = fmr_run_absolute(run, j);
  N_VConst(0.0, cvode->x);
  if (CVodeSetErrHandlerFn(cvode->memory, say_nothing, NULL)) return 1;
  if (CVodeInit(cvode->memory, rates, 0.0, cvode->x)) return 1;
  if (CVodeSVtolerances(cvode->memory, run->options.tolerance, cvode->tolerance)) return 1;
  if (CVodeSetUserData(cvode->memory, cvode) || CVodeSetMaxHnilWarns(cvode->memory, -1)) return 1;
  if (run->options.largest_step > 0.0 && CVodeSetMaxStep(cvode->memory, run->options.largest_step)) return 1;
  if (!stiff) {
    cvode->fixed_point = SUNNonlinSol_FixedPoint(cvode->x, 0, cvode->context);
    return !cvode->fixed_point || CVodeSetNonlinearSolver(cvode->memory, cvode->fixed_point);
  }
  if (fmr_algebra_new(&cvode->algebra, run->problem.n, pattern ? pattern->column_start : NULL,
                      pattern ? pattern->row : NULL, run->problem.sparse, cvode->x, cvode->context)) {
    return 1;
  }
  return CVodeSetLinearSolver(cvode->memory, cvode->algebra.solver, cvode->algebra.matrix) ||
         CVodeSetJacFn(cvode->memory, jacobian);
}

static void* cvode_create(FmrRun* run) {
  Cvode* cvode = calloc(1, sizeof *cvode);
  if (!cvode) return NULL;
  sunindextype n = (sunindextype)run->problem.n;
  cvode->run = run;
  cvode->work = calloc(2 * (size_t)run->problem.n + 1, sizeof(double));
  const unsigned* pattern = run->problem.pattern ? run->problem.pattern->column_start : NULL;
  if (cvode->work && !fmr_algebra_no_room(run->problem.n, pattern, run->problem.sparse) &&
      SUNContext_Create(NULL, &cvode->context) == 0) {
    cvode->x = N_VNew_Serial(n, cvode->context);
    cvode->tolerance = N_VNew_Serial(n, cvode->context);
    cvode->scratch = N_VNewEmpty_Serial(n, cvode->context);
    cvode->memory = CVodeCreate(run->options.method == FMR_SOLVER_CVODE ? CV_BDF : CV_ADAMS, cvode->context);
  }
  if (cvode->x && cvode->tolerance && cvode->scratch && cvode->memory && set_up(cvode) == 0) return cvode;
  cvode_destroy(cvode);
  return NULL;
}

static int cvode_restart(void* method, double t, const double* x) {
  Cvode* cvode = method;
  memcpy(N_VGetArrayPointer(cvode->x), x, cvode->run->problem.n * sizeof *x);
  cvode->t = t;
  cvode->stop = INFINITY;
  cvode->fresh = 1;
  cvode->by_hand = 0;
  cvode->next_order = 0;
  if (CVodeReInit(cvode->memory, t, cvode->x)) return 1;
  return cvode->algebra.solver && CVodeSetMaxOrd(cvode->memory, fmr_order_cap_restart(&cvode->cap));
}

/* The step that has been consumed is the last one with the old limit of the order. */
static int change_order(Cvode* cvode) {
  const int order = cvode->next_order;
  cvode->next_order = 0;
  cvode->stop = INFINITY;
  return CVodeReInit(cvode->memory, cvode->t, cvode->x) || CVodeSetMaxOrd(cvode->memory, order);
}

/* Has the last step judged. */
static void watch_order(Cvode* cvode) {
  const int before = cvode->cap.phase;
  cvode->next_order = fmr_order_cap_step(&cvode->cap, cvode->t);
  const FmrProblem* problem = &cvode->run->problem;
  if (cvode->cap.phase != FMR_ORDER_CAPPED || before == FMR_ORDER_CAPPED || !problem->note) return;
  char text[160];
  snprintf(text, sizeof text, "the order of the BDF is at most %d from time %.15g on: oscillations that are hardly damped "
           "make higher orders unstable", FMR_ORDER_LIMIT, cvode->t);
  problem->note(problem->who, text);
}

/* Euler's method over a distance at which it is exact. */
static int step_by_hand(Cvode* cvode, double to) {
  double *x = N_VGetArrayPointer(cvode->x), *rate = cvode->work;
  if (fmr_run_rates(cvode->run, cvode->t, x, rate)) {
    cvode->run->why = "the rates of change cannot be computed there";
    return 1;
  }
  for (unsigned j = 0; j < cvode->run->problem.n; j++) x[j] += (to - cvode->t) * rate[j];
  cvode->t = to;
  cvode->by_hand = 1;
  cvode->stop = INFINITY;
  return CVodeReInit(cvode->memory, to, cvode->x);
}

static const char* reason(int flag) {
  switch (flag) {
    case CV_TOO_MUCH_ACC: return "the tolerance is tighter than rounding allows";
    case CV_ERR_FAILURE: return "the error test failed repeatedly or with the smallest step";
    case CV_CONV_FAILURE: return "the implicit equations of a step could not be solved";
    case CV_LSETUP_FAIL: return "the Jacobian could not be computed or factored";
    case CV_LSOLVE_FAIL: return "the linear equations of a step could not be solved";
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return "the rates of change cannot be computed close by";
    default: return "CVODE gives up";
  }
}

static void blame(Cvode* cvode) {
  FmrRun* run = cvode->run;
  N_Vector error = N_VClone(cvode->x), weight = N_VClone(cvode->x);
  if (error && weight && !CVodeGetEstLocalErrors(cvode->memory, error) && !CVodeGetErrWeights(cvode->memory, weight)) {
    N_VProd(error, weight, error);
    fmr_run_blame(run, N_VGetArrayPointer(error));
  }
  if (error) N_VDestroy(error);
  if (weight) N_VDestroy(weight);
}

static void count(Cvode* cvode) {
  long rejected = 0, unsolved = 0;
  CVodeGetNumErrTestFails(cvode->memory, &rejected);
  CVodeGetNumNonlinSolvConvFails(cvode->memory, &unsolved);
  cvode->run->statistics.rejected = (unsigned long)(rejected + unsolved);
}

static int cvode_step(void* method, double limit, double toward, double* t, double* x) {
  Cvode* cvode = method;
  if (cvode->next_order && change_order(cvode)) {
    cvode->run->why = "CVODE cannot start anew";
    return 1;
  }
  double least = ROOM * fmax(DBL_EPSILON * fmax(fabs(cvode->t), fabs(toward)), SHORTEST);
  if (cvode->fresh && toward - cvode->t <= least) {
    if (step_by_hand(cvode, toward)) return 1;
  } else {
    if (isfinite(limit) && limit != cvode->stop) {
      if (CVodeSetStopTime(cvode->memory, limit)) {
        cvode->run->why = "CVODE is beyond the end already";
        return 1;
      }
      cvode->stop = limit;
    }
    /* Steps below the last bit of time would become 0 in front of points behind which there are no rates, and CVODE
     * divides by them. */
    if (CVodeSetMinStep(cvode->memory, fmax(DBL_EPSILON * fabs(cvode->t), SHORTEST))) CVodeSetMinStep(cvode->memory, 0);
    int flag = CVode(cvode->memory, toward, cvode->x, &cvode->t, CV_ONE_STEP);
    if (flag < 0) {
      cvode->run->why = reason(flag);
      if (flag == CV_ERR_FAILURE || flag == CV_CONV_FAILURE) blame(cvode);
      return 1;
    }
    if (flag == CV_TSTOP_RETURN) cvode->stop = INFINITY; /* CVODE forgets it */
    cvode->fresh = 0;
    cvode->by_hand = 0;
    count(cvode);
    watch_order(cvode);
  }
  *t = cvode->t;
  memcpy(x, N_VGetArrayPointer(cvode->x), cvode->run->problem.n * sizeof *x);
  return 0;
}

static int cvode_inside(void* method, double t, double* x) {
  Cvode* cvode = method;
  if (cvode->by_hand) {
    memcpy(x, N_VGetArrayPointer(cvode->x), cvode->run->problem.n * sizeof *x);
    return 0;
  }
  N_VSetArrayPointer(x, cvode->scratch);
  return CVodeGetDky(cvode->memory, t, 0, cvode->scratch);
}

static const FmrMethod method_cvode = {cvode_create, cvode_destroy, cvode_restart, cvode_step, cvode_inside, 0};
const FmrMethod* const fmr_cvode = &method_cvode;
