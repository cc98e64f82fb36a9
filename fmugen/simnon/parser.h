// From lines to systems.
#pragma once

#include "fmugen/simnon/ast.h"
#include "fmugen/simnon/lexer.h"

namespace fmugen::simnon {

// What follows the grammar; what does not is reported and left out.
File parse(const support::Sources& sources, std::uint32_t file, support::Diagnostics& diagnostics);

// An expression that begins at tokens[at], which is moved behind it. nullopt after an error.
std::optional<Expression> parse_expression(const std::vector<Token>& tokens, std::size_t& at,
                                           support::Diagnostics& diagnostics);

}  // namespace fmugen::simnon
