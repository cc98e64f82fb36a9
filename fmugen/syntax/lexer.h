// The lexer of the model language.
#pragma once

#include "fmugen/support/diagnostics.h"
#include "fmugen/syntax/token.h"

namespace fmugen::syntax {

struct LexedText {
  Tokens tokens;
  bool cut_short = false;  // an unclosed comment swallowed the rest of the text
};

// Splits a whole text into tokens. Whatever is wrong is reported once and leaves a token in its place, so that the
// parser need not speak about it again.
LexedText lex(const support::Sources& sources, std::uint32_t source, support::SymbolTable& symbols,
              support::Diagnostics& diagnostics);

}  // namespace fmugen::syntax
