// Connection sets: from "C1 at C2" to equations.
//
// Ends that are coupled, directly or through others, form one set. Coupling two hierarchical cuts couples their members
// one by one, and an open cut takes the structure of whatever it is coupled with: that is unification, done here with
// union-find and a work list in near-linear time. An open cut is one end seen from both sides; a cut with variables has
// an inside and an outside, so that models around and inside it meet at its variables.
//
// A set of leaf cuts R1:B(Vb / -I), C:A(Va / I), R2:A(Va / I) gives, in the order of mention,
//   R1.Vb = C.Va,  C.Va = R2.Va,  -R1.I + C.I + R2.I = 0        (set_equations.cpp)
// Seen from inside, the through variables of a model's own cut count with the opposite sign. A dot leaves a cut out of
// the equalities of its position, or drops the whole sum. An equality that earlier sets imply (two cuts that share a
// variable are connected twice) is left out. (Elmqvist 1977, section 3.4.)
#include <algorithm>
#include <numeric>

#include "fmugen/semantics/elaboration.h"
#include "fmugen/semantics/set_equations.h"

namespace fmugen::semantics {

namespace {

struct Sets {
  Elaboration& e;
  std::vector<EndId> parent;               // union-find over ends
  std::vector<EndId> structured;           // per root: an end that has structure, or kNoEnd
  std::vector<bool> mentioned;             // part of a coupling
  std::vector<std::uint32_t> first_at;     // per end: the first coupling that mentions it
  std::vector<std::pair<EndId, std::uint32_t>> statements;  // a coupled leaf end, and the coupling that did it

