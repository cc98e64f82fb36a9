// What crosses the boundary of a model: inputs, outputs, terminals with defaults, parameters that lack a value. Also
// numbers that lack one.
//
// An input of a submodel is given when an equation outside names it or a cut it belongs to is connected. Giving it twice
// is a mistake, and so is assigning an output from outside: `m.y = 5`, where nothing else in the equation could be
// determined by it.
#include <algorithm>
#include <cmath>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/print.h"
#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using equations::FlatEquation;
using equations::Op;
using equations::OriginKind;
using equations::VariableKind;

namespace {

// The variable a side consists of, if it is one of a submodel of the model the equation stands in.
std::optional<VarId> submodel_variable(const Elaboration& e, Expr side, const FlatEquation& equation, VariableKind kind) {
  if (side->op() != Op::Variable) return std::nullopt;
  const equations::Variable& v = e.model[side->variable()];
  if (v.kind != kind || v.instance == equation.origin.instance) return std::nullopt;
  return side->variable();
}

// Whether something in this side could be what the equation is there to determine.
bool determines_nothing(Elaboration& e, Expr side, InstanceId instance) {
  std::vector<VarId> variables;
  e.occurrences.variables(side, variables);
  return std::all_of(variables.begin(), variables.end(), [&](VarId v) {
    const equations::Variable& variable = e.model[v];
    return is_constant(variable) || (variable.kind == VariableKind::Input && variable.instance == instance);
  });
}

// `p = 3` for a parameter, `u = 3` for an input of the model the equation stands in.
void check_own(Elaboration& e, const FlatEquation& equation, Expr side, Expr other) {
  if (side->op() != Op::Variable || !determines_nothing(e, other, equation.origin.instance)) return;
  const VarId v = side->variable();
  const equations::Variable& variable = e.model[v];
  const std::string name = e.model.name_of(v);
  if (is_constant(variable)) {
    if (Diagnostic* error = e.error(equation.origin.where, "'" + name + "' is a " +
                                    (variable.kind == VariableKind::Constant ? "constant" : "parameter") +
                                    ": an equation cannot determine it", index(equation.origin.instance)))
      error->remark(variable.where, "give its value here, or where the submodel is declared");
  } else if (variable.kind == VariableKind::Input && variable.instance == equation.origin.instance) {
    if (Diagnostic* error = e.error(equation.origin.where, "input '" + name + "' is assigned inside its own model",
                                    index(equation.origin.instance)))
      error->remark(variable.where, "an input is given from outside; declared here");
  }
}

void check_output(Elaboration& e, const FlatEquation& equation, Expr side, Expr other) {
  const auto output = submodel_variable(e, side, equation, VariableKind::Output);
  if (!output || !determines_nothing(e, other, equation.origin.instance)) return;
  if (Diagnostic* error = e.error(equation.origin.where, "output '" + e.model.name_of(*output) +
                                  "' is assigned from outside", index(equation.origin.instance)))
    error->remark(e.model[*output].where, "an output is determined inside its model; declared here");
}

}  // namespace

void settle_terminals(Elaboration& e) {
  for (std::uint32_t i = 0; i < e.model.variables.size(); ++i) {
    const VariableExtra& extra = e.extra[i];
    const InstanceId instance = e.model.variables[i].instance;
    const VariableKind kind = e.model.variables[i].kind;
    if (index(instance) == 0) {
      if (kind == VariableKind::Input && extra.fallback) e.model.variables[i].initial = extra.fallback;
      continue;
    }
    if (extra.outside || extra.connected) continue;
    if (extra.fallback) {
      FlatEquation equation;
      equation.left = e.pool().variable(VarId{i});
      equation.right = extra.fallback;
      equation.origin = {OriginKind::Default, instance, 0, extra.fallback_where};
      e.model.equations.push_back(equation);
      continue;
    }
    if (kind != VariableKind::Input) continue;
    e.model.variables[i].boundary = true;
    const std::string name = e.model.name_of(VarId{i});
    const SourceRange where = e.model.variables[i].where;
    if (e.options.strict) {
      if (Diagnostic* error = e.error(where, "input '" + name + "' is not given", 0))
        error->remark("write an equation for it in the model around, or connect it");
    } else {
      e.warning(where, "input '" + name + "' is not given; it becomes an input of the whole model", 0);
    }
  }
}

