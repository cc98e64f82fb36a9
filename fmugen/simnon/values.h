// Expressions of SIMNON as expressions of the flat model.
#pragma once

#include <functional>

#include "fmugen/equations/expr.h"
#include "fmugen/simnon/ast.h"
#include "fmugen/support/diagnostics.h"

namespace fmugen::simnon {

using equations::Expr;

struct Value {
  Expr e = nullptr;        // null after an error
  bool condition = false;  // a condition, not a number
};

// What a reference means; null after an error.
using Lookup = std::function<Value(const Reference&)>;

Value translate_value(equations::ExprPool& pool, const Expression& e, const Lookup& lookup,
                      support::Diagnostics& diagnostics);

bool is_function(const std::string& name);  // in letters of either case

Expr as_number(equations::ExprPool& pool, const Value& value);     // a condition is 1 or 0
Expr as_condition(equations::ExprPool& pool, const Value& value);  // a number is true from 0.5 on

}  // namespace fmugen::simnon
