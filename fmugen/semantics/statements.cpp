// Equations, connections and events of every instance, instance by instance in the order of the tree: a model's own
// statements after those of the submodels before it, so that the flat model reads like the text.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using equations::Op;
using equations::OriginKind;
using syntax::ConnectionExpression;
using syntax::ConnectionKind;

namespace {

constexpr long kMostSteps = 100'000'000;  // of one loop: more is a slip of the pen

void add_equation(Elaboration& e, std::vector<equations::FlatEquation>& to, Expr left, Expr right, OriginKind kind,
                  SourceRange where, const Context& context) {
  equations::FlatEquation equation;
  equation.left = left;
  equation.right = right;
  equation.origin = {kind, InstanceId{context.instance}, 0, where};
  equation.sample = e.instances[context.instance].sample;
  to.push_back(equation);
}

// left = right for every element.
void equate(Elaboration& e, std::vector<equations::FlatEquation>& to, const syntax::Expression& left,
            const syntax::Expression& right, OriginKind kind, SourceRange where, Context& context) {
  const Value a = elaborate(e, left, context);
  const Value b = elaborate(e, right, context);
  if (!a.valid() || !b.valid()) return;
  const auto shape = common_shape(e, a, b, where, context);
  if (!shape || !e.spend(shape->size(), where)) return;
  for (std::size_t i = 0; i < shape->size(); ++i)
    add_equation(e, to, a.at(a.shape.rank ? i : 0), b.at(b.shape.rank ? i : 0), kind, where, context);
}

// Whether an operand of a would-be connection is something that can be connected.
bool connectable(Elaboration& e, const ConnectionExpression& x, const Context& context) {
  std::vector<const ConnectionExpression*> work{&x};
  const auto is_connectable = [&](const syntax::Reference& reference) {
    const Target::Kind kind = kind_of(e, reference, context);
    return kind == Target::Submodel || kind == Target::Cut || kind == Target::Node || kind == Target::Path;
  };
  std::vector<const syntax::CutElement*> elements;
  while (!work.empty()) {
    const ConnectionExpression& c = *work.back();
    work.pop_back();
    if (c.kind == ConnectionKind::Operand && (c.selector != syntax::SelectorKind::None || is_connectable(c.reference)))
      return true;
    for (const ConnectionExpression& child : c.children) work.push_back(&child);
    for (const syntax::CutClause& clause : c.clause) {
      for (const auto& element : clause.across) elements.push_back(&element);
      for (const auto& element : clause.through) elements.push_back(&element);
    }
    while (!elements.empty()) {
      const syntax::CutElement& element = *elements.back();
      elements.pop_back();
      if (element.kind == syntax::CutElementKind::Variable && is_connectable(element.reference)) return true;
      for (const ConnectionExpression& inner : element.connection) work.push_back(&inner);
      for (const syntax::CutClause& clause : element.clause) {
        for (const auto& inner : clause.across) elements.push_back(&inner);
        for (const auto& inner : clause.through) elements.push_back(&inner);
      }
    }
  }
  return false;
}

bool is_connection(Elaboration& e, const syntax::Equation& equation, const Context& context) {
  if (!equation.as_connection) return false;
  const auto& expressions = equation.as_connection->expressions;
  return std::any_of(expressions.begin(), expressions.end(),
                     [&](const ConnectionExpression& x) { return connectable(e, x, context); });
}

void elaborate_body(Elaboration& e, const syntax::Body& body, Context& context);

void elaborate_for(Elaboration& e, const syntax::For& loop, Context& context) {
  const auto from = structural_integer(e, loop.from, context, "the first value of a loop");
  const auto to = structural_integer(e, loop.to, context, "the last value of a loop");
  if (!from || !to) return;
  if (*to - *from > kMostSteps) {
    e.error(loop.to.where, "the loop has " + std::to_string(*to - *from + 1) + " steps: more than can be handled",
            context.instance);
    return;
  }
  for (long i = *from; i <= *to && e.spend(1, loop.variable.where) && !e.diagnostics.full(); ++i) {
    context.loops->push_back({loop.variable.symbol, static_cast<double>(i)});
    const std::size_t errors = e.diagnostics.errors();
    elaborate_body(e, loop.body, context);
    context.loops->pop_back();
    if (e.diagnostics.errors() > errors) return;  // the next step would fail in the same way
  }
}

void elaborate_procedure(Elaboration& e, const syntax::ProcedureCall& call, SourceRange where, Context& context) {
  const auto found = e.program.find_function(call.function.symbol, context.file(), context.scope);
  const syntax::Function* function = found.function;
  if (!function) {
    e.error(call.function.where, "unknown function '" + call.function.symbol.text() + "'", context.instance);
    return;
  }
  const std::size_t results = std::max<std::size_t>(1, function->results.size());
  if (results != call.results.size() || function->arguments.size() != call.arguments.size()) {
    if (Diagnostic* error = e.error(call.function.where, "'" + call.function.symbol.text() + "' has " +
                                    std::to_string(results) + (results == 1 ? " result and " : " results and ") +
                                    std::to_string(function->arguments.size()) +
                                    (function->arguments.size() == 1 ? " argument" : " arguments"), context.instance))
      error->remark(function->name.where, "it is declared here");
    return;
  }
  std::vector<Expr> arguments;
  for (const syntax::Expression& argument : call.arguments) {
    arguments.push_back(elaborate_scalar(e, argument, context));
    if (!arguments.back()) return;
  }
  const std::uint32_t id = function_id(e, found);
  for (std::uint32_t k = 0; k < call.results.size(); ++k) {
    syntax::Expression target;
    target.kind = syntax::ExpressionKind::Reference;
    target.reference = call.results[k];
    target.where = call.results[k].where;
    if (const Expr left = elaborate_scalar(e, target, context))
      add_equation(e, e.model.equations, left, e.pool().user_call(id, k, arguments), OriginKind::Equation, where, context);
  }
}

std::optional<equations::WhenAction> elaborate_action(Elaboration& e, const syntax::Action& action, Context& context) {
  equations::WhenAction out;
  out.where = action.where;
  out.text = action.text;
  out.kind = static_cast<equations::ActionKind>(action.kind);
  if (action.kind == syntax::ActionKind::Terminate) return out;
  if (action.kind == syntax::ActionKind::Select) {
    e.error(action.where, "'select' is read but not carried out yet", context.instance);
    return std::nullopt;
  }
  Context named = context;
  named.implicit = false;
  const Target target = resolve(e, action.target, named);
  if (target.kind == Target::None) return std::nullopt;
  if (target.kind != Target::Variable || target.shape.rank != 0 || is_constant(e.model.variables[target.id])) {
    const bool parameter = target.kind == Target::Variable && target.shape.rank == 0;
    e.error(action.target.where, parameter ? "a parameter keeps its value; declare it 'discrete' to assign it at events"
                                           : "only a scalar variable can be assigned here", context.instance);
    return std::nullopt;
  }
  out.target = VarId{target.id};
  if (out.kind == equations::ActionKind::Assign && e.model[out.target].kind != equations::VariableKind::Discrete) {
    if (e.model[out.target].kind == equations::VariableKind::Local || e.model[out.target].kind == equations::VariableKind::Output) {
      if (Diagnostic* error = e.error(action.target.where, "'" + e.model.name_of(out.target) +
                                      "' is not a discrete variable", context.instance))
        error->remark(e.model[out.target].where, "declare it with 'discrete', or use 'reinit' for a state");
      return std::nullopt;
    }
  }
  out.value = elaborate_scalar(e, *action.value, context);
  if (!out.value) return std::nullopt;
  return out;
}

void elaborate_when(Elaboration& e, const syntax::When& when, SourceRange where, Context& context) {
  equations::WhenClause clause;
  clause.instance = InstanceId{context.instance};
  clause.sample = e.instances[context.instance].sample;
  clause.where = where;
  for (const syntax::WhenBranch& branch : when.branches) {
    equations::WhenBranch out;
    out.condition = elaborate_scalar(e, branch.condition, context);
    if (!out.condition) return;
    for (const syntax::Action& action : branch.actions)
      if (auto done = elaborate_action(e, action, context)) out.actions.push_back(std::move(*done));
    clause.branches.push_back(std::move(out));
  }
  e.model.whens.push_back(std::move(clause));
}

void elaborate_check(Elaboration& e, std::vector<equations::Check>& to, const syntax::Expression& condition,
                     const std::string& text, SourceRange where, Context& context) {
  if (const Expr value = elaborate_scalar(e, condition, context))
    to.push_back({value, text, InstanceId{context.instance}, where});
}

void elaborate_experiment(Elaboration& e, const syntax::Experiment& x, SourceRange where, Context& context) {
  if (context.instance != 0) return;  // a component's own experiment does not concern the whole
  equations::ExperimentSettings& settings = e.model.experiment;
  if (settings.given) {
    e.error(where, "a second experiment", 0);
    return;
  }
  settings.given = true;
  const auto read = [&](const std::optional<syntax::Expression>& from, const char* what) -> std::optional<double> {
    if (!from) return std::nullopt;
    Context here = context;
    here.implicit = false;
    const Expr value = elaborate_scalar(e, *from, here);
    if (!value) return std::nullopt;
    const auto number = constant_value(e, value);
    if (!number) e.error(from->where, std::string("the ") + what + " of the experiment must be a number", 0);
    return number;
  };
  if (const auto v = read(x.start, "start")) settings.start = *v;
  if (const auto v = read(x.stop, "stop")) settings.stop = *v;
  if (const auto v = read(x.step, "step")) settings.step = *v;
  if (const auto v = read(x.tolerance, "tolerance")) settings.tolerance = *v;
  if (x.solver) settings.solver = x.solver->symbol.text();
  if (settings.stop <= settings.start)
    e.error(x.stop ? x.stop->where : where, "the experiment stops before it starts", 0);
  if (settings.step && *settings.step <= 0) e.error(x.step->where, "the step must be positive", 0);
  if (settings.tolerance <= 0 && x.tolerance) e.error(x.tolerance->where, "the tolerance must be positive", 0);
}

// local e = sin(time), discrete k = 0, input u = 1
void elaborate_declared_values(Elaboration& e, const syntax::VariableDeclaration& declaration, Context& context) {
  using Kind = syntax::VariableKind;
  if (declaration.kind == Kind::Parameter || declaration.kind == Kind::StructureParameter ||
      declaration.kind == Kind::Constant || declaration.kind == Kind::Default)
    return;
  for (const syntax::VariableItem& item : declaration.items) {
    if (!item.value) continue;
    const Member* member = e.find_member(context.instance, item.name.symbol);
    if (!member || !(member->where == item.name.where)) continue;  // reported
    const Member found = *member;
    const Value value = elaborate(e, *item.value, context);
    if (!value.valid()) continue;
    if (declaration.kind == Kind::External) {
      e.error(item.value->where, "an external variable has its value elsewhere", context.instance);
      continue;
    }
    if (value.shape.rank != 0 && !(value.shape == found.shape)) {
      e.error(item.value->where, "'" + item.name.symbol.text() + "' is " + to_text(found.shape) + " but is given " +
              to_text(value.shape), context.instance);
      continue;
    }
    for (std::size_t k = 0; k < found.shape.size(); ++k) {
      const VarId v{static_cast<std::uint32_t>(found.first + k)};
      const Expr x = value.at(value.shape.rank ? k : 0);
      if (declaration.kind == Kind::Discrete) {
        e.model[v].initial = x;
      } else if (declaration.kind == Kind::Input) {
        e.extra[index(v)].fallback = x;
        e.extra[index(v)].fallback_where = item.name.where;
      } else {
        add_equation(e, e.model.equations, e.pool().variable(v), x, OriginKind::Declaration, item.name.where, context);
      }
    }
  }
}

void elaborate_iterate(Elaboration& e, const syntax::Iterate& iterate, Context& context) {
  Context named = context;
  named.implicit = named.names_outside = false;
  for (const syntax::Reference& reference : iterate.variables) {
    const Target target = resolve(e, reference, named);
    if (target.kind == Target::None) continue;
    if (target.kind != Target::Variable)
      e.error(reference.where, "'iterate' takes variables", context.instance);
    else
      for (std::size_t k = 0; k < target.shape.size(); ++k) e.model.tearing.push_back(VarId{target.element(k)});
  }
}

void elaborate_item(Elaboration& e, const syntax::Item& item, Context& context) {
  if (const auto* equation = std::get_if<syntax::Equation>(&item.node)) {
    if (is_connection(e, *equation, context))
      connect(e, *equation->as_connection, item.where, context);
    else
      equate(e, e.model.equations, equation->left, equation->right, OriginKind::Equation, item.where, context);
  } else if (const auto* connection = std::get_if<syntax::ConnectionStatement>(&item.node)) {
    connect(e, *connection, item.where, context);
  } else if (const auto* loop = std::get_if<syntax::For>(&item.node)) {
    elaborate_for(e, *loop, context);
  } else if (const auto* call = std::get_if<syntax::ProcedureCall>(&item.node)) {
    elaborate_procedure(e, *call, item.where, context);
  } else if (const auto* when = std::get_if<syntax::When>(&item.node)) {
    elaborate_when(e, *when, item.where, context);
  } else if (const auto* initial = std::get_if<syntax::Initial>(&item.node)) {
    equate(e, e.model.initial_equations, initial->left, initial->right, OriginKind::Equation, item.where, context);
  } else if (const auto* valid = std::get_if<syntax::Valid>(&item.node)) {
    elaborate_check(e, e.model.validity, valid->condition, valid->text, item.where, context);
  } else if (const auto* terminate = std::get_if<syntax::Terminate>(&item.node)) {
    elaborate_check(e, e.model.terminations, terminate->condition, terminate->text, item.where, context);
  } else if (const auto* experiment = std::get_if<syntax::Experiment>(&item.node)) {
    elaborate_experiment(e, *experiment, item.where, context);
  } else if (const auto* declaration = std::get_if<syntax::VariableDeclaration>(&item.node)) {
    elaborate_declared_values(e, *declaration, context);
  } else if (const auto* iterate = std::get_if<syntax::Iterate>(&item.node)) {
    elaborate_iterate(e, *iterate, context);
  }
}

// The body of a loop: statements only.
void elaborate_body(Elaboration& e, const syntax::Body& body, Context& context) {
  for (const syntax::Item& item : body) {
    if (const auto* choice = std::get_if<syntax::If>(&item.node)) {
      const auto value = structural_value(e, choice->condition, context, "the condition of a structural 'if'");
      if (value) elaborate_body(e, *value != 0 ? choice->then_items : choice->else_items, context);
    } else if (std::holds_alternative<syntax::Equation>(item.node) ||
               std::holds_alternative<syntax::ConnectionStatement>(item.node) ||
               std::holds_alternative<syntax::For>(item.node) || std::holds_alternative<syntax::Initial>(item.node) ||
               std::holds_alternative<syntax::ProcedureCall>(item.node) ||
               std::holds_alternative<syntax::When>(item.node) || std::holds_alternative<syntax::Valid>(item.node) ||
               std::holds_alternative<syntax::Iterate>(item.node) ||
               std::holds_alternative<syntax::Terminate>(item.node)) {
      elaborate_item(e, item, context);
    } else {
      e.error(item.where, "a declaration cannot stand in a loop; declare an array before it", context.instance);
    }
  }
}

// A discrete model and what it contains are sampled together.
void find_sample(Elaboration& e, std::uint32_t instance) {
  InstanceData& data = e.instances[instance];
  data.sample = instance == 0 ? -1 : e.instances[data.parent].sample;
  for_each_item(e, instance, [&](const syntax::Item& item, Context& context, bool) {
    const auto* sample = std::get_if<syntax::Sample>(&item.node);
    if (!sample) return;
    if (!data.cls->discrete) {
      if (Diagnostic* error = e.error(item.where, "only a discrete model is sampled", instance))
        error->remark(data.cls->definition->name.where, "write 'discrete model type " + data.cls->name.text() + "'");
      return;
    }
    context.implicit = context.names_outside = false;
    equations::SampledSystem system;
    system.instance = InstanceId{instance};
    system.where = item.where;
    system.every = elaborate_scalar(e, sample->every, context);
    if (sample->offset) system.offset = elaborate_scalar(e, *sample->offset, context);
    if (!system.every) return;
    data.sample = static_cast<std::int32_t>(e.model.samples.size());
    e.model.samples.push_back(system);
  });
  if (data.cls->discrete && data.sample < 0)
    if (Diagnostic* error = e.error(data.cls->definition->name.where, "discrete model '" + data.cls->name.text() +
                                    "' is never sampled", instance))
      error->remark("write 'sample every DT' in it");
  if (data.sample < 0) return;
  for (const Member& member : data.members)
    if (member.kind == MemberKind::Variable)
      for (std::size_t k = 0; k < member.shape.size(); ++k) {
        equations::Variable& v = e.model.variables[member.first + k];
        if (!is_constant(v) && v.kind != equations::VariableKind::Input && index(v.instance) == instance)
          v.sample = data.sample;
      }
}

// Submodels before the models that contain them, in the order of declaration.
std::vector<std::uint32_t> statement_order(const Elaboration& e) {
  std::vector<std::uint32_t> order, stack{0};
  while (!stack.empty()) {
    const std::uint32_t instance = stack.back();
    stack.pop_back();
    order.push_back(instance);
    for (const Member& member : e.instances[instance].members)
      if (member.kind == MemberKind::Submodel)
        for (std::uint32_t k = 0; k < member.shape.size(); ++k) stack.push_back(member.first + k);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Discrete variables are set in one 'when' only, and by no equation; sampled models have no derivatives.
void check_discrete(Elaboration& e) {
  std::unordered_map<std::uint32_t, SourceRange> assigned;
  std::unordered_map<std::uint32_t, std::size_t> clause;
  for (std::size_t k = 0; k < e.model.whens.size(); ++k)
    for (const auto& branch : e.model.whens[k].branches)
      for (const auto& action : branch.actions) {
        if (action.kind != equations::ActionKind::Assign) continue;
        const auto [first, added] = clause.try_emplace(index(action.target), k);
        if (added) assigned[index(action.target)] = action.where;
        if (added || first->second == k) continue;
        if (Diagnostic* error = e.error(action.where, "'" + e.model.name_of(action.target) +
                                        "' is assigned in two 'when' statements", index(e.model.whens[k].instance)))
          error->remark(assigned[index(action.target)], "the other one is here");
      }
  for (const auto& equation : e.model.equations) {
    for (const Expr side : {equation.left, equation.right})
      if (side->op() == Op::Variable && e.model[side->variable()].kind == equations::VariableKind::Discrete &&
          equation.sample < 0 && index(e.model[side->variable()].instance) == index(equation.origin.instance) &&
          (side == equation.left || equation.left->is_number()))
        if (Diagnostic* error = e.error(equation.origin.where, "an equation cannot determine discrete variable '" +
                                        e.model.name_of(side->variable()) + "'", index(equation.origin.instance)))
          error->remark(e.model[side->variable()].where, "it keeps its value until a 'when' assigns another; declared here");
    if (equation.sample >= 0 && (equation.left->has_der() || equation.right->has_der()))
      if (Diagnostic* error = e.error(equation.origin.where, "a discrete model has no derivatives",
                                      index(equation.origin.instance)))
        error->remark("the value at the next sampling instant is new(x)");
  }
}

}  // namespace

void elaborate_statements(Elaboration& e) {
  for (std::uint32_t instance = 0; instance < e.instances.size(); ++instance) find_sample(e, instance);
  for (const std::uint32_t instance : statement_order(e)) {
    if (e.out_of_budget || e.diagnostics.full()) return;
    for_each_item(e, instance, [&](const syntax::Item& item, Context& context, bool) { elaborate_item(e, item, context); });
  }
  connect_references(e);
  check_discrete(e);
}

}  // namespace fmugen::semantics
