#include "fmugen/fmu/picture.h"

#include <catch2/catch.hpp>

namespace fmugen::fmu {
namespace {

TEST_CASE("an icon is a PNG of fixed size") {
  const std::string png = draw_icon({"motorload", 2, 1});
  CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  CHECK(png.substr(12, 4) == "IHDR");
  CHECK(png.substr(16, 8) == std::string("\0\0\0\xc0\0\0\0\x90", 8));  // 192 x 144
  CHECK(png.substr(png.size() - 8) == "IEND\xae\x42\x60\x82");
}

TEST_CASE("icons differ by what they show, and long names are no problem") {
  CHECK(draw_icon({"a", 0, 0}) != draw_icon({"b", 0, 0}));
  CHECK(draw_icon({"a", 1, 0}) != draw_icon({"a", 0, 1}));
  CHECK(draw_icon({std::string(1000, 'x'), 1000, 1000}).size() == draw_icon({"", 0, 0}).size());
}

}  // namespace
}  // namespace fmugen::fmu
