// One page that needs nothing else: description, interface, parameters, all variables, cuts, equations, options.
// Tables beyond kLongTable rows and texts beyond kLongText characters are cut off, with a remark, so that the page of a
// large model can still be opened.
#include "fmugen/fmu/documentation.h"

#include <charconv>

namespace fmugen::fmu {

namespace {

constexpr std::size_t kLongTable = 5000;
constexpr std::size_t kLongText = 1000000;

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string text_of(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

std::string start_text(const Variable& x) {
  if (!x.start) return {};
  if (const auto* real = std::get_if<double>(&*x.start)) return text_of(*real);
  if (const auto* boolean = std::get_if<bool>(&*x.start)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int32_t>(&*x.start)) return std::to_string(*integer);
  return std::get<std::string>(*x.start);
}

const char* causality_text(Causality c) {
  switch (c) {
    case Causality::Parameter: return "parameter";
    case Causality::CalculatedParameter: return "calculated parameter";
    case Causality::Input: return "input";
    case Causality::Output: return "output";
    case Causality::Local: return "local";
    case Causality::Independent: return "independent";
  }
  return "";
}

const char* variability_text(Variability v) {
  switch (v) {
    case Variability::Constant: return "constant";
    case Variability::Fixed: return "fixed";
    case Variability::Tunable: return "tunable";
    case Variability::Discrete: return "discrete";
    case Variability::Continuous: return "continuous";
  }
  return "";
}

void cell(std::string& out, const std::string& text) { out += "<td>" + escape(text) + "</td>"; }

template <class Condition>
void table_of_variables(std::string& out, const ModelDescription& d, const char* title, Condition condition) {
  std::string rows;
  std::size_t count = 0;
  for (const Variable& x : d.variables) {
    if (!condition(x) || ++count > kLongTable) continue;
    rows += "<tr>";
    cell(rows, x.name);
    cell(rows, std::string(causality_text(x.causality)) + ", " + variability_text(x.variability));
    cell(rows, start_text(x));
    cell(rows, x.attributes.unit);
    cell(rows, x.description);
    rows += "</tr>\n";
  }
  if (count == 0) return;
  out += "<h2>" + std::string(title) + " (" + std::to_string(count) + ")</h2>\n<table>\n" +
         "<tr><th>name</th><th>kind</th><th>start</th><th>unit</th><th>description</th></tr>\n" + rows + "</table>\n";
  if (count > kLongTable)
    out += "<p>The first " + std::to_string(kLongTable) + " are shown; modelDescription.xml has all.</p>\n";
}

void write_cuts(std::string& out, const std::vector<Documentation::Cut>& cuts) {
  if (cuts.empty()) return;
  out +=
      "<h2>Cuts</h2>\n<p>Across variables of connected cuts are equal, through variables sum up to zero.</p>\n"
      "<table>\n<tr><th>cut</th><th>member</th><th>variable</th><th>kind</th></tr>\n";
  for (const auto& cut : cuts)
    for (const auto& member : cut.members) {
      out += "<tr>";
      for (const std::string& text : {cut.name, member.name, member.variable, member.kind}) cell(out, text);
      out += "</tr>\n";
    }
  out += "</table>\n";
}

void write_list(std::string& out, const char* title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  out += "<h2>" + std::string(title) + "</h2>\n<ul>\n";
  for (const std::string& item : items) out += "<li>" + escape(item) + "</li>\n";
  out += "</ul>\n";
}

// How a stranger compiles the FMU.
void write_sources(std::string& out, const ModelDescription& d, const std::vector<std::string>& units) {
  if (units.empty()) return;
  const std::string name = d.co_simulation ? d.co_simulation->model_identifier : d.model_exchange->model_identifier;
  const std::string files = units.size() == 1 ? "sources/" + units[0] : "sources/*.c";
  out += "<h2>Compiling the sources</h2>\n<p>In the folder of the unpacked FMU, with any C11 compiler:</p>\n"
         "<pre>cc -O2 -ffp-contract=off -fPIC -shared -o " + escape(name) + ".so " + files + " -lm</pre>\n";
  out += "<p>The C files directly in sources/ are those that modelDescription.xml lists; each can also be compiled for "
         "itself. No include path is needed. The FMI functions have their plain names unless FMI2_FUNCTION_PREFIX is "
         "defined: with -DFMI2_FUNCTION_PREFIX=a_ they are a_fmi2GetReal and so on, and all other names have that "
         "prefix, too, so that several FMUs can be linked into one program.</p>\n";
}

}  // namespace

std::string write_documentation(const Documentation& documentation) {
  const ModelDescription& d = *documentation.description;
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escape(d.model_name) +
      "</title>\n<style>\nbody { font-family: sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }\n"
      "table { border-collapse: collapse; }\nth, td { border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: left; "
      "}\n"
      "pre { background: #f3f5f7; padding: 1em; overflow: auto; }\n</style>\n</head>\n<body>\n<h1>" +
      escape(d.model_name) + "</h1>\n";
  if (!d.description.empty()) out += "<p>" + escape(d.description) + "</p>\n";
  out += "<p>FMU for Model Exchange and Co-Simulation (FMI 2.0), made by " + escape(d.generation_tool) + ".</p>\n";
  const auto& e = d.default_experiment;
  if (e.start_time && e.stop_time && e.tolerance && e.step_size)
    out += "<p>Default experiment: from " + text_of(*e.start_time) + " to " + text_of(*e.stop_time) + ", step " +
           text_of(*e.step_size) + ", tolerance " + text_of(*e.tolerance) + ".</p>\n";
  write_list(out, "How it was built", documentation.build_notes);
  write_sources(out, d, documentation.source_units);
  write_cuts(out, documentation.cuts);
  table_of_variables(out, d, "Inputs and outputs", [](const Variable& x) {
    return x.causality == Causality::Input || x.causality == Causality::Output;
  });
  table_of_variables(out, d, "Parameters", [](const Variable& x) {
    return x.causality == Causality::Parameter || x.causality == Causality::CalculatedParameter;
  });
  table_of_variables(out, d, "Constants", [](const Variable& x) { return x.variability == Variability::Constant; });
  table_of_variables(out, d, "Other variables", [](const Variable& x) {
    return x.causality == Causality::Local && x.variability != Variability::Constant;
  });
  out += "<h2>Equations as computed</h2>\n<pre>" + escape(documentation.equations.substr(0, kLongText)) + "</pre>\n";
  if (documentation.equations.size() > kLongText) out += "<p>Cut off here.</p>\n";
  write_list(out, "Licences of what is linked in", documentation.licences);
  return out + "</body>\n</html>\n";
}

}  // namespace fmugen::fmu
