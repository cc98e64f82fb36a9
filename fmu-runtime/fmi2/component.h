/* What is behind an fmi2Component, and what every exported function does first and last. */
#ifndef FMU_RUNTIME_FMI2_COMPONENT_H
#define FMU_RUNTIME_FMI2_COMPONENT_H

#include "cosim/cosim.h"
#include "fmi2/fmi2_abi.h"
#include "instance/instance.h"

/* Modes of both kinds, as bits for the table of call_order.c; kept in FmrMoment.mode. */
enum {
  MODE_INSTANTIATED = 1,
  MODE_INITIALIZATION = 2,
  MODE_EVENT = 4,          /* Model Exchange */
  MODE_CONTINUOUS = 8,     /* Model Exchange */
  MODE_STEP_COMPLETE = 16, /* Co-Simulation */
  MODE_STEP_FAILED = 32,   /* Co-Simulation: after a step that was discarded */
  MODE_TERMINATED = 64,
  MODE_ERROR = 128 /* only reset, free, restore and looking */
};

typedef struct Component {
  FmrInstance* instance;
  FmrCosim* cosim; /* of Co-Simulation, else null */
  fmi2Type type;
  char* name;
  fmi2CallbackFunctions callbacks;
  int logging;
  unsigned categories;  /* bits by number of the category that are logged */
  const char* function; /* being called, for messages */
  fmi2Status last_step; /* of fmi2DoStep */
} Component;

/* ---- call_order.c ------------------------------------------------------------------------------------------------ */

typedef enum Call {
  CALL_SET_DEBUG_LOGGING,
  CALL_SETUP_EXPERIMENT,
  CALL_ENTER_INITIALIZATION_MODE,
  CALL_EXIT_INITIALIZATION_MODE,
  CALL_TERMINATE,
  CALL_RESET,
  CALL_GET_REAL,
  CALL_GET_INTEGER,
  CALL_GET_BOOLEAN,
  CALL_GET_STRING,
  CALL_SET_REAL,
  CALL_SET_INTEGER,
  CALL_SET_BOOLEAN,
  CALL_SET_STRING,
  CALL_GET_FMU_STATE,
  CALL_SET_FMU_STATE,
  CALL_FREE_FMU_STATE,
  CALL_SERIALIZED_FMU_STATE_SIZE,
  CALL_SERIALIZE_FMU_STATE,
  CALL_DESERIALIZE_FMU_STATE,
  CALL_GET_DIRECTIONAL_DERIVATIVE,
  CALL_ENTER_EVENT_MODE,
  CALL_NEW_DISCRETE_STATES,
  CALL_ENTER_CONTINUOUS_TIME_MODE,
  CALL_COMPLETED_INTEGRATOR_STEP,
  CALL_SET_TIME,
  CALL_SET_CONTINUOUS_STATES,
  CALL_GET_DERIVATIVES,
  CALL_GET_EVENT_INDICATORS,
  CALL_GET_CONTINUOUS_STATES,
  CALL_GET_NOMINALS,
  CALL_SET_REAL_INPUT_DERIVATIVES,
  CALL_GET_REAL_OUTPUT_DERIVATIVES,
  CALL_DO_STEP,
  CALL_CANCEL_STEP,
  CALL_GET_STATUS,
  CALL_GET_REAL_STATUS,
  CALL_GET_INTEGER_STATUS,
  CALL_GET_BOOLEAN_STATUS,
  CALL_GET_STRING_STATUS,
  CALLS
} Call;

/* The component if the call is legal now; else null, after a message. */
Component* fmu_begin(fmi2Component component, Call call);
const char* fmu_mode_name(int mode);

/* Formats are those of C, also where the compiler thinks of a system library with others (Windows). */
#if defined(__MINGW32__) && !defined(__clang__)
#define FMU_FORMAT(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define FMU_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define FMU_FORMAT(text, first)
#endif

/* ---- logger.c ---------------------------------------------------------------------------------------------------- */

/* To the logger of the environment, with the name of the function in front. */
void fmu_log(Component* c, fmi2Status status, const char* category, const char* format, ...)
    FMU_FORMAT(4, 5);
/* Says why the call has failed, with what was reported last or else `otherwise`, and returns the status. */
fmi2Status fmu_fail(Component* c, fmi2Status status, const char* otherwise);
/* The same for a wrong argument: fmi2Error. */
fmi2Status fmu_refuse(Component* c, const char* format, ...)
    FMU_FORMAT(2, 3);
/* FmrInstance.say. */
void fmu_listen(void* component, FmrLevel level, const char* category, const char* text);
/* Which categories are logged; nonzero if one is not known, whose name is *unknown. */
int fmu_choose_categories(Component* c, size_t count, const fmi2String* names, const char** unknown);

/* ---- derivatives.c ----------------------------------------------------------------------------------------------- */

/* Directional derivative of slots; nonzero after a report. */
int fmu_directional(Component* c, size_t known_count, const FmrSlot* known, const double* seed, size_t unknown_count,
                    const FmrSlot* unknown, const double* sign, double* derivative);

/* ---- values.c ---------------------------------------------------------------------------------------------------- */

/* The slot of the value reference of a Real that the model computes, and its sign; sign 0 of what is held by the run
 * time. Nonzero: there is none. */
int fmu_find_real(const Component* c, fmi2ValueReference reference, FmrSlot* slot, double* sign);

#endif
