/* Problem: integrate models as residuals F(t, y, y') = 0 of all their unknowns, so that loops need not be solved in
 * each evaluation and the matrix stays as sparse as the equations are.
 *
 * Method: IDA, one internal step at a time, with the matrix F_y + c*F_y' from the model. All unknowns at a restart
 * follow from the states by the model itself, which is exact, where IDA would iterate. Only states take part in the
 * error test: the caller computes the other unknowns from them. What the driver sees is the states.
 *
 * As with CVODE, a first step shorter than a few rounding errors is made by Euler's method, and SUNDIALS does not write
 * to the terminal.
 *
 * Reference: Brown, Hindmarsh, Petzold: Consistent initial condition calculation for differential-algebraic systems,
 * SIAM J. Sci. Comput. 19 (1998); the IDA user guide. */
#include <float.h>
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>

#include "integrate/algebra.h"
#include "integrate/ida_form.h"

/* In units of the spacing of numbers: the least length of a first step that is left to IDA. */
static const double ROOM = 200.0;
static const double SHORTEST = 1e-290; /* step at time 0, far from underflow */

typedef struct Ida {
  FmrRun* run;
  FmrForm form;
  SUNContext context;
  void* memory;
  N_Vector y, y_rate, scratch, tolerance, kind;
  FmrAlgebra algebra;
  double t, stop;     /* stop: the stop time that is set; infinite: none */
  int fresh, by_hand; /* no step since the restart; the last step was Euler's */
} Ida;

static void say_nothing(int code, const char* module, const char* function, char* text, void* who) {
  (void)code;
  (void)module;
  (void)function;
  (void)text;
  (void)who;
}

static int residual(realtype t, N_Vector y, N_Vector y_rate, N_Vector r, void* who) {
  Ida* ida = who;
  return fmr_form_residual(&ida->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_rate), N_VGetArrayPointer(r));
}

static int matrix(realtype t, realtype c, N_Vector y, N_Vector y_rate, N_Vector r, SUNMatrix to, void* who, N_Vector a,
                  N_Vector b, N_Vector d) {
  Ida* ida = who;
  (void)r;
  (void)a;
  (void)b;
  (void)d;
  int failed =
      fmr_form_matrix(&ida->form, t, c, N_VGetArrayPointer(y), N_VGetArrayPointer(y_rate), ida->algebra.entries);
  if (!failed) fmr_algebra_fill(&ida->algebra, ida->algebra.entries, to);
  return failed;
}

static void ida_destroy(void* method) {
  Ida* ida = method;
  N_Vector vectors[] = {ida->y, ida->y_rate, ida->scratch, ida->tolerance, ida->kind};
  if (ida->memory) IDAFree(&ida->memory);
  fmr_algebra_free(&ida->algebra);
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
    if (vectors[k]) N_VDestroy(vectors[k]);
  }
  if (ida->context) SUNContext_Free(&ida->context);
  fmr_form_free(&ida->form);
  free(ida);
}

/* Memory of IDA, its tolerances and solvers, which outlive restarts; 0 if done. */
static int set_up(Ida* ida) {
  FmrRun* run = ida->run;
  for (unsigned j = 0; j < ida->form.n; j++) {
    int state = j < ida->form.states;
    NV_Ith_S(ida->tolerance, j) = state ? fmr_run_absolute(run, j) : run->options.tolerance;
    NV_Ith_S(ida->kind, j) = state ? 1.0 : 0.0;
  }
  N_VConst(0.0, ida->y);
  N_VConst(0.0, ida->y_rate);
  if (IDASetErrHandlerFn(ida->memory, say_nothing, NULL)) return 1;
  if (IDAInit(ida->memory, residual, 0.0, ida->y, ida->y_rate)) return 1;
  if (IDASVtolerances(ida->memory, run->options.tolerance, ida->tolerance)) return 1;
  if (IDASetUserData(ida->memory, ida) || IDASetId(ida->memory, ida->kind)) return 1;
  if (IDASetSuppressAlg(ida->memory, SUNTRUE)) return 1;
  if (run->options.largest_step > 0.0 && IDASetMaxStep(ida->memory, run->options.largest_step)) return 1;
  if (fmr_algebra_new(&ida->algebra, ida->form.n, ida->form.column_start, ida->form.row, run->problem.sparse, ida->y,
                      ida->context)) {
    return 1;
  }
  return IDASetLinearSolver(ida->memory, ida->algebra.solver, ida->algebra.matrix) || IDASetJacFn(ida->memory, matrix);
}

