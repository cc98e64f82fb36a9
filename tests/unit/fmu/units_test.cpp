#include "fmugen/fmu/units.h"

#include <catch2/catch.hpp>

using namespace fmugen::fmu;

TEST_CASE("every unit is defined once, in the order of first use") {
  const auto units = define_units({{"K", "degC"}, {"", ""}, {"rad/s", "rpm"}, {"K", ""}, {"K", "degC"}, {"K", "degF"}});
  REQUIRE(units.size() == 2);
  CHECK(units[0].name == "K");
  REQUIRE(units[0].display_units.size() == 2);
  CHECK(units[0].display_units[0].name == "degC");
  CHECK(units[0].display_units[0].factor == 1);
  CHECK(units[0].display_units[0].offset == -273.15);
  CHECK(units[0].display_units[1].factor == 1.8);
  CHECK(units[0].display_units[1].offset == -459.67);
  CHECK(units[1].base->exponents == std::array<int, 8>{0, 0, -1, 0, 0, 0, 0, 1});
  CHECK(units[1].display_units[0].factor == Approx(9.549296585513721));
}

TEST_CASE("the base units of common units") {
  const auto units =
      define_units({{"N.m/rad", ""}, {"km/h", ""}, {"degC", ""}, {"%", ""}, {"V.s/rad", ""}, {"1/min", ""}});
  REQUIRE(units.size() == 6);
  CHECK(units[0].base->exponents == std::array<int, 8>{1, 2, -2, 0, 0, 0, 0, -1});
  CHECK(units[1].base->factor == 1000.0 / 3600);
  CHECK(units[2].base->offset == 273.15);
  CHECK(units[3].base->factor == 0.01);
  CHECK(units[4].base->exponents == std::array<int, 8>{1, 2, -2, -1, 0, 0, 0, -1});
  CHECK(units[5].base->factor == 1.0 / 60);
}

TEST_CASE("a unit that cannot be read is only a name; display units of other dimensions are left out") {
  const auto units = define_units({{"pieces", "K"}, {"m", "s"}, {"m", "nothing"}});
  REQUIRE(units.size() == 2);
  CHECK_FALSE(units[0].base);
  CHECK(units[0].display_units.empty());
  CHECK(units[1].display_units.empty());
  CHECK(is_display_unit("rad", "deg"));
  CHECK_FALSE(is_display_unit("m", "s"));
  CHECK_FALSE(is_display_unit("", "deg"));
}
