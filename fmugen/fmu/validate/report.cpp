// A report is read by people first: errors before warnings before notes, each with the place in the file, what is wrong
// there, the name of the rule and what to do about it. An FMU with one mistake in its generator breaks one rule ten
// thousand times; twenty of them are shown, and the rest is a number.
//
//   ball.fmu: FMI 2.0, Model Exchange and Co-Simulation, 8 variables, 2 states, linux64
//
//   errors
//     modelDescription.xml:14: variable 'h': start value 5 is above the maximum 3 [start-range]
//       -> correct one of the three
//
//   1 error, no warnings, no notes
#include "fmugen/fmu/validate/report.h"

#include <algorithm>
#include <ostream>

#include "fmugen/support/json.h"

namespace fmugen::fmu::validate {
namespace {

using support::Severity;

constexpr Severity kSeverities[] = {Severity::Error, Severity::Warning, Severity::Note};

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  return "";
}

std::string counted(std::size_t count, std::string_view what) {
  return (count == 0 ? "no" : std::to_string(count)) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ", ") + part;
  return result;
}

// Names in an FMU are somebody else's: no control characters reach the terminal.
std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return result;
}

std::string interfaces(const Report& report) {
  if (report.model_exchange && report.co_simulation) return "Model Exchange and Co-Simulation";
  if (report.model_exchange) return "Model Exchange";
  return report.co_simulation ? "Co-Simulation" : "";
}

void print_facts(std::ostream& out, const Report& report) {
  std::vector<std::string> facts;
  if (!report.fmi_version.empty()) facts.push_back("FMI " + report.fmi_version);
  if (const std::string kind = interfaces(report); !kind.empty()) facts.push_back(kind);
  if (report.variables > 0) {
    facts.push_back(counted(report.variables, "variable"));
    facts.push_back(counted(report.states, "state"));
  }
  for (const std::string& platform : report.platforms) {
    const bool needs = platform == "linux64" && !report.libraries.empty();
    facts.push_back(platform + (needs ? " (needs " + joined(report.libraries) + ")" : ""));
  }
  if (!facts.empty()) out << ": " << printable(joined(facts));
}

void print_finding(std::ostream& out, const Finding& finding) {
  const Place& place = finding.place;
  const RuleText& rule = text_of(finding.rule);
  out << "  ";
  if (!place.entry.empty()) {
    out << printable(place.entry);
    if (place.line > 0) out << ':' << place.line;
    out << ": ";
  }
  if (!place.variable.empty()) out << "variable '" << printable(place.variable) << "': ";
  out << printable(finding.text) << " [" << rule.name << "]\n";
}

void print_group(std::ostream& out, const Report& report, Severity severity) {
  out << '\n' << word(severity) << "s\n";
  for (const RuleText& rule : all_rules()) {  // findings of a rule together, the advice once
    if (rule.severity != severity || report.counts[static_cast<std::size_t>(rule.rule)] == 0) continue;
    for (const Finding& finding : report.findings)
      if (finding.rule == rule.rule) print_finding(out, finding);
    if (const std::size_t more = report.left_out(rule.rule)) out << "  and " << more << " more [" << rule.name << "]\n";
    out << "    -> " << rule.advice << '\n';
  }
}

void json_text(std::string& out, std::string_view name, std::string_view value) {
  support::append_json_string(out, name);
  out += ": ";
  support::append_json_string(out, value);
}

void json_number(std::string& out, std::string_view name, std::size_t value) {
  support::append_json_string(out, name);
  out += ": " + std::to_string(value);
}

void json_list(std::string& out, std::string_view name, const std::vector<std::string>& values) {
  support::append_json_string(out, name);
  out += ": [";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    support::append_json_string(out, values[i]);
  }
  out += ']';
}

void json_finding(std::string& out, const Finding& finding) {
  const RuleText& rule = text_of(finding.rule);
  out += "\n    {";
  json_text(out, "rule", rule.name);
  out += ", ";
  json_text(out, "severity", word(rule.severity));
  out += ", ";
  json_text(out, "entry", finding.place.entry);
  out += ", ";
  json_number(out, "line", static_cast<std::size_t>(std::max(finding.place.line, 0)));
  out += ", ";
  json_text(out, "variable", finding.place.variable);
  out += ", ";
  json_text(out, "text", finding.text);
  out += ", ";
  json_text(out, "demand", rule.demand);
  out += ", ";
  json_text(out, "advice", rule.advice);
  out += '}';
}

}  // namespace

void Report::add(Rule rule, Place place, std::string text) {
  if (++counts[static_cast<std::size_t>(rule)] > kMostOfARule) return;
  findings.push_back({rule, std::move(place), std::move(text)});
}

void Report::take(const Report& description) {
  fmi_version = description.fmi_version;
  model_name = description.model_name;
  generation_tool = description.generation_tool;
  model_exchange = description.model_exchange;
  co_simulation = description.co_simulation;
  variables = description.variables;
  states = description.states;
  findings.insert(findings.end(), description.findings.begin(), description.findings.end());
  for (std::size_t rule = 0; rule < kRules; ++rule) counts[rule] += description.counts[rule];
}

std::size_t Report::count(Severity severity) const {
  std::size_t sum = 0;
  for (const RuleText& rule : all_rules())
    if (rule.severity == severity) sum += counts[static_cast<std::size_t>(rule.rule)];
  return sum;
}

std::size_t Report::left_out(Rule rule) const {
  const std::size_t all = counts[static_cast<std::size_t>(rule)];
  return all > kMostOfARule ? all - kMostOfARule : 0;
}

void print_text(std::ostream& out, const std::string& file, const Report& report) {
  out << printable(file);
  print_facts(out, report);
  out << '\n';
  for (const Severity severity : kSeverities)
    if (report.count(severity) > 0) print_group(out, report, severity);
  out << '\n'
      << counted(report.count(Severity::Error), "error") << ", " << counted(report.count(Severity::Warning), "warning")
      << ", " << counted(report.count(Severity::Note), "note") << '\n';
}

void print_json(std::ostream& out, const std::string& file, const Report& report) {
  std::vector<std::string> kinds;
  if (report.model_exchange) kinds.push_back("ModelExchange");
  if (report.co_simulation) kinds.push_back("CoSimulation");
  std::string text = "{\n  ";
  json_text(text, "file", file);
  text += ",\n  ";
  json_text(text, "fmi_version", report.fmi_version);
  text += ",\n  ";
  json_text(text, "model", report.model_name);
  text += ",\n  ";
  json_text(text, "generation_tool", report.generation_tool);
  text += ",\n  ";
  json_list(text, "interfaces", kinds);
  text += ",\n  ";
  json_list(text, "platforms", report.platforms);
  text += ",\n  ";
  json_list(text, "libraries", report.libraries);
  for (const auto& [name, value] : {std::pair<const char*, std::size_t>{"variables", report.variables},
                                    {"states", report.states},
                                    {"errors", report.count(Severity::Error)},
                                    {"warnings", report.count(Severity::Warning)},
                                    {"notes", report.count(Severity::Note)}}) {
    text += ",\n  ";
    json_number(text, name, value);
  }
  text += ",\n  \"findings\": [";
  bool first = true;
  for (const Finding& finding : report.findings) {
    if (!first) text += ',';
    first = false;
    json_finding(text, finding);
  }
  text += report.findings.empty() ? "]\n}\n" : "\n  ]\n}\n";
  out << text;
}

}  // namespace fmugen::fmu::validate
