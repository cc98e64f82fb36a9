// Prints a syntax tree as indented text, one node a line: `fmugen ast`.
#pragma once

#include <iosfwd>

#include "fmugen/syntax/ast.h"

namespace fmugen::syntax {

void print_ast(std::ostream& out, const File& file);

}  // namespace fmugen::syntax
