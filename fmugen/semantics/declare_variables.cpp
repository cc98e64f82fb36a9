// Declarations of variables and parameters of one instance.
//
// A parameter's binding is, in this order: --set, the argument at incorporation (read in the model around), the value in
// the declaration (read here). A value that comes through a connected cut is put in later (connection_sets.cpp).
#include <algorithm>
#include <cmath>

#include "fmugen/semantics/elaboration.h"
#include "fmugen/support/units.h"

namespace fmugen::semantics {

using equations::VariableKind;
using SyntaxKind = syntax::VariableKind;

namespace {

bool is_parameter_kind(SyntaxKind kind) {
  return kind == SyntaxKind::Parameter || kind == SyntaxKind::StructureParameter || kind == SyntaxKind::Constant;
}

VariableKind flat_kind(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::Parameter:
    case SyntaxKind::StructureParameter: return VariableKind::Parameter;
    case SyntaxKind::Constant: return VariableKind::Constant;
    case SyntaxKind::Local:
    case SyntaxKind::Internal:
    case SyntaxKind::External: return VariableKind::Local;
    case SyntaxKind::Terminal:
    case SyntaxKind::Default: return VariableKind::Terminal;
    case SyntaxKind::Input: return VariableKind::Input;
    case SyntaxKind::Output: return VariableKind::Output;
    case SyntaxKind::Discrete: return VariableKind::Discrete;
  }
  return VariableKind::Local;
}

void collect_parameters(const syntax::Item& item, std::vector<Symbol>& names) {
  if (const auto* variables = std::get_if<syntax::VariableDeclaration>(&item.node)) {
    if (!is_parameter_kind(variables->kind) || variables->kind == SyntaxKind::Constant) return;
    for (const auto& variable : variables->items)
      if (std::find(names.begin(), names.end(), variable.name.symbol) == names.end())
        names.push_back(variable.name.symbol);
  } else if (const auto* choice = std::get_if<syntax::If>(&item.node)) {
    for (const auto& inner : choice->then_items) collect_parameters(inner, names);
    for (const auto& inner : choice->else_items) collect_parameters(inner, names);
  } else if (const auto* realization = std::get_if<syntax::Realization>(&item.node)) {
    for (const auto& inner : realization->body) collect_parameters(inner, names);
  }
}

const std::vector<Symbol>& parameter_names(Elaboration& e, const Class& c) {
  const auto [there, added] = e.parameter_names.try_emplace(&c);
  if (added)
    for (const ClassItem& entry : c.items) collect_parameters(*entry.item, there->second);
  return there->second;
}

// The argument that gives `name`, or null.
const syntax::Argument* argument_for(Elaboration& e, std::uint32_t instance, Symbol name) {
  const InstanceData& data = e.instances[instance];
  if (!data.source.item || data.source.item->arguments.empty()) return nullptr;
  std::size_t position = 0;
  const std::vector<Symbol>& names = parameter_names(e, *data.cls);
  const syntax::Argument* found = nullptr;
  for (const syntax::Argument& argument : data.source.item->arguments) {
    if (argument.name.symbol) {
      if (argument.name.symbol == name) found = &argument;
    } else if (position < names.size() && names[position++] == name) {
      found = &argument;
    }
  }
  return found;
}

std::string declared_as(const Elaboration& e, const Member& member) {
  switch (member.kind) {
    case MemberKind::Submodel: return "a submodel";
    case MemberKind::Cut: return "a cut";
    case MemberKind::Node: return "a node";
    case MemberKind::Path: return "a path";
    case MemberKind::Table: return "a table";
    case MemberKind::Variable: break;
  }
  switch (e.model.variables[member.first].kind) {
    case VariableKind::Parameter: return "a parameter";
    case VariableKind::Constant: return "a constant";
    case VariableKind::Local: return "a local variable";
    case VariableKind::Terminal: return "a terminal";
    case VariableKind::Input: return "an input";
    case VariableKind::Output: return "an output";
    case VariableKind::Discrete: return "a discrete variable";
  }
  return "";
}

// Once for each incorporation: positions, names and repetitions of the arguments.
void check_arguments(Elaboration& e, std::uint32_t instance) {
  const InstanceData& data = e.instances[instance];
  if (!data.source.item || data.source.element != 0) return;
  const std::vector<Symbol>& names = parameter_names(e, *data.cls);
  const std::string type = "'" + data.cls->name.text() + "'";
  std::vector<Symbol> given;
  std::size_t position = 0;
  for (const syntax::Argument& argument : data.source.item->arguments) {
    Symbol name = argument.name.symbol;
    if (name && name.text() == "realization") continue;
    if (!name && position >= names.size()) {
      if (Diagnostic* error = e.error(argument.value.where, "too many parameters for " + type + ": it has " +
                                      std::to_string(names.size()), data.parent))
        error->remark(data.cls->definition->name.where, type + " is declared here");
      return;
    }
    if (!name) name = names[position++];
    const SourceRange where = argument.name.symbol ? argument.name.where : argument.value.where;
    if (std::find(given.begin(), given.end(), name) != given.end()) {
      e.error(where, "parameter '" + name.text() + "' is given twice", data.parent);
      continue;
    }
    given.push_back(name);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::vector<std::string> candidates;
    for (Symbol n : names) candidates.push_back(n.text());
    Diagnostic* error = e.error(where, type + " has no parameter '" + name.text() + "'", data.parent);
    if (!error) continue;
    if (const std::string near = support::nearest_name(name.text(), candidates); !near.empty())
      error->remark("did you mean '" + near + "'?");
    else if (!names.empty()) {
      std::string list;
      for (Symbol n : names) list += (list.empty() ? "'" : ", '") + n.text() + "'";
      error->remark(data.cls->definition->name.where, "its parameters are " + list);
    } else {
      error->remark(data.cls->definition->name.where, "it has no parameters");
    }
  }
}

// The part of an argument that belongs to this element of an array of submodels.
Value element_of(const Value& value, const SubmodelSource& source, const Shape& wanted) {
  if (source.shape.rank == 0 || value.shape.rank != wanted.rank + source.shape.rank || value.shape.rank > 2) return value;
  if (source.shape.rank == 1 && value.shape.n[0] != source.shape.n[0]) return value;
  if (source.shape.rank == 2 && !(value.shape == source.shape)) return value;
  Value part;
  part.shape = wanted;
  const std::size_t first = source.element * wanted.size();
  if (wanted.rank == 0)
    part.scalar = value.items[first];
  else
    part.items.assign(value.items.begin() + static_cast<std::ptrdiff_t>(first),
                      value.items.begin() + static_cast<std::ptrdiff_t>(first + wanted.size()));
  return part;
}

// The given value spread over an array of `shape`; reports a mismatch.
bool store_binding(Elaboration& e, const Member& member, const Value& value, SourceRange where, std::uint32_t instance) {
  const bool fits = value.valid() && (value.shape.rank == 0 || value.shape == member.shape);
  if (value.valid() && !fits)
    e.error(where, "'" + member.name.text() + "' is " + to_text(member.shape) + " but is given " + to_text(value.shape),
            instance);
  if (!fits) {
    for (std::size_t k = 0; k < member.shape.size(); ++k) e.extra[member.first + k].state = Resolution::Failed;
    return false;
  }
  for (std::size_t k = 0; k < member.shape.size(); ++k) {
    e.model.variables[member.first + k].binding = value.at(value.shape.rank == 0 ? 0 : k);
    e.extra[member.first + k].binding_where = where;
  }
  return true;
}

void bind_parameter(Elaboration& e, const Member& member, const syntax::VariableItem& item, Context& context) {
  const std::uint32_t instance = context.instance;
  const InstanceData& data = e.instances[instance];
  if (const syntax::Argument* argument = argument_for(e, instance, member.name)) {
    std::vector<LoopVariable> no_loops;
    Context outer{data.parent, data.source.scope, &no_loops, false, false};
    const Value value = element_of(elaborate(e, argument->value, outer), data.source, member.shape);
    if (store_binding(e, member, value, argument->value.where, data.parent))
      for (std::size_t k = 0; k < member.shape.size(); ++k) e.extra[member.first + k].given = true;
  } else if (item.value) {
    Context here = context;
    here.names_outside = here.implicit = false;
    here.binding = member.name;
    store_binding(e, member, elaborate(e, *item.value, here), item.value->where, instance);
  }
  if (e.settings.empty()) return;
  if (e.model.variables[member.first].kind == VariableKind::Constant) return;
  const auto give = [&](std::size_t k, Setting& setting, Expr value) {
    setting.used = true;
    e.model.variables[member.first + k].binding = value;
    e.extra[member.first + k].given = true;
    e.extra[member.first + k].binding_where = setting.where;
  };
  if (member.shape.rank > 0) {  // --set 'a=[1, 2]'
    const std::string path = e.path(instance);
    const auto whole = e.settings.find(path.empty() ? member.name.text() : path + "." + member.name.text());
    if (whole != e.settings.end()) {
      Setting& setting = whole->second;
      setting.used = true;
      if (store_binding(e, member, setting.value, setting.where, 0))
        for (std::size_t k = 0; k < member.shape.size(); ++k) give(k, setting, e.model.variables[member.first + k].binding);
    }
  }
  for (std::size_t k = 0; k < member.shape.size(); ++k) {
    const auto setting = e.settings.find(e.model.name_of(VarId{static_cast<std::uint32_t>(member.first + k)}));
    if (setting == e.settings.end()) continue;
    if (setting->second.value.shape.rank == 0) {
      give(k, setting->second, setting->second.value.scalar);
    } else {
      setting->second.used = true;
      e.error(setting->second.where, "'" + setting->first + "' is a scalar but is given " +
              to_text(setting->second.value.shape), 0);
    }
  }
}


// A scalar can be bound as soon as something asks for its value: the size of an array parameter may.
void add_pending(Elaboration& e, std::vector<PendingBinding>& pending, const Member& member,
                 const syntax::VariableItem& item, const Context& context) {
  if (member.shape.rank == 0) e.pending_scalars[member.first] = {&item, context};
  pending.push_back({&item, context});
}

void bind_all(Elaboration& e, std::vector<PendingBinding>& pending) {
  for (PendingBinding& p : pending) {
    const Member* member = e.find_member(p.context.instance, p.item->name.symbol);
    if (!member) continue;
    if (member->shape.rank == 0) {
      bind_pending(e, VarId{member->first});
    } else {
      const Member copy = *member;
      bind_parameter(e, copy, *p.item, p.context);
    }
  }
  pending.clear();
}

// Declares one parameter; a parameter declared again by a derived class replaces the default of the base.
void declare_parameter(Elaboration& e, const syntax::VariableItem& item, SyntaxKind kind, Context& context,
                       std::vector<PendingBinding>& pending) {
  Member* known = e.find_member(context.instance, item.name.symbol);
  const bool again = known && known->kind == MemberKind::Variable && known->inherited &&
                     context.scope == e.instances[context.instance].cls &&
                     is_constant(e.model.variables[known->first]);
  if (!again && !check_new_name(e, context.instance, item.name.symbol, item.name.where)) return;
  const auto shape = shape_of(e, item.dimensions, context, item.name.symbol.text());
  if (!shape) return;
  if (again) {
    known->inherited = false;
    if (!(known->shape == *shape))
      e.error(item.name.where, "'" + item.name.symbol.text() + "' is " + to_text(known->shape) + " in the base",
              context.instance);
    else
      add_pending(e, pending, *known, item, context);
    if (!item.attributes.empty() || !item.description.empty()) {
      const std::uint32_t attributes = attributes_of(e, &item, item.attributes, item.description, context);
      for (std::size_t k = 0; k < known->shape.size(); ++k) e.model.variables[known->first + k].attributes = attributes;
    }
    return;
  }
  const std::uint32_t attributes = attributes_of(e, &item, item.attributes, item.description, context);
  const VarId first = declare_elements(e, context.instance, item.name.symbol, item.name.where, *shape,
                                       flat_kind(kind), attributes);
  Member* member = e.find_member(context.instance, item.name.symbol);
  member->inherited = context.scope != e.instances[context.instance].cls;
  if (kind == SyntaxKind::StructureParameter)
    for (std::size_t k = 0; k < shape->size(); ++k)
      e.model.variables[index(first) + k].frozen = equations::Frozen::Structure;
  add_pending(e, pending, *member, item, context);
}

void declare_external(Elaboration& e, const syntax::VariableItem& item, Context& context) {
  if (!check_new_name(e, context.instance, item.name.symbol, item.name.where)) return;
  for (std::uint32_t i = context.instance; i != 0;) {
    i = e.instances[i].parent;
    const Member* shared = e.find_member(i, item.name.symbol);
    if (!shared || !shared->internal) continue;
    Member alias = *shared;
    alias.where = item.name.where;
    alias.internal = false;
    e.add_member(context.instance, alias);
    return;
  }
  if (Diagnostic* error = e.error(item.name.where, "no model around this one declares 'internal " +
                                  item.name.symbol.text() + "'", context.instance))
    error->remark("an external variable is shared with the nearest surrounding model that declares it internal");
}

// A number, or the element of a vector of numbers: x[2](start = [1, 2]).
Expr attribute_number(Elaboration& e, const syntax::Attribute& attribute, Context& context, const Shape& shape,
                      std::size_t element) {
  Context here = context;
  here.implicit = here.names_outside = false;
  const Value value = elaborate(e, attribute.value, here);
  if (!value.valid()) return nullptr;
  if (value.shape.rank == 0) return value.scalar;
  if (value.shape == shape) return value.items[element];
  e.error(attribute.value.where, "'" + attribute.name.symbol.text() + "' is " + to_text(value.shape) + " for " +
          to_text(shape), context.instance);
  return nullptr;
}

bool attribute_text(Elaboration& e, const syntax::Attribute& attribute, std::string& into, Context& context) {
  if (attribute.value.kind == syntax::ExpressionKind::String) {
    into = attribute.value.text;
    return true;
  }
  e.error(attribute.value.where, "'" + attribute.name.symbol.text() + "' takes a text in quotes", context.instance);
  return false;
}

void read_state_select(Elaboration& e, const syntax::Attribute& attribute, equations::Attributes& into, Context& context) {
  static const std::vector<std::string> names{"never", "avoid", "default", "prefer", "always"};
  const syntax::Expression& v = attribute.value;
  if (v.kind == syntax::ExpressionKind::Reference && v.reference.parts.size() == 1)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (v.reference.parts[0].name.symbol.text() == names[i]) {
        into.state_select = static_cast<equations::StateSelect>(i);
        return;
      }
  e.error(v.where, "'stateselect' is one of never, avoid, default, prefer, always", context.instance);
}

void read_truth(Elaboration& e, const syntax::Attribute& attribute, std::optional<bool>& into, Context& context) {
  if (attribute.value.kind == syntax::ExpressionKind::Boolean)
    into = attribute.value.boolean;
  else
    e.error(attribute.value.where, "'" + attribute.name.symbol.text() + "' is true or false", context.instance);
}

// Reads one attribute; false when its value depends on the instance, so that it cannot be shared.
bool read_attribute(Elaboration& e, const syntax::Attribute& attribute, equations::Attributes& into, Context& context,
                    const Shape& shape, std::size_t element) {
  static const std::vector<std::string> names{"unit", "quantity", "displayunit", "min", "max", "nominal", "start",
                                              "fixed", "stateselect", "tunable"};
  const std::string& name = attribute.name.symbol.text();
  if (name == "unit" || name == "displayunit") {
    std::string& text = name == "unit" ? into.unit : into.display_unit;
    std::string reason;
    if (attribute_text(e, attribute, text, context) && !support::parse_unit(text, reason))
      e.error(attribute.value.where, "bad unit \"" + text + "\": " + reason, context.instance);
  } else if (name == "quantity") {
    attribute_text(e, attribute, into.quantity, context);
  } else if (name == "fixed" || name == "tunable") {
    read_truth(e, attribute, name == "fixed" ? into.fixed : into.tunable, context);
  } else if (name == "stateselect") {
    read_state_select(e, attribute, into, context);
  } else if (name == "min" || name == "max" || name == "nominal" || name == "start") {
    Expr& place = name == "min" ? into.min : name == "max" ? into.max : name == "nominal" ? into.nominal : into.start;
    place = attribute_number(e, attribute, context, shape, element);
    return attribute.value.kind != syntax::ExpressionKind::Matrix && (!place || place->is_number());
  } else {
    Diagnostic* error = e.error(attribute.name.where, "unknown attribute '" + name + "'", context.instance);
    if (!error) return true;
    const std::string near = support::nearest_name(name, names);
    error->remark(near.empty() ? "attributes are unit, quantity, displayunit, min, max, nominal, start, fixed, "
                                 "stateselect, tunable"
                               : "did you mean '" + near + "'?");
  }
  return true;
}

void declare_with_attributes(Elaboration& e, const syntax::VariableItem& item, const Shape& shape, VariableKind kind,
                             Context& context) {
  const std::uint32_t attributes = attributes_of(e, &item, item.attributes, item.description, context, shape, 0);
  const VarId first = declare_elements(e, context.instance, item.name.symbol, item.name.where, shape, kind, attributes);
  const bool array = std::any_of(item.attributes.begin(), item.attributes.end(), [](const syntax::Attribute& a) {
    return a.value.kind == syntax::ExpressionKind::Matrix || a.value.kind == syntax::ExpressionKind::Reference;
  });
  for (std::size_t k = 1; array && k < shape.size(); ++k)
    e.model.variables[index(first) + k].attributes =
        attributes_of(e, &item, item.attributes, item.description, context, shape, k);
}

}  // namespace

