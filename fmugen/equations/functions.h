// What the functions of the language compute.
#pragma once

#include <span>

#include "fmugen/equations/expr.h"

namespace fmugen::equations {

// The value of f for numbers: C's library functions, except
//   int(x)     the integer part, rounded toward zero
//   mod(x, y)  x - int(x/y)*y, with the sign of x
//   sign(0)    0
//   min, max   not a number if one argument is none
double function_value(Function f, std::span<const double> arguments);

// The value of a**b. A quotient is written with the power -1, which must be an exact division.
double power(double base, double exponent);

}  // namespace fmugen::equations
