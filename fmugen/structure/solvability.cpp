// Can the equations determine the unknowns at all? If not, the smallest group of equations or variables to blame, in
// terms of what was written and connected.
//
// A variable and its derivatives count as one here, so what is found wrong cannot be mended by differentiating. First
// come redundancies (integer_elimination.h): a redundant node sum is dropped. Then a maximum matching; its unmatched
// equations and variables lead to groups (Dulmage and Mendelsohn 1958): k + 1 equations for k variables, or k variables
// for which there are fewer equations. Groups that overlap are one mistake and reported once.
//
//   E to R1 to R2 to E           potentials occur in differences only: the network has no reference
//   E1 // E2, sin and cos        two equations for the common potential, one for the two currents
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fmugen/equations/differentiate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/equations/print.h"
#include "fmugen/equations/simplify.h"
#include "fmugen/structure/explain.h"
#include "fmugen/structure/integer_elimination.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::OriginKind;
using support::Diagnostic;

namespace {

constexpr double kRounding = 1e-12;       // of sums of numbers, relative
constexpr std::size_t kMostGroups = 100;  // looked at before they are merged; each may be as large as the model

using Numbers = std::vector<std::uint32_t>;

struct Problem {
  Incidence graph;
  Numbers variables;  // of each column
  Numbers column_of;  // of each variable
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
  Numbers row, stamp(p.variables.size(), kNone);  // by column: the row that has it already
  for (std::uint32_t k = 0; k < s.equations.size(); ++k) {
    found.clear();
    row.clear();
    occurrences.present(s.equations[k].left, found);
    occurrences.present(s.equations[k].right, found);
    for (const VarId v : found) {
      const std::uint32_t column = p.column_of[base_of(s, index(v))];
      if (column == kNone || stamp[column] == k) continue;
      stamp[column] = k;
      row.push_back(column);
    }
    p.graph.add_row(row);
  }
  return p;
}

const equations::FlatEquation& flat(const System& s, std::uint32_t row) {
  return s.model.equations[s.equations[row].flat];
}

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

// Groups that share a member are one. The smaller ones come first: they say most.
std::vector<Group> merged(std::vector<Group> groups) {
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.rows.size() < b.rows.size(); });
  std::vector<Group> result;
  std::map<std::uint32_t, std::size_t> of_row, of_column;
  for (const Group& group : groups) {
    std::size_t to = result.size();
    for (const std::uint32_t r : group.rows)
      if (const auto at = of_row.find(r); at != of_row.end()) to = std::min(to, at->second);
    if (to == result.size()) result.emplace_back();
    for (const std::uint32_t r : group.rows)
      if (of_row.emplace(r, to).second) result[to].rows.push_back(r);
    for (const std::uint32_t c : group.columns)
      if (of_column.emplace(c, to).second) result[to].columns.push_back(c);
  }
  return result;
}

// ---- too many equations ---------------------------------------------------------------------------------------------

// Why variables of an equation are what the group is about: "'E1.V' and 'E2.Vb' are the same, because ...".
void explain_aliases(const System& s, Diagnostic& error, const Numbers& rows) {
  std::set<std::uint32_t> told;
  equations::Occurrences occurrences;
  for (std::size_t k = 0; k < std::min(rows.size(), kShown); ++k) {
    const equations::FlatEquation& e = flat(s, rows[k]);
    std::vector<VarId> found;
    occurrences.variables(e.left, found);
    occurrences.variables(e.right, found);
    for (const VarId v : found) {
      const Alias& a = s.alias[index(v)];
      if ((!a.constant && a.root == v) || told.size() > kShown) continue;
      bool first = true;
      for (const std::uint32_t reason : equal_because(s, v, a.constant ? v : a.root)) {
        if (!told.insert(reason).second) continue;
        const equations::FlatEquation& why = s.model.equations[reason];
        std::string words = "and " + describe(s, why);
        if (first)
          words =
              "'" + s.name(v) + "' is " +
              (a.constant ? equations::number_text(a.value) : (a.sign < 0 ? "minus '" : "'") + s.name(a.root) + "'") +
              ", because " + describe(s, why);
        error.remark(why.origin.where, words);
        first = false;
      }
    }
  }
}

void report_over(System& s, const Problem& p, const Group& group, support::Diagnostics& diagnostics) {
  Numbers variables;
  for (const std::uint32_t c : group.columns) variables.push_back(p.variables[c]);
  const equations::FlatEquation& e = flat(s, group.rows.front());
  Diagnostic& error =
      variables.empty()
          ? diagnostics.error(e.origin.where,
                              "this equation determines nothing, because all it contains is given: " + describe(s, e))
          : diagnostics.error(e.origin.where, "too many equations for " + name_list(s, variables) + ": " +
                                                  counted(group.rows.size(), "equation") + ", " +
                                                  counted(variables.size(), "unknown"));
  for (std::size_t k = 0; k < std::min(group.rows.size(), kShown) && !variables.empty(); ++k)
    error.remark(flat(s, group.rows[k]).origin.where, "one of them: " + describe(s, flat(s, group.rows[k])));
  if (group.rows.size() > kShown) error.remark("and " + counted(group.rows.size() - kShown, "further equation"));
  explain_aliases(s, error, group.rows);
}