static void* ida_create(FmrRun* run) {
  Ida* ida = calloc(1, sizeof *ida);
  if (!ida) return NULL;
  ida->run = run;
  if (fmr_form_new(&ida->form, run) == 0 &&
      !fmr_algebra_no_room(ida->form.n, ida->form.column_start, run->problem.sparse) &&
      SUNContext_Create(NULL, &ida->context) == 0) {
    sunindextype n = (sunindextype)ida->form.n;
    ida->y = N_VNew_Serial(n, ida->context);
    ida->y_rate = N_VNew_Serial(n, ida->context);
    ida->scratch = N_VNew_Serial(n, ida->context);
    ida->tolerance = N_VNew_Serial(n, ida->context);
    ida->kind = N_VNew_Serial(n, ida->context);
    ida->memory = IDACreate(ida->context);
  }
  if (ida->y && ida->y_rate && ida->scratch && ida->tolerance && ida->kind && ida->memory && set_up(ida) == 0)
    return ida;
  ida_destroy(ida);
  return NULL;
}

/* All unknowns from the states at t, and IDA from there on. */
static int begin(Ida* ida, double t, const double* x) {
  if (fmr_form_complete(&ida->form, t, x, N_VGetArrayPointer(ida->y), N_VGetArrayPointer(ida->y_rate))) {
    ida->run->why = "the rates of change cannot be computed there";
    return 1;
  }
  ida->t = t;
  ida->stop = INFINITY;
  ida->fresh = 1;
  return IDAReInit(ida->memory, t, ida->y, ida->y_rate);
}

static int ida_restart(void* method, double t, const double* x) {
  Ida* ida = method;
  ida->by_hand = 0;
  return begin(ida, t, x);
}

static int step_by_hand(Ida* ida, double to) {
  double* x = N_VGetArrayPointer(ida->scratch);
  for (unsigned j = 0; j < ida->form.states; j++) {
    x[j] = NV_Ith_S(ida->y, j) + (to - ida->t) * NV_Ith_S(ida->y_rate, j);
  }
  ida->by_hand = 1;
  return begin(ida, to, x);
}

static const char* reason(int flag) {
  switch (flag) {
    case IDA_TOO_MUCH_ACC: return "the tolerance is tighter than rounding allows";
    case IDA_ERR_FAIL: return "the error test failed repeatedly or with the smallest step";
    case IDA_CONV_FAIL: return "the implicit equations of a step could not be solved";
    case IDA_LSETUP_FAIL: return "the Jacobian could not be computed or factored";
    case IDA_LSOLVE_FAIL: return "the linear equations of a step could not be solved";
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL: return "the equations cannot be evaluated close by";
    default: return "IDA gives up";
  }
}

static void blame(Ida* ida) {
  N_Vector error = N_VClone(ida->y), weight = N_VClone(ida->y);
  if (error && weight && !IDAGetEstLocalErrors(ida->memory, error) && !IDAGetErrWeights(ida->memory, weight)) {
    N_VProd(error, weight, error);
    fmr_run_blame(ida->run, N_VGetArrayPointer(error));
  }
  if (error) N_VDestroy(error);
  if (weight) N_VDestroy(weight);
}

static void count(Ida* ida) {
  long rejected = 0, unsolved = 0;
  IDAGetNumErrTestFails(ida->memory, &rejected);
  IDAGetNumNonlinSolvConvFails(ida->memory, &unsolved);
  ida->run->statistics.rejected = (unsigned long)(rejected + unsolved);
}

static int ida_step(void* method, double limit, double toward, double* t, double* x) {
  Ida* ida = method;
  double least = ROOM * fmax(DBL_EPSILON * fmax(fabs(ida->t), fabs(toward)), SHORTEST);
  if (ida->fresh && toward - ida->t <= least) {
    if (step_by_hand(ida, toward)) return 1;
  } else {
    if (isfinite(limit) && limit != ida->stop) {
      if (IDASetStopTime(ida->memory, limit)) {
        ida->run->why = "IDA is beyond the end already";
        return 1;
      }
      ida->stop = limit;
    }
    int flag = IDASolve(ida->memory, toward, &ida->t, ida->y, ida->y_rate, IDA_ONE_STEP);
    if (flag < 0) {
      ida->run->why = reason(flag);
      if (flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL) blame(ida);
      return 1;
    }
    if (flag == IDA_TSTOP_RETURN) ida->stop = INFINITY; /* IDA forgets it */
    ida->fresh = 0;
    ida->by_hand = 0;
    count(ida);
  }
  *t = ida->t;
  memcpy(x, N_VGetArrayPointer(ida->y), ida->form.states * sizeof *x);
  return 0;
}

static int ida_inside(void* method, double t, double* x) {
  Ida* ida = method;
  N_Vector from = ida->by_hand ? ida->y : ida->scratch;
  if (!ida->by_hand && IDAGetDky(ida->memory, t, 0, ida->scratch)) return 1;
  memcpy(x, N_VGetArrayPointer(from), ida->form.states * sizeof *x);
  return 0;
}

static const FmrMethod method_ida = {ida_create, ida_destroy, ida_restart, ida_step, ida_inside, 0};
const FmrMethod* const fmr_ida = &method_ida;
