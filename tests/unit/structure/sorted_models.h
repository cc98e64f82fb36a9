// Models given as text, sorted into blocks stage by stage, for the tests of stages before and after that.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "fmugen/structure/simulation_plan.h"
#include "tests/support/flattening.h"

namespace fmugen::structure {

struct Sorted {
  SimulationPlan plan;
  bool good = false;
  std::string messages;  // of errors: text, then each remark behind " | "; errors are separated by line ends

  std::vector<std::string> names(const std::vector<VarId>& variables) const {
    std::vector<std::string> found;
    for (const VarId v : variables) found.push_back(plan.system.name(v));
    return found;
  }
  std::vector<std::string> boundary(equations::VariableKind kind) const {
    std::vector<std::string> found;
    for (std::uint32_t v = 0; v < plan.system.model.variables.size(); ++v)
      if (const auto& x = plan.system.model.variables[v]; x.boundary && x.kind == kind)
        found.push_back(plan.system.name(VarId{v}));
    return found;
  }
  std::vector<std::string> inputs() const { return boundary(equations::VariableKind::Input); }
  std::vector<std::string> outputs() const { return boundary(equations::VariableKind::Output); }
  VarId variable(const std::string& name) const {
    for (std::uint32_t v = 0; v < plan.system.model.variables.size(); ++v)
      if (plan.system.name(VarId{v}) == name) return VarId{v};
    throw std::out_of_range("no variable " + name);
  }
};

// All stages up to the blocks.
inline Sorted sorted(const std::string& text, const PlanOptions& options = {}) {
  Sorted result;
  auto flat = testing::flatten(text);
  if (!flat.model) throw std::invalid_argument(flat.messages);
  support::Diagnostics diagnostics;
  SimulationPlan& plan = result.plan;
  const auto stages = [&] {
    plan.system = make_system(std::move(*flat.model));
    remove_aliases(plan.system, options.aliases, diagnostics);
    if (diagnostics.has_errors() || !decide_causality(plan.system, options, diagnostics)) return false;
    if (!check_solvable(plan.system, diagnostics)) return false;
    plan.reduction = reduce_index(plan.system, options, diagnostics);
    if (diagnostics.has_errors()) return false;
    plan.selection = select_states(plan.system, plan.reduction, options, diagnostics);
    return build_blocks(plan, options, diagnostics);
  };
  result.good = stages();
  for (const support::Diagnostic& d : diagnostics.all()) {
    if (d.severity != support::Severity::Error) continue;
    result.messages += (result.messages.empty() ? "" : "\n") + d.text;
    for (const support::Remark& remark : d.remarks) result.messages += " | " + remark.text;
  }
  return result;
}

}  // namespace fmugen::structure
