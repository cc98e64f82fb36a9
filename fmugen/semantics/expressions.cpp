// Expressions of the syntax tree as values over flat variables.
//
// Everything is worked out element by element: a value is a scalar, a vector or a matrix of expressions. Sums want equal
// shapes; a product with a scalar scales; `*` between vectors and matrices is the matrix product (vector*vector is the
// inner product). Functions of one argument are applied to each element.
#include <algorithm>
#include <cmath>

#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using equations::Function;
using equations::Op;
using syntax::Expression;
using syntax::ExpressionKind;

namespace {

Value invalid() { return {}; }

Value scalar(Expr e) {
  Value v;
  v.scalar = e;
  return v;
}

bool all_valid(const std::vector<Value>& values) {
  for (const Value& v : values)
    if (!v.valid()) return false;
  return true;
}

// Applies f to every element.
template <typename F>
Value map(const Value& a, F f) {
  if (a.shape.rank == 0) return scalar(f(a.scalar));
  Value out;
  out.shape = a.shape;
  out.items.reserve(a.items.size());
  for (Expr x : a.items) out.items.push_back(f(x));
  return out;
}

// Applies f to pairs of elements; shapes are equal or one side is a scalar.
template <typename F>
Value zip(const Value& a, const Value& b, F f) {
  if (a.shape.rank == 0 && b.shape.rank == 0) return scalar(f(a.scalar, b.scalar));
  Value out;
  out.shape = a.shape.rank ? a.shape : b.shape;
  for (std::size_t i = 0; i < out.shape.size(); ++i)
    out.items.push_back(f(a.at(a.shape.rank ? i : 0), b.at(b.shape.rank ? i : 0)));
  return out;
}

std::vector<Value> elaborate_children(Elaboration& e, const Expression& x, Context& context) {
  std::vector<Value> values;
  values.reserve(x.children.size());
  for (const Expression& child : x.children) values.push_back(elaborate(e, child, context));
  return values;
}

bool is_scalar(Elaboration& e, const Value& v, SourceRange where, Context& context) {
  if (v.shape.rank == 0) return v.scalar != nullptr;
  e.error(where, "a scalar is expected here, but this is " + to_text(v.shape), context.instance);
  return false;
}

Value elaborate_sum(Elaboration& e, const Expression& x, Context& context) {
  const std::vector<Value> values = elaborate_children(e, x, context);
  if (!all_valid(values)) return invalid();
  const Shape shape = values[0].shape;
  for (std::size_t k = 1; k < values.size(); ++k)
    if (!(values[k].shape == shape)) {
      e.error(x.where, to_text(shape) + " cannot be added to " + to_text(values[k].shape), context.instance);
      return invalid();
    }
  Value out;
  out.shape = shape;
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    terms.clear();
    for (std::size_t k = 0; k < values.size(); ++k)
      terms.push_back(x.operators[k] == '-' ? e.pool().neg(values[k].at(i)) : values[k].at(i));
    const Expr sum = terms.size() == 1 ? terms[0] : e.pool().add(terms);
    if (shape.rank == 0)
      out.scalar = sum;
    else
      out.items.push_back(sum);
  }
  return out;
}

Value matrix_product(Elaboration& e, const Value& a, const Value& b, SourceRange where, Context& context) {
  // rows x inner times inner x columns; a vector is a row on the left and a column on the right
  const std::uint32_t rows = a.shape.rank == 2 ? a.shape.n[0] : 1;
  const std::uint32_t inner = a.shape.rank == 2 ? a.shape.n[1] : a.shape.n[0];
  const std::uint32_t columns = b.shape.rank == 2 ? b.shape.n[1] : 1;
  if (inner != b.shape.n[0]) {
    e.error(where, to_text(a.shape) + " cannot be multiplied by " + to_text(b.shape), context.instance);
    return invalid();
  }
  if (!e.spend(std::size_t{rows} * columns * inner, where)) return invalid();
  Value out;
  if (a.shape.rank == 2) out.shape.n[out.shape.rank++] = rows;
  if (b.shape.rank == 2) out.shape.n[out.shape.rank++] = columns;
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) {
      std::vector<Expr> terms;
      for (std::uint32_t k = 0; k < inner; ++k)
        terms.push_back(e.pool().mul(a.items[i * inner + k], b.items[k * columns + j]));
      const Expr sum = terms.empty() ? e.pool().number(0) : terms.size() == 1 ? terms[0] : e.pool().add(terms);
      if (out.shape.rank == 0)
        out.scalar = sum;
      else
        out.items.push_back(sum);
    }
  return out;
}

