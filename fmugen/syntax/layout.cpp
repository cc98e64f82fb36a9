// The problem: a statement ends where its line ends, unless it visibly goes on, and the parser should not have to ask
// at every token.
//
// The method: one pass over all tokens with a stack of open parentheses. A line goes on
//   - inside ( ) and [ ];
//   - after `->`, an operator, a comma, `=` or an open parenthesis at the end of the line;
//   - when the next line begins with something that cannot begin a statement: `=`, `to`, `)`, `*`, `and`, `then`, a
//     string, ... A minus begins a new statement, because equations such as `-A*der(z) = q` are common;
//   - after `submodel (type)`, which is nothing without the names that follow.
// Operators that are words continue a line of equations and connections only: `local at, to` is a list of names.
// A declaration keyword or `end` at the beginning of a line inside parentheses means that one was not closed.
//
// The same pass pairs each `if` with its `then`: the last `if` before it that is not paired yet, on the same level of
// parentheses, in the same statement, and followed by something an expression can begin with. An `if` that remains
// alone is a name, such as the field current in `Lf*der(if) = uf - Rf*if`.
//
// Miniature:   x = a +        one statement, because the line ends with an operator
//                b
//              -y = c         another one
#include "fmugen/syntax/layout.h"

#include <string>

namespace fmugen::syntax {

namespace {

bool is_connection_operator(Word word) {
  return word == Word::At || word == Word::To || word == Word::From || word == Word::Par || word == Word::Loop;
}

// A line that begins with the token continues the line before.
bool cannot_begin_statement(const Token& token) {
  switch (token.kind) {
    case TokenKind::Identifier:
      return is_connection_operator(token.word) || token.word == Word::And || token.word == Word::Or ||
             token.word == Word::Then || token.word == Word::Else || token.word == Word::Do;
    case TokenKind::String:
    case TokenKind::CloseParenthesis:
    case TokenKind::CloseBracket:
    case TokenKind::Comma:
    case TokenKind::Dot:
    case TokenKind::DotDot:
    case TokenKind::Colon:
    case TokenKind::ColonColon:
    case TokenKind::Assign:
    case TokenKind::Equal:
    case TokenKind::Unequal:
    case TokenKind::Less:
    case TokenKind::LessEqual:
    case TokenKind::Greater:
    case TokenKind::GreaterEqual:
    case TokenKind::Plus:
    case TokenKind::Star:
    case TokenKind::Slash:
    case TokenKind::SlashSlash:
    case TokenKind::Power:
    case TokenKind::Prime: return true;
    case TokenKind::End:
    case TokenKind::Bad:
    case TokenKind::Number:
    case TokenKind::OpenParenthesis:
    case TokenKind::OpenBracket:
    case TokenKind::Semicolon:
    case TokenKind::Minus:
    case TokenKind::Backslash:
    case TokenKind::Arrow: return false;
  }
  return false;
}

// A line that ends with the token goes on; `in_declaration` and `in_path` tell what kind of statement the line holds.
bool cannot_end_statement(const Token& token, bool in_declaration, bool in_path) {
  switch (token.kind) {
    case TokenKind::Identifier:
      return !in_declaration && (is_connection_operator(token.word) || token.word == Word::Reversed ||
                                 token.word == Word::And || token.word == Word::Or || token.word == Word::Not ||
                                 token.word == Word::Then || token.word == Word::Else);
    case TokenKind::Greater: return !in_path;  // closes the path in `path p < a - b >`
    case TokenKind::OpenParenthesis:
    case TokenKind::OpenBracket:
    case TokenKind::Comma:
    case TokenKind::DotDot:
    case TokenKind::Colon:
    case TokenKind::ColonColon:
    case TokenKind::Assign:
    case TokenKind::Equal:
    case TokenKind::Unequal:
    case TokenKind::Less:
    case TokenKind::LessEqual:
    case TokenKind::GreaterEqual:
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::Star:
    case TokenKind::Slash:
    case TokenKind::SlashSlash:
    case TokenKind::Backslash:
    case TokenKind::Power: return true;
    case TokenKind::End:
    case TokenKind::Bad:
    case TokenKind::Number:
    case TokenKind::String:
    case TokenKind::CloseParenthesis:
    case TokenKind::CloseBracket:
    case TokenKind::Semicolon:
    case TokenKind::Dot:
    case TokenKind::Prime:
    case TokenKind::Arrow: return false;
  }
  return false;
}

// Whether an expression can begin with the token; it follows an `if`.
bool can_begin_operand(const Token& token) {
  switch (token.kind) {
    case TokenKind::Identifier:
      return !is_connection_operator(token.word) && token.word != Word::And && token.word != Word::Or &&
             token.word != Word::Then && token.word != Word::Else && token.word != Word::Do && token.word != Word::End;
    case TokenKind::Number:
    case TokenKind::String:
    case TokenKind::OpenParenthesis:
    case TokenKind::OpenBracket:
    case TokenKind::Plus:
    case TokenKind::Minus: return true;
    default: return false;
  }
}

class Layout {
 public:
  Layout(Tokens& tokens, support::Diagnostics& diagnostics) : tokens_(tokens), diagnostics_(diagnostics) {}

