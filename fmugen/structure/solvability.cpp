// Can the equations determine the unknowns at all? If not, the smallest group of equations or variables to blame, in
// terms of what was written and connected.
//
// A variable and its derivatives count as one here, so what is found wrong cannot be mended by differentiating. First
// come redundancies (integer_elimination.h): a redundant node sum is dropped. Then a maximum matching; its unmatched
// equations and variables lead to groups (Dulmage and Mendelsohn 1958): k + 1 equations for k variables, or k variables
// for which there are fewer equations.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"
#include "fmugen/structure/integer_elimination.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::OriginKind;
using support::Diagnostic;

namespace {

constexpr std::size_t kShown = 6;  // equations or names of a group that are spelt out

struct Problem {
  Incidence graph;
  std::vector<std::uint32_t> variables;                         // of each column
  std::vector<std::uint32_t> column_of;                         // of each variable
};

std::uint32_t base_of(const System& s, std::uint32_t v) {
  while (s.integral[v] != kNone) v = s.integral[v];
  return v;
}

Problem build(System& s) {
  Problem p;
  p.column_of.assign(s.model.variables.size(), kNone);
  for (std::uint32_t v = 0; v < s.model.variables.size(); ++v)
    if (is_unknown(s, VarId{v}) && s.integral[v] == kNone && index(s.alias[v].root) == v && !s.alias[v].constant) {
      p.column_of[v] = static_cast<std::uint32_t>(p.variables.size());
      p.variables.push_back(v);
    }
  p.graph.columns = static_cast<std::uint32_t>(p.variables.size());
  equations::Occurrences occurrences;
  std::vector<VarId> found;
  std::vector<std::uint32_t> row;
  for (const SystemEquation& e : s.equations) {
    found.clear();
    row.clear();
    occurrences.variables(e.left, found);
    occurrences.variables(e.right, found);
    for (const VarId v : found) {
      const std::uint32_t column = p.column_of[base_of(s, index(v))];
      if (column != kNone && std::find(row.begin(), row.end(), column) == row.end()) row.push_back(column);
    }
    p.graph.add_row(row);
  }
  return p;
}

std::string name_list(const System& s, const std::vector<std::uint32_t>& variables) {
  std::string text;
  for (std::size_t k = 0; k < std::min(variables.size(), kShown); ++k)
    text += (k == 0 ? "'" : ", '") + s.name(VarId{variables[k]}) + "'";
  if (variables.size() > kShown) text += " and " + std::to_string(variables.size() - kShown) + " more";
  return text;
}

std::string describe(const System& s, const equations::FlatEquation& e) {
  std::string text = equations::to_text(e, equations::names_of(s.model));
  if (e.origin.kind == OriginKind::Across || e.origin.kind == OriginKind::Through) {
    const auto& members = s.model.sets[e.origin.set].members;
    text += " (connection of ";
    for (std::size_t k = 0; k < std::min(members.size(), kShown); ++k) text += (k ? ", " : "") + members[k];
    text += members.size() > kShown ? ", ...)" : ")";
  } else if (e.origin.kind == OriginKind::Unconnected) {
    text += " (the cut is not connected)";
  } else if (e.origin.kind == OriginKind::Default) {
    text += " (default)";
  } else if (const std::string path = s.model.path(e.origin.instance); !path.empty()) {
    text += " (in '" + path + "')";
  }
  return text;
}

void add_equations(const System& s, Diagnostic& error, const std::vector<std::uint32_t>& rows, const char* word) {
  for (std::size_t k = 0; k < std::min(rows.size(), kShown); ++k) {
    const equations::FlatEquation& e = s.model.equations[s.equations[rows[k]].flat];
    error.remark(e.origin.where, word + describe(s, e));
  }
  if (rows.size() > kShown) error.remark("and " + std::to_string(rows.size() - kShown) + " further equations");
}

// Potentials at the connection sets of redundant sums: what lacks a reference.
std::vector<std::uint32_t> potentials(const System& s, const Redundancy& redundancy) {
  std::set<std::uint32_t> sets;
  for (const std::uint32_t k : redundancy.equations)
    if (const auto& origin = s.model.equations[s.equations[k].flat].origin; origin.kind == OriginKind::Through)
      sets.insert(origin.set);
  std::vector<std::uint32_t> found;
  std::set<std::uint32_t> seen;
  for (const auto& e : s.model.equations)
    if (e.origin.kind == OriginKind::Across && sets.contains(e.origin.set) && e.left->op() == equations::Op::Variable)
      if (seen.insert(index(s.alias[index(e.left->variable())].root)).second) found.push_back(index(e.left->variable()));
  return found;
}

void report_missing_reference(System& s, const Redundancy& redundancy, Diagnostic*& reported,
                              support::Diagnostics& diagnostics) {
  const std::vector<std::uint32_t> levels = potentials(s, redundancy);
  const equations::FlatEquation& first = s.model.equations[s.equations[redundancy.equations.front()].flat];
  Diagnostic& error = diagnostics.error(first.origin.where, "the network has no reference: " + name_list(s, levels) +
                                        " are determined only up to a common constant");
  add_equations(s, error, redundancy.equations, "these sums say the same as the others: ");
  error.remark("connect a reference such as a ground to one of its nodes");
  reported = &error;
}

void report_over(System& s, const Problem& p, const Matching& matching, std::uint32_t row, support::Diagnostics& diagnostics) {
  Group group = overdetermined_group(p.graph, matching, row);
  std::vector<std::uint32_t> variables;
  for (const std::uint32_t c : group.columns) variables.push_back(p.variables[c]);
  const equations::FlatEquation& e = s.model.equations[s.equations[row].flat];
  Diagnostic& error =
      group.columns.empty()
          ? diagnostics.error(e.origin.where, "this equation determines nothing: all it contains is known")
          : diagnostics.error(e.origin.where, "too many equations for " + name_list(s, variables) + ": " +
                              std::to_string(group.rows.size()) + " equations, " +
                              std::to_string(group.columns.size()) +
                              (group.columns.size() == 1 ? " unknown" : " unknowns"));
  add_equations(s, error, group.rows, "one of them: ");
}

void suggest(const System& s, Diagnostic& error, const std::vector<std::uint32_t>& variables) {
  for (std::size_t k = 0; k < std::min(variables.size(), kShown); ++k) {
    const equations::Variable& v = s.model.variables[variables[k]];
    if (v.kind == equations::VariableKind::Input) error.remark(v.where, "input '" + s.name(VarId{variables[k]}) + "' has no value");
    if (v.implicit)
      error.remark(v.where, "'" + s.name(VarId{variables[k]}) + "' is declared nowhere: is it misspelt?");
  }
}

void report_under(System& s, const Problem& p, const Matching& matching, std::uint32_t column,
                  support::Diagnostics& diagnostics) {
  Group group = underdetermined_group(p.graph, matching, column);
  std::vector<std::uint32_t> variables;
  for (const std::uint32_t c : group.columns) variables.push_back(p.variables[c]);
  const support::SourceRange where = s.model.variables[p.variables[column]].where;
  Diagnostic& error = diagnostics.error(where, "nothing determines " + name_list(s, variables) +
                                        (group.rows.empty() ? std::string()
                                                            : ": " + std::to_string(group.columns.size()) + " unknowns, " +
                                                                  std::to_string(group.rows.size()) +
                                                                  (group.rows.size() == 1 ? " equation" : " equations")));
  add_equations(s, error, group.rows, "they occur in: ");
  suggest(s, error, variables);
}

// Removes one equation of each redundancy, a sum of a connection if there is one.
std::vector<Redundancy> drop_redundancies(System& s, support::Diagnostics& diagnostics) {
  std::vector<Redundancy> found = find_redundancies(s);
  std::vector<bool> gone(s.equations.size(), false);
  for (Redundancy& r : found) {
    if (r.constant != 0) {
      const auto& e = s.model.equations[s.equations[r.equations.front()].flat];
      Diagnostic& error = diagnostics.error(e.origin.where, "these equations contradict each other");
      add_equations(s, error, r.equations, "one of them: ");
      continue;
    }
    std::uint32_t victim = r.equations.back();
    for (const std::uint32_t k : r.equations)
      if (s.model.equations[s.equations[k].flat].origin.kind == OriginKind::Through) victim = k;
    gone[victim] = true;
  }
  if (diagnostics.has_errors()) return found;
  std::vector<std::uint32_t> number(s.equations.size(), kNone);
  std::vector<SystemEquation> kept;
  for (std::uint32_t k = 0; k < s.equations.size(); ++k) {
    if (gone[k]) {
      s.dropped.push_back(s.equations[k].flat);
      continue;
    }
    number[k] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(s.equations[k]);
  }
  s.equations = std::move(kept);
  for (Redundancy& r : found) {
    std::vector<std::uint32_t> renumbered;
    for (const std::uint32_t k : r.equations)
      if (number[k] != kNone) renumbered.push_back(number[k]);
    r.equations = std::move(renumbered);
  }
  return found;
}

}  // namespace

