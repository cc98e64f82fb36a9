// Files, models, and all that closes with `end`.
//
// The problem: models nest, and a missing or superfluous `end` should be reported where it is, once. The method: open
// models, loops and conditional parts stand on an explicit stack; statements go to the body of the topmost; `end` moves
// the topmost to the body of the one below. No recursion, so a text may nest as deep as kDeepestBlock.
// Closing them is in parser_ends.cpp.
//
// Miniature:  model a          stack: a
//               for i := 1 to 3 do    a, for
//               end            a          the loop is now in the body of a
//             end              empty      a is now in the file
#include <algorithm>

#include "fmugen/syntax/layout.h"
#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

// file = { use | model | function }
File Parser::file() {
  file_.source = source_;
  for (;;) {
    while (token().kind == TokenKind::Semicolon) ++at_;
    if (token().kind == TokenKind::End || stopped_ || diagnostics_.full()) break;
    statement();
  }
  if (!blocks_.empty() && !stopped_ && !diagnostics_.full()) unclosed_blocks();
  while (!blocks_.empty()) close_block(tokens_.back().where);
  return std::move(file_);
}

void Parser::statement() {
  begin_ = at_;
  const Levels levels(*this);
  const EqualCompares compares(*this, false);
  try {
    if (blocks_.empty())
      top_level_statement();
    else
      body_statement();
  } catch (const Failure& failure) {
    report(failure);
    at_ = std::max(statement_end(begin_), begin_ + 1);
  }
}

void Parser::add(Item item) {
  if (blocks_.empty())
    file_.items.push_back(std::move(item));
  else if (blocks_.back().kind != Block::Kind::When)
    body().push_back(std::move(item));
}

void Parser::declare_function(bool external) {
  const std::uint32_t first = begin_;  // the statements of the function move it
  Function function = function_declaration(external);
  add({since(first), std::move(function)});
}

Body& Parser::body() {
  Block& block = blocks_.back();
  if (auto* model = std::get_if<ModelDefinition>(&block.item.node)) return model->body;
  if (auto* realization = std::get_if<Realization>(&block.item.node)) return realization->body;
  if (auto* loop = std::get_if<For>(&block.item.node)) return loop->body;
  auto& condition = std::get<If>(block.item.node);
  return block.in_else ? condition.else_items : condition.then_items;
}

// use = "use" name { [ "," ] name }
void Parser::top_level_statement() {
  const Word word = statement_word();
  const bool function = word == Word::Function || (word == Word::External && token(1).word == Word::Function);
  const bool model = word == Word::Model || (word == Word::Discrete && token(1).word == Word::Model);
  if (word == Word::End) return end_statement();
  if (word == Word::Use) {
    ++at_;
    do file_.uses.push_back({name("the name of a library")});
    while (accept(TokenKind::Comma) || at_name());
    return finish_statement();
  }
  if (function || model) {
    outside_reported_ = false;
    return keyword_statement(word);
  }
  const std::string meant = meant_keyword();
  if (!meant.empty() && meant != "end") {
    report(
        {begin_, token().where, "unknown statement '" + token().symbol.text() + "'", "did you mean '" + meant + "'?"});
    return misspelt_statement(meant);
  }
  if (!outside_reported_ && !doubtful_ && !already_reported(begin_, statement_end(begin_))) {
    auto& error = diagnostics_.error(token().where, "expected 'model', 'function' or 'use', found " + describe_token());
    error.remark("statements stand inside of a model");
    if (last_end_.known()) error.remark(last_end_, "the model before was closed here");
  }
  outside_reported_ = true;
  at_ = std::max(statement_end(begin_), begin_ + 1);
}

// Reads the statement again with its first word spelt right.
void Parser::misspelt_statement(const std::string& meant) {
  tokens_[begin_].word = word_of(meant);
  misspelt_ = begin_;
  if (blocks_.empty())
    top_level_statement();
  else
    body_statement();
}

// The keyword a statement begins with here, or None if the word is a name. Words that are as useful as names as they
// are as keywords count as keywords only if what follows fits.
Word Parser::statement_word() const {
  const Token& first = token();
  if (first.word == Word::None || always_starts_statement(first.word)) return first.word;
  const Token& next = token(1);
  const bool alone = next.starts_statement || next.kind == TokenKind::Semicolon || next.kind == TokenKind::End;
  const bool operand = next.kind == TokenKind::Number || next.kind == TokenKind::OpenParenthesis ||
                       next.kind == TokenKind::Identifier || next.kind == TokenKind::String;
  switch (first.word) {
    case Word::End:
    case Word::Else: return first.word;
    case Word::If: return first.partner != Token::kNone || (operand && !alone) ? Word::If : Word::None;
    case Word::Path: return alone || operand || next.kind == TokenKind::Less ? Word::Path : Word::None;
    case Word::Initial:
    case Word::Valid:
    case Word::When: return alone || operand || next.kind == TokenKind::Minus ? first.word : Word::None;
    case Word::Begin:
    case Word::Default:
    case Word::Discrete:
    case Word::Experiment:
    case Word::For:
    case Word::Function:
    case Word::Iterate:
    case Word::Node:
    case Word::Realization:
    case Word::Reinit:
    case Word::Replace:
    case Word::Sample:
    case Word::Select:
    case Word::Table:
    case Word::Terminate:
    case Word::Use: return alone || operand ? first.word : Word::None;
    default: return Word::None;
  }
}

