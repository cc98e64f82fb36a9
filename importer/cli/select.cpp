// Problem: names on a command line are mistyped, and values may not fit or not be free to be set.
//
// Method: patterns are compared letter by letter; at a mismatch the last '*' takes one letter more, which needs no
// recursion. A value is read as its variable's type; which variables can be set follows from causality, variability and
// initial:
//
//   parameter, input                        yes
//   initial exact or approx                 yes, the start value
//   constant                                no: fixed when the FMU was built
//   the rest                                no: calculated by the model
//
// Reference: FMI 2.0.4, section 2.2.7.
#include "importer/cli/select.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "fmugen/support/diagnostics.h"
#include "importer/fmu/errors.h"

namespace importer::cli {

namespace {

using fmu::Causality;
using fmu::Initial;
using fmu::Rejected;
using fmu::Type;
using fmu::Variability;
using fmu::Variable;

constexpr std::size_t kMostRecorded = 1000;  // of an FMU whose variables nobody chose from

std::string hint(const fmu::ModelDescription& description, const std::string& name) {
  std::vector<std::string> names;
  for (const Variable& v : description.variables) names.push_back(v.name);
  const std::string nearest = fmugen::support::nearest_name(name, names);
  return nearest.empty() ? "; 'cutsim info' lists what there is" : "; did you mean '" + nearest + "'?";
}

bool of_interest(const Variable& v) {
  return v.causality == Causality::Input || v.causality == Causality::Output || v.state;
}

bool varies(const Variable& v) {
  return v.variability == Variability::Continuous || v.variability == Variability::Discrete ||
         v.variability == Variability::Tunable;
}

void check_settable(const fmu::ModelDescription& description, const Variable& v, const std::string& value) {
  if (v.variability == Variability::Constant) {
    const bool ours = description.generation_tool.rfind("fmugen", 0) == 0;
    throw Rejected("'" + v.name + "' is a constant, fixed when the FMU was built" +
                   (ours ? "; build it anew with 'fmugen build --set " + v.name + "=" + value + "'" : ""));
  }
  const bool settable =
      v.causality == Causality::Parameter || v.causality == Causality::Input ||
      ((v.initial == Initial::Exact || v.initial == Initial::Approx) && v.causality != Causality::Independent);
  if (!settable) throw Rejected("'" + v.name + "' is calculated by the model and cannot be set");
}

[[noreturn]] void refuse_value(const Variable& v, const std::string& value, const std::string& expected) {
  throw Rejected("'" + v.name + "' is of type " + fmu::name_of(v.type) + ": expected " + expected + ", got '" + value +
                 "'");
}

template <typename Number>
bool read_number(const std::string& text, Number& number) {
  const char* const begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

double enumeration_value(const fmu::ModelDescription& description, const Variable& v, const std::string& text) {
  int number = 0;
  if (read_number(text, number)) return number;
  std::string names;
  if (const fmu::Enumeration* e = description.enumeration(v.declared_type))
    for (const fmu::EnumerationItem& item : e->items) {
      if (item.name == text) return item.value;
      names += (names.empty() ? "" : ", ") + item.name;
    }
  refuse_value(v, text, names.empty() ? "a whole number" : "one of " + names);
}

fmu::Setting read_setting(const fmu::ModelDescription& description, const Variable& v, const std::string& text) {
  fmu::Setting setting{&v, 0.0, {}};
  switch (v.type) {
    case Type::Real:
      if (!read_number(text, setting.number) || !std::isfinite(setting.number)) refuse_value(v, text, "a number");
      break;
    case Type::Integer: {
      int number = 0;
      if (!read_number(text, number)) refuse_value(v, text, "a whole number");
      setting.number = number;
      break;
    }
    case Type::Boolean:
      if (text != "true" && text != "false" && text != "1" && text != "0") refuse_value(v, text, "true or false");
      setting.number = text == "true" || text == "1";
      break;
    case Type::Enumeration: setting.number = enumeration_value(description, v, text); break;
    case Type::String: setting.text = text; break;
  }
  return setting;
}

}  // namespace

bool matches(const std::string& pattern, const std::string& name) {
  std::size_t p = 0, n = 0, star = std::string::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Selection select_recorded(const fmu::ModelDescription& description, const std::vector<std::string>& patterns) {
  Selection result;
  std::vector<bool> used(patterns.size(), false);
  result.complete = !patterns.empty() || description.variables.size() <= kMostRecorded;
  for (const Variable& v : description.variables) {
    if (v.causality == Causality::Independent) continue;  // the first column
    bool chosen = patterns.empty() && (result.complete || of_interest(v));
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (!matches(patterns[i], v.name)) continue;
      chosen = true;
      used[i] = true;
    }
    if (chosen) result.variables.push_back(&v);
  }
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (!used[i]) throw Rejected("no variable matches '" + patterns[i] + "'" + hint(description, patterns[i]));
  return result;
}

std::vector<const Variable*> select_plotted(const Selection& recorded, bool chosen_by_user) {
  const auto choose = [&](auto&& wanted) {
    std::vector<const Variable*> chosen;
    std::set<std::pair<Type, unsigned>> seen;
    for (const Variable* v : recorded.variables)
      if (v->type != Type::String && varies(*v) && wanted(*v) && seen.insert({v->type, v->reference}).second)
        chosen.push_back(v);
    return chosen;
  };
  const auto all = [](const Variable&) { return true; };
  if (chosen_by_user) return choose(all);
  auto chosen = choose(of_interest);
  return chosen.empty() ? choose(all) : chosen;
}

std::vector<fmu::Setting> read_settings(const fmu::ModelDescription& description,
                                        const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<fmu::Setting> result;
  for (const auto& [name, value] : settings) {
    const Variable* v = description.find(name);
    if (!v) throw Rejected("there is no variable '" + name + "' in the FMU" + hint(description, name));
    check_settable(description, *v, value);
    result.push_back(read_setting(description, *v, value));
  }
  return result;
}

}  // namespace importer::cli
