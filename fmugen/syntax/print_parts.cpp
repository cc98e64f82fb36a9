// Prints the parts of a line: references, expressions, cuts and connections. All operations stand in parentheses, so
// that the structure is visible: `-x**2 + y*z` is printed as (-(x ** 2) + (y * z)). A group of a connection that has
// two readings is printed as list(a / b or (a / b)).
#include "fmugen/syntax/print_parts.h"

#include <charconv>

namespace fmugen::syntax {

namespace {

const char* text_of(RelationOperator relation) {
  switch (relation) {
    case RelationOperator::Less: return " < ";
    case RelationOperator::LessEqual: return " <= ";
    case RelationOperator::Greater: return " > ";
    case RelationOperator::GreaterEqual: return " >= ";
    case RelationOperator::Equal: return " = ";
    case RelationOperator::Unequal: return " <> ";
  }
  return "";
}

const char* text_of(ConnectionOperator connection) {
  switch (connection) {
    case ConnectionOperator::At: return " at ";
    case ConnectionOperator::To: return " to ";
    case ConnectionOperator::From: return " from ";
    case ConnectionOperator::Par: return " par ";
    case ConnectionOperator::Loop: return " loop ";
    case ConnectionOperator::Slash: return " / ";
  }
  return "";
}

}  // namespace

void PartPrinter::quoted(std::string_view contents) {
  out_ << '"';
  for (const char c : contents) {
    if (c == '"') out_ << c;
    out_ << c;
  }
  out_ << '"';
}

void PartPrinter::description(const std::string& contents) {
  if (contents.empty()) return;
  out_ << ' ';
  quoted(contents);
}

void PartPrinter::brackets(const std::vector<Expression>& subscripts) {
  if (subscripts.empty()) return;
  out_ << '[';
  list(subscripts);
  out_ << ']';
}

void PartPrinter::rows(const std::vector<std::vector<Expression>>& matrix) {
  const char* before = "[";
  for (const auto& row : matrix) {
    out_ << before;
    list(row);
    before = "; ";
  }
  out_ << ']';
}

void PartPrinter::attributes(const std::vector<Attribute>& all) {
  if (all.empty()) return;
  out_ << '(';
  list(all);
  out_ << ')';
}

void PartPrinter::print(const Name& name) { out_ << text(name); }

void PartPrinter::print(const Attribute& attribute) {
  out_ << text(attribute.name) << " = ";
  print(attribute.value);
}

void PartPrinter::print(const Argument& argument) {
  if (argument.name.symbol) out_ << text(argument.name) << " = ";
  print(argument.value);
}

void PartPrinter::print(const ReferencePart& part) {
  if (part.quoted)
    quoted(text(part.name));
  else
    out_ << text(part.name);
  brackets(part.subscripts);
}

void PartPrinter::print(const Reference& reference) { list(reference.parts, "."); }

// ---- expressions ---------------------------------------------------------------------------------------------------

void PartPrinter::number(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out_ << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

// Sums, products and their like: (a + b - c)
void PartPrinter::operation(const Expression& e) {
  out_ << '(';
  for (std::size_t i = 0; i < e.children.size(); ++i) {
    if (i > 0) out_ << ' ' << e.operators[i] << ' ';
    if (i == 0 && e.operators[i] == '-') out_ << '-';
    print(e.children[i]);
  }
  out_ << ')';
}

void PartPrinter::joined(const Expression& e, const char* separator) {
  out_ << '(';
  list(e.children, separator);
  out_ << ')';
}

void PartPrinter::print(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::Number: return number(e.number);
    case ExpressionKind::String: return quoted(e.text);
    case ExpressionKind::Boolean: out_ << (e.boolean ? "true" : "false"); return;
    case ExpressionKind::Reference: return print(e.reference);
    case ExpressionKind::Sum:
    case ExpressionKind::Product: return operation(e);
    case ExpressionKind::Power: return joined(e, " ** ");
    case ExpressionKind::Relation: return joined(e, text_of(e.relation));
    case ExpressionKind::And: return joined(e, " and ");
    case ExpressionKind::Or: return joined(e, " or ");
    case ExpressionKind::Not:
      out_ << "(not ";
      print(e.children[0]);
      out_ << ')';
      return;
    case ExpressionKind::If: return if_expression(e);
    case ExpressionKind::Call: out_ << text(e.name); return joined(e, ", ");
    case ExpressionKind::Prime:
      print(e.children[0]);
      out_ << std::string(static_cast<std::size_t>(e.order), '\'');
      return;
    case ExpressionKind::Matrix: return rows(e.rows);
    case ExpressionKind::Range:
      if (e.children.empty()) out_ << ':';
      return list(e.children, ":");
  }
}

void PartPrinter::if_expression(const Expression& e) {
  out_ << "(if ";
  print(e.children[0]);
  out_ << " then ";
  print(e.children[1]);
  out_ << " else ";
  print(e.children[2]);
  out_ << ')';
}

// ---- cuts and connections ------------------------------------------------------------------------------------------

void PartPrinter::print(const CutElement& element) {
  switch (element.kind) {
    case CutElementKind::Dot: out_ << '.'; break;
    case CutElementKind::Variable:
      if (element.negative) out_ << '-';
      print(element.reference);
      attributes(element.attributes);
      break;
    case CutElementKind::Clause:
      print(element.clause[0]);
      if (!element.connection.empty()) {
        out_ << " or ";
        print(element.connection[0]);
      }
      break;
    case CutElementKind::Value: print(element.value[0]); break;
    case CutElementKind::Cut:
    case CutElementKind::Connection: print(element.connection[0]); break;
  }
  description(element.description);
}

void PartPrinter::clause_contents(const CutClause& clause) {
  list(clause.across);
  if (clause.has_slash) out_ << (clause.across.empty() ? "/" : " /") << (clause.through.empty() ? "" : " ");
  list(clause.through);
}

void PartPrinter::print(const CutClause& clause) {
  out_ << '(';
  clause_contents(clause);
  out_ << ')';
}

void PartPrinter::print(const ConnectionExpression& e) {
  switch (e.kind) {
    case ConnectionKind::Operand: return operand(e);
    case ConnectionKind::Reversed:
      out_ << "(reversed ";
      print(e.children[0]);
      out_ << ')';
      return;
    case ConnectionKind::Chain: return chain(e);
    case ConnectionKind::List:
      out_ << "list(";
      clause_contents(e.clause[0]);
      if (!e.children.empty()) {
        out_ << " or ";
        chain(e);
      }
      out_ << ')';
      return;
  }
}

void PartPrinter::operand(const ConnectionExpression& e) {
  print(e.reference);
  switch (e.selector) {
    case SelectorKind::None: return;
    case SelectorKind::Cut: out_ << ':'; return print(e.selected);
    case SelectorKind::CutClause: out_ << ':'; return print(e.clause[0]);
    case SelectorKind::Path: out_ << ".."; return print(e.selected);
    case SelectorKind::PathClause:
      out_ << "..(";
      list(e.ends, " - ");
      out_ << ')';
      return;
  }
}

void PartPrinter::chain(const ConnectionExpression& e) {
  out_ << '(';
  for (std::size_t i = 0; i < e.children.size(); ++i) {
    if (i > 0) out_ << text_of(e.operators[i - 1]);
    print(e.children[i]);
  }
  out_ << ')';
}

}  // namespace fmugen::syntax
