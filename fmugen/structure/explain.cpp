// Words for messages about equations.
//
// Messages speak of what was written: the equation in its model, the connection statement, the cut that was left open.
// Why two variables are one is found again only when it must be told: the removed equations form a graph over the
// variables of the class, and a shortest path through it is the explanation.
//
//   E1.V, E2.V:   E1.V = E1.Vb - E1.Va,  E1.Vb = E2.Vb (connection of E1:B, E2:B),  E2.V = E2.Vb - E2.Va
#include "fmugen/structure/explain.h"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"

namespace fmugen::structure {

using equations::OriginKind;
using equations::VariableKind;

std::string name_list(const System& s, const std::vector<std::uint32_t>& variables) {
  std::string text;
  for (std::size_t k = 0; k < std::min(variables.size(), kShown); ++k)
    text += (k == 0 ? "'" : ", '") + s.name(VarId{variables[k]}) + "'";
  if (variables.size() > kShown) text += " and " + std::to_string(variables.size() - kShown) + " more";
  return text;
}

std::string describe_set(const System& s, std::uint32_t set) {
  const auto& members = s.model.sets[set].members;
  std::string text = "connection of ";
  for (std::size_t k = 0; k < std::min(members.size(), kShown); ++k) text += (k ? ", " : "") + members[k];
  return members.size() > kShown ? text + ", ..." : text;
}

std::string describe(const System& s, const equations::FlatEquation& e) {
  const std::string text = equations::to_text(e, equations::names_of(s.model));
  const std::string path = s.model.path(e.origin.instance);
  switch (e.origin.kind) {
    case OriginKind::Across:
    case OriginKind::Through: return text + " (" + describe_set(s, e.origin.set) + ")";
    case OriginKind::Unconnected:
      return text + " (nothing is connected to this cut" + (path.empty() ? ")" : " of '" + path + "')");
    case OriginKind::Default: return text + " (default)";
    case OriginKind::Equation:
    case OriginKind::Declaration:
    case OriginKind::Auxiliary: return path.empty() ? text : text + " (in '" + path + "')";
  }
  return text;
}

namespace {

// Every flat equation that is no longer among the equations, nor superfluous.
std::vector<std::uint32_t> removed_equations(const System& s) {
  std::vector<bool> there(s.model.equations.size(), false);
  for (const SystemEquation& e : s.equations) there[e.flat] = true;
  for (const std::uint32_t k : s.dropped) there[k] = true;
  std::vector<std::uint32_t> removed;
  for (std::uint32_t k = 0; k < s.model.equations.size(); ++k)
    if (!there[k] && s.model.equations[k].sample < 0) removed.push_back(k);
  return removed;
}

bool is_number(const System& s, VarId v) {
  const auto kind = s.model[v].kind;
  return s.alias[index(v)].constant || kind == VariableKind::Parameter || kind == VariableKind::Constant;
}

}  // namespace

std::vector<std::uint32_t> equal_because(const System& s, VarId a, VarId b) {
  struct Link {
    std::uint32_t other, equation;
  };
  const std::uint32_t root = index(s.alias[index(a)].root);
  const bool number = s.alias[index(a)].constant;
  if (number ? a != b : index(s.alias[index(b)].root) != root) return {};
  std::unordered_map<std::uint32_t, std::vector<Link>> links;
  equations::Occurrences occurrences;
  std::vector<VarId> found;
  for (const std::uint32_t k : removed_equations(s)) {
    found.clear();
    occurrences.variables(s.model.equations[k].left, found);
    occurrences.variables(s.model.equations[k].right, found);
    if (number) {  // one step: the equation that gives the number
      const bool here = std::find(found.begin(), found.end(), a) != found.end();
      if (here && std::all_of(found.begin(), found.end(), [&](VarId v) { return is_number(s, v); })) return {k};
      continue;
    }
    std::erase_if(found, [&](VarId v) { return s.alias[index(v)].constant || index(s.alias[index(v)].root) != root; });
    for (std::size_t i = 1; i < found.size(); ++i) {
      links[index(found[0])].push_back({index(found[i]), k});
      links[index(found[i])].push_back({index(found[0]), k});
    }
  }
  std::unordered_map<std::uint32_t, Link> came{{index(b), {index(b), kNone}}};
  std::deque<std::uint32_t> queue{index(b)};
  while (!queue.empty() && !came.contains(index(a))) {
    const std::uint32_t v = queue.front();
    queue.pop_front();
    for (const Link& link : links[v])
      if (came.emplace(link.other, Link{v, link.equation}).second) queue.push_back(link.other);
  }
  std::vector<std::uint32_t> path;
  for (std::uint32_t v = index(a); came.contains(v) && v != index(b); v = came.at(v).other)
    path.push_back(came.at(v).equation);
  return path;
}

void remark_unconnected(const System& s, support::Diagnostic& error, const std::vector<std::uint32_t>& variables) {
  std::set<std::uint32_t> instances;
  for (const std::uint32_t v : variables) instances.insert(index(s.model.variables[v].instance));
  std::size_t shown = 0;
  for (const equations::FlatEquation& e : s.model.equations) {
    if (e.origin.kind != OriginKind::Unconnected || !instances.contains(index(e.origin.instance))) continue;
    if (++shown > kShown) return;
    error.remark(e.origin.where, "nothing is connected to this cut of '" + s.model.path(e.origin.instance) +
                                     "'; was a connection forgotten?");
  }
}

std::vector<std::string> unconnected_submodels(const System& s) {
  std::vector<std::string> members;
  for (const equations::ConnectionSet& set : s.model.sets)
    members.insert(members.end(), set.members.begin(), set.members.end());
  std::sort(members.begin(), members.end());
  std::set<std::uint32_t> with_cuts;
  for (const equations::Variable& v : s.model.variables)
    if (v.kind == VariableKind::Terminal && index(v.instance) != 0) with_cuts.insert(index(v.instance));
  std::vector<std::string> found;
  for (const std::uint32_t i : with_cuts) {
    const std::string path = s.model.path(equations::InstanceId{i});
    const auto at = std::lower_bound(members.begin(), members.end(), path);  // "R1", "R1:A", "R1.r:A"
    const bool mentioned = at != members.end() && at->starts_with(path) &&
                           (at->size() == path.size() || (*at)[path.size()] == ':' || (*at)[path.size()] == '.');
    if (!mentioned) found.push_back(path);
  }
  return found;
}

}  // namespace fmugen::structure