bool check_solvable(System& system, support::Diagnostics& diagnostics) {
  const std::size_t dropped_before = system.dropped.size();
  const std::vector<Redundancy> redundancies = drop_redundancies(system, diagnostics);
  if (diagnostics.has_errors()) return false;
  Problem p = build(system);
  const Matching matching = maximum_matching(p.graph);
  std::size_t missing = p.variables.size() - matching.size;
  if (missing > 0)
    for (const Redundancy& r : redundancies) {
      if (missing == 0 || r.equations.empty() || potentials(system, r).empty()) continue;
      Diagnostic* reported = nullptr;
      report_missing_reference(system, r, reported, diagnostics);
      --missing;
    }
  if (diagnostics.has_errors()) return false;
  for (std::uint32_t r = 0; r < p.graph.rows(); ++r)
    if (matching.column_of_row[r] == kNone && !diagnostics.full()) report_over(system, p, matching, r, diagnostics);
  for (std::uint32_t c = 0; c < p.graph.columns; ++c)
    if (matching.row_of_column[c] == kNone && !diagnostics.full()) report_under(system, p, matching, c, diagnostics);
  if (diagnostics.has_errors()) return false;
  for (std::size_t k = dropped_before; k < system.dropped.size(); ++k) {
    const auto& e = system.model.equations[system.dropped[k]];
    diagnostics.note(e.origin.where, "a redundant equation is dropped: " + describe(system, e));
  }
  return true;
}

}  // namespace fmugen::structure