// body = { declaration | statement | block }
void Parser::body_statement() {
  const Word word = statement_word();
  if (word == Word::End) return end_statement();
  if (word == Word::Else) return else_branch();
  if (blocks_.back().kind == Block::Kind::When) {
    const bool is_action =
        word == Word::None || word == Word::Terminate || word == Word::Select || word == Word::Reinit;
    if (is_action) return action();
    diagnostics_.error(blocks_.back().opening, "'when' is not closed")
        .remark(token().where, "expected 'end' before this");
    close_block(token().where);
  }
  keyword_statement(word);
}

void Parser::keyword_statement(Word word) {
  const bool main = word == Word::Main;
  if (main) {
    ++at_;
    word = token().word;
    if (!at(Word::Cut) && !at(Word::Path)) fail_expected("'cut' or 'path'");
  }
  switch (word) {
    case Word::Model: return declare_model();
    case Word::Discrete:
      if (token(1).word == Word::Model) return declare_model();
      return add_node(variable_declaration());
    case Word::External:
      if (token(1).word == Word::Function && token(2).kind == TokenKind::Identifier) return declare_function(true);
      return add_node(variable_declaration());
    case Word::Parameter:
    case Word::Structure:
    case Word::Constant:
    case Word::Local:
    case Word::Terminal:
    case Word::Input:
    case Word::Output:
    case Word::Default:
    case Word::Internal: return add_node(variable_declaration());
    case Word::Submodel:
    case Word::Replace: return add_node(submodel_declaration());
    case Word::Cut: return add_node(cut_declaration(main));
    case Word::Path: return add_node(path_declaration(main));
    case Word::Node: return add_node(node_declaration());
    case Word::Connect: return add_node(connection_statement());
    case Word::Function: return declare_function(false);
    case Word::Table: return add_node(table_declaration());
    case Word::Realization: return open_realization();
    case Word::For: return open_for();
    case Word::If: return open_if(false);
    case Word::When: return open_when();
    case Word::Initial: return add_node(initial_statement());
    case Word::Valid: return add_node(valid_statement());
    case Word::Terminate: return add_node(terminate_statement());
    case Word::Sample: return add_node(sample_statement());
    case Word::Experiment: return add_node(experiment_statement());
    case Word::Iterate: return add_node(iterate_statement());
    case Word::Use: fail("'use' stands outside of the models of a file");
    case Word::Reinit:
    case Word::Select: fail("'" + token().symbol.text() + "' stands only in 'when'");
    case Word::Begin: fail("'begin' stands only after 'do', 'then' and 'else'");
    default: return equation_or_connection();
  }
}

// ---- opening blocks -------------------------------------------------------------------------------------------------

void Parser::open(Block block) {
  if (blocks_.size() >= kDeepestBlock) {
    diagnostics_.error(block.opening,
                       "models and blocks nest deeper than " + std::to_string(kDeepestBlock) + " levels");
    stopped_ = true;
    return;
  }
  blocks_.push_back(std::move(block));
}

// Reports a mistake in the heading of a block and goes on behind the word that ends it, so that the block is opened.
void Parser::header_failed(const Failure& failure, Word last_word) {
  report(failure);
  const std::uint32_t end = statement_end(begin_);
  for (at_ = std::max(failure.token, begin_ + 1); at_ < end;)
    if (tokens_[at_++].word == last_word) return;
}

// model = [ "discrete" ] "model" [ "type" ] name [ "is" ( "a" | "an" ) ( reference | "fmu" string ) ] [ string ]
//         body "end" [ name ]
void Parser::declare_model() {
  ModelDefinition model;
  try {
    model_heading(model);
  } catch (const Failure& failure) {
    header_failed(failure, Word::None);
    at_ = std::max(at_, statement_end(begin_));
  }
  Block block;
  block.kind = Block::Kind::Model;
  block.name = model.name;
  block.opening = since(begin_);
  block.item.node = std::move(model);
  open(std::move(block));
}