  void run() {
    remove_arrows();
    for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
      Token& token = tokens_[i];
      if (!open_.empty() && (token.kind == TokenKind::End || (token.newline_before && begins_declaration(i))))
        unclosed(i);
      if (open_.empty() && begins_statement(i)) {
        token.starts_statement = true;
        ifs_.clear();
        in_declaration_ = in_path_ = false;
      }
      note_kind_of_statement(i);
      match(i);
    }
  }

 private:
  struct PendingIf {
    std::uint32_t token;
    std::size_t level;
  };

  // An arrow at the end of a line makes the next token continue it.
  void remove_arrows() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != TokenKind::Arrow) {
        tokens_[kept++] = tokens_[i];
        continue;
      }
      Token& next = tokens_[i + 1];  // there is one: the last token is an End
      if (!next.newline_before) {
        diagnostics_.error(tokens_[i].where, "'->' stands only at the end of a line that goes on");
        tokens_[i].kind = TokenKind::Bad;
        tokens_[i].reported = true;
        tokens_[kept++] = tokens_[i];
      }
      next.newline_before = false;
      next.blank_before = true;
    }
    tokens_.resize(kept);
  }

  bool begins_statement(std::uint32_t i) const {
    if (i == 0) return true;
    const Token& token = tokens_[i];
    const Token& last = tokens_[i - 1];
    if (last.kind == TokenKind::Semicolon || token.kind == TokenKind::End) return true;
    if (token.newline_before && (token.word == Word::End || always_starts_statement(token.word))) return true;
    if (!token.newline_before || cannot_begin_statement(token)) return false;
    if (cannot_end_statement(last, in_declaration_, in_path_)) return false;
    return !lacks_submodel_names(i);
  }

  // submodel (type) <new line> name
  bool lacks_submodel_names(std::uint32_t i) const {
    const Token& last = tokens_[i - 1];
    if (last.kind != TokenKind::CloseParenthesis || last.partner == Token::kNone || last.partner == 0) return false;
    return tokens_[last.partner - 1].word == Word::Submodel && tokens_[i].kind == TokenKind::Identifier &&
           !begins_declaration(i);
  }

  bool begins_declaration(std::uint32_t i) const {
    const Token& token = tokens_[i];
    if (token.word == Word::End || always_starts_statement(token.word)) return true;
    switch (token.word) {  // these are also good names: look at what follows
      case Word::Default:
      case Word::Discrete:
      case Word::Experiment:
      case Word::For:
      case Word::Function:
      case Word::Initial:
      case Word::Node:
      case Word::Path:
      case Word::Realization:
      case Word::Replace:
      case Word::Table:
      case Word::Use:
      case Word::When: return tokens_[i + 1].kind == TokenKind::Identifier && !tokens_[i + 1].newline_before;
      default: return false;
    }
  }

  void unclosed(std::uint32_t i) {
    const Token& open = tokens_[open_.back()];
    const char* text = open.kind == TokenKind::OpenParenthesis ? "'(' is not closed" : "'[' is not closed";
    auto& error = diagnostics_.error(open.where, text);
    if (tokens_[i].kind != TokenKind::End) error.remark(tokens_[i].where, "a new statement begins here");
    open_.clear();
  }

  // Words at the end of a line are names in a declaration, and `>` closes a path.
  void note_kind_of_statement(std::uint32_t i) {
    const Token& token = tokens_[i];
    if (!open_.empty() || token.word == Word::None) return;
    if (token.word == Word::Path) in_path_ = true;
    const Word before = i > 0 ? tokens_[i - 1].word : Word::None;
    const bool first = token.starts_statement || before == Word::Then || before == Word::Else || before == Word::Do;
    if (first)
      in_declaration_ = token.word != Word::Connect && (always_starts_statement(token.word) ||
                                                        token.word == Word::Default || token.word == Word::Node);
  }

  void match(std::uint32_t i) {
    Token& token = tokens_[i];
    switch (token.kind) {
      case TokenKind::OpenParenthesis:
      case TokenKind::OpenBracket: open_.push_back(i); break;
      case TokenKind::CloseParenthesis:
      case TokenKind::CloseBracket: close(i); break;
      case TokenKind::Identifier:
        if (token.word == Word::If && can_begin_operand(tokens_[i + 1])) ifs_.push_back({i, open_.size()});
        if (token.word == Word::Then && !ifs_.empty() && ifs_.back().level == open_.size()) {
          tokens_[ifs_.back().token].partner = i;
          ifs_.pop_back();
        }
        break;
      default: break;
    }
  }

  // A parenthesis of the wrong kind closes the one before, too, if that is of the right kind: [ is forgotten in ([ ).
  void close(std::uint32_t i) {
    const bool round = tokens_[i].kind == TokenKind::CloseParenthesis;
    const auto fits = [&](std::uint32_t open) { return round == (tokens_[open].kind == TokenKind::OpenParenthesis); };
    if (open_.empty()) {
      diagnostics_.error(tokens_[i].where, round ? "')' without '('" : "']' without '['");
      return;
    }
    const std::uint32_t open = open_.back();
    open_.pop_back();
    if (!fits(open)) {
      if (!open_.empty() && fits(open_.back())) open_.pop_back();
      diagnostics_.error(tokens_[i].where, round ? "expected ']' before ')'" : "expected ')' before ']'")
          .remark(tokens_[open].where, round ? "'[' was opened here" : "'(' was opened here");
    } else {
      tokens_[open].partner = i;
      tokens_[i].partner = open;
    }
    while (!ifs_.empty() && ifs_.back().level > open_.size()) ifs_.pop_back();
  }

  Tokens& tokens_;
  support::Diagnostics& diagnostics_;
  std::vector<std::uint32_t> open_;
  std::vector<PendingIf> ifs_;
  bool in_declaration_ = false;
  bool in_path_ = false;
};

}  // namespace

void lay_out(Tokens& tokens, support::Diagnostics& diagnostics) { Layout(tokens, diagnostics).run(); }

bool always_starts_statement(Word word) {
  switch (word) {
    case Word::Connect:
    case Word::Constant:
    case Word::Cut:
    case Word::External:
    case Word::Input:
    case Word::Internal:
    case Word::Local:
    case Word::Main:
    case Word::Model:
    case Word::Output:
    case Word::Parameter:
    case Word::Structure:
    case Word::Submodel:
    case Word::Terminal: return true;
    default: return false;
  }
}

}  // namespace fmugen::syntax
