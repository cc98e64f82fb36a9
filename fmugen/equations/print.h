// Expressions and flat models as text and JSON.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "fmugen/equations/expr.h"
#include "fmugen/equations/flat_model.h"
#include "fmugen/support/diagnostics.h"

namespace fmugen::equations {

struct Names {  // how to print what an expression refers to
  std::function<std::string(VarId)> variable;
  std::function<std::string(std::uint32_t)> function;
  std::function<std::string(std::uint32_t)> table;
};
Names names_of(const FlatModel& model);

// Text in the model language that parses back to the same expression.
std::string to_text(Expr e, const Names& names);
std::string to_text(const FlatEquation& equation, const Names& names);

// The same, appended to a text: for printing many.
void append_text(std::string& out, Expr e, const Names& names);
void append_text(std::string& out, const FlatEquation& equation, const Names& names);

std::string number_text(double value);  // the shortest text that reads back as the same number

// `fmugen flat`: the whole model. The JSON is documented in the language reference.
void print_text(std::ostream& out, const FlatModel& model, const support::Sources& sources,
                const support::Diagnostics& diagnostics);
void print_json(std::ostream& out, const FlatModel& model, const support::Sources& sources,
                const support::Diagnostics& diagnostics);

}  // namespace fmugen::equations
