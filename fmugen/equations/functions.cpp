// Names, numbers of arguments and values of the built-in functions: one table, in the order of `Function`.
#include "fmugen/equations/functions.h"

#include <cmath>
#include <functional>
#include <iterator>

namespace fmugen::equations {

namespace {

struct Entry {
  Function function;
  std::string_view name;
  int arity;
};

constexpr int kTwoOrMore = -1;
constexpr Entry kFunctions[] = {
    {Function::Sqrt, "sqrt", 1},        {Function::Exp, "exp", 1},          {Function::Ln, "ln", 1},
    {Function::Log10, "log10", 1},      {Function::Sin, "sin", 1},          {Function::Cos, "cos", 1},
    {Function::Tan, "tan", 1},          {Function::Asin, "asin", 1},        {Function::Acos, "acos", 1},
    {Function::Atan, "atan", 1},        {Function::Atan2, "atan2", 2},      {Function::Sinh, "sinh", 1},
    {Function::Cosh, "cosh", 1},        {Function::Tanh, "tanh", 1},        {Function::Abs, "abs", 1},
    {Function::Sign, "sign", 1},        {Function::Int, "int", 1},          {Function::Mod, "mod", 2},
    {Function::Min, "min", kTwoOrMore}, {Function::Max, "max", kTwoOrMore}, {Function::Floor, "floor", 1},
    {Function::Ceil, "ceil", 1}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kFunctions); ++i)
    if (kFunctions[i].function != static_cast<Function>(i)) return false;
  return true;
}
static_assert(in_order());

const Entry& entry(Function f) { return kFunctions[static_cast<std::size_t>(f)]; }

// An argument that is not a number makes the result none.
template <class Better>
double extreme(std::span<const double> arguments, Better better) {
  double result = arguments[0];
  for (const double x : arguments)
    if (better(x, result) || std::isnan(x)) result = x;
  return result;
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }  // NaN stays NaN

}  // namespace

std::string_view name(Function f) { return entry(f).name; }

int arity(Function f) { return entry(f).arity; }

bool function_named(std::string_view text, Function& f) {
  if (text == "log") text = "log10";
  for (const Entry& e : kFunctions)
    if (e.name == text) {
      f = e.function;
      return true;
    }
  return false;
}

double power(double base, double exponent) { return exponent == -1 ? 1 / base : std::pow(base, exponent); }

double function_value(Function f, std::span<const double> arguments) {
  const double x = arguments[0];
  switch (f) {
    case Function::Sqrt: return std::sqrt(x);
    case Function::Exp: return std::exp(x);
    case Function::Ln: return std::log(x);
    case Function::Log10: return std::log10(x);
    case Function::Sin: return std::sin(x);
    case Function::Cos: return std::cos(x);
    case Function::Tan: return std::tan(x);
    case Function::Asin: return std::asin(x);
    case Function::Acos: return std::acos(x);
    case Function::Atan: return std::atan(x);
    case Function::Atan2: return std::atan2(x, arguments[1]);
    case Function::Sinh: return std::sinh(x);
    case Function::Cosh: return std::cosh(x);
    case Function::Tanh: return std::tanh(x);
    case Function::Abs: return std::fabs(x);
    case Function::Sign: return sign(x);
    case Function::Int: return std::trunc(x);
    case Function::Mod: return std::fmod(x, arguments[1]);
    case Function::Min: return extreme(arguments, std::less<>());
    case Function::Max: return extreme(arguments, std::greater<>());
    case Function::Floor: return std::floor(x);
    case Function::Ceil: return std::ceil(x);
  }
  return 0;
}

}  // namespace fmugen::equations