// ---- too few equations ----------------------------------------------------------------------------------------------

// Variables of the group that are equal over a connection, by root: the connection sets.
std::map<std::uint32_t, std::set<std::uint32_t>> levels(const System& s, const Numbers& variables) {
  const std::set<std::uint32_t> wanted(variables.begin(), variables.end());
  std::map<std::uint32_t, std::set<std::uint32_t>> found;
  for (const equations::FlatEquation& e : s.model.equations) {
    if (e.origin.kind != OriginKind::Across) continue;
    for (const Expr side : {e.left, e.right}) {
      if (side->op() != equations::Op::Variable) continue;
      const std::uint32_t root = index(s.alias[index(side->variable())].root);
      if (wanted.contains(root)) found[root].insert(e.origin.set);
    }
  }
  return found;
}

support::SourceRange statement_of(const equations::ConnectionSet& set) {
  return set.statements.empty() ? support::SourceRange{} : set.statements.front();
}

// Do the equations stay true if all levels are raised by the same amount?
bool only_differences(System& s, const Numbers& rows, const std::map<std::uint32_t, std::set<std::uint32_t>>& level) {
  equations::ExprPool& pool = s.model.pool;
  const Expr zero = pool.number(0), one = pool.number(1);
  equations::Differentiator raised(pool, [&](Expr leaf) -> Expr {
    if (leaf->op() == equations::Op::Delay) return raised(leaf->child(0)).value;  // they were higher before, too
    return leaf->op() == equations::Op::Variable && level.contains(index(leaf->variable())) ? one : zero;
  });
  return std::all_of(rows.begin(), rows.end(), [&](std::uint32_t r) {
    const auto slope = raised(pool.sub(s.equations[r].left, s.equations[r].right));
    return slope && equations::simplify(pool, slope.value)->is_number(0);
  });
}

void report_missing_reference(const System& s, const std::map<std::uint32_t, std::set<std::uint32_t>>& level,
                              support::Diagnostics& diagnostics) {
  Numbers variables;
  std::set<std::uint32_t> sets;
  for (const auto& [v, of] : level) {
    variables.push_back(v);
    sets.insert(of.begin(), of.end());
  }
  const equations::ConnectionSet& first = s.model.sets[*sets.begin()];
  Diagnostic& error =
      diagnostics.error(statement_of(first), "this network has no reference: of " + name_list(s, variables) +
                                                 " only the differences are determined");
  std::size_t shown = 0;
  for (const std::uint32_t set : sets)
    if (++shown <= kShown) error.remark("it has a " + describe_set(s, set));
  const std::vector<std::string> idle = unconnected_submodels(s);
  for (std::size_t k = 0; k < std::min(idle.size(), kShown); ++k)
    error.remark("nothing is connected to '" + idle[k] + "'");
  error.remark("connect a reference, such as 'Common' or 'ground' of the library, to one of its connections");
}

// Dropped equations beside the group: they would have been needed for something else.
void remark_dropped(const System& s, Diagnostic& error, const Numbers& variables) {
  std::set<std::uint32_t> instances;
  for (const std::uint32_t v : variables) instances.insert(index(s.model.variables[v].instance));
  std::size_t shown = 0;
  for (const std::uint32_t k : s.dropped) {
    const equations::FlatEquation& e = s.model.equations[k];
    if (e.origin.kind != OriginKind::Equation || !instances.contains(index(e.origin.instance)) || ++shown > kShown)
      continue;
    error.remark(e.origin.where,
                 "this equation determines nothing, because all it contains is given: " + describe(s, e));
  }
}

void suggest(const System& s, Diagnostic& error, const Numbers& variables) {
  for (const std::uint32_t v : variables) {
    const equations::Variable& variable = s.model.variables[v];
    if (variable.kind == equations::VariableKind::Input)
      error.remark(variable.where, "input '" + s.name(VarId{v}) + "' has no value");
    if (variable.implicit)
      error.remark(variable.where, "'" + s.name(VarId{v}) + "' is declared nowhere: is it misspelt?");
  }
  remark_unconnected(s, error, variables);
  remark_dropped(s, error, variables);
}

