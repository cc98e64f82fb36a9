// Declarations of cuts, nodes and paths.
//
//   cut A(Va / I)                  across and through variables
//   cut conn(A, B)   cut conn[A, B]     a hierarchical cut, in Elmqvist's and in Cellier's spelling
//   main cut (Omega / Tload)       without a name
//   path p (A - B)   path p < A - B >   a path from cut to cut, in both spellings
//
// Whether `cut hole[n]` has an index or is hierarchical depends on what n names, so the brackets are kept as they are.
#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

// cut_declaration = [ "main" ] "cut" cut_item { [ "," ] cut_item }
CutDeclaration Parser::cut_declaration(bool main) {
  CutDeclaration result;
  result.main = main;
  ++at_;
  do result.items.push_back(cut_item());
  while (accept(TokenKind::Comma) || at_name() || at(TokenKind::OpenParenthesis));
  finish_statement();
  return result;
}

// node_declaration = "node" cut_item { [ "," ] cut_item }
NodeDeclaration Parser::node_declaration() {
  NodeDeclaration result;
  ++at_;
  do {
    if (!at_name()) fail_expected("the name of a node");
    result.items.push_back(cut_item());
  } while (accept(TokenKind::Comma) || at_name());
  finish_statement();
  return result;
}

// cut_item = ( name [ "[" expression { "," expression } "]" ] [ cut_clause ] | cut_clause ) [ string ]
CutItem Parser::cut_item() {
  CutItem item;
  if (at_name()) {
    item.name = name("a name");
    const std::uint32_t bracket = at_;
    item.bracket = subscripts();
    if (!item.bracket.empty()) item.bracket_where = since(bracket);
    if (at(TokenKind::OpenParenthesis)) item.clause = cut_clause();
  } else {
    if (!at(TokenKind::OpenParenthesis) && !at(TokenKind::OpenBracket)) fail_expected("the name of a cut or '('");
    item.clause = cut_clause();
  }
  item.description = optional_string();
  return item;
}

// cut_clause = "(" [ elements ] [ "/" [ elements ] ] ")" | "[" elements "]"
// elements = cut_element { [ "," ] cut_element }
CutClause Parser::cut_clause() {
  const Nesting level(*this);
  const std::uint32_t first = at_;
  const bool round = at(TokenKind::OpenParenthesis);
  const TokenKind close = round ? TokenKind::CloseParenthesis : TokenKind::CloseBracket;
  ++at_;
  CutClause clause;
  while (!at(close)) {
    if (round && at(TokenKind::Slash)) {
      if (clause.has_slash)
        fail("a cut has one '/' only", "across variables stand before it, through variables after it");
      clause.has_slash = true;
      ++at_;
      continue;
    }
    (clause.has_slash ? clause.through : clause.across).push_back(cut_element());
    if (at(TokenKind::Minus)) fail_expected("','", "after a blank '-' is an operator: write (a, -b)");
    if (accept(TokenKind::Comma) && (at(close) || at(TokenKind::Slash))) fail_expected("a variable, a cut or '.'");
  }
  ++at_;
  clause.where = since(first);
  return clause;
}

// cut_element = "." | [ "-" ] reference [ attributes ] [ string ] | reference ":" cut | cut_clause
CutElement Parser::cut_element() {
  CutElement element;
  const std::uint32_t first = at_;
  if (accept(TokenKind::Dot)) {
    element.kind = CutElementKind::Dot;
  } else if (at(TokenKind::OpenParenthesis) || at(TokenKind::OpenBracket)) {
    element.kind = CutElementKind::Clause;
    element.clause.push_back(cut_clause());
  } else {
    element.kind = CutElementKind::Variable;
    element.negative = accept(TokenKind::Minus);
    if (at(TokenKind::Number))
      fail("a declared cut holds no numbers", "a number may stand in a cut of a connection statement");
    if (!at_operand()) fail_expected("a variable, a cut or '.'");
    ConnectionExpression operand = connection_operand();
    element.reference = operand.reference;
    if (operand.selector == SelectorKind::Cut || operand.selector == SelectorKind::CutClause) {
      element.kind = CutElementKind::Cut;
      element.connection.push_back(std::move(operand));
    } else if (operand.selector != SelectorKind::None) {
      at_ = first;
      fail("a path cannot be a part of a cut");
    } else if (at_attributes()) {
      element.attributes = attributes();
    }
    element.description = optional_string();
  }
  element.where = since(first);
  return element;
}

// path_declaration = [ "main" ] "path" path_item { [ "," ] path_item }
PathDeclaration Parser::path_declaration(bool main) {
  PathDeclaration result;
  result.main = main;
  ++at_;
  do result.items.push_back(path_item());
  while (accept(TokenKind::Comma) || at_name() || at(TokenKind::OpenParenthesis));
  finish_statement();
  return result;
}

// path_item = [ name ] ( "(" path_end "-" path_end ")" | "<" path_end "-" path_end ">" ) [ string ]
PathItem Parser::path_item() {
  const Nesting level(*this);
  PathItem item;
  if (at_name()) item.name = name("a name");
  const bool angle = at(TokenKind::Less);
  if (!angle && !at(TokenKind::OpenParenthesis)) fail_expected("'(' or '<'", "a path is written 'path p (a - b)'");
  ++at_;
  item.left = path_end();
  if (!at(TokenKind::Minus)) fail_expected("'-'", "a path is written 'path p (a - b)'");
  ++at_;
  item.right = path_end();
  expect(angle ? TokenKind::Greater : TokenKind::CloseParenthesis, angle ? "'>'" : "')'");
  item.description = optional_string();
  return item;
}

// path_end = reference [ ":" cut ] | cut_clause
CutElement Parser::path_end() {
  if (!at_operand() && !at(TokenKind::OpenParenthesis) && !at(TokenKind::OpenBracket))
    fail_expected("the name of a cut or '('");
  return cut_element();
}

}  // namespace fmugen::syntax
