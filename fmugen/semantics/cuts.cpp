// Cuts, nodes and paths of an instance.
//
// A cut is a leaf with across and through positions, a hierarchical cut made of other cuts, or open: without a clause it
// takes its structure from what is connected to it. `cut conn(wire1, wire2)` is hierarchical because wire1 and wire2 are
// cuts; the same text with variables is a leaf. Names of cuts are therefore collected first, their structure second.
#include <algorithm>

#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using syntax::CutElement;
using syntax::CutElementKind;
using syntax::ExpressionKind;

namespace {

struct PendingCut {
  const syntax::CutItem* item;
  const std::vector<syntax::Expression>* members;  // Cellier's brackets: names of cuts
  std::uint32_t first;
  std::uint32_t count;
  Context context;
};

Member* cut_named(Elaboration& e, std::uint32_t instance, const syntax::Reference& reference) {
  if (reference.parts.size() != 1) return nullptr;
  Member* member = e.find_member(instance, reference.parts[0].name.symbol);
  return member && member->kind == MemberKind::Cut ? member : nullptr;
}

// Brackets that list cuts make a hierarchical cut; otherwise they are sizes.
bool brackets_name_cuts(const std::vector<syntax::Expression>& bracket, const std::vector<Symbol>& names) {
  return !bracket.empty() && std::all_of(bracket.begin(), bracket.end(), [&](const syntax::Expression& x) {
    return x.kind == ExpressionKind::Reference && x.reference.parts.size() == 1 &&
           std::find(names.begin(), names.end(), x.reference.parts[0].name.symbol) != names.end();
  });
}

void add_cut_reference(Elaboration& e, std::vector<std::uint32_t>& children, const syntax::Reference& reference,
                       Context& context) {
  const Target target = resolve(e, reference, context);
  if (target.kind != Target::Cut) return;
  for (std::size_t i = 0; i < target.shape.size(); ++i) children.push_back(target.element(i));
}

void fill_clause(Elaboration& e, std::uint32_t cut, const syntax::CutClause& clause, Context& context);

// One element of a hierarchical cut.
void add_child(Elaboration& e, std::vector<std::uint32_t>& children, const CutElement& element, Context& context) {
  if (element.kind == CutElementKind::Variable) {
    add_cut_reference(e, children, element.reference, context);
  } else if (element.kind == CutElementKind::Clause) {
    const std::uint32_t child = add_cut(e, context.instance, {}, element.where);
    children.push_back(child);
    fill_clause(e, child, element.clause[0], context);
  } else {
    const std::uint32_t child = add_cut(e, context.instance, {}, element.where);
    children.push_back(child);
    e.cut_references.push_back({child, &element.connection[0], context.instance, context.scope});
  }
}

bool is_part(Elaboration& e, const CutElement& element, std::uint32_t instance) {
  return element.kind == CutElementKind::Clause || element.kind == CutElementKind::Cut ||
         element.kind == CutElementKind::Connection ||
         (element.kind == CutElementKind::Variable && cut_named(e, instance, element.reference));
}

// A variable listed in a cut; one that is declared nowhere is declared by this as a terminal.
CutEntry variable_entry(Elaboration& e, const CutElement& element, Context& context) {
  CutEntry entry;
  entry.where = element.where;
  entry.negative = element.negative;
  const syntax::ReferencePart& part = element.reference.parts[0];
  if (element.reference.parts.size() > 1) {
    if (Diagnostic* error = e.error(element.where, "a member of a cut must be a variable of the model itself",
                                    context.instance))
      error->remark("declare a variable and equate it, or connect the cut of the submodel");
    return entry;
  }
  const bool known = e.find_member(context.instance, part.name.symbol) != nullptr;
  if (!known && part.subscripts.empty()) {
    const std::uint32_t attributes =
        attributes_of(e, &element, element.attributes, element.description, context);
    declare_elements(e, context.instance, part.name.symbol, part.name.where, {}, equations::VariableKind::Terminal,
                     attributes);
  }
  Context here = context;
  here.implicit = false;
  const Target target = resolve(e, element.reference, here);
  if (target.kind == Target::None) return entry;
  if (target.kind != Target::Variable) {
    e.error(element.where, "a cut lists either variables or cuts, not both", context.instance);
    return entry;
  }
  if (known && (!element.attributes.empty() || !element.description.empty()) && target.shape.size() > 0) {
    if (e.model.variables[target.element(0)].attributes != 0)
      e.error(element.where, "'" + part.name.symbol.text() + "' has attributes here and in its declaration",
              context.instance);
    const std::uint32_t attributes =
        attributes_of(e, &element, element.attributes, element.description, context);
    for (std::size_t i = 0; i < target.shape.size(); ++i) e.model.variables[target.element(i)].attributes = attributes;
  }
  entry.kind = CutEntry::Variable;
  entry.shape = target.shape;
  for (std::size_t i = 0; i < target.shape.size(); ++i) e.extra[target.element(i)].in_cut = true;
  entry.first = VarId{target.shape.rank == 0 ? target.id : target.ids.empty() ? 0 : target.ids[0]};
  for (std::size_t i = 1; i < target.ids.size(); ++i)
    if (target.ids[i] != target.ids[0] + i) {
      e.error(element.where, "a member of a cut must be a whole array or consecutive elements", context.instance);
      entry.kind = CutEntry::Dot;
      break;
    }
  return entry;
}

CutEntry make_entry(Elaboration& e, const CutElement& element, Context& context) {
  if (element.kind == CutElementKind::Variable) return variable_entry(e, element, context);
  if (element.kind == CutElementKind::Value) return value_entry(e, element.value[0], element.negative, context);
  CutEntry dot;
  dot.where = element.where;
  return dot;
}

void fill_clause(Elaboration& e, std::uint32_t cut, const syntax::CutClause& clause, Context& context) {
  const auto part = [&](const CutElement& element) { return is_part(e, element, context.instance); };
  const bool parts = std::any_of(clause.across.begin(), clause.across.end(), part) ||
                     std::any_of(clause.through.begin(), clause.through.end(), part);
  if (!parts) {
    std::vector<CutEntry> across, through;
    for (const CutElement& element : clause.across) across.push_back(make_entry(e, element, context));
    for (const CutElement& element : clause.through) through.push_back(make_entry(e, element, context));
    set_entries(e, cut, across, through);
    return;
  }
  if (clause.has_slash) {
    e.error(clause.where, "a cut made of cuts has no through part: '/' separates variables only", context.instance);
    return;
  }
  std::vector<std::uint32_t> children;
  for (const CutElement& element : clause.across) {
    if (!part(element)) {
      e.error(element.where, "a cut lists either variables or cuts, not both", context.instance);
      return;
    }
    add_child(e, children, element, context);
  }
  set_children(e, cut, children, false);
}

void set_main(Elaboration& e, std::int32_t& place, std::uint32_t id, const char* what, SourceRange where,
              std::uint32_t instance) {
  if (place >= 0) {
    const SourceRange first = what[0] == 'c' ? e.cuts[static_cast<std::size_t>(place)].where
                                             : e.paths[static_cast<std::size_t>(place)].where;
    if (Diagnostic* error = e.error(where, std::string("a second main ") + what, instance))
      error->remark(first, "the first one is here");
    return;
  }
  place = static_cast<std::int32_t>(id);
}

void declare_cut_item(Elaboration& e, const syntax::CutItem& item, bool main, bool node, const std::vector<Symbol>& names,
                      Context& context, std::vector<PendingCut>& pending) {
  const SourceRange where = item.name ? item.name->where : item.clause ? item.clause->where : item.bracket_where;
  const bool members = !item.clause && brackets_name_cuts(item.bracket, names);
  std::optional<Shape> shape = Shape{};
  const std::string name = item.name ? item.name->symbol.text() : std::string();
  if (!members) shape = shape_of(e, item.bracket, context, name);
  if (!shape || !e.spend(shape->size(), where)) return;
  if (item.name && !check_new_name(e, context.instance, item.name->symbol, item.name->where)) return;
  const auto first = static_cast<std::uint32_t>(e.cuts.size());
  for (std::size_t k = 0; k < shape->size(); ++k) {
    const std::uint32_t cut = add_cut(e, context.instance, item.name ? item.name->symbol : Symbol(), where);
    e.cuts[cut].node = node;
    if (!item.description.empty()) e.cuts[cut].description = &item.description;
    e.cuts[cut].element = shape->rank ? static_cast<std::uint32_t>(k + 1) : 0;
  }
  if (item.name) {
    Member member;
    member.name = item.name->symbol;
    member.where = item.name->where;
    member.kind = node ? MemberKind::Node : MemberKind::Cut;
    member.shape = *shape;
    member.first = first;
    e.add_member(context.instance, member);
  }
  if (main && shape->rank != 0) {
    e.error(where, "an array of cuts cannot be the main cut", context.instance);
  } else if (main) {
    set_main(e, e.instances[context.instance].main_cut, first, "cut", where, context.instance);
  }
  pending.push_back({&item, members ? &item.bracket : nullptr, first, static_cast<std::uint32_t>(shape->size()), context});
}

// The members of an array of cuts are arrays of the same length, one element to each cut: cut hole[n](x / f) with
// terminal x[n], f[n]. Undeclared members get that length.
void fill_array(Elaboration& e, const PendingCut& p) {
  Context context = p.context;
  const auto prepare = [&](const std::vector<CutElement>& elements) {
    for (const CutElement& element : elements) {
      if (element.kind != CutElementKind::Variable || element.reference.parts.size() != 1) continue;
      const syntax::ReferencePart& part = element.reference.parts[0];
      if (e.find_member(context.instance, part.name.symbol)) continue;
      Shape shape;
      shape.rank = 1;
      shape.n[0] = p.count;
      declare_elements(e, context.instance, part.name.symbol, part.name.where, shape, equations::VariableKind::Terminal,
                       attributes_of(e, &element, element.attributes, element.description, context));
    }
  };
  prepare(p.item->clause->across);
  prepare(p.item->clause->through);
  for (std::uint32_t k = 0; k < p.count; ++k) {
    const auto entries = [&](const std::vector<CutElement>& elements) {
      std::vector<CutEntry> out;
      for (CutElement element : elements) {
        element.attributes.clear();
        element.description.clear();
        CutEntry entry = make_entry(e, element, context);
        if (entry.kind == CutEntry::Variable) {
          if (entry.shape.rank != 1 || entry.shape.n[0] != p.count)
            e.error(element.where, "a member of an array of " + std::to_string(p.count) + " cuts must be a vector of " +
                    std::to_string(p.count) + ", but this is " + to_text(entry.shape), context.instance);
          else
            entry.first = VarId{index(entry.first) + k};
          entry.shape = {};
        }
        out.push_back(entry);
      }
      return out;
    };
    set_entries(e, p.first + k, entries(p.item->clause->across), entries(p.item->clause->through));
  }
}

void fill_cut(Elaboration& e, PendingCut& p) {
  if (p.members) {
    std::vector<std::uint32_t> children;
    for (const syntax::Expression& member : *p.members) add_cut_reference(e, children, member.reference, p.context);
    set_children(e, p.first, children, false);
  } else if (p.item->clause && !p.item->bracket.empty()) {
    fill_array(e, p);
  } else if (p.item->clause) {
    fill_clause(e, p.first, *p.item->clause, p.context);
  }
}

EndId path_end(Elaboration& e, const CutElement& element, Context& context) {
  if (element.kind == CutElementKind::Clause) {
    const std::uint32_t cut = add_cut(e, context.instance, {}, element.where);
    fill_clause(e, cut, element.clause[0], context);
    return end_of(cut, false);
  }
  if (element.kind == CutElementKind::Cut) {
    const std::uint32_t cut = add_cut(e, context.instance, {}, element.where);
    e.cut_references.push_back({cut, &element.connection[0], context.instance, context.scope});
    return end_of(cut, false);
  }
  if (element.kind != CutElementKind::Variable || element.negative) {
    e.error(element.where, "a path leads from one cut to another", context.instance);
    return kNoEnd;
  }
  Context here = context;
  here.implicit = false;
  const Target target = resolve(e, element.reference, here);
  if (target.kind == Target::None) return kNoEnd;
  if (target.kind == Target::Cut && target.shape.rank == 0) return end_of(target.id, false);
  if (target.kind == Target::Cut) {
    const std::uint32_t cut = add_cut(e, context.instance, {}, element.where);
    set_children(e, cut, target.ids, false);
    return end_of(cut, false);
  }
  e.error(element.where, "a path leads from one cut to another, and '" +
          element.reference.parts.back().name.symbol.text() + "' is no cut", context.instance);
  return kNoEnd;
}

void declare_path(Elaboration& e, const syntax::PathItem& item, bool main, Context& context) {
  const SourceRange where = item.name ? item.name->where : cover(item.left.where, item.right.where);
  const bool new_name = !item.name || check_new_name(e, context.instance, item.name->symbol, where);
  PathData path;
  path.left = path_end(e, item.left, context);
  path.right = path_end(e, item.right, context);
  path.where = where;
  if (item.name) path.name = item.name->symbol;
  if (!new_name || path.left == kNoEnd || path.right == kNoEnd) return;
  const auto id = static_cast<std::uint32_t>(e.paths.size());
  e.paths.push_back(path);
  if (main) set_main(e, e.instances[context.instance].main_path, id, "path", where, context.instance);
  if (!item.name) return;
  Member member;
  member.name = item.name->symbol;
  member.where = where;
  member.kind = MemberKind::Path;
  member.first = id;
  e.add_member(context.instance, member);
}

}  // namespace