Value elaborate_product(Elaboration& e, const Expression& x, Context& context) {
  Value product = elaborate(e, x.children[0], context);
  std::vector<Expr> factors;  // scalars collected so far, multiplied in one go to keep the written order
  const auto flush = [&] {
    if (!factors.empty()) product = scalar(factors.size() == 1 ? factors[0] : e.pool().mul(factors));
    factors.clear();
  };
  if (!product.valid()) return invalid();
  if (product.shape.rank == 0) factors.push_back(product.scalar);
  for (std::size_t k = 1; k < x.children.size(); ++k) {
    const Value v = elaborate(e, x.children[k], context);
    if (!v.valid()) return invalid();
    const bool divide = x.operators[k] == '/';
    if (divide && !is_scalar(e, v, x.children[k].where, context)) return invalid();
    if (v.shape.rank == 0 && !factors.empty()) {
      factors.push_back(divide ? e.pool().reciprocal(v.scalar) : v.scalar);
      continue;
    }
    flush();
    if (product.shape.rank == 0 || v.shape.rank == 0)
      product = zip(product, v, [&](Expr a, Expr b) { return divide ? e.pool().div(a, b) : e.pool().mul(a, b); });
    else
      product = matrix_product(e, product, v, x.where, context);
    if (!product.valid()) return invalid();
    if (product.shape.rank == 0) factors.push_back(product.scalar);
  }
  flush();
  return product;
}

Value elaborate_reference(Elaboration& e, const Expression& x, Context& context) {
  const syntax::ReferencePart& head = x.reference.parts[0];
  const bool simple = x.reference.parts.size() == 1 && head.subscripts.empty();
  if (context.function_variables) {
    const auto there = context.function_variables->find(head.name.symbol);
    if (simple && there != context.function_variables->end()) return scalar(e.pool().variable(VarId{there->second}));
    if (Diagnostic* error = e.error(x.where, "unknown name '" + head.name.symbol.text() + "' in a function", 0))
      error->remark("a function knows its arguments, results and locals only");
    return invalid();
  }
  if (simple && !head.quoted && head.name.symbol.text() == "time" && !e.find_member(context.instance, head.name.symbol))
    return scalar(e.pool().time());
  const Target target = resolve(e, x.reference, context);
  switch (target.kind) {
    case Target::None: return invalid();
    case Target::Number: return scalar(e.pool().number(target.number));
    case Target::Variable: break;
    case Target::Table:
      e.error(x.where, "'" + head.name.symbol.text() + "' is a table: write " + head.name.symbol.text() + "(...)",
              context.instance);
      return invalid();
    case Target::Submodel:
    case Target::Cut:
    case Target::Node:
    case Target::Path: {
      static const char* const words[] = {"", "", "a submodel", "a cut", "a node", "a path"};
      if (Diagnostic* error = e.error(x.where, "a variable is expected here, but '" +
                                      x.reference.parts.back().name.symbol.text() + "' is " + words[target.kind],
                                      context.instance))
        if (target.kind == Target::Submodel)
          error->remark("name one of its variables with a dot: " + x.reference.parts.back().name.symbol.text() + ".x");
      return invalid();
    }
  }
  if (target.shape.rank == 0) return scalar(e.pool().variable(VarId{target.id}));
  Value out;
  out.shape = target.shape;
  for (std::uint32_t id : target.ids) out.items.push_back(e.pool().variable(VarId{id}));
  return out;
}

