// What a reference means: a.b[2].c is followed down the tree of instances.
//
// Each part names a member of the instances reached so far; subscripts pick elements, a missing subscript on an array
// keeps all of them, so that s.T of an array of 3 submodels is a vector of 3. At most two dimensions can remain.
#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using syntax::ExpressionKind;
using syntax::Reference;
using syntax::ReferencePart;

namespace {

Target::Kind target_kind(MemberKind kind) {
  switch (kind) {
    case MemberKind::Variable: return Target::Variable;
    case MemberKind::Submodel: return Target::Submodel;
    case MemberKind::Cut: return Target::Cut;
    case MemberKind::Node: return Target::Node;
    case MemberKind::Path: return Target::Path;
    case MemberKind::Table: return Target::Table;
  }
  return Target::None;
}

std::vector<std::string> member_names(const Elaboration& e, std::uint32_t instance) {
  std::vector<std::string> names;
  for (const Member& m : e.instances[instance].members) names.push_back(m.name.text());
  return names;
}

// Without names that were taken as locals themselves: one slip does not explain another.
std::vector<std::string> declared_names(const Elaboration& e, std::uint32_t instance) {
  std::vector<std::string> names;
  for (const Member& m : e.instances[instance].members)
    if (m.kind != MemberKind::Variable || !e.model.variables[m.first].implicit) names.push_back(m.name.text());
  return names;
}

struct Selected {  // elements of an array that subscripts leave
  Shape shape;
  std::uint32_t offset = 0;               // if a scalar
  std::vector<std::uint32_t> offsets;
};

// One subscript: an index or a range of them, 1-based and inside 1..n.
bool subscript_values(Elaboration& e, const syntax::Expression& subscript, std::uint32_t n, const std::string& name,
                      Context& context, std::uint32_t& from, std::uint32_t& to, bool& single) {
  long a = 1, b = static_cast<long>(n);
  single = subscript.kind != ExpressionKind::Range;
  if (single) {
    const auto value = structural_integer(e, subscript, context, "an index of '" + name + "'");
    if (!value) return false;
    a = b = *value;
  } else if (!subscript.children.empty()) {
    const auto first = structural_integer(e, subscript.children[0], context, "an index of '" + name + "'");
    const auto last = structural_integer(e, subscript.children[1], context, "an index of '" + name + "'");
    if (!first || !last) return false;
    a = *first;
    b = *last;
  }
  if (!single && b < a) {  // an empty slice
    from = 1;
    to = 0;
    return true;
  }
  if (a < 1 || b > static_cast<long>(n)) {
    const long bad = a < 1 ? a : b;
    e.error(subscript.where, "index " + std::to_string(bad) + " of '" + name + "' is out of range: it has " +
            (n == 0 ? std::string("no elements") : n == 1 ? std::string("1 element")
                                                          : std::to_string(n) + " elements"), context.instance);
    return false;
  }
  from = static_cast<std::uint32_t>(a);
  to = static_cast<std::uint32_t>(b);
  return true;
}

bool select(Elaboration& e, const ReferencePart& part, const Shape& shape, Context& context, Selected& out) {
  const std::string& name = part.name.symbol.text();
  if (part.subscripts.empty()) {
    out.shape = shape;
    if (shape.rank > 0)
      for (std::uint32_t i = 0; i < shape.size(); ++i) out.offsets.push_back(i);
    return true;
  }
  if (part.subscripts.size() != shape.rank) {
    e.error(part.name.where, "'" + name + "' is " + to_text(shape) + " but has " +
            std::to_string(part.subscripts.size()) + (part.subscripts.size() == 1 ? " index" : " indices"),
            context.instance);
    return false;
  }
  std::uint32_t from[2] = {1, 1}, to[2] = {1, 1};
  for (std::size_t k = 0; k < shape.rank; ++k) {
    bool single = false;
    if (!subscript_values(e, part.subscripts[k], shape.n[k], name, context, from[k], to[k], single)) return false;
    if (!single) out.shape.n[out.shape.rank++] = to[k] + 1 - from[k];
  }
  if (out.shape.rank == 0) {
    out.offset = shape.rank == 1 ? from[0] - 1 : (from[0] - 1) * shape.n[1] + from[1] - 1;
    return true;
  }
  for (std::uint32_t i = from[0]; i <= to[0]; ++i)
    for (std::uint32_t j = from[1]; j <= to[1]; ++j)
      out.offsets.push_back(shape.rank == 1 ? i - 1 : (i - 1) * shape.n[1] + j - 1);
  return true;
}

// Where a class declares `name` as a variable that changes with time, if it does. Values of parameters are read before
// such variables are declared, so a name that is not found there may be one of them.
std::optional<SourceRange> declared_variable(const Class& c, Symbol name) {
  for (const ClassItem& entry : c.items) {
    const auto* variables = std::get_if<syntax::VariableDeclaration>(&entry.item->node);
    if (!variables || variables->kind == syntax::VariableKind::Parameter ||
        variables->kind == syntax::VariableKind::StructureParameter || variables->kind == syntax::VariableKind::Constant)
      continue;
    for (const syntax::VariableItem& item : variables->items)
      if (item.name.symbol == name) return item.name.where;
  }
  return std::nullopt;
}

bool declares_submodel(const Class& c, Symbol name) {
  for (const ClassItem& entry : c.items) {
    const auto* submodels = std::get_if<syntax::SubmodelDeclaration>(&entry.item->node);
    if (!submodels) continue;
    for (const syntax::SubmodelItem& item : submodels->items)
      if (item.name.symbol == name) return true;
  }
  return false;
}

bool report_time_dependence(Elaboration& e, const ReferencePart& part, const Context& context) {
  if (!context.binding) return false;
  if (declares_submodel(*e.instances[context.instance].cls, part.name.symbol)) {
    if (Diagnostic* error = e.error(part.name.where, "the value of '" + context.binding.text() +
                                    "' cannot come from submodel '" + part.name.symbol.text() + "'", context.instance))
      error->remark("values of parameters go from a model to its submodels; declare the parameter here and pass it on");
    return true;
  }
  const auto declared = declared_variable(*e.instances[context.instance].cls, part.name.symbol);
  const Member* bound = e.find_member(context.instance, context.binding);
  if (!declared || !bound) return false;
  const equations::Variable& parameter = e.model.variables[bound->first];
  const std::string& name = part.name.symbol.text();
  const char* kind = parameter.frozen == equations::Frozen::Structure             ? "structure parameter '"
                     : parameter.kind == equations::VariableKind::Constant ? "constant '"
                                                                           : "parameter '";
  if (Diagnostic* error = e.error(part.name.where, kind + context.binding.text() + "' depends on time: '" + name +
                                  "' is no parameter", context.instance))
    error->remark(*declared, "'" + name + "' is declared here");
  return true;
}

Member* declare_implicit(Elaboration& e, const ReferencePart& part, Context& context, bool quiet) {
  const std::string& name = part.name.symbol.text();
  if (quiet || report_time_dependence(e, part, context)) return nullptr;
  constexpr std::size_t kSuggestions = 50;  // looking through all names for each of many would be quadratic
  const std::string near = e.reported.size() < kSuggestions
                               ? support::nearest_name(name, declared_names(e, context.instance)) : std::string();
  const bool allowed = context.implicit && part.subscripts.empty() && !part.quoted;
  Diagnostic* message =
      allowed && !e.options.strict
          ? e.warning(part.name.where, "'" + name + "' is not declared; it is taken as a local variable", context.instance)
          : e.error(part.name.where, "unknown name '" + name + "'", context.instance);
  if (message && !near.empty()) message->remark("did you mean '" + near + "'?");
  if (!allowed) return nullptr;
  const VarId v = declare_elements(e, context.instance, part.name.symbol, part.name.where, {},
                                   equations::VariableKind::Local, 0);
  e.model[v].implicit = true;
  e.model[v].sample = e.instances[context.instance].sample;
  return e.find_member(context.instance, part.name.symbol);
}

void report_missing(Elaboration& e, const Reference& reference, std::size_t part, std::uint32_t instance,
                    const Context& context) {
  std::string prefix;
  for (std::size_t k = 0; k < part; ++k)
    prefix += (k ? "." : "") + reference.parts[k].name.symbol.text();
  const std::string& name = reference.parts[part].name.symbol.text();
  Diagnostic* error = e.error(reference.parts[part].name.where, "unknown name '" + name + "': '" + prefix + "' is of type '" +
                              e.instances[instance].cls->name.text() + "', which has no such member", context.instance);
  if (!error) return;
  if (const std::string near = support::nearest_name(name, member_names(e, instance)); !near.empty())
    error->remark("did you mean '" + near + "'?");
}

// Goes from `target` (submodels) to their member `part`.
bool descend(Elaboration& e, const Reference& reference, std::size_t part_number, Context& context, bool quiet,
             Target& target) {
  const ReferencePart& part = reference.parts[part_number];
  if (target.kind != Target::Submodel) {
    if (!quiet)
      e.error(part.name.where, "'" + reference.parts[part_number - 1].name.symbol.text() +
              "' is no submodel: it has no member '" + part.name.symbol.text() + "'", context.instance);
    return false;
  }
  Target next;
  const std::size_t count = target.shape.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t instance = target.element(i);
    const Member* member = e.find_member(instance, part.name.symbol);
    if (!member) {
      if (!quiet) report_missing(e, reference, part_number, instance, context);
      return false;
    }
    Selected selected;
    if (!select(e, part, member->shape, context, selected)) return false;
    if (i == 0) {
      next.kind = target_kind(member->kind);
      next.owner = instance;
      next.shape = target.shape;
      if (target.shape.rank + selected.shape.rank > 2) {
        e.error(part.name.where, "'" + part.name.symbol.text() + "' has more than two dimensions here", context.instance);
        return false;
      }
      for (std::size_t k = 0; k < selected.shape.rank; ++k) next.shape.n[next.shape.rank++] = selected.shape.n[k];
    } else if (target_kind(member->kind) != next.kind || selected.shape.size() * count != next.shape.size()) {
      e.error(part.name.where, "'" + part.name.symbol.text() + "' is not the same in all elements", context.instance);
      return false;
    }
    if (next.shape.rank == 0)
      next.id = member->first + selected.offset;
    else if (selected.shape.rank == 0)
      next.ids.push_back(member->first + selected.offset);
    else
      for (std::uint32_t offset : selected.offsets) next.ids.push_back(member->first + offset);
  }
  if (count == 0) {
    next.kind = Target::Variable;
    next.shape = target.shape;
  }
  target = std::move(next);
  return true;
}

}  // namespace