void report_under(System& s, const Problem& p, const Group& group, support::Diagnostics& diagnostics) {
  Numbers variables;
  for (const std::uint32_t c : group.columns) variables.push_back(p.variables[c]);
  const auto level = levels(s, variables);
  if (level.size() > 1 && !group.rows.empty() && only_differences(s, group.rows, level))
    return report_missing_reference(s, level, diagnostics);
  const support::SourceRange where = s.model.variables[variables.front()].where;
  if (group.rows.empty()) {
    Diagnostic& error = diagnostics.error(where, "nothing determines " + name_list(s, variables));
    for (const auto& [v, sets] : level)
      for (const std::uint32_t set : sets)
        error.remark(statement_of(s.model.sets[set]), "it is common to the " + describe_set(s, set));
    return suggest(s, error, variables);
  }
  Numbers named(variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(std::min(variables.size(), kShown)));
  std::sort(named.begin(), named.end());
  named.insert(named.end(), variables.begin() + static_cast<std::ptrdiff_t>(named.size()), variables.end());
  Diagnostic& error =
      diagnostics.error(s.model.variables[named.front()].where, "too few equations for " + name_list(s, named) + ": " +
                                                                    counted(named.size(), "unknown") + ", " +
                                                                    counted(group.rows.size(), "equation"));
  for (std::size_t k = 0; k < std::min(group.rows.size(), kShown); ++k)
    error.remark(flat(s, group.rows[k]).origin.where, "they occur in: " + describe(s, flat(s, group.rows[k])));
  if (group.rows.size() > kShown) error.remark("and " + counted(group.rows.size() - kShown, "further equation"));
  suggest(s, error, variables);
}

// ---- redundancies ---------------------------------------------------------------------------------------------------

double largest_number(Expr e) {
  double largest = e->is_number() ? std::abs(e->number()) : 0;
  if (e->op() == equations::Op::Add)
    for (const Expr term : e->children())
      if (term->is_number()) largest = std::max(largest, std::abs(term->number()));
  return largest;
}

bool contradicts(const System& s, const Redundancy& r) {
  double size = 0;
  for (const std::uint32_t k : r.equations)
    size = std::max({size, largest_number(s.equations[k].left), largest_number(s.equations[k].right)});
  return std::abs(r.constant) > kRounding * size * static_cast<double>(r.equations.size());
}

// A sum of a connection if there is one, otherwise the equation that relates most: i1 = i2 + i3 rather than i1 = 3.
std::uint32_t least_missed(const System& s, const Numbers& rows) {
  equations::Occurrences occurrences;
  std::uint32_t best = rows.front();
  std::size_t most = 0;
  for (const std::uint32_t k : rows) {
    std::vector<VarId> found;
    occurrences.variables(s.equations[k].left, found);
    occurrences.variables(s.equations[k].right, found);
    const std::size_t weight =
        flat(s, k).origin.kind == OriginKind::Through ? s.model.variables.size() + 1 : found.size();
    if (weight < most) continue;
    most = weight;
    best = k;
  }
  return best;
}

// Removes one equation of each redundancy.
void drop_redundancies(System& s, support::Diagnostics& diagnostics) {
  std::vector<bool> gone(s.equations.size(), false);
  for (const Redundancy& r : find_redundancies(s)) {
    if (contradicts(s, r)) {
      Diagnostic& error =
          diagnostics.error(flat(s, r.equations.front()).origin.where, "these equations contradict each other");
      for (std::size_t k = 0; k < std::min(r.equations.size(), kShown); ++k)
        error.remark(flat(s, r.equations[k]).origin.where, "one of them: " + describe(s, flat(s, r.equations[k])));
      if (r.equations.size() > kShown) error.remark("and " + counted(r.equations.size() - kShown, "further equation"));
      explain_aliases(s, error, r.equations);
      continue;
    }
    const std::uint32_t victim = least_missed(s, r.equations);
    gone[victim] = true;
  }
  if (diagnostics.has_errors()) return;
  std::vector<SystemEquation> kept;
  for (std::uint32_t k = 0; k < s.equations.size(); ++k) {
    if (gone[k])
      s.dropped.push_back(s.equations[k].flat);
    else
      kept.push_back(s.equations[k]);
  }
  s.equations = std::move(kept);
}

}  // namespace

bool check_solvable(System& system, support::Diagnostics& diagnostics) {
  const std::size_t dropped_before = system.dropped.size();
  drop_redundancies(system, diagnostics);
  if (diagnostics.has_errors()) return false;
  Problem p = build(system);
  const Matching matching = maximum_matching(p.graph);
  std::vector<Group> over, under;
  for (std::uint32_t r = 0; r < p.graph.rows() && matching.size < p.graph.rows(); ++r)
    if (matching.column_of_row[r] == kNone && over.size() < kMostGroups)
      over.push_back(overdetermined_group(p.graph, matching, r));
  if (matching.size < p.graph.columns) {
    const Incidence graph = transposed(p.graph);
    const Matching pairs = transposed(matching);
    for (std::uint32_t c = 0; c < p.graph.columns; ++c)
      if (matching.row_of_column[c] == kNone && under.size() < kMostGroups) {
        Group group = overdetermined_group(graph, pairs, c);
        std::swap(group.rows, group.columns);
        under.push_back(std::move(group));
      }
  }
  for (const Group& group : merged(std::move(over)))
    if (!diagnostics.full()) report_over(system, p, group, diagnostics);
  for (const Group& group : merged(std::move(under)))
    if (!diagnostics.full()) report_under(system, p, group, diagnostics);
  if (diagnostics.has_errors()) return false;
  for (std::size_t k = dropped_before; k < system.dropped.size(); ++k) {
    const auto& e = system.model.equations[system.dropped[k]];
    diagnostics.note(e.origin.where, "a redundant equation is dropped: " + describe(system, e));
  }
  return true;
}

}  // namespace fmugen::structure
