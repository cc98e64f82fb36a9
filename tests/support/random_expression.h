// Random expressions over a few variables, the same for the same seed.
#pragma once

#include <random>
#include <vector>

#include "tests/support/expression_text.h"

namespace fmugen::tests {

// Which nodes may occur.
struct Mixture {
  bool conditions = true;      // if, relations, and, or, not
  bool kinks = true;           // abs, sign, int, floor, ceil, mod, min, max
  bool time_operators = true;  // der, pre, new, delay, noevent, calls of the model
};

class RandomExpression {
 public:
  RandomExpression(ExpressionText& text, unsigned seed, Mixture mixture = {});

  equations::Expr real(int depth);
  equations::Expr condition(int depth);
  equations::Expr variable() { return variables_[pick(variables_.size())]; }
  double value();  // one of moderate size, not near 0

 private:
  std::size_t pick(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator_); }
  equations::Expr leaf();
  equations::Expr call(int depth);
  equations::Expr time_operator(int depth);

  ExpressionText& text_;
  equations::ExprPool& pool_;
  std::mt19937 generator_;
  Mixture mixture_;
  std::vector<equations::Expr> variables_;
};

// Equal up to rounding, or both not a number, or one of them not finite (the order of operations decides overflow).
bool near(double a, double b, double tolerance = 1e-9);

}  // namespace fmugen::tests
