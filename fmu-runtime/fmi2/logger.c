/* Messages to the environment.
 *
 * Problem: loggers are functions with printf formats, so that a percent sign in a name would be read as a format; '#'
 * marks value references in messages; loggers may be missing; categories can be switched on and off.
 * Method: text is formatted here and passed as the argument of "%s", '#' doubled. Warnings and errors are always
 * passed on, notes (status fmi2OK) only if logging is on and their category is chosen. The category is always one of
 * the standard names, which modelDescription.xml lists.
 *
 *   fmu_refuse(c, "value reference %u is unknown", 7)   ->   logger(environment, "m1", fmi2Error, "logStatusError",
 *                                                             "%s", "fmi2GetReal: value reference 7 is unknown")
 *
 * Reference: FMI 2.0, 2.1.5 and 2.2.4. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fmi2/component.h"

static const char* const categories[] = {"logEvents",           "logSingularLinearSystems",
                                         "logNonlinearSystems", "logDynamicStateSelection",
                                         "logStatusWarning",    "logStatusDiscard",
                                         "logStatusError",      "logStatusFatal",
                                         "logStatusPending",    "logAll"};
enum { CATEGORIES = sizeof categories / sizeof *categories, LOG_ALL = CATEGORIES - 1 };

/* The number of a category; that of "logAll" if there is no such. */
static unsigned number_of(const char* category) {
  for (unsigned k = 0; category && k < LOG_ALL; k++) {
    if (strcmp(category, categories[k]) == 0) return k;
  }
  return LOG_ALL;
}

int fmu_choose_categories(Component* c, size_t count, const fmi2String* names, const char** unknown) {
  unsigned chosen = count ? 0u : ~0u;
  for (size_t k = 0; k < count; k++) {
    *unknown = names[k];
    if (!names[k]) return 1;
    const unsigned number = number_of(names[k]);
    if (number == LOG_ALL && strcmp(names[k], categories[LOG_ALL]) != 0) return 1;
    chosen |= number == LOG_ALL ? ~0u : 1u << number;
  }
  c->categories = chosen;
  return 0;
}

static const char* category_of(fmi2Status status) {
  switch (status) {
    case fmi2Warning: return "logStatusWarning";
    case fmi2Discard: return "logStatusDiscard";
    case fmi2Error: return "logStatusError";
    case fmi2Fatal: return "logStatusFatal";
    case fmi2Pending: return "logStatusPending";
    default: return "logAll";
  }
}

static void deliver(Component* c, fmi2Status status, const char* category, const char* text) {
  if (!c->callbacks.logger) return;
  const unsigned number = number_of(category);
  if (status == fmi2OK && (!c->logging || !(c->categories & (1u << number)))) return;
  char doubled[3000];
  size_t used = 0;
  for (const char* p = text; *p && used + 2 < sizeof doubled; p++) {
    doubled[used++] = *p;
    if (*p == '#') doubled[used++] = '#';
  }
  doubled[used] = '\0';
  c->callbacks.logger(c->callbacks.componentEnvironment, c->name, status, categories[number], "%s", doubled);
}

static void log_arguments(Component* c, fmi2Status status, const char* category, const char* format,
                          va_list arguments) {
  char text[2500];
  int used = snprintf(text, sizeof text, "%s: ", c->function ? c->function : "fmi2Instantiate");
  vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
  deliver(c, status, category ? category : category_of(status), text);
}

void fmu_log(Component* c, fmi2Status status, const char* category, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  log_arguments(c, status, category, format, arguments);
  va_end(arguments);
}

fmi2Status fmu_fail(Component* c, fmi2Status status, const char* otherwise) {
  const char* category = c->instance->failure_category;
  /* what is said of a failure carries its status, unless it belongs to a group of its own */
  if (!category || strncmp(category, "logStatus", 9) == 0) category = category_of(status);
  fmu_log(c, status, category, "%s", fmr_failure(c->instance, otherwise));
  fmr_forget_failure(c->instance);
  return status;
}

fmi2Status fmu_refuse(Component* c, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  log_arguments(c, fmi2Error, NULL, format, arguments);
  va_end(arguments);
  return fmi2Error;
}

void fmu_listen(void* component, FmrLevel level, const char* category, const char* text) {
  Component* c = component;
  deliver(c, level == FMR_NOTE ? fmi2OK : fmi2Warning, category, text);
}
