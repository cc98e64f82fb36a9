// Connection expressions.
//
// The value of an operand is a cut, a path, or both (a model with a main cut and a main path). Operators work from left
// to right, couple ends with "at" as a side effect, and have a value of their own, which is what makes
// R1 to (C par (R2 to R3)) par E a circuit:
//
//   C1 at C2                      C2         C1 at C2
//   reversed (C1-C2)              (C2-C1)
//   (C1-C2) to (C3-C4)            (C1-C4)    C2 at C3
//   C1 to (C2-C3)                 C3         C1 at C2
//   (C1-C2) to C3                 C1         C2 at C3
//   (C1-C2) from (C3-C4)          (C3-C2)    C1 at C4
//   C1 from (C2-C3)               C2         C1 at C3
//   (C1-C2) from C3               C2         C1 at C3
//   C1 to C2, C1 from C2          C2         C1 at C2
//   (C1-C2) par (C3-C4)           (C1-C2)    C1 at C3, C2 at C4
//   C1 par C2                     C1         C1 at C2
//   (C1-C2) loop (C3-C4)          (C1-C2)    C1 at C4, C2 at C3
//
// A list (a, b, c) is a hierarchical cut, or a path between two hierarchical cuts. Where a path and a cut are both
// possible, the path is meant (Elmqvist 1977, section 3.5).
#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using syntax::ConnectionExpression;
using syntax::ConnectionKind;
using syntax::ConnectionOperator;
using syntax::CutElement;
using syntax::CutElementKind;
using syntax::SelectorKind;

