// The layout of a text: which tokens begin a statement, which parentheses belong together, which `if` is a keyword.
#pragma once

#include "fmugen/support/diagnostics.h"
#include "fmugen/syntax/token.h"

namespace fmugen::syntax {

// Fills Token::starts_statement and Token::partner and removes the `->` signs. Parentheses without a partner are
// reported; the statement they stand in must not be reported again.
void lay_out(Tokens& tokens, support::Diagnostics& diagnostics);

// Words that begin a declaration or a connection wherever they begin a line, whatever follows.
bool always_starts_statement(Word word);

}  // namespace fmugen::syntax
