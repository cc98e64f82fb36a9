// Reads initial values and start attributes, class by class.
//
// A variable that equals another, or its negative, shares its start. So every value written is turned into one for the
// representative of the class, with the sign. Values that must hold (x0 of der(x, x0) and new(x, x0), values of
// discrete variables, starts with fixed = true) may be written for several members only if they agree; of mere start
// values that of the representative counts, otherwise the first; that the others differ is told where it is the value of
// a state, not where it is merely a guess.
//
//   y = x, z = -x; y starts at 2, fixed; z starts at -2, fixed             x = 2
#include "fmugen/structure/start_conditions.h"

#include <algorithm>
#include <cmath>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/print.h"

namespace fmugen::structure {

using equations::VariableKind;
using Start = InitialPlan::Start;

namespace {

constexpr double kRounding = 1e-12;  // relative; of parameters computed from others

}  // namespace

StartConditions::StartConditions(System& system, Resolver& resolve, support::Diagnostics& diagnostics)
    : s_(system), resolve_(resolve), diagnostics_(diagnostics) {
  const std::size_t n = s_.model.variables.size();
  given_of_.assign(n, kNone);
  start_.assign(n, nullptr);
  start_of_.assign(n, kNone);
  for (std::uint32_t v = 0; v < n; ++v) read(VarId{v});
}

Condition StartConditions::guess(VarId v) const {
  equations::ExprPool& pool = s_.model.pool;
  Expr value = start_[index(v)];
  const equations::Variable& variable = s_.model[v];
  if (!value && variable.kind == VariableKind::Parameter)
    value = variable.binding ? variable.binding : pool.number(variable.value);
  if (!value) value = variable.type == equations::VariableType::Boolean ? pool.boolean(false) : pool.number(0);
  return {{v, value, Start::Guess}, v, variable.where};
}

void StartConditions::read(VarId v) {
  const equations::Variable& variable = s_.model[v];
  const equations::Attributes& attributes = s_.model.attributes_of(v);
  const bool fixed = attributes.fixed.value_or(false);
  if (!variable.initial && !attributes.start && !fixed) return;
  if (variable.kind == VariableKind::Constant || variable.kind == VariableKind::Parameter) return;
  if (variable.kind == VariableKind::Input && variable.boundary) return;
  Expr value = variable.initial ? variable.initial : attributes.start ? attributes.start : s_.model.pool.number(0);
  value = resolve_(value);
  if (const auto x = Resolver::missing_derivative(value)) {
    diagnostics_.error(variable.where,
                       "der(" + s_.name(*x) + ") cannot be used in a start value: no equation contains it");
    return;
  }
  const Alias a = s_.alias[index(v)];
  const bool given = variable.initial || fixed;
  if (a.constant) {
    if (given) compare_constant(v, a.value, value);
    return;
  }
  if (a.sign < 0) value = s_.model.pool.neg(value);
  if (given) {
    add_given({{a.root, value, variable.initial ? Start::Given : Start::Fixed}, v, variable.where});
    return;
  }
  written_.push_back({{a.root, value, Start::Guess}, v, variable.where});
  if (start_[index(a.root)] && a.root != v) return;
  start_[index(a.root)] = value;
  start_of_[index(a.root)] = index(v);
}

void StartConditions::warn_of_unused(const std::vector<bool>& begins_so) const {
  for (const Condition& c : written_) {
    const std::uint32_t root = index(c.start.variable);
    if (!begins_so[root] || start_of_[root] == index(c.from)) continue;
    const double unused = value_now(c.start.value), used = value_now(start_[root]);
    if (!(std::abs(unused - used) > kRounding * std::max(std::abs(unused), std::abs(used)))) continue;
    const VarId other{start_of_[root]};
    const bool equal = s_.alias[index(c.from)].sign == s_.alias[index(other)].sign;
    diagnostics_
        .warning(c.where, "the start value of '" + s_.name(c.from) +
                              "' is not used: " + (equal ? "it equals '" : "it is the negative of '") + s_.name(other) +
                              "', which has another start value")
        .remark(s_.model[other].where,
                "both are one state, which begins with the start value of '" + s_.name(other) + "'")
        .remark("leave one of the two values out, or replace both by an initial equation");
  }
}

void StartConditions::add_given(const Condition& condition) {
  std::uint32_t& place = given_of_[index(condition.start.variable)];
  if (place == kNone) {
    place = static_cast<std::uint32_t>(given_.size());
    given_.push_back(condition);
    return;
  }
  const Condition& other = given_[place];
  if (same(other.start.value, condition.start.value)) return;
  diagnostics_
      .error(condition.where, "'" + s_.name(condition.from) + "' and '" + s_.name(other.from) +
                                  "' are equal in absolute value, but have different initial values")
      .remark(other.where, "'" + s_.name(other.from) + "' is declared here");
}

void StartConditions::compare_constant(VarId v, double constant, Expr value) {
  if (same(s_.model.pool.number(constant), value)) return;
  diagnostics_.error(s_.model[v].where, "'" + s_.name(v) + "' is always " + equations::number_text(constant) +
                                            " and cannot have another initial value");
}

// Equal at the values that parameters have now.
bool StartConditions::same(Expr a, Expr b) const {
  if (a == b) return true;
  const double x = value_now(a), y = value_now(b);
  return std::abs(x - y) <= kRounding * std::max(std::abs(x), std::abs(y));
}

double StartConditions::value_now(Expr e) const {
  equations::Values values;
  values.variable = [&](VarId v) { return s_.model[v].value; };
  values.time = s_.model.experiment.start;
  return equations::evaluate(e, values);
}

}  // namespace fmugen::structure
