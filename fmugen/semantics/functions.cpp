// Tables and functions of a model.
//
// A table of two columns is a function of one argument; a wider one has the second argument in its first row and the
// first argument in its first column, with the corner unused. A function becomes a list of steps over its own variables,
// numbered arguments first, then results, then locals.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

namespace {

constexpr std::size_t kDeepestCalls = 100;  // of functions that call functions, while they are read

using Grid = std::vector<std::vector<double>>;

std::optional<Grid> inline_grid(Elaboration& e, const syntax::Table& table, Context& context) {
  Grid grid;
  for (const auto& row : table.rows) {
    grid.emplace_back();
    for (const syntax::Expression& cell : row) {
      Context here = context;
      here.implicit = here.names_outside = false;
      const Expr value = elaborate_scalar(e, cell, here);
      if (!value) return std::nullopt;
      const auto number = constant_value(e, value);
      if (!number || !std::isfinite(*number)) {
        e.error(cell.where, "a table holds numbers", context.instance);
        return std::nullopt;
      }
      grid.back().push_back(*number);
    }
  }
  return grid;
}

// One line of a table file: numbers separated by commas, semicolons, blanks or tabs.
bool read_line(std::string_view line, std::vector<double>& row) {
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t' || line[at] == ',' || line[at] == ';' || line[at] == '\r'))
      ++at;
    if (at >= line.size()) return true;
    if (line[at] == '+') ++at;
    double value = 0;
    const auto [end, failure] = std::from_chars(line.data() + at, line.data() + line.size(), value);
    if (failure != std::errc() || !std::isfinite(value)) return false;
    row.push_back(value);
    at = static_cast<std::size_t>(end - line.data());
    if (at < line.size() && std::string_view(" \t,;\r").find(line[at]) == std::string_view::npos) return false;
  }
}

std::optional<Grid> file_grid(Elaboration& e, const syntax::Table& table, Context& context, std::string& path) {
  namespace fs = std::filesystem;
  path = (fs::path(context.scope->file->path).parent_path() / table.file).string();
  std::string reason;
  const auto source = e.program.sources().read(path, reason);
  if (!source) {
    e.error(table.file_where, "cannot read '" + path + "': " + reason, context.instance);
    return std::nullopt;
  }
  Grid grid;
  const std::string& text = e.program.sources().file(*source).text();
  std::size_t begin = 0;
  bool first = true;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    std::vector<double> row;
    const bool numbers = read_line(line, row);
    const bool comment = !line.empty() && line[0] == '#';
    if (!numbers && !comment && !first) {
      const SourceRange where{*source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      if (Diagnostic* error = e.error(where, "a line of a table file holds numbers only", context.instance))
        error->remark(table.file_where, "read because of this table");
      return std::nullopt;
    }
    if (numbers && !row.empty()) grid.push_back(std::move(row));
    if (!line.empty() && !comment) first = false;  // the first line may be a heading
    begin = end + 1;
  }
  return grid;
}

template <typename Choice>
void read_choice(Elaboration& e, const syntax::Attribute& option, const std::vector<std::string>& names, Choice& into,
                 Context& context) {
  const syntax::Expression& v = option.value;
  if (v.kind == syntax::ExpressionKind::Reference && v.reference.parts.size() == 1)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (v.reference.parts[0].name.symbol.text() == names[i]) {
        into = static_cast<Choice>(i);
        return;
      }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  e.error(v.where, "'" + option.name.symbol.text() + "' is one of " + list, context.instance);
}

