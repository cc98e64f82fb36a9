// Tokens of the model language. A text is read into one vector of them, so that the parser can look ahead as far as a
// decision needs: whether a statement is a connection, whether `if` is a keyword, where a statement ends.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fmugen/support/source.h"
#include "fmugen/support/symbol.h"

namespace fmugen::syntax {

enum class TokenKind : std::uint8_t {
  End,         // the end of the text
  Bad,         // characters that mean nothing, an unclosed string; already reported
  Identifier,  // names and keywords
  Number,
  String,
  OpenParenthesis,
  CloseParenthesis,
  OpenBracket,
  CloseBracket,
  Comma,
  Semicolon,
  Dot,
  DotDot,  // ..
  Colon,
  ColonColon,  // ::
  Assign,      // :=
  Equal,
  Unequal,  // <> or /=
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Plus,
  Minus,
  Star,
  Slash,
  SlashSlash,  // //
  Backslash,
  Power,  // ** or ^
  Prime,  // '
  Arrow   // ->: the line goes on; removed by the layout
};

// The keywords. Words that are special only after another keyword (`every`, `stop`, `is a`) are compared as texts.
// clang-format off
enum class Word : std::uint8_t {
  None,
  And, At, Begin, Connect, Constant, Cut, Default, Discrete, Do, Else, End, Experiment, External, False, For, From,
  Function, If, Initial, Input, Internal, Iterate, Local, Loop, Main, Model, Node, Not, Or, Output, Par, Parameter,
  Path, Realization, Reinit, Replace, Reversed, Sample, Select, Structure, Submodel, Table, Terminal, Terminate, Then,
  To, True, Use, Valid, When
};
// clang-format on

const char* text_of(Word word);
Word word_of(std::string_view text);  // None if it is no keyword

struct Token {
  static constexpr std::uint32_t kNone = 0xffffffff;

  TokenKind kind = TokenKind::End;
  Word word = Word::None;         // of an Identifier that is spelt like a keyword
  bool newline_before = false;    // a line ended between the token before and this one
  bool blank_before = false;      // anything stood between the token before and this one
  bool reported = false;          // the lexer has complained about it
  bool starts_statement = false;  // set by the layout: no earlier statement goes on here
  std::uint32_t partner = kNone;  // set by the layout: the matching parenthesis, or the `then` of an `if`
  support::SourceRange where;
  double number = 0;       // Number
  support::Symbol symbol;  // Identifier: its text; String: its contents
};

using Tokens = std::vector<Token>;  // the last one is always an End

}  // namespace fmugen::syntax
