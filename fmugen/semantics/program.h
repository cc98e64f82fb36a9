// The texts that take part in one model: the file itself and the libraries it uses, and the classes (model types and
// models) written in them, with their bases resolved.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fmugen/support/diagnostics.h"
#include "fmugen/support/symbol.h"
#include "fmugen/syntax/ast.h"

namespace fmugen::semantics {

using support::Diagnostic;
using support::Diagnostics;
using support::SourceRange;
using support::Symbol;

struct ProgramFile {
  support::Symbol name;                          // "electrical"
  std::string path;
  syntax::File syntax;
  std::vector<const ProgramFile*> uses;          // in the order of the use statements
  std::unordered_map<Symbol, const syntax::ModelDefinition*> models;
  std::unordered_map<Symbol, const syntax::Function*> functions;
};

struct Class;

// An item of a class together with the class in whose text it stands: there its type names are looked up.
struct ClassItem {
  const syntax::Item* item = nullptr;
  const Class* scope = nullptr;
};

// A submodel that a derived class swaps: replace submodel (pid2) reg.
struct Replacement {
  const syntax::SubmodelDeclaration* declaration = nullptr;
  const syntax::SubmodelItem* item = nullptr;
  const Class* scope = nullptr;
};

struct Class {
  Symbol name;
  const syntax::ModelDefinition* definition = nullptr;
  const ProgramFile* file = nullptr;
  const Class* enclosing = nullptr;              // the class in whose body it is written
  const Class* base = nullptr;
  bool discrete = false;                         // itself or its base
  std::vector<ClassItem> items;                  // those of the base first
  std::unordered_map<Symbol, const syntax::ModelDefinition*> nested;   // of its own body
  std::unordered_map<Symbol, const syntax::Function*> functions;
  std::unordered_map<Symbol, Replacement> replacements;                // of the whole chain of bases
};

class Program {
 public:
  Program(support::Sources& sources, support::SymbolTable& symbols, Diagnostics& diagnostics,
          std::vector<std::string> library_path)
      : sources_(sources), symbols_(symbols), diagnostics_(diagnostics), library_path_(std::move(library_path)) {}

  // Reads a file and what it uses; null after an error that left nothing to work with.
  const ProgramFile* load(const std::string& path);
  // The same for a text already among the sources; libraries are searched along the path only.
  const ProgramFile* load_text(std::uint32_t source);

  // The class written as `definition`; null if its base cannot be resolved (reported).
  const Class* class_of(const syntax::ModelDefinition& definition, const ProgramFile& file, const Class* enclosing);

  // The class a type name means in `scope` (or at file level, if scope is null); null after a reported error.
  const Class* find_class(const syntax::Reference& type, const ProgramFile& file, const Class* scope);
  // The function a name means, and where its own names are looked up.
  struct FoundFunction {
    const syntax::Function* function = nullptr;  // null: there is none
    const ProgramFile* file = nullptr;
    const Class* scope = nullptr;                // null: written at file level
  };
  FoundFunction find_function(Symbol name, const ProgramFile& file, const Class* scope) const;

  // The root: the model called `name`, or the last model of the file.
  const Class* root(const ProgramFile& file, const std::string& name);

  support::Sources& sources() { return sources_; }
  support::SymbolTable& symbols() { return symbols_; }

 private:
  struct Found {
    const syntax::ModelDefinition* definition = nullptr;
    const ProgramFile* file = nullptr;
    const Class* enclosing = nullptr;
  };
  const ProgramFile* load_used(const syntax::Use& use, const ProgramFile& user);
  const ProgramFile* read(const std::string& path, SourceRange asked_at);
  const ProgramFile* finish_loading(ProgramFile& file);
  std::vector<Found> visible_in_file(Symbol name, const ProgramFile& file) const;
  Found find_definition(Symbol name, const ProgramFile& file, const Class* scope, SourceRange where);
  void fill_class(Class& c);
  std::vector<std::string> type_names(const ProgramFile& file, const Class* scope) const;

  support::Sources& sources_;
  support::SymbolTable& symbols_;
  Diagnostics& diagnostics_;
  std::vector<std::string> library_path_;
  std::deque<ProgramFile> files_;
  std::unordered_map<std::string, const ProgramFile*> by_path_;
  std::vector<std::pair<std::string, SourceRange>> loading_;  // paths being read, with the use statement that asked
  std::deque<Class> classes_;
  std::unordered_map<const syntax::ModelDefinition*, const Class*> by_definition_;
  std::unordered_set<std::uint64_t> unknown_types_;           // places of type names already reported
  std::vector<const syntax::ModelDefinition*> resolving_;     // bases being resolved: an "is a" circle is an error
};

}  // namespace fmugen::semantics
