// Replaces variables by expressions.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "fmugen/equations/expr.h"

namespace fmugen::equations {

// What shall stand in place of a Variable, Time, Der, Pre, New or Delay node; null: the node is kept, but variables in
// it are replaced in turn. Replacements are not searched again. With x -> 2*y, der(x) becomes der(2*y); with x -> 3 it
// becomes 0.
using Replacement = std::function<Expr(Expr)>;

// Remembers what it did, so that equations sharing parts share the work.
class Substitution {
 public:
  Substitution(ExprPool& pool, Replacement replacement);
  // by_variable[index(v)] stands for v; null or beyond the end: v stays.
  Substitution(ExprPool& pool, std::span<const Expr> by_variable);
  ~Substitution();
  Expr operator()(Expr e);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

Expr substitute(ExprPool& pool, Expr e, const Replacement& replacement);
Expr substitute(ExprPool& pool, Expr e, VarId variable, Expr value);

}  // namespace fmugen::equations
