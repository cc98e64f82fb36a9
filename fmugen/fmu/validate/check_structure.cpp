// The model structure: three lists of unknowns with what they depend on. Their content follows from the variables, so
// each is compared with the list that should be there.
//
//   Outputs          all variables with causality output
//   Derivatives      variables with the attribute 'derivative' of what is, by being there, a state
//   InitialUnknowns  outputs, states and derivatives of states with initial approx or calculated, and all calculated
//                    parameters; sorted
//
// Miniature: an output y missing in Outputs is told at the line of y, because that is where one looks.
//
// A variable that shares the value reference of a listed derivative need not be listed again. A Co-Simulation FMU may
// leave Derivatives out altogether. Some tools give 'derivative' to variables that are not derivatives of states: where
// there is a list, what is not in it is only a warning.
//
// Reference: FMI 2.0.4, section 2.2.8.
#include <string>
#include <unordered_set>

#include "fmugen/fmu/validate/model.h"
#include "fmugen/fmu/validate/schema.h"

namespace fmugen::fmu::validate {
namespace {

enum class List { Outputs, Derivatives, InitialUnknowns };
constexpr const char* kLists[] = {"Outputs", "Derivatives", "InitialUnknowns"};
const char* name_of(List list) { return kLists[static_cast<std::size_t>(list)]; }

bool not_exact(const Variable& v) { return v.initial == Initial::Approx || v.initial == Initial::Calculated; }

// Whether an unknown of the list may depend on the variable.
bool is_known(const Model& model, List list, std::size_t place) {
  const Variable& v = model.variables[place];
  if (v.causality == Causality::Input || v.causality == Causality::Independent) return true;
  return list == List::InitialUnknowns ? v.initial == Initial::Exact : bool{model.is_state[place]};
}

void check_dependencies(const Model& model, List list, const Unknown& unknown, const std::string& name,
                        Report& report) {
  const auto add = [&](Rule rule, const std::string& text) {
    report.add(rule, {kDescription, unknown.line, name}, text);
  };
  std::unordered_set<std::uint32_t> seen;
  std::uint32_t last = 0;
  bool sorted = true;
  for (const std::uint32_t index : *unknown.dependencies) {
    const Variable* v = model.variable(index);
    const std::string text = std::to_string(index);
    if (!v) {
      add(Rule::DependencyIndex,
          "depends on index " + text + ", but there are " + std::to_string(model.variables.size()) + " variables");
      continue;
    }
    if (!seen.insert(index).second) add(Rule::DependencyDuplicate, "dependency " + text + " is listed twice");
    sorted = sorted && index >= last;
    last = index;
    const bool self = index == unknown.index;
    if (self && !is_known(model, list, index - 1))
      add(Rule::DependencySelf, "depends on itself");
    else if (!is_known(model, list, index - 1))
      add(Rule::DependencyKnown, "depends on '" + std::string(v->name) + "', which is not known in " + name_of(list));
  }
  if (!sorted) add(Rule::DependencyOrder, "the dependencies are not sorted");
}

void check_kinds(List list, const Unknown& unknown, const Variable* v, const std::string& name, Report& report) {
  const auto add = [&](Rule rule, const std::string& text) {
    report.add(rule, {kDescription, unknown.line, name}, text);
  };
  if (!unknown.dependencies) return add(Rule::KindAlone, "has dependenciesKind without dependencies");
  if (unknown.dependencies->size() != unknown.kinds->size())
    add(Rule::KindLength, std::to_string(unknown.dependencies->size()) + " dependencies, but " +
                              std::to_string(unknown.kinds->size()) + " kinds");
  for (const std::string_view kind : *unknown.kinds) {
    if (list == List::InitialUnknowns && (kind == "fixed" || kind == "tunable" || kind == "discrete"))
      return add(Rule::KindInitial, "dependency kind '" + std::string(kind) + "' in InitialUnknowns");
    if (kind != "dependent" && v && v->type && v->type != Type::Real)
      return add(Rule::KindReal,
                 "dependency kind '" + std::string(kind) + "' of a variable of type " + std::string(word(*v->type)));
  }
}

// Which variables are listed; each unknown is looked at.
std::vector<bool> check_list(const Model& model, List list, const std::vector<Unknown>& unknowns, Report& report) {
  std::vector<bool> listed(model.variables.size());
  for (const Unknown& unknown : unknowns) {
    const Variable* v = model.variable(unknown.index);
    const std::string name = v ? std::string(v->name) : "";
    const Place place{kDescription, unknown.line, name};
    if (unknown.index && !v)
      report.add(Rule::StructureIndex, place,
                 "index " + std::to_string(*unknown.index) + " in " + name_of(list) + ", but there are " +
                     std::to_string(model.variables.size()) + " variables");
    if (v && listed[*unknown.index - 1])
      report.add(Rule::StructureDuplicate, place, std::string("is twice in ") + name_of(list));
    if (v) listed[*unknown.index - 1] = true;
    if (unknown.dependencies) check_dependencies(model, list, unknown, name, report);
    if (unknown.kinds) check_kinds(list, unknown, v, name, report);
  }
  return listed;
}

void check_outputs(const Model& model, Report& report) {
  const std::vector<bool> listed = check_list(model, List::Outputs, model.outputs, report);
  for (const Unknown& unknown : model.outputs) {
    const Variable* v = model.variable(unknown.index);
    if (v && v->causality != Causality::Output)
      report.add(Rule::StructureOutputs, {kDescription, unknown.line, std::string(v->name)},
                 "is no output, but in Outputs");
  }
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Variable& v = model.variables[i];
    if (v.causality == Causality::Output && !listed[i])
      report.add(Rule::StructureOutputs, {kDescription, v.line, std::string(v.name)},
                 "is an output, but not in Outputs");
  }
}

void check_derivatives(const Model& model, Report& report) {
  const std::vector<bool> listed = check_list(model, List::Derivatives, model.derivatives, report);
  std::unordered_set<std::uint32_t> references;
  for (const Unknown& unknown : model.derivatives) {
    const Variable* v = model.variable(unknown.index);
    if (!v) continue;
    if (v->value_reference) references.insert(*v->value_reference);
    const Place place{kDescription, unknown.line, std::string(v->name)};
    const Variable* state = model.variable(v->derivative);
    if (!v->has_derivative)
      report.add(Rule::StructureDerivatives, place, "is in Derivatives, but has no attribute 'derivative'");
    else if (state && !state->is_state_candidate())
      report.add(Rule::StructureDerivatives, place,
                 "is in Derivatives, but '" + std::string(state->name) +
                     "' cannot be a state: it is no continuous local or output");
  }
  if (!model.model_exchange && !model.lists_derivatives) return;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Variable& v = model.variables[i];
    const Variable* state = model.variable(v.derivative);
    if (listed[i] || !state || !v.is_state_candidate() || !state->is_state_candidate()) continue;
    if (v.value_reference && references.count(*v.value_reference) > 0) continue;
    report.add(model.lists_derivatives ? Rule::StructureUnlisted : Rule::StructureDerivatives,
               {kDescription, v.line, std::string(v.name)},
               "is the derivative of '" + std::string(state->name) + "', but not in Derivatives");
  }
}

