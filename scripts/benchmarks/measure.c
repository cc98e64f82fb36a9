/* Repeats a simulation and prints the best time: see reference.h. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "reference.h"

double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void need(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "the hand-written program failed: %s\n", what);
  exit(1);
}

int main(int argc, char** argv) {
  need(argc == 3 || argc == 4, "usage: program SIZE SECONDS [TOLERANCE]");
  const int size = atoi(argv[1]);
  const double until = processor_time() + atof(argv[2]), tolerance = argc == 4 ? atof(argv[3]) : 0.0;
  Run best = simulate(size, tolerance);
  while (processor_time() < until) {
    Run run = simulate(size, tolerance);
    if (run.seconds < best.seconds) best = run;
  }
  printf("%d %.9g %.15g %ld %ld %ld\n", best.unknowns, best.seconds, best.check, best.steps, best.rates,
         best.jacobians);
  return 0;
}
