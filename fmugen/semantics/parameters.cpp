// Values of parameters.
//
// Bindings form a graph; a value is worked out depth first with an explicit stack, so that long chains are no problem,
// and a parameter met while it is being worked out closes a circle. Where a value shapes the equations (the size of an
// array, a structural condition) every parameter it depends on is frozen: changing it later would be a different model.
#include <algorithm>
#include <cmath>

#include "fmugen/equations/evaluate.h"
#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using equations::Op;

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

// Functions and tables of the model are computed by the simulation only.
bool needs_run_time(Expr expression) {
  bool found = false;
  std::vector<Expr> work{expression};
  std::unordered_set<Expr> seen;
  while (!work.empty() && !found) {
    const Expr x = work.back();
    work.pop_back();
    if (!seen.insert(x).second) continue;
    found = x->op() == Op::UserCall || x->op() == Op::TableCall;
    for (const Expr child : x->children()) work.push_back(child);
  }
  return found;
}

double number_of(Elaboration& e, Expr expression) {
  if (expression->is_number()) return expression->number();
  equations::Values values;
  values.variable = [&](VarId v) { return e.model[v].value; };
  values.other = [](Expr) { return kNoValue; };
  return equations::evaluate(expression, values);
}

void report_circle(Elaboration& e, const std::vector<VarId>& stack, VarId closing) {
  const auto from = std::find(stack.begin(), stack.end(), closing);
  std::string names;
  for (auto v = from; v != stack.end(); ++v)
    if (e.extra[index(*v)].state == Resolution::Running) names += "'" + e.model.name_of(*v) + "' -> ";
  names += "'" + e.model.name_of(closing) + "'";
  e.error(e.extra[index(closing)].binding_where, "parameters depend on each other in a circle: " + names,
          index(e.model[closing].instance));
}

// A binding may use parameters and constants only.
bool check_dependencies(Elaboration& e, VarId v, const std::vector<VarId>& uses) {
  const equations::Variable& variable = e.model[v];
  const bool structural = variable.frozen == equations::Frozen::Structure;
  const std::string what = std::string(structural ? "structure " : "") +
                           (variable.kind == equations::VariableKind::Constant ? "constant '" : "parameter '") +
                           e.model.name_of(v) + "'";
  if (variable.binding->has_time()) {
    e.error(e.extra[index(v)].binding_where, what + " depends on time", index(variable.instance));
    return false;
  }
  for (const VarId used : uses) {
    if (is_constant(e.model[used])) continue;
    if (Diagnostic* error = e.error(e.extra[index(v)].binding_where, what + " depends on time: '" + e.model.name_of(used) +
                                    "' is no parameter", index(variable.instance)))
      error->remark(e.model[used].where, "'" + e.model.name_of(used) + "' is declared here");
    return false;
  }
  return true;
}

// Works out v and whatever it needs. False after a reported error; without any binding the value stays unknown.
bool work_out(Elaboration& e, VarId wanted) {
  std::vector<VarId> stack{wanted};
  std::vector<VarId> uses;
  while (!stack.empty()) {
    const VarId v = stack.back();
    VariableExtra& extra = e.extra[index(v)];
    equations::Variable& variable = e.model[v];
    if (extra.state == Resolution::Done || extra.state == Resolution::Failed) {
      stack.pop_back();
      continue;
    }
    if (!variable.binding && !e.pending_scalars.empty()) bind_pending(e, v);
    if (!variable.binding) {
      stack.pop_back();
      continue;
    }
    if (variable.binding->is_number()) {
      variable.value = variable.binding->number();
      extra.state = Resolution::Done;
      stack.pop_back();
      continue;
    }
    uses.clear();
    e.occurrences.variables(variable.binding, uses);
    if (extra.state == Resolution::Unresolved) {
      extra.state = check_dependencies(e, v, uses) ? Resolution::Running : Resolution::Failed;
      if (extra.state == Resolution::Failed) continue;
      bool pushed = false;
      for (const VarId used : uses) {
        if (e.extra[index(used)].state == Resolution::Running) {
          report_circle(e, stack, used);
          extra.state = Resolution::Failed;
          break;
        }
        if (!e.model[used].binding && !e.pending_scalars.empty()) bind_pending(e, used);
        if (e.extra[index(used)].state == Resolution::Unresolved && e.model[used].binding) {
          stack.push_back(used);
          pushed = true;
        }
      }
      if (pushed || extra.state == Resolution::Failed) continue;
    }
    stack.pop_back();
    bool failed = false, missing = false;
    for (const VarId used : uses) {
      failed = failed || e.extra[index(used)].state == Resolution::Failed;
      missing = missing || e.extra[index(used)].state != Resolution::Done;
    }
    if (failed || missing) {
      extra.state = failed ? Resolution::Failed : Resolution::Unresolved;
      continue;
    }
    variable.value = number_of(e, variable.binding);
    extra.state = Resolution::Done;
    if (!std::isfinite(variable.value) && !needs_run_time(variable.binding)) {
      e.error(extra.binding_where, "the value of '" + e.model.name_of(v) + "' is not a finite number",
              index(variable.instance));
      extra.state = Resolution::Failed;
    }
  }
  return e.extra[index(wanted)].state != Resolution::Failed;
}

