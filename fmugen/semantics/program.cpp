// Files, libraries and classes.
//
// A type name is looked up from the inside out: the bodies of the enclosing classes (each with its bases), then the
// models of the file together with those of the files it uses. The first level that knows the name decides; two meanings
// on that level are an ambiguity the user settles by writing electrical.resistor. `use` is not transitive.
//
// A class lists its items with those of its base first. Inherited items keep the scope they were written in, because
// their type names mean what they meant there; variable names are looked up in the instance.
#include "fmugen/semantics/program.h"

#include <algorithm>
#include <filesystem>

#include "fmugen/syntax/parser.h"

namespace fmugen::semantics {

namespace fs = std::filesystem;
using syntax::ModelDefinition;

namespace {

constexpr std::size_t kDeepestChain = 200;  // of bases: each level copies the items of the one below

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder == "." ? name : (fs::path(folder) / name).string();
}

}  // namespace

const ProgramFile* Program::load(const std::string& path) { return read(path, {}); }

const ProgramFile* Program::load_text(std::uint32_t source) {
  ProgramFile& file = files_.emplace_back();
  file.path = sources_.file(source).path();
  file.name = symbols_.intern(fs::path(file.path).stem().string());
  file.syntax = syntax::parse(sources_, source, symbols_, diagnostics_);
  return finish_loading(file);
}

const ProgramFile* Program::read(const std::string& path, SourceRange asked_at) {
  std::error_code ignored;
  std::string key = fs::weakly_canonical(path, ignored).string();
  if (key.empty()) key = path;
  for (std::size_t i = 0; i < loading_.size(); ++i) {
    if (loading_[i].first != key) continue;
    Diagnostic& error = diagnostics_.error(asked_at, "circular use: '" + fs::path(path).stem().string() +
                                                         "' is being read already");
    for (std::size_t k = i + 1; k < loading_.size(); ++k) error.remark(loading_[k].second, "used from here");
    return nullptr;
  }
  if (const auto known = by_path_.find(key); known != by_path_.end()) return known->second;
  std::string reason;
  const auto source = sources_.read(path, reason);
  if (!source) {
    diagnostics_.error(asked_at, "cannot read '" + path + "': " + reason);
    return nullptr;
  }
  loading_.emplace_back(key, asked_at);
  const ProgramFile* file = load_text(*source);
  loading_.pop_back();
  by_path_[key] = file;
  return file;
}

const ProgramFile* Program::finish_loading(ProgramFile& file) {
  for (const syntax::Item& item : file.syntax.items) {
    if (const auto* model = std::get_if<ModelDefinition>(&item.node)) {
      const auto [known, added] = file.models.emplace(model->name.symbol, model);
      if (!added)
        diagnostics_.error(model->name.where, "duplicate declaration of '" + model->name.symbol.text() + "'")
            .remark(known->second->name.where, "first declared here");
    } else if (const auto* function = std::get_if<syntax::Function>(&item.node)) {
      const auto [known, added] = file.functions.emplace(function->name.symbol, function);
      if (const auto type = file.models.find(function->name.symbol); type != file.models.end())
        diagnostics_.error(function->name.where, "duplicate declaration of '" + function->name.symbol.text() + "'")
            .remark(type->second->name.where, "a model type has this name");
      if (!added)
        diagnostics_.error(function->name.where, "duplicate declaration of '" + function->name.symbol.text() + "'")
            .remark(known->second->name.where, "first declared here");
    }
  }
  for (const syntax::Use& use : file.syntax.uses)
    if (const ProgramFile* library = load_used(use, file))
      if (std::find(file.uses.begin(), file.uses.end(), library) == file.uses.end()) file.uses.push_back(library);
  return &file;
}

