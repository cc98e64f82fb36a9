// Derivatives become variables: der(x) is a variable "der(x)" of its own, linked with x both ways. Sorting then deals
// with variables only, and differentiating an equation adds further links.
#include "fmugen/structure/system.h"

#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/substitute.h"

namespace fmugen::structure {

using equations::Op;

VarId System::derivative_of(VarId x) {
  if (derivative[index(x)] != kNone) return VarId{derivative[index(x)]};
  equations::Variable v;
  v.local_name = "der(" + model[x].local_name + ")";
  v.instance = model[x].instance;
  v.kind = equations::VariableKind::Local;
  v.where = model[x].where;
  v.auxiliary = true;
  v.derivative_of = index(x);
  const auto id = static_cast<std::uint32_t>(model.variables.size());
  model.variables.push_back(std::move(v));
  derivative[index(x)] = id;
  derivative.push_back(kNone);
  integral.push_back(index(x));
  alias.push_back({VarId{id}, 1, false, 0});
  return VarId{id};
}

System make_system(FlatModel model) {
  System system;
  system.model = std::move(model);
  const auto n = static_cast<std::uint32_t>(system.model.variables.size());
  system.derivative.assign(n, kNone);
  system.integral.assign(n, kNone);
  for (std::uint32_t v = 0; v < n; ++v) system.alias.push_back({VarId{v}, 1, false, 0});
  equations::ExprPool& pool = system.model.pool;
  equations::Substitution replace(pool, [&](Expr leaf) -> Expr {
    if (leaf->op() != Op::Der) return nullptr;
    return pool.variable(system.derivative_of(leaf->child(0)->variable()));
  });
  for (std::uint32_t k = 0; k < system.model.equations.size(); ++k) {
    const equations::FlatEquation& e = system.model.equations[k];
    if (e.sample >= 0) continue;
    const Expr left = e.left->has_der() ? replace(e.left) : e.left;
    const Expr right = e.right->has_der() ? replace(e.right) : e.right;
    system.equations.push_back({left, right, k, 0});
  }
  return system;
}

void add_initial_derivatives(System& system) {
  equations::Occurrences occurrences;
  std::vector<Expr> leaves;
  for (const equations::FlatEquation& e : system.model.initial_equations)
    for (const Expr side : {e.left, e.right})
      if (side->has_der()) occurrences.leaves(side, leaves);
  for (const Expr leaf : leaves) {
    if (leaf->op() != Op::Der) continue;
    const Alias& a = system.alias[index(leaf->child(0)->variable())];
    if (!a.constant && is_unknown(system, a.root)) system.derivative_of(a.root);
  }
}

bool is_unknown(const System& system, VarId v) {
  const equations::Variable& variable = system.model[v];
  switch (variable.kind) {
    case equations::VariableKind::Parameter:
    case equations::VariableKind::Constant:
    case equations::VariableKind::Discrete: return false;
    case equations::VariableKind::Input: return !variable.boundary;
    case equations::VariableKind::Local:
    case equations::VariableKind::Terminal:
    case equations::VariableKind::Output: return variable.sample < 0;
  }
  return false;
}

bool is_selection(const System& system, VarId v) {
  const equations::Variable& variable = system.model[v];
  return variable.kind == equations::VariableKind::Discrete && variable.auxiliary;
}

}  // namespace fmugen::structure