bool check_new_name(Elaboration& e, std::uint32_t instance, Symbol name, SourceRange where) {
  const Member* known = e.find_member(instance, name);
  if (!known) return true;
  if (Diagnostic* error = e.error(where, "duplicate declaration of '" + name.text() + "'", instance))
    error->remark(known->where, "already declared here as " + declared_as(e, *known));
  return false;
}

std::optional<Shape> shape_of(Elaboration& e, const std::vector<syntax::Expression>& dimensions, Context& context,
                              const std::string& name) {
  Shape shape;
  if (dimensions.size() > 2) {
    e.error(dimensions[2].where, "'" + name + "' has more than two dimensions", context.instance);
    return std::nullopt;
  }
  for (const syntax::Expression& dimension : dimensions) {
    const auto n = structural_integer(e, dimension, context, "the size of '" + name + "'");
    if (!n) return std::nullopt;
    if (*n < 0 || *n > 1'000'000'000) {
      e.error(dimension.where, "the size of '" + name + "' is " + std::to_string(*n) +
              (*n < 0 ? ": it cannot be negative" : ": that is more than can be handled"), context.instance);
      return std::nullopt;
    }
    shape.n[shape.rank++] = static_cast<std::uint32_t>(*n);
  }
  if (!e.spend(shape.size(), dimensions.empty() ? SourceRange() : dimensions[0].where)) return std::nullopt;
  return shape;
}