const ProgramFile* Program::load_used(const syntax::Use& use, const ProgramFile& user) {
  const std::string name = use.library.symbol.text() + ".dym";
  std::vector<std::string> folders{folder_of(user.path)};
  folders.insert(folders.end(), library_path_.begin(), library_path_.end());
  for (const std::string& folder : folders) {
    const std::string candidate = joined(folder, name);
    std::error_code ignored;
    if (fs::exists(candidate, ignored)) return read(candidate, use.library.where);
  }
  Diagnostic& error = diagnostics_.error(use.library.where, "cannot find library '" + name + "'");
  std::string searched;
  for (const std::string& folder : folders) searched += (searched.empty() ? "'" : ", '") + folder + "'";
  error.remark("searched in " + searched + "; add a folder with -I");
  return nullptr;
}

std::vector<Program::Found> Program::visible_in_file(Symbol name, const ProgramFile& file) const {
  std::vector<Found> found;
  if (const auto own = file.models.find(name); own != file.models.end()) found.push_back({own->second, &file, nullptr});
  for (const ProgramFile* library : file.uses)
    if (const auto there = library->models.find(name); there != library->models.end())
      found.push_back({there->second, library, nullptr});
  return found;
}

Program::Found Program::find_definition(Symbol name, const ProgramFile& file, const Class* scope, SourceRange where) {
  for (const Class* level = scope; level; level = level->enclosing) {
    for (const Class* c = level; c; c = c->base)
      if (const auto there = c->nested.find(name); there != c->nested.end()) return {there->second, c->file, c};
    if (level->name == name) return {level->definition, level->file, level->enclosing};
  }
  const std::vector<Found> found = visible_in_file(name, file);
  if (found.size() > 1) {
    Diagnostic& error = diagnostics_.error(where, "model type '" + name.text() + "' is ambiguous");
    for (const Found& f : found)
      error.remark(f.definition->name.where, "could be '" + f.file->name.text() + "." + name.text() + "'");
    return {};
  }
  return found.empty() ? Found{} : found.front();
}

std::vector<std::string> Program::type_names(const ProgramFile& file, const Class* scope) const {
  std::vector<std::string> names;
  for (const Class* level = scope; level; level = level->enclosing)
    for (const Class* c = level; c; c = c->base)
      for (const auto& [name, definition] : c->nested) names.push_back(name.text());
  for (const auto& [name, definition] : file.models) names.push_back(name.text());
  for (const ProgramFile* library : file.uses)
    for (const auto& [name, definition] : library->models) names.push_back(name.text());
  return names;
}

const Class* Program::find_class(const syntax::Reference& type, const ProgramFile& file, const Class* scope) {
  const auto& parts = type.parts;
  Found found;
  const std::size_t before = diagnostics_.errors();
  if (parts.size() == 1) {
    found = find_definition(parts[0].name.symbol, file, scope, type.where);
  } else if (parts.size() == 2) {
    const auto library = std::find_if(file.uses.begin(), file.uses.end(), [&](const ProgramFile* f) {
      return f->name == parts[0].name.symbol;
    });
    const ProgramFile* where = library != file.uses.end() ? *library
                               : file.name == parts[0].name.symbol ? &file
                                                                   : nullptr;
    if (!where) {
      diagnostics_.error(parts[0].name.where, "no library '" + parts[0].name.symbol.text() + "' is used here")
          .remark("write 'use " + parts[0].name.symbol.text() + "' at the top of the file");
      return nullptr;
    }
    if (const auto there = where->models.find(parts[1].name.symbol); there != where->models.end())
      found = {there->second, where, nullptr};
  }
  if (found.definition) return class_of(*found.definition, *found.file, found.enclosing);
  if (diagnostics_.errors() > before || !unknown_types_.insert(type.where.begin + (std::uint64_t{type.where.file} << 32)).second)
    return nullptr;  // reported
  std::string name;
  for (const auto& part : parts) name += (name.empty() ? "" : ".") + part.name.symbol.text();
  Diagnostic& error = diagnostics_.error(type.where, "unknown model type '" + name + "'");
  if (const std::string near = support::nearest_name(name, type_names(file, scope)); !near.empty())
    error.remark("did you mean '" + near + "'?");
  return nullptr;
}

