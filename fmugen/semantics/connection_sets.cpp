// Connection sets: from "C1 at C2" to equations.
//
// Ends that are coupled, directly or through others, form one set. Coupling two hierarchical cuts couples their members
// one by one, and an open cut takes the structure of whatever it is coupled with: that is unification, done here with
// union-find and a work list in near-linear time. An open cut is one end seen from both sides; a cut with variables has
// an inside and an outside, so that models around and inside it meet at its variables.
//
// A set of leaf cuts R1:B(Vb / -I), C:A(Va / I), R2:A(Va / I) gives, in the order of mention,
//   R1.Vb = C.Va,  C.Va = R2.Va,  -R1.I + C.I + R2.I = 0
// Seen from inside, the through variables of a model's own cut count with the opposite sign. A dot leaves a cut out of
// the equalities of its position, or drops the whole sum. An equality that earlier sets imply (two cuts that share a
// variable are connected twice) is left out. (Elmqvist 1977, section 3.4.)
#include <algorithm>
#include <numeric>

#include "fmugen/equations/print.h"
#include "fmugen/semantics/connection_parameters.h"
#include "fmugen/semantics/elaboration.h"
#include "fmugen/semantics/units.h"

namespace fmugen::semantics {

using equations::OriginKind;

namespace {

struct Sets {
  Elaboration& e;
  std::vector<EndId> parent;               // union-find over ends
  std::vector<EndId> structured;           // per root: an end that has structure, or kNoEnd
  std::vector<bool> mentioned;             // part of a coupling
  std::vector<std::uint32_t> first_at;     // per end: the first coupling that mentions it
  std::vector<std::pair<EndId, std::uint32_t>> statements;  // a coupled leaf end, and the coupling that did it
  PropagatedParameters parameters;
  std::unordered_map<std::string, std::optional<Unit>> units;
  std::vector<VarId> open_inputs;          // one of each group of inputs that are connected with each other only
  std::vector<std::uint32_t> equal;        // union-find over variables: equalities that earlier sets state already

