// Expressions, by recursive descent with one function per level of precedence:
//
//   or  <  and  <  not  <  relation  <  + -  <  * /  <  unary minus  <  ** '
//
// Sums and products of any length are one node each, so that a long sum is a flat tree. Miniature: `-x**2 + y*z`
// becomes Sum with operators "-+" and the children Power(x, 2) and Product(y, z).
//
// In an equation the first `=` outside parentheses is the equation sign; inside parentheses and in conditions it
// compares (equal_compares_).
#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

Expression Parser::new_expression(ExpressionKind kind) const {
  Expression result;
  result.kind = kind;
  result.where = token().where;
  return result;
}

// expression = conjunction { "or" conjunction }
Expression Parser::expression() {
  Expression result = conjunction();
  if (!at(Word::Or)) return result;
  Expression node;
  node.kind = ExpressionKind::Or;
  node.where = result.where;
  node.children.push_back(std::move(result));
  while (accept(Word::Or)) node.children.push_back(conjunction());
  node.where = support::cover(node.where, node.children.back().where);
  return node;
}

// conjunction = negation { "and" negation }
Expression Parser::conjunction() {
  Expression result = negation();
  if (!at(Word::And)) return result;
  Expression node;
  node.kind = ExpressionKind::And;
  node.where = result.where;
  node.children.push_back(std::move(result));
  while (accept(Word::And)) node.children.push_back(negation());
  node.where = support::cover(node.where, node.children.back().where);
  return node;
}

// negation = "not" negation | relation
Expression Parser::negation() {
  if (!at(Word::Not)) return relation();
  const Nesting level(*this);
  Expression node = new_expression(ExpressionKind::Not);
  ++at_;
  node.children.push_back(negation());
  node.where = support::cover(node.where, node.children.back().where);
  return node;
}

std::optional<RelationOperator> Parser::relation_operator() const {
  if (at_boundary()) return std::nullopt;
  switch (token().kind) {
    case TokenKind::Less: return RelationOperator::Less;
    case TokenKind::LessEqual: return RelationOperator::LessEqual;
    case TokenKind::Greater: return RelationOperator::Greater;
    case TokenKind::GreaterEqual: return RelationOperator::GreaterEqual;
    case TokenKind::Unequal: return RelationOperator::Unequal;
    case TokenKind::Equal:
      if (equal_compares_) return RelationOperator::Equal;
      return std::nullopt;
    default: return std::nullopt;
  }
}

// relation = sum [ ( "<" | "<=" | ">" | ">=" | "=" | "<>" | "/=" ) sum ]
Expression Parser::relation() {
  Expression result = sum();
  const auto compared = relation_operator();
  if (!compared) return result;
  ++at_;
  Expression node;
  node.kind = ExpressionKind::Relation;
  node.relation = *compared;
  node.children.push_back(std::move(result));
  node.children.push_back(sum());
  node.where = support::cover(node.children[0].where, node.children[1].where);
  if (relation_operator()) fail("a relation compares two values", "join relations with 'and': a < b and b < c");
  return node;
}

// sum = [ "+" | "-" ] product { ( "+" | "-" ) product }
Expression Parser::sum() {
  const SourceRange start = token().where;
  const bool minus = at(TokenKind::Minus);
  if (minus || at(TokenKind::Plus)) ++at_;
  Expression result = product();
  if (!minus && !at(TokenKind::Plus) && !at(TokenKind::Minus)) return result;
  Expression node;
  node.kind = ExpressionKind::Sum;
  node.operators.push_back(minus ? '-' : '+');
  node.children.push_back(std::move(result));
  while (at(TokenKind::Plus) || at(TokenKind::Minus)) {
    node.operators.push_back(at(TokenKind::Plus) ? '+' : '-');
    ++at_;
    node.children.push_back(product());
  }
  node.where = support::cover(start, node.children.back().where);
  return node;
}

