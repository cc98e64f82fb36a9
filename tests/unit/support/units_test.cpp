#include "fmugen/support/units.h"

#include <catch2/catch.hpp>
#include <string>

using namespace fmugen::support;

namespace {

struct Parsed {
  const char* text;
  std::array<int, kBaseUnits> exponents;  // kg m s A K mol cd rad
  double factor;
  double offset;
};

Unit unit(const std::string& text) {
  std::string reason;
  const std::optional<Unit> parsed = parse_unit(text, reason);
  INFO(text << ": " << reason);
  REQUIRE(parsed);
  CHECK(reason.empty());
  return *parsed;
}

std::string reason_for(const std::string& text) {
  std::string reason;
  CHECK_FALSE(parse_unit(text, reason));
  return reason;
}

constexpr double kPi = 3.14159265358979323846;

}  // namespace

TEST_CASE("units are parsed to exponents, factor and offset") {
  const Parsed cases[] = {
      {"1", {0, 0, 0, 0, 0, 0, 0, 0}, 1, 0},
      {"%", {0, 0, 0, 0, 0, 0, 0, 0}, 0.01, 0},
      {"kg", {1, 0, 0, 0, 0, 0, 0, 0}, 1, 0},
      {"g", {1, 0, 0, 0, 0, 0, 0, 0}, 1E-3, 0},
      {"t", {1, 0, 0, 0, 0, 0, 0, 0}, 1E3, 0},
      {"m", {0, 1, 0, 0, 0, 0, 0, 0}, 1, 0},
      {"mm", {0, 1, 0, 0, 0, 0, 0, 0}, 1E-3, 0},
      {"m2", {0, 2, 0, 0, 0, 0, 0, 0}, 1, 0},
      {"cm2", {0, 2, 0, 0, 0, 0, 0, 0}, 1E-4, 0},
      {"l", {0, 3, 0, 0, 0, 0, 0, 0}, 1E-3, 0},
      {"ml", {0, 3, 0, 0, 0, 0, 0, 0}, 1E-6, 0},
      {"m/s2", {0, 1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"m/s^2", {0, 1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"m/s**2", {0, 1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"m.s-2", {0, 1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"m*s^(-2)", {0, 1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"m/s/s", {0, 1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"km/h", {0, 1, -1, 0, 0, 0, 0, 0}, 1000.0 / 3600.0, 0},
      {"1/s", {0, 0, -1, 0, 0, 0, 0, 0}, 1, 0},
      {"Hz", {0, 0, -1, 0, 0, 0, 0, 0}, 1, 0},
      {"kHz", {0, 0, -1, 0, 0, 0, 0, 0}, 1E3, 0},
      {"min", {0, 0, 1, 0, 0, 0, 0, 0}, 60, 0},
      {"h", {0, 0, 1, 0, 0, 0, 0, 0}, 3600, 0},
      {"d", {0, 0, 1, 0, 0, 0, 0, 0}, 86400, 0},
      {"kg.m2", {1, 2, 0, 0, 0, 0, 0, 0}, 1, 0},
      {"N", {1, 1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"N.m", {1, 2, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"N.m/rad", {1, 2, -2, 0, 0, 0, 0, -1}, 1, 0},
      {"N.m.s/rad", {1, 2, -1, 0, 0, 0, 0, -1}, 1, 0},
      {"rad", {0, 0, 0, 0, 0, 0, 0, 1}, 1, 0},
      {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, kPi / 180, 0},
      {"rev/min", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * kPi / 60, 0},
      {"rpm", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * kPi / 60, 0},
      {"Pa", {1, -1, -2, 0, 0, 0, 0, 0}, 1, 0},
      {"hPa", {1, -1, -2, 0, 0, 0, 0, 0}, 100, 0},
      {"bar", {1, -1, -2, 0, 0, 0, 0, 0}, 1E5, 0},
      {"mbar", {1, -1, -2, 0, 0, 0, 0, 0}, 100, 0},
      {"atm", {1, -1, -2, 0, 0, 0, 0, 0}, 101325, 0},
      {"Torr", {1, -1, -2, 0, 0, 0, 0, 0}, 101325.0 / 760.0, 0},
      {"psi", {1, -1, -2, 0, 0, 0, 0, 0}, 6894.757293168361, 0},
      {"J/(kg.K)", {0, 2, -2, 0, -1, 0, 0, 0}, 1, 0},
      {"W/(m2.K)", {1, 0, -3, 0, -1, 0, 0, 0}, 1, 0},
      {"kW.h", {1, 2, -2, 0, 0, 0, 0, 0}, 3.6E6, 0},
      {"kWh", {1, 2, -2, 0, 0, 0, 0, 0}, 3.6E6, 0},
      {"MeV", {1, 2, -2, 0, 0, 0, 0, 0}, 1.602176634E-13, 0},
      {"W", {1, 2, -3, 0, 0, 0, 0, 0}, 1, 0},
      {"V", {1, 2, -3, -1, 0, 0, 0, 0}, 1, 0},
      {"A", {0, 0, 0, 1, 0, 0, 0, 0}, 1, 0},
      {"C", {0, 0, 1, 1, 0, 0, 0, 0}, 1, 0},
      {"Ohm", {1, 2, -3, -2, 0, 0, 0, 0}, 1, 0},
      {"kOhm", {1, 2, -3, -2, 0, 0, 0, 0}, 1E3, 0},
      {"S", {-1, -2, 3, 2, 0, 0, 0, 0}, 1, 0},
      {"F", {-1, -2, 4, 2, 0, 0, 0, 0}, 1, 0},
      {"uF", {-1, -2, 4, 2, 0, 0, 0, 0}, 1E-6, 0},
      {"H", {1, 2, -2, -2, 0, 0, 0, 0}, 1, 0},
      {"Wb", {1, 2, -2, -1, 0, 0, 0, 0}, 1, 0},
      {"T", {1, 0, -2, -1, 0, 0, 0, 0}, 1, 0},
      {"lm", {0, 0, 0, 0, 0, 0, 1, 2}, 1, 0},
      {"kmol", {0, 0, 0, 0, 0, 1, 0, 0}, 1E3, 0},
      {"mol", {0, 0, 0, 0, 0, 1, 0, 0}, 1, 0},
      {"cd", {0, 0, 0, 0, 0, 0, 1, 0}, 1, 0},
      {"K", {0, 0, 0, 0, 1, 0, 0, 0}, 1, 0},
      {"degC", {0, 0, 0, 0, 1, 0, 0, 0}, 1, 273.15},
      {"degF", {0, 0, 0, 0, 1, 0, 0, 0}, 5.0 / 9.0, 459.67 * 5 / 9},
      {"W/(m.degC)", {1, 1, -3, 0, -1, 0, 0, 0}, 1, 0},
      {"degC/s", {0, 0, -1, 0, 1, 0, 0, 0}, 1, 0},
      {"degC.s", {0, 0, 1, 0, 1, 0, 0, 0}, 1, 0},
      {"(kg.m)2", {2, 2, 0, 0, 0, 0, 0, 0}, 1, 0},
      {" m/s ", {0, 1, -1, 0, 0, 0, 0, 0}, 1, 0},
      {"daN", {1, 1, -2, 0, 0, 0, 0, 0}, 10, 0},
      {"ft", {0, 1, 0, 0, 0, 0, 0, 0}, 0.3048, 0},
  };
  for (const Parsed& expected : cases) {
    const Unit parsed = unit(expected.text);
    INFO(expected.text);
    CHECK(parsed.exponents == expected.exponents);
    CHECK(parsed.factor == Approx(expected.factor).epsilon(1E-15));
    CHECK(parsed.offset == Approx(expected.offset).epsilon(1E-15));
    CHECK(has_offset(parsed) == (expected.offset != 0));
  }
}

TEST_CASE("bad units say why") {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty unit: write '1' for a pure number"},
      {"   ", "empty unit: write '1' for a pure number"},
      {"furlong", "unknown unit symbol 'furlong'"},
      {"khz", "unknown unit symbol 'khz', did you mean 'kHz'?"},
      {"N.mm.Ohms", "unknown unit symbol 'Ohms' in unit 'N.mm.Ohms', did you mean 'Ohm'?"},
      {"J/kg.K", "ambiguous product after '/' in unit 'J/kg.K': write parentheses, as in 'J/(kg.K)'"},
      {"m/", "unit symbol expected at the end of 'm/'"},
      {"m..s", "unexpected '.' in unit 'm..s'"},
      {"m s", "unexpected ' ' in unit 'm s'"},
      {"J/(kg.K", "expected ')' in unit 'J/(kg.K'"},
      {"m)", "unexpected ')' in unit 'm)'"},
      {"m^", "integer exponent expected in unit 'm^'"},
      {"m^x", "integer exponent expected in unit 'm^x'"},
      {"m^(2", "expected ')' in unit 'm^(2'"},
      {"m^0.5", "number '5' in unit 'm^0.5': only 1 may stand for a unit"},
      {"100.m", "number '100' in unit '100.m': only 1 may stand for a unit"},
      {"m999999999999", "exponent or factor out of range in unit 'm999999999999'"},
      {"((m90)90)90", "exponent or factor out of range in unit '((m90)90)90'"},
      {"Ym90", "exponent or factor out of range in unit 'Ym90'"},
      {"kmin", "unknown unit symbol 'kmin', did you mean 'min'?"},
      {"((((((((((((((((((m))))))))))))))))))", "too many parentheses in unit '((((((((((((((((((m))))))))))))))))))'"},
  };
  for (const auto& [text, expected] : cases) CHECK(reason_for(text) == expected);
}

TEST_CASE("dimensions are compared without the radian") {
  CHECK(same_dimension(unit("bar"), unit("N/m2")));
  CHECK(same_dimension(unit("rad/s"), unit("Hz")));
  CHECK(same_dimension(unit("N.m"), unit("N.m/rad")));
  CHECK(same_dimension(unit("degC"), unit("K")));
  CHECK(same_dimension(unit("%"), unit("deg")));
  CHECK_FALSE(same_dimension(unit("V"), unit("A")));
  CHECK_FALSE(same_dimension(unit("m"), unit("1")));
}

TEST_CASE("conversion gives factor and offset") {
  struct Case {
    const char *from, *to;
    double value, expected;
  };
  const Case cases[] = {
      {"km/h", "m/s", 36, 10},       {"m/s", "km/h", 10, 36},   {"bar", "kPa", 1, 100},     {"degC", "K", 20, 293.15},
      {"K", "degC", 293.15, 20},     {"degF", "degC", 212, 100}, {"degC", "degF", 37, 98.6},
      {"rpm", "rad/s", 60, 2 * kPi},
      {"kWh", "MJ", 1, 3.6},         {"l/min", "m3/s", 60, 1E-3}, {"%", "1", 50, 0.5},       {"deg", "rad", 180, kPi},
  };
  for (const Case& c : cases) {
    const Conversion k = conversion(unit(c.from), unit(c.to));
    INFO(c.from << " to " << c.to);
    CHECK(k.factor * c.value + k.offset == Approx(c.expected).epsilon(1E-14));
  }
  CHECK(conversion(unit("N.m"), unit("J")).identity());
  CHECK(conversion(unit("rad/s"), unit("Hz")).identity());
  CHECK(conversion(unit("degC"), unit("degC")).identity());
  CHECK_FALSE(conversion(unit("degC"), unit("K")).identity());
}

TEST_CASE("base units have symbols") {
  CHECK(symbol(BaseUnit::Kilogram) == "kg");
  CHECK(symbol(BaseUnit::Radian) == "rad");
  CHECK(unit("N").exponent(BaseUnit::Second) == -2);
}
