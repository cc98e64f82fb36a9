// Numbers and conditions may stand for each other: a condition is the number 1 or 0, and a number is true if it is not
// less than 0.5. A conversion is made only where it is needed, so that IF A<B OR SW THEN ... is decided by A < B or
// 0.5 <= SW and nothing has to be compared twice.
//
//   Q = IF PAR THEN FI[CONT] ELSE FI[DISCR]       if 0.5 <= PAR then CONT.FI else DISCR.FI
//   S = T<10                                      if time < 10 then 1 else 0
#include "fmugen/simnon/values.h"

#include <algorithm>
#include <array>

#include "fmugen/simnon/lexer.h"

namespace fmugen::simnon {

using equations::Function;
using equations::Op;

namespace {

struct Known {
  const char* name;
  Function function;
  std::size_t arguments;
};

// Manual, table 6.
constexpr std::array<Known, 15> kFunctions = {{{"SQRT", Function::Sqrt, 1},
                                               {"EXP", Function::Exp, 1},
                                               {"LN", Function::Ln, 1},
                                               {"LOG", Function::Log10, 1},
                                               {"SIN", Function::Sin, 1},
                                               {"COS", Function::Cos, 1},
                                               {"TAN", Function::Tan, 1},
                                               {"ATAN", Function::Atan, 1},
                                               {"ATAN2", Function::Atan2, 2},
                                               {"ABS", Function::Abs, 1},
                                               {"SIGN", Function::Sign, 1},
                                               {"INT", Function::Int, 1},
                                               {"MOD", Function::Mod, 2},
                                               {"MIN", Function::Min, 2},
                                               {"MAX", Function::Max, 2}}};

class Translation {
 public:
  Translation(equations::ExprPool& pool, const Lookup& lookup, support::Diagnostics& diagnostics)
      : pool_(pool), lookup_(lookup), diagnostics_(diagnostics) {}

  Value value(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::Number: return {pool_.number(e.number), false};
      case ExpressionKind::Reference: return lookup_(e.reference);
      case ExpressionKind::Call: return call(e);
      case ExpressionKind::Sum: return of_numbers(e, [&](auto x) { return pool_.add(x); });
      case ExpressionKind::Product: return product(e);
      case ExpressionKind::Negative: return of_numbers(e, [&](auto x) { return pool_.neg(x[0]); });
      case ExpressionKind::Inverse: return of_numbers(e, [&](auto x) { return pool_.div(pool_.number(1), x[0]); });
      case ExpressionKind::Power: return of_numbers(e, [&](auto x) { return pool_.pow(x[0], x[1]); });
      case ExpressionKind::Less:
        return of_numbers(
            e, [&](auto x) { return pool_.relation(Op::Less, x[0], x[1]); }, true);
      case ExpressionKind::Greater:
        return of_numbers(
            e, [&](auto x) { return pool_.relation(Op::Less, x[1], x[0]); }, true);
      case ExpressionKind::Not: return of_conditions(e, [&](auto x) { return pool_.negation(x[0]); });
      case ExpressionKind::And: return of_conditions(e, [&](auto x) { return pool_.logical(Op::And, x); });
      case ExpressionKind::Or: return of_conditions(e, [&](auto x) { return pool_.logical(Op::Or, x); });
      case ExpressionKind::If: return choice(e);
    }
    return {};
  }

 private:
  // `make` gets the children as numbers; null if one of them is wrong.
  template <class Make>
  Value of_numbers(const Expression& e, const Make& make, bool condition = false) {
    std::vector<Expr> x;
    bool good = true;
    for (const Expression& child : e.children) {
      x.push_back(as_number(pool_, value(child)));
      good = good && x.back();
    }
    if (!good) return {};
    return {make(std::span<const Expr>(x)), condition};
  }

  template <class Make>
  Value of_conditions(const Expression& e, const Make& make) {
    std::vector<Expr> x;
    bool good = true;
    for (const Expression& child : e.children) {
      x.push_back(as_condition(pool_, value(child)));
      good = good && x.back();
    }
    if (!good) return {};
    return {make(std::span<const Expr>(x)), true};
  }

  // a*b/c: quotients as the pool writes them
  Value product(const Expression& e) {
    std::vector<Expr> factors;
    bool good = true;
    for (const Expression& child : e.children) {
      const bool inverse = child.kind == ExpressionKind::Inverse;
      const Expr x = as_number(pool_, value(inverse ? child.children[0] : child));
      good = good && x;
      factors.push_back(x && inverse ? pool_.reciprocal(x) : x);
    }
    if (!good) return {};
    return {pool_.mul(factors), false};
  }

  Value choice(const Expression& e) {
    const Expr condition = as_condition(pool_, value(e.children[0]));
    const Value a = value(e.children[1]), b = value(e.children[2]);
    if (!condition || !a.e || !b.e) return {};
    if (a.condition && b.condition) {  // (c and a) or (not c and b): conditions are joined by these words only
      const std::array yes{condition, a.e}, no{pool_.negation(condition), b.e};
      const std::array either{pool_.logical(Op::And, yes), pool_.logical(Op::And, no)};
      return {pool_.logical(Op::Or, either), true};
    }
    return {pool_.if_then_else(condition, as_number(pool_, a), as_number(pool_, b)), false};
  }

  Value call(const Expression& e) {
    const Name& name = e.reference.name;
    const std::string text = upper(name.text);
    for (const Known& known : kFunctions) {
      if (text != known.name) continue;
      if (e.children.size() != known.arguments) {
        diagnostics_.error(e.where, "function '" + text + "' has " + std::to_string(known.arguments) +
                                        (known.arguments == 1 ? " argument" : " arguments") + ", not " +
                                        std::to_string(e.children.size()));
        return {};
      }
      return of_numbers(e, [&](auto x) { return pool_.call(known.function, x); });
    }
    std::vector<std::string> names;
    for (const Known& known : kFunctions) names.emplace_back(known.name);
    auto& error = diagnostics_.error(name.where, "there is no function '" + name.text + "'");
    if (const std::string near = support::nearest_name(text, names); !near.empty())
      error.remark("did you mean '" + near + "'?");
    return {};
  }

  equations::ExprPool& pool_;
  const Lookup& lookup_;
  support::Diagnostics& diagnostics_;
};

}  // namespace

bool is_function(const std::string& name) {
  const std::string text = upper(name);
  return std::any_of(kFunctions.begin(), kFunctions.end(), [&](const Known& known) { return text == known.name; });
}

Expr as_number(equations::ExprPool& pool, const Value& value) {
  if (!value.e || !value.condition) return value.e;
  return pool.if_then_else(value.e, pool.number(1), pool.number(0));
}

Expr as_condition(equations::ExprPool& pool, const Value& value) {
  if (!value.e || value.condition) return value.e;
  return pool.relation(Op::LessEqual, pool.number(0.5), value.e);
}

Value translate_value(equations::ExprPool& pool, const Expression& e, const Lookup& lookup,
                      support::Diagnostics& diagnostics) {
  return Translation(pool, lookup, diagnostics).value(e);
}

}  // namespace fmugen::simnon
