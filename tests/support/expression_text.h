// For tests: expressions written as text, through the parser of the model language.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fmugen/equations/expr.h"
#include "fmugen/equations/print.h"
#include "fmugen/support/source.h"
#include "fmugen/support/symbol.h"
#include "fmugen/syntax/ast.h"

namespace fmugen::tests {

// A pool with variables by name, numbered as they first appear. A call of an unknown function is a table if its name
// begins with "table", otherwise a function of the model; both are numbered as they first appear.
class ExpressionText {
 public:
  equations::ExprPool pool;

  equations::Expr operator()(std::string_view text);  // throws std::runtime_error with the first message
  equations::Expr variable(const std::string& name);
  std::string text(equations::Expr e) const { return equations::to_text(e, names()); }
  equations::Names names() const;
  std::size_t variables() const { return variables_.size(); }

 private:
  equations::Expr convert(const syntax::Expression& e);
  equations::Expr convert_call(const syntax::Expression& e);
  equations::Expr convert_relation(const syntax::Expression& e);
  std::vector<equations::Expr> convert_children(const syntax::Expression& e);

  support::Sources sources_;
  support::SymbolTable symbols_;
  std::vector<std::string> variables_, functions_, tables_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace fmugen::tests
