// The tree of instances.
//
// Instances are made breadth first from a work list, so a hierarchy of any depth needs no recursion, and when an
// instance is worked on all members of the models around it are known. For one instance:
//   1. scalar parameters and constants are declared, then bound (a binding may use parameters declared further down);
//   2. array parameters, whose sizes may depend on the scalars;
//   3. other variables, submodels, nodes and tables, entering structural ifs;
//   4. cuts and paths, whose members may be variables declared anywhere in the model, then defaults.
// Submodels go to the work list with a note of their arguments, which are read in the context of the model around them.
#include <deque>

#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

using syntax::ModelDefinition;

namespace {

constexpr std::size_t kCostOfInstance = 16;          // in the budget: what else comes with it
constexpr std::uint32_t kDeepestTree = 20000;        // levels of submodels; far beyond what anyone draws
constexpr std::uint32_t kDeepestRecursion = 1000;    // levels, for a type that contains itself conditionally

struct Maker {
  Elaboration& e;
  std::deque<std::uint32_t> waiting;
};

// The instance above `parent` (or itself) that has class `c`, if any.
std::optional<std::uint32_t> ancestor_of_class(const Elaboration& e, std::uint32_t parent, const Class* c) {
  for (std::uint32_t i = parent;; i = e.instances[i].parent) {
    if (e.instances[i].cls == c) return i;
    if (i == 0) return std::nullopt;
  }
}

bool check_recursion(Elaboration& e, std::uint32_t parent, const Class* c, SourceRange where, bool conditional) {
  const auto above = ancestor_of_class(e, parent, c);
  const std::uint32_t depth = e.instances[parent].depth;
  if (!above && depth < kDeepestTree) return true;
  if (above && conditional && depth < kDeepestRecursion) return true;
  if (!above) {
    e.error(where, "the hierarchy is deeper than " + std::to_string(kDeepestTree) + " levels", parent);
    return false;
  }
  Diagnostic* error = e.error(where, "recursive model type '" + c->name.text() + "': it contains itself", parent);
  if (!error) return false;
  error->remark(c->definition->name.where, "'" + c->name.text() + "' is declared here");
  if (conditional) error->remark("the condition never ends the recursion within " + std::to_string(kDeepestRecursion) +
                                 " levels");
  return false;
}

std::uint32_t make_instance(Maker& make, std::uint32_t parent, std::string name, const Class* c, SubmodelSource source) {
  Elaboration& e = make.e;
  const auto id = static_cast<std::uint32_t>(e.instances.size());
  InstanceData data;
  data.cls = c;
  data.parent = parent;
  data.depth = id == 0 ? 0 : e.instances[parent].depth + 1;
  data.source = source;
  e.instances.push_back(std::move(data));
  e.model.instances.push_back({InstanceId{parent}, std::move(name), c->name.text(),
                               source.item ? source.item->description : std::string()});
  make.waiting.push_back(id);
  return id;
}

void declare_submodel_array(Maker& make, const syntax::SubmodelItem& item, const Class* c, const Class* scope,
                            Context& context, bool conditional) {
  Elaboration& e = make.e;
  if (!check_new_name(e, context.instance, item.name.symbol, item.name.where)) return;
  const auto shape = shape_of(e, item.dimensions, context, item.name.symbol.text());
  if (!shape || !check_recursion(e, context.instance, c, item.name.where, conditional)) return;
  if (!e.spend(shape->size() * kCostOfInstance, item.name.where)) return;
  Member member;
  member.name = item.name.symbol;
  member.where = item.name.where;
  member.kind = MemberKind::Submodel;
  member.shape = *shape;
  member.first = static_cast<std::uint32_t>(e.instances.size());
  for (std::size_t k = 0; k < shape->size(); ++k)
    make_instance(make, context.instance, item.name.symbol.text() + subscripts(*shape, k), c,
                  {&item, scope, static_cast<std::uint32_t>(k), *shape, conditional});
  e.add_member(context.instance, member);
}

bool has_cut(const Class& c, Symbol name) {
  for (const ClassItem& entry : c.items) {
    const auto* cuts = std::get_if<syntax::CutDeclaration>(&entry.item->node);
    if (!cuts) continue;
    for (const syntax::CutItem& cut : cuts->items)
      if (cut.name ? cut.name->symbol == name : !name) return true;
  }
  return false;
}

// A replacement must offer every cut of what it replaces.
bool check_replacement(Elaboration& e, const Replacement& by, const Class& old_class, const Class& new_class,
                       std::uint32_t instance) {
  for (const ClassItem& entry : old_class.items) {
    const auto* cuts = std::get_if<syntax::CutDeclaration>(&entry.item->node);
    if (!cuts) continue;
    for (const syntax::CutItem& cut : cuts->items) {
      const Symbol name = cut.name ? cut.name->symbol : Symbol();
      if (has_cut(new_class, name)) continue;
      if (Diagnostic* error = e.error(by.item->name.where, "'" + new_class.name.text() + "' cannot replace '" +
                                      old_class.name.text() + "': it has no cut '" + name.text() + "'", instance))
        error->remark(cut.name ? cut.name->where : entry.item->where, "the cut is declared here");
      return false;
    }
  }
  return true;
}

const Class* submodel_class(Elaboration& e, const syntax::SubmodelDeclaration& declaration,
                            const syntax::SubmodelItem& item, const Class& scope, std::uint32_t instance) {
  if (declaration.fmu) {
    e.error(declaration.fmu->where, "an FMU can be a submodel only of a system that is simulated, not of a model that "
            "is compiled", instance);
    return nullptr;
  }
  syntax::Reference type = declaration.type;
  if (type.parts.empty()) {
    type.parts.push_back({item.name, {}, false});
    type.where = item.name.where;
  }
  const std::size_t before = e.diagnostics.errors();
  const Class* c = e.program.find_class(type, *scope.file, &scope);
  if (!c && e.diagnostics.errors() == before) return nullptr;
  if (c && c->definition->fmu) {
    e.error(item.name.where, "'" + c->name.text() + "' is an FMU; an FMU can be a submodel only of a system that is "
            "simulated, not of a model that is compiled", instance);
    return nullptr;
  }
  return c;
}

void declare_submodels(Maker& make, const syntax::SubmodelDeclaration& declaration, Context& context, bool conditional) {
  Elaboration& e = make.e;
  const Class& scope = *context.scope;
  for (const syntax::SubmodelItem& item : declaration.items) {
    const Class* c = submodel_class(e, declaration, item, scope, context.instance);
    const auto& replacements = e.instances[context.instance].cls->replacements;
    const auto by = replacements.find(item.name.symbol);
    if (!c) continue;
    if (by == replacements.end()) {
      declare_submodel_array(make, item, c, context.scope, context, conditional);
      continue;
    }
    const Class* other = submodel_class(e, *by->second.declaration, *by->second.item, *by->second.scope, context.instance);
    if (!other || !check_replacement(e, by->second, *c, *other, context.instance)) continue;
    syntax::SubmodelItem const& replaced = *by->second.item;
    declare_submodel_array(make, replaced, other, by->second.scope, context, conditional);
  }
}

// A replacement of a submodel that no base declares.
void check_replacements_used(Elaboration& e, std::uint32_t instance) {
  for (const auto& [name, by] : e.instances[instance].cls->replacements) {
    const Member* member = e.find_member(instance, name);
    if (member && member->kind == MemberKind::Submodel) continue;
    if (e.diagnostics.has_errors()) continue;
    e.error(by.item->name.where, "there is no inherited submodel '" + name.text() + "' to replace", instance);
  }
}

void declare_item(Maker& make, const syntax::Item& item, Context& context, bool conditional) {
  Elaboration& e = make.e;
  if (const auto* variables = std::get_if<syntax::VariableDeclaration>(&item.node)) {
    declare_variables(e, *variables, context, conditional);
  } else if (const auto* submodels = std::get_if<syntax::SubmodelDeclaration>(&item.node)) {
    declare_submodels(make, *submodels, context, conditional);
  } else if (const auto* model = std::get_if<ModelDefinition>(&item.node)) {
    if (model->type || !check_new_name(e, context.instance, model->name.symbol, model->name.where)) return;
    const Class* c = e.program.class_of(*model, *context.scope->file, context.scope);
    if (!c || !check_recursion(e, context.instance, c, model->name.where, conditional) || !e.spend(kCostOfInstance, model->name.where))
      return;
    Member member;
    member.name = model->name.symbol;
    member.where = model->name.where;
    member.kind = MemberKind::Submodel;
    member.first = make_instance(make, context.instance, model->name.symbol.text(), c, {nullptr, context.scope, 0, {}, conditional});
    e.add_member(context.instance, member);
  } else if (const auto* table = std::get_if<syntax::Table>(&item.node)) {
    if (!check_new_name(e, context.instance, table->name.symbol, table->name.where)) return;
    Member member;
    member.name = table->name.symbol;
    member.where = table->name.where;
    member.kind = MemberKind::Table;
    member.first = declare_table(e, *table, context.instance, context);
    e.add_member(context.instance, member);
  }
}

// The realization an instance uses: named at incorporation, otherwise the first.
void choose_realization(Elaboration& e, std::uint32_t instance) {
  InstanceData& data = e.instances[instance];
  std::vector<std::string> names;
  Symbol chosen;
  const syntax::Argument* asked = nullptr;
  if (data.source.item)
    for (const syntax::Argument& argument : data.source.item->arguments)
      if (argument.name.symbol && argument.name.symbol.text() == "realization") asked = &argument;
  for (const ClassItem& entry : data.cls->items) {
    const auto* realization = std::get_if<syntax::Realization>(&entry.item->node);
    if (!realization) continue;
    names.push_back(realization->name.symbol.text());
    const bool wanted = asked ? asked->value.kind == syntax::ExpressionKind::Reference &&
                                    asked->value.reference.parts.size() == 1 &&
                                    asked->value.reference.parts[0].name.symbol == realization->name.symbol
                              : !chosen;
    if (wanted) chosen = realization->name.symbol;
  }
  data.realization = chosen;
  if (!asked || chosen) return;
  Diagnostic* error = e.error(asked->value.where, names.empty()
                                  ? "model type '" + data.cls->name.text() + "' has no realizations"
                                  : "no such realization of '" + data.cls->name.text() + "'", data.parent);
  if (!error || names.empty()) return;
  std::string list;
  for (const std::string& n : names) list += (list.empty() ? "'" : ", '") + n + "'";
  error->remark("it has " + list);
}

void visit_items(Elaboration& e, const syntax::Body& body, Context& context, bool conditional, const ItemVisitor& visit);

void visit_item(Elaboration& e, const syntax::Item& item, Context& context, bool conditional, const ItemVisitor& visit) {
  if (const auto* choice = std::get_if<syntax::If>(&item.node)) {
    const auto value = structural_value(e, choice->condition, context, "the condition of a structural 'if'");
    if (value) visit_items(e, *value != 0 ? choice->then_items : choice->else_items, context, true, visit);
  } else if (const auto* realization = std::get_if<syntax::Realization>(&item.node)) {
    if (realization->name.symbol == e.instances[context.instance].realization)
      visit_items(e, realization->body, context, conditional, visit);
  } else {
    visit(item, context, conditional);
  }
}

void visit_items(Elaboration& e, const syntax::Body& body, Context& context, bool conditional, const ItemVisitor& visit) {
  for (const syntax::Item& item : body) visit_item(e, item, context, conditional, visit);
}

}  // namespace

