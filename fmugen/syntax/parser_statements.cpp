// Statements of a model: equations, connections, procedure calls, and those with a keyword of their own.
//
// The problem: `a = b - c` may be an equation between variables or a connection of submodels, and only the names can
// tell. The method: a statement with a connection word, `//` or `\` is read as a connection; any other with an `=` as
// an equation, and, if its tokens allow, as a connection, too; the tree keeps both readings. A statement without `=`
// can only be a connection. If no reading succeeds, the one that got further says what is wrong; with arithmetic in the
// statement it is always the equation.
//
// Miniature: `R*I = V` can only be an equation, `V = Va - Vb` gets both readings, `Base - Rbb - N` only a connection.
#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

// statement = procedure_call | equation | connection_statement
void Parser::equation_or_connection() {
  const std::uint32_t end = statement_end(begin_);
  if (is_procedure_call(end)) return add_node(procedure_call());
  bool has_equal = false, has_connection_sign = false;
  for (std::uint32_t i = begin_; i < end; ++i) {
    const Token& t = tokens_[i];
    if (t.kind == TokenKind::Equal) has_equal = true;
    if (t.kind == TokenKind::SlashSlash || t.kind == TokenKind::Backslash || t.word == Word::At || t.word == Word::To ||
        t.word == Word::From || t.word == Word::Par || t.word == Word::Loop || t.word == Word::Reversed)
      has_connection_sign = true;
  }
  std::optional<Failure> as_equation, as_connection;
  Equation equation;
  ConnectionStatement connection;
  if (has_connection_sign) {
    as_connection = read_connection(connection);
    if (!as_connection) return add_node(std::move(connection));
  }
  if (has_equal) {
    as_equation = read_equation(equation);
    if (!as_equation) {
      const std::uint32_t behind = at_;
      if (!has_connection_sign && could_be_connection(begin_, end) && !read_connection(connection))
        equation.as_connection = std::move(connection);
      at_ = behind;
      return add_node(std::move(equation));
    }
  }
  if (!has_connection_sign) {
    as_connection = read_connection(connection);
    if (!as_connection) return add_node(std::move(connection));
  }
  const bool arithmetic = !has_connection_sign && !could_be_connection(begin_, end);
  neither(end, arithmetic, as_equation, *as_connection);
}

// equation = expression "=" expression
std::optional<Failure> Parser::read_equation(Equation& equation) {
  at_ = begin_;
  try {
    equation.left = expression();
    if (!accept(TokenKind::Equal)) fail_expected("'='");
    equation.right = expression();
    if (at(TokenKind::Equal)) fail("an equation has one '=' only", "a comparison needs parentheses: (a = b)");
    finish_statement();
    return std::nullopt;
  } catch (Failure& failure) {
    return std::move(failure);
  }
}

std::optional<Failure> Parser::read_connection(ConnectionStatement& connection) {
  at_ = begin_;
  try {
    connection = connection_statement();
    return std::nullopt;
  } catch (Failure& failure) {
    return std::move(failure);
  }
}

// No reading succeeded: reports why, and goes on as if a misspelt keyword had been spelt right.
void Parser::neither(std::uint32_t end, bool arithmetic, const std::optional<Failure>& as_equation,
                     const Failure& as_connection) {
  const std::string meant = meant_keyword();
  if (!meant.empty()) {
    report({begin_, tokens_[begin_].where, "unknown statement '" + tokens_[begin_].symbol.text() + "'",
            "did you mean '" + meant + "'?"});
    at_ = begin_;
    return misspelt_statement(meant);
  }
  if (as_equation && (arithmetic || as_equation->token >= as_connection.token)) throw *as_equation;
  if (as_equation || tokens_[begin_].word == Word::Connect) throw as_connection;
  at_ = begin_;
  try {
    expression();
  } catch (const Failure& as_expression) {
    if (as_expression.token > as_connection.token) throw;
    throw as_connection;
  }
  if (at(TokenKind::Assign)) fail("':=' stands only in functions and in 'when'", "an equation is written with '='");
  if (at_ < as_connection.token) throw as_connection;
  if (at_ < end) fail_expected("'=' or a connection operator such as 'at' or 'to'");
  throw Failure{begin_, since(begin_), "this is neither an equation nor a connection", "an equation needs a '='"};
}

// Whether the statement has the form  reference [","] reference ... "=" name "(" ... ")"
bool Parser::is_procedure_call(std::uint32_t end) const {
  std::uint32_t i = begin_;
  std::size_t results = 0;
  bool name_allowed = true;
  for (; i < end && tokens_[i].kind != TokenKind::Equal; ++i) {
    const Token& t = tokens_[i];
    switch (t.kind) {
      case TokenKind::Identifier:
      case TokenKind::String:
        if (name_allowed) ++results;
        name_allowed = true;
        break;
      case TokenKind::Dot:
      case TokenKind::ColonColon: name_allowed = false; break;  // the next name belongs to the same reference
      case TokenKind::Comma: break;
      case TokenKind::OpenBracket:
        if (t.partner == Token::kNone) return false;
        i = t.partner;
        break;
      default: return false;
    }
  }
  return results > 1 && i + 3 < end && tokens_[i + 1].kind == TokenKind::Identifier &&
         tokens_[i + 2].kind == TokenKind::OpenParenthesis && tokens_[i + 2].partner == end - 1;
}

