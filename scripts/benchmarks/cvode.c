/* One simulation of `ode` by CVODE's BDF, with KLU: outputs are interpolated, and after a jump the method starts anew. */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "reference.h"

static int rates(realtype t, N_Vector x, N_Vector rate, void* who) {
  (void)who;
  ode.rates(t, N_VGetArrayPointer(x), N_VGetArrayPointer(rate));
  return 0;
}

static int jacobian(realtype t, N_Vector x, N_Vector rate, SUNMatrix to, void* who, N_Vector a, N_Vector b,
                    N_Vector c) {
  (void)rate, (void)who, (void)a, (void)b, (void)c;
  ode.jacobian(t, N_VGetArrayPointer(x), SM_INDEXPTRS_S(to), SM_INDEXVALS_S(to), SM_DATA_S(to));
  return 0;
}

static int root(realtype t, N_Vector x, realtype* z, void* who) {
  (void)t, (void)who;
  ode.root(N_VGetArrayPointer(x), z);
  return 0;
}

/* To `end`, over all roots on the way. */
static void advance(void* memory, double end, N_Vector x, int* which) {
  for (;;) {
    double t;
    int flag = CVode(memory, end, x, &t, CV_NORMAL);
    need(flag >= 0, "CVode");
    if (flag != CV_ROOT_RETURN) return;
    need(CVodeGetRootInfo(memory, which) == 0, "CVodeGetRootInfo");
    ode.crossed(which);
    if (t >= end) return;
  }
}

/* Where the present piece of the simulation ends, beyond which no step goes. */
static double next_jump(int event) { return event < 2 && ode.event[event] > 0.0 ? ode.event[event] : ode.stop; }

/* Steps, rates and Jacobians since the last start. */
static void count(void* memory, Run* run) {
  long steps = 0, evaluations = 0, jacobians = 0;
  CVodeGetNumSteps(memory, &steps);
  CVodeGetNumRhsEvals(memory, &evaluations);
  CVodeGetNumJacEvals(memory, &jacobians);
  run->steps += steps;
  run->rates += evaluations;
  run->jacobians += jacobians;
}

Run simulate(int size, double tolerance) {
  int n, entries;
  ode.size(size, &n, &entries);
  Run run = {.unknowns = n};
  const double begin = processor_time();
  if (tolerance == 0.0) tolerance = ode.tolerance;
  SUNContext context;
  need(SUNContext_Create(NULL, &context) == 0, "SUNContext_Create");
  N_Vector x = N_VNew_Serial(n, context);
  SUNMatrix matrix = SUNSparseMatrix(n, n, entries, CSC_MAT, context);
  SUNLinearSolver solver = SUNLinSol_KLU(x, matrix, context);
  void* memory = CVodeCreate(CV_BDF, context);
  need(x && matrix && solver && memory, "memory");
  ode.start(N_VGetArrayPointer(x));
  need(!CVodeInit(memory, rates, 0.0, x) && !CVodeSStolerances(memory, tolerance, tolerance), "CVodeInit");
  need(!CVodeSetLinearSolver(memory, solver, matrix) && !CVodeSetJacFn(memory, jacobian), "CVodeSetLinearSolver");
  need(!CVodeSetMaxNumSteps(memory, 10000000), "CVodeSetMaxNumSteps");
  if (ode.order) need(!CVodeSetMaxOrd(memory, ode.order), "CVodeSetMaxOrd");
  const int roots = ode.roots ? ode.roots() : 0;
  int* which = calloc((size_t)roots + 1, sizeof *which);
  if (roots) need(which && !CVodeRootInit(memory, roots, root), "CVodeRootInit");
  const int intervals = (int)lround(ode.stop / ode.interval);
  volatile double output; /* read at every point, as the environment of an FMU does */
  int event = 0;
  need(!CVodeSetStopTime(memory, next_jump(event)), "CVodeSetStopTime");
  for (int k = 1; k <= intervals; k++) {
    const double end = ode.interval * k;
    if (k < intervals && fabs(end - next_jump(event)) < 0.5 * ode.interval) { /* jumps are points of output */
      advance(memory, next_jump(event), x, which);
      count(memory, &run);
      need(!CVodeReInit(memory, next_jump(event), x), "CVodeReInit");
      need(!CVodeSetStopTime(memory, next_jump(++event)), "CVodeSetStopTime");
    } else {
      advance(memory, k < intervals ? end : ode.stop, x, which);
    }
    output = ode.output(N_VGetArrayPointer(x));
    if (fabs(end - ode.check_time) < 0.5 * ode.interval) run.check = output;
  }
  run.seconds = processor_time() - begin;
  count(memory, &run);
  free(which);
  CVodeFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(x);
  SUNContext_Free(&context);
  return run;
}