Value elaborate_matrix(Elaboration& e, const Expression& x, Context& context) {
  Value out;
  const std::size_t columns = x.rows.empty() ? 0 : x.rows[0].size();
  out.shape.rank = x.rows.size() > 1 ? 2 : 1;
  out.shape.n[0] = static_cast<std::uint32_t>(x.rows.size() > 1 ? x.rows.size() : columns);
  out.shape.n[1] = static_cast<std::uint32_t>(x.rows.size() > 1 ? columns : 1);
  for (const auto& row : x.rows) {
    if (row.size() != columns) {
      e.error(x.where, "the rows of a matrix have different lengths: " + std::to_string(columns) + " and " +
              std::to_string(row.size()), context.instance);
      return invalid();
    }
    for (const Expression& element : row) {
      const Expr value = elaborate_scalar(e, element, context);
      if (!value) return invalid();
      out.items.push_back(value);
    }
  }
  return out;
}

// A variable whose only mention is as a condition is Boolean.
void note_boolean(Elaboration& e, Expr condition) {
  if (condition->op() == Op::Variable) e.extra[index(condition->variable())].boolean = true;
}

bool check_condition(Elaboration& e, Expr condition, SourceRange where, Context& context) {
  switch (condition->op()) {
    case Op::Number:
    case Op::Time:
    case Op::Add:
    case Op::Mul:
    case Op::Pow:
    case Op::Call:
    case Op::Der:
      e.error(where, "a condition is expected here, not a number", context.instance);
      return false;
    case Op::Variable:
      if (!context.function_variables) note_boolean(e, condition);
      return true;
    default: return true;
  }
}

Value elaborate_relation(Elaboration& e, const Expression& x, Context& context) {
  const Expr a = elaborate_scalar(e, x.children[0], context);
  const Expr b = elaborate_scalar(e, x.children[1], context);
  if (!a || !b) return invalid();
  switch (x.relation) {
    case syntax::RelationOperator::Less: return scalar(e.pool().relation(Op::Less, a, b));
    case syntax::RelationOperator::LessEqual: return scalar(e.pool().relation(Op::LessEqual, a, b));
    case syntax::RelationOperator::Greater: return scalar(e.pool().relation(Op::Less, b, a));
    case syntax::RelationOperator::GreaterEqual: return scalar(e.pool().relation(Op::LessEqual, b, a));
    case syntax::RelationOperator::Equal: return scalar(e.pool().relation(Op::Equal, a, b));
    case syntax::RelationOperator::Unequal: return scalar(e.pool().relation(Op::Unequal, a, b));
  }
  return invalid();
}

Value elaborate_logic(Elaboration& e, const Expression& x, Context& context) {
  std::vector<Expr> operands;
  for (const Expression& child : x.children) {
    const Expr value = elaborate_scalar(e, child, context);
    if (!value || !check_condition(e, value, child.where, context)) return invalid();
    operands.push_back(value);
  }
  if (x.kind == ExpressionKind::Not) return scalar(e.pool().negation(operands[0]));
  return scalar(e.pool().logical(x.kind == ExpressionKind::And ? Op::And : Op::Or, operands));
}

Value elaborate_if(Elaboration& e, const Expression& x, Context& context) {
  const Expr condition = elaborate_scalar(e, x.children[0], context);
  const Value yes = elaborate(e, x.children[1], context);
  const Value no = elaborate(e, x.children[2], context);
  if (!condition || !yes.valid() || !no.valid()) return invalid();
  if (!check_condition(e, condition, x.children[0].where, context)) return invalid();
  if (!(yes.shape == no.shape)) {
    e.error(x.where, "the two branches differ: " + to_text(yes.shape) + " and " + to_text(no.shape), context.instance);
    return invalid();
  }
  return zip(yes, no, [&](Expr a, Expr b) { return e.pool().if_then_else(condition, a, b); });
}

// ---- calls ----------------------------------------------------------------------------------------------------------

