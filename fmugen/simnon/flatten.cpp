// The steps from texts to the flat model, in order.
#include "fmugen/simnon/flatten.h"

#include <charconv>
#include <cmath>

#include "fmugen/simnon/order.h"
#include "fmugen/simnon/parser.h"
#include "fmugen/simnon/translate.h"

namespace fmugen::simnon {

namespace {

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const char *first = text.data(), *last = text.data() + text.size();
  if (first != last && *first == '+') ++first;
  const auto [rest, problem] = std::from_chars(first, last, value);
  if (problem != std::errc() || rest != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Parameters and states that a name on the command line may mean.
std::vector<std::pair<const Table*, const Entity*>> meanings(const std::vector<Table>& tables,
                                                             const std::string& name) {
  std::string system, variable = name;
  if (const std::size_t open = name.find('['); open != std::string::npos && name.back() == ']') {
    system = name.substr(open + 1, name.size() - open - 2);
    variable = name.substr(0, open);
  } else if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
    system = name.substr(0, dot);
    variable = name.substr(dot + 1);
  }
  std::vector<std::pair<const Table*, const Entity*>> found;
  for (const Table& t : tables) {
    if (!system.empty() && t.system->name.text != system) continue;
    const Entity* e = t.find(variable);
    if (e && (e->role == Role::Parameter || (e->role == Role::State && !e->initial))) found.emplace_back(&t, e);
  }
  return found;
}

std::map<const Entity*, double> read_settings(const std::vector<Table>& tables, const FlattenOptions& options,
                                              support::Diagnostics& diagnostics) {
  std::map<const Entity*, double> values;
  for (const auto& [name, text] : options.settings) {
    const auto found = meanings(tables, name);
    if (found.empty()) {
      std::vector<std::string> names;
      for (const Table& t : tables)
        for (const Entity& e : t.entities)
          if (e.role == Role::Parameter || e.role == Role::State)
            names.push_back(t.system->name.text + "." + e.name.text);
      auto& error = diagnostics.error({}, "--set: there is no parameter and no initial value '" + name + "'");
      if (const std::string near = support::nearest_name(name, names); !near.empty())
        error.remark("did you mean '" + near + "'?");
      continue;
    }
    if (found.size() > 1) {
      auto& error = diagnostics.error({}, "--set: several systems have '" + name + "'");
      for (const auto& [t, e] : found)
        error.remark(e->name.where, "one is '" + t->system->name.text + "." + e->name.text + "'");
      continue;
    }
    const auto value = number_of(text);
    if (!value)
      diagnostics.error({}, "--set " + name + ": a number is expected, not '" + text + "'");
    else
      values[found.front().second] = *value;
  }
  return values;
}

}  // namespace

std::optional<equations::FlatModel> flatten_texts(const std::vector<std::uint32_t>& texts,
                                                  const FlattenOptions& options, support::Sources& sources,
                                                  support::Diagnostics& diagnostics) {
  std::vector<System> systems;
  std::optional<Experiment> experiment;
  for (const std::uint32_t text : texts) {
    File file = parse(sources, text, diagnostics);  // from here on: the lines follow the grammar
    for (System& s : file.systems) systems.push_back(std::move(s));
    if (file.experiment && experiment)
      diagnostics.error(file.experiment->where, "a second SIMU").remark(experiment->where, "the first is here");
    if (file.experiment) experiment = file.experiment;
  }
  if (systems.empty() && !diagnostics.has_errors() && !texts.empty())
    diagnostics.error({texts.back(), 0, 0}, "there is no system in the file");
  if (diagnostics.has_errors()) return std::nullopt;
  const std::vector<Table> tables = make_tables(systems, diagnostics);  // every variable is known for what it is
  if (diagnostics.has_errors()) return std::nullopt;
  const auto settings = read_settings(tables, options, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  auto model = translate(tables, settings, sources, diagnostics);  // assignments are equations
  if (diagnostics.has_errors()) return std::nullopt;
  report_order(tables, options.order, diagnostics);
  if (experiment) {
    model.experiment.start = experiment->start;
    model.experiment.stop = experiment->stop;
    model.experiment.step = experiment->increment;
    model.experiment.given = true;
  }
  return model;
}

std::optional<equations::FlatModel> flatten(const std::vector<std::string>& files, const FlattenOptions& options,
                                            support::Sources& sources, support::Diagnostics& diagnostics) {
  std::vector<std::uint32_t> texts;
  for (const std::string& file : files) {
    std::string reason;
    if (const auto text = sources.read(file, reason))
      texts.push_back(*text);
    else
      diagnostics.error({}, "cannot read '" + file + "': " + reason);
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return flatten_texts(texts, options, sources, diagnostics);
}

}  // namespace fmugen::simnon
