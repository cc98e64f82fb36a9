// Sets of known variables are passed on from block to block in the order of computation.
//
// With every member of a set goes how the unknown depends on it: by a constant factor, by one that parameters make, by
// one that tunable parameters make, or in any way. Through an assignment y := f(a, b) the way is the worse of that from
// the known variable to a and of df/da; a linear block with a matrix of parameters turns constants into "fixed" or
// "tunable"; in a nonlinear block all is "dependent".
//
//   a := 2*x, der(x) := -k*a + u*u       x fixed (2*k), u dependent
//
// The cost is the sum of the sizes of all sets; where that would grow beyond a budget, nothing is said.
#include "fmugen/fmu/dependencies.h"

#include <algorithm>

namespace fmugen::fmu {

using equations::Expr;
using equations::index;
using equations::VariableKind;
using equations::VarId;
using structure::Block;
using structure::BlockKind;
using structure::kNone;

namespace {

constexpr std::size_t kSetElements = 100;        // for each equation
constexpr std::size_t kLeastElements = 2000000;  // but small models may be dense
constexpr std::size_t kMostVariables = 64;       // of an expression that is differentiated by each

bool worse(DependencyKind a, DependencyKind b) {
  const auto rank = [](DependencyKind k) {
    return k == DependencyKind::Constant ? 0 : k == DependencyKind::Fixed ? 1 : k == DependencyKind::Tunable ? 2 : 3;
  };
  return rank(a) > rank(b);
}

DependencyKind worst(DependencyKind a, DependencyKind b) { return worse(a, b) ? a : b; }

}  // namespace

Dependencies::Dependencies(structure::SimulationPlan& plan, std::vector<bool> known, const std::vector<Block>& blocks,
                           const std::vector<structure::SystemEquation>& equations, bool start)
    : plan_(plan),
      known_(std::move(known)),
      set_of_(plan.system.model.variables.size(), kNone),
      budget_(std::max(kLeastElements, kSetElements * equations.size())),
      start_(start) {
  run(blocks, equations);
}

void Dependencies::run(const std::vector<Block>& blocks, const std::vector<structure::SystemEquation>& equations) {
  auto& model = plan_.system.model;
  for (std::uint32_t v = 0; v < model.variables.size(); ++v)  // bindings refer to parameters before them or after
    if (model.variables[v].kind == VariableKind::Parameter && model.variables[v].binding && !known_[v]) of(VarId{v});
  for (const Block& block : blocks) {
    if (exhausted_) return;
    if (block.kind == BlockKind::Nonlinear || block.assignments.empty()) {
      Set set;
      const bool linear = block.kind == BlockKind::Linear && block.constant;
      for (const std::uint32_t k : block.equations)
        for (const Expr side : {equations[k].left, equations[k].right}) add_expression(side, linear, set);
      finish(set);
      if (linear) {
        DependencyKind factor = DependencyKind::Fixed;
        for (const structure::Entry& e : block.matrix) factor = worst(factor, factor_kind(e.value));
        for (Entry& e : set) e.kind = worst(e.kind, factor);
      }
      const std::uint32_t number = store(std::move(set));
      for (const VarId v : block.unknowns) set_of_[index(v)] = number;
      continue;
    }
    for (const structure::Assignment& a : block.assignments) {
      Set set;
      add_expression(a.value, true, set);
      finish(set);
      set_of_[index(a.unknown)] = store(std::move(set));
    }
  }
}

std::uint32_t Dependencies::store(Set set) {
  if (set.size() > budget_) exhausted_ = true;
  budget_ -= std::min(budget_, set.size());
  sets_.push_back(exhausted_ ? Set{} : std::move(set));
  return static_cast<std::uint32_t>(sets_.size() - 1);
}

// Adds what the expression depends on; with `linear`, how.
void Dependencies::add_expression(Expr e, bool linear, Set& set) {
  if (e->has_time()) set.push_back({kTime, DependencyKind::Dependent});
  std::vector<VarId> found;
  occurrences_.present(e, found);
  const bool look = linear && found.size() <= kMostVariables;
  for (const VarId v : found) add_variable(v, look ? kind_of(e, v) : DependencyKind::Dependent, set);
  if (start_) add_remembered(e, found, set);
}

// What stands in pre and delay only: at the start it is what it is now.
void Dependencies::add_remembered(Expr e, const std::vector<VarId>& present, Set& set) {
  std::vector<VarId> all;
  occurrences_.variables(e, all);
  if (all.size() == present.size()) return;
  for (const VarId v : all) {
    if (std::find(present.begin(), present.end(), v) != present.end()) continue;
    if (!known_[index(v)] && set_of_[index(v)] == kNone)  // computed later, or not at all
      set.push_back({kEverything, DependencyKind::Dependent});
    else
      add_variable(v, DependencyKind::Dependent, set);
  }
}

void Dependencies::add_variable(VarId v, DependencyKind through, Set& set) {
  if (exhausted_) return;
  if (start_ && plan_.system.model[v].sample >= 0) set.push_back({kEverything, DependencyKind::Dependent});
  if (known_[index(v)]) {
    set.push_back({index(v), through});
    return;
  }
  if (set_of_[index(v)] == kNone) return;  // an unknown of the block itself, or a value that is held
  for (const Entry& e : sets_[set_of_[index(v)]]) set.push_back({e.known, worst(e.kind, through)});
  if (set.size() > 4 * budget_) exhausted_ = true;
}

DependencyKind Dependencies::kind_of(Expr e, VarId v) {
  auto& pool = plan_.system.model.pool;
  const auto slope = equations::partial_derivative(pool, e, pool.variable(v));
  if (!slope) return DependencyKind::Dependent;
  return factor_kind(slope.value);
}

// How a factor changes: never, or with parameters that are fixed or tunable, or in any way.
DependencyKind Dependencies::factor_kind(Expr e) {
  if (e->is_number()) return DependencyKind::Constant;
  if (e->has_time()) return DependencyKind::Dependent;
  std::vector<VarId> found;
  occurrences_.variables(e, found);
  DependencyKind kind = DependencyKind::Fixed;
  for (const VarId v : found) {
    const equations::Variable& variable = plan_.system.model[v];
    if (variable.kind != VariableKind::Parameter && variable.kind != VariableKind::Constant)
      return DependencyKind::Dependent;
    if (variable.tunable) kind = DependencyKind::Tunable;
  }
  return kind;
}

// Sorted, each known variable once, in the worst way found.
void Dependencies::finish(Set& set) {
  std::sort(set.begin(), set.end(), [](const Entry& a, const Entry& b) {
    return a.known != b.known ? a.known < b.known : worse(a.kind, b.kind);
  });
  set.erase(std::unique(set.begin(), set.end(), [](const Entry& a, const Entry& b) { return a.known == b.known; }),
            set.end());
}

std::optional<std::vector<Dependencies::Entry>> Dependencies::of(const std::vector<Expr>& expressions) {
  Set set;
  for (const Expr e : expressions) add_expression(e, false, set);
  finish(set);
  if (exhausted_) return std::nullopt;
  return set;
}

std::optional<std::vector<Dependencies::Entry>> Dependencies::of(VarId v) {
  if (exhausted_) return std::nullopt;
  if (known_[index(v)]) return Set{{index(v), DependencyKind::Constant}};
  if (set_of_[index(v)] != kNone) return sets_[set_of_[index(v)]];
  const equations::Variable& variable = plan_.system.model[v];
  if (variable.kind != VariableKind::Parameter || !variable.binding) return Set{};
  // Parameters follow from parameters, without circles; walked without recursion, since chains can be long.
  std::vector<VarId> work{v};
  std::vector<VarId> found;
  while (!work.empty()) {
    const VarId p = work.back();
    found.clear();
    if (plan_.system.model[p].binding) occurrences_.present(plan_.system.model[p].binding, found);
    const std::size_t before = work.size();
    for (const VarId other : found)
      if (!known_[index(other)] && set_of_[index(other)] == kNone && other != p &&
          plan_.system.model[other].kind == VariableKind::Parameter)
        work.push_back(other);
    if (work.size() > before) continue;
    Set set;
    if (plan_.system.model[p].binding) add_expression(plan_.system.model[p].binding, true, set);
    finish(set);
    set_of_[index(p)] = store(std::move(set));
    work.pop_back();
  }
  if (exhausted_) return std::nullopt;
  return sets_[set_of_[index(v)]];
}

}  // namespace fmugen::fmu
