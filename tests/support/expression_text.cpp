#include "tests/support/expression_text.h"

#include <algorithm>
#include <stdexcept>

#include "fmugen/support/diagnostics.h"
#include "fmugen/syntax/parser.h"

namespace fmugen::tests {

using equations::Expr;
using equations::Function;
using equations::Op;
using syntax::ExpressionKind;
using syntax::RelationOperator;

namespace {

std::uint32_t number_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  const auto number = static_cast<std::uint32_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return number;
}

}  // namespace

Expr ExpressionText::operator()(std::string_view text) {
  support::Diagnostics diagnostics;
  const std::uint32_t source = sources_.add("test", std::string(text));
  const auto tree = syntax::parse_expression(sources_, source, symbols_, diagnostics);
  if (!tree) throw std::runtime_error(diagnostics.all().empty() ? "no message" : diagnostics.all()[0].text);
  return convert(*tree);
}

Expr ExpressionText::variable(const std::string& name) {
  const auto [entry, fresh] = numbers_.try_emplace(name, static_cast<std::uint32_t>(variables_.size()));
  if (fresh) variables_.push_back(name);
  return pool.variable(static_cast<equations::VarId>(entry->second));
}

equations::Names ExpressionText::names() const {
  equations::Names names;
  names.variable = [this](equations::VarId v) { return variables_[index(v)]; };
  names.function = [this](std::uint32_t f) { return functions_[f]; };
  names.table = [this](std::uint32_t t) { return tables_[t]; };
  return names;
}

std::vector<Expr> ExpressionText::convert_children(const syntax::Expression& e) {
  std::vector<Expr> children;
  for (const syntax::Expression& child : e.children) children.push_back(convert(child));
  return children;
}

Expr ExpressionText::convert(const syntax::Expression& e) {
  switch (e.kind) {
    case ExpressionKind::Number: return pool.number(e.number);
    case ExpressionKind::Boolean: return pool.boolean(e.boolean);
    case ExpressionKind::Reference: {
      std::string name;
      for (const auto& part : e.reference.parts) name += (name.empty() ? "" : ".") + part.name.symbol.text();
      return name == "time" ? pool.time() : variable(name);
    }
    case ExpressionKind::Sum: {
      std::vector<Expr> terms = convert_children(e);
      for (std::size_t i = 0; i < terms.size(); ++i)
        if (e.operators[i] == '-') terms[i] = pool.neg(terms[i]);
      return pool.add(terms);
    }
    case ExpressionKind::Product: {
      const std::vector<Expr> factors = convert_children(e);
      Expr result = factors[0];
      for (std::size_t i = 1; i < factors.size(); ++i)
        result = e.operators[i] == '/' ? pool.div(result, factors[i]) : pool.mul(result, factors[i]);
      return result;
    }
    case ExpressionKind::Power: return pool.pow(convert(e.children[0]), convert(e.children[1]));
    case ExpressionKind::Relation: return convert_relation(e);
    case ExpressionKind::And: return pool.logical(Op::And, convert_children(e));
    case ExpressionKind::Or: return pool.logical(Op::Or, convert_children(e));
    case ExpressionKind::Not: return pool.negation(convert(e.children[0]));
    case ExpressionKind::If: {
      const std::vector<Expr> c = convert_children(e);
      return pool.if_then_else(c[0], c[1], c[2]);
    }
    case ExpressionKind::Call: return convert_call(e);
    case ExpressionKind::Prime: {
      Expr result = convert(e.children[0]);
      for (int i = 0; i < e.order; ++i) result = pool.der(result);
      return result;
    }
    case ExpressionKind::String:
    case ExpressionKind::Matrix:
    case ExpressionKind::Range: break;
  }
  throw std::runtime_error("not a scalar expression");
}

Expr ExpressionText::convert_relation(const syntax::Expression& e) {
  const Expr a = convert(e.children[0]), b = convert(e.children[1]);
  switch (e.relation) {
    case RelationOperator::Less: return pool.relation(Op::Less, a, b);
    case RelationOperator::LessEqual: return pool.relation(Op::LessEqual, a, b);
    case RelationOperator::Greater: return pool.relation(Op::Less, b, a);
    case RelationOperator::GreaterEqual: return pool.relation(Op::LessEqual, b, a);
    case RelationOperator::Equal: return pool.relation(Op::Equal, a, b);
    case RelationOperator::Unequal: return pool.relation(Op::Unequal, a, b);
  }
  throw std::runtime_error("unknown relation");
}

Expr ExpressionText::convert_call(const syntax::Expression& e) {
  const std::string& name = e.name.symbol.text();
  const std::vector<Expr> arguments = convert_children(e);
  if (name == "der") return pool.der(arguments[0]);
  if (name == "pre") return pool.pre(arguments[0]);
  if (name == "new") return pool.next(arguments[0]);
  if (name == "noevent") return pool.no_event(arguments[0]);
  if (name == "delay") return pool.delay(arguments);
  Function f{};
  if (equations::function_named(name, f)) return pool.call(f, arguments);
  if (name.rfind("table", 0) == 0) return pool.table_call(number_of(tables_, name), arguments);
  return pool.user_call(number_of(functions_, name), 0, arguments);
}

}  // namespace fmugen::tests
