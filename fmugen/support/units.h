// Units of measurement: from the text of a `unit` attribute to powers of the base units, a factor and an offset, as the
// unit definitions of FMI 2.0 want them (2.2.2), and the conversion between two units of the same dimension.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fmugen::support {

// The base units in the order in which FMI lists them. The radian is kept apart in the exponents, but counts as 1 when
// dimensions are compared.
enum class BaseUnit : std::size_t { Kilogram, Metre, Second, Ampere, Kelvin, Mole, Candela, Radian };
inline constexpr std::size_t kBaseUnits = 8;
std::string_view symbol(BaseUnit base);  // "kg"

struct Unit {
  std::array<int, kBaseUnits> exponents{};
  double factor = 1;  // value in base units = factor * value + offset
  double offset = 0;  // not zero only for temperatures such as degC that stand alone
  int exponent(BaseUnit base) const { return exponents[static_cast<std::size_t>(base)]; }
  friend bool operator==(const Unit&, const Unit&) = default;
};

// "N.m/rad", "m/s2", "J/(kg.K)", "degC", "%", "1". On failure nullopt and the reason in lower case, without full stop.
std::optional<Unit> parse_unit(std::string_view text, std::string& reason);

// Whether values of the two units can be compared at all: same exponents, the radian left aside.
bool same_dimension(const Unit& a, const Unit& b);

// Whether zero means something else than in base units: such values may be equated, but not added up.
bool has_offset(const Unit& unit);

// value_to = factor * value_from + offset.
struct Conversion {
  double factor = 1;
  double offset = 0;
  bool identity() const { return factor == 1 && offset == 0; }
};

// Requires same_dimension(from, to).
Conversion conversion(const Unit& from, const Unit& to);

}  // namespace fmugen::support
