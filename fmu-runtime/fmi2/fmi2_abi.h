/* The binary interface of FMI 2.0 in our own words: types, enumerations, callbacks and functions of Model Exchange and
 * Co-Simulation, as the standard defines them.
 *
 * FMI2_FUNCTION_PREFIX, if defined (source-code FMUs), is put before the name of every function:
 *
 *   -DFMI2_FUNCTION_PREFIX=circuit_        circuit_fmi2GetReal
 *   -DFMI2_OVERRIDE_FUNCTION_PREFIX        no prefix, whatever FMI2_FUNCTION_PREFIX says
 *
 * Reference: FMI for Model Exchange and Co-Simulation 2.0, sections 2.1, 3.2, 4.2. */
#ifndef FMU_RUNTIME_FMI2_FMI2_ABI_H
#define FMU_RUNTIME_FMI2_FMI2_ABI_H

#include <stddef.h>

/* ---- types ------------------------------------------------------------------------------------------------------- */

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char* fmi2String;
typedef char fmi2Byte;

enum { fmi2False = 0, fmi2True = 1 };

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment environment, fmi2String instance_name, fmi2Status status,
                                   fmi2String category, fmi2String message, ...);
typedef void* (*fmi2CallbackAllocateMemory)(size_t count, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void* memory);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);