bool check_count(Elaboration& e, const Expression& x, std::size_t least, std::size_t most, Context& context) {
  const std::size_t n = x.children.size();
  if (n >= least && n <= most) return true;
  std::string wanted = std::to_string(least);
  if (most == static_cast<std::size_t>(-1)) wanted += " or more";
  else if (most != least) wanted += " to " + std::to_string(most);
  e.error(x.where, "'" + x.name.symbol.text() + "' takes " + wanted + (most == 1 ? " argument" : " arguments") +
          ", not " + std::to_string(n), context.instance);
  return false;
}

void set_initial(Elaboration& e, Expr variable, Expr value, SourceRange where, bool second, Context& context) {
  if (variable->op() != Op::Variable) {
    e.error(where, "an initial value can be given to a variable only, not to an expression; use 'initial'",
            context.instance);
    return;
  }
  Expr& place = second ? e.second_initial[index(variable->variable())] : e.model[variable->variable()].initial;
  if (place && place != value)
    e.error(where, "'" + e.model.name_of(variable->variable()) + "' has two different initial values", context.instance);
  place = value;
}

// der(x [, x0]), der2(x [, x0 [, dx0]]), new(x [, x0])
Value elaborate_derivative(Elaboration& e, const Expression& x, Context& context, int order) {
  const bool next = order == 0;
  if (!check_count(e, x, 1, order == 2 ? 3 : 2, context)) return invalid();
  const std::vector<Value> arguments = elaborate_children(e, x, context);
  if (!all_valid(arguments)) return invalid();
  const Value& operand = arguments[0];
  for (std::size_t k = 1; k < arguments.size(); ++k) {
    if (!common_shape(e, operand, arguments[k], x.children[k].where, context)) return invalid();
    for (std::size_t i = 0; i < operand.shape.size(); ++i)
      set_initial(e, operand.at(i), arguments[k].at(arguments[k].shape.rank ? i : 0), x.children[k].where, k == 2,
                  context);
  }
  return map(operand, [&](Expr a) -> Expr {
    if (next) {
      if (a->op() == Op::Variable) return e.pool().next(a);
      e.error(x.where, "'new' takes a variable", context.instance);
      return a;
    }
    return order == 2 ? e.pool().der(e.pool().der(a)) : e.pool().der(a);
  });
}

Value elaborate_size(Elaboration& e, const Expression& x, Context& context) {
  if (!check_count(e, x, 1, 2, context)) return invalid();
  const Value v = elaborate(e, x.children[0], context);
  if (!v.valid()) return invalid();
  long which = 1;
  if (x.children.size() == 2) {
    const auto k = structural_integer(e, x.children[1], context, "the dimension asked for");
    if (!k) return invalid();
    which = *k;
  } else if (v.shape.rank == 2) {
    e.error(x.where, "a matrix has two sizes: write size(A, 1) or size(A, 2)", context.instance);
    return invalid();
  }
  if (which < 1 || which > v.shape.rank) {
    e.error(x.where, "'size' asks for dimension " + std::to_string(which) + " of " + to_text(v.shape), context.instance);
    return invalid();
  }
  return scalar(e.pool().number(v.shape.n[which - 1]));
}

Value elaborate_pre(Elaboration& e, const Expression& x, Context& context) {
  if (!check_count(e, x, 1, 1, context)) return invalid();
  const Value v = elaborate(e, x.children[0], context);
  if (!v.valid()) return invalid();
  return map(v, [&](Expr a) -> Expr {
    if (a->op() == Op::Variable) return e.pool().pre(a);
    e.error(x.where, "'pre' takes a variable", context.instance);
    return a;
  });
}

Value elaborate_table(Elaboration& e, const Expression& x, std::uint32_t table, Context& context) {
  const std::size_t wanted = e.model.tables[table].y.empty() ? 1 : 2;
  if (!check_count(e, x, wanted, wanted, context)) return invalid();
  std::vector<Expr> arguments;
  for (const Expression& child : x.children) {
    arguments.push_back(elaborate_scalar(e, child, context));
    if (!arguments.back()) return invalid();
  }
  return scalar(e.pool().table_call(table, arguments));
}

