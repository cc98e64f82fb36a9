/* What parts of the run time that know nothing of FMI say, and whom they ask.
 *
 * Problem: a loop that cannot be solved at a trial point of an integrator is no error if a shorter step succeeds, but
 * the message must not be lost if none does.
 * Method: notes and warnings are passed on at once. The text of an error is kept, the last one; whoever decides that
 * the call in progress has failed passes it on with the status that is returned. */
#include <stdarg.h>
#include <stdio.h>

#include "instance/instance.h"

static FmrInstance* instance_of(const FmrData* m) { return m->host; }

FmrSolveStore* fmr_host_solve_store(const FmrData* m) { return instance_of(m)->store; }
const FmrModel* fmr_host_model(const FmrData* m) { return instance_of(m)->model; }
double fmr_host_tolerance(const FmrData* m) { return fmr_chosen_tolerance(instance_of(m)); }

void fmr_host_report(const FmrData* m, FmrLevel level, const char* category, const char* format, ...) {
  FmrInstance* s = instance_of(m);
  char text[sizeof s->failure];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (level == FMR_ERROR) {
    s->failure_category = category;
    snprintf(s->failure, sizeof s->failure, "%s", text);
  } else if (s->say) {
    s->say(s->listener, level, category, text);
  }
}

void fmr_forget_failure(FmrInstance* s) {
  s->failure_category = NULL;
  s->failure[0] = '\0';
}

const char* fmr_failure(const FmrInstance* s, const char* otherwise) { return s->failure[0] ? s->failure : otherwise; }