void check_inputs_and_outputs(Elaboration& e) {
  std::unordered_map<std::uint32_t, SourceRange> given;
  for (const FlatEquation& equation : e.model.equations) {
    if (equation.origin.kind != OriginKind::Equation) continue;
    check_own(e, equation, equation.left, equation.right);
    const bool left_is_constant = equation.left->op() == Op::Variable && is_constant(e.model[equation.left->variable()]);
    if (!left_is_constant) check_own(e, equation, equation.right, equation.left);
    check_output(e, equation, equation.left, equation.right);
    check_output(e, equation, equation.right, equation.left);
    const auto input = submodel_variable(e, equation.left, equation, VariableKind::Input);
    if (!input) continue;
    auto [first, added] = given.try_emplace(index(*input), equation.origin.where);
    if (added && !e.extra[index(*input)].given_where.known()) continue;
    if (added) first->second = e.extra[index(*input)].given_where;
    if (Diagnostic* error = e.error(equation.origin.where, "input '" + e.model.name_of(*input) + "' is given twice",
                                    index(equation.origin.instance)))
      error->remark(first->second, "first given here");
  }
}

void check_missing_parameters(Elaboration& e) {
  std::vector<VarId> needed;
  std::vector<bool> seen(e.model.variables.size(), false);
  std::vector<VarId> found;
  const auto look = [&](Expr x) {
    if (!x || !x->has_variable()) return;
    found.clear();
    e.occurrences.variables(x, found);
    for (const VarId v : found)
      if (!seen[index(v)]) {
        seen[index(v)] = true;
        if (is_constant(e.model[v])) needed.push_back(v);
      }
  };
  for (const auto* list : {&e.model.equations, &e.model.initial_equations})
    for (const FlatEquation& equation : *list) {
      look(equation.left);
      look(equation.right);
    }
  for (const auto& when : e.model.whens)
    for (const auto& branch : when.branches) {
      look(branch.condition);
      for (const auto& action : branch.actions) look(action.value);
    }
  for (const auto& sample : e.model.samples) {
    look(sample.every);
    look(sample.offset);
  }
  for (const auto* list : {&e.model.validity, &e.model.terminations})
    for (const auto& check : *list) look(check.condition);
  for (const auto& variable : e.model.variables) look(variable.initial);
  for (const auto& attributes : e.model.attributes)
    for (const Expr x : {attributes.start, attributes.min, attributes.max, attributes.nominal}) look(x);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    const VarId v = needed[k];
    look(e.model[v].binding);
    if (e.model[v].binding) continue;
    const char* kind = e.model[v].kind == VariableKind::Constant ? "constant '" : "parameter '";
    const std::string name = e.model.name_of(v);
    const bool found_at_start = !e.model.attributes_of(v).fixed.value_or(true);
    if (Diagnostic* error = e.error(e.model[v].where, kind + name + "' has no value", 0)) {
      if (found_at_start) error->remark("'fixed=false' lets it be found at the start: its value is where the search begins");
      const SubmodelSource& source = e.instances[index(e.model[v].instance)].source;
      if (source.item) error->remark(source.item->name.where, "its submodel is declared here");
      error->remark("give one where it or its submodel is declared, or with --set " + name + "=VALUE");
    }
  }
}

// An operation on numbers that has no value, as 1/0, is a mistake wherever it is computed. Branches of `if` are left out:
// their conditions may keep them from being computed.
void check_constant_values(Elaboration& e) {
  equations::NodeMap<bool> seen;
  std::vector<Expr> stack;
  const auto find = [&](Expr x) -> Expr {
    stack.assign(1, x);
    while (!stack.empty()) {
      const Expr node = stack.back();
      stack.pop_back();
      if (!node || seen.contains(node)) continue;
      seen[node] = true;
      const std::size_t children = node->op() == Op::If ? 1 : node->size();
      bool numbers = children > 0 && (node->op() == Op::Pow || node->op() == Op::Call);
      for (std::size_t k = 0; k < children; ++k) {
        numbers = numbers && node->child(k)->op() == Op::Number;
        stack.push_back(node->child(k));
      }
      if (numbers && !std::isfinite(equations::evaluate(node, {}))) return node;
    }
    return nullptr;
  };
  for (const auto* list : {&e.model.equations, &e.model.initial_equations})
    for (const FlatEquation& equation : *list)
      for (const Expr side : {equation.left, equation.right})
        if (const Expr wrong = find(side))
          e.error(equation.origin.where,
                  "'" + equations::to_text(wrong, equations::names_of(e.model)) + "' is not a finite number",
                  index(equation.origin.instance));
}

}  // namespace fmugen::semantics
