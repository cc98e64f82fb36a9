// What stands within a line of a printed tree: the part of the tree printer that knows expressions and connections.
#pragma once

#include <ostream>
#include <string_view>

#include "fmugen/syntax/ast.h"

namespace fmugen::syntax {

class PartPrinter {
 public:
  explicit PartPrinter(std::ostream& out) : out_(out) {}

  void print(const Name& name);
  void print(const Attribute& attribute);
  void print(const Argument& argument);
  void print(const ReferencePart& part);
  void print(const Reference& reference);
  void print(const Expression& e);
  void print(const CutElement& element);
  void print(const CutClause& clause);
  void print(const ConnectionExpression& e);

 protected:
  static const std::string& text(const Name& name) { return name.symbol.text(); }
  void quoted(std::string_view contents);
  void description(const std::string& contents);
  void brackets(const std::vector<Expression>& subscripts);
  void rows(const std::vector<std::vector<Expression>>& matrix);
  void attributes(const std::vector<Attribute>& all);
  void number(double value);
  void operation(const Expression& e);
  void joined(const Expression& e, const char* separator);
  void if_expression(const Expression& e);
  void clause_contents(const CutClause& clause);
  void operand(const ConnectionExpression& e);
  void chain(const ConnectionExpression& e);
  template <class List>
  void list(const List& elements, const char* separator = ", ") {
    const char* before = "";
    for (const auto& element : elements) {
      out_ << before;
      print(element);
      before = separator;
    }
  }

  std::ostream& out_;
};

}  // namespace fmugen::syntax
