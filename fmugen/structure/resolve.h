// Expressions of the flat model in the terms of the system: what was removed as an alias is replaced by what it equals,
// and der(x) by the variable that is the derivative.
#pragma once

#include <optional>

#include "fmugen/equations/substitute.h"
#include "fmugen/structure/system.h"

namespace fmugen::structure {

class Resolver {
 public:
  explicit Resolver(System& system);
  Expr operator()(Expr e) { return substitute_(e); }

  // x, if `resolved` still contains der(x), because no equation of the system contains the derivative of x.
  static std::optional<VarId> missing_derivative(Expr resolved);

 private:
  equations::Substitution substitute_;
};

// What stands for a variable: its root with the sign, or a number.
Expr resolved_variable(System& system, VarId v);

}  // namespace fmugen::structure
