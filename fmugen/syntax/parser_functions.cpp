// Functions and tables: what equations may call.
//
//   function f(a, b)                                   the result has the name of the function
//     local c
//     c := a + b
//     f := if c > 0 then sqrt(c) else 0
//   end
//   function y z = polar(u, v) ... end                 results with names of their own
//   external function y = f(u) "f.c" derivative df     code in C
//   table rho(interpolation = cubic) = (0, 1.293; 300, 1.256)
//   table rho "air.csv"
#include "fmugen/syntax/parser_state.h"

#include <algorithm>

#include "fmugen/syntax/layout.h"

namespace fmugen::syntax {

namespace {

// Keywords of statements that cannot stand in a function: its `end` is missing.
bool ends_function(Word word) {
  return word != Word::None && word != Word::Local && word != Word::If && word != Word::For && word != Word::End &&
         word != Word::Else;
}

}  // namespace

// name_list = name { [ "," ] name }
std::vector<Name> Parser::name_list() {
  std::vector<Name> result;
  do result.push_back(name("a name"));
  while (accept(TokenKind::Comma) || at_name());
  return result;
}

// function_declaration = "function" function_heading [ string ] { function_statement } "end" [ name | "function" ]
//                      | "external" "function" function_heading string [ "derivative" name ] [ string ]
Function Parser::function_declaration(bool external) {
  Function result;
  result.external = external;
  at_ += external ? 2 : 1;
  const SourceRange opening = since(begin_);
  try {
    function_heading(result);
    if (external) {
      if (!at(TokenKind::String)) fail_expected("the name of a C file in quotes");
      result.file_where = token().where;
      result.file = optional_string();
      if (at_text("derivative")) {
        ++at_;
        result.derivative = name("the name of a function");
      }
    }
    result.description = optional_string();
    if (external) finish_statement();
  } catch (const Failure& failure) {
    report(failure);
    at_ = statement_end(begin_);
  }
  if (external) return result;
  function_unclosed_ = doubtful_;
  result.body = function_body(result, false);
  if (!function_end("function '" + result.name.symbol.text() + "'", opening)) return result;
  if (at(Word::Function) && (token(1).starts_statement || token(1).kind == TokenKind::Semicolon)) ++at_;
  if (at(TokenKind::Identifier) && token().word == Word::None) {
    if (result.name.symbol && !(token().symbol == result.name.symbol)) {
      diagnostics_
          .error(token().where,
                 "'end " + token().symbol.text() + "' does not match function '" + result.name.symbol.text() + "'")
          .remark(result.name.where, "function '" + result.name.symbol.text() + "' begins here");
    }
    ++at_;
  }
  return result;
}

// Takes the `end` of a function or of a part of it; false if it is missing, which is reported once per function.
bool Parser::function_end(const std::string& what, SourceRange opening) {
  if (accept(Word::End)) return true;
  if (!function_unclosed_)
    diagnostics_.error(opening, what + " is not closed").remark(token().where, "expected 'end' before this");
  function_unclosed_ = doubtful_ = true;
  return false;
}

// function_heading = [ name_list "=" ] name "(" [ name_list ] ")"
void Parser::function_heading(Function& function) {
  std::vector<Name> names = name_list();
  if (accept(TokenKind::Equal)) {
    function.results = std::move(names);
    function.name = name("the name of a function");
  } else {
    if (names.size() > 1) fail_expected("'='");
    function.name = names[0];
  }
  expect(TokenKind::OpenParenthesis, "'('");
  if (!at(TokenKind::CloseParenthesis)) function.arguments = name_list();
  expect(TokenKind::CloseParenthesis, "',' or ')'");
}

// The statements up to an `end` or, in a branch, an `else`; also up to anything that cannot stand in a function.
std::vector<FunctionStatement> Parser::function_body(Function& function, bool branch) {
  std::vector<FunctionStatement> result;
  for (;;) {
    while (token().kind == TokenKind::Semicolon) ++at_;
    begin_ = at_;
    if (token().kind == TokenKind::End || at(Word::End) || (branch && at(Word::Else)) || diagnostics_.full()) break;
    if (ends_function(statement_word())) break;
    try {
      if (at(Word::Local)) {
        ++at_;
        for (Name& local : name_list()) function.locals.push_back(local);
        finish_statement();
      } else {
        result.push_back(function_statement(function));
      }
    } catch (const Failure& failure) {
      report(failure);
      at_ = std::max(statement_end(begin_), begin_ + 1);
    }
  }
  return result;
}

// function_statement = "local" name_list | reference ":=" expression | function_if | function_for
FunctionStatement Parser::function_statement(Function& function) {
  const Word word = statement_word();
  if (word == Word::If) return function_if(function);
  if (word == Word::For) return function_for(function);
  const std::uint32_t first = at_;
  FunctionStatement result;
  if (!at_operand()) fail_expected("an assignment");
  result.target = reference();
  if (at(TokenKind::Equal)) fail("an assignment in a function is written ':='");
  expect(TokenKind::Assign, "':='");
  result.value = expression();
  finish_statement();
  result.where = since(first);
  return result;
}

// function_if = "if" condition "then" { function_statement } { "else" "if" condition "then" { function_statement } }
//               [ "else" { function_statement } ] "end"
FunctionStatement Parser::function_if(Function& function) {
  const Nesting level(*this);
  FunctionStatement result;
  result.kind = FunctionStatementKind::If;
  const std::uint32_t first = at_;
  for (bool last = false; !last;) {
    FunctionBranch branch;
    last = at_ != first && !(at(Word::If) && !token().newline_before && token().partner != Token::kNone);
    if (!last) branch.condition = if_heading();
    if (token().word == Word::Begin) ++at_;
    branch.body = function_body(function, !last);
    result.branches.push_back(std::move(branch));
    if (last || !at(Word::Else)) break;
    ++at_;
  }
  if (function_end("'if'", tokens_[first].where)) accept(Word::If);
  result.where = since(first);
  return result;
}

// function_for = "for" name ":=" expression "to" expression "do" [ "begin" ] { function_statement } "end"
FunctionStatement Parser::function_for(Function& function) {
  const Nesting level(*this);
  FunctionStatement result;
  result.kind = FunctionStatementKind::For;
  const std::uint32_t first = at_++;
  try {
    result.variable = name("the name of a loop variable");
    expect(TokenKind::Assign, "':='");
    result.from = expression();
    expect(Word::To);
    result.to = expression();
    expect(Word::Do);
  } catch (const Failure& failure) {
    report(failure);
    at_ = statement_end(begin_);
  }
  if (token().word == Word::Begin) ++at_;
  result.body = function_body(function, false);
  if (function_end("'for'", tokens_[first].where)) accept(Word::For);
  result.where = since(first);
  return result;
}

// table_declaration = "table" name [ attributes ] ( "=" table_rows | string ) [ string ]
Table Parser::table_declaration() {
  ++at_;
  Table result;
  result.name = name("the name of a table");
  if (at(TokenKind::OpenParenthesis)) result.options = attributes();
  if (at(TokenKind::String)) {
    result.file_where = token().where;
    result.file = optional_string();
  } else {
    if (!accept(TokenKind::Equal)) fail_expected("'=' or the name of a file in quotes");
    result.rows = table_rows();
  }
  result.description = optional_string();
  finish_statement();
  return result;
}

// table_rows = ( "(" | "[" ) row { ";" row } ( ")" | "]" );   row = expression { [ "," ] expression }
std::vector<std::vector<Expression>> Parser::table_rows() {
  const Nesting level(*this);
  const bool round = at(TokenKind::OpenParenthesis);
  if (!round && !at(TokenKind::OpenBracket)) fail_expected("'('");
  const TokenKind close = round ? TokenKind::CloseParenthesis : TokenKind::CloseBracket;
  std::vector<std::vector<Expression>> rows;
  do {
    ++at_;
    std::vector<Expression> row;
    do row.push_back(expression());
    while (accept(TokenKind::Comma) || !(at(close) || at_boundary()));
    rows.push_back(std::move(row));
  } while (token().kind == TokenKind::Semicolon);
  if (!accept(close)) fail_expected(round ? "',', ';' or ')'" : "',', ';' or ']'");
  return rows;
}

}  // namespace fmugen::syntax