VarId declare_elements(Elaboration& e, std::uint32_t instance, Symbol name, SourceRange where, Shape shape,
                       VariableKind kind, std::uint32_t attributes) {
  const VarId first{static_cast<std::uint32_t>(e.model.variables.size())};
  for (std::size_t k = 0; k < shape.size(); ++k) {
    equations::Variable v;
    v.local_name = shape.rank == 0 ? name.text() : name.text() + subscripts(shape, k);
    v.instance = InstanceId{instance};
    v.kind = kind;
    v.attributes = attributes;
    v.where = where;
    v.boundary = instance == 0 && (kind == VariableKind::Input || kind == VariableKind::Output);
    e.add_variable(std::move(v));
  }
  Member member;
  member.name = name;
  member.where = where;
  member.shape = shape;
  member.kind = MemberKind::Variable;
  member.first = index(first);
  e.add_member(instance, member);
  return first;
}

std::uint32_t attributes_of(Elaboration& e, const void* key, const std::vector<syntax::Attribute>& attributes,
                            const std::string& description, Context& context, const Shape& shape, std::size_t element) {
  if (attributes.empty() && description.empty()) return 0;
  if (const auto known = e.attribute_ids.find(key); known != e.attribute_ids.end()) return known->second;
  equations::Attributes read;
  read.description = description;
  bool shared = true;
  for (const syntax::Attribute& attribute : attributes) shared = read_attribute(e, attribute, read, context, shape, element) && shared;
  e.model.attributes.push_back(std::move(read));
  const auto id = static_cast<std::uint32_t>(e.model.attributes.size() - 1);
  if (shared) e.attribute_ids[key] = id;
  return id;
}

