// Parser of the model language (.dym).
#pragma once

#include "fmugen/support/diagnostics.h"
#include "fmugen/syntax/ast.h"

namespace fmugen::syntax {

// Parses one source text. Errors go to `diagnostics`; after one the parser goes on at the next statement, so the
// returned tree holds everything that could be understood.
File parse(const support::Sources& sources, std::uint32_t source, support::SymbolTable& symbols,
           support::Diagnostics& diagnostics);

// Parses a single expression, such as the value of --set; nullopt after an error.
std::optional<Expression> parse_expression(const support::Sources& sources, std::uint32_t source,
                                           support::SymbolTable& symbols, support::Diagnostics& diagnostics);

}  // namespace fmugen::syntax