// procedure_call = reference { [ "," ] reference } "=" name "(" [ expression { [ "," ] expression } ] ")"
ProcedureCall Parser::procedure_call() {
  ProcedureCall result;
  do {
    if (!at_operand()) fail_expected("a variable");
    result.results.push_back(reference());
  } while (accept(TokenKind::Comma) || at_operand());
  expect(TokenKind::Equal, "'='");
  result.function = name("the name of a function");
  expect(TokenKind::OpenParenthesis, "'('");
  const Nesting level(*this);
  const EqualCompares compares(*this, true);
  while (!at(TokenKind::CloseParenthesis)) {
    result.arguments.push_back(expression());
    if (accept(TokenKind::Comma) && at(TokenKind::CloseParenthesis)) fail_expected("an expression");
  }
  ++at_;
  finish_statement();
  return result;
}

// condition = expression       `=` compares in it
Expression Parser::condition() {
  const EqualCompares compares(*this, true);
  return expression();
}

// action = reference ":=" expression | "reinit" reference ":=" expression | "terminate" [ string ] | select_action
void Parser::action() {
  Action result;
  const std::uint32_t first = at_;
  if (at(Word::Terminate) && token(1).kind != TokenKind::Assign) {
    ++at_;
    result.kind = ActionKind::Terminate;
    result.text = optional_string();
  } else if (at(Word::Select) && token(1).kind != TokenKind::Assign) {
    result = select_action();
  } else {
    if (at(Word::Reinit) && token(1).kind == TokenKind::Identifier) {
      ++at_;
      result.kind = ActionKind::Reinit;
    }
    if (!at_operand())
      fail_expected("an action", "'when' holds x := e, reinit x := e, terminate \"text\" and select name");
    result.target = reference();
    if (at(TokenKind::Equal)) fail("an assignment in 'when' is written ':='");
    expect(TokenKind::Assign, "':='");
    result.value = expression();
  }
  finish_statement();
  result.where = since(first);
  std::get<When>(blocks_.back().item.node).branches.back().actions.push_back(std::move(result));
}

// select_action = "select" [ reference ] name       without a reference: the model itself
Action Parser::select_action() {
  const std::uint32_t first = at_++;
  Action result;
  result.kind = ActionKind::Select;
  if (!at_name()) fail_expected("the name of a realization");
  result.target = reference();
  if (at_name()) {
    result.realization = name("the name of a realization");
  } else {
    if (result.target.parts.size() > 1) fail_expected("the name of a realization");
    result.realization = result.target.parts[0].name;
    result.target = {};
  }
  result.where = since(first);
  return result;
}

// initial_statement = "initial" expression "=" expression
Initial Parser::initial_statement() {
  ++at_;
  Initial result;
  result.left = expression();
  if (!accept(TokenKind::Equal)) fail_expected("'='");
  result.right = expression();
  finish_statement();
  return result;
}

// valid_statement = "valid" condition [ string ]
Valid Parser::valid_statement() {
  ++at_;
  Valid result;
  result.condition = condition();
  result.text = optional_string();
  finish_statement();
  return result;
}

// terminate_statement = "terminate" "when" condition [ string ]
Terminate Parser::terminate_statement() {
  ++at_;
  expect(Word::When);
  Terminate result;
  result.condition = condition();
  result.text = optional_string();
  finish_statement();
  return result;
}

// sample_statement = "sample" "every" expression [ "offset" expression ]
Sample Parser::sample_statement() {
  ++at_;
  if (!at_text("every")) fail_expected("'every'");
  ++at_;
  Sample result;
  result.every = expression();
  if (at_text("offset")) {
    ++at_;
    result.offset = expression();
  }
  finish_statement();
  return result;
}

// experiment_statement = "experiment" setting { [ "," ] setting }
// setting = ( "start" | "stop" | "step" | "tolerance" ) [ "=" ] expression | "solver" [ "=" ] name
Experiment Parser::experiment_statement() {
  ++at_;
  Experiment result;
  do {
    std::optional<Expression>* value = at_text("start")       ? &result.start
                                       : at_text("stop")      ? &result.stop
                                       : at_text("step")      ? &result.step
                                       : at_text("tolerance") ? &result.tolerance
                                                              : nullptr;
    if (!value && !at_text("solver")) fail_expected("'start', 'stop', 'step', 'tolerance' or 'solver'");
    if (value ? value->has_value() : result.solver.has_value()) fail("'" + token().symbol.text() + "' is given twice");
    ++at_;
    accept(TokenKind::Equal);
    if (value)
      *value = expression();
    else
      result.solver = name("the name of a solver");
  } while (accept(TokenKind::Comma) || at_name());
  finish_statement();
  return result;
}

// iterate_statement = "iterate" reference { [ "," ] reference }
Iterate Parser::iterate_statement() {
  ++at_;
  Iterate result;
  do {
    if (!at_operand()) fail_expected("a variable");
    result.variables.push_back(reference());
  } while (accept(TokenKind::Comma) || at_operand());
  finish_statement();
  return result;
}

}  // namespace fmugen::syntax
