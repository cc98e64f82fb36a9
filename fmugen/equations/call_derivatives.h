// Derivatives of functions and tables of a model: what Differentiator asks for where it meets a call.
#pragma once

#include "fmugen/equations/differentiate.h"
#include "fmugen/equations/flat_model.h"

namespace fmugen::equations {

// The partial derivative of a UserCall or TableCall of the model by one of its arguments, as a call of a function or table
// that is added to the model when it is needed first. Null if there is none: an external function without `derivative`, a
// function that calls one, or a third derivative of a table. Of these added functions and tables there are derivatives in
// turn.
//
//   f(x, y) by y        f'(x, y, 0, 1)         f' has the arguments of f, then how much each of them changes
//   rho(h)              rho'(h)
//   map(x, y) by y      map'y(x, y)
Expr call_derivative(FlatModel& model, Expr call, std::size_t argument);

inline CallDerivative call_derivatives(FlatModel& model) {
  return [&model](Expr call, std::size_t argument) { return call_derivative(model, call, argument); };
}

// The tangent of a function, made if it does not exist yet; kNoTangent if there is none.
std::uint32_t tangent_of(FlatModel& model, std::uint32_t function);

}  // namespace fmugen::equations
