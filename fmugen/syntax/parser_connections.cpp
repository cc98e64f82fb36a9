// Connection statements. All operators have the same priority and are evaluated from left to right, so a chain of any
// length is one flat node: `a - b // c` is Chain(a, b, c) with the operators To, Par.
//
// What stands in parentheses may be a chain in parentheses, a list of operands, or a temporary cut. All are read in
// the same way: as segments (a chain, a dot, a number, a variable with a minus, a value in parentheses) separated by
// commas, blanks or slashes. The separators then tell what it was:
//
//   (a - b)              one segment: the chain itself
//   (a, b, c)            a list
//   (., ., 1000 / 0.2)   a temporary cut: one slash separates across from through
//   (a / b)              a temporary cut, or Cellier's a par b: the names decide later, both readings are kept
//   (a / b / c)          a chain with Cellier's par; so is (a / b) when a or b holds such an ambiguity itself
//
// Reference: H. Elmqvist, A structured model language for large continuous systems, 1978, 3.6;
// F. E. Cellier, Continuous system modeling, 1991, 5.6.
#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

// Part of a parenthesised list: a chain, or something that only a temporary cut may hold.
struct Parser::Segment {
  bool special = false;
  CutElement element;  // special
  std::vector<ConnectionExpression> operands;
  std::vector<ConnectionOperator> operators;
  bool parenthesised = false;  // one operand that stood in parentheses
};

// All that stands between two parentheses.
struct Parser::Group {
  struct SlashPlace {
    std::uint32_t token;
    std::size_t segments;  // number of segments before it
  };
  std::vector<Segment> segments;
  std::vector<SlashPlace> slashes;
  bool round = true;   // ( ), not [ ]
  bool simple = true;  // no group inside has two readings: to keep two of this one does not multiply them
  SourceRange where;
};

// The connection operator here, if there is one.
std::optional<ConnectionOperator> Parser::connection_operator(bool slash) const {
  if (at_boundary()) return std::nullopt;
  switch (token().kind) {
    case TokenKind::Equal: return ConnectionOperator::At;
    case TokenKind::Minus: return ConnectionOperator::To;
    case TokenKind::Less: return ConnectionOperator::From;
    case TokenKind::SlashSlash: return ConnectionOperator::Par;
    case TokenKind::Slash: return slash ? std::optional(ConnectionOperator::Slash) : std::nullopt;
    case TokenKind::Identifier: break;
    default: return std::nullopt;
  }
  switch (token().word) {
    case Word::At: return ConnectionOperator::At;
    case Word::To: return ConnectionOperator::To;
    case Word::From: return ConnectionOperator::From;
    case Word::Par: return ConnectionOperator::Par;
    case Word::Loop: return ConnectionOperator::Loop;
    default: return std::nullopt;
  }
}

// connection_statement = [ "connect" [ "(" name ")" ] ] connection_chain { "," connection_chain }
// The name selects a path or cut only when an operand follows directly: `connect (a) to b` has none.
ConnectionStatement Parser::connection_statement() {
  ConnectionStatement result;
  result.keyword = accept(Word::Connect);
  if (result.keyword && at(TokenKind::OpenParenthesis) && token(1).kind == TokenKind::Identifier &&
      token(2).kind == TokenKind::CloseParenthesis) {
    const std::uint32_t open = at_;
    at_ += 3;
    const bool operand =
        at(TokenKind::OpenParenthesis) || at(TokenKind::Backslash) || (at_operand() && !connection_operator(true));
    if (operand)
      result.selected = Name{tokens_[open + 1].symbol, tokens_[open + 1].where};
    else
      at_ = open;
  }
  do {
    result.expressions.push_back(connection_chain());
    const ConnectionKind kind = result.expressions.back().kind;
    if (kind == ConnectionKind::Operand || kind == ConnectionKind::Reversed)
      fail_expected("a connection operator such as 'at' or 'to'");
  } while (accept(TokenKind::Comma));
  finish_statement();
  return result;
}

