// For tests: a pool whose variables are the letters a ... z, and short ways to write expressions.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "fmugen/equations/expr.h"
#include "fmugen/equations/print.h"

namespace fmugen::equations {

struct Letters {
  ExprPool pool;

  static VarId id(char letter) { return static_cast<VarId>(letter - 'a'); }
  Expr v(char letter) { return pool.variable(id(letter)); }
  Expr n(double value) { return pool.number(value); }
  Expr sum(std::initializer_list<Expr> terms) { return pool.add({terms.begin(), terms.size()}); }
  Expr product(std::initializer_list<Expr> factors) { return pool.mul({factors.begin(), factors.size()}); }
  Expr call(Function f, std::initializer_list<Expr> arguments) {
    return pool.call(f, std::span<const Expr>(arguments.begin(), arguments.size()));
  }
  Expr logical(Op op, std::initializer_list<Expr> operands) {
    return pool.logical(op, {operands.begin(), operands.size()});
  }
  Expr delay(std::initializer_list<Expr> arguments) { return pool.delay({arguments.begin(), arguments.size()}); }
  Expr less(Expr x, Expr y) { return pool.relation(Op::Less, x, y); }
  Expr choose(Expr c, Expr x, Expr y) { return pool.if_then_else(c, x, y); }

  static Names names() {
    Names names;
    names.variable = [](VarId v) { return std::string(1, static_cast<char>('a' + index(v))); };
    names.function = [](std::uint32_t f) { return "f" + std::to_string(f); };
    names.table = [](std::uint32_t t) { return "table" + std::to_string(t); };
    return names;
  }
  static std::string text(Expr e) { return to_text(e, names()); }
};

}  // namespace fmugen::equations