void for_each_item(Elaboration& e, std::uint32_t instance, const ItemVisitor& visit) {
  for (const ClassItem& entry : e.instances[instance].cls->items) {
    Context context{instance, entry.scope, &e.loops};
    visit_item(e, *entry.item, context, false, visit);
    if (e.out_of_budget) return;
  }
}

void instantiate(Elaboration& e, const Class& root) {
  Maker make{e, {}};
  make_instance(make, 0, "", &root, {});
  e.model.instances[0].description = root.definition->description;
  while (!make.waiting.empty() && !e.out_of_budget && !e.diagnostics.full()) {
    const std::uint32_t instance = make.waiting.front();
    make.waiting.pop_front();
    choose_realization(e, instance);
    declare_parameters(e, instance);
    for_each_item(e, instance, [&](const syntax::Item& item, Context& context, bool conditional) {
      declare_item(make, item, context, conditional);
    });
    check_replacements_used(e, instance);
    declare_cuts(e, instance);
    for_each_item(e, instance, [&](const syntax::Item& item, Context& context, bool) {
      const auto* variables = std::get_if<syntax::VariableDeclaration>(&item.node);
      if (variables && variables->kind == syntax::VariableKind::Default) declare_defaults(e, *variables, context);
    });
  }
}

}  // namespace fmugen::semantics
