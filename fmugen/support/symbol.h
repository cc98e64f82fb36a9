// Interned names. Two symbols of one table are equal exactly when their texts are, so names are compared, hashed and
// copied as pointers while reading and flattening a model. Order by text() where an order can be seen by the user.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

namespace fmugen::support {

class Symbol {
 public:
  Symbol() = default;
  const std::string& text() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }
  explicit operator bool() const { return text_ != nullptr; }
  friend bool operator==(Symbol, Symbol) = default;
  std::size_t hash() const { return std::hash<const void*>{}(text_); }

 private:
  friend class SymbolTable;
  explicit Symbol(const std::string* text) : text_(text) {}
  const std::string* text_ = nullptr;
};

// Owns the texts; symbols stay valid as long as their table.
class SymbolTable {
 public:
  Symbol intern(std::string_view text);

 private:
  std::unordered_set<std::string> texts_;  // node based: addresses of elements never change
};

}  // namespace fmugen::support

template <>
struct std::hash<fmugen::support::Symbol> {
  std::size_t operator()(fmugen::support::Symbol s) const { return s.hash(); }
};