  EndId find(EndId x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  }
  // Notes that two variables are equal; false if that was known.
  bool note_equal(VarId a, VarId b) {
    for (auto n = static_cast<std::uint32_t>(equal.size()); n < e.model.variables.size(); ++n) equal.push_back(n);
    std::uint32_t x = index(a), y = index(b);
    while (equal[x] != x) x = equal[x] = equal[equal[x]];
    while (equal[y] != y) y = equal[y] = equal[equal[y]];
    if (x == y) return false;
    equal[y] = x;
    return true;
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

const CutEntry& entry_of(const Elaboration& e, EndId end, std::size_t k) { return e.entries[e.cuts[cut_of(end)].first_entry + k]; }

std::string entry_text(const Elaboration& e, EndId end, std::size_t k) {
  const CutEntry& entry = entry_of(e, end, k);
  if (entry.kind == CutEntry::Variable) return "'" + e.model.name_of(entry.first) + "'";
  return "position " + std::to_string(k + 1) + " of '" + cut_name(e, end) + "'";
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

// ---- equations of one set -------------------------------------------------------------------------------------------

struct Term {  // one cut's part in a position
  EndId end;
  const CutEntry* entry;
  Expr value;          // of the element looked at
  std::optional<VarId> variable;
};

const std::optional<Unit>& unit_of(Sets& s, const std::string& text) {
  const auto [there, added] = s.units.try_emplace(text);
  std::string ignored;
  if (added) there->second = parse_unit(text, ignored);
  return there->second;
}

std::string describe(const Elaboration& e, VarId v) {
  return "'" + e.model.name_of(v) + "'";
}

// The conversion of b's unit to a's; identity where a unit is missing. Reports different dimensions or quantities.
Conversion unit_conversion(Sets& s, VarId a, VarId b, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  if (e.model[a].attributes == e.model[b].attributes) return {};
  const equations::Attributes& aa = e.model.attributes_of(a);
  const equations::Attributes& ab = e.model.attributes_of(b);
  Diagnostic* error = nullptr;
  Conversion result;
  if (!aa.quantity.empty() && !ab.quantity.empty() && aa.quantity != ab.quantity) {
    error = e.error(place.where, "quantity mismatch: " + describe(e, a) + " has quantity \"" + aa.quantity +
                    "\", " + describe(e, b) + " has \"" + ab.quantity + "\"", place.instance);
    if (!error) return result;
  } else if (!aa.unit.empty() && !ab.unit.empty() && aa.unit != ab.unit) {
    const std::optional<Unit> ua = unit_of(s, aa.unit), ub = unit_of(s, ab.unit);
    if (!ua || !ub) return result;  // a bad unit has been reported
    if (!same_dimension(*ua, *ub)) {
      error = e.error(place.where, "unit mismatch: " + describe(e, a) + " is in \"" + aa.unit + "\", " + describe(e, b) +
                      " in \"" + ab.unit + "\"", place.instance);
      if (!error) return result;
    } else {
      return conversion(*ub, *ua);
    }
  }
  if (error) {
    error->remark(e.model[a].where, describe(e, a) + " is declared here");
    error->remark(e.model[b].where, describe(e, b) + " is declared here");
  }
  return result;
}

Expr converted(Elaboration& e, Expr value, const Conversion& c) {
  if (c.factor != 1) value = e.pool().mul(e.pool().number(c.factor), value);
  if (c.offset != 0) value = e.pool().add(value, e.pool().number(c.offset));
  return value;
}

void add_equation(Elaboration& e, Expr left, Expr right, OriginKind kind, std::uint32_t set, const ConnectionStatementPlace& at) {
  equations::FlatEquation equation;
  equation.left = left;
  equation.right = right;
  equation.origin = {kind, InstanceId{at.instance}, set, at.where};
  e.model.equations.push_back(equation);
}

// Terms of position k (0-based over across and through) and element j; empty when shapes differ (reported).
bool collect(Sets& s, const std::vector<EndId>& ends, std::size_t k, const ConnectionStatementPlace& place, Shape& shape,
             std::vector<Term>& terms, bool& dot) {
  Elaboration& e = s.e;
  terms.clear();
  dot = false;
  bool first = true;
  for (const EndId end : ends) {
    const CutEntry& entry = entry_of(e, end, k);
    if (entry.kind == CutEntry::Dot) {
      dot = true;
      continue;
    }
    if (entry.kind == CutEntry::Variable) {
      if (first) shape = entry.shape;
      if (!first && !(entry.shape == shape)) {
        const Term& other = terms.front();
        if (Diagnostic* error = e.error(place.where, "the cuts do not fit: " + entry_text(e, other.end, k) + " is " +
                                        to_text(shape) + ", " + entry_text(e, end, k) + " is " + to_text(entry.shape),
                                        place.instance)) {
          error->remark(other.entry->where, "listed here");
          error->remark(entry.where, "and here");
        }
        return false;
      }
      first = false;
    }
    terms.push_back({end, &entry, entry.value, std::nullopt});
  }
  return true;
}

void set_element(Elaboration& e, std::vector<Term>& terms, std::size_t j) {
  for (Term& term : terms)
    if (term.entry->kind == CutEntry::Variable) {
      term.variable = VarId{static_cast<std::uint32_t>(index(term.entry->first) + j)};
      term.value = e.pool().variable(*term.variable);
    }
}

// Inputs of submodels at this position are given by an output or a number there; by two of them is once too often.
void note_sources(Sets& s, const std::vector<Term>& terms, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  std::vector<VarId> inputs, outputs;
  std::size_t sources = 0, others = 0;
  for (const Term& term : terms) {
    const bool outside = !is_inside(term.end) || e.cuts[cut_of(term.end)].node;
    if (!term.variable) {
      ++sources;
    } else if (const auto kind = e.model[*term.variable].kind; outside && kind == equations::VariableKind::Input) {
      inputs.push_back(*term.variable);
    } else if (outside && kind == equations::VariableKind::Output) {
      outputs.push_back(*term.variable);
      ++sources;
    } else {
      ++others;
    }
  }
  if (inputs.empty() || s.e.instances.size() == 1) return;
  if (sources > 1) {
    if (Diagnostic* error = e.error(place.where, "input '" + e.model.name_of(inputs[0]) + "' is given twice", place.instance))
      for (const VarId v : outputs) error->remark(e.model[v].where, "by output '" + e.model.name_of(v) + "'");
    return;
  }
  if (sources == 1)
    for (const VarId v : inputs) e.extra[index(v)].given_where = place.where;
  // Inputs that are connected with each other only: none of them is given.
  const bool named = std::any_of(inputs.begin(), inputs.end(), [&](VarId v) { return e.extra[index(v)].outside; });
  if (sources == 0 && others == 0 && !named) s.open_inputs.push_back(inputs[0]);
}

Expr with_sign(Elaboration& e, const Term& term) { return term.entry->negative ? e.pool().neg(term.value) : term.value; }

// The statement that brought this cut into the set: to blame for what does not fit.
ConnectionStatementPlace place_of(const Sets& s, const Term& term, const ConnectionStatementPlace& otherwise) {
  const std::uint32_t at = s.first_at[term.end];
  return at == kNoEnd ? otherwise : ConnectionStatementPlace{s.e.ats[at].where, s.e.ats[at].instance};
}

void equate(Sets& s, const std::vector<Term>& terms, std::uint32_t set, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  note_sources(s, terms, place);
  // The last variable, the last one with a unit, and the same for parameters: a member without unit has any unit.
  const Term* last[2] = {nullptr, nullptr};
  const Term* with_unit[2] = {nullptr, nullptr};
  for (const Term& term : terms) {
    if (!term.variable) continue;
    const bool constant = is_constant(e.model[*term.variable]);
    const bool unit = !e.model.attributes_of(*term.variable).unit.empty();
    const Term* previous = unit && with_unit[constant] ? with_unit[constant] : last[constant];
    if (previous && *previous->variable != *term.variable) {
      const ConnectionStatementPlace blame = place_of(s, term, place);
      const Conversion c = unit_conversion(s, *previous->variable, *term.variable, blame);
      const double sign = previous->entry->negative != term.entry->negative ? -1 : 1;
      if (constant)
        s.parameters.join(*previous->variable, *term.variable,
                          {sign * c.factor, previous->entry->negative ? -c.offset : c.offset}, blame);
      else if (!c.identity() || sign < 0 || s.note_equal(*previous->variable, *term.variable))
        add_equation(e, with_sign(e, *previous), converted(e, with_sign(e, term), c), OriginKind::Across, set, place);
    }
    last[constant] = &term;
    if (unit) with_unit[constant] = &term;
  }
  const Term* const variable = last[0];
  const Term* const parameter = last[1];
  const Term* number = nullptr;
  for (const Term& term : terms) {
    if (term.variable) continue;
    if (parameter) {
      s.parameters.give(*parameter->variable, parameter->entry->negative ? e.pool().neg(term.value) : term.value,
                        term.entry->where, place);
    } else if (number && number->value != term.value) {
      const equations::Names names = equations::names_of(e.model);
      if (Diagnostic* error = e.error(term.entry->where, "two different values meet in one connection: " +
                                      equations::to_text(number->value, names) + " and " +
                                      equations::to_text(term.value, names), place.instance))
        error->remark(number->entry->where, "the other one is here");
    }
    number = &term;
  }
  if (variable && parameter) {
    const Conversion c = unit_conversion(s, *variable->variable, *parameter->variable, place);
    add_equation(e, with_sign(e, *variable), converted(e, with_sign(e, *parameter), c), OriginKind::Across, set, place);
  } else if (variable && number) {
    add_equation(e, with_sign(e, *variable), number->value, OriginKind::Across, set, place);
  }
}

void check_offset(Sets& s, VarId v, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  const std::string& text = e.model.attributes_of(v).unit;
  if (text.empty()) return;
  const std::optional<Unit>& unit = unit_of(s, text);
  if (!unit || !has_offset(*unit)) return;
  if (Diagnostic* error = e.error(place.where, "a through variable cannot be in a unit with an offset: " + describe(e, v) +
                                  " is in \"" + text + "\"", place.instance))
    error->remark(e.model[v].where, describe(e, v) + " is declared here");
}

void sum_up(Sets& s, const std::vector<Term>& terms, std::uint32_t set, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  if (terms.empty()) return;
  std::vector<Expr> sum;
  std::optional<VarId> first;
  for (const Term& term : terms) {
    Expr value = term.value;
    if (term.variable) {
      check_offset(s, *term.variable, place);
      const bool unit = !e.model.attributes_of(*term.variable).unit.empty();
      if (first && *first != *term.variable) value = converted(e, value, unit_conversion(s, *first, *term.variable, place));
      if (!first && unit) first = term.variable;
    }
    const CutData& cut = e.cuts[cut_of(term.end)];
    const bool own = is_inside(term.end) && !cut.node && !cut.temporary;  // the model's own cut, from inside
    const bool minus = (term.entry->kind == CutEntry::Variable && term.entry->negative) != own;
    sum.push_back(minus ? e.pool().neg(value) : value);
  }
  const Expr total = sum.size() == 1 ? sum[0] : e.pool().add(sum);
  if (total->is_number(0)) return;
  add_equation(e, total, e.pool().number(0), OriginKind::Through, set, place);
}

void generate_set(Sets& s, const std::vector<EndId>& ends, std::uint32_t set, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  const CutData& first = e.cuts[cut_of(ends[0])];
  const std::uint32_t across = first.across, through = first.through;
  std::vector<Term> terms;
  for (std::uint32_t k = 0; k < across + through; ++k) {
    Shape shape;
    bool dot = false;
    if (!collect(s, ends, k, place, shape, terms, dot)) continue;
    if (k >= across && dot) continue;
    for (std::size_t j = 0; j < shape.size(); ++j) {
      set_element(e, terms, j);
      if (k < across)
        equate(s, terms, set, place);
      else
        sum_up(s, terms, set, place);
    }
  }
  for (const EndId end : ends)
    for (std::uint32_t k = 0; k < across + through; ++k) {
      const CutEntry& entry = entry_of(e, end, k);
      if (entry.kind == CutEntry::Variable && !is_inside(end))
        for (std::size_t j = 0; j < entry.shape.size(); ++j) e.extra[index(entry.first) + j].connected = true;
    }
}

// ---- unconnected cuts -----------------------------------------------------------------------------------------------

void leave_unconnected(Sets& s, std::uint32_t c) {
  Elaboration& e = s.e;
  const CutData& cut = e.cuts[c];
  const ConnectionStatementPlace place{cut.where, cut.instance};
  std::size_t defaults = 0;
  const EndId end = end_of(c, false);
  for (std::uint32_t k = 0; k < cut.across; ++k) {
    const CutEntry& entry = entry_of(e, end, k);
    if (entry.kind != CutEntry::Variable) continue;
    bool any = false;
    for (std::size_t j = 0; j < entry.shape.size(); ++j) {
      const VarId v{static_cast<std::uint32_t>(index(entry.first) + j)};
      VariableExtra& extra = e.extra[index(v)];
      if (!extra.fallback) continue;
      any = true;
      if (!extra.outside && !extra.connected)
        add_equation(e, e.pool().variable(v), extra.fallback, OriginKind::Default, 0, {extra.fallback_where, cut.instance});
      extra.connected = true;  // settled: not looked at again as a terminal
    }
    if (any) ++defaults;
  }
  for (std::uint32_t k = 0; k < cut.through; ++k) {
    const CutEntry& entry = entry_of(e, end, cut.across + k);
    if (entry.kind != CutEntry::Variable || defaults > 0) {
      if (entry.kind == CutEntry::Variable) --defaults;
      continue;
    }
    for (std::size_t j = 0; j < entry.shape.size(); ++j) {
      const Expr v = e.pool().variable(VarId{static_cast<std::uint32_t>(index(entry.first) + j)});
      add_equation(e, v, e.pool().number(0), OriginKind::Unconnected, 0, place);
    }
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
  Sets s{e, {}, {}, {}, {}, {}, PropagatedParameters(e), {}, {}, {}};
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
    generate_set(s, sets[k], static_cast<std::uint32_t>(k), place);
  }
  for (std::uint32_t c = 0; c < declared; ++c) {
    const CutData& cut = e.cuts[c];
    if (cut.shape == CutShape::Leaf && cut.instance != 0 && !cut.node && !cut.temporary && !s.mentioned[end_of(c, false)])
      leave_unconnected(s, c);
  }
  for (const VarId v : s.open_inputs) e.extra[index(v)].connected = false;
  s.parameters.propagate();
  record_boundary(e);
}

}  // namespace fmugen::semantics
