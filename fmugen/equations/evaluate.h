// Values of expressions for given values of what they contain.
#pragma once

#include <functional>
#include <span>

#include "fmugen/equations/expr.h"
#include "fmugen/equations/walk.h"

namespace fmugen::equations {

// What is not given evaluates to NaN.
struct Values {
  std::function<double(VarId)> variable;
  std::function<double(Expr)> other;  // Der, Pre, New, Delay nodes
  double time = 0;
  std::function<double(std::uint32_t function, std::uint32_t result, std::span<const double>)> function;
  std::function<double(std::uint32_t table, std::span<const double>)> table;
};

// Boolean values are 1 and 0. Of an `if` only the chosen branch is evaluated. Every node is evaluated once.
double evaluate(Expr e, const Values& values);

// Evaluates many expressions for the same values, shared parts once.
class Evaluator {
 public:
  explicit Evaluator(const Values& values) : values_(values) {}
  double operator()(Expr e);

 private:
  double apply(Expr e, std::span<const double> x) const;
  Values values_;
  NodeMap<double> known_;
};

}  // namespace fmugen::equations