void bind_pending(Elaboration& e, VarId scalar) {
  const auto waiting = e.pending_scalars.find(index(scalar));
  if (waiting == e.pending_scalars.end()) return;
  PendingBinding p = waiting->second;
  e.pending_scalars.erase(waiting);
  if (const Member* member = e.find_member(p.context.instance, p.item->name.symbol)) {
    const Member copy = *member;
    bind_parameter(e, copy, *p.item, p.context);
  }
}

void declare_parameters(Elaboration& e, std::uint32_t instance) {
  check_arguments(e, instance);
  std::vector<PendingBinding> pending;
  for (const bool arrays : {false, true}) {
    const auto declare = [&](const syntax::Item& item, const Class* scope) {
      const auto* variables = std::get_if<syntax::VariableDeclaration>(&item.node);
      if (!variables || !is_parameter_kind(variables->kind)) return;
      Context context{instance, scope, &e.loops, false, false};
      for (const syntax::VariableItem& variable : variables->items)
        if (variable.dimensions.empty() != arrays) declare_parameter(e, variable, variables->kind, context, pending);
    };
    for (const ClassItem& entry : e.instances[instance].cls->items) {
      declare(*entry.item, entry.scope);
      const auto* realization = std::get_if<syntax::Realization>(&entry.item->node);
      if (realization && realization->name.symbol == e.instances[instance].realization)
        for (const syntax::Item& inner : realization->body) declare(inner, entry.scope);
    }
  }
  bind_all(e, pending);
}

