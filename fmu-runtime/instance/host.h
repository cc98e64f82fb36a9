/* What the parts of the run time that generated code calls into ask of the instance behind FmrData.host. */
#ifndef FMU_RUNTIME_INSTANCE_HOST_H
#define FMU_RUNTIME_INSTANCE_HOST_H

#include "fmu_runtime/model_interface.h"

typedef struct FmrSolveStore FmrSolveStore; /* factors and last solutions of the loops of one instance: solve/ */

FmrSolveStore* fmr_host_solve_store(const FmrData* m);
const FmrModel* fmr_host_model(const FmrData* m);
double fmr_host_tolerance(const FmrData* m); /* of the integration; loops are solved tighter */

typedef enum FmrLevel { FMR_NOTE, FMR_WARNING, FMR_ERROR } FmrLevel;
/* To the logger of the environment, printf style; category is one of the standard names ("logNonlinearSystems"). An
 * error here is what fmi2Error or fmi2Discard of the call in progress goes back to. */
void fmr_host_report(const FmrData* m, FmrLevel level, const char* category, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

#endif
