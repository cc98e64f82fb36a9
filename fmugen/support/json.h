// Texts as JSON strings.
#pragma once

#include <string>
#include <string_view>

namespace fmugen::support {

// Appends the text in quotes, escaped. Bytes that are not UTF-8 become the replacement character.
void append_json_string(std::string& out, std::string_view text);

}  // namespace fmugen::support
