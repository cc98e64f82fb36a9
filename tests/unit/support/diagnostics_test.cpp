#include "fmugen/support/diagnostics.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace fmugen::support;

namespace {

template <typename Printable>
std::string printed(const Sources& sources, const Printable& what) {
  std::ostringstream out;
  print(out, sources, what);
  return out.str();
}

}  // namespace

TEST_CASE("a message shows the place, the line and a caret") {
  Sources sources;
  const std::uint32_t file = sources.add("a.dym", "model m\n  x = yy + 1\nend\n");
  Diagnostics diagnostics;
  diagnostics.error({file, 14, 16}, "'yy' is not declared");
  CHECK(printed(sources, diagnostics) ==
        "a.dym:2:7: error: 'yy' is not declared\n"
        "    x = yy + 1\n"
        "        ^~\n");
}

TEST_CASE("remarks follow their message") {
  Sources sources;
  const std::uint32_t file = sources.add("a.dym", "first\nsecond\n");
  Diagnostics diagnostics;
  diagnostics.warning({file, 6, 12}, "this is odd")
      .in("s[3].R")
      .remark({file, 0, 5}, "because of this")
      .remark("mend it");
  CHECK(printed(sources, diagnostics) ==
        "a.dym:2:1: warning: this is odd (in 's[3].R')\n"
        "  second\n"
        "  ^~~~~~\n"
        "a.dym:1:1: note: because of this\n"
        "  first\n"
        "  ^~~~~\n"
        "note: mend it\n");
}

TEST_CASE("a message without a place is its text alone") {
  Diagnostics diagnostics;
  diagnostics.note({}, "nothing to do");
  CHECK(printed({}, diagnostics) == "note: nothing to do\n");
}

TEST_CASE("carets stand below what they mean") {
  Sources sources;
  Diagnostics diagnostics;
  SECTION("tabs are copied") {
    const std::uint32_t file = sources.add("a.dym", "\tx\ty\n");
    diagnostics.error({file, 3, 4}, "here");
    CHECK(printed(sources, diagnostics) == "a.dym:1:4: error: here\n  \tx\ty\n  \t \t^\n");
  }
  SECTION("a range of several lines is marked to the end of the first") {
    const std::uint32_t file = sources.add("a.dym", "abc\ndef\n");
    diagnostics.error({file, 1, 6}, "here");
    CHECK(printed(sources, diagnostics) == "a.dym:1:2: error: here\n  abc\n   ^~\n");
  }
  SECTION("the end of the text") {
    const std::uint32_t file = sources.add("a.dym", "abc");
    diagnostics.error({file, 3, 3}, "here");
    CHECK(printed(sources, diagnostics) == "a.dym:1:4: error: here\n  abc\n     ^\n");
  }
  SECTION("an empty text") {
    const std::uint32_t file = sources.add("a.dym", "");
    diagnostics.error({file, 0, 0}, "here");
    CHECK(printed(sources, diagnostics) == "a.dym:1:1: error: here\n  \n  ^\n");
  }
}

TEST_CASE("a long line is shown around the place, and control characters are not sent to the terminal") {
  Sources sources;
  const std::string before(300, 'a'), after(300, 'b');
  const std::uint32_t file = sources.add("m.dym", before + "!" + after + "\nx = \x1b[2J\x7f");
  Diagnostics diagnostics;
  diagnostics.error({file, 300, 301}, "here");
  diagnostics.error({file, 602, 603}, "there");
  std::ostringstream out;
  print(out, sources, diagnostics);
  CHECK(out.str() == "m.dym:1:301: error: here\n  ..." + std::string(60, 'a') + "!" + std::string(99, 'b') + "...\n  " +
                         std::string(63, ' ') + "^\nm.dym:2:1: error: there\n  x = ?[2J?\n  ^\n");
}

TEST_CASE("errors beyond the limit are counted, not kept") {
  Diagnostics diagnostics;
  for (int i = 0; i < 25; ++i) diagnostics.error({}, "e").remark("r");
  CHECK(diagnostics.errors() == 25);
  CHECK(diagnostics.size() == Diagnostics::kMostErrors);
  CHECK(diagnostics.full());
  const std::string text = printed({}, diagnostics);
  const std::string end = "error: 5 further errors are not shown\n";
  CHECK(text.substr(text.size() - end.size()) == end);
}

TEST_CASE("only errors are errors") {
  Diagnostics diagnostics;
  diagnostics.warning({}, "w");
  diagnostics.note({}, "n");
  CHECK_FALSE(diagnostics.has_errors());
  diagnostics.error({}, "e");
  CHECK(diagnostics.has_errors());
  diagnostics.truncate(1);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(diagnostics.size() == 1);
}

TEST_CASE("the nearest name") {
  struct {
    const char* name;
    std::vector<std::string> candidates;
    const char* expected;
  } const table[] = {
      {"resistro", {"capacitor", "resistor"}, "resistor"},  // neighbours exchanged
      {"Line", {"line", "lines"}, "line"},                  // case only
      {"valtage", {"voltage", "village"}, "voltage"},
      {"x", {"y", "z"}, ""},   // every letter is near to every other
      {"v", {"V", "w"}, "V"},  // but a change of case is a hint
      {"abc", {"xyz"}, ""},
      {"abc", {"abd", "abb"}, "abb"},  // equally near: the first in the alphabet
      {"abc", {}, ""},
      {"abc", {"abc", ""}, ""},
  };
  for (const auto& row : table) {
    CAPTURE(row.name);
    CHECK(nearest_name(row.name, row.candidates) == row.expected);
  }
}