Target resolve(Elaboration& e, const Reference& reference, Context& context, bool quiet) {
  const ReferencePart& head = reference.parts[0];
  Target target;
  if (context.loops && !context.loops->empty() && reference.parts.size() == 1)
    for (auto loop = context.loops->rbegin(); loop != context.loops->rend(); ++loop)
      if (loop->name == head.name.symbol) {
        target.kind = Target::Number;
        target.number = loop->value;
        return target;
      }
  const Member* member = e.find_member(context.instance, head.name.symbol);
  if (!member) {
    if (reference.parts.size() > 1 && !quiet) {
      Context no_implicit = context;
      no_implicit.implicit = false;
      declare_implicit(e, head, no_implicit, false);  // reports
      return {};
    }
    member = declare_implicit(e, head, context, quiet);
    if (!member) return {};
  }
  Selected selected;
  const Member found = *member;
  if (!select(e, head, found.shape, context, selected)) return {};
  target.kind = target_kind(found.kind);
  target.owner = context.instance;
  target.shape = selected.shape;
  target.id = found.first + selected.offset;
  for (std::uint32_t offset : selected.offsets) target.ids.push_back(found.first + offset);
  for (std::size_t k = 1; k < reference.parts.size(); ++k)
    if (!descend(e, reference, k, context, quiet, target)) return {};
  if (target.kind == Target::Variable && context.names_outside && reference.parts.size() > 1)
    for (std::size_t i = 0; i < target.shape.size(); ++i) e.extra[target.element(i)].outside = true;
  return target;
}

std::optional<Target> member_elements(Elaboration& e, const ReferencePart& part, const Member& member, Context& context) {
  Selected selected;
  if (!select(e, part, member.shape, context, selected)) return std::nullopt;
  Target target;
  target.kind = target_kind(member.kind);
  target.shape = selected.shape;
  target.id = member.first + selected.offset;
  for (const std::uint32_t offset : selected.offsets) target.ids.push_back(member.first + offset);
  return target;
}

Target::Kind kind_of(Elaboration& e, const Reference& reference, const Context& context) {
  std::uint32_t instance = context.instance;
  for (std::size_t k = 0; k < reference.parts.size(); ++k) {
    const Member* member = e.find_member(instance, reference.parts[k].name.symbol);
    if (!member) return Target::None;
    if (k + 1 == reference.parts.size()) return target_kind(member->kind);
    if (member->kind != MemberKind::Submodel || member->shape.size() == 0) return Target::None;
    instance = member->first;
  }
  return Target::None;
}

}  // namespace fmugen::semantics
