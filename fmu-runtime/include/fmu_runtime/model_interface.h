/* What the generated code of a model and the run time know of each other.
 *
 * The model is a constant table of sizes, index tables and functions (FmrModel). An instance of it is an FmrData: arrays
 * of numbers that the run time owns and the functions read and write. Generated code allocates nothing, keeps nothing
 * and calls back only the functions declared at the end.
 *
 * All variables live in one array v, also Booleans (0 or 1). A slot is an index into v; slot 0 is time. The value
 * reference of a variable is its slot, or `values` + k for the k-th negated alias, whose value is -v[negated[k]].
 *
 * From known to computed:
 *
 *   parameters()   parameters that are set          -> parameters that follow, blocks of parameters only
 *   initial()      parameters, start values, inputs -> everything, states included
 *   dynamic()      states, inputs, time, held values -> derivatives of the states, conditions of events
 *   outputs()      after dynamic()                   -> everything else
 *
 * Functions that return int return 0, or nonzero after fmr_report_... said what went wrong; then v holds whatever was
 * computed until then, and is computed anew at the next call.
 *
 * Tangents: with d[] set for the known slots and zero elsewhere, tangent() and tangent_outputs() compute d[] of what
 * dynamic() and outputs() computed: the directional derivative at the present values. At the start, when parameters and
 * start values have tangents, too, the functions of FmrStartTangents do so for all that initialization computed. */
#ifndef FMU_RUNTIME_MODEL_INTERFACE_H
#define FMU_RUNTIME_MODEL_INTERFACE_H

#define FMR_INTERFACE_VERSION 2

typedef unsigned int FmrSlot;

typedef struct FmrData {
  double *v;         /* values; v[0] is time; behind them room for one number of each delay */
  double *d;         /* tangents of v; all zero except while tangents are computed */
  double *held;      /* by relation: its value, which changes at events only */
  double *pre;       /* by number in FmrModel.pre: the value before the event iteration */
  double late;       /* time events: time, or a hair more during an event, so that a relation is what it is from now on */
  int initializing;  /* 1 until initialization is complete */
  double below;      /* fmr_root: how far an argument was below zero since this was last set to 0 */
  const char *text;  /* why an action terminated the simulation */
  void *host;        /* of the run time */
} FmrData;

/* ---- algebraic loops ------------------------------------------------------------------------------------------------ */

/* Equations of a loop as the user wrote them, for messages. Long loops give the first ones only. */
typedef struct FmrText {
  unsigned count;
  const char *const *equation;   /* "R*I = V   (circuit.dym:12, R1)" */
  const char *const *unknown;    /* names of the unknowns solved for, as many as there are of them; or null */
} FmrText;

/* A*x = b, sparse by columns. */
typedef struct FmrLinearBlock {
  unsigned index;                /* among the linear blocks of the model */
  unsigned n, entries;
  const unsigned *column_start;  /* n + 1 */
  const unsigned *row;           /* entries */
  const FmrSlot *unknown;        /* n */
  int constant;                  /* the matrix changes with parameters only */
  void (*matrix)(FmrData *m, double *a);      /* entries, in the order of `row` */
  void (*right)(FmrData *m, double *b);       /* n */
  /* b - dA*x for d of what the block reads: the tangents dx solve A*dx = that. Null: not available. */
  void (*tangent_right)(FmrData *m, double *b);
  FmrText text;
} FmrLinearBlock;

/* Residuals that are to be zero, functions of the tearing variables; the other unknowns of the block follow from these
 * and are computed on the way. */
typedef struct FmrNonlinearBlock {
  unsigned index;                /* among the nonlinear blocks of the model */
  unsigned n;                    /* tearing variables and residuals */
  const FmrSlot *unknown;        /* tearing variables */
  unsigned inner;                /* other unknowns */
  const FmrSlot *inner_unknown;
  const double *nominal, *min, *max;          /* of the tearing variables; null: 1, no limits */
  int (*residual)(FmrData *m, double *r);     /* inner unknowns and residuals from the values of the unknowns */
  /* The same of tangents: d of inner unknowns and the tangents of the residuals. Null: use differences. */
  int (*tangent)(FmrData *m, double *r);
  FmrText text;
} FmrNonlinearBlock;

/* A*x = b of up to three unknowns, which formulas of generated code solve. For messages only. */
typedef struct FmrFormula {
  unsigned n;
  const FmrSlot *unknown;        /* n */
  FmrText text;
} FmrFormula;

/* Called by generated code where the block stands in the order of computation. */
int fmr_solve_linear(FmrData *m, const FmrLinearBlock *block);
int fmr_solve_nonlinear(FmrData *m, const FmrNonlinearBlock *block);
/* The tangents of a block that has been solved at the present values. */
int fmr_tangent_linear(FmrData *m, const FmrLinearBlock *block);
int fmr_tangent_nonlinear(FmrData *m, const FmrNonlinearBlock *block);
/* The same at the start. */
int fmr_start_tangent_linear(FmrData *m, const FmrLinearBlock *block);
int fmr_start_tangent_nonlinear(FmrData *m, const FmrNonlinearBlock *block);

