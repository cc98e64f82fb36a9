#include "fmugen/support/symbol.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace fmugen::support;

TEST_CASE("symbols are equal exactly when their texts are") {
  SymbolTable table;
  const Symbol a = table.intern("R1"), b = table.intern(std::string("R") + "1"), c = table.intern("r1");
  CHECK(a == b);
  CHECK(a.hash() == b.hash());
  CHECK_FALSE(a == c);
  CHECK(a.text() == "R1");
  CHECK(static_cast<bool>(a));
}

TEST_CASE("no symbol has an empty text and differs from the empty name") {
  SymbolTable table;
  const Symbol none;
  CHECK_FALSE(static_cast<bool>(none));
  CHECK(none.text().empty());
  CHECK(static_cast<bool>(table.intern("")));
  CHECK_FALSE(none == table.intern(""));
}

TEST_CASE("symbols stay valid while the table grows") {
  SymbolTable table;
  std::vector<Symbol> symbols;
  for (int i = 0; i < 10'000; ++i) symbols.push_back(table.intern("x" + std::to_string(i)));
  for (int i = 0; i < 10'000; ++i) {
    REQUIRE(symbols[static_cast<std::size_t>(i)].text() == "x" + std::to_string(i));
    REQUIRE(symbols[static_cast<std::size_t>(i)] == table.intern("x" + std::to_string(i)));
  }
}