// connection_chain = connection_secondary { operator connection_secondary }
// operator = "at" | "=" | "to" | "-" | "from" | "<" | "par" | "//" | "/" | "loop"
ConnectionExpression Parser::connection_chain() {
  Segment chain;
  chain.operands.push_back(connection_secondary());
  while (const auto next = connection_operator(true)) {
    chain.operators.push_back(*next);
    ++at_;
    chain.operands.push_back(connection_secondary());
  }
  return chain_of(std::move(chain));
}

ConnectionExpression Parser::chain_of(Segment segment) {
  if (segment.operands.size() == 1) return std::move(segment.operands[0]);
  ConnectionExpression result;
  result.kind = ConnectionKind::Chain;
  result.where = support::cover(segment.operands.front().where, segment.operands.back().where);
  result.children = std::move(segment.operands);
  result.operators = std::move(segment.operators);
  return result;
}

// connection_secondary = ( "reversed" | "\" ) connection_secondary | connection_operand | connection_group
ConnectionExpression Parser::connection_secondary() {
  if (at(TokenKind::OpenParenthesis) || at(TokenKind::OpenBracket)) return connection_group();
  if (at(TokenKind::Backslash) || at(Word::Reversed)) {
    const Nesting level(*this);
    const std::uint32_t first = at_++;
    ConnectionExpression result;
    result.kind = ConnectionKind::Reversed;
    result.children.push_back(connection_secondary());
    result.where = since(first);
    return result;
  }
  if (!at_operand() || connection_operator(true)) fail_expected("a model, cut, node or path");
  return connection_operand();
}

// connection_operand = reference [ ":" ( name [ subscripts ] | cut_clause )
//                                | ".." ( name [ subscripts ] | path_clause ) ]
// path_clause = "(" path_end "-" path_end ")"
ConnectionExpression Parser::connection_operand() {
  const std::uint32_t first = at_;
  ConnectionExpression result;
  result.reference = reference();
  const bool cut = at(TokenKind::Colon);
  if (cut || at(TokenKind::DotDot)) {
    ++at_;
    if (cut && (at(TokenKind::OpenParenthesis) || at(TokenKind::OpenBracket))) {
      result.selector = SelectorKind::CutClause;
      result.clause.push_back(cut_clause());
    } else if (at(TokenKind::OpenParenthesis)) {
      const Nesting level(*this);
      result.selector = SelectorKind::PathClause;
      ++at_;
      result.ends.push_back(path_end());
      expect(TokenKind::Minus, "'-'");
      result.ends.push_back(path_end());
      expect(TokenKind::CloseParenthesis, "')'");
    } else {
      result.selector = cut ? SelectorKind::Cut : SelectorKind::Path;
      result.selected.name = name(cut ? "the name of a cut" : "the name of a path");
      result.selected.subscripts = subscripts();
    }
  }
  result.where = since(first);
  return result;
}

// connection_group = "(" [ segments ] { "/" [ segments ] } ")" | "[" segment { "," segment } "]"
// segments = segment { [ "," ] segment }
ConnectionExpression Parser::connection_group() {
  const Nesting level(*this);
  Group group;
  const std::uint32_t first = at_;
  group.round = at(TokenKind::OpenParenthesis);
  const TokenKind close = group.round ? TokenKind::CloseParenthesis : TokenKind::CloseBracket;
  const std::size_t ambiguous_before = ambiguous_groups_;
  if (holds_value(first)) {
    Segment value;
    value.special = true;
    value.element.kind = CutElementKind::Value;
    value.element.value.push_back(parenthesised());
    value.element.where = since(first);
    group.segments.push_back(std::move(value));
  } else {
    ++at_;
    while (!at(close)) {
      if (group.round && at(TokenKind::Slash)) {
        group.slashes.push_back({at_++, group.segments.size()});
        continue;
      }
      if (!at_segment()) fail_expected(group.segments.empty() ? "a model, cut, node or path" : "',' or ')'");
      group.segments.push_back(segment());
      if (accept(TokenKind::Comma)) {
        if (!at_segment()) fail_expected("a model, cut, node or path");
      } else if (!group.round && !at(close)) {
        fail_expected("',' or ']'");
      }
    }
    if (group.segments.empty()) fail_expected("a model, cut, node or path");
    ++at_;
  }
  group.simple = ambiguous_groups_ == ambiguous_before;
  group.where = since(first);
  return expression_of(std::move(group));
}

