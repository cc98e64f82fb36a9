#include "fmugen/support/symbol.h"

namespace fmugen::support {

Symbol SymbolTable::intern(std::string_view text) { return Symbol(&*texts_.emplace(text).first); }

}  // namespace fmugen::support
