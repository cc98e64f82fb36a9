// Characters of a text in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace fmugen::support {

// Bytes of the character at the start of a text that is not empty; 0 if it is not UTF-8 (overlong and surrogate forms
// included).
std::size_t utf8_length(std::string_view text);

}  // namespace fmugen::support
