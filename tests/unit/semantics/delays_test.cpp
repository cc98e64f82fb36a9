// Delays in flat equations: those by nothing vanish, impossible ones are refused.
#include <catch2/catch.hpp>

#include "tests/support/flattening.h"

using fmugen::equations::Frozen;
using fmugen::testing::flatten;

namespace {
std::string equations_of(const std::string& body) {
  const auto flat = flatten("model m\n" + body + "\nend\n");
  return flat.model ? flat.equation_text() : flat.messages;
}
}  // namespace

TEST_CASE("a delay by zero is none") {
  CHECK(equations_of("local x, y\nx = time\ny = delay(x, 0)") == "x = time\ny = x\n");
  CHECK(equations_of("parameter T = 0\nlocal x, y\nx = time\ny = delay(2*x, 3*T)") == "x = time\ny = 2*x\n");
  CHECK(equations_of("parameter T = 0\nlocal x, y\nx = time\ny = delay(delay(x, T) + x, 1)") ==
        "x = time\ny = delay(2*x, 1)\n");
  CHECK(equations_of("parameter T = 2\nlocal x, y\nx = time\ny = delay(x, T)") == "x = time\ny = delay(x, T)\n");
}

TEST_CASE("a zero that removes a delay is fixed, any other duration is settable") {
  const auto flat =
      flatten("model m\nparameter T = 0, U = 1\nlocal x, y\nx = time\ny = delay(x, T) + delay(x, U)\nend\n");
  REQUIRE(flat.model);
  CHECK(flat.variable("T").frozen == Frozen::ZeroParameter);
  CHECK(flat.variable("U").frozen == Frozen::No);
}

TEST_CASE("durations that cannot be") {
  const char* const negative = "a delay cannot be negative: nothing is known of the future";
  const char* const unlimited = "how long is the delay at most? It is no parameter";
  CHECK_THAT(equations_of("local x\nx = delay(time, -1)"), Catch::Contains(negative));
  CHECK_THAT(equations_of("parameter T = -1\nlocal x\nx = delay(time, T)"), Catch::Contains(negative));
  CHECK_THAT(equations_of("local x, y\nx = time\ny = delay(x, x)"), Catch::Contains(unlimited));
  CHECK_THAT(equations_of("local x\nx = delay(time, time)"), Catch::Contains(unlimited));
  CHECK(equations_of("parameter U = 3\nlocal x, y\nx = time\ny = delay(x, x, U)") == "x = time\ny = delay(x, x, U)\n");
}
