/* The model that fmi2Instantiate makes instances of: here a variable, so that one program can test several models. */
#define fmr_model fmr_model_of_header
#include "fmu-runtime/include/fmu_runtime/model_interface.h"
#undef fmr_model

FmrModel fmr_model;

void use_model(const FmrModel* model) { fmr_model = *model; }