/* ---- events --------------------------------------------------------------------------------------------------------- */

typedef enum FmrRelationKind {
  FMR_LESS,          /* held is 1 where z < 0 */
  FMR_LESS_EQUAL,    /* z <= 0 */
  FMR_EQUAL,         /* z == 0 */
  FMR_UNEQUAL,       /* z != 0 */
  FMR_SIGN,          /* -1, 0, 1: the sign of z */
  FMR_STEP           /* int, floor, ceil, and floor(x/y) of mod(x, y): the value is given by steps(), z is zero where it jumps */
} FmrRelationKind;

typedef struct FmrRelation {
  FmrRelationKind kind;
  int timed;         /* it changes at an instant known beforehand, given by instants(); it is no event indicator */
  const char *text;  /* "h < 0   (ball.dym:7)" */
} FmrRelation;

/* A sampled system. At an instant: state := next (not at the first), then compute(). */
typedef struct FmrSample {
  unsigned states;
  const FmrSlot *state, *next;
  void (*times)(FmrData *m, double *period, double *offset);  /* from parameters; offset NaN: the start time */
  int (*compute)(FmrData *m);
  const char *name;
  void (*before)(FmrData *m);    /* values before the first instant, from parameters and the start time; null: none */
  FmrSlot instants;              /* of the next instant, which before() and compute() set; 0: offset + k*period */
  unsigned overwrites;           /* states that take other values when all systems due at an instant are computed */
  const FmrSlot *overwritten, *value;
} FmrSample;

typedef struct FmrCheck {
  const char *text;  /* of `valid`: the message, or the condition */
} FmrCheck;

enum { FMR_ACT_STATES = 1, FMR_ACT_TERMINATE = 2, FMR_ACT_FAILED = 4 };

/* ---- dynamic state selection ---------------------------------------------------------------------------------------- */

/* States s = A*c, where A has a single 1 in each row and picks states among candidates c that m constraints tie
 * together. The run time chooses A such that the columns not picked of the constraints' Jacobian are well conditioned. */
typedef struct FmrStateSet {
  unsigned candidates, constraints, states;    /* states = candidates - constraints */
  const FmrSlot *candidate;
  const FmrSlot *state;
  const FmrSlot *selection;                    /* slots of A, row by row: states*candidates */
  const double *nominal;                       /* of the candidates */
  void (*jacobian)(FmrData *m, double *j);     /* constraints*candidates, row by row */
  FmrText text;                                /* the constraints, and the names of the candidates */
} FmrStateSet;

/* ---- the model ------------------------------------------------------------------------------------------------------ */

/* What a slot is, by bits; 0: internal, no value reference. */
enum {
  FMR_EXPOSED = 1,     /* it has a value reference */
  FMR_BOOLEAN = 2,     /* read by GetBoolean; else a Real */
  FMR_INPUT = 4,
  FMR_PARAMETER = 8,   /* can be set until initialization ends */
  FMR_TUNABLE = 16,    /* can be set at events, too */
  FMR_START = 32,      /* initial = exact: its start value can be set until initialization ends */
  FMR_GUESS = 64,      /* initial = approx: its start value can be set before initialization */
  FMR_STATE = 128
};

/* A sparse pattern by columns, and columns of one colour share no row. */
typedef struct FmrPattern {
  unsigned rows, columns, entries;
  const unsigned *column_start, *row;
  unsigned colours;
  const unsigned *colour;       /* by column */
} FmrPattern;

/* The equations as residuals, left - right, over the unknowns y (states first, then all other unknowns but the
 * derivatives of the states) and their derivatives. */
typedef struct FmrResidualForm {
  unsigned n;
  const FmrSlot *unknown;       /* slots of y */
  int (*residual)(FmrData *m, double *r);         /* from v, derivatives of states included */
  unsigned entries;
  const unsigned *row, *column; /* by row; column < n: of y, else of the derivative of state column - n */
  void (*jacobian)(FmrData *m, double *values);   /* entries */
} FmrResidualForm;

/* Tangents of what is computed until initialization ends, for d of parameters, exact start values, inputs and time. For
 * delay k, v and d of `values` + k are its value and tangent, which at the start are those of what it remembers. */
typedef struct FmrStartTangents {
  int (*parameters)(FmrData *m), (*initial)(FmrData *m);
  int (*const *sample)(FmrData *m);               /* by sampled system */
  int (*delayed)(FmrData *m, double *d);          /* by delay: of what it remembers; null: no delays */
  int (*const *linear)(FmrData *m, double *b);    /* by linear block: b - dA*x; null: not of the start */
  int (*const *nonlinear)(FmrData *m, double *r); /* by nonlinear block: d of inner unknowns and of the residuals */
} FmrStartTangents;

typedef enum FmrSolver {
  FMR_SOLVER_AUTO, FMR_SOLVER_CVODE, FMR_SOLVER_ADAMS, FMR_SOLVER_IDA, FMR_SOLVER_DOPRI45, FMR_SOLVER_EULER,
  FMR_SOLVER_HEUN, FMR_SOLVER_RK4
} FmrSolver;