Value elaborate_user_call(Elaboration& e, const Expression& x, const Program::FoundFunction& found, Context& context) {
  const syntax::Function& function = *found.function;
  if (!check_count(e, x, function.arguments.size(), function.arguments.size(), context)) return invalid();
  std::vector<Expr> arguments;
  for (const Expression& child : x.children) {
    arguments.push_back(elaborate_scalar(e, child, context));
    if (!arguments.back()) return invalid();
  }
  return scalar(e.pool().user_call(function_id(e, found), 0, arguments));
}

Value elaborate_builtin(Elaboration& e, const Expression& x, Function f, Context& context) {
  const int n = equations::arity(f);
  if (x.name.symbol.text() == "log")
    if (e.reported.insert("log").second)
      e.diagnostics.note(x.name.where, "'log' is the logarithm to base 10; 'ln' or 'log10' says so");
  std::vector<Value> arguments = elaborate_children(e, x, context);
  if (!all_valid(arguments)) return invalid();
  if (n < 0 && arguments.size() == 1 && arguments[0].shape.rank > 0 && arguments[0].items.size() > 1)
    return scalar(e.pool().call(f, arguments[0].items));  // max of a vector
  if (!check_count(e, x, n < 0 ? 2 : static_cast<std::size_t>(n), n < 0 ? static_cast<std::size_t>(-1)
                                                                        : static_cast<std::size_t>(n), context))
    return invalid();
  if (arguments.size() == 1) return map(arguments[0], [&](Expr a) { return e.pool().call(f, a); });
  std::vector<Expr> scalars;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (!is_scalar(e, arguments[k], x.children[k].where, context)) return invalid();
    scalars.push_back(arguments[k].scalar);
  }
  return scalar(e.pool().call(f, scalars));
}

Value elaborate_special(Elaboration& e, const Expression& x, const std::string& name, Context& context, bool& known) {
  known = true;
  if (context.function_variables && (name == "der" || name == "der2" || name == "new" || name == "pre" || name == "delay")) {
    e.error(x.where, "'" + name + "' cannot be used in a function", 0);
    return invalid();
  }
  if (name == "der") return elaborate_derivative(e, x, context, 1);
  if (name == "der2") return elaborate_derivative(e, x, context, 2);
  if (name == "new") return elaborate_derivative(e, x, context, 0);
  if (name == "pre") return elaborate_pre(e, x, context);
  if (name == "size") return elaborate_size(e, x, context);
  if (name == "sum") {
    if (!check_count(e, x, 1, 1, context)) return invalid();
    const Value v = elaborate(e, x.children[0], context);
    if (!v.valid()) return invalid();
    if (v.shape.rank == 0) return v;
    return scalar(v.items.empty() ? e.pool().number(0) : v.items.size() == 1 ? v.items[0] : e.pool().add(v.items));
  }
  if (name == "noevent") {
    if (!check_count(e, x, 1, 1, context)) return invalid();
    const Value v = elaborate(e, x.children[0], context);
    return v.valid() ? map(v, [&](Expr a) { return e.pool().no_event(a); }) : invalid();
  }
  if (name == "delay") {
    if (!check_count(e, x, 2, 3, context)) return invalid();
    std::vector<Expr> arguments;
    for (const Expression& child : x.children) {
      arguments.push_back(elaborate_scalar(e, child, context));
      if (!arguments.back()) return invalid();
    }
    e.has_delays = true;
    return scalar(e.pool().delay(arguments));
  }
  known = false;
  return invalid();
}

