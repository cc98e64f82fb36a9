// The problem: read a text in the model language, whatever is wrong with it, and say what is wrong once.
//
// The method: the lexer makes tokens, the layout finds where statements begin, and the functions in the parser_*.cpp
// files read one statement each. What cannot be read throws a Failure; it is caught per statement, reported, and the
// parser goes on with the next statement. Three precautions keep one mistake from causing several messages: a
// statement with a sign or parenthesis that was reported before is dropped silently, a block whose heading is wrong
// is opened all the same so that its `end` finds it, and after text was lost nothing is said about missing `end`s.
// Messages are collected and handed over in the order of the text.
//
// Miniature: in  `model m; x = (1 + ; y = 2; end`  the second statement gets a message, the others are in the tree.
//
// Reference: the grammar follows H. Elmqvist, A structured model language for large continuous systems, 1978, appendix.
#include "fmugen/syntax/parser.h"

#include <algorithm>

#include "fmugen/syntax/layout.h"
#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

Parser::Parser(const support::Sources& sources, std::uint32_t source, support::SymbolTable& symbols,
               support::Diagnostics& diagnostics)
    : sources_(sources), source_(source), diagnostics_(diagnostics) {
  LexedText text = lex(sources, source, symbols, diagnostics);
  tokens_ = std::move(text.tokens);
  doubtful_ = text.cut_short;
  lay_out(tokens_, diagnostics);
}

void Parser::deepen() {
  if (depth_ >= kDeepestExpression)
    fail("parentheses and operators nest deeper than " + std::to_string(kDeepestExpression) + " levels");
  ++depth_;
}

// ---- tokens ---------------------------------------------------------------------------------------------------------

bool Parser::at_name() const {
  return at(TokenKind::Identifier) && token().word != Word::End && token().word != Word::Else;
}

bool Parser::at_operand() const {
  if (!at_name()) return false;
  switch (token().word) {
    case Word::And:
    case Word::Do:
    case Word::False:
    case Word::Not:
    case Word::Or:
    case Word::Then:
    case Word::True: return false;
    case Word::If: return token().partner == Token::kNone;
    default: return true;
  }
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  ++at_;
  return true;
}

bool Parser::accept(Word word) {
  if (!at(word)) return false;
  ++at_;
  return true;
}

void Parser::expect(TokenKind kind, const char* what) {
  if (!accept(kind)) fail_expected(what);
}

void Parser::expect(Word word) {
  if (!accept(word)) fail_expected(std::string("'") + text_of(word) + "'");
}

Name Parser::name(const char* what) {
  if (!at_name()) fail_expected(what);
  const Name result = {token().symbol, token().where};
  ++at_;
  return result;
}

std::string Parser::optional_string() {
  if (!at(TokenKind::String)) return {};
  return tokens_[at_++].symbol.text();
}

SourceRange Parser::since(std::uint32_t first) const {
  return support::cover(tokens_[first].where, tokens_[at_ > first ? at_ - 1 : first].where);
}

// A semicolon inside of parentheses separates rows.
bool Parser::at_statement_end() const {
  return at_boundary() && (token().kind != TokenKind::Semicolon || token(1).starts_statement);
}

std::string Parser::describe_token() const {
  if (token().kind == TokenKind::End) return "the end of the file";
  if (at_statement_end()) return "the end of the statement";
  if (token().kind == TokenKind::String) return "a string";
  return "'" + std::string(sources_.text(token().where)) + "'";
}

void Parser::fail(std::string text, std::string advice) const {
  SourceRange where = token().where;
  if (at_statement_end() && at_ > 0) {  // point behind the last token, not into the next line
    where.begin = where.end = tokens_[at_ - 1].where.end;
  }
  throw Failure{at_, where, std::move(text), std::move(advice)};
}

void Parser::fail_expected(const std::string& what, std::string advice) const {
  fail("expected " + what + ", found " + describe_token(), std::move(advice));
}

// ---- recovery -------------------------------------------------------------------------------------------------------

// Whether the `if` is a keyword whose `then` is missing, not a name: an operand follows.
bool Parser::lacks_then(std::uint32_t i) const {
  const Token& next = tokens_[i + 1];
  const bool operand =
      next.kind == TokenKind::Number || (next.kind == TokenKind::Identifier && next.word == Word::None);
  return tokens_[i].partner == Token::kNone && operand && !next.starts_statement;
}