// Builds what the separators say.
ConnectionExpression Parser::expression_of(Group group) {
  std::vector<Segment>& segments = group.segments;
  const std::size_t slashes = group.slashes.size();
  bool chain = group.round && segments.size() == slashes + 1;  // nothing but slashes between chains
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].special || (i < slashes && group.slashes[i].segments != i + 1)) chain = false;
  }
  if (slashes > 1 && !chain) {
    at_ = group.slashes[1].token;
    fail("a cut has one '/' only", "across variables stand before it, through variables after it");
  }
  const bool list = !chain || (slashes == 1 && group.simple);
  ConnectionExpression result;
  if (chain) {
    Segment flat;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      Segment part = list ? segments[i] : std::move(segments[i]);
      if (i > 0) flat.operators.push_back(ConnectionOperator::Slash);
      flat.operators.insert(flat.operators.end(), part.operators.begin(), part.operators.end());
      for (ConnectionExpression& operand : part.operands) flat.operands.push_back(std::move(operand));
    }
    result = chain_of(std::move(flat));
  }
  result.where = group.where;
  if (!list) return result;
  if (chain) ++ambiguous_groups_;
  result.kind = ConnectionKind::List;
  CutClause clause;
  clause.where = group.where;
  clause.has_slash = slashes > 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool through = clause.has_slash && i >= group.slashes[0].segments;
    (through ? clause.through : clause.across).push_back(element_of(std::move(segments[i])));
  }
  result.clause.push_back(std::move(clause));
  return result;
}

bool Parser::at_segment() const {
  return at(TokenKind::Dot) || at(TokenKind::Number) || at(TokenKind::Minus) || at(TokenKind::OpenParenthesis) ||
         at(TokenKind::OpenBracket) || at(TokenKind::Backslash) || (at_operand() && !connection_operator(true));
}

// segment = "." | [ "-" ] number | "-" reference | "(" expression ")"
//         | connection_secondary { operator connection_secondary }
Parser::Segment Parser::segment() {
  Segment result;
  const std::uint32_t first = at_;
  const bool minus = at(TokenKind::Minus);
  if (at(TokenKind::Dot) || at(TokenKind::Number) || minus) {
    result.special = true;
    const bool number = token(minus ? 1 : 0).kind == TokenKind::Number;
    result.element.kind = number ? CutElementKind::Value : minus ? CutElementKind::Variable : CutElementKind::Dot;
    if (number) {
      result.element.value.push_back(minus ? factor() : primary());
    } else {
      ++at_;
      if (minus && !at_operand()) fail_expected("a variable");
      result.element.negative = minus;
      if (minus) result.element.reference = reference();
    }
    result.element.where = since(first);
    return result;
  }
  result.parenthesised = at(TokenKind::OpenParenthesis);
  result.operands.push_back(connection_secondary());
  while (const auto next = connection_operator(false)) {
    result.operators.push_back(*next);
    ++at_;
    result.operands.push_back(connection_secondary());
  }
  result.parenthesised = result.parenthesised && result.operands.size() == 1;
  return result;
}

// The element of a temporary cut that a segment stands for.
CutElement Parser::element_of(Segment segment) {
  if (segment.special) return std::move(segment.element);
  const bool parenthesised = segment.parenthesised;
  ConnectionExpression expression = chain_of(std::move(segment));
  CutElement element;
  element.where = expression.where;
  const bool plain = expression.kind == ConnectionKind::Operand && expression.selector == SelectorKind::None;
  if (expression.kind == ConnectionKind::List) {
    const CutClause& clause = expression.clause[0];
    const bool value = clause.across.size() == 1 && clause.through.empty() && !clause.has_slash &&
                       clause.across[0].kind == CutElementKind::Value;
    if (value) return CutElement(clause.across[0]);
    element.kind = CutElementKind::Clause;
    if (expression.children.empty()) {
      element.clause = std::move(expression.clause);
    } else {
      element.clause = expression.clause;
      element.connection.push_back(std::move(expression));
    }
  } else if (plain && parenthesised) {
    CutElement inner;
    inner.kind = CutElementKind::Variable;
    inner.where = expression.reference.where;
    inner.reference = expression.reference;
    element.kind = CutElementKind::Clause;
    element.clause.push_back({{std::move(inner)}, {}, false, expression.where});
    element.connection.push_back(std::move(expression));
  } else if (plain) {
    element.kind = CutElementKind::Variable;
    element.reference = std::move(expression.reference);
  } else {
    const bool cut = expression.kind == ConnectionKind::Operand &&
                     (expression.selector == SelectorKind::Cut || expression.selector == SelectorKind::CutClause);
    element.kind = cut ? CutElementKind::Cut : CutElementKind::Connection;
    if (cut) element.reference = expression.reference;
    element.connection.push_back(std::move(expression));
  }
  return element;
}

