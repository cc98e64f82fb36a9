// Problem: cuts of two components meet, one declares its pressure in "bar", the other in "kPa": are they the same kind
// of quantity, and by which factor do they differ? FMI asks the same question of every unit in a model description.
//
// Method: a recursive-descent parser over the notation of Modelica and of the FMI examples:
//
//   unit   = term { "/" factor }              a / b / c is (a / b) / c
//   term   = factor { ("." | "*") factor }
//   factor = ( symbol | "1" | "(" unit ")" ) [ ["^" | "**"] integer ]
//
// After "/" comes one factor only: "J/kg.K" would be read differently by different people and is rejected with the
// advice to write "J/(kg.K)". A symbol is first looked up as it stands and then as a prefix followed by a symbol that
// takes prefixes, so that "min" is a minute, "Pa" a pascal, "cd" a candela, and "mmol" falls to the prefix.
// Numerator and denominator of the factor are multiplied up separately and divided once: 1 km/h is 1000/3600, the
// double nearest to the true value.
//
// Miniature: "N.m/rad" = (kg.m/s2).m/rad: exponents kg 1, m 2, s -2, rad -1; factor 1; offset 0.
//
// degC and degF have an offset only where they stand alone; in "W/(m.degC)" they mean a difference of temperatures.
//
// Reference: FMI 2.0.4, section 2.2.2 (unit definitions); The International System of Units, 9th edition, tables 2..8.
#include "fmugen/support/units.h"

#include <cstdlib>
#include <cstdio>
#include <cmath>
#include <utility>
#include <vector>

#include "fmugen/support/diagnostics.h"