void Parser::model_heading(ModelDefinition& model) {
  model.discrete = accept(Word::Discrete);
  expect(Word::Model);
  const Token& next = token(1);
  const bool heading_ends = next.starts_statement || next.kind == TokenKind::Semicolon || next.kind == TokenKind::End ||
                            next.kind == TokenKind::String || always_starts_statement(next.word);
  if (at_text("type") && !heading_ends) {  // otherwise it is the name of the model
    model.type = true;
    ++at_;
  }
  if (at(TokenKind::Identifier) && always_starts_statement(token().word)) fail_expected("the name of a model");
  model.name = name("the name of a model");
  if (at_text("is") && (token(1).symbol.text() == "a" || token(1).symbol.text() == "an")) {
    at_ += 2;
    if (at_text("fmu") && token(1).kind == TokenKind::String) {
      ++at_;
      model.fmu = primary();
    } else {
      if (!at_name()) fail_expected("the name of a model type");
      model.base = reference();
    }
  }
  model.description = optional_string();
}

// realization = "realization" name [ string ] body "end" [ name ]
void Parser::open_realization() {
  Realization realization;
  try {
    ++at_;
    realization.name = name("the name of a realization");
    optional_string();
  } catch (const Failure& failure) {
    header_failed(failure, Word::None);
  }
  Block block;
  block.kind = Block::Kind::Realization;
  block.name = realization.name;
  block.opening = since(begin_);
  block.item.node = std::move(realization);
  open(std::move(block));
}

// for = "for" name ":=" expression "to" expression "do" [ "begin" ] body "end"
void Parser::open_for() {
  For loop;
  try {
    ++at_;
    loop.variable = name("the name of a loop variable");
    if (at(TokenKind::Equal)) fail("expected ':=', found '='", "a loop is written 'for i := 1 to n do'");
    expect(TokenKind::Assign, "':='");
    loop.from = expression();
    expect(Word::To);
    loop.to = expression();
    expect(Word::Do);
  } catch (const Failure& failure) {
    header_failed(failure, Word::Do);
  }
  Block block;
  block.kind = Block::Kind::For;
  block.opening = since(begin_);
  block.item.node = std::move(loop);
  if (token().word == Word::Begin) {
    block.began = true;
    ++at_;
  }
  open(std::move(block));
}

// if_heading = "if" condition "then"       a mistake in it is reported here
Expression Parser::if_heading() {
  const std::uint32_t first = at_, then = token().partner;
  Expression result;
  try {
    if (then == Token::kNone) {
      at_ = statement_end(begin_);
      fail_expected("'then'");
    }
    ++at_;
    result = condition();
    expect(Word::Then);
  } catch (const Failure& failure) {
    report(failure);
    at_ = then != Token::kNone ? then + 1 : std::max(statement_end(begin_), first + 1);
  }
  return result;
}

// if = "if" condition "then" [ "begin" ] body { "else" "if" condition "then" body } [ "else" [ "begin" ] body ] "end"
void Parser::open_if(bool chained) {
  If condition_part;
  const std::uint32_t first = at_;
  condition_part.condition = if_heading();
  Block block;
  block.kind = Block::Kind::If;
  block.opening = since(first);
  block.item.node = std::move(condition_part);
  block.chained = chained;
  if (token().word == Word::Begin) {
    block.began = true;
    ++at_;
  }
  open(std::move(block));
}

// The `else` of an `if` or of a `when`. `else if` on one line shares the `end` of the first `if`.
void Parser::else_branch() {
  Block& block = blocks_.back();
  const bool when = block.kind == Block::Kind::When;
  ++at_;
  if (!when && (block.kind != Block::Kind::If || block.in_else)) {
    diagnostics_.error(tokens_[begin_].where, "'else' without 'if'");
    return;  // what follows on the line is another statement
  }
  if (when) {
    if (at(Word::When)) return when_branch(std::get<When>(block.item.node));
    diagnostics_.error(tokens_[begin_].where, "expected 'else when', found 'else'");
    return;
  }
  block.in_else = true;
  if (at(Word::If) && !token().newline_before && token().partner != Token::kNone) {
    begin_ = at_;
    return open_if(true);
  }
  if (token().word == Word::Begin) {
    block.began = true;
    ++at_;
  }
}

// when = "when" condition "then" { action } { "else" "when" condition "then" { action } } "end"
//      | "when" condition select_action
void Parser::open_when() {
  When when;
  when_branch(when);
  const bool complete = !when.branches[0].actions.empty();
  if (complete) {
    finish_statement();
    return add_node(std::move(when));
  }
  Block block;
  block.kind = Block::Kind::When;
  block.opening = since(begin_);
  block.item.node = std::move(when);
  open(std::move(block));
}

void Parser::when_branch(When& when) {
  when.branches.emplace_back();
  try {
    ++at_;
    when.branches.back().condition = condition();
    if (at(Word::Select))
      when.branches.back().actions.push_back(select_action());
    else
      expect(Word::Then);
  } catch (const Failure& failure) {
    header_failed(failure, Word::Then);
  }
}

}  // namespace fmugen::syntax
