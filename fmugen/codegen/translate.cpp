// The step from mathematics to memory.
//
//   if h < 0 then -c*pre(w) else delay(w, T)      if held[0] then -v[4]*pre[0] else delay_0(v[5])
//
// Every node is translated once for each of three meanings: outside noevent(...) relations that make events are read
// where they are held, inside they are computed on the spot; and in branches that a held condition chooses, a square root
// must not fail on the way to the event: if h > 0 then sqrt(h) else 0. Expressions are shared, so the same node may stand
// in all of them.
//
// Tangents are found by symbolic differentiation, in which a value that changes has the tangent d[slot]; relations,
// previous and delayed values have none: they do not change with the present states. mod(x, y), whose quotient is held,
// is x - held*y.
#include "fmugen/codegen/translate.h"

#include <stdexcept>

namespace fmugen::codegen {

using equations::Function;
using equations::Op;
using structure::kNone;

// ---- words ----------------------------------------------------------------------------------------------------------

Vocabulary::Vocabulary(const structure::SimulationPlan& p, const MemoryLayout& l) : plan(p), layout(l) {
  for (std::uint32_t k = 0; k < plan.events.relations.size(); ++k) relations_[plan.events.relations[k].node] = k;
  pre_numbers_.assign(layout.slots, kNone);
  differentiator_ = std::make_unique<equations::Differentiator>(
      pool,
      [this](Expr e) -> Expr {
        const Leaf leaf = leaf_of(e->variable());
        return leaf.kind == LeafKind::Value ? pool.variable(code({LeafKind::Tangent, leaf.number})) : pool.number(0);
      },
      [this](Expr call, std::size_t argument) { return call_derivative(call, argument); });
}

std::optional<std::uint32_t> Vocabulary::relation(Expr node) const {
  const std::uint32_t* number = relations_.find(node);
  return number ? std::optional(*number) : std::nullopt;
}

std::uint32_t Vocabulary::pre_number(Slot slot) {
  std::uint32_t& number = pre_numbers_[slot];
  if (number == kNone) {
    number = static_cast<std::uint32_t>(pre.size());
    pre.push_back(slot);
  }
  return number;
}

std::uint32_t Vocabulary::delay_number(Expr node) {
  if (const std::uint32_t* known = delay_numbers_.find(node)) return *known;
  const auto number = static_cast<std::uint32_t>(delays.size());
  delay_numbers_[node] = number;
  delays.push_back(node);
  return number;
}

std::uint32_t Vocabulary::table_use(TableUse use) {
  const auto [known, added] = table_numbers_.emplace(use, static_cast<std::uint32_t>(table_uses.size()));
  if (added) table_uses.push_back(use);
  return known->second;
}

std::uint32_t Vocabulary::delay_callee(std::uint32_t delay) const {
  return static_cast<std::uint32_t>(plan.system.model.functions.size()) + delay;
}

std::optional<std::uint32_t> Vocabulary::delay_of_callee(std::uint32_t callee) const {
  const auto functions = static_cast<std::uint32_t>(plan.system.model.functions.size());
  return callee < functions || callee == kRootCallee ? std::nullopt : std::optional(callee - functions);
}

Expr Vocabulary::call_derivative(Expr call, std::size_t argument) {
  constexpr std::uint32_t kHighestOrder = 2;  // what the run time knows of tables
  if (call->op() == Op::UserCall) {
    if (delay_of_callee(call->callee())) return nullptr;
    if (call->callee() == kRootCallee)  // 0 where the argument is not positive
      return pool.if_then_else(pool.relation(Op::Less, pool.number(0), call->child(0)),
                               pool.div(pool.number(0.5), call), pool.number(0));
    // The plan has made tangents of all functions for which there is one.
    const std::optional<std::uint32_t> tangent = plan.system.model.functions[call->callee()].tangent;
    if (tangent.value_or(equations::kNoTangent) == equations::kNoTangent) return nullptr;
    std::vector<Expr> arguments(call->children().begin(), call->children().end());
    for (std::size_t k = 0; k < call->size(); ++k) arguments.push_back(pool.number(k == argument ? 1 : 0));
    return pool.user_call(*tangent, call->result(), arguments);
  }
  TableUse use = table_uses[call->callee()];
  ++(argument == 0 ? use.order_x : use.order_y);
  if (use.order_x + use.order_y > kHighestOrder) return nullptr;
  return pool.table_call(table_use(use), call->children());
}

Expr Vocabulary::tangent(Expr e) { return (*differentiator_)(e).value; }

// ---- translation ----------------------------------------------------------------------------------------------------

Translator::Translator(Vocabulary& words, TranslateOptions options) : words_(words), options_(std::move(options)) {}

Expr Translator::variable(VarId v) {
  if (options_.variable) return options_.variable(v);
  const Place place = words_.layout.place[index(v)];
  const bool active = options_.active && options_.active(v);
  const Expr value = leaf(active ? LeafKind::Value : LeafKind::Passive, place.slot);
  return place.sign > 0 ? value : words_.pool.neg(value);
}

Expr Translator::translate(Expr e, Mode mode) {
  equations::NodeMap<Expr>& known = done(mode);
  equations::post_order(
      e,
      [&](Expr node) {
        if (known.contains(node)) return true;
        const Expr found = enter(node, mode);
        if (found) known[node] = found;
        return found != nullptr;
      },
      [&](Expr node) {
        const Expr result = rebuild(node, mode);
        known[node] = result;
      });
  return known.at(e);
}

// An `if` whose condition is held: between events its branches may be computed a little beyond where they were meant
// for, since that is how the event is found. Null if the condition is not held.
Expr Translator::choice(Expr e, Mode mode) {
  if (mode == Mode::Direct) return nullptr;
  const Expr condition = translate(e->child(0), Mode::Plain);
  std::vector<Expr> work{condition};
  bool held = false;
  while (!work.empty() && !held) {
    const Expr node = work.back();
    work.pop_back();
    held = node->op() == Op::Variable && leaf_of(node->variable()).kind == LeafKind::Held;
    work.insert(work.end(), node->children().begin(), node->children().end());
  }
  if (!held) return nullptr;
  return words_.pool.if_then_else(condition, translate(e->child(1), Mode::Guarded),
                                  translate(e->child(2), Mode::Guarded));
}

// What stands for a node without a look at its children, or null. Recursion goes as deep as if, noevent and delay are
// nested in a text.
Expr Translator::enter(Expr e, Mode mode) {
  equations::ExprPool& pool = words_.pool;
  switch (e->op()) {
    case Op::Number: return pool.number(e->number());
    case Op::Boolean: return pool.boolean(e->boolean());
    case Op::Variable: return variable(e->variable());
    case Op::Time:
      if (options_.late) return leaf(LeafKind::Late, 0);
      return leaf(options_.active ? LeafKind::Value : LeafKind::Passive, 0);
    case Op::UserCall: return e->size() > 0 ? nullptr : pool.user_call(e->callee(), e->result(), {});
    case Op::Der: {
      const std::uint32_t rate = words_.plan.system.derivative[index(e->child(0)->variable())];
      if (rate == kNone) throw std::logic_error("a derivative that no equation determines");
      return variable(VarId{rate});
    }
    case Op::New: throw std::logic_error("new(...) outside a sampled system");
    case Op::Pre: {
      const Place place = words_.layout.place[index(e->child(0)->variable())];
      const bool held = words_.plan.system.model[e->child(0)->variable()].sample < 0 && words_.layout.kept[place.slot];
      if (options_.start && held) return variable(e->child(0)->variable());
      const Expr value = leaf(LeafKind::Pre, words_.pre_number(place.slot));
      return place.sign > 0 ? value : pool.neg(value);
    }
    case Op::Delay: {
      if (options_.start) return leaf(LeafKind::Value, words_.layout.slots + words_.delay_number(e));
      const Expr by = translate(e->child(1), mode);
      return pool.user_call(words_.delay_callee(words_.delay_number(e)), 0, std::span(&by, 1));
    }
    case Op::NoEvent: return translate(e->child(0), Mode::Direct);
    case Op::If: return choice(e, mode);
    case Op::Call:
      if (e->function() == Function::Mod) return nullptr;
      [[fallthrough]];
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::Unequal:
      if (const auto number = mode == Mode::Direct ? std::nullopt : words_.relation(e))
        return leaf(LeafKind::Held, *number);
      return nullptr;
    default: return nullptr;
  }
}

Expr Translator::rebuild(Expr e, Mode mode) {
  equations::ExprPool& pool = words_.pool;
  std::vector<Expr> children;
  children.reserve(e->size());
  for (const Expr child : e->children()) children.push_back(done(mode).at(child));
  if (e->op() == Op::Pow && e->child(1)->is_number(-1)) return pool.reciprocal(children[0]);  // x/3 stays a division
  if (e->op() == Op::TableCall) {
    const equations::TableData& t = words_.plan.system.model.tables[e->callee()];
    const bool derived = t.derivative_of != equations::kNoTangent;
    return pool.table_call(words_.table_use({derived ? t.derivative_of : e->callee(), t.order_x, t.order_y}), children);
  }
  if (e->op() == Op::Call && e->function() == Function::Mod && mode != Mode::Direct)
    if (const auto number = words_.relation(e))
      return pool.sub(children[0], pool.mul(leaf(LeafKind::Held, *number), children[1]));
  if (e->op() == Op::Call && e->function() == Function::Sqrt && mode == Mode::Guarded)
    return pool.user_call(Vocabulary::kRootCallee, 0, children);
  return pool.rebuild(e, children);
}

}  // namespace fmugen::codegen
