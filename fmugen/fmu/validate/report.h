// What was found in an FMU.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "fmugen/fmu/validate/rules.h"

namespace fmugen::fmu::validate {

// Where in the FMU: an entry of the archive, a line in it, and the variable concerned. All may be unknown.
struct Place {
  std::string entry;
  int line = 0;
  std::string variable;
};

struct Finding {
  Rule rule;
  Place place;
  std::string text;  // what is wrong here: lower case, names in single quotes, no full stop
};

struct Report {
  static constexpr std::size_t kMostOfARule = 20;  // further findings of a rule are counted, not kept

  // What the FMU is, as far as it could be read.
  std::string fmi_version, model_name, generation_tool;
  bool model_exchange = false, co_simulation = false;
  std::size_t variables = 0, states = 0;
  std::vector<std::string> platforms;  // sorted
  std::vector<std::string> libraries;  // that the binary for linux64 needs

  std::vector<Finding> findings;  // in the order found
  std::array<std::size_t, kRules> counts{};

  void add(Rule rule, Place place, std::string text);
  void take(const Report& description);  // what was found out about the description alone
  std::size_t count(support::Severity severity) const;
  bool has_errors() const { return count(support::Severity::Error) > 0; }
  std::size_t left_out(Rule rule) const;  // counted, not kept
};

// "ball.fmu: ..." with the findings grouped by severity, and a line that sums up.
void print_text(std::ostream& out, const std::string& file, const Report& report);
void print_json(std::ostream& out, const std::string& file, const Report& report);

}  // namespace fmugen::fmu::validate