void freeze(Elaboration& e, Expr expression) {
  std::vector<VarId> work;
  e.occurrences.variables(expression, work);
  while (!work.empty()) {
    const VarId v = work.back();
    work.pop_back();
    equations::Variable& variable = e.model[v];
    if (!is_constant(variable)) continue;
    const bool known = variable.frozen == equations::Frozen::Structure && e.extra[index(v)].frozen_through;
    if (known) continue;
    if (variable.kind == equations::VariableKind::Parameter) variable.frozen = equations::Frozen::Structure;
    e.extra[index(v)].frozen_through = true;
    if (variable.binding) e.occurrences.variables(variable.binding, work);
  }
}

}  // namespace

bool is_constant(const equations::Variable& v) {
  return v.kind == equations::VariableKind::Parameter || v.kind == equations::VariableKind::Constant;
}

bool resolve_parameter(Elaboration& e, VarId parameter) { return work_out(e, parameter); }

std::optional<double> constant_value(Elaboration& e, Expr expression) {
  if (expression->is_number()) return expression->number();
  if (expression->op() == Op::Boolean) return expression->boolean() ? 1 : 0;
  if (expression->has_time() || expression->has_der()) return std::nullopt;
  std::vector<VarId> uses;
  e.occurrences.variables(expression, uses);
  for (const VarId v : uses) {
    if (!is_constant(e.model[v]) || !work_out(e, v)) return std::nullopt;
    if (e.extra[index(v)].state != Resolution::Done) return std::nullopt;
  }
  const double value = number_of(e, expression);
  if (std::isnan(value)) return std::nullopt;
  return value;
}

std::optional<double> structural_value(Elaboration& e, const syntax::Expression& expression, Context& context,
                                       const std::string& what) {
  if (expression.kind == syntax::ExpressionKind::Number) return expression.number;
  Context here = context;
  here.implicit = here.names_outside = false;
  const std::size_t before = e.diagnostics.errors();
  const Expr value = elaborate_scalar(e, expression, here);
  if (!value) return std::nullopt;
  if (value->is_number()) return value->number();
  if (value->op() == Op::Boolean) return value->boolean() ? 1 : 0;
  freeze(e, value);
  if (const auto number = constant_value(e, value)) return number;
  if (e.diagnostics.errors() > before) return std::nullopt;
  std::vector<VarId> uses;
  e.occurrences.variables(value, uses);
  for (const VarId v : uses) {
    const equations::Variable& variable = e.model[v];
    const std::string name = "'" + e.model.name_of(v) + "'";
    if (!is_constant(variable)) {
      if (Diagnostic* error = e.error(expression.where, what + " depends on time: " + name + " is no parameter",
                                      context.instance)) {
        error->remark(variable.where, name + " is declared here");
        if (what.rfind("the condition", 0) == 0)
          error->remark("what changes while the simulation runs is written x = if ... then ... else ...");
      }
      return std::nullopt;
    }
    if (e.extra[index(v)].state == Resolution::Failed) return std::nullopt;  // reported
    if (!variable.binding) {
      if (Diagnostic* error = e.error(expression.where, what + " needs a value of " + name, context.instance))
        error->remark(variable.where, "give it here, where the submodel is declared, or with --set");
      return std::nullopt;
    }
  }
  e.error(expression.where, value->has_time() ? what + " depends on time"
                                              : what + " cannot be worked out before the simulation", context.instance);
  return std::nullopt;
}

std::optional<long> structural_integer(Elaboration& e, const syntax::Expression& expression, Context& context,
                                       const std::string& what) {
  const auto value = structural_value(e, expression, context, what);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > 1e15) {
    e.error(expression.where, what + " must be a whole number", context.instance);
    return std::nullopt;
  }
  return static_cast<long>(*value);
}

void resolve_all_parameters(Elaboration& e) {
  for (std::uint32_t v = 0; v < e.model.variables.size(); ++v) {
    if (!is_constant(e.model.variables[v])) continue;
    work_out(e, VarId{v});
    if (e.model.variables[v].frozen == equations::Frozen::Structure) freeze(e, e.pool().variable(VarId{v}));
  }
}

}  // namespace fmugen::semantics
