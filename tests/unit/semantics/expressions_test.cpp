// Expressions, arrays and calls as flat equations.
#include <catch2/catch.hpp>

#include "tests/support/flattening.h"

using fmugen::testing::flatten;

namespace {

struct Case {
  const char* body;
  const char* expected;  // equations, one a line
};

std::string in_model(const std::string& body) { return "model m\n" + body + "\nend\n"; }

}  // namespace

TEST_CASE("scalar expressions keep the form in which they were written") {
  const Case cases[] = {
      {"local x, y\nx = 2*y - 3\ny = x/3", "x = 2*y - 3\ny = x/3\n"},
      {"local x\nx = if time > 1 then 2 else 3", "x = if time > 1 then 2 else 3\n"},
      {"local x, b\nb = x > 1 and not (x < 2 or x = 3)\nx = 1", "b = x > 1 and not (x < 2 or (x = 3))\nx = 1\n"},
      {"local x\nder(x) + x' = -x**2", "2*der(x) = -x**2\n"},
      {"local x, y\nx = sqrt(y) + atan2(y, 2)\ny = min(x, 3, time)", "x = sqrt(y) + atan2(y, 2)\ny = min(x, 3, time)\n"},
      {"local x\nx = noevent(if time > 1 then 2 else 3)", "x = noevent(if time > 1 then 2 else 3)\n"},
      {"local x, y\ny = delay(x, 0.5) + delay(x, time, 2)\nx = 1", "y = delay(x, 0.5) + delay(x, time, 2)\nx = 1\n"},
  };
  for (const Case& c : cases) {
    const auto flat = flatten(in_model(c.body));
    INFO(c.body << "\n" << flat.messages);
    REQUIRE(flat.model);
    CHECK(flat.equation_text() == c.expected);
  }
}

TEST_CASE("equations between arrays hold element by element") {
  const Case cases[] = {
      {"local x[2], y[2]\nx = y\ny = 1", "x[1] = y[1]\nx[2] = y[2]\ny[1] = 1\ny[2] = 1\n"},
      {"local x[3]\nx[1:2] = 5\nx[3] = sum(x[1:2])", "x[1] = 5\nx[2] = 5\nx[3] = x[1] + x[2]\n"},
      {"parameter A[2,2] = [1, 2; 3, 4]\nlocal x[2], y[2]\ny = A*x\nx = 2*y",
       "y[1] = A[1,1]*x[1] + A[1,2]*x[2]\ny[2] = A[2,1]*x[1] + A[2,2]*x[2]\nx[1] = 2*y[1]\nx[2] = 2*y[2]\n"},
      {"local x[2], p\np = x*x\nx = time", "p = x[1]**2 + x[2]**2\nx[1] = time\nx[2] = time\n"},
      {"local A[2,2]\nA[1,:] = 1\nA[2,:] = [3, 4]", "A[1,1] = 1\nA[1,2] = 1\nA[2,1] = 3\nA[2,2] = 4\n"},
      {"local x[2]\nder(x) = -x", "der(x[1]) = -x[1]\nder(x[2]) = -x[2]\n"},
      {"local x[2]\nx = sin([1, 2]*time)", "x[1] = sin(time)\nx[2] = sin(2*time)\n"},
      {"local x[0], y\ny = sum(x) + size(x)", "y = 0\n"},
      {"local A[2,3], y\ny = size(A, 1) + 10*size(A, 2)\nA = 0", nullptr},
      {"local x[3], y\ny = max(x)\nx = time", "y = max(x[1], x[2], x[3])\nx[1] = time\nx[2] = time\nx[3] = time\n"},
  };
  for (const Case& c : cases) {
    const auto flat = flatten(in_model(c.body));
    INFO(c.body << "\n" << flat.messages);
    REQUIRE(flat.model);
    if (c.expected) CHECK(flat.equation_text() == c.expected);
  }
  CHECK(flatten(in_model("local A[2,3], y\ny = size(A, 1) + 10*size(A, 2)\nA = 0")).equations().front() == "y = 32");
}

TEST_CASE("mistakes in expressions are explained where they stand") {
  const Case cases[] = {
      {"local x[2], y\ny = x", "3:1: a scalar cannot equal a vector of 2"},
      {"local x[2]\nx = x**2", "3:5: a scalar is expected here, but this is a vector of 2"},
      {"local x, y\ny = x(3)", "3:5: unknown function 'x'"},
      {"local x\nx = \"text\"", "3:5: a text cannot be used in an expression"},
      {"local x\nx = [1, 2; 3]", "3:5: the rows of a matrix have different lengths: 2 and 1"},
      {"local x, y[2]\nx = y[3]", "3:7: index 3 of 'y' is out of range: it has 2 elements"},
      {"local x, y[2]\nx = y[1,1]", "3:5: 'y' is a vector of 2 but has 2 indices"},
      {"local x, y[2]\nx = size(y, 2)", "3:5: 'size' asks for dimension 2 of a vector of 2"},
      {"local x\nx = pre(x + 1)", "3:5: 'pre' takes a variable"},
      {"local x\nx = 1 + (if 1 + 1 then 2 else 3)", "3:13: a condition is expected here, not a number"},
  };
  for (const Case& c : cases) {
    const auto flat = flatten(in_model(c.body));
    INFO(c.body << "\n" << flat.messages);
    CHECK_FALSE(flat.model);
    CHECK(flat.first_error() == c.expected);
  }
}

TEST_CASE("nested array sums are worked out once per level") {
  std::string sum = "x";
  for (int k = 0; k < 100; ++k) sum = "(" + sum + " + x)";
  const auto flat = flatten(in_model("local x[2], y[2]\nx = time\ny = " + sum));
  REQUIRE(flat.model);
  CHECK(flat.equations().back() == "y[2] = 101*x[2]");
}
