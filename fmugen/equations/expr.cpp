// Constructors of expressions other than sums, products and powers: functions, operators of time, conditions.
//
// Each folds what is decided by numbers and leaves the rest as written. Folding looks at the operands' own kinds only,
// never below them, so building an expression costs time proportional to its operands.
#include "fmugen/equations/expr.h"

#include <algorithm>
#include <cmath>

#include "fmugen/equations/expr_store.h"
#include "fmugen/equations/functions.h"

namespace fmugen::equations {

namespace {

bool is_literal(Expr e) { return e->op() == Op::Number || e->op() == Op::Boolean; }

bool is_leaf(Expr e) { return is_literal(e) || e->op() == Op::Variable || e->op() == Op::Time; }

double value_of(Expr literal) { return literal->op() == Op::Boolean ? literal->boolean() : literal->number(); }

}  // namespace

ExprPool::ExprPool() : store_(std::make_unique<Store>()) {}
ExprPool::~ExprPool() = default;
ExprPool::ExprPool(ExprPool&&) noexcept = default;
ExprPool& ExprPool::operator=(ExprPool&&) noexcept = default;

std::size_t ExprPool::nodes() const { return store_->nodes; }
std::size_t ExprPool::bytes() const { return store_->bytes(); }

Expr ExprPool::number(double value) { return store_->number(value); }
Expr ExprPool::boolean(bool value) { return value ? store_->yes : store_->no; }
Expr ExprPool::variable(VarId id) { return store_->intern_variable(id); }
Expr ExprPool::time() { return store_->time; }

// ---- functions ------------------------------------------------------------------------------------------------------

Expr ExprPool::call(Function f, std::span<const Expr> arguments) {
  if (arguments.size() == 1 && (f == Function::Min || f == Function::Max)) return arguments[0];
  bool numbers = !arguments.empty();
  for (const Expr a : arguments) numbers = numbers && a->is_number();
  if (numbers) {
    std::vector<double> values;
    for (const Expr a : arguments) values.push_back(a->number());
    const double value = function_value(f, values);
    if (std::isfinite(value)) return number(value);
  }
  return store_->intern(Op::Call, static_cast<std::uint32_t>(f), arguments);
}

Expr ExprPool::call(Function f, Expr argument) { return call(f, {&argument, 1}); }

Expr ExprPool::user_call(std::uint32_t function, std::uint32_t result, std::span<const Expr> arguments) {
  return store_->intern(Op::UserCall, (function & 0xffffff) | result << 24, arguments);
}

Expr ExprPool::table_call(std::uint32_t table, std::span<const Expr> arguments) {
  return store_->intern(Op::TableCall, table & 0xffffff, arguments);
}

// ---- operators of time ----------------------------------------------------------------------------------------------

Expr ExprPool::der(Expr a) { return a->is_number() ? number(0) : store_->intern(Op::Der, 0, {&a, 1}); }

Expr ExprPool::pre(Expr variable) {
  return is_literal(variable) ? variable : store_->intern(Op::Pre, 0, {&variable, 1});
}

Expr ExprPool::next(Expr variable) {
  return is_literal(variable) ? variable : store_->intern(Op::New, 0, {&variable, 1});
}

Expr ExprPool::delay(std::span<const Expr> arguments) {
  if (is_literal(arguments[0]) || arguments[1]->is_number(0)) return arguments[0];
  return store_->intern(Op::Delay, 0, arguments);
}

Expr ExprPool::no_event(Expr a) { return is_leaf(a) ? a : store_->intern(Op::NoEvent, 0, {&a, 1}); }

// ---- conditions -----------------------------------------------------------------------------------------------------

Expr ExprPool::if_then_else(Expr condition, Expr then_value, Expr else_value) {
  if (condition->op() == Op::Boolean) return condition->boolean() ? then_value : else_value;
  if (then_value == else_value) return then_value;
  const Expr operands[] = {condition, then_value, else_value};
  return store_->intern(Op::If, 0, operands);
}

Expr ExprPool::relation(Op op, Expr a, Expr b) {
  if (is_literal(a) && is_literal(b)) {
    const double x = value_of(a), y = value_of(b);
    switch (op) {
      case Op::Less: return boolean(x < y);
      case Op::LessEqual: return boolean(x <= y);
      case Op::Equal: return boolean(x == y);
      default: return boolean(x != y);
    }
  }
  const Expr operands[] = {a, b};
  return store_->intern(op, 0, operands);
}

Expr ExprPool::logical(Op op, std::span<const Expr> operands) {
  Store& s = *store_;
  const bool decisive = op == Op::Or;  // true decides an `or`, false an `and`
  bool decided = false;
  std::size_t count = 0;
  for (const Expr e : operands) count += e->op() == op ? e->size() : 1;
  s.operands.clear();
  s.places.start(count);
  const auto put = [&](Expr e) {
    if (e->op() == Op::Boolean) {
      decided = decided || e->boolean() == decisive;
      return;
    }
    const auto same = [&](std::uint32_t i) { return s.operands[i] == e; };
    if (s.places.place(hash_operands(0, {&e, 1}), same) == s.operands.size()) s.operands.push_back(e);
  };
  for (const Expr e : operands) {
    if (e->op() == op)
      for (const Expr inner : e->children()) put(inner);
    else
      put(e);
  }
  if (decided) return boolean(decisive);
  if (s.operands.empty()) return boolean(!decisive);
  if (s.operands.size() == 1) return s.operands[0];
  return s.intern(op, 0, s.operands);
}

Expr ExprPool::negation(Expr a) {
  if (a->op() == Op::Boolean) return boolean(!a->boolean());
  if (a->op() == Op::Not) return a->child(0);
  return store_->intern(Op::Not, 0, {&a, 1});
}

// ---- rebuilding -----------------------------------------------------------------------------------------------------

Expr ExprPool::rebuild(Expr e, std::span<const Expr> children) {
  if (std::ranges::equal(e->children(), children)) return e;
  switch (e->op()) {
    case Op::Number:
    case Op::Boolean:
    case Op::Variable:
    case Op::Time: return e;
    case Op::Add: return add(children);
    case Op::Mul: return mul(children);
    case Op::Pow: return pow(children[0], children[1]);
    case Op::Call: return call(e->function(), children);
    case Op::UserCall: return user_call(e->callee(), e->result(), children);
    case Op::TableCall: return table_call(e->callee(), children);
    case Op::Der: return der(children[0]);
    case Op::Pre: return pre(children[0]);
    case Op::New: return next(children[0]);
    case Op::Delay: return delay(children);
    case Op::NoEvent: return no_event(children[0]);
    case Op::If: return if_then_else(children[0], children[1], children[2]);
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::Unequal: return relation(e->op(), children[0], children[1]);
    case Op::And:
    case Op::Or: return logical(e->op(), children);
    case Op::Not: return negation(children[0]);
  }
  return e;
}

}  // namespace fmugen::equations
