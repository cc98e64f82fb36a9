#include "fmugen/support/source.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace fmugen::support;

TEST_CASE("positions count lines and columns from one") {
  const SourceFile file("a.dym", "one\ntwo\r\n\nfour");
  const auto at = [&](std::uint32_t offset) {
    const LineColumn p = file.position(offset);
    return std::pair(p.line, p.column);
  };
  CHECK(at(0) == std::pair(1u, 1u));
  CHECK(at(3) == std::pair(1u, 4u));  // the line end belongs to its line
  CHECK(at(4) == std::pair(2u, 1u));
  CHECK(at(9) == std::pair(3u, 1u));
  CHECK(at(14) == std::pair(4u, 5u));  // behind the last character
}

TEST_CASE("lines come without their ends") {
  const SourceFile file("a.dym", "one\ntwo\r\n\nfour");
  CHECK(file.line(1) == "one");
  CHECK(file.line(2) == "two");
  CHECK(file.line(3).empty());
  CHECK(file.line(4) == "four");
  CHECK(file.line(0).empty());
  CHECK(file.line(5).empty());
  CHECK(SourceFile("b.dym", "").line(1).empty());
  CHECK(SourceFile("b.dym", "\r\n").line(1).empty());
}

TEST_CASE("a cover spans both ranges of one file") {
  const SourceRange a{0, 2, 5}, b{0, 8, 9}, other{1, 0, 3}, nowhere;
  CHECK(cover(a, b) == SourceRange{0, 2, 9});
  CHECK(cover(b, a) == SourceRange{0, 2, 9});
  CHECK(cover(a, nowhere) == a);
  CHECK(cover(nowhere, a) == a);
  CHECK(cover(a, other) == a);
  CHECK_FALSE(cover(nowhere, nowhere).known());
}

TEST_CASE("sources keep texts and describe places in them") {
  Sources sources;
  const std::uint32_t first = sources.add("first.dym", "a = 1\nb = 2\n");
  const SourceFile& kept = sources.file(first);
  for (int i = 0; i < 100; ++i) sources.add("more.dym", "x");
  CHECK(&kept == &sources.file(first));
  CHECK(sources.size() == 101);
  const SourceRange b{first, 6, 11};
  CHECK(sources.text(b) == "b = 2");
  CHECK(sources.describe(b) == "first.dym:2:1");
  CHECK(sources.describe({}) == "<unknown>");
  CHECK(sources.text({}).empty());
}

TEST_CASE("files are read byte by byte") {
  const auto path = std::filesystem::temp_directory_path() / ("source_test_" + std::to_string(::getpid()) + ".dym");
  const std::string text("a\0b\r\n\xff", 6);
  std::ofstream(path, std::ios::binary) << text;
  Sources sources;
  std::string reason;
  const auto id = sources.read(path.string(), reason);
  std::filesystem::remove(path);
  REQUIRE(id);
  CHECK(sources.file(*id).text() == text);
  CHECK(sources.file(*id).path() == path.string());
}

TEST_CASE("a file that cannot be read gives a reason") {
  Sources sources;
  std::string reason;
  CHECK_FALSE(sources.read("no/such/file.dym", reason));
  CHECK(reason == "no such file");
  CHECK_FALSE(sources.read(".", reason));
  CHECK(reason == "it is a folder");
  CHECK(sources.size() == 0);
}
