// The state that the steps of flattening share. Internal to semantics: callers see flatten.h only.
//
// The steps, in order (flatten.cpp calls them):
//   instantiate       the tree of instances, their members (variables, submodels, cuts, nodes, paths), parameter bindings
//   elaborate         equations, connections and events of every instance
//   connect           connection sets to equations, parameter propagation, unconnected cuts
//   finish            parameter values, zero parameters, order of derivatives, inputs and outputs
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fmugen/equations/flat_model.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/semantics/flatten.h"
#include "fmugen/semantics/program.h"

namespace fmugen::semantics {

using equations::Expr;
using equations::FlatModel;
using equations::InstanceId;
using equations::VarId;
using equations::index;

// ---- members of an instance -----------------------------------------------------------------------------------------

struct Shape {  // of an array: rank 0 is a scalar
  std::uint8_t rank = 0;
  std::uint32_t n[2] = {1, 1};
  std::size_t size() const { return std::size_t{n[0]} * n[1]; }
  friend bool operator==(const Shape& a, const Shape& b) {
    return a.rank == b.rank && a.n[0] == b.n[0] && a.n[1] == b.n[1];
  }
};
std::string to_text(const Shape& shape);             // "a scalar", "a vector of 3", "a 2 by 3 matrix"
std::string subscripts(const Shape& shape, std::size_t element);  // "[2]", "[1,3]", "" for a scalar

enum class MemberKind : std::uint8_t { Variable, Submodel, Cut, Node, Path, Table };

struct Member {
  Symbol name;
  SourceRange where;
  Shape shape;
  MemberKind kind = MemberKind::Variable;
  bool internal = false;      // shared with submodels that declare it external
  bool inherited = false;     // declared in a base: a parameter may be declared again
  std::uint32_t first = 0;    // VarId, instance, cut, path or table; elements of an array follow each other
};

struct SubmodelSource {       // how an instance came to be
  const syntax::SubmodelItem* item = nullptr;   // null: the root, or a model written inside another
  const Class* scope = nullptr;                 // where the arguments were written
  std::uint32_t element = 0;                    // of an array of submodels
  Shape shape;
  bool conditional = false;                     // declared inside a structural if
};

struct InstanceData {
  const Class* cls = nullptr;
  std::uint32_t parent = 0;
  std::uint32_t depth = 0;
  std::int32_t sample = -1;   // sampled system its equations belong to
  std::int32_t main_cut = -1; // member of cuts/paths
  std::int32_t main_path = -1;
  Symbol realization;         // the chosen one
  SubmodelSource source;
  std::vector<Member> members;
};

// ---- cuts -----------------------------------------------------------------------------------------------------------

enum class CutShape : std::uint8_t { Leaf, Hierarchical, Open };  // Open: takes its structure from what is connected

struct CutEntry {  // one position of a leaf cut
  enum Kind : std::uint8_t { Dot, Variable, Value } kind = Dot;
  bool negative = false;
  Shape shape;
  VarId first{0};             // Variable
  Expr value = nullptr;       // Value
  SourceRange where;
};

// An end of a connection: a cut seen from outside (side 0) or from inside its model (side 1).
using EndId = std::uint32_t;
constexpr EndId kNoEnd = 0xffffffff;
inline EndId end_of(std::uint32_t cut, bool inside) { return 2 * cut + (inside ? 1 : 0); }
inline std::uint32_t cut_of(EndId end) { return end / 2; }
inline bool is_inside(EndId end) { return end & 1; }

struct CutData {
  std::uint32_t instance = 0; // the model that declares it
  CutShape shape = CutShape::Open;
  bool node = false;
  bool temporary = false;     // written in a connection statement
  bool fixed_sides = false;   // Hierarchical: children hold ends, not cuts (temporary cuts)
  Symbol name;                // empty: anonymous or temporary
  std::uint32_t element = 0;  // number in an array of cuts, 1-based; 0: no array
  std::uint32_t across = 0, through = 0;   // counts of entries
  std::uint32_t first_entry = 0;           // across, then through
  std::uint32_t first_child = 0, children = 0;  // into Elaboration::cut_children
  SourceRange where;
  const std::string* description = nullptr;     // in the syntax tree
};

struct PathData {
  EndId left = kNoEnd, right = kNoEnd;     // for a side-less path of an instance: as seen from outside (even ids)
  Symbol name;
  SourceRange where;
};

// cut c(m:d): a member of a cut that stands for a cut of a submodel; connected once the submodels are known.
struct CutReference {
  std::uint32_t cut = 0;
  const syntax::ConnectionExpression* expression = nullptr;
  std::uint32_t instance = 0;
  const Class* scope = nullptr;
};

// C1 at C2, and the statement that says so.
struct At {
  EndId a = kNoEnd, b = kNoEnd;
  std::uint32_t instance = 0;
  SourceRange where;
};

// ---- the whole ------------------------------------------------------------------------------------------------------

struct LoopVariable {
  Symbol name;
  double value = 0;
};

// Where an expression or statement is read.
struct Context {
  std::uint32_t instance = 0;
  const Class* scope = nullptr;             // for type and function names
  std::vector<LoopVariable>* loops = nullptr;
  bool names_outside = true;                // references into submodels count as "named from outside"
  bool implicit = true;                     // unknown simple names become locals
  Symbol binding{};                         // the parameter whose value is being read here
  const std::unordered_map<Symbol, std::uint32_t>* function_variables = nullptr;  // inside a function body
  const ProgramFile* function_file = nullptr;  // inside a function body: where it is written
  const ProgramFile& file() const { return function_file ? *function_file : *scope->file; }
};

// A scalar, vector or matrix of expressions; elements row by row.
struct Value {
  Shape shape;
  Expr scalar = nullptr;
  std::vector<Expr> items;
  bool valid() const { return shape.rank == 0 ? scalar != nullptr : true; }
  Expr at(std::size_t i) const { return shape.rank == 0 ? scalar : items[i]; }
};

enum class Resolution : std::uint8_t { Unresolved, Running, Done, Failed };

struct VariableExtra {                      // what only flattening needs to know of a variable
  Resolution state = Resolution::Unresolved;  // of a parameter value
  bool given = false;                       // value given at incorporation, by --set or in a temporary cut
  bool outside = false;                     // named by an equation of another model
  bool connected = false;                   // member of a cut that is connected
  bool boolean = false;
  bool in_cut = false;                      // member of a cut of its own model
  bool frozen_through = false;              // what it depends on is frozen too
  Expr fallback = nullptr;                  // `default` value
  SourceRange binding_where;
  SourceRange fallback_where;
  SourceRange given_where;                  // input: the connection that gives it
};

// Two statements of one parameter's value that must agree: value(other) = factor*value(source) + offset.
struct Agreement {
  VarId source, other;
  Expr stated = nullptr;                    // what `other` was stated to be
  double factor = 1, offset = 0;
  SourceRange where;                        // the connection
  SourceRange stated_where;
  std::uint32_t instance = 0;
  bool given = true;                        // otherwise both are defaults
};

// A parameter that is declared, but whose value has not been read.
struct PendingBinding {
  const syntax::VariableItem* item = nullptr;
  Context context;
};

struct Setting {                            // --set name=value
  Value value;
  SourceRange where;
  bool used = false;
};

struct Elaboration {
  Elaboration(Program& p, Diagnostics& d, const FlattenOptions& o) : program(p), diagnostics(d), options(o) {}