Value elaborate_call(Elaboration& e, const Expression& x, Context& context) {
  const std::string& name = x.name.symbol.text();
  if (!context.function_variables)
    if (const Member* member = e.find_member(context.instance, x.name.symbol); member && member->kind == MemberKind::Table)
      return elaborate_table(e, x, member->first, context);
  if (const auto found = e.program.find_function(x.name.symbol, context.file(), context.scope); found.function)
    return elaborate_user_call(e, x, found, context);
  bool known = false;
  const Value special = elaborate_special(e, x, name, context, known);
  if (known) return special;
  Function f{};
  if (equations::function_named(name, f)) return elaborate_builtin(e, x, f, context);
  std::vector<std::string> names{"der", "der2", "new", "pre", "size", "sum", "noevent", "delay"};
  for (int k = 0; k <= static_cast<int>(Function::Ceil); ++k)
    names.emplace_back(equations::name(static_cast<Function>(k)));
  Diagnostic* error = e.error(x.name.where, "unknown function '" + name + "'", context.instance);
  if (!error) return invalid();
  const Member* member = context.function_variables ? nullptr : e.find_member(context.instance, x.name.symbol);
  if (member && member->kind == MemberKind::Variable)
    error->remark(member->where, "'" + name + "' is a variable; elements of an array are written " + name +
                  "[i], a product " + name + "*(...)");
  else if (const std::string near = support::nearest_name(name, names); !near.empty())
    error->remark("did you mean '" + near + "'?");
  return invalid();
}

}  // namespace

std::optional<Shape> common_shape(Elaboration& e, const Value& a, const Value& b, SourceRange where, Context& context) {
  // x = 0 holds for every element of x; y = x with one unknown y does not make sense.
  const auto spreads = [&](const Value& v) {
    std::vector<VarId> variables;
    if (v.shape.rank == 0) e.occurrences.variables(v.scalar, variables);
    return v.shape.rank == 0 &&
           std::all_of(variables.begin(), variables.end(), [&](VarId u) { return is_constant(e.model[u]); });
  };
  if (a.shape == b.shape) return a.shape;
  if (spreads(b)) return a.shape;
  if (spreads(a)) return b.shape;
  e.error(where, to_text(a.shape) + " cannot equal " + to_text(b.shape), context.instance);
  return std::nullopt;
}

Expr elaborate_scalar(Elaboration& e, const Expression& expression, Context& context) {
  const Value v = elaborate(e, expression, context);
  return v.valid() && is_scalar(e, v, expression.where, context) ? v.scalar : nullptr;
}

Value elaborate(Elaboration& e, const Expression& x, Context& context) {
  switch (x.kind) {
    case ExpressionKind::Number: return scalar(e.pool().number(x.number));
    case ExpressionKind::Boolean: return scalar(e.pool().boolean(x.boolean));
    case ExpressionKind::String:
      e.error(x.where, "a text cannot be used in an expression", context.instance);
      return invalid();
    case ExpressionKind::Reference: return elaborate_reference(e, x, context);
    case ExpressionKind::Sum: return elaborate_sum(e, x, context);
    case ExpressionKind::Product: return elaborate_product(e, x, context);
    case ExpressionKind::Power: {
      const Expr base = elaborate_scalar(e, x.children[0], context);
      const Expr exponent = elaborate_scalar(e, x.children[1], context);
      return base && exponent ? scalar(e.pool().pow(base, exponent)) : invalid();
    }
    case ExpressionKind::Relation: return elaborate_relation(e, x, context);
    case ExpressionKind::And:
    case ExpressionKind::Or:
    case ExpressionKind::Not: return elaborate_logic(e, x, context);
    case ExpressionKind::If: return elaborate_if(e, x, context);
    case ExpressionKind::Call: return elaborate_call(e, x, context);
    case ExpressionKind::Prime: {
      const Value v = elaborate(e, x.children[0], context);
      if (!v.valid()) return invalid();
      return map(v, [&](Expr a) {
        for (int k = 0; k < x.order; ++k) a = e.pool().der(a);
        return a;
      });
    }
    case ExpressionKind::Matrix: return elaborate_matrix(e, x, context);
    case ExpressionKind::Range:
      e.error(x.where, "a range can be used as an index only", context.instance);
      return invalid();
  }
  return invalid();
}

}  // namespace fmugen::semantics