void declare_variables(Elaboration& e, const syntax::VariableDeclaration& declaration, Context& context,
                       bool conditional) {
  if (declaration.kind == SyntaxKind::Default) return;  // after the cuts: it refers to their members
  std::vector<PendingBinding> pending;
  for (const syntax::VariableItem& item : declaration.items) {
    if (is_parameter_kind(declaration.kind)) {
      if (conditional) declare_parameter(e, item, declaration.kind, context, pending);
      continue;
    }
    if (declaration.kind == SyntaxKind::External) {
      declare_external(e, item, context);
      continue;
    }
    if (!check_new_name(e, context.instance, item.name.symbol, item.name.where)) continue;
    const auto shape = shape_of(e, item.dimensions, context, item.name.symbol.text());
    if (!shape) continue;
    Context here = context;
    here.implicit = here.names_outside = false;
    declare_with_attributes(e, item, *shape, flat_kind(declaration.kind), here);
    if (declaration.kind == SyntaxKind::Internal) e.find_member(context.instance, item.name.symbol)->internal = true;
  }
  bind_all(e, pending);
}

void declare_defaults(Elaboration& e, const syntax::VariableDeclaration& declaration, Context& context) {
  for (const syntax::VariableItem& item : declaration.items) {
    const Member* known = e.find_member(context.instance, item.name.symbol);
    if (!known) {
      std::vector<std::string> names;
      for (const Member& m : e.instances[context.instance].members) names.push_back(m.name.text());
      Diagnostic* error = e.error(item.name.where, "unknown name '" + item.name.symbol.text() + "'", context.instance);
      if (const std::string near = support::nearest_name(item.name.symbol.text(), names); error && !near.empty())
        error->remark("did you mean '" + near + "'?");
      continue;
    }
    const Member member = *known;
    const bool terminal = member.kind == MemberKind::Variable && member.shape.size() > 0 &&
                          (e.model.variables[member.first].kind == VariableKind::Terminal ||
                           e.model.variables[member.first].kind == VariableKind::Input ||
                           e.model.variables[member.first].kind == VariableKind::Output ||
                           e.extra[member.first].in_cut);
    if (!terminal) {
      e.error(item.name.where, "'default' takes a terminal, but '" + item.name.symbol.text() + "' is " +
              declared_as(e, member), context.instance);
      continue;
    }
    if (!item.value) {
      e.error(item.name.where, "'default " + item.name.symbol.text() + "' needs a value", context.instance);
      continue;
    }
    Context here = context;
    here.implicit = here.names_outside = false;
    const Value value = elaborate(e, *item.value, here);
    if (!value.valid()) continue;
    if (value.shape.rank != 0 && !(value.shape == member.shape)) {
      e.error(item.value->where, "'" + item.name.symbol.text() + "' is " + to_text(member.shape) + " but is given " +
              to_text(value.shape), context.instance);
      continue;
    }
    for (std::size_t k = 0; k < member.shape.size(); ++k) {
      e.extra[member.first + k].fallback = value.at(value.shape.rank == 0 ? 0 : k);
      e.extra[member.first + k].fallback_where = item.name.where;
    }
  }
}

}  // namespace fmugen::semantics
