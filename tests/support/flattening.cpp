#include "tests/support/flattening.h"

#include <sstream>
#include <stdexcept>

#include "fmugen/equations/print.h"
#include "fmugen/support/diagnostics.h"

namespace fmugen::testing {

std::vector<std::string> Flattened::equations() const {
  std::vector<std::string> texts;
  if (!model) return texts;
  const equations::Names names = equations::names_of(*model);
  for (const auto& equation : model->equations) texts.push_back(equations::to_text(equation, names));
  return texts;
}

std::string Flattened::equation_text() const {
  std::string text;
  for (const std::string& line : equations()) text += line + "\n";
  return text;
}

const equations::Variable& Flattened::variable(const std::string& name) const {
  if (model)
    for (std::uint32_t v = 0; v < model->variables.size(); ++v)
      if (model->name_of(equations::VarId{v}) == name) return model->variables[v];
  throw std::out_of_range("no variable " + name);
}

std::string Flattened::first_error() const {
  std::istringstream lines(messages);
  const std::string mark = ": error: ";
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find(mark); at != std::string::npos && line.rfind("m.dym:", 0) == 0)
      return line.substr(6, at - 6) + ": " + line.substr(at + mark.size());
  return {};
}

Flattened flatten(const std::string& text, const semantics::FlattenOptions& options) {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  Flattened result;
  const std::uint32_t source = sources.add("m.dym", text);
  result.model = semantics::flatten_text(source, options, sources, symbols, diagnostics);
  std::ostringstream messages;
  support::print(messages, sources, diagnostics);
  result.messages = messages.str();
  return result;
}

}  // namespace fmugen::testing
