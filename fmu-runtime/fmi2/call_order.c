/* Which function may be called when.
 *
 * One table, function by mode, for both kinds; everything else asks it. A call that is not allowed is logged, has no
 * effect, and leaves the instance as it was.
 *
 * More liberal than the letter where masters rely on it: inputs may be set before initialization.
 *
 * Reference: FMI 2.0.1, 3.2.3 and 4.2.4, tables of allowed calls. */
#include "fmi2/component.h"

enum {
  I = MODE_INSTANTIATED,
  N = MODE_INITIALIZATION,
  E = MODE_EVENT,
  C = MODE_CONTINUOUS,
  S = MODE_STEP_COMPLETE,
  F = MODE_STEP_FAILED,
  T = MODE_TERMINATED,
  X = MODE_ERROR,
  ALWAYS = I | N | E | C | S | F | T | X
};

typedef struct Rule {
  const char* name;
  unsigned model_exchange, co_simulation;
} Rule;

static const Rule rules[CALLS] = {
    [CALL_SET_DEBUG_LOGGING] = {"fmi2SetDebugLogging", ALWAYS, ALWAYS},
    [CALL_SETUP_EXPERIMENT] = {"fmi2SetupExperiment", I, I},
    [CALL_ENTER_INITIALIZATION_MODE] = {"fmi2EnterInitializationMode", I, I},
    [CALL_EXIT_INITIALIZATION_MODE] = {"fmi2ExitInitializationMode", N, N},
    [CALL_TERMINATE] = {"fmi2Terminate", E | C, S | F},
    [CALL_RESET] = {"fmi2Reset", ALWAYS, ALWAYS},
    [CALL_GET_REAL] = {"fmi2GetReal", N | E | C | T | X, N | S | F | T | X},
    [CALL_GET_INTEGER] = {"fmi2GetInteger", N | E | C | T | X, N | S | F | T | X},
    [CALL_GET_BOOLEAN] = {"fmi2GetBoolean", N | E | C | T | X, N | S | F | T | X},
    [CALL_GET_STRING] = {"fmi2GetString", N | E | C | T | X, N | S | F | T | X},
    [CALL_SET_REAL] = {"fmi2SetReal", I | N | E | C, I | N | S},
    [CALL_SET_INTEGER] = {"fmi2SetInteger", I | N | E, I | N | S},
    [CALL_SET_BOOLEAN] = {"fmi2SetBoolean", I | N | E, I | N | S},
    [CALL_SET_STRING] = {"fmi2SetString", I | N | E, I | N | S},
    [CALL_GET_FMU_STATE] = {"fmi2GetFMUstate", ALWAYS, ALWAYS},
    [CALL_SET_FMU_STATE] = {"fmi2SetFMUstate", ALWAYS, ALWAYS},
    [CALL_FREE_FMU_STATE] = {"fmi2FreeFMUstate", ALWAYS, ALWAYS},
    [CALL_SERIALIZED_FMU_STATE_SIZE] = {"fmi2SerializedFMUstateSize", ALWAYS, ALWAYS},
    [CALL_SERIALIZE_FMU_STATE] = {"fmi2SerializeFMUstate", ALWAYS, ALWAYS},
    [CALL_DESERIALIZE_FMU_STATE] = {"fmi2DeSerializeFMUstate", ALWAYS, ALWAYS},
    [CALL_GET_DIRECTIONAL_DERIVATIVE] = {"fmi2GetDirectionalDerivative", N | E | C | T, N | S | F | T},
    [CALL_ENTER_EVENT_MODE] = {"fmi2EnterEventMode", E | C, 0},
    [CALL_NEW_DISCRETE_STATES] = {"fmi2NewDiscreteStates", E, 0},
    [CALL_ENTER_CONTINUOUS_TIME_MODE] = {"fmi2EnterContinuousTimeMode", E, 0},
    [CALL_COMPLETED_INTEGRATOR_STEP] = {"fmi2CompletedIntegratorStep", C, 0},
    [CALL_SET_TIME] = {"fmi2SetTime", E | C, 0}, /* in event mode only without states */
    [CALL_SET_CONTINUOUS_STATES] = {"fmi2SetContinuousStates", C, 0},
    [CALL_GET_DERIVATIVES] = {"fmi2GetDerivatives", N | E | C | T | X, 0},
    [CALL_GET_EVENT_INDICATORS] = {"fmi2GetEventIndicators", N | E | C | T | X, 0},
    [CALL_GET_CONTINUOUS_STATES] = {"fmi2GetContinuousStates", N | E | C | T | X, 0},
    [CALL_GET_NOMINALS] = {"fmi2GetNominalsOfContinuousStates", I | N | E | C | T | X, 0},
    [CALL_SET_REAL_INPUT_DERIVATIVES] = {"fmi2SetRealInputDerivatives", 0, I | N | S},
    [CALL_GET_REAL_OUTPUT_DERIVATIVES] = {"fmi2GetRealOutputDerivatives", 0, S | F | T | X},
    [CALL_DO_STEP] = {"fmi2DoStep", 0, S},
    [CALL_CANCEL_STEP] = {"fmi2CancelStep", 0, 0}, /* no step is ever in progress when a call arrives */
    [CALL_GET_STATUS] = {"fmi2GetStatus", 0, S | F | T | X},
    [CALL_GET_REAL_STATUS] = {"fmi2GetRealStatus", 0, S | F | T | X},
    [CALL_GET_INTEGER_STATUS] = {"fmi2GetIntegerStatus", 0, S | F | T | X},
    [CALL_GET_BOOLEAN_STATUS] = {"fmi2GetBooleanStatus", 0, S | F | T | X},
    [CALL_GET_STRING_STATUS] = {"fmi2GetStringStatus", 0, S | F | T | X},
};

const char* fmu_mode_name(int mode) {
  switch (mode) {
    case MODE_INSTANTIATED: return "before initialization";
    case MODE_INITIALIZATION: return "in initialization mode";
    case MODE_EVENT: return "in event mode";
    case MODE_CONTINUOUS: return "in continuous-time mode";
    case MODE_STEP_COMPLETE: return "between steps";
    case MODE_STEP_FAILED: return "after a discarded step";
    case MODE_TERMINATED: return "after the end of the simulation";
    default: return "after an error";
  }
}

Component* fmu_begin(fmi2Component component, Call call) {
  Component* c = component;
  if (!c) return NULL;
  const Rule* rule = &rules[call];
  const unsigned allowed = c->type == fmi2ModelExchange ? rule->model_exchange : rule->co_simulation;
  const int mode = c->instance->moment.mode;
  c->function = rule->name;
  fmr_forget_failure(c->instance);
  if (allowed & (unsigned)mode) return c;
  if (!allowed && call != CALL_CANCEL_STEP) {
    fmu_refuse(c, "not a function of %s", c->type == fmi2ModelExchange ? "Model Exchange" : "Co-Simulation");
  } else if (!allowed) {
    fmu_refuse(c, "no step is in progress: steps are never asynchronous");
  } else {
    fmu_refuse(c, "not allowed %s", fmu_mode_name(mode));
  }
  return NULL;
}
