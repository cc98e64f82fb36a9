// Equations are rewritten when aliases are removed; conditions, events and sampled equations stay in the flat model
// until their stage comes, and are rewritten then.
//
//   R1.I is -R2.I, C.V is R2.V                  pre(R1.I) -> -pre(R2.I)       der(C.V) -> the variable der(R2.V)
#include "fmugen/structure/resolve.h"

#include "fmugen/equations/occurrences.h"

namespace fmugen::structure {

using equations::Op;

namespace {

Expr with_sign(equations::ExprPool& pool, Expr e, int sign) { return sign > 0 ? e : pool.neg(e); }

// Null: the leaf stays.
Expr replacement(System& s, Expr leaf) {
  equations::ExprPool& pool = s.model.pool;
  if (leaf->op() == Op::Variable) {
    const Alias& a = s.alias[index(leaf->variable())];
    return !a.constant && a.root == leaf->variable() ? nullptr : resolved_variable(s, leaf->variable());
  }
  if (leaf->op() != Op::Der && leaf->op() != Op::Pre) return nullptr;
  if (leaf->child(0)->op() != Op::Variable) return nullptr;
  const Alias& a = s.alias[index(leaf->child(0)->variable())];
  if (leaf->op() == Op::Pre)
    return a.constant ? pool.number(a.value) : with_sign(pool, pool.pre(pool.variable(a.root)), a.sign);
  if (a.constant) return pool.number(0);
  const std::uint32_t rate = s.derivative[index(a.root)];
  if (rate == kNone) return leaf;
  return with_sign(pool, resolved_variable(s, VarId{rate}), a.sign);
}

}  // namespace

Resolver::Resolver(System& system)
    : substitute_(system.model.pool, [&system](Expr leaf) { return replacement(system, leaf); }) {}

std::optional<VarId> Resolver::missing_derivative(Expr resolved) {
  if (!resolved->has_der()) return std::nullopt;
  equations::Occurrences occurrences;
  std::vector<Expr> leaves;
  occurrences.leaves(resolved, leaves);
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k]->op() == Op::Der && leaves[k]->child(0)->op() == Op::Variable) return leaves[k]->child(0)->variable();
    if (leaves[k]->op() == Op::Delay && leaves[k]->has_der())
      for (const Expr child : leaves[k]->children()) occurrences.leaves(child, leaves);
  }
  return std::nullopt;
}

Expr resolved_variable(System& system, VarId v) {
  const Alias& a = system.alias[index(v)];
  if (a.constant) return system.model.pool.number(a.value);
  return with_sign(system.model.pool, system.model.pool.variable(a.root), a.sign);
}

}  // namespace fmugen::structure
