// The equations as residuals with their Jacobian: what an integrator for differential-algebraic equations wants.
#pragma once

#include <string>

#include "fmugen/codegen/program.h"

namespace fmugen::codegen {

// Writes the functions; appends the tables and returns "&residual_form", or "0" if the form is not available: a
// derivative of an equation is not known, or a state is the derivative of another.
std::string write_residual_form(Vocabulary& words, Program& program, std::string& tables);

}  // namespace fmugen::codegen