bool increasing(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

// ---- functions ------------------------------------------------------------------------------------------------------

struct FunctionReader {
  Elaboration& e;
  Context context;
  std::unordered_map<Symbol, std::uint32_t> names;
  equations::FunctionDefinition& definition;
  std::uint32_t arguments;

  void declare(const syntax::Name& name) {
    if (!names.emplace(name.symbol, static_cast<std::uint32_t>(definition.variables.size())).second)
      e.error(name.where, "duplicate declaration of '" + name.symbol.text() + "'", 0);
    definition.variables.push_back(name.symbol.text());
  }
  std::uint32_t variable(const syntax::Name& name) {
    const auto [there, added] = names.try_emplace(name.symbol, static_cast<std::uint32_t>(definition.variables.size()));
    if (added) definition.variables.push_back(name.symbol.text());  // an assignment declares a local
    return there->second;
  }
};

// Names that assignments declare must be known before expressions are read.
void collect_locals(FunctionReader& r, const std::vector<syntax::FunctionStatement>& body) {
  for (const syntax::FunctionStatement& s : body) {
    if (s.kind == syntax::FunctionStatementKind::Assign) r.variable(s.target.parts[0].name);
    if (s.kind == syntax::FunctionStatementKind::For) r.variable(s.variable);
    collect_locals(r, s.body);
    for (const syntax::FunctionBranch& branch : s.branches) collect_locals(r, branch.body);
  }
}

std::vector<equations::FunctionStep> read_steps(FunctionReader& r, const std::vector<syntax::FunctionStatement>& body) {
  std::vector<equations::FunctionStep> steps;
  for (const syntax::FunctionStatement& s : body) {
    equations::FunctionStep step;
    step.where = s.where;
    step.kind = static_cast<equations::FunctionStepKind>(s.kind);
    switch (s.kind) {
      case syntax::FunctionStatementKind::Assign:
        if (s.target.parts.size() != 1 || !s.target.parts[0].subscripts.empty()) {
          r.e.error(s.target.where, "a function assigns to plain variables", 0);
          continue;
        }
        step.target = r.variable(s.target.parts[0].name);
        if (step.target < r.arguments)
          r.e.error(s.target.where, "an argument of a function cannot be assigned", 0);
        step.value = elaborate_scalar(r.e, *s.value, r.context);
        break;
      case syntax::FunctionStatementKind::If:
        for (const syntax::FunctionBranch& branch : s.branches) {
          equations::FunctionChoice choice;
          if (branch.condition) choice.condition = elaborate_scalar(r.e, *branch.condition, r.context);
          choice.body = read_steps(r, branch.body);
          step.choices.push_back(std::move(choice));
        }
        break;
      case syntax::FunctionStatementKind::For:
        step.target = r.variable(s.variable);
        step.from = elaborate_scalar(r.e, *s.from, r.context);
        step.to = elaborate_scalar(r.e, *s.to, r.context);
        step.body = read_steps(r, s.body);
        break;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

bool assigns(const std::vector<equations::FunctionStep>& steps, std::uint32_t variable) {
  return std::any_of(steps.begin(), steps.end(), [&](const equations::FunctionStep& step) {
    if (step.kind == equations::FunctionStepKind::Assign && step.target == variable) return true;
    if (assigns(step.body, variable)) return true;
    return std::any_of(step.choices.begin(), step.choices.end(),
                       [&](const equations::FunctionChoice& choice) { return assigns(choice.body, variable); });
  });
}

}  // namespace

std::uint32_t declare_table(Elaboration& e, const syntax::Table& table, std::uint32_t instance, Context& context) {
  equations::TableData data;
  data.name = table.name.symbol.text();
  if (const std::string path = e.path(instance); !path.empty()) data.name = path + "." + data.name;
  data.where = table.name.where;
  for (const syntax::Attribute& option : table.options) {
    const std::string& name = option.name.symbol.text();
    if (name == "interpolation")
      read_choice(e, option, {"linear", "constant", "cubic"}, data.interpolation, context);
    else if (name == "extrapolation")
      read_choice(e, option, {"hold", "linear", "error"}, data.extrapolation, context);
    else
      e.error(option.name.where, "unknown option '" + name + "' of a table: there are interpolation and extrapolation",
              context.instance);
  }
  std::string path;
  const auto grid = table.file.empty() ? inline_grid(e, table, context) : file_grid(e, table, context, path);
  data.file = path;
  const auto id = static_cast<std::uint32_t>(e.model.tables.size());
  const auto fail = [&](const std::string& why) {
    e.error(table.name.where, "table '" + table.name.symbol.text() + "' " + why, context.instance);
  };
  if (!grid) {
    e.model.tables.push_back(std::move(data));
    return id;
  }
  const std::size_t columns = grid->empty() ? 0 : grid->front().size();
  const bool even = std::all_of(grid->begin(), grid->end(), [&](const auto& row) { return row.size() == columns; });
  if (!even) fail("has rows of different lengths");
  else if (columns < 2) fail("needs two columns: the argument and the value");
  else if (columns == 2) {
    for (const auto& row : *grid) {
      data.x.push_back(row[0]);
      data.values.push_back(row[1]);
    }
  } else {
    data.y.assign(grid->front().begin() + 1, grid->front().end());
    for (std::size_t r = 1; r < grid->size(); ++r) {
      data.x.push_back((*grid)[r][0]);
      data.values.insert(data.values.end(), (*grid)[r].begin() + 1, (*grid)[r].end());
    }
    if (!increasing(data.y)) fail("needs its first row increasing");
    if (data.x.empty()) fail("has no rows of values");
  }
  if (even && !increasing(data.x)) fail("needs its first column increasing");
  e.model.tables.push_back(std::move(data));
  return id;
}

std::uint32_t function_id(Elaboration& e, const Program::FoundFunction& found) {
  const syntax::Function& function = *found.function;
  if (const auto known = e.function_ids.find(&function); known != e.function_ids.end()) {
    if (e.functions_being_read.contains(&function))
      e.error(function.name.where, "recursive function '" + function.name.symbol.text() + "': it calls itself", 0);
    return known->second;
  }
  if (e.functions_being_read.size() >= kDeepestCalls)
    e.error(function.name.where, "functions call each other more than " + std::to_string(kDeepestCalls) + " levels deep", 0);
  const auto id = static_cast<std::uint32_t>(e.model.functions.size());
  e.function_ids[&function] = id;
  e.model.functions.emplace_back();
  e.functions_being_read.insert(&function);
  equations::FunctionDefinition definition;
  definition.name = function.name.symbol.text();
  definition.external = function.external;
  definition.where = function.name.where;
  definition.arguments = static_cast<std::uint32_t>(function.arguments.size());
  definition.results = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(function.results.size()));
  if (function.derivative) definition.derivative = function.derivative->symbol.text();
  FunctionReader reader{e, {}, {}, definition, definition.arguments};
  for (const syntax::Name& name : function.arguments) reader.declare(name);
  if (function.results.empty()) reader.declare(function.name);
  for (const syntax::Name& name : function.results) reader.declare(name);
  for (const syntax::Name& name : function.locals) reader.declare(name);
  if (e.functions_being_read.size() > kDeepestCalls) {
    // reported: do not read on
  } else if (function.external) {
    namespace fs = std::filesystem;
    definition.file = (fs::path(e.program.sources().file(function.name.where.file).path()).parent_path() / function.file).string();
    std::error_code ignored;
    if (!fs::exists(definition.file, ignored))
      e.error(function.file_where.known() ? function.file_where : function.name.where,
              "cannot find '" + definition.file + "' of external function '" + definition.name + "'", 0);
  } else {
    collect_locals(reader, function.body);
    reader.context = Context{0, found.scope, nullptr, false, false, {}, &reader.names, found.file};
    definition.body = read_steps(reader, function.body);
    for (std::uint32_t r = 0; r < definition.results; ++r)
      if (!assigns(definition.body, definition.arguments + r))
        e.error(function.name.where, "function '" + definition.name + "' never assigns its result '" +
                definition.variables[definition.arguments + r] + "'", 0);
  }
  e.functions_being_read.erase(&function);
  e.model.functions[id] = std::move(definition);
  return id;
}

}  // namespace fmugen::semantics