std::uint32_t add_cut(Elaboration& e, std::uint32_t instance, Symbol name, SourceRange where) {
  CutData cut;
  cut.instance = instance;
  cut.name = name;
  cut.where = where;
  e.cuts.push_back(cut);
  return static_cast<std::uint32_t>(e.cuts.size() - 1);
}

CutEntry value_entry(Elaboration& e, const syntax::Expression& value, bool negative, Context& context) {
  CutEntry entry;
  entry.where = value.where;
  entry.kind = CutEntry::Value;
  Context here = context;
  here.implicit = false;
  entry.value = elaborate_scalar(e, value, here);
  if (!entry.value) entry.kind = CutEntry::Dot;
  if (entry.value && negative) entry.value = e.pool().neg(entry.value);
  return entry;
}

void set_children(Elaboration& e, std::uint32_t cut, const std::vector<std::uint32_t>& children, bool fixed_sides) {
  CutData& data = e.cuts[cut];
  data.shape = CutShape::Hierarchical;
  data.fixed_sides = fixed_sides;
  data.first_child = static_cast<std::uint32_t>(e.cut_children.size());
  data.children = static_cast<std::uint32_t>(children.size());
  e.cut_children.insert(e.cut_children.end(), children.begin(), children.end());
}

void set_entries(Elaboration& e, std::uint32_t cut, const std::vector<CutEntry>& across,
                 const std::vector<CutEntry>& through) {
  CutData& data = e.cuts[cut];
  data.shape = CutShape::Leaf;
  data.first_entry = static_cast<std::uint32_t>(e.entries.size());
  data.across = static_cast<std::uint32_t>(across.size());
  data.through = static_cast<std::uint32_t>(through.size());
  e.entries.insert(e.entries.end(), across.begin(), across.end());
  e.entries.insert(e.entries.end(), through.begin(), through.end());
}