typedef struct FmrModel {
  unsigned interface_version;
  const char *name, *guid;

  unsigned values;                          /* slots */
  const double *start;                      /* v at the beginning, by slot */
  const unsigned char *role;                /* by slot */
  unsigned negated_count;
  const FmrSlot *negated;

  unsigned states;
  const FmrSlot *state, *rate;              /* in the order of ModelStructure */
  const double *nominal;                    /* of the states; null: all 1 */
  unsigned inputs;
  const FmrSlot *input;

  int (*parameters)(FmrData *m);
  int (*initial)(FmrData *m);
  int (*dynamic)(FmrData *m);
  int (*outputs)(FmrData *m);
  int (*tangent)(FmrData *m);               /* null: something has no derivative; use differences */
  int (*tangent_outputs)(FmrData *m);
  const FmrPattern *jacobian;               /* d(rate)/d(state), with the full diagonal; null: dense */
  const FmrResidualForm *residual_form;     /* null: not generated */

  unsigned linear_blocks, nonlinear_blocks; /* how many, over all functions */
  const FmrLinearBlock *const *linear;
  const FmrNonlinearBlock *const *nonlinear;
  unsigned formulas;
  const FmrFormula *formula;                  /* in the order of computation */
  void (*formula_matrices)(FmrData *m, double *a);  /* 9 numbers for each: A, row by row, rows of n */

  unsigned relations;
  const FmrRelation *relation;
  void (*crossings)(FmrData *m, double *z);   /* by relation: left - right of it, from the present values */
  void (*steps)(FmrData *m, double *value);   /* by relation: of FMR_STEP, what it is now; others untouched */
  void (*instants)(FmrData *m, double *t);    /* by relation: of timed ones, when; others untouched */

  unsigned pre_count;
  const FmrSlot *pre;
  unsigned discrete;                          /* slots that when clauses assign */
  const FmrSlot *discrete_slot;

  unsigned branches;                          /* of all when clauses */
  const unsigned *clause;                     /* by branch: its when clause; ascending */
  void (*conditions)(FmrData *m, double *w);  /* by branch: 1 or 0 now */
  int (*act)(FmrData *m, unsigned branch);    /* FMR_ACT_... */
  const char *const *branch_text;             /* by branch: "when h < 0   (ball.dym:9)"; null: not known */

  unsigned samples;
  const FmrSample *sample;                    /* in the order of computation */

  unsigned delays;
  void (*delayed)(FmrData *m, double *value, double *longest);  /* by delay: what it remembers, and for how long */
  const char *const *delay_text;              /* by delay: "delay(u, T) in y = delay(u, T)   (a.dym:5)"; null: not known */

  unsigned checks;                            /* `valid` */
  const FmrCheck *check;
  unsigned terminations;                      /* `terminate when` */
  const FmrCheck *termination;
  /* 1 where a validity condition holds, 1 where a termination condition holds. */
  void (*conditions_of_run)(FmrData *m, double *valid, double *terminate);

  unsigned state_sets;
  const FmrStateSet *state_set;

  FmrSolver solver;                           /* Co-Simulation: what --solver or the plan chose, never AUTO */
  int sparse;                                 /* 1: sparse linear algebra is linked in */
  double tolerance, start_time, stop_time, step;  /* DefaultExperiment */
  const char *const *state_name;              /* quoted, for messages; null: too many to name them */
  int next_event_time;                        /* 1: FMR_NEXT_EVENT_TIME is an output */
  const FmrStartTangents *start_tangents;     /* null: something has no derivative; use differences */
} FmrModel;

extern const FmrModel fmr_model;              /* defined by the generated code */

/* Options of the run time that every FMU has as parameters, and what it tells of itself, with these value references. */
enum {
  FMR_OPTION_SOLVER = 0x40000000,   /* Enumeration of FmrSolver + 1 */
  FMR_OPTION_TOLERANCE,             /* Real: 0: from the environment, else the model's */
  FMR_OPTION_STEP,                  /* Real: of the fixed-step methods, or the largest step; 0: chosen */
  FMR_NEXT_EVENT_TIME               /* Real, an output on request: the next time event; DBL_MAX: none is known */
};

/* ---- called by generated code --------------------------------------------------------------------------------------- */

/* The square root in a branch that a condition holds until the next event: on the way to the event the argument may
 * be less than zero, and the root is 0 there. Where it stays so, the run time warns. */
double fmr_root(FmrData *m, double x);

double fmr_delay(FmrData *m, unsigned delay, double by);

typedef struct FmrTable {
  unsigned nx, ny;                  /* ny 0: one-dimensional */
  const double *x, *y, *value;      /* row by row */
  int interpolation;                /* 0 linear, 1 constant, 2 cubic */
  int extrapolation;                /* 0 hold, 1 linear, 2 error */
  const char *name;
} FmrTable;
/* The interpolant, and for order 1, 2 its derivatives by x (and of two-dimensional ones by x or y). */
double fmr_table_1d(FmrData *m, const FmrTable *table, double x, unsigned order);
double fmr_table_2d(FmrData *m, const FmrTable *table, double x, double y, unsigned order_x, unsigned order_y);

#endif
