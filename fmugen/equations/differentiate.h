// Derivatives of expressions: partial, and total with respect to time.
//
// A derivative may not exist as an expression: the result then names the node that stands in the way. That can be a
// delay that changes, a relation or a logical operation (they have no derivative), or a table or function of the model for which
// `partial` gives none. Everything else is differentiated: `if` branch by branch, min, max and abs by the branch that
// is active (decided without events), sign, int, floor and ceil as constants.
#pragma once

#include <functional>

#include "fmugen/equations/expr.h"
#include "fmugen/equations/walk.h"

namespace fmugen::equations {

struct Derivative {
  Expr value = nullptr;    // null: not differentiable, because of
  Expr blocked = nullptr;  // this node
  explicit operator bool() const { return value != nullptr; }
};

// The partial derivative of a UserCall or TableCall with respect to one of its arguments; null: there is none.
using CallDerivative = std::function<Expr(Expr call, std::size_t argument)>;

// The derivative of a leaf: Variable, Time, Der, Pre, New or Delay node (of a duration that does not change); null: it
// has none.
using LeafDerivative = std::function<Expr(Expr leaf)>;

// Differentiates many expressions by the same rules; shared parts are differentiated once.
class Differentiator {
 public:
  Differentiator(ExprPool& pool, LeafDerivative leaf, CallDerivative call = {});
  Derivative operator()(Expr e);

 private:
  bool lasts_constantly(Expr delay);
  Derivative differentiate(Expr e);
  Derivative product(std::span<const Expr> factors);
  Derivative extreme(Expr e, std::span<const Expr> arguments);
  Derivative power(Expr e);
  Derivative function(Expr e);
  Derivative model_call(Expr e);
  Expr outer(Expr e);
  Expr rate(Expr e) const { return known_.at(e).value; }
  Expr square(Expr e) { return pool_.pow(e, pool_.number(2)); }

  ExprPool& pool_;
  LeafDerivative leaf_;
  CallDerivative call_;
  NodeMap<Derivative> known_;
};

// de/dx, where x is a Variable, Der, Pre or New node. These are all independent of each other: the derivative of der(x)
// with respect to x is 0. So is that of delay(x, T): what x was does not depend on what it is.
Derivative partial_derivative(ExprPool& pool, Expr e, Expr x, const CallDerivative& call = {});

// de/dt. Variables for which `constant` holds (parameters, discrete variables) do not change; the others become der(x);
// der(x) becomes der(der(x)); pre and new are constant; there is none of a delayed variable.
Derivative total_derivative(ExprPool& pool, Expr e, const std::function<bool(VarId)>& constant,
                            const CallDerivative& call = {});

}  // namespace fmugen::equations