  Program& program;
  Diagnostics& diagnostics;
  const FlattenOptions& options;
  FlatModel model;
  std::vector<InstanceData> instances;
  std::vector<VariableExtra> extra;         // parallel to model.variables
  std::vector<CutData> cuts;
  std::vector<CutEntry> entries;
  std::vector<std::uint32_t> cut_children;  // cuts, or ends where fixed_sides
  std::vector<PathData> paths;
  std::vector<CutReference> cut_references;
  std::vector<At> ats;
  std::vector<Agreement> agreements;
  std::vector<std::uint32_t> seen;          // per end: order of first mention, 0: never
  std::uint32_t seen_count = 0;
  std::unordered_map<std::uint32_t, std::unordered_map<Symbol, std::uint32_t>> member_index;  // of large instances
  std::unordered_map<const void*, std::uint32_t> function_ids;
  std::unordered_set<const void*> functions_being_read;           // a function met again here calls itself
  std::unordered_map<std::uint32_t, Expr> second_initial;         // dx0 of der2(x, x0, dx0), by variable
  std::unordered_map<const void*, std::uint32_t> attribute_ids;   // of attributes that are the same in all instances
  std::unordered_map<const Class*, std::vector<Symbol>> parameter_names;  // in the order of positional arguments
  std::unordered_map<std::uint32_t, PendingBinding> pending_scalars;      // by variable
  std::map<std::string, Setting> settings;              // --set, by full name
  equations::Occurrences occurrences;
  std::vector<LoopVariable> loops;                      // of the statement being read
  std::unordered_set<std::string> reported;             // messages already given for another instance
  std::size_t budget = 0;                   // elements still allowed: guards against absurd sizes
  bool out_of_budget = false;
  bool has_delays = false;

