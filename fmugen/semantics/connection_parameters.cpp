// Values of parameters that travel through connections.
//
// Joined parameters form groups (union by walking the joins). One member of a group is the source: the first that was
// given a value, else the first with a default, else the first. The others follow it, converted to their units. Whether
// other given values (or, if none is given, other defaults) agree is checked with numbers at the end, when every source
// has its value.
#include "fmugen/semantics/connection_parameters.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <unordered_map>

namespace fmugen::semantics {

namespace {

// Values that came the same way through different roundings are equal.
bool nearly_equal(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

std::string number_text(double value) {
  std::ostringstream out;
  out.precision(12);
  out << value;
  return out.str();
}

}  // namespace

void PropagatedParameters::join(VarId a, VarId b, const support::Conversion& b_to_a,
                                const ConnectionStatementPlace& place) {
  edges_.push_back({a, b, b_to_a, place});
}

void PropagatedParameters::give(VarId parameter, Expr value, SourceRange where, const ConnectionStatementPlace& place) {
  gifts_.push_back({parameter, value, where, place});
}

void PropagatedParameters::propagate() {
  std::unordered_map<std::uint32_t, std::uint32_t> local;
  std::vector<VarId> members;
  const auto number = [&](VarId v) {
    const auto [there, added] = local.try_emplace(index(v), static_cast<std::uint32_t>(members.size()));
    if (added) members.push_back(v);
    return there->second;
  };
  for (const Edge& edge : edges_) {
    number(edge.a);
    number(edge.b);
  }
  for (const Gift& gift : gifts_) number(gift.parameter);
  std::vector<std::vector<const Edge*>> adjacent(members.size());
  for (const Edge& edge : edges_) {
    adjacent[number(edge.a)].push_back(&edge);
    adjacent[number(edge.b)].push_back(&edge);
  }
  std::vector<std::vector<const Gift*>> given(members.size());
  for (const Gift& gift : gifts_) given[number(gift.parameter)].push_back(&gift);
  std::vector<bool> reached(members.size(), false);
  for (std::uint32_t start = 0; start < members.size(); ++start) {
    if (reached[start]) continue;
    // value(group[0]) = first*value(p) + second
    std::vector<VarId> group{members[start]};
    std::vector<std::pair<double, double>> to_first{{1, 0}};
    std::vector<ConnectionStatementPlace> reached_by(1);  // the connection through which each was reached
    std::vector<const Gift*> gifts = given[start];
    reached[start] = true;
    ConnectionStatementPlace place;
    for (std::size_t k = 0; k < group.size(); ++k)
      for (const Edge* edge : adjacent[number(group[k])]) {
        const auto [f, o] = to_first[k];
        if (!place.where.known()) place = edge->place;
        const bool forward = edge->a == group[k];
        const VarId other = forward ? edge->b : edge->a;
        if (reached[number(other)]) continue;
        reached[number(other)] = true;
        group.push_back(other);
        reached_by.push_back(edge->place);
        const support::Conversion& c = edge->b_to_a;
        to_first.push_back(forward ? std::pair(f * c.factor, f * c.offset + o)
                                   : std::pair(f / c.factor, o - f * c.offset / c.factor));
        for (const Gift* gift : given[number(other)]) gifts.push_back(gift);
      }
    if (!place.where.known() && !gifts.empty()) place = gifts[0]->place;
    reached_by[0] = place;
    settle(group, gifts, to_first, reached_by);
  }
}

void PropagatedParameters::settle(const std::vector<VarId>& group, const std::vector<const Gift*>& gifts,
                                  const std::vector<std::pair<double, double>>& to_first,
                                  const std::vector<ConnectionStatementPlace>& places) {
  const auto is_given = [&](std::size_t k) {
    const auto& v = e_.model[group[k]];
    return v.binding && (e_.extra[index(group[k])].given || v.kind == equations::VariableKind::Constant);
  };
  std::optional<std::size_t> source;
  bool given = true;
  for (std::size_t k = 0; k < group.size() && !source; ++k)
    if (is_given(k)) source = k;
  const Gift* gift = !source && !gifts.empty() ? gifts[0] : nullptr;
  if (gift) {
    source = static_cast<std::size_t>(std::find(group.begin(), group.end(), gift->parameter) - group.begin());
    e_.model[gift->parameter].binding = gift->value;
    e_.extra[index(gift->parameter)].given = true;
    e_.extra[index(gift->parameter)].binding_where = gift->where;
  }
  if (!source) given = false;
  for (std::size_t k = 0; k < group.size() && !source; ++k)
    if (e_.model[group[k]].binding) source = k;
  if (!source) source = 0;
  const auto [fs, os] = to_first[*source];
  const VarId s = group[*source];
  for (const Gift* other : gifts)
    if (other != gift)
      e_.agreements.push_back({s, other->parameter, other->value, 1, 0, other->place.where, other->where, other->place.instance, true});
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (k == *source) continue;
    equations::Variable& v = e_.model[group[k]];
    // value(p) = (fs*value(s) + os - o)/f
    const auto [f, o] = to_first[k];
    const double factor = fs / f, offset = (os - o) / f;
    if (v.binding && (!given || is_given(k)))
      e_.agreements.push_back({s, group[k], v.binding, factor, offset, places[k].where,
                               e_.extra[index(group[k])].binding_where, places[k].instance, given});
    if (v.kind == equations::VariableKind::Constant) continue;
    Expr value = e_.pool().variable(s);
    if (factor != 1) value = e_.pool().mul(e_.pool().number(factor), value);
    if (offset != 0) value = e_.pool().add(value, e_.pool().number(offset));
    v.binding = value;
    v.follows = true;
    e_.extra[index(group[k])].binding_where = places[k].where;
  }
}

void check_agreements(Elaboration& e) {
  for (const Agreement& a : e.agreements) {
    if (!resolve_parameter(e, a.source)) continue;
    const std::optional<double> stated = constant_value(e, a.stated);
    if (!stated) continue;
    const double expected = a.factor * e.model[a.source].value + a.offset;
    if (std::isnan(expected) || nearly_equal(expected, *stated)) continue;
    Diagnostic* error = e.error(a.where, std::string("conflicting ") + (a.given ? "values" : "default values") +
                                " of a parameter through a connection: '" + e.model.name_of(a.source) + "' is " +
                                number_text(e.model[a.source].value) + ", '" + e.model.name_of(a.other) + "' is " +
                                number_text(*stated), a.instance);
    if (!error) continue;
    error->remark(e.extra[index(a.source)].binding_where, number_text(e.model[a.source].value) + " is given here");
    error->remark(a.stated_where, number_text(*stated) + " is given here");
  }
}

}  // namespace fmugen::semantics
