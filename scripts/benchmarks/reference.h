/* What the hand-written programs of `scripts/bench simulate` share. Each simulates one model of a given size as a person
 * who knows it would, with the solvers that FMUs have: the model's equations in loops, the analytic Jacobian written
 * straight into the sparse matrix, KLU. A program is called as
 *
 *     program SIZE SECONDS       simulates again and again for so many seconds, once at least
 *
 * and prints the unknowns, the least processor time of a simulation in seconds, the check value, and how many steps,
 * evaluations of the equations and Jacobians it took. SECONDS followed by a tolerance: with that instead of the model's.
 *
 * cvode.c has main() for ordinary differential equations: a model fills in `ode`. Others have their own simulate(). */
#ifndef BENCHMARKS_REFERENCE_H
#define BENCHMARKS_REFERENCE_H

typedef struct Run {
  int unknowns;
  double seconds, check;
  long steps, rates, jacobians;
} Run;

/* One simulation; measured from before the solver is made until the last output has been read. A tolerance of 0 is the
 * model's. */
Run simulate(int size, double tolerance);
double processor_time(void);
/* Ends the program with a message if the condition does not hold. */
void need(int condition, const char* what);

/* ---- ordinary differential equations (cvode.c) ---- */

typedef struct Ode {
  double stop, interval, tolerance;
  double check_time;    /* the output at this time is the check value */
  int order;            /* of the BDF at most; 0: 5 */
  double event[2];      /* times at which rates jump; 0: none */
  void (*size)(int size, int* n, int* entries);
  void (*start)(double* x);
  void (*rates)(double t, const double* x, double* rate);
  /* by columns, with the whole diagonal */
  void (*jacobian)(double t, const double* x, int* column_start, int* row, double* entry);
  double (*output)(const double* x);
  int (*roots)(void);                     /* how many; null: none */
  void (*root)(const double* x, double* z);
  void (*crossed)(const int* which);      /* 1 or -1 where a root was found, else 0; changes no state and no rate */
} Ode;
extern const Ode ode;

#endif
