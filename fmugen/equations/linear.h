// Linear parts of expressions: e = constant + slope*x.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fmugen/equations/expr.h"
#include "fmugen/equations/walk.h"

namespace fmugen::equations {

struct LinearForm {
  Expr constant = nullptr;
  Expr slope = nullptr;  // neither contains x
};

// Decomposes with respect to x, a Variable, Der, Pre or New node; these are independent of each other. nullopt if e is
// not linear in x. Products of which one factor contains x, quotients of x and conditions free of x are seen through.
std::optional<LinearForm> linear_form(ExprPool& pool, Expr e, Expr x);

// The same for several expressions that share parts.
class LinearDecomposition {
 public:
  LinearDecomposition(ExprPool& pool, Expr x);
  std::optional<LinearForm> operator()(Expr e);
  bool occurs(Expr e) const;  // does x occur in e, an operand of an expression that has been decomposed?

 private:
  struct Part {
    LinearForm form;  // null slope: not linear
    bool occurs = false;
  };
  bool excluded(Expr e) const;  // certainly free of x
  Part part(Expr e) const;
  Part decompose(Expr e);
  Part decompose_product(Expr e);

  ExprPool& pool_;
  Expr x_, zero_;
  std::optional<VarId> variable_;  // of x
  NodeMap<Part> known_;
};

struct LinearTerm {
  Expr leaf = nullptr;
  Expr coefficient = nullptr;
};

// e = constant + sum of coefficient*leaf, where no coefficient and not the constant contain a leaf that is `unknown`.
// nullopt if e is not linear in all of them together, or if one is inside an `if` (a factor that is guarded by the
// condition must not be evaluated without it) or a `noevent`. Terms come in the order of the leaves' creation, with
// coefficients that are not zero. Costs O(n) for all unknowns at once, where linear_form costs O(n) for each.
struct AffineForm {
  Expr constant = nullptr;
  std::vector<LinearTerm> terms;
};
std::optional<AffineForm> affine_form(ExprPool& pool, Expr e, const std::function<bool(Expr leaf)>& unknown);

}  // namespace fmugen::equations
