// From text to lines of tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fmugen/support/diagnostics.h"
#include "fmugen/support/source.h"

namespace fmugen::simnon {

enum class TokenKind { Name, Number, Sign, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;  // of a sign: one of + - * / ^ ( ) [ ] , = : < >
  double number = 0;
  support::SourceRange where;

  bool is(std::string_view sign) const { return kind == TokenKind::Sign && text == sign; }
  bool is_word(std::string_view upper) const;  // a name that reads so, whatever the case of its letters
};

struct Line {
  std::vector<Token> tokens;  // at least one besides the End that closes it
  std::string comment;        // without the quote and blanks around it
};

// Lines that are empty or hold a comment only are left out.
std::vector<Line> read_lines(const support::Sources& sources, std::uint32_t file, support::Diagnostics& diagnostics);

std::string upper(std::string_view text);

}  // namespace fmugen::simnon