  EndId find(EndId x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  }
  void grow() {
    const std::size_t ends = 2 * e.cuts.size();
    for (std::size_t i = parent.size(); i < ends; ++i) {
      parent.push_back(static_cast<EndId>(i));
      structured.push_back(e.cuts[i / 2].shape == CutShape::Open ? kNoEnd : static_cast<EndId>(i));
      mentioned.push_back(false);
      first_at.push_back(kNoEnd);
    }
    e.seen.resize(ends, 0);
  }
};

struct Coupling {
  EndId a, b;
  std::uint32_t at;  // index into Elaboration::ats
};

EndId child_end(const Elaboration& e, EndId end, std::uint32_t k) {
  const CutData& cut = e.cuts[cut_of(end)];
  const std::uint32_t child = e.cut_children[cut.first_child + k];
  return cut.fixed_sides ? child : end_of(child, is_inside(end));
}

std::string in_words(const Elaboration& e, EndId end) {
  const CutData& cut = e.cuts[cut_of(end)];
  const auto count = [](std::uint32_t n, const char* what) { return std::to_string(n) + " " + what; };
  if (cut.shape == CutShape::Hierarchical) return "'" + cut_name(e, end) + "' has " + count(cut.children, "cuts");
  return "'" + cut_name(e, end) + "' has " + count(cut.across, "across") + " and " + count(cut.through, "through");
}

// Whether two ends with structure fit each other; reports why not.
bool fit(Sets& s, EndId a, EndId b, const At& at) {
  Elaboration& e = s.e;
  const CutData& ca = e.cuts[cut_of(a)];
  const CutData& cb = e.cuts[cut_of(b)];
  const bool ha = ca.shape == CutShape::Hierarchical, hb = cb.shape == CutShape::Hierarchical;
  if (ha && hb && ca.children == cb.children) return true;
  if (!ha && !hb && ca.across == cb.across && ca.through == cb.through) return true;
  Diagnostic* error = nullptr;
  if (!ha && !hb && ca.across + ca.through == cb.across + cb.through) {
    const std::size_t k = std::min(ca.across, cb.across);
    const bool a_across = k < ca.across;
    error = e.error(at.where, "across connected to through: " + entry_text(e, a, k) + (a_across ? " is across, " : " is through, ") +
                    entry_text(e, b, k) + (a_across ? " is through" : " is across"), at.instance);
  } else {
    error = e.error(at.where, "the cuts do not fit: " + in_words(e, a) + ", " + in_words(e, b), at.instance);
  }
  if (!error) return false;
  if (!ca.temporary) error->remark(ca.where, "'" + cut_name(e, a) + "' is declared here");
  if (!cb.temporary) error->remark(cb.where, "'" + cut_name(e, b) + "' is declared here");
  return false;
}

void see(Elaboration& e, EndId end) {
  if (e.seen[end] == 0) e.seen[end] = ++e.seen_count;
}

void unite(Sets& s, std::vector<Coupling>& work) {
  Elaboration& e = s.e;
  while (!work.empty()) {
    const Coupling c = work.back();
    work.pop_back();
    if (!e.spend(1, e.ats[c.at].where)) return;
    for (const EndId end : {c.a, c.b}) {
      see(e, end);
      s.mentioned[end] = true;
      s.first_at[end] = std::min(s.first_at[end], c.at);
      s.statements.emplace_back(end, c.at);
    }
    EndId a = s.find(c.a), b = s.find(c.b);
    const EndId sa = s.structured[a], sb = s.structured[b];
    if (sa != kNoEnd && sb != kNoEnd && !fit(s, sa, sb, e.ats[c.at])) continue;
    // Members are coupled even if the sets are one already: an end mentioned for the first time must reach its own.
    const EndId ends[2] = {c.a, c.b};
    for (const EndId end : ends) {
      const CutData& cut = e.cuts[cut_of(end)];
      const EndId other = end == c.a ? (sb != kNoEnd ? sb : sa) : (sa != kNoEnd ? sa : sb);
      if (cut.shape != CutShape::Hierarchical || other == kNoEnd || other == end) continue;
      for (std::uint32_t k = cut.children; k-- > 0;)
        work.push_back({child_end(e, end, k), child_end(e, other, k), c.at});
    }
    if (a == b) continue;
    if (sa != kNoEnd && sb != kNoEnd && e.cuts[cut_of(sa)].shape == CutShape::Hierarchical)
      for (std::uint32_t k = e.cuts[cut_of(sa)].children; k-- > 0;)
        work.push_back({child_end(e, sa, k), child_end(e, sb, k), c.at});
    s.parent[b] = a;
    if (sa == kNoEnd) s.structured[a] = sb;
  }
}

// A variable-less cut of the root takes the members of what is connected to it inside.
void close_root_cut(Sets& s, std::uint32_t cut, const std::string& name) {
  Elaboration& e = s.e;
  std::vector<std::pair<std::uint32_t, std::string>> work{{cut, name}};
  while (!work.empty()) {
    const auto [c, prefix] = work.back();
    work.pop_back();
    const EndId model = s.structured[s.find(end_of(c, true))];
    if (model == kNoEnd || e.cuts[c].shape != CutShape::Open) continue;
    const CutData like = e.cuts[cut_of(model)];
    if (like.shape == CutShape::Hierarchical) {
      std::vector<std::uint32_t> children;
      for (std::uint32_t k = 0; k < like.children; ++k) {
        const std::uint32_t child = add_cut(e, 0, {}, e.cuts[c].where);
        children.push_back(child);
        s.grow();
        const EndId there = child_end(e, model, k);
        const EndId root = s.find(there);
        s.parent[end_of(child, true)] = root;
        s.mentioned[end_of(child, true)] = true;
        see(e, end_of(child, true));
        const Symbol part = e.cuts[cut_of(there)].name;
        work.emplace_back(child, prefix + "." + (part ? part.text() : std::to_string(k + 1)));
        e.cuts[child].name = e.program.symbols().intern(work.back().second);
      }
      set_children(e, c, children, false);
      continue;
    }
    std::vector<CutEntry> across, through;
    for (std::uint32_t k = 0; k < like.across + like.through; ++k) {
      CutEntry entry = entry_of(e, model, k);
      if (entry.kind == CutEntry::Variable) {
        const VarId old = entry.first;
        entry.first = VarId{static_cast<std::uint32_t>(e.model.variables.size())};
        for (std::size_t i = 0; i < entry.shape.size(); ++i) {
          equations::Variable v = e.model.variables[index(old) + i];
          v.local_name = prefix + "." + v.local_name;
          v.instance = InstanceId{0};
          v.kind = is_constant(v) ? v.kind : equations::VariableKind::Terminal;
          v.binding = v.initial = nullptr;
          e.add_variable(std::move(v));
        }
        entry.negative = false;
      }
      if (entry.kind == CutEntry::Value) entry.kind = CutEntry::Dot;
      (k < like.across ? across : through).push_back(entry);
    }
    set_entries(e, c, across, through);
  }
}

// Declarations that contain each other: cut a(b), b(a).
bool check_declared(Elaboration& e) {
  std::vector<std::uint8_t> colour(e.cuts.size(), 0);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;
  for (std::uint32_t start = 0; start < e.cuts.size(); ++start) {
    if (colour[start] != 0 || e.cuts[start].shape != CutShape::Hierarchical) continue;
    stack.emplace_back(start, 0);
    colour[start] = 1;
    while (!stack.empty()) {
      auto& [c, k] = stack.back();
      const CutData& cut = e.cuts[c];
      if (cut.shape != CutShape::Hierarchical || k >= cut.children) {
        colour[c] = 2;
        stack.pop_back();
        continue;
      }
      const std::uint32_t id = e.cut_children[cut.first_child + k++];
      const std::uint32_t child = cut.fixed_sides ? cut_of(id) : id;
      if (colour[child] == 1) {
        e.error(cut.where, "a cut contains itself", cut.instance);
        return false;
      }
      if (colour[child] == 0) {
        colour[child] = 1;
        stack.emplace_back(child, 0);
      }
    }
  }
  return true;
}

// A structure that contains itself: node N at (N, M).
void check_cycles(Sets& s) {
  Elaboration& e = s.e;
  std::vector<std::uint8_t> colour(s.parent.size(), 0);
  std::vector<std::pair<EndId, std::uint32_t>> stack;
  for (EndId start = 0; start < s.parent.size(); ++start) {
    if (!s.mentioned[start] || colour[s.find(start)] != 0) continue;
    stack.emplace_back(s.find(start), 0);
    colour[s.find(start)] = 1;
    while (!stack.empty()) {
      auto& [set, k] = stack.back();
      const EndId structure = s.structured[set];
      const bool done = structure == kNoEnd || e.cuts[cut_of(structure)].shape != CutShape::Hierarchical ||
                        k >= e.cuts[cut_of(structure)].children;
      if (done) {
        colour[set] = 2;
        stack.pop_back();
        continue;
      }
      const EndId child = s.find(child_end(e, structure, k++));
      if (colour[child] == 1) {
        const CutData& cut = e.cuts[cut_of(structure)];
        e.error(cut.where, "a cut is connected to a part of itself", cut.instance);
        return;
      }
      if (colour[child] == 0) {
        colour[child] = 1;
        stack.emplace_back(child, 0);
      }
    }
  }
}

std::uint32_t outer_instance(const Elaboration& e, const std::vector<At>& ats, const std::vector<std::uint32_t>& used) {
  std::uint32_t best = ats[used[0]].instance;
  for (const std::uint32_t at : used)
    if (e.instances[ats[at].instance].depth < e.instances[best].depth) best = ats[at].instance;
  return best;
}

void record_boundary(Elaboration& e) {
  for (std::uint32_t c = 0; c < e.cuts.size(); ++c) {
    const CutData& cut = e.cuts[c];
    if (cut.instance != 0 || cut.node || cut.temporary || cut.shape != CutShape::Leaf) continue;
    equations::BoundaryCut boundary;
    boundary.name = cut.name ? cut_name(e, end_of(c, false)) : "";
    boundary.where = cut.where;
    if (cut.description) boundary.description = *cut.description;
    for (std::uint32_t k = 0; k < cut.across + cut.through; ++k) {
      const CutEntry& entry = entry_of(e, end_of(c, false), k);
      const std::size_t n = entry.kind == CutEntry::Variable ? entry.shape.size() : 1;
      for (std::size_t j = 0; j < n; ++j) {
        equations::BoundaryMember member;
        member.through = k >= cut.across;
        member.sign = entry.negative ? -1 : 1;
        if (entry.kind == CutEntry::Variable) {
          member.variable = VarId{static_cast<std::uint32_t>(index(entry.first) + j)};
          member.name = e.model[*member.variable].local_name;
        }
        boundary.members.push_back(std::move(member));
      }
    }
    e.model.boundary.push_back(std::move(boundary));
  }
}

}  // namespace

void generate_connections(Elaboration& e) {
  Sets s{e, {}, {}, {}, {}, {}};
  s.grow();
  for (std::uint32_t c = 0; c < e.cuts.size(); ++c)
    if (e.cuts[c].shape == CutShape::Open) s.parent[end_of(c, false)] = end_of(c, true);
  if (!check_declared(e)) return;
  std::vector<Coupling> work;
  for (std::uint32_t k = 0; k < e.ats.size(); ++k) {
    if (e.ats[k].a == e.ats[k].b) continue;
    work.push_back({e.ats[k].a, e.ats[k].b, k});
    unite(s, work);
  }
  if (e.out_of_budget) return;
  check_cycles(s);
  const auto declared = static_cast<std::uint32_t>(e.cuts.size());
  for (std::uint32_t c = 0; c < declared; ++c)
    if (e.cuts[c].instance == 0 && e.cuts[c].shape == CutShape::Open && !e.cuts[c].node && e.cuts[c].name)
      close_root_cut(s, c, e.cuts[c].name.text());

  // Leaf ends that were mentioned, in the order of mention, and from that the sets.
  std::vector<EndId> order(e.seen_count + 1, kNoEnd);
  for (EndId end = 0; end < s.parent.size(); ++end)
    if (s.mentioned[end] && e.cuts[cut_of(end)].shape == CutShape::Leaf) order[e.seen[end]] = end;
  std::vector<std::int32_t> set_of(s.parent.size(), -1);
  std::vector<std::vector<EndId>> sets;
  for (const EndId end : order) {
    if (end == kNoEnd) continue;
    std::int32_t& set = set_of[s.find(end)];
    if (set < 0) {
      set = static_cast<std::int32_t>(sets.size());
      sets.emplace_back();
    }
    sets[static_cast<std::size_t>(set)].push_back(end);
  }
  std::vector<std::vector<std::uint32_t>> used(sets.size());
  for (const auto& [end, at] : s.statements) {
    const std::int32_t set = set_of[s.find(end)];
    if (set < 0) continue;
    auto& list = used[static_cast<std::size_t>(set)];
    if (list.empty() || list.back() != at) list.push_back(at);
  }
  SetEquations generated(e, s.first_at);
  for (std::size_t k = 0; k < sets.size(); ++k) {
    equations::ConnectionSet record;
    const std::uint32_t instance = outer_instance(e, e.ats, used[k]);
    record.instance = InstanceId{instance};
    for (const EndId end : sets[k]) record.members.push_back(cut_name(e, end));
    for (const std::uint32_t at : used[k])
      if (std::find(record.statements.begin(), record.statements.end(), e.ats[at].where) == record.statements.end() &&
          record.statements.size() < 8)
        record.statements.push_back(e.ats[at].where);
    const ConnectionStatementPlace place{e.ats[used[k][0]].where, instance};
    e.model.sets.push_back(std::move(record));
    generate_set(generated, sets[k], static_cast<std::uint32_t>(k), place);
  }
  for (std::uint32_t c = 0; c < declared; ++c) {
    const CutData& cut = e.cuts[c];
    if (cut.shape == CutShape::Leaf && cut.instance != 0 && !cut.node && !cut.temporary && !s.mentioned[end_of(c, false)])
      leave_unconnected(generated, c);
  }
  for (const VarId v : generated.open_inputs) e.extra[index(v)].connected = false;
  generated.parameters.propagate();
  record_boundary(e);
}

}  // namespace fmugen::semantics