// The first token behind the statement that begins at `from`: the next statement, a semicolon, an `end`, or an `else`
// that belongs to no `if` expression of the statement.
std::uint32_t Parser::statement_end(std::uint32_t from) const {
  std::size_t open_ifs = 0;
  std::uint32_t i = from;
  for (;; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::End || token.kind == TokenKind::Semicolon) return i;
    if (token.starts_statement && i != from) return i;
    if (token.word == Word::End && i != from) return i;
    if (token.word == Word::If && (token.partner != Token::kNone || lacks_then(i))) ++open_ifs;
    if (token.word == Word::Else && i != from && open_ifs-- == 0) return i;
    const bool opens = token.kind == TokenKind::OpenParenthesis || token.kind == TokenKind::OpenBracket;
    if (opens && token.partner != Token::kNone) i = token.partner;
  }
}

// A statement is followed by another, a semicolon, an `end` or an `else`.
void Parser::finish_statement() const {
  if (!at_boundary() && !at(Word::End) && !at(Word::Else)) fail_expected("the end of the statement");
}

// Whether the tokens hold something that the lexer or the layout has complained about.
bool Parser::already_reported(std::uint32_t from, std::uint32_t to) {
  bool reported = false;
  for (std::uint32_t i = from; i < to; ++i) {
    const Token& token = tokens_[i];
    const bool parenthesis = token.kind == TokenKind::OpenParenthesis || token.kind == TokenKind::CloseParenthesis ||
                             token.kind == TokenKind::OpenBracket || token.kind == TokenKind::CloseBracket;
    if (token.reported || (parenthesis && token.partner == Token::kNone)) reported = true;
    // An unclosed parenthesis may have swallowed the opening line of a block.
    const bool block = token.word == Word::If || token.word == Word::For || token.word == Word::When;
    if (reported && block && token.newline_before) doubtful_ = true;
  }
  return reported;
}

void Parser::report(const Failure& failure) {
  if (misspelt_ == begin_) return;
  if (already_reported(begin_, statement_end(begin_))) return;
  auto& error = diagnostics_.error(failure.where, failure.text);
  if (!failure.advice.empty()) error.remark(failure.advice);
}

// The keyword that the first word of a statement is a misspelling of, or nothing.
std::string Parser::meant_keyword() const {
  static const std::vector<std::string> keywords = {
      "connect",   "constant", "cut",     "default",   "discrete",  "end",         "experiment", "external",
      "for",       "function", "initial", "input",     "internal",  "iterate",     "local",      "main",
      "model",     "node",     "output",  "parameter", "path",      "realization", "replace",    "sample",
      "structure", "submodel", "table",   "terminal",  "terminate", "use",         "valid",      "when"};
  const Token& first = tokens_[begin_];
  if (first.kind != TokenKind::Identifier || first.word != Word::None) return {};
  const Token& second = tokens_[begin_ + 1];
  const bool alone = second.starts_statement || second.kind == TokenKind::Semicolon || second.kind == TokenKind::End;
  const bool follows = second.kind == TokenKind::Identifier || second.kind == TokenKind::OpenParenthesis;
  if (!alone && !follows) return {};
  const std::string meant = support::nearest_name(first.symbol.text(), keywords);
  return alone == (meant == "end") ? meant : std::string();
}

// ---- entry points ---------------------------------------------------------------------------------------------------

namespace {

// Hands the messages over in the order of the text.
void hand_over(const support::Diagnostics& from, support::Diagnostics& to) {
  std::vector<support::Diagnostic> all = from.all();
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.where.begin < b.where.begin; });
  for (const support::Diagnostic& one : all) to.error(one.where, one.text).remarks = one.remarks;
}

}  // namespace

File parse(const support::Sources& sources, std::uint32_t source, support::SymbolTable& symbols,
           support::Diagnostics& diagnostics) {
  support::Diagnostics found;
  File file = Parser(sources, source, symbols, found).file();
  hand_over(found, diagnostics);
  return file;
}

std::optional<Expression> parse_expression(const support::Sources& sources, std::uint32_t source,
                                           support::SymbolTable& symbols, support::Diagnostics& diagnostics) {
  support::Diagnostics found;
  std::optional<Expression> result = Parser(sources, source, symbols, found).single_expression();
  hand_over(found, diagnostics);
  return result;
}

std::optional<Expression> Parser::single_expression() {
  const EqualCompares compares(*this, true);
  try {
    Expression result = expression();
    if (token().kind != TokenKind::End) fail_expected("the end of the expression");
    if (diagnostics_.has_errors()) return std::nullopt;
    return result;
  } catch (const Failure& failure) {
    report(failure);
    return std::nullopt;
  }
}

}  // namespace fmugen::syntax