// product = factor { ( "*" | "/" ) factor }
Expression Parser::product() {
  Expression result = factor();
  if (!at(TokenKind::Star) && !at(TokenKind::Slash)) return result;
  Expression node;
  node.kind = ExpressionKind::Product;
  node.where = result.where;
  node.operators.push_back('*');
  node.children.push_back(std::move(result));
  while (at(TokenKind::Star) || at(TokenKind::Slash)) {
    node.operators.push_back(at(TokenKind::Star) ? '*' : '/');
    ++at_;
    node.children.push_back(factor());
  }
  node.where = support::cover(node.where, node.children.back().where);
  return node;
}

// factor = ( "+" | "-" ) factor | power       a sign after another operator: a*-b, 2**-3
Expression Parser::factor() {
  if (accept(TokenKind::Plus)) {
    const Nesting level(*this);
    return factor();
  }
  if (!at(TokenKind::Minus)) return power();
  const Nesting level(*this);
  Expression node = new_expression(ExpressionKind::Sum);
  ++at_;
  node.operators.push_back('-');
  node.children.push_back(factor());
  node.where = support::cover(node.where, node.children.back().where);
  return node;
}

// power = postfix { ( "**" | "^" ) ( postfix | ( "+" | "-" ) factor ) }       from left to right, as in Algol
Expression Parser::power() {
  Expression result = postfix();
  const Levels levels(*this);
  while (accept(TokenKind::Power)) {
    deepen();  // each power nests the ones before
    Expression node;
    node.kind = ExpressionKind::Power;
    node.children.push_back(std::move(result));
    const bool sign = at(TokenKind::Minus) || at(TokenKind::Plus);
    node.children.push_back(sign ? factor() : postfix());
    node.where = support::cover(node.children[0].where, node.children[1].where);
    result = std::move(node);
  }
  return result;
}

// postfix = primary { "'" }
Expression Parser::postfix() {
  Expression result = primary();
  if (!at(TokenKind::Prime)) return result;
  Expression node;
  node.kind = ExpressionKind::Prime;
  node.where = result.where;
  node.children.push_back(std::move(result));
  while (at(TokenKind::Prime)) {
    node.where = support::cover(node.where, token().where);
    ++node.order;
    ++at_;
  }
  return node;
}

// primary = number | string | "true" | "false" | if_expression | "(" expression ")" | matrix | call | reference
Expression Parser::primary() {
  if (at(TokenKind::OpenParenthesis)) return parenthesised();
  if (at(TokenKind::OpenBracket)) return matrix();
  if (at(TokenKind::Number)) {
    Expression node = new_expression(ExpressionKind::Number);
    node.number = token().number;
    ++at_;
    return node;
  }
  if (at(TokenKind::String)) {
    Expression node = new_expression(ExpressionKind::String);
    node.text = token().symbol.text();
    ++at_;
    return node;
  }
  if (at(Word::True) || at(Word::False)) {
    Expression node = new_expression(ExpressionKind::Boolean);
    node.boolean = at(Word::True);
    ++at_;
    return node;
  }
  if (at(Word::If) && token().partner != Token::kNone) return if_expression();
  if (at(Word::If) && lacks_then(at_)) fail("'if' without 'then'");
  if (!at_operand()) fail_expected("an expression");
  if (token(1).kind == TokenKind::OpenParenthesis && !token(1).starts_statement) return call();
  return reference_expression();
}

// if_expression = "if" expression "then" expression "else" expression
Expression Parser::if_expression() {
  const Nesting level(*this);
  Expression node = new_expression(ExpressionKind::If);
  ++at_;
  {
    const EqualCompares compares(*this, true);
    node.children.push_back(expression());
  }
  expect(Word::Then);
  node.children.push_back(expression());
  expect(Word::Else);
  node.children.push_back(expression());
  node.where = support::cover(node.where, node.children.back().where);
  return node;
}

