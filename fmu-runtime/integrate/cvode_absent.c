/* No CVODE: what links if it is not wanted. */
#include <stddef.h>

#include "integrate/method.h"

const FmrMethod* const fmr_cvode = NULL;
