// Words used in printed flat models.
#include "fmugen/equations/print_parts.h"

#include <algorithm>

namespace fmugen::equations {

std::string_view kind_name(VariableKind kind) {
  switch (kind) {
    case VariableKind::Parameter: return "parameter";
    case VariableKind::Constant: return "constant";
    case VariableKind::Local: return "local";
    case VariableKind::Terminal: return "terminal";
    case VariableKind::Input: return "input";
    case VariableKind::Output: return "output";
    case VariableKind::Discrete: return "discrete";
  }
  return "";
}

std::string_view origin_name(OriginKind kind) {
  switch (kind) {
    case OriginKind::Equation: return "equation";
    case OriginKind::Across: return "across";
    case OriginKind::Through: return "through";
    case OriginKind::Unconnected: return "unconnected";
    case OriginKind::Default: return "default";
    case OriginKind::Declaration: return "declaration";
    case OriginKind::Auxiliary: return "auxiliary";
  }
  return "";
}

std::string_view select_name(StateSelect select) {
  switch (select) {
    case StateSelect::Never: return "never";
    case StateSelect::Avoid: return "avoid";
    case StateSelect::Default: return "default";
    case StateSelect::Prefer: return "prefer";
    case StateSelect::Always: return "always";
  }
  return "";
}

std::string_view frozen_name(Frozen frozen) {
  switch (frozen) {
    case Frozen::No: return "";
    case Frozen::Structure: return "structure";
    case Frozen::ZeroParameter: return "zero";
  }
  return "";
}

std::string_view severity_name(support::Severity severity) {
  switch (severity) {
    case support::Severity::Note: return "note";
    case support::Severity::Warning: return "warning";
    case support::Severity::Error: return "error";
  }
  return "";
}

std::string_view action_name(ActionKind kind) {
  switch (kind) {
    case ActionKind::Assign: return "assign";
    case ActionKind::Reinit: return "reinit";
    case ActionKind::Terminate: return "terminate";
    case ActionKind::Select: return "select";
  }
  return "";
}

std::string_view interpolation_name(Interpolation i) {
  switch (i) {
    case Interpolation::Linear: return "linear";
    case Interpolation::Constant: return "constant";
    case Interpolation::Cubic: return "cubic";
  }
  return "";
}

std::string_view extrapolation_name(Extrapolation e) {
  switch (e) {
    case Extrapolation::Hold: return "hold";
    case Extrapolation::Linear: return "linear";
    case Extrapolation::Error: return "error";
  }
  return "";
}

std::size_t count_parameters(const FlatModel& model) {
  return static_cast<std::size_t>(std::count_if(model.variables.begin(), model.variables.end(),
                                                [](const Variable& v) { return v.kind == VariableKind::Parameter; }));
}

}  // namespace fmugen::equations