// Whether the parentheses hold an arithmetic expression: (2*rho), (1 - x). They are then the value of a place in a
// temporary cut.
bool Parser::holds_value(std::uint32_t open) const {
  const std::uint32_t close = tokens_[open].partner;
  if (close == Token::kNone || tokens_[open].kind != TokenKind::OpenParenthesis) return false;
  bool arithmetic = false, number = false, minus = false;
  for (std::uint32_t i = open + 1; i < close; ++i) {
    const Token& token = tokens_[i];
    // A minus or a dot at the beginning of a place belongs to its element: (5 / -q), (5 / .)
    const bool opens_place = i == open + 1 || tokens_[i - 1].kind == TokenKind::Slash;
    switch (token.kind) {
      case TokenKind::Comma:
      case TokenKind::Semicolon: return false;
      case TokenKind::Dot:
        if (opens_place) return false;
        break;
      case TokenKind::Plus:
      case TokenKind::Star:
      case TokenKind::Power:
      case TokenKind::Prime: arithmetic = true; break;
      case TokenKind::Number: number = true; break;
      case TokenKind::Minus: minus = minus || !opens_place; break;
      case TokenKind::OpenParenthesis:
      case TokenKind::OpenBracket:
        if (token.partner == Token::kNone) return false;
        i = token.partner;
        break;
      default: break;
    }
  }
  return arithmetic || (number && minus);
}

// A quick look at a statement that is an equation: whether it is worth trying to read it as a connection, too.
bool Parser::could_be_connection(std::uint32_t from, std::uint32_t to) const {
  std::uint32_t level = 0;
  for (std::uint32_t i = from; i < to; ++i) {
    const Token& token = tokens_[i];
    const TokenKind before = i > from ? tokens_[i - 1].kind : TokenKind::Equal;
    switch (token.kind) {
      case TokenKind::Identifier:
        if (token.word == Word::And || token.word == Word::Or || token.word == Word::Not || token.word == Word::True ||
            token.word == Word::False || (token.word == Word::If && token.partner != Token::kNone))
          return false;
        break;
      case TokenKind::OpenParenthesis:
        if (before == TokenKind::Identifier && (level == 0 || !token.blank_before)) return false;  // a call
        ++level;
        break;
      case TokenKind::CloseParenthesis: --level; break;
      case TokenKind::OpenBracket:
        if (token.partner == Token::kNone) return false;
        i = token.partner;
        break;
      case TokenKind::Number:
        if (level == 0) return false;
        break;
      case TokenKind::Minus:  // a sign, not an operator
        if (level == 0 && (before == TokenKind::Equal || before == TokenKind::Minus || before == TokenKind::Less ||
                           before == TokenKind::Slash))
          return false;
        break;
      case TokenKind::String:
        if (before != TokenKind::Dot && before != TokenKind::ColonColon) return false;
        break;
      case TokenKind::CloseBracket:
      case TokenKind::Comma:
      case TokenKind::Dot:
      case TokenKind::DotDot:
      case TokenKind::Colon:
      case TokenKind::ColonColon:
      case TokenKind::Equal:
      case TokenKind::Less:
      case TokenKind::Slash:
      case TokenKind::SlashSlash:
      case TokenKind::Backslash: break;
      default: return false;
    }
  }
  return true;
}

}  // namespace fmugen::syntax