std::string cut_name(const Elaboration& e, EndId end) {
  const CutData& cut = e.cuts[cut_of(end)];
  if (!cut.name) {
    std::string path = e.path(cut.instance);
    if (cut.temporary || path.empty()) return std::string(e.program.sources().text(cut.where));
    return path;
  }
  std::string name = cut.name.text();
  if (cut.element) name += "[" + std::to_string(cut.element) + "]";
  const std::string path = e.path(cut.instance);
  if (path.empty()) return name;
  return path + (cut.node ? "." : ":") + name;
}

void declare_cuts(Elaboration& e, std::uint32_t instance) {
  std::vector<Symbol> names;
  bool any = false;
  for_each_item(e, instance, [&](const syntax::Item& item, Context&, bool) {
    any = any || std::holds_alternative<syntax::PathDeclaration>(item.node) ||
          std::holds_alternative<syntax::NodeDeclaration>(item.node);
    if (const auto* cuts = std::get_if<syntax::CutDeclaration>(&item.node)) {
      any = true;
      for (const syntax::CutItem& cut : cuts->items)
        if (cut.name) names.push_back(cut.name->symbol);
    }
  });
  if (!any) return;
  std::vector<PendingCut> pending;
  for_each_item(e, instance, [&](const syntax::Item& item, Context& context, bool) {
    if (const auto* cuts = std::get_if<syntax::CutDeclaration>(&item.node))
      for (const syntax::CutItem& cut : cuts->items) declare_cut_item(e, cut, cuts->main, false, names, context, pending);
    else if (const auto* nodes = std::get_if<syntax::NodeDeclaration>(&item.node))
      for (const syntax::CutItem& node : nodes->items) declare_cut_item(e, node, false, true, names, context, pending);
  });
  for (PendingCut& p : pending) fill_cut(e, p);
  for_each_item(e, instance, [&](const syntax::Item& item, Context& context, bool) {
    if (const auto* paths = std::get_if<syntax::PathDeclaration>(&item.node))
      for (const syntax::PathItem& path : paths->items) declare_path(e, path, paths->main, context);
  });
}

}  // namespace fmugen::semantics
