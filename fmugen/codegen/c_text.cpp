// How values become C text.
//
// Numbers are written with 17 significant digits, which is enough to read the same double back, and always as a double:
// 1/2 would be 0 in C. Texts of the user go into comments and strings; neither must end early because of what they
// contain, nor hold trigraphs or bytes that a compiler objects to.
//
//   2 -> 2.0      0.1 -> 0.10000000000000001      R1.V -> R1_V      der(x) -> der_x      sin -> sin_
#include "fmugen/codegen/c_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace fmugen::codegen {

namespace {

// Keywords, functions and variables of generated code, functions of <math.h>, macros that compilers define.
constexpr std::string_view kReserved[] = {"auto",        "break",
                                          "case",        "char",
                                          "const",       "continue",
                                          "default",     "do",
                                          "double",      "else",
                                          "enum",        "extern",
                                          "float",       "for",
                                          "goto",        "if",
                                          "inline",      "int",
                                          "long",        "register",
                                          "restrict",    "return",
                                          "short",       "signed",
                                          "sizeof",      "static",
                                          "struct",      "switch",
                                          "typedef",     "union",
                                          "unsigned",    "void",
                                          "volatile",    "while",
                                          "asm",         "typeof",
                                          "linux",       "unix",
                                          "i386",        "main",
                                          "sqrt",        "exp",
                                          "log",         "log10",
                                          "sin",         "cos",
                                          "tan",         "asin",
                                          "acos",        "atan",
                                          "atan2",       "sinh",
                                          "cosh",        "tanh",
                                          "fabs",        "fmod",
                                          "floor",       "ceil",
                                          "trunc",       "pow",
                                          "isnan",       "isinf",
                                          "isfinite",    "signbit",
                                          "fpclassify",  "isnormal",
                                          "INFINITY",    "NAN",
                                          "HUGE_VAL",    "DOMAIN",
                                          "SING",        "OVERFLOW",
                                          "UNDERFLOW",   "PLOSS",
                                          "TLOSS",       "NULL",
                                          "m",           "v",
                                          "d",           "out",
                                          "n",           "kernels",
                                          "run",         "true",
                                          "false",       "bool",
                                          "abs",         "y0",
                                          "y1",          "yn",
                                          "j0",          "j1",
                                          "jn",          "gamma",
                                          "lgamma",      "tgamma",
                                          "erf",         "erfc",
                                          "remainder",   "signgam",
                                          "isgreater",   "isless",
                                          "isunordered", "isgreaterequal",
                                          "islessequal", "islessgreater",
                                          "square_of",   "cube_of",
                                          "sign_of",     "smaller_of",
                                          "larger_of"};

bool is_reserved(std::string_view name) {
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) return true;
  for (const std::string_view prefix : {"fmr_", "Fmr", "FMR_", "model_", "fn_", "FP_", "M_", "MATH_", "HUGE_", "x__"})
    if (name.starts_with(prefix)) return true;
  if (name.size() >= 2 && name[0] == 'e')  // e1, e2, ...: values used more than once
    return std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return false;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  char buffer[40];
  const int shortest = std::snprintf(buffer, sizeof buffer, "%.15g", value);
  double back = 0;
  std::from_chars(buffer, buffer + shortest, back);
  if (back != value) std::snprintf(buffer, sizeof buffer, "%.17g", value);
  std::string text = buffer;
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string c_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      char code[8];
      std::snprintf(code, sizeof code, "\\%03o", byte);
      out += code;
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string c_comment(std::string_view text) {
  std::string out = "/* ";
  for (const char c : text) {
    if ((c == '/' && out.back() == '*') || (c == '*' && out.back() == '/')) out += ' ';
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\' ? ' ' : c;
  }
  return out += " */";
}

std::string c_table(const std::string& type, const std::string& name, std::span<const std::string> elements) {
  constexpr std::size_t kWidth = 116;
  std::string out =
      "static const " + type + " " + name + "[" + std::to_string(std::max<std::size_t>(elements.size(), 1)) + "] = {";
  std::size_t line = out.size();
  if (elements.empty()) out += "0";
  for (std::size_t n = 0; n < elements.size(); ++n) {
    if (n > 0) out += ',', ++line;
    if (line + elements[n].size() + 1 > kWidth) {
      out += "\n  ";
      line = 2;
    } else if (n > 0) {
      out += ' ', ++line;
    }
    out += elements[n];
    line += elements[n].size();
  }
  return out += "};\n";
}

std::string c_table(const std::string& name, std::span<const std::uint32_t> elements) {
  std::vector<std::string> texts;
  texts.reserve(elements.size());
  for (const std::uint32_t e : elements) texts.push_back(std::to_string(e));
  return c_table("unsigned", name, texts);
}

std::string c_table(const std::string& name, std::span<const double> elements) {
  std::vector<std::string> texts;
  texts.reserve(elements.size());
  for (const double e : elements) texts.push_back(c_number(e));
  return c_table("double", name, texts);
}

std::string c_identifier(std::string_view original) {
  std::string out;
  for (const char c : original) {
    if (is_letter(c) || is_digit(c))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty() || is_digit(out[0]) || out[0] == '_') out = "x" + out;
  return is_reserved(out) ? out + '_' : out;
}

const std::string& CNames::name(std::uint32_t number, std::string_view original) {
  const auto known = names_.find(number);
  if (known != names_.end()) return known->second;
  std::string text = c_identifier(original);
  if (taken_.contains(text)) text += "_" + std::to_string(number);
  while (!taken_.insert(text).second) text += '_';
  return names_.emplace(number, std::move(text)).first->second;
}

}  // namespace fmugen::codegen
