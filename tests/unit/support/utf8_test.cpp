#include "fmugen/support/utf8.h"

#include <catch2/catch.hpp>
#include <string>

using fmugen::support::utf8_length;

TEST_CASE("the length of a character in bytes") {
  CHECK(utf8_length("a") == 1);
  CHECK(utf8_length("\xC3\xA4x") == 2);
  CHECK(utf8_length("\xE2\x82\xAC") == 3);
  CHECK(utf8_length("\xF0\x9F\x98\x80") == 4);
}

TEST_CASE("what is not UTF-8 has length zero") {
  for (const char* bytes : {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82", "\xC3x"}) {
    INFO(std::string(bytes));
    CHECK(utf8_length(bytes) == 0);
  }
}
