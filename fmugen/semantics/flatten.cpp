// The steps from text to flat model, in order. Read elaboration.h for the state they share.
#include "fmugen/semantics/flatten.h"

#include "fmugen/semantics/elaboration.h"
#include "fmugen/syntax/parser.h"

namespace fmugen::semantics {

using equations::Op;

namespace {

// The first name in an expression, or null.
const syntax::Expression* first_reference(const syntax::Expression& x) {
  if (x.kind == syntax::ExpressionKind::Reference) return &x;
  for (const syntax::Expression& child : x.children)
    if (const syntax::Expression* found = first_reference(child)) return found;
  for (const auto& row : x.rows)
    for (const syntax::Expression& cell : row)
      if (const syntax::Expression* found = first_reference(cell)) return found;
  return nullptr;
}

// --set name=value, where the value is an expression of numbers.
void read_settings(Elaboration& e, const Class& root) {
  for (const auto& [name, text] : e.options.settings) {
    const std::uint32_t source = e.program.sources().add("--set " + name, text);
    const std::size_t before = e.diagnostics.errors();
    const auto parsed = syntax::parse_expression(e.program.sources(), source, e.program.symbols(), e.diagnostics);
    if (!parsed) {
      if (e.diagnostics.errors() == before) e.diagnostics.error({source, 0, 0}, "a value is expected");
      continue;
    }
    if (const syntax::Expression* name_used = first_reference(*parsed)) {
      e.diagnostics.error(name_used->where, "a value on the command line is made of numbers only");
      continue;
    }
    Context context{0, &root, &e.loops, false, false};
    Value value = elaborate(e, *parsed, context);
    if (!value.valid()) continue;
    bool numbers = true;
    const auto constant = [&](Expr& x) {
      if (x->op() == Op::Boolean) return;
      const auto number = constant_value(e, x);
      numbers = numbers && number;
      if (number) x = e.pool().number(*number);
    };
    if (value.shape.rank == 0) constant(value.scalar);
    for (Expr& x : value.items) constant(x);
    if (!numbers) {
      e.diagnostics.error(parsed->where, "a number is expected");
      continue;
    }
    e.settings[name] = {std::move(value), parsed->where, false};
  }
}

void check_settings(Elaboration& e) {
  for (const auto& [name, setting] : e.settings) {
    if (setting.used) continue;
    std::vector<std::string> names;
    bool constant = false;
    for (std::uint32_t v = 0; v < e.model.variables.size(); ++v)
      if (e.model.variables[v].kind == equations::VariableKind::Parameter)
        names.push_back(e.model.name_of(VarId{v}));
      else if (e.model.variables[v].kind == equations::VariableKind::Constant && e.model.name_of(VarId{v}) == name)
        constant = true;
    if (constant) {
      e.diagnostics.error({}, "--set: '" + name + "' is a constant; its value cannot be changed");
      continue;
    }
    Diagnostic& error = e.diagnostics.error({}, "--set: the model has no parameter '" + name + "'");
    if (const std::string near = support::nearest_name(name, names); !near.empty())
      error.remark("did you mean '" + near + "'?");
  }
}

bool is_boolean(const FlatModel& model, Expr x) {
  switch (x->op()) {
    case Op::Boolean:
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::Unequal:
    case Op::And:
    case Op::Or:
    case Op::Not: return true;
    case Op::Variable: return model[x->variable()].type == equations::VariableType::Boolean;
    case Op::NoEvent:
    case Op::Pre: return is_boolean(model, x->child(0));
    case Op::If: return is_boolean(model, x->child(1));
    default: return false;
  }
}

// A variable that is equal to a condition, or used as one, is Boolean.
void infer_types(Elaboration& e) {
  for (std::uint32_t v = 0; v < e.model.variables.size(); ++v)
    if (e.extra[v].boolean || (e.model.variables[v].binding && is_boolean(e.model, e.model.variables[v].binding)) ||
        (e.model.variables[v].initial && is_boolean(e.model, e.model.variables[v].initial)))
      e.model.variables[v].type = equations::VariableType::Boolean;
  std::vector<const equations::FlatEquation*> candidates;  // v = expression of unknown type
  const auto settle = [&](Expr a, Expr b) {
    if (a->op() != Op::Variable || e.model[a->variable()].type == equations::VariableType::Boolean || !is_boolean(e.model, b))
      return false;
    e.model[a->variable()].type = equations::VariableType::Boolean;
    return true;
  };
  bool any = false;
  for (const auto& equation : e.model.equations) {
    any = settle(equation.left, equation.right) || settle(equation.right, equation.left) || any;
    if (equation.left->op() == Op::Variable && equation.right->op() == Op::Variable) candidates.push_back(&equation);
  }
  for (int round = 0; any && round < 32; ++round) {  // along connections from one Boolean to the next
    any = false;
    for (const auto* equation : candidates)
      any = settle(equation->left, equation->right) || settle(equation->right, equation->left) || any;
  }
}

std::optional<FlatModel> flatten_program(Program& program, const ProgramFile* file, const FlattenOptions& options,
                                         Diagnostics& diagnostics) {
  if (!file || diagnostics.has_errors()) return std::nullopt;
  const Class* root = program.root(*file, options.model);
  if (!root || diagnostics.has_errors()) return std::nullopt;
  Elaboration e(program, diagnostics, options);
  e.budget = options.size_limit;
  e.model.name = root->name.text();
  e.model.description = root->definition->description;
  e.model.attributes.emplace_back();
  if (root->definition->fmu) {
    diagnostics.error(root->definition->name.where, "'" + root->name.text() + "' is an FMU, not a model to compile");
    return std::nullopt;
  }
  read_settings(e, *root);
  if (diagnostics.has_errors()) return std::nullopt;

  instantiate(e, *root);             // all members and parameter bindings are known
  if (diagnostics.has_errors()) return std::nullopt;
  elaborate_statements(e);           // component equations, couplings, events
  if (diagnostics.has_errors()) return std::nullopt;
  generate_connections(e);           // connection equations; parameters have their final bindings
  settle_terminals(e);               // every terminal and input is determined or a boundary
  if (diagnostics.has_errors()) return std::nullopt;
  resolve_all_parameters(e);         // parameters have values
  check_agreements(e);
  check_settings(e);
  check_inputs_and_outputs(e);
  if (diagnostics.has_errors()) return std::nullopt;
  settle_delays(e);                  // delayed values are known
  expand_derivatives(e);             // der of variables only
  drop_zero_terms(e);
  reduce_order(e);                   // first derivatives only
  infer_types(e);
  check_missing_parameters(e);
  check_constant_values(e);
  if (diagnostics.has_errors()) return std::nullopt;
  return std::move(e.model);
}

}  // namespace

std::optional<FlatModel> flatten(const std::string& file, const FlattenOptions& options, support::Sources& sources,
                                 support::SymbolTable& symbols, Diagnostics& diagnostics) {
  Program program(sources, symbols, diagnostics, options.library_path);
  return flatten_program(program, program.load(file), options, diagnostics);
}

std::optional<FlatModel> flatten_text(std::uint32_t source, const FlattenOptions& options, support::Sources& sources,
                                      support::SymbolTable& symbols, Diagnostics& diagnostics) {
  Program program(sources, symbols, diagnostics, options.library_path);
  return flatten_program(program, program.load_text(source), options, diagnostics);
}

}  // namespace fmugen::semantics
