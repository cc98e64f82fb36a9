#include <catch2/catch.hpp>

#include "importer/results/axis.h"
#include "importer/results/number_text.h"

using namespace importer::results;

namespace {

std::string labels(const Axis& axis) {
  std::string text;
  for (const std::string& label : axis.labels) text += (text.empty() ? "" : " ") + label;
  return text + (axis.exponent ? " E" + std::to_string(axis.exponent) : "");
}

}  // namespace

TEST_CASE("ticks are round numbers with the decimals they need") {
  struct Case {
    double low, high;
    int count;
    const char* expected;
  };
  const Case cases[] = {
      {0, 10, 8, "0 1 2 3 4 5 6 7 8 9 10"},    {0, 0.93, 5, "0.0 0.2 0.4 0.6 0.8"}, {-1, 1, 4, "-1.0 -0.5 0.0 0.5 1.0"},
      {0, 2.4e6, 4, "0.0 0.5 1.0 1.5 2.0 E6"}, {0, 4e-5, 4, "0 10 20 30 40 E-6"},   {3, 3, 3, "2 3 4"},
      {0, 0, 4, "-1.0 -0.5 0.0 0.5 1.0"},      {1, 1 + 1e-14, 2, "0.5 1.0 1.5"},
  };
  for (const Case& c : cases) CHECK(labels(make_axis(c.low, c.high, c.count, false)) == c.expected);
}

TEST_CASE("a margin keeps curves off the frame") {
  const Axis axis = make_axis(0, 10, 5, true);
  CHECK(axis.low < 0);
  CHECK(axis.high > 10);
}

TEST_CASE("an axis exists for any values") {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double most = std::numeric_limits<double>::max();
  for (const double low : {-inf, -most, -1.0, 0.0, 1e-320, 1.0, most, inf, nan})
    for (const double high : {-inf, -most, -1.0, 0.0, 1e-320, 1.0, most, inf, nan}) {
      const Axis axis = make_axis(low, high, 5, true);
      CHECK(axis.low < axis.high);
      CHECK(std::isfinite(axis.high - axis.low));
      CHECK(axis.ticks.size() == axis.labels.size());
      CHECK(axis.ticks.size() <= 50);
    }
}

TEST_CASE("numbers are written as short as possible") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1e-6) == "1e-06");
  CHECK(number_text(1.0 / 3.0) == "0.3333333333333333");
  CHECK(fixed_text(-0.001, 2) == "0.00");
  CHECK(fixed_text(-0.5, 2) == "-0.50");
}
