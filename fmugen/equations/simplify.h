// Brings expressions into a canonical form, in which more of the equal ones become the same node.
#pragma once

#include <memory>

#include "fmugen/equations/expr.h"

namespace fmugen::equations {

// Beyond what the constructors do:
//   operands of sums, products, min, max, and, or are sorted      y + x, x + y
//   a number times a sum is multiplied out                        a - (a + b)        ->  -b
//   powers of one base are joined, also of different sign         x**2/x             ->  x
//   an integer power of a product is distributed                  (2*x*y)**2         ->  4*x**2*y**2
//   signs leave odd and even functions                            sin(-x), cos(-x)   ->  -sin(x), cos(x)
//   functions meet their inverse                                  exp(ln(x)), sqrt(x)**2, sqrt(x**2)  ->  x, x, abs(x)
//   conditions are decided or turned round                        x < x, if not c then a else b
//
// Where the original has a value, the result has the same (up to rounding); where it has none (x/x at 0), the result
// may have one. Simplifying twice changes nothing. The order of operands is that in which the nodes were made.
class Simplifier {
 public:
  explicit Simplifier(ExprPool& pool);
  ~Simplifier();
  Expr operator()(Expr e);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

Expr simplify(ExprPool& pool, Expr e);

}  // namespace fmugen::equations