namespace {

struct Operand {
  EndId cut = kNoEnd;
  EndId left = kNoEnd, right = kNoEnd;  // a path; a list of paths and cuts has a left end only
  SourceRange where;
  bool has_cut() const { return cut != kNoEnd; }
  bool has_path() const { return left != kNoEnd; }
};

struct Evaluation {
  Elaboration& e;
  Context& context;
  const std::optional<syntax::Name>& selected;
  SourceRange statement;
};

// Numbers an end, and the members of a hierarchical cut, in the order of mention.
void see(Elaboration& e, EndId first) {
  if (first == kNoEnd) return;
  if (e.seen.size() < 2 * e.cuts.size()) e.seen.resize(2 * e.cuts.size(), 0);
  std::vector<EndId> work{first};
  while (!work.empty()) {
    const EndId end = work.back();
    work.pop_back();
    if (e.seen[end] != 0) continue;
    e.seen[end] = ++e.seen_count;
    const CutData& cut = e.cuts[cut_of(end)];
    if (cut.shape != CutShape::Hierarchical) continue;
    for (std::uint32_t k = cut.children; k-- > 0;) {
      const std::uint32_t child = e.cut_children[cut.first_child + k];
      work.push_back(cut.fixed_sides ? child : end_of(child, is_inside(end)));
    }
  }
}

void see(Elaboration& e, const Operand& operand) {
  see(e, operand.cut);
  see(e, operand.left);
  see(e, operand.right);
}

std::string text_of(Evaluation& ev, SourceRange where) { return "'" + std::string(ev.e.program.sources().text(where)) + "'"; }

void couple(Evaluation& ev, EndId a, EndId b) { ev.e.ats.push_back({a, b, ev.context.instance, ev.statement}); }

std::optional<Operand> evaluate(Evaluation& ev, const ConnectionExpression& x);

// A hierarchical cut of several ends.
EndId bundle(Evaluation& ev, const std::vector<EndId>& ends, SourceRange where) {
  const std::uint32_t cut = add_cut(ev.e, ev.context.instance, {}, where);
  ev.e.cuts[cut].temporary = true;
  for (const EndId end : ends) see(ev.e, end);
  set_children(ev.e, cut, ends, true);
  return end_of(cut, true);
}

std::optional<Operand> bundle(Evaluation& ev, const std::vector<Operand>& parts, SourceRange where) {
  Operand list;
  list.where = where;
  std::vector<EndId> cuts, lefts, rights;
  bool any_path = false;
  for (const Operand& part : parts) {
    any_path = any_path || part.has_path();
    if (part.has_cut()) cuts.push_back(part.cut);
    lefts.push_back(part.has_path() ? part.left : part.cut);
    if (part.has_path() && part.right != kNoEnd) rights.push_back(part.right);
  }
  if (cuts.size() == parts.size()) list.cut = bundle(ev, cuts, where);
  if (any_path) list.left = bundle(ev, lefts, where);
  if (any_path && rights.size() == parts.size()) list.right = bundle(ev, rights, where);
  return list;
}

Operand cut_operand(std::uint32_t cut, bool inside, SourceRange where) {
  Operand operand;
  operand.cut = end_of(cut, inside);
  operand.where = where;
  return operand;
}

Operand path_operand(const Elaboration& e, std::uint32_t path, bool inside, SourceRange where) {
  Operand operand;
  operand.left = e.paths[path].left + (inside ? 1 : 0);
  operand.right = e.paths[path].right + (inside ? 1 : 0);
  operand.where = where;
  return operand;
}

// A cut or path called `part` of a submodel.
std::optional<Operand> member_operand(Evaluation& ev, std::uint32_t instance, const syntax::ReferencePart& part,
                                      bool cut, bool path, SourceRange where) {
  Elaboration& e = ev.e;
  const Member* member = e.find_member(instance, part.name.symbol);
  const bool fits = member && ((cut && member->kind == MemberKind::Cut) || (path && member->kind == MemberKind::Path));
  if (!fits) {
    const std::string wanted = cut && path ? "path or cut" : cut ? "cut" : "path";
    Diagnostic* error = e.error(part.name.where, "'" + e.instances[instance].cls->name.text() + "' has no " + wanted + " '" +
                                part.name.symbol.text() + "'", ev.context.instance);
    if (!error) return std::nullopt;
    std::vector<std::string> names;
    for (const Member& m : e.instances[instance].members)
      if ((cut && m.kind == MemberKind::Cut) || (path && m.kind == MemberKind::Path)) names.push_back(m.name.text());
    const bool elsewhere = part.name.where.begin < where.begin || part.name.where.end > where.end;
    if (elsewhere) error->remark(where, "needed for this operand");
    if (member && member->kind == MemberKind::Variable)
      error->remark(member->where, "'" + part.name.symbol.text() + "' is a variable; name it with a dot");
    if (const std::string near = support::nearest_name(part.name.symbol.text(), names); !near.empty())
      error->remark("did you mean '" + near + "'?");
    return std::nullopt;
  }
  if (member->kind == MemberKind::Path) return path_operand(e, member->first, false, where);
  const Member found = *member;
  const auto elements = member_elements(e, part, found, ev.context);
  if (!elements) return std::nullopt;
  if (elements->shape.rank == 0) return cut_operand(elements->id, false, where);
  std::vector<EndId> ends;
  for (const std::uint32_t element : elements->ids) ends.push_back(end_of(element, false));
  Operand operand;
  operand.cut = bundle(ev, ends, where);
  operand.where = where;
  return operand;
}

std::optional<Operand> submodel_operand(Evaluation& ev, const ConnectionExpression& x, std::uint32_t instance);

// One end of a temporary path m..(a - b), or an element of m:(a, b): a cut of the submodel.
std::optional<EndId> submodel_end(Evaluation& ev, const CutElement& element, std::uint32_t instance) {
  if (element.kind == CutElementKind::Variable && !element.negative && element.reference.parts.size() == 1) {
    const auto operand = member_operand(ev, instance, element.reference.parts[0], true, false, element.where);
    if (!operand) return std::nullopt;
    return operand->cut;
  }
  const syntax::CutClause* clause = nullptr;
  if (element.kind == CutElementKind::Clause) clause = &element.clause[0];
  if (element.kind == CutElementKind::Connection && element.connection[0].kind == ConnectionKind::Operand) {
    const ConnectionExpression& x = element.connection[0];
    if (x.selector == SelectorKind::None && x.reference.parts.size() == 1) {
      const auto operand = member_operand(ev, instance, x.reference.parts[0], true, false, element.where);
      if (!operand) return std::nullopt;
      return operand->cut;
    }
  }
  if (clause && !clause->has_slash) {
    std::vector<EndId> ends;
    for (const CutElement& inner : clause->across) {
      const auto end = submodel_end(ev, inner, instance);
      if (!end) return std::nullopt;
      ends.push_back(*end);
    }
    return bundle(ev, ends, element.where);
  }
  ev.e.error(element.where, "a cut of '" + ev.e.instances[instance].cls->name.text() + "' is expected here",
             ev.context.instance);
  return std::nullopt;
}

std::optional<Operand> main_operand(Evaluation& ev, std::uint32_t instance, SourceRange where) {
  Elaboration& e = ev.e;
  const InstanceData& data = e.instances[instance];
  Operand operand;
  if (data.main_path >= 0) operand = path_operand(e, static_cast<std::uint32_t>(data.main_path), false, where);
  if (data.main_cut >= 0) operand.cut = end_of(static_cast<std::uint32_t>(data.main_cut), false);
  operand.where = where;
  if (operand.has_cut() || operand.has_path()) return operand;
  if (Diagnostic* error = e.error(where, "'" + data.cls->name.text() + "' has no main cut and no main path",
                                  ev.context.instance)) {
    error->remark(data.cls->definition->name.where, "'" + data.cls->name.text() + "' is declared here");
    error->remark("name a cut with ':' or a path with '..', or declare one of them 'main'");
  }
  return std::nullopt;
}

std::optional<Operand> submodel_operand(Evaluation& ev, const ConnectionExpression& x, std::uint32_t instance) {
  switch (x.selector) {
    case SelectorKind::None:
      if (!ev.selected) return main_operand(ev, instance, x.where);
      return member_operand(ev, instance, {*ev.selected, {}, false}, true, true, x.where);
    case SelectorKind::Cut: return member_operand(ev, instance, x.selected, true, false, x.where);
    case SelectorKind::Path: return member_operand(ev, instance, x.selected, false, true, x.where);
    case SelectorKind::CutClause: {
      CutElement element;
      element.kind = CutElementKind::Clause;
      element.where = x.where;
      element.clause = x.clause;
      const auto end = submodel_end(ev, element, instance);
      if (!end) return std::nullopt;
      Operand operand;
      operand.cut = *end;
      operand.where = x.where;
      return operand;
    }
    case SelectorKind::PathClause: {
      const auto left = submodel_end(ev, x.ends[0], instance);
      const auto right = submodel_end(ev, x.ends[1], instance);
      if (!left || !right) return std::nullopt;
      Operand operand;
      operand.left = *left;
      operand.right = *right;
      operand.where = x.where;
      return operand;
    }
  }
  return std::nullopt;
}

std::optional<Operand> evaluate_operand(Evaluation& ev, const ConnectionExpression& x) {
  Elaboration& e = ev.e;
  Context context = ev.context;
  context.implicit = false;
  const Target target = resolve(e, x.reference, context);
  if (target.kind == Target::None) return std::nullopt;
  const std::string name = "'" + x.reference.parts.back().name.symbol.text() + "'";
  if (target.kind == Target::Submodel) {
    if (target.shape.rank == 0) return submodel_operand(ev, x, target.id);
    std::vector<Operand> parts;
    for (std::uint32_t instance : target.ids) {
      const auto part = submodel_operand(ev, x, instance);
      if (!part) return std::nullopt;
      parts.push_back(*part);
    }
    return bundle(ev, parts, x.where);
  }
  if (target.kind == Target::Variable || target.kind == Target::Table || target.kind == Target::Number) {
    e.error(x.where, name + " is a " + (target.kind == Target::Table ? "table" : "variable") +
            ": only submodels, cuts, nodes and paths can be connected", ev.context.instance);
    return std::nullopt;
  }
  if (x.selector != SelectorKind::None) {
    e.error(x.where, name + " is no submodel: it has no cuts or paths", ev.context.instance);
    return std::nullopt;
  }
  const bool inside = x.reference.parts.size() == 1;
  if (target.kind == Target::Path) return path_operand(e, target.id, inside, x.where);
  if (target.shape.rank == 0) return cut_operand(target.id, inside, x.where);
  std::vector<EndId> ends;
  for (std::uint32_t cut : target.ids) ends.push_back(end_of(cut, inside));
  Operand operand;
  operand.cut = bundle(ev, ends, x.where);
  operand.where = x.where;
  return operand;
}

// ---- lists and temporary cuts ---------------------------------------------------------------------------------------

bool names_variable(Evaluation& ev, const CutElement& element) {
  if (element.kind == CutElementKind::Dot || element.kind == CutElementKind::Value || element.negative) return true;
  const syntax::Reference* reference = nullptr;
  if (element.kind == CutElementKind::Variable) reference = &element.reference;
  if (element.kind == CutElementKind::Connection && element.connection[0].kind == ConnectionKind::Operand &&
      element.connection[0].selector == SelectorKind::None)
    reference = &element.connection[0].reference;
  if (!reference) return false;
  if (ev.context.loops)
    for (const LoopVariable& loop : *ev.context.loops)
      if (reference->parts.size() == 1 && loop.name == reference->parts[0].name.symbol) return true;
  return kind_of(ev.e, *reference, ev.context) == Target::Variable;
}

std::optional<CutEntry> temporary_entry(Evaluation& ev, const CutElement& element) {
  CutEntry entry;
  entry.where = element.where;
  entry.negative = element.negative;
  if (element.kind == CutElementKind::Dot) return entry;
  if (element.kind == CutElementKind::Value) return value_entry(ev.e, element.value[0], element.negative, ev.context);
  const syntax::Reference* reference = nullptr;
  if (element.kind == CutElementKind::Variable) reference = &element.reference;
  if (element.kind == CutElementKind::Connection && element.connection[0].kind == ConnectionKind::Operand)
    reference = &element.connection[0].reference;
  Target target;
  if (reference) {
    Context context = ev.context;
    context.implicit = false;
    target = resolve(ev.e, *reference, context);
    if (target.kind == Target::None) return std::nullopt;
  }
  if (target.kind == Target::Number) {
    entry.kind = CutEntry::Value;
    entry.value = ev.e.pool().number(element.negative ? -target.number : target.number);
    return entry;
  }
  if (target.kind != Target::Variable) {
    ev.e.error(element.where, "a temporary cut lists either variables and numbers or cuts, not both", ev.context.instance);
    return std::nullopt;
  }
  entry.kind = CutEntry::Variable;
  entry.shape = target.shape;
  entry.first = VarId{target.shape.rank == 0 ? target.id : target.ids.empty() ? 0 : target.ids[0]};
  for (std::size_t i = 1; i < target.ids.size(); ++i)
    if (target.ids[i] != target.ids[0] + i) {
      ev.e.error(element.where, "a member of a cut must be a whole array or consecutive elements", ev.context.instance);
      return std::nullopt;
    }
  return entry;
}

std::optional<Operand> evaluate_temporary(Evaluation& ev, const syntax::CutClause& clause) {
  std::vector<CutEntry> across, through;
  bool ok = true;
  for (const CutElement& element : clause.across) {
    const auto entry = temporary_entry(ev, element);
    if (entry) across.push_back(*entry);
    ok = ok && entry.has_value();
  }
  for (const CutElement& element : clause.through) {
    const auto entry = temporary_entry(ev, element);
    if (entry) through.push_back(*entry);
    ok = ok && entry.has_value();
  }
  if (!ok) return std::nullopt;
  const std::uint32_t cut = add_cut(ev.e, ev.context.instance, {}, clause.where);
  ev.e.cuts[cut].temporary = true;
  ev.e.cuts[cut].node = true;
  set_entries(ev.e, cut, across, through);
  return cut_operand(cut, true, clause.where);
}

std::optional<Operand> evaluate_element(Evaluation& ev, const CutElement& element) {
  if (element.kind == CutElementKind::Connection || element.kind == CutElementKind::Cut)
    return evaluate(ev, element.connection[0]);
  if (element.kind == CutElementKind::Variable) {
    ConnectionExpression operand;
    operand.reference = element.reference;
    operand.where = element.where;
    return evaluate_operand(ev, operand);
  }
  ConnectionExpression list;
  list.kind = ConnectionKind::List;
  list.where = element.where;
  list.clause = element.clause;
  return evaluate(ev, list);
}

std::optional<Operand> evaluate_chain(Evaluation& ev, const ConnectionExpression& x);

std::optional<Operand> evaluate_list(Evaluation& ev, const ConnectionExpression& x) {
  const syntax::CutClause& clause = x.clause[0];
  bool variables = clause.has_slash;
  for (const CutElement& element : clause.across) variables = variables || names_variable(ev, element);
  if (clause.has_slash && !x.children.empty()) {  // (a / b): Cellier's par if neither names a variable
    bool none = true;
    for (const CutElement& element : clause.across) none = none && !names_variable(ev, element);
    for (const CutElement& element : clause.through) none = none && !names_variable(ev, element);
    if (none) return evaluate_chain(ev, x);
  }
  if (variables) return evaluate_temporary(ev, clause);
  std::vector<Operand> parts;
  for (const CutElement& element : clause.across) {
    const auto part = evaluate_element(ev, element);
    if (!part) return std::nullopt;
    see(ev.e, *part);
    parts.push_back(*part);
  }
  if (parts.empty()) {
    ev.e.error(x.where, "an empty list cannot be connected", ev.context.instance);
    return std::nullopt;
  }
  return bundle(ev, parts, x.where);
}

// ---- operators ------------------------------------------------------------------------------------------------------

const char* word(ConnectionOperator op) {
  switch (op) {
    case ConnectionOperator::At: return "at";
    case ConnectionOperator::To: return "to";
    case ConnectionOperator::From: return "from";
    case ConnectionOperator::Par:
    case ConnectionOperator::Slash: return "par";
    case ConnectionOperator::Loop: return "loop";
  }
  return "";
}

std::optional<Operand> wrong_kind(Evaluation& ev, const char* op, const char* wanted, const Operand& operand) {
  ev.e.error(operand.where, std::string("'") + op + "' connects " + wanted + ", but " + text_of(ev, operand.where) +
             " is " + (operand.has_path() ? operand.right == kNoEnd ? "a list of paths and cuts" : "a path" : "a cut"),
             ev.context.instance);
  return std::nullopt;
}

Operand path_from_to(EndId left, EndId right, SourceRange where) {
  Operand out;
  out.left = left;
  out.right = right;
  out.where = where;
  return out;
}

Operand only_cut(EndId cut, SourceRange where) {
  Operand out;
  out.cut = cut;
  out.where = where;
  return out;
}

std::optional<Operand> apply_to(Evaluation& ev, const Operand& a, const Operand& b, SourceRange where) {
  if (a.has_path() && a.right == kNoEnd) return wrong_kind(ev, "to", "cuts or paths", a);
  couple(ev, a.has_path() ? a.right : a.cut, b.has_path() ? b.left : b.cut);
  if (a.has_path() && b.has_path()) return path_from_to(a.left, b.right, where);
  if (a.has_path()) return only_cut(a.left, where);
  if (b.has_path()) return b.right == kNoEnd ? only_cut(b.left, where) : only_cut(b.right, where);
  return only_cut(b.cut, where);
}

std::optional<Operand> apply_from(Evaluation& ev, const Operand& a, const Operand& b, SourceRange where) {
  for (const Operand* o : {&a, &b})
    if (o->has_path() && o->right == kNoEnd) return wrong_kind(ev, "from", "cuts or paths", *o);
  couple(ev, a.has_path() ? a.left : a.cut, b.has_path() ? b.right : b.cut);
  if (a.has_path() && b.has_path()) return path_from_to(b.left, a.right, where);
  if (a.has_path()) return only_cut(a.right, where);
  if (b.has_path()) return only_cut(b.left, where);
  return only_cut(b.cut, where);
}

std::optional<Operand> apply_par(Evaluation& ev, const Operand& a, const Operand& b, bool loop, SourceRange where) {
  const char* op = loop ? "loop" : "par";
  if (a.has_path() && b.has_path()) {
    for (const Operand* o : {&a, &b})
      if (o->right == kNoEnd) return wrong_kind(ev, op, "two paths", *o);
    couple(ev, a.left, loop ? b.right : b.left);
    couple(ev, a.right, loop ? b.left : b.right);
    return path_from_to(a.left, a.right, where);
  }
  if (loop) return wrong_kind(ev, op, "two paths", a.has_path() ? b : a);
  if (a.has_cut() && b.has_cut()) {
    couple(ev, a.cut, b.cut);
    return only_cut(a.cut, where);
  }
  ev.e.error(where, "'par' connects two paths or two cuts, but " + text_of(ev, a.where) +
             (a.has_path() ? " is a path and " : " is a cut and ") + text_of(ev, b.where) +
             (b.has_path() ? " is a path" : " is a cut"), ev.context.instance);
  return std::nullopt;
}

std::optional<Operand> apply(Evaluation& ev, ConnectionOperator op, const Operand& a, const Operand& b) {
  const SourceRange where = cover(a.where, b.where);
  switch (op) {
    case ConnectionOperator::At:
      if (!a.has_cut()) return wrong_kind(ev, word(op), "cuts", a);
      if (!b.has_cut()) return wrong_kind(ev, word(op), "cuts", b);
      couple(ev, a.cut, b.cut);
      return only_cut(b.cut, where);
    case ConnectionOperator::To: return apply_to(ev, a, b, where);
    case ConnectionOperator::From: return apply_from(ev, a, b, where);
    case ConnectionOperator::Par:
    case ConnectionOperator::Slash: return apply_par(ev, a, b, false, where);
    case ConnectionOperator::Loop: return apply_par(ev, a, b, true, where);
  }
  return std::nullopt;
}

std::optional<Operand> evaluate_chain(Evaluation& ev, const ConnectionExpression& x) {
  std::optional<Operand> value = evaluate(ev, x.children[0]);
  for (std::size_t k = 1; k < x.children.size(); ++k) {
    const std::optional<Operand> next = evaluate(ev, x.children[k]);  // also after an error: to report further ones
    value = value && next ? apply(ev, x.operators[k - 1], *value, *next) : std::nullopt;
  }
  return value;
}

std::optional<Operand> evaluate(Evaluation& ev, const ConnectionExpression& x) {
  std::optional<Operand> value;
  switch (x.kind) {
    case ConnectionKind::Operand: value = evaluate_operand(ev, x); break;
    case ConnectionKind::Chain: return evaluate_chain(ev, x);
    case ConnectionKind::List: value = evaluate_list(ev, x); break;
    case ConnectionKind::Reversed: {
      value = evaluate(ev, x.children[0]);
      if (!value) return std::nullopt;
      if (!value->has_path() || value->right == kNoEnd) {
        ev.e.error(value->where, "'reversed' turns a path round, but " + text_of(ev, value->where) + " is no path",
                   ev.context.instance);
        return std::nullopt;
      }
      return path_from_to(value->right, value->left, x.where);
    }
  }
  if (value) see(ev.e, *value);
  return value;
}

}  // namespace

void connect(Elaboration& e, const syntax::ConnectionStatement& statement, SourceRange where, Context& context) {
  Evaluation ev{e, context, statement.selected, where};
  for (const ConnectionExpression& expression : statement.expressions) evaluate(ev, expression);
}

void connect_references(Elaboration& e) {
  for (const CutReference& reference : e.cut_references) {
    Context context{reference.instance, reference.scope, &e.loops, true, false};
    const std::optional<syntax::Name> none;
    Evaluation ev{e, context, none, reference.expression->where};
    const auto operand = evaluate(ev, *reference.expression);
    if (!operand) continue;
    if (!operand->has_cut()) {
      e.error(operand->where, text_of(ev, operand->where) + " is no cut", reference.instance);
      continue;
    }
    see(e, end_of(reference.cut, true));
    couple(ev, end_of(reference.cut, true), operand->cut);
  }
}

}  // namespace fmugen::semantics
