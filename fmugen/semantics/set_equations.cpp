// The equations of one connection set, position by position.
//
// Across: the variables of a position are set equal one after the other, converted where units differ; parameters there
// are joined instead, and numbers give them their value. Through: one sum, in the unit of the first member that has one.
//
//   a:c(v [km/h] / F [kN]), b:c(v [m/s] / F [N])        a.v = 3.6*b.v,  a.F + 0.001*b.F = 0
//
// A minus in the cut turns a variable round; seen from inside, the through variables of a model's own cut count with the
// opposite sign. An unconnected cut takes the defaults of its across variables, each standing in for one through
// variable's zero; the other through variables are zero.
#include "fmugen/semantics/set_equations.h"

#include <algorithm>

#include "fmugen/equations/print.h"

namespace fmugen::semantics {

using equations::OriginKind;

namespace {

struct Term {  // one cut's part in a position
  EndId end;
  const CutEntry* entry;
  Expr value;          // of the element looked at
  std::optional<VarId> variable;
};

const std::optional<support::Unit>& unit_of(SetEquations& s, const std::string& text) {
  const auto [there, added] = s.units.try_emplace(text);
  std::string ignored;
  if (added) there->second = support::parse_unit(text, ignored);
  return there->second;
}

std::string describe(const Elaboration& e, VarId v) {
  return "'" + e.model.name_of(v) + "'";
}

// The conversion of b's unit to a's; identity where a unit is missing. Reports different dimensions or quantities.
support::Conversion unit_conversion(SetEquations& s, VarId a, VarId b, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  if (e.model[a].attributes == e.model[b].attributes) return {};
  const equations::Attributes& aa = e.model.attributes_of(a);
  const equations::Attributes& ab = e.model.attributes_of(b);
  Diagnostic* error = nullptr;
  support::Conversion result;
  if (!aa.quantity.empty() && !ab.quantity.empty() && aa.quantity != ab.quantity) {
    error = e.error(place.where, "quantity mismatch: " + describe(e, a) + " has quantity \"" + aa.quantity +
                    "\", " + describe(e, b) + " has \"" + ab.quantity + "\"", place.instance);
    if (!error) return result;
  } else if (!aa.unit.empty() && !ab.unit.empty() && aa.unit != ab.unit) {
    const std::optional<support::Unit> ua = unit_of(s, aa.unit), ub = unit_of(s, ab.unit);
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

Expr converted(Elaboration& e, Expr value, const support::Conversion& c) {
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
bool collect(SetEquations& s, const std::vector<EndId>& ends, std::size_t k, const ConnectionStatementPlace& place, Shape& shape,
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
void note_sources(SetEquations& s, const std::vector<Term>& terms, const ConnectionStatementPlace& place) {
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
ConnectionStatementPlace place_of(const SetEquations& s, const Term& term, const ConnectionStatementPlace& otherwise) {
  const std::uint32_t at = s.first_at[term.end];
  return at == kNoEnd ? otherwise : ConnectionStatementPlace{s.e.ats[at].where, s.e.ats[at].instance};
}

void equate(SetEquations& s, const std::vector<Term>& terms, std::uint32_t set, const ConnectionStatementPlace& place) {
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
      const support::Conversion c = unit_conversion(s, *previous->variable, *term.variable, blame);
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
    const support::Conversion c = unit_conversion(s, *variable->variable, *parameter->variable, place);
    add_equation(e, with_sign(e, *variable), converted(e, with_sign(e, *parameter), c), OriginKind::Across, set, place);
  } else if (variable && number) {
    add_equation(e, with_sign(e, *variable), number->value, OriginKind::Across, set, place);
  }
}

void check_offset(SetEquations& s, VarId v, const ConnectionStatementPlace& place) {
  Elaboration& e = s.e;
  const std::string& text = e.model.attributes_of(v).unit;
  if (text.empty()) return;
  const std::optional<support::Unit>& unit = unit_of(s, text);
  if (!unit || !has_offset(*unit)) return;
  if (Diagnostic* error = e.error(place.where, "a through variable cannot be in a unit with an offset: " + describe(e, v) +
                                  " is in \"" + text + "\"", place.instance))
    error->remark(e.model[v].where, describe(e, v) + " is declared here");
}

void sum_up(SetEquations& s, const std::vector<Term>& terms, std::uint32_t set, const ConnectionStatementPlace& place) {
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

}  // namespace

bool SetEquations::note_equal(VarId a, VarId b) {
  for (auto n = static_cast<std::uint32_t>(equal.size()); n < e.model.variables.size(); ++n) equal.push_back(n);
  std::uint32_t x = index(a), y = index(b);
  while (equal[x] != x) x = equal[x] = equal[equal[x]];
  while (equal[y] != y) y = equal[y] = equal[equal[y]];
  if (x == y) return false;
  equal[y] = x;
  return true;
}

const CutEntry& entry_of(const Elaboration& e, EndId end, std::size_t k) { return e.entries[e.cuts[cut_of(end)].first_entry + k]; }

std::string entry_text(const Elaboration& e, EndId end, std::size_t k) {
  const CutEntry& entry = entry_of(e, end, k);
  if (entry.kind == CutEntry::Variable) return "'" + e.model.name_of(entry.first) + "'";
  return "position " + std::to_string(k + 1) + " of '" + cut_name(e, end) + "'";
}

void generate_set(SetEquations& s, const std::vector<EndId>& ends, std::uint32_t set, const ConnectionStatementPlace& place) {
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

void leave_unconnected(SetEquations& s, std::uint32_t c) {
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

}  // namespace fmugen::semantics
