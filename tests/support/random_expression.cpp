#include "tests/support/random_expression.h"

#include <algorithm>
#include <cmath>

namespace fmugen::tests {

using equations::Expr;
using equations::Function;
using equations::Op;

RandomExpression::RandomExpression(ExpressionText& text, unsigned seed, Mixture mixture)
    : text_(text), pool_(text.pool), generator_(seed), mixture_(mixture) {
  for (const char* name : {"a", "b", "c", "u", "v", "w", "x", "y"}) variables_.push_back(text.variable(name));
}

double RandomExpression::value() {
  const double size = std::uniform_real_distribution<double>(0.3, 2.5)(generator_);
  return pick(3) == 0 ? -size : size;
}

Expr RandomExpression::leaf() {
  switch (pick(8)) {
    case 0: return pool_.number(static_cast<double>(pick(7)) - 3);
    case 1: return pool_.number(value());
    case 2: return pool_.time();
    default: return variable();
  }
}

Expr RandomExpression::real(int depth) {
  if (depth <= 0) return leaf();
  switch (pick(12)) {
    case 0:
    case 1: {
      std::vector<Expr> terms;
      for (std::size_t i = 0, n = 2 + pick(4); i < n; ++i) terms.push_back(real(depth - 1));
      return pool_.add(terms);
    }
    case 2:
    case 3: {
      std::vector<Expr> factors;
      for (std::size_t i = 0, n = 2 + pick(3); i < n; ++i) factors.push_back(real(depth - 1));
      return pool_.mul(factors);
    }
    case 4: return pool_.sub(real(depth - 1), real(depth - 1));
    case 5: return pool_.div(real(depth - 1), real(depth - 1));
    case 6: return pool_.pow(real(depth - 1), pool_.number(static_cast<double>(pick(7)) - 3));
    case 7: return pool_.pow(pool_.call(Function::Abs, real(depth - 1)), leaf());
    case 8: return pool_.neg(real(depth - 1));
    case 9:
      return mixture_.conditions ? pool_.if_then_else(condition(depth - 1), real(depth - 1), real(depth - 1)) : leaf();
    case 10: return mixture_.time_operators ? time_operator(depth) : leaf();
    default: return call(depth);
  }
}

Expr RandomExpression::call(int depth) {
  constexpr Function kSmooth[] = {Function::Sqrt, Function::Exp,  Function::Ln,   Function::Log10, Function::Sin,
                                  Function::Cos,  Function::Tan,  Function::Asin, Function::Acos,  Function::Atan,
                                  Function::Sinh, Function::Cosh, Function::Tanh, Function::Atan2};
  constexpr Function kKinks[] = {Function::Abs, Function::Sign,  Function::Int, Function::Mod,
                                 Function::Min, Function::Floor, Function::Max, Function::Ceil};
  const bool kink = mixture_.kinks && pick(3) == 0;
  const Function f = kink ? kKinks[pick(std::size(kKinks))] : kSmooth[pick(std::size(kSmooth))];
  const int declared = equations::arity(f);
  std::vector<Expr> arguments;
  for (std::size_t i = 0, n = declared < 0 ? 2 + pick(3) : static_cast<std::size_t>(declared); i < n; ++i)
    arguments.push_back(real(depth - 1));
  return pool_.call(f, arguments);
}

Expr RandomExpression::time_operator(int depth) {
  const Expr arguments[] = {real(depth - 1), real(depth - 1)};
  switch (pick(6)) {
    case 0: return pool_.pre(variable());
    case 1: return pool_.next(variable());
    case 2: return pool_.delay(arguments);
    case 3: return pool_.no_event(arguments[0]);
    case 4: return text_(pick(2) ? "f(x, y)" : "table1(x)");
    default: return pool_.der(variable());
  }
}

Expr RandomExpression::condition(int depth) {
  constexpr Op kRelations[] = {Op::Less, Op::LessEqual, Op::Equal, Op::Unequal};
  if (depth > 0 && pick(3) == 0) {
    std::vector<Expr> operands;
    for (std::size_t i = 0, n = 2 + pick(2); i < n; ++i) operands.push_back(condition(depth - 1));
    return pick(4) == 0 ? pool_.negation(operands[0]) : pool_.logical(pick(2) ? Op::And : Op::Or, operands);
  }
  return pool_.relation(kRelations[pick(4)], real(depth - 1), real(depth - 1));
}

bool near(double a, double b, double tolerance) {
  if (!std::isfinite(a) || !std::isfinite(b)) return true;
  return std::fabs(a - b) <= tolerance * std::max({1.0, std::fabs(a), std::fabs(b)});
}

}  // namespace fmugen::tests
