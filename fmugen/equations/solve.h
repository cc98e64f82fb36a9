// Solves one equation for one unknown, if that can be done by a formula.
#pragma once

#include <optional>
#include <vector>

#include "fmugen/equations/expr.h"

namespace fmugen::equations {

struct Solution {
  Expr value = nullptr;
  // The formula divides by these: where one vanishes it is no solution, and the equation may have none or many. Only
  // numbers other than 0 are left out. A caller who cannot exclude a zero keeps the equation as it is.
  std::vector<Expr> divisors;
  // Conditions under which the value solves the equation; if one does not hold there is no solution: 0 < y for
  // exp(x) = y. Empty for linear equations.
  std::vector<Expr> conditions;
  // Whether the value is no finite number where a condition does not hold: ln(y) is none for y <= 0. If not, the formula
  // would give a value where there is no solution: y**2 for sqrt(x) = y with a negative y.
  bool shows_violation = true;
  bool linear = false;  // the equation is linear in x: no function had to be inverted
};

// left = right solved for x, a Variable, Der, Pre or New node.
//
// An equation linear in x gives (g0 - f0)/(f1 - g1), where left = f0 + f1*x and right = g0 + g1*x. Otherwise x must
// stand on one side, and functions with a unique inverse are peeled off as long as one operand contains x: exp, ln,
// log10, sqrt, sinh, tanh, atan, asin, acos, odd powers, reciprocals and powers of a positive number. nullopt for
// anything else, and if x does not occur or cancels.
std::optional<Solution> solve(ExprPool& pool, Expr left, Expr right, Expr x);

}  // namespace fmugen::equations