  equations::ExprPool& pool() { return model.pool; }
  std::string path(std::uint32_t instance) const { return model.path(InstanceId{instance}); }
  std::string short_path(std::uint32_t instance) const;  // with the middle left out if it is long: for messages

  // Reports an error or warning about a text once, however many instances share the text.
  Diagnostic* error(SourceRange where, std::string text, std::uint32_t instance);
  Diagnostic* warning(SourceRange where, std::string text, std::uint32_t instance);
  // Takes n from the budget; false (with one error) when it is used up.
  bool spend(std::size_t n, SourceRange where);

  Member* find_member(std::uint32_t instance, Symbol name);
  Member& add_member(std::uint32_t instance, Member member);
  VarId add_variable(equations::Variable variable);
};

// ---- instantiate.cpp, declare_*.cpp ---------------------------------------------------------------------------------
void instantiate(Elaboration& e, const Class& root);
// Calls `visit` for every item of an instance that takes part: inside the chosen realization and the branches that
// structural conditions select; `conditional` tells those branches.
using ItemVisitor = std::function<void(const syntax::Item& item, Context& context, bool conditional)>;
void for_each_item(Elaboration& e, std::uint32_t instance, const ItemVisitor& visit);
// ---- declare_variables.cpp ------------------------------------------------------------------------------------------
void declare_parameters(Elaboration& e, std::uint32_t instance);
// `conditional`: inside a structural if, where parameters are not known beforehand.
void declare_variables(Elaboration& e, const syntax::VariableDeclaration& declaration, Context& context,
                       bool conditional);
void declare_defaults(Elaboration& e, const syntax::VariableDeclaration& declaration, Context& context);
// Attributes in parentheses and the description, as an index into FlatModel::attributes. `key`: where they are written.
std::uint32_t attributes_of(Elaboration& e, const void* key, const std::vector<syntax::Attribute>& attributes,
                            const std::string& description, Context& context, const Shape& shape = {},
                            std::size_t element = 0);
void bind_pending(Elaboration& e, VarId scalar);   // a scalar parameter whose binding has not been read yet
VarId declare_elements(Elaboration& e, std::uint32_t instance, Symbol name, SourceRange where, Shape shape,
                       equations::VariableKind kind, std::uint32_t attributes);
std::optional<Shape> shape_of(Elaboration& e, const std::vector<syntax::Expression>& dimensions, Context& context,
                              const std::string& name);
bool check_new_name(Elaboration& e, std::uint32_t instance, Symbol name, SourceRange where);
// ---- lookup.cpp -----------------------------------------------------------------------------------------------------
struct Target {                             // what a reference means
  enum Kind : std::uint8_t { None, Variable, Submodel, Cut, Node, Path, Table, Number } kind = None;
  Shape shape;
  std::uint32_t id = 0;                     // variable, instance, cut, path or table, if a scalar
  std::vector<std::uint32_t> ids;           // otherwise element by element
  std::uint32_t owner = 0;                  // instance that declares it (the first one)
  double number = 0;                        // a loop variable
  std::uint32_t element(std::size_t i) const { return shape.rank == 0 ? id : ids[i]; }
};
// Reports unknown names (kind None) unless `quiet`; with context.implicit an unknown simple name becomes a local.
Target resolve(Elaboration& e, const syntax::Reference& reference, Context& context, bool quiet = false);
// The elements of a member that the subscripts of `part`, read in `context`, leave; nullopt after a reported error.
std::optional<Target> member_elements(Elaboration& e, const syntax::ReferencePart& part, const Member& member,
                                      Context& context);
// The kind of thing a reference means, without subscripts being evaluated: to tell connections from equations.
Target::Kind kind_of(Elaboration& e, const syntax::Reference& reference, const Context& context);

// ---- expressions.cpp ------------------------------------------------------------------------------------------------
Value elaborate(Elaboration& e, const syntax::Expression& expression, Context& context);
Expr elaborate_scalar(Elaboration& e, const syntax::Expression& expression, Context& context);  // null after an error
// One element against another, with scalars spread over arrays; nullopt after a reported mismatch.
std::optional<Shape> common_shape(Elaboration& e, const Value& a, const Value& b, SourceRange where, Context& context);

// ---- parameters.cpp -------------------------------------------------------------------------------------------------
// The value of an expression over parameters now, freezing them as structural; nullopt after a reported error. `what`
// completes the message: "the size of 'x'".
std::optional<double> structural_value(Elaboration& e, const syntax::Expression& expression, Context& context,
                                       const std::string& what);
std::optional<long> structural_integer(Elaboration& e, const syntax::Expression& expression, Context& context,
                                       const std::string& what);
bool resolve_parameter(Elaboration& e, VarId parameter);      // value from binding; false after a reported error
// The number an expression over parameters has; nullopt if it has none (a missing value is no error here).
std::optional<double> constant_value(Elaboration& e, Expr expression);
void resolve_all_parameters(Elaboration& e);
bool is_constant(const equations::Variable& v);               // parameter or constant

// ---- cuts.cpp -------------------------------------------------------------------------------------------------------
void declare_cuts(Elaboration& e, std::uint32_t instance);
std::uint32_t add_cut(Elaboration& e, std::uint32_t instance, Symbol name, SourceRange where);
CutEntry value_entry(Elaboration& e, const syntax::Expression& value, bool negative, Context& context);
// Gives `cut` the children (cuts, or ends if fixed_sides) or the entries.
void set_children(Elaboration& e, std::uint32_t cut, const std::vector<std::uint32_t>& children, bool fixed_sides);
void set_entries(Elaboration& e, std::uint32_t cut, const std::vector<CutEntry>& across,
                 const std::vector<CutEntry>& through);
std::string cut_name(const Elaboration& e, EndId end);        // "R1:A", "Bus1", "(N1, N2)"

// ---- connections.cpp ------------------------------------------------------------------------------------------------
void connect_references(Elaboration& e);                      // the cut_references
void connect(Elaboration& e, const syntax::ConnectionStatement& statement, SourceRange where, Context& context);

// ---- connection_sets.cpp --------------------------------------------------------------------------------------------
void generate_connections(Elaboration& e);
void check_agreements(Elaboration& e);                        // connection_parameters.cpp

// ---- statements.cpp, functions.cpp ----------------------------------------------------------------------------------
void elaborate_statements(Elaboration& e);
std::uint32_t function_id(Elaboration& e, const Program::FoundFunction& found);
std::uint32_t declare_table(Elaboration& e, const syntax::Table& table, std::uint32_t instance, Context& context);

// ---- boundary.cpp ---------------------------------------------------------------------------------------------------
void settle_terminals(Elaboration& e);                        // defaults, inputs that nothing gives
void check_inputs_and_outputs(Elaboration& e);
void check_missing_parameters(Elaboration& e);
void check_constant_values(Elaboration& e);  // 1/0 in equations
// ---- derivatives.cpp ------------------------------------------------------------------------------------------------
void expand_derivatives(Elaboration& e);                      // der of expressions to der of variables
void drop_zero_terms(Elaboration& e);
void reduce_order(Elaboration& e);                            // der(der(x)) by an auxiliary variable
void freeze_zero(Elaboration& e, Expr factor);                // parameters whose zero changes the structure
// ---- delays.cpp -----------------------------------------------------------------------------------------------------
void settle_delays(Elaboration& e);                           // every delay is longer than zero

}  // namespace fmugen::semantics