typedef struct {
  fmi2CallbackLogger logger;
  fmi2CallbackAllocateMemory allocateMemory;
  fmi2CallbackFreeMemory freeMemory;
  fmi2StepFinished stepFinished;
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

/* ---- names ------------------------------------------------------------------------------------------------------- */

#if defined(_WIN32) || defined(__CYGWIN__)
#define FMI2_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_EXPORT __attribute__((visibility("default")))
#else
#define FMI2_EXPORT
#endif

#if defined(FMI2_FUNCTION_PREFIX) && !defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI2_JOIN(a, b) a##b
#define FMI2_JOIN_EXPANDED(a, b) FMI2_JOIN(a, b)
#define FMI2_NAME(name) FMI2_JOIN_EXPANDED(FMI2_FUNCTION_PREFIX, name)
#else
#define FMI2_NAME(name) name
#endif

#define FMI2_STATUS FMI2_EXPORT fmi2Status
#define FMI2_REFERENCES const fmi2ValueReference *references, size_t count

/* ---- both kinds -------------------------------------------------------------------------------------------------- */

FMI2_EXPORT const char* FMI2_NAME(fmi2GetTypesPlatform)(void);
FMI2_EXPORT const char* FMI2_NAME(fmi2GetVersion)(void);
FMI2_STATUS FMI2_NAME(fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String* categories);

FMI2_EXPORT fmi2Component FMI2_NAME(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                                     fmi2String resource_location,
                                                     const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                                                     fmi2Boolean logging_on);
FMI2_EXPORT void FMI2_NAME(fmi2FreeInstance)(fmi2Component c);

FMI2_STATUS FMI2_NAME(fmi2SetupExperiment)(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                           fmi2Real start_time, fmi2Boolean stop_time_defined, fmi2Real stop_time);
FMI2_STATUS FMI2_NAME(fmi2EnterInitializationMode)(fmi2Component c);
FMI2_STATUS FMI2_NAME(fmi2ExitInitializationMode)(fmi2Component c);
FMI2_STATUS FMI2_NAME(fmi2Terminate)(fmi2Component c);
FMI2_STATUS FMI2_NAME(fmi2Reset)(fmi2Component c);

FMI2_STATUS FMI2_NAME(fmi2GetReal)(fmi2Component c, FMI2_REFERENCES, fmi2Real* values);
FMI2_STATUS FMI2_NAME(fmi2GetInteger)(fmi2Component c, FMI2_REFERENCES, fmi2Integer* values);
FMI2_STATUS FMI2_NAME(fmi2GetBoolean)(fmi2Component c, FMI2_REFERENCES, fmi2Boolean* values);
FMI2_STATUS FMI2_NAME(fmi2GetString)(fmi2Component c, FMI2_REFERENCES, fmi2String* values);
FMI2_STATUS FMI2_NAME(fmi2SetReal)(fmi2Component c, FMI2_REFERENCES, const fmi2Real* values);
FMI2_STATUS FMI2_NAME(fmi2SetInteger)(fmi2Component c, FMI2_REFERENCES, const fmi2Integer* values);
FMI2_STATUS FMI2_NAME(fmi2SetBoolean)(fmi2Component c, FMI2_REFERENCES, const fmi2Boolean* values);
FMI2_STATUS FMI2_NAME(fmi2SetString)(fmi2Component c, FMI2_REFERENCES, const fmi2String* values);

FMI2_STATUS FMI2_NAME(fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate* state);
FMI2_STATUS FMI2_NAME(fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state);
FMI2_STATUS FMI2_NAME(fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate* state);
FMI2_STATUS FMI2_NAME(fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t* size);
FMI2_STATUS FMI2_NAME(fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte* bytes, size_t size);
FMI2_STATUS FMI2_NAME(fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte* bytes, size_t size,
                                               fmi2FMUstate* state);
FMI2_STATUS FMI2_NAME(fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference* unknowns,
                                                    size_t unknown_count, const fmi2ValueReference* knowns,
                                                    size_t known_count, const fmi2Real* seeds, fmi2Real* derivatives);

/* ---- Model Exchange ---------------------------------------------------------------------------------------------- */

FMI2_STATUS FMI2_NAME(fmi2EnterEventMode)(fmi2Component c);
FMI2_STATUS FMI2_NAME(fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo* info);
FMI2_STATUS FMI2_NAME(fmi2EnterContinuousTimeMode)(fmi2Component c);
FMI2_STATUS FMI2_NAME(fmi2CompletedIntegratorStep)(fmi2Component c, fmi2Boolean no_set_fmu_state_prior_to_current_point,
                                                   fmi2Boolean* enter_event_mode, fmi2Boolean* terminate_simulation);
FMI2_STATUS FMI2_NAME(fmi2SetTime)(fmi2Component c, fmi2Real time);
FMI2_STATUS FMI2_NAME(fmi2SetContinuousStates)(fmi2Component c, const fmi2Real* x, size_t count);
FMI2_STATUS FMI2_NAME(fmi2GetDerivatives)(fmi2Component c, fmi2Real* derivatives, size_t count);
FMI2_STATUS FMI2_NAME(fmi2GetEventIndicators)(fmi2Component c, fmi2Real* indicators, size_t count);
FMI2_STATUS FMI2_NAME(fmi2GetContinuousStates)(fmi2Component c, fmi2Real* x, size_t count);
FMI2_STATUS FMI2_NAME(fmi2GetNominalsOfContinuousStates)(fmi2Component c, fmi2Real* nominals, size_t count);

/* ---- Co-Simulation ----------------------------------------------------------------------------------------------- */

FMI2_STATUS FMI2_NAME(fmi2SetRealInputDerivatives)(fmi2Component c, FMI2_REFERENCES, const fmi2Integer* orders,
                                                   const fmi2Real* values);
FMI2_STATUS FMI2_NAME(fmi2GetRealOutputDerivatives)(fmi2Component c, FMI2_REFERENCES, const fmi2Integer* orders,
                                                    fmi2Real* values);
FMI2_STATUS FMI2_NAME(fmi2DoStep)(fmi2Component c, fmi2Real current_communication_point,
                                  fmi2Real communication_step_size,
                                  fmi2Boolean no_set_fmu_state_prior_to_current_point);
FMI2_STATUS FMI2_NAME(fmi2CancelStep)(fmi2Component c);
FMI2_STATUS FMI2_NAME(fmi2GetStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Status* value);
FMI2_STATUS FMI2_NAME(fmi2GetRealStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Real* value);
FMI2_STATUS FMI2_NAME(fmi2GetIntegerStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Integer* value);
FMI2_STATUS FMI2_NAME(fmi2GetBooleanStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value);
FMI2_STATUS FMI2_NAME(fmi2GetStringStatus)(fmi2Component c, fmi2StatusKind kind, fmi2String* value);

#endif
