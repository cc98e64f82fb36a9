/* n masses at a chain of massless nodes, all joined by springs. As an ODE every mass depends on every other; as a DAE
 * the matrix has 7 entries for 3 unknowns, so IDA is the method. Unknowns of a mass: x, v, node. */
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "reference.h"

static const double k = 10.0, stop = 10.0, interval = 0.02;
static int n;

static int residual(realtype t, N_Vector y, N_Vector y_rate, N_Vector r, void* who) {
  (void)t, (void)who;
  const double *u = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(y_rate);
  double* to = N_VGetArrayPointer(r);
  for (int i = 0; i < n; i++) {
    const double x = u[3 * i], v = u[3 * i + 1], s = u[3 * i + 2];
    const double left = i > 0 ? u[3 * i - 1] : 0.0, right = i + 1 < n ? u[3 * i + 5] : 0.0;
    to[3 * i] = rate[3 * i] - v;
    to[3 * i + 1] = rate[3 * i + 1] - k * (s - x);
    to[3 * i + 2] = k * (s - x) + k * (s - left) + k * (s - right);
  }
  return 0;
}

static int matrix(realtype t, realtype c, N_Vector y, N_Vector y_rate, N_Vector r, SUNMatrix to, void* who, N_Vector a,
                  N_Vector b, N_Vector d) {
  (void)t, (void)y, (void)y_rate, (void)r, (void)who, (void)a, (void)b, (void)d;
  int *column_start = SM_INDEXPTRS_S(to), *row = SM_INDEXVALS_S(to), e = 0;
  double* entry = SM_DATA_S(to);
#define ENTRY(where, value) (row[e] = (where), entry[e++] = (value))
  for (int i = 0; i < n; i++) {
    const int j = 3 * i;
    column_start[j] = e;
    ENTRY(j, c);
    ENTRY(j + 1, k);
    ENTRY(j + 2, -k);
    column_start[j + 1] = e;
    ENTRY(j, -1.0);
    ENTRY(j + 1, c);
    column_start[j + 2] = e;
    if (i > 0) ENTRY(j - 1, -k);
    ENTRY(j + 1, -k);
    ENTRY(j + 2, 3.0 * k);
    if (i + 1 < n) ENTRY(j + 5, -k);
  }
  column_start[3 * n] = e;
#undef ENTRY
  return 0;
}

/* Nodes from the masses by the tridiagonal system, and the rates. */
static void start(double* y, double* rate) {
  for (int i = 0; i < 3 * n; i++) y[i] = rate[i] = 0.0;
  y[0] = n;
  double share = 0.0; /* of the node behind, in elimination from the far end: zero masses there */
  for (int i = n - 1; i > 0; i--) share = 1.0 / (3.0 - share);
  double node = y[0] / (3.0 - share);
  /* nodes fall off as the elimination says: s_(i+1) = share_(i+1)*s_i */
  y[2] = node;
  for (int i = 1; i < n; i++) {
    double of_this = 0.0;
    for (int j = n - 1; j >= i && j < i + 60; j--) of_this = 1.0 / (3.0 - of_this);
    node *= n - i > 60 ? (3.0 - sqrt(5.0)) / 2.0 : of_this; /* far from the end the share is its limit */
    y[3 * i + 2] = node;
  }
  for (int i = 0; i < n; i++) {
    rate[3 * i] = y[3 * i + 1];
    rate[3 * i + 1] = k * (y[3 * i + 2] - y[3 * i]);
  }
}

Run simulate(int size, double tolerance) {
  n = size;
  Run run = {.unknowns = 3 * n};
  const double begin = processor_time();
  if (tolerance == 0.0) tolerance = 1e-6;
  SUNContext context;
  need(SUNContext_Create(NULL, &context) == 0, "SUNContext_Create");
  N_Vector y = N_VNew_Serial(3 * n, context), y_rate = N_VNew_Serial(3 * n, context), id = N_VNew_Serial(3 * n, context);
  SUNMatrix to = SUNSparseMatrix(3 * n, 3 * n, 9 * n, CSC_MAT, context);
  SUNLinearSolver solver = SUNLinSol_KLU(y, to, context);
  void* memory = IDACreate(context);
  need(y && y_rate && id && to && solver && memory, "memory");
  start(N_VGetArrayPointer(y), N_VGetArrayPointer(y_rate));
  for (int i = 0; i < 3 * n; i++) N_VGetArrayPointer(id)[i] = i % 3 < 2 ? 1.0 : 0.0;
  need(!IDAInit(memory, residual, 0.0, y, y_rate) && !IDASStolerances(memory, tolerance, tolerance), "IDAInit");
  need(!IDASetId(memory, id) && !IDASetSuppressAlg(memory, SUNTRUE), "IDASetId");
  need(!IDASetLinearSolver(memory, solver, to) && !IDASetJacFn(memory, matrix), "IDASetLinearSolver");
  need(!IDASetMaxNumSteps(memory, 10000000), "IDASetMaxNumSteps");
  volatile double output = 0.0;
  for (int i = 1; i <= (int)lround(stop / interval); i++) {
    double t;
    need(IDASolve(memory, interval * i, &t, y, y_rate, IDA_NORMAL) >= 0, "IDASolve");
    output = N_VGetArrayPointer(y)[0];
  }
  run.seconds = processor_time() - begin;
  run.check = output;
  IDAGetNumSteps(memory, &run.steps);
  IDAGetNumResEvals(memory, &run.rates);
  IDAGetNumJacEvals(memory, &run.jacobians);
  IDAFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(to);
  N_VDestroy(y);
  N_VDestroy(y_rate);
  N_VDestroy(id);
  SUNContext_Free(&context);
  return run;
}