// The range includes the parentheses, so that the text of an expression can be quoted.
Expression Parser::parenthesised() {
  const Nesting level(*this);
  const EqualCompares compares(*this, true);
  const std::uint32_t first = at_++;
  Expression node = expression();
  expect(TokenKind::CloseParenthesis, "')'");
  node.where = since(first);
  return node;
}

// matrix = "[" row { ";" row } "]";   row = expression { "," expression }
Expression Parser::matrix() {
  const Nesting level(*this);
  const EqualCompares compares(*this, true);
  const std::uint32_t first = at_;
  Expression node = new_expression(ExpressionKind::Matrix);
  do {
    ++at_;
    std::vector<Expression> row;
    do row.push_back(expression());
    while (accept(TokenKind::Comma));
    node.rows.push_back(std::move(row));
  } while (token().kind == TokenKind::Semicolon);
  expect(TokenKind::CloseBracket, "',', ';' or ']'");
  node.where = since(first);
  return node;
}

// call = name "(" [ expression { "," expression } ] ")"
Expression Parser::call() {
  const Nesting level(*this);
  const EqualCompares compares(*this, true);
  const std::uint32_t first = at_;
  Expression node = new_expression(ExpressionKind::Call);
  node.name = {token().symbol, token().where};
  at_ += 2;
  if (!at(TokenKind::CloseParenthesis)) {
    do node.children.push_back(expression());
    while (accept(TokenKind::Comma));
  }
  expect(TokenKind::CloseParenthesis, "',' or ')'");
  node.where = since(first);
  return node;
}

Expression Parser::reference_expression() {
  Expression node;
  node.kind = ExpressionKind::Reference;
  node.reference = reference();
  node.where = node.reference.where;
  return node;
}

// reference = name [ subscripts ] { ( "." | "::" ) ( name | string ) [ subscripts ] }
// A dot belongs to a reference only without blanks around it: in a cut (P . T) the dot is an empty place.
Reference Parser::reference() {
  const std::uint32_t first = at_;
  Reference result;
  ReferencePart start;
  start.name = {token().symbol, token().where};
  ++at_;
  start.subscripts = subscripts();
  result.parts.push_back(std::move(start));
  for (;;) {
    const Token& next = token(1);
    const bool name_follows = next.kind == TokenKind::Identifier || next.kind == TokenKind::String;
    const bool dot = at(TokenKind::Dot) && !token().blank_before && name_follows && !next.blank_before;
    if (!dot && !at(TokenKind::ColonColon)) break;
    ++at_;
    if (!at(TokenKind::Identifier) && !at(TokenKind::String)) fail_expected("a name");
    ReferencePart part;
    part.name = {token().symbol, token().where};
    part.quoted = at(TokenKind::String);
    ++at_;
    part.subscripts = subscripts();
    result.parts.push_back(std::move(part));
  }
  result.where = since(first);
  return result;
}

// subscripts = [ "[" subscript { "," subscript } "]" ]
std::vector<Expression> Parser::subscripts() {
  std::vector<Expression> result;
  if (!at(TokenKind::OpenBracket)) return result;
  const Nesting level(*this);
  const EqualCompares compares(*this, true);
  ++at_;
  do result.push_back(subscript());
  while (accept(TokenKind::Comma));
  expect(TokenKind::CloseBracket, "',' or ']'");
  return result;
}

// subscript = ":" | expression [ ":" expression ]
Expression Parser::subscript() {
  if (at(TokenKind::Colon)) {
    Expression whole = new_expression(ExpressionKind::Range);
    ++at_;
    return whole;
  }
  Expression from = expression();
  if (!accept(TokenKind::Colon)) return from;
  Expression range;
  range.kind = ExpressionKind::Range;
  range.children.push_back(std::move(from));
  range.children.push_back(expression());
  range.where = support::cover(range.children[0].where, range.children[1].where);
  return range;
}

}  // namespace fmugen::syntax
