#include "importer/cli/info.h"

#include <algorithm>
#include <ostream>

#include "importer/fmu/slave.h"
#include "importer/results/number_text.h"

namespace importer::cli {

namespace {

using fmu::Causality;
using fmu::Variable;

constexpr std::size_t kWidestName = 32;  // longer names push the rest of their line aside

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string experiment_text(const fmu::ModelDescription& d) {
  std::string text;
  const auto add = [&](const char* words, const std::optional<double>& value) {
    if (value) text += (text.empty() ? "" : ", ") + std::string(words) + results::number_text(*value);
  };
  add("start ", d.start_time);
  add("stop ", d.stop_time);
  add("step ", d.step_size);
  add("tolerance ", d.tolerance);
  return text.empty() ? "none proposed" : text;
}

std::string capabilities_text(const fmu::Kind& kind) {
  std::string text;
  const auto add = [&](bool has, const char* words) {
    if (has) text += (text.empty() ? "" : ", ") + std::string(words);
  };
  add(kind.needs_execution_tool, "needs its tool");
  add(kind.once_per_process, "one instance only");
  add(kind.variable_steps, "steps of any size");
  add(kind.interpolates_inputs, "derivatives of inputs");
  add(kind.output_derivatives > 0, "derivatives of outputs");
  add(kind.get_and_set_state, kind.serialize_state ? "states saved, also to files" : "states saved");
  add(kind.directional_derivatives, "directional derivatives");
  add(kind.asynchronous, "runs asynchronously");
  return text.empty() ? "no capabilities" : text;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string value_text(const Variable& v) {
  std::string text = v.start.empty() ? "" : "= " + v.start;
  if (v.type != fmu::Type::Real) text += (text.empty() ? "" : " ") + std::string("(") + fmu::name_of(v.type) + ")";
  if (!v.unit.empty()) text += (text.empty() ? "" : " ") + v.unit;
  return text;
}

template <typename Belongs>
void print_group(std::ostream& out, const char* title, const fmu::ModelDescription& d, Belongs&& belongs) {
  std::size_t names = 0, values = 0;
  bool any = false;
  for (const Variable& v : d.variables) {
    if (!belongs(v)) continue;
    any = true;
    names = std::max(names, std::min(v.name.size(), kWidestName));
    values = std::max(values, std::min(value_text(v).size(), kWidestName));
  }
  if (!any) return;
  out << '\n' << title << '\n';
  for (const Variable& v : d.variables) {
    if (!belongs(v)) continue;
    std::string line = "  " + padded(v.name, names) + "  " + padded(value_text(v), values) + "  " + v.description;
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace

void print_info(std::ostream& out, const std::string& file, const fmu::ModelDescription& d) {
  out << d.model_name << " (" << file << ")\n";
  if (!d.description.empty()) out << d.description << '\n';
  out << "FMI " << d.fmi_version;
  if (!d.generation_tool.empty()) out << ", made by " << d.generation_tool;
  out << '\n';
  if (d.co_simulation) out << "Co-Simulation: " << capabilities_text(*d.co_simulation) << '\n';
  if (d.model_exchange) out << "Model Exchange: " << capabilities_text(*d.model_exchange) << '\n';
  out << "experiment: " << experiment_text(d) << '\n';
  out << counted(d.variables.size(), "variable") << ", " << counted(d.states(), "state") << ", "
      << counted(d.event_indicators, "event indicator") << '\n';
  for (const std::string& note : d.notes) out << "note: " << note << '\n';
  const auto of = [](Causality causality) { return [=](const Variable& v) { return v.causality == causality; }; };
  print_group(out, "inputs", d, of(Causality::Input));
  print_group(out, "outputs", d, of(Causality::Output));
  print_group(out, "parameters", d, of(Causality::Parameter));
  print_group(out, "states", d, [](const Variable& v) { return v.state && v.causality == Causality::Local; });
  print_group(out, "calculated parameters", d, of(Causality::CalculatedParameter));
  print_group(out, "other variables", d, [](const Variable& v) {
    return (v.causality == Causality::Local && !v.state) || v.causality == Causality::Independent;
  });
}

ExitCode info(const Options& options, std::ostream& out) {
  fmu::Fmu fmu(options.file);
  const std::vector<std::string>& notes = fmu.files.notes();
  fmu.description.notes.insert(fmu.description.notes.begin(), notes.begin(), notes.end());
  print_info(out, options.file, fmu.description);
  return kDone;
}

}  // namespace importer::cli