Program::FoundFunction Program::find_function(Symbol name, const ProgramFile& file, const Class* scope) const {
  for (const Class* level = scope; level; level = level->enclosing)
    for (const Class* c = level; c; c = c->base)
      if (const auto there = c->functions.find(name); there != c->functions.end()) return {there->second, c->file, c};
  if (const auto own = file.functions.find(name); own != file.functions.end()) return {own->second, &file, nullptr};
  for (const ProgramFile* library : file.uses)
    if (const auto there = library->functions.find(name); there != library->functions.end())
      return {there->second, library, nullptr};
  return {};
}

const Class* Program::class_of(const ModelDefinition& definition, const ProgramFile& file, const Class* enclosing) {
  if (const auto known = by_definition_.find(&definition); known != by_definition_.end()) return known->second;
  if (const auto at = std::find(resolving_.begin(), resolving_.end(), &definition); at != resolving_.end()) {
    Diagnostic& error = diagnostics_.error(definition.name.where,
                                           "model type '" + definition.name.symbol.text() + "' is based on itself");
    for (auto k = at + 1; k != resolving_.end(); ++k)
      error.remark((*k)->name.where, "through '" + (*k)->name.symbol.text() + "'");
    return nullptr;
  }
  if (resolving_.size() >= kDeepestChain) {
    diagnostics_.error(definition.name.where, "the chain of 'is a' is longer than " + std::to_string(kDeepestChain));
    return nullptr;
  }
  resolving_.push_back(&definition);
  Class c;
  c.name = definition.name.symbol;
  c.definition = &definition;
  c.file = &file;
  c.enclosing = enclosing;
  c.discrete = definition.discrete;
  bool ok = true;
  if (definition.base) {
    c.base = find_class(*definition.base, file, enclosing);
    ok = c.base != nullptr;
  }
  const Class* result = nullptr;
  if (ok) {
    Class& kept = classes_.emplace_back(std::move(c));
    fill_class(kept);
    result = &kept;
  }
  resolving_.pop_back();
  by_definition_[&definition] = result;
  return result;
}

void Program::fill_class(Class& c) {
  if (c.base) {
    c.items = c.base->items;
    c.replacements = c.base->replacements;
    c.discrete = c.discrete || c.base->discrete;
  }
  for (const syntax::Item& item : c.definition->body) {
    if (const auto* model = std::get_if<ModelDefinition>(&item.node)) {
      const auto [known, added] = c.nested.emplace(model->name.symbol, model);
      if (!added)
        diagnostics_.error(model->name.where, "duplicate declaration of '" + model->name.symbol.text() + "'")
            .remark(known->second->name.where, "first declared here");
    }
    if (const auto* function = std::get_if<syntax::Function>(&item.node)) c.functions[function->name.symbol] = function;
    const auto* submodels = std::get_if<syntax::SubmodelDeclaration>(&item.node);
    if (submodels && submodels->replaces) {
      for (const auto& submodel : submodels->items) c.replacements[submodel.name.symbol] = {submodels, &submodel, &c};
      continue;
    }
    c.items.push_back({&item, &c});
  }
}

const Class* Program::root(const ProgramFile& file, const std::string& name) {
  const ModelDefinition* chosen = nullptr;
  std::vector<std::string> names;
  for (const syntax::Item& item : file.syntax.items) {
    const auto* model = std::get_if<ModelDefinition>(&item.node);
    if (!model) continue;
    names.push_back(model->name.symbol.text());
    if (name.empty() ? !model->type : model->name.symbol.text() == name) chosen = model;
  }
  if (chosen) return class_of(*chosen, file, nullptr);
  if (name.empty()) {
    diagnostics_.error({file.syntax.source, 0, 0}, "there is no 'model' in this file")
        .remark(names.empty() ? "write 'model NAME ... end'"
                              : "'model type' only describes a component; choose one as the root with -m");
    return nullptr;
  }
  Diagnostic& error = diagnostics_.error({file.syntax.source, 0, 0}, "there is no model '" + name + "' in this file");
  if (const std::string near = support::nearest_name(name, names); !near.empty()) {
    error.remark("did you mean '" + near + "'?");
  } else if (!names.empty()) {
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "'" : ", '") + known + "'";
    error.remark("it has " + list);
  }
  return nullptr;
}

}  // namespace fmugen::semantics
