#include "fmugen/fmu/lift_tables.h"

#include <catch2/catch.hpp>

namespace fmugen::fmu {
namespace {

std::string lift(const std::string& text, LiftedTables& lifted, std::size_t least = 3) {
  return lift_tables(text, "t.bin", least, lifted);
}

TEST_CASE("large tables become declarations and bytes") {
  LiftedTables lifted;
  CHECK(
      lift("int a;\nstatic const unsigned char role[3] = {1, 161,\n  255};\nint b;\n"
           "static const unsigned t[3] = {1, 256, 4294967295};\n"
           "static const unsigned short s[3] = {1, 2, 65535};\n"
           "static const double x[3] = {0.0, -1.5, 1e-05};\n",
           lifted) ==
      "int a;\nextern const unsigned char role[3] __asm__(\"fmr_numbers_1\") __attribute__((visibility(\"hidden\")));\n"
      "int b;\n"
      "extern const unsigned t[3] __asm__(\"fmr_numbers_2\") __attribute__((visibility(\"hidden\")));\n"
      "extern const unsigned short s[3] __asm__(\"fmr_numbers_3\") __attribute__((visibility(\"hidden\")));\n"
      "extern const double x[3] __asm__(\"fmr_numbers_4\") __attribute__((visibility(\"hidden\")));\n");
  CHECK(lifted.count == 4);
  CHECK(lifted.bytes.size() == 8 + 16 + 8 + 24);
  CHECK(lifted.bytes.substr(0, 3) == "\x01\xa1\xff");
  CHECK(lifted.bytes.substr(8, 8) == std::string("\x01\0\0\0\0\x01\0\0", 8));
  CHECK(lifted.bytes.substr(16, 4) == "\xff\xff\xff\xff");
  CHECK(lifted.bytes.substr(40, 8) == std::string("\0\0\0\0\0\0\xf8\xbf", 8));
  CHECK(lifted.assembler.find(".balign 8\n.globl fmr_numbers_2\nfmr_numbers_2: .incbin \"t.bin\", 8, 12\n") !=
        std::string::npos);
}

TEST_CASE("everything else stays as it is") {
  for (const char* text :
       {"static const unsigned t[2] = {1, 2};\n", "static const unsigned t[3] = {1, 2, x};\n",
        "static const unsigned t[3] = {1, 2};\n", "static const unsigned t[3] = {1, 2, 3, 4};\n",
        "static const unsigned t[3] = {1, 2, 4294967296};\n", "static const FmrSample s[3] = {{1}, {2}, {3}};\n",
        "static const unsigned *const t[3] = {0, 0, 0};\n", "static const unsigned t[3] = {1, 2, 3",
        " static const unsigned t[3] = {1, 2, 3};\n", "static const double pi = 3;\nint t[3] = {1, 2, 3};\n"}) {
    LiftedTables lifted;
    INFO(text);
    CHECK(lift(text, lifted) == text);
    CHECK(lifted.count == 0);
    CHECK(lifted.bytes.empty());
  }
}

}  // namespace
}  // namespace fmugen::fmu