void check_initial_unknowns(const Model& model, Report& report) {
  const std::vector<bool> listed = check_list(model, List::InitialUnknowns, model.initial_unknowns, report);
  std::vector<bool> wanted(model.variables.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Variable& v = model.variables[i];
    const bool unknown = v.causality == Causality::Output || model.is_state[i];
    wanted[i] = v.causality == Causality::CalculatedParameter || (unknown && not_exact(v));
  }
  for (const Unknown& derivative : model.derivatives)
    if (const Variable* v = model.variable(derivative.index); v && not_exact(*v)) wanted[*derivative.index - 1] = true;
  std::uint32_t last = 0;
  for (const Unknown& unknown : model.initial_unknowns) {
    const Variable* v = model.variable(unknown.index);
    if (!v) continue;
    const Place place{kDescription, unknown.line, std::string(v->name)};
    if (!wanted[*unknown.index - 1])
      report.add(Rule::StructureInitial, place, "is in InitialUnknowns, but known or of no concern at the start");
    if (*unknown.index < last)
      report.add(Rule::StructureInitialOrder, place, "comes after a variable with a larger index");
    last = *unknown.index;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Variable& v = model.variables[i];
    if (wanted[i] && !listed[i])
      report.add(Rule::StructureInitial, {kDescription, v.line, std::string(v.name)},
                 "is unknown at the start, but not in InitialUnknowns");
  }
}

}  // namespace

void check_structure(const Model& model, Report& report) {
  check_outputs(model, report);
  check_derivatives(model, report);
  check_initial_unknowns(model, report);
}

}  // namespace fmugen::fmu::validate