namespace fmugen::support {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kMostNesting = 16;    // parentheses; more is no unit
constexpr int kMostExponent = 100;  // of a base unit in the result and of a number in the text

// A named unit: exponents in the order of BaseUnit, numerator and denominator of the factor, offset.
struct NamedUnit {
  std::string_view symbol;
  std::array<int, kBaseUnits> exponents;
  double numerator;
  double denominator = 1;
  double offset = 0;
  bool takes_prefix = false;
};

constexpr bool kPrefix = true;

// kg, m, s, A, K, mol, cd, rad
constexpr NamedUnit kUnits[] = {
    // base units
    {"g", {1, 0, 0, 0, 0, 0, 0, 0}, 1, 1000, 0, kPrefix},
    {"m", {0, 1, 0, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"s", {0, 0, 1, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"A", {0, 0, 0, 1, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"K", {0, 0, 0, 0, 1, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"mol", {0, 0, 0, 0, 0, 1, 0, 0}, 1, 1, 0, kPrefix},
    {"cd", {0, 0, 0, 0, 0, 0, 1, 0}, 1, 1, 0, kPrefix},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}, 1, 1, 0, kPrefix},
    // named units of the SI
    {"sr", {0, 0, 0, 0, 0, 0, 0, 2}, 1, 1, 0, kPrefix},
    {"Hz", {0, 0, -1, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"N", {1, 1, -2, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"Pa", {1, -1, -2, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"J", {1, 2, -2, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"W", {1, 2, -3, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"C", {0, 0, 1, 1, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"V", {1, 2, -3, -1, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"F", {-1, -2, 4, 2, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"Ohm", {1, 2, -3, -2, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"ohm", {1, 2, -3, -2, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"S", {-1, -2, 3, 2, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"Wb", {1, 2, -2, -1, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"T", {1, 0, -2, -1, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"H", {1, 2, -2, -2, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"lm", {0, 0, 0, 0, 0, 0, 1, 2}, 1, 1, 0, kPrefix},
    {"lx", {0, -2, 0, 0, 0, 0, 1, 2}, 1, 1, 0, kPrefix},
    {"Bq", {0, 0, -1, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"Gy", {0, 2, -2, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"Sv", {0, 2, -2, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"kat", {0, 0, -1, 0, 0, 1, 0, 0}, 1, 1, 0, kPrefix},
    // time
    {"min", {0, 0, 1, 0, 0, 0, 0, 0}, 60},
    {"h", {0, 0, 1, 0, 0, 0, 0, 0}, 3600},
    {"d", {0, 0, 1, 0, 0, 0, 0, 0}, 86400},
    {"yr", {0, 0, 1, 0, 0, 0, 0, 0}, 31557600},
    // angle and rotation
    {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, kPi, 180},
    {"arcmin", {0, 0, 0, 0, 0, 0, 0, 1}, kPi, 10800},
    {"arcsec", {0, 0, 0, 0, 0, 0, 0, 1}, kPi, 648000},
    {"gon", {0, 0, 0, 0, 0, 0, 0, 1}, kPi, 200},
    {"rev", {0, 0, 0, 0, 0, 0, 0, 1}, 2 * kPi},
    {"rpm", {0, 0, -1, 0, 0, 0, 0, 1}, 2 * kPi, 60},
    // temperature
    {"degC", {0, 0, 0, 0, 1, 0, 0, 0}, 1, 1, 273.15},
    {"degF", {0, 0, 0, 0, 1, 0, 0, 0}, 5, 9, 459.67 * 5 / 9},
    {"degR", {0, 0, 0, 0, 1, 0, 0, 0}, 5, 9},
    // length, area, volume
    {"in", {0, 1, 0, 0, 0, 0, 0, 0}, 0.0254},
    {"ft", {0, 1, 0, 0, 0, 0, 0, 0}, 0.3048},
    {"yd", {0, 1, 0, 0, 0, 0, 0, 0}, 0.9144},
    {"mi", {0, 1, 0, 0, 0, 0, 0, 0}, 1609.344},
    {"nmi", {0, 1, 0, 0, 0, 0, 0, 0}, 1852},
    {"ha", {0, 2, 0, 0, 0, 0, 0, 0}, 10000},
    {"l", {0, 3, 0, 0, 0, 0, 0, 0}, 1, 1000, 0, kPrefix},
    {"L", {0, 3, 0, 0, 0, 0, 0, 0}, 1, 1000, 0, kPrefix},
    // speed
    {"kn", {0, 1, -1, 0, 0, 0, 0, 0}, 1852, 3600},
    {"mph", {0, 1, -1, 0, 0, 0, 0, 0}, 1609.344, 3600},
    // mass and force
    {"t", {1, 0, 0, 0, 0, 0, 0, 0}, 1000, 1, 0, kPrefix},
    {"lb", {1, 0, 0, 0, 0, 0, 0, 0}, 0.45359237},
    {"kgf", {1, 1, -2, 0, 0, 0, 0, 0}, 9.80665},
    {"lbf", {1, 1, -2, 0, 0, 0, 0, 0}, 4.4482216152605},
    // pressure
    {"bar", {1, -1, -2, 0, 0, 0, 0, 0}, 1E5, 1, 0, kPrefix},
    {"atm", {1, -1, -2, 0, 0, 0, 0, 0}, 101325},
    {"Torr", {1, -1, -2, 0, 0, 0, 0, 0}, 101325, 760},
    {"mmHg", {1, -1, -2, 0, 0, 0, 0, 0}, 133.322387415},
    {"psi", {1, -1, -2, 0, 0, 0, 0, 0}, 6894.757293168361},
    // energy and power
    {"eV", {1, 2, -2, 0, 0, 0, 0, 0}, 1.602176634E-19, 1, 0, kPrefix},
    {"cal", {1, 2, -2, 0, 0, 0, 0, 0}, 4.184, 1, 0, kPrefix},
    {"Wh", {1, 2, -2, 0, 0, 0, 0, 0}, 3600, 1, 0, kPrefix},
    {"VA", {1, 2, -3, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"var", {1, 2, -3, 0, 0, 0, 0, 0}, 1, 1, 0, kPrefix},
    {"Ah", {0, 0, 1, 1, 0, 0, 0, 0}, 3600, 1, 0, kPrefix},
    // viscosity and numbers
    {"P", {1, -1, -1, 0, 0, 0, 0, 0}, 1, 10, 0, kPrefix},
    {"%", {0, 0, 0, 0, 0, 0, 0, 0}, 1, 100},
    {"ppm", {0, 0, 0, 0, 0, 0, 0, 0}, 1, 1E6},
};

struct Prefix {
  std::string_view symbol;
  double numerator;
  double denominator = 1;  // powers of ten below one are kept as divisors: they are exact
};
constexpr Prefix kPrefixes[] = {
    {"da", 1E1}, {"y", 1, 1E24}, {"z", 1, 1E21}, {"a", 1, 1E18}, {"f", 1, 1E15}, {"p", 1, 1E12}, {"n", 1, 1E9},
    {"u", 1, 1E6}, {"m", 1, 1E3}, {"c", 1, 1E2}, {"d", 1, 1E1}, {"h", 1E2}, {"k", 1E3}, {"M", 1E6},
    {"G", 1E9}, {"T", 1E12}, {"P", 1E15}, {"E", 1E18}, {"Z", 1E21}, {"Y", 1E24},
};

const NamedUnit* find_unit(std::string_view symbol) {
  for (const NamedUnit& unit : kUnits) {
    if (unit.symbol == symbol) return &unit;
  }
  return nullptr;
}

// What the parser computes with: a Unit whose factor is still a quotient.
struct Quotient {
  std::array<int, kBaseUnits> exponents{};
  double numerator = 1;
  double denominator = 1;
  double offset = 0;

  void multiply(const Quotient& other) {
    for (std::size_t i = 0; i < kBaseUnits; ++i) exponents[i] += other.exponents[i];
    numerator *= other.numerator;
    denominator *= other.denominator;
  }
  // `power` is at most kMostExponent, so exponents cannot overflow: see UnitParser::factor.
  Quotient to_the(int power) const {
    Quotient result;
    for (std::size_t i = 0; i < kBaseUnits; ++i) result.exponents[i] = exponents[i] * power;
    const int times = power < 0 ? -power : power;
    result.numerator = std::pow(power < 0 ? denominator : numerator, times);
    result.denominator = std::pow(power < 0 ? numerator : denominator, times);
    if (power == 1) result.offset = offset;
    return result;
  }
  bool reasonable() const {
    for (int e : exponents) {
      if (e < -kMostExponent || e > kMostExponent) return false;
    }
    return std::isnormal(numerator) && std::isnormal(denominator) && std::isnormal(numerator / denominator);
  }
};

std::optional<Quotient> find_symbol(std::string_view text) {
  if (const NamedUnit* unit = find_unit(text)) {
    return Quotient{unit->exponents, unit->numerator, unit->denominator, unit->offset};
  }
  for (const Prefix& prefix : kPrefixes) {
    if (text.size() <= prefix.symbol.size() || text.substr(0, prefix.symbol.size()) != prefix.symbol) continue;
    const NamedUnit* unit = find_unit(text.substr(prefix.symbol.size()));
    if (!unit || !unit->takes_prefix) continue;
    return Quotient{unit->exponents, unit->numerator * prefix.numerator, unit->denominator * prefix.denominator, 0};
  }
  return std::nullopt;
}

// The symbol most like an unknown one: with the prefixes that people use.
std::string nearest_symbol(const std::string& text) {
  std::vector<std::string> candidates;
  for (const NamedUnit& unit : kUnits) {
    candidates.emplace_back(unit.symbol);
    if (!unit.takes_prefix) continue;
    for (const char* prefix : {"k", "M", "m"}) candidates.push_back(prefix + std::string(unit.symbol));
  }
  return nearest_name(text, candidates);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class UnitParser {
 public:
  UnitParser(std::string_view text, std::string& reason) : text_(text), reason_(reason) {}

  std::optional<Quotient> parse() {
    std::optional<Quotient> result = unit(0);
    if (result && at_ < text_.size()) return fail("unexpected '" + rest().substr(0, 1) + "'" + place());
    return result;
  }

 private:
  std::nullopt_t fail(std::string words) {
    if (reason_.empty()) reason_ = std::move(words);
    return std::nullopt;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string rest() const { return std::string(text_.substr(at_)); }
  std::string place() const { return " in unit '" + std::string(text_) + "'"; }

  // unit = term { "/" factor } ;
  std::optional<Quotient> unit(int nesting) {
    std::optional<Quotient> left = term(nesting);
    if (!left) return std::nullopt;
    while (peek() == '/') {
      ++at_;
      std::optional<Quotient> right = factor(nesting);
      if (!right) return std::nullopt;
      if (peek() == '.' || peek() == '*') {
        return fail("ambiguous product after '/'" + place() + ": write parentheses, as in 'J/(kg.K)'");
      }
      left->multiply(right->to_the(-1));
      left->offset = 0;
      if (!left->reasonable()) return fail("exponent or factor out of range" + place());
    }
    return left;
  }

  // term = factor { ("." | "*") factor } ;
  std::optional<Quotient> term(int nesting) {
    std::optional<Quotient> left = factor(nesting);
    while (left && (peek() == '.' || peek() == '*')) {
      ++at_;
      std::optional<Quotient> right = factor(nesting);
      if (!right) return std::nullopt;
      left->multiply(*right);
      left->offset = 0;
      if (!left->reasonable()) return fail("exponent or factor out of range" + place());
    }
    return left;
  }

  // factor = ( symbol | "1" | "(" unit ")" ) [ ["^" | "**"] integer ] ;
  std::optional<Quotient> factor(int nesting) {
    std::optional<Quotient> base = primary(nesting);
    if (!base) return std::nullopt;
    const bool written = peek() == '^' || text_.substr(at_, 2) == "**";
    if (written) at_ += peek() == '^' ? 1 : 2;
    const bool parenthesis = written && peek() == '(';
    if (parenthesis) ++at_;
    if (!written && !is_digit(peek()) && peek() != '-' && peek() != '+') return base;
    const std::optional<int> power = integer();
    if (!power) return std::nullopt;
    if (parenthesis && peek() != ')') return fail("expected ')'" + place());
    if (parenthesis) ++at_;
    const Quotient result = base->to_the(*power);
    if (!result.reasonable()) return fail("exponent or factor out of range" + place());
    return result;
  }

  std::optional<Quotient> primary(int nesting) {
    if (peek() == '(') {
      if (nesting >= kMostNesting) return fail("too many parentheses" + place());
      ++at_;
      std::optional<Quotient> inner = unit(nesting + 1);
      if (!inner) return std::nullopt;
      if (peek() != ')') return fail("expected ')'" + place());
      ++at_;
      return inner;
    }
    std::size_t end = at_;
    if (is_digit(peek())) {
      while (end < text_.size() && is_digit(text_[end])) ++end;
      const std::string number(text_.substr(at_, end - at_));
      if (number != "1") return fail("number '" + number + "'" + place() + ": only 1 may stand for a unit");
      at_ = end;
      return Quotient{};
    }
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string name(text_.substr(at_, end - at_));
    if (name.empty()) {
      if (at_ >= text_.size()) return fail("unit symbol expected at the end of '" + std::string(text_) + "'");
      return fail("unexpected '" + rest().substr(0, 1) + "'" + place());
    }
    const std::optional<Quotient> found = find_symbol(name);
    if (!found) {
      const std::string nearest = nearest_symbol(name);
      const std::string advice = nearest.empty() ? "" : ", did you mean '" + nearest + "'?";
      return fail("unknown unit symbol '" + name + "'" + (name == text_ ? "" : place()) + advice);
    }
    at_ = end;
    return found;
  }

  // integer = ["+" | "-"] digit { digit } ;
  std::optional<int> integer() {
    const bool negative = peek() == '-';
    if (negative || peek() == '+') ++at_;
    if (!is_digit(peek())) return fail("integer exponent expected" + place()), std::nullopt;
    int value = 0;
    while (is_digit(peek())) {
      value = value * 10 + (peek() - '0');
      ++at_;
      if (value > kMostExponent) return fail("exponent or factor out of range" + place()), std::nullopt;
    }
    return negative ? -value : value;
  }

  std::string_view text_;
  std::string& reason_;
  std::size_t at_ = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string_view symbol(BaseUnit base) {
  constexpr std::string_view kSymbols[kBaseUnits] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  return kSymbols[static_cast<std::size_t>(base)];
}

std::optional<Unit> parse_unit(std::string_view text, std::string& reason) {
  reason.clear();
  text = trimmed(text);
  if (text.empty()) {
    reason = "empty unit: write '1' for a pure number";
    return std::nullopt;
  }
  const std::optional<Quotient> parsed = UnitParser(text, reason).parse();
  if (!parsed) return std::nullopt;
  return Unit{parsed->exponents, parsed->numerator / parsed->denominator, parsed->offset};
}

namespace {

// The decimal number of at most 15 digits that was meant: 3.6 for 3.5999999999999996. Factors of units are such numbers,
// but they have gone through a few roundings.
double without_noise(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", value);
  const double meant = std::strtod(text, nullptr);
  return std::abs(meant - value) <= 4e-16 * std::abs(value) ? meant : value;
}

}  // namespace

bool same_dimension(const Unit& a, const Unit& b) {
  constexpr std::size_t kRadian = static_cast<std::size_t>(BaseUnit::Radian);
  for (std::size_t i = 0; i < kBaseUnits; ++i) {
    if (i != kRadian && a.exponents[i] != b.exponents[i]) return false;
  }
  return true;
}

bool has_offset(const Unit& unit) { return unit.offset != 0; }

Conversion conversion(const Unit& from, const Unit& to) {
  if (from.factor == to.factor && from.offset == to.offset) return {};
  return {without_noise(from.factor / to.factor), without_noise((from.offset - to.offset) / to.factor)};
}

}  // namespace fmugen::support
