// Abstract syntax of the model language. Values all the way: a tree can be copied, and destroying it recurses only as
// deep as the parser lets texts nest. Names are symbols of the SymbolTable the parser was given; every node knows its
// place in the source. Nothing here is resolved: `a` may turn out to be a variable, a cut or a submodel.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fmugen/support/source.h"
#include "fmugen/support/symbol.h"

namespace fmugen::syntax {

using support::SourceRange;
using support::Symbol;

struct Expression;

struct Name {
  Symbol symbol;
  SourceRange where;
};

// ---- references -----------------------------------------------------------------------------------------------------

// a, a.b, a::b.v, s[3].x[1, 2], x[1:k], m."any name"
struct ReferencePart {
  Name name;
  std::vector<Expression> subscripts;  // empty: none written
  bool quoted = false;                 // m."any name"
};
struct Reference {
  std::vector<ReferencePart> parts;  // joined by "." or "::" (both mean: go down the tree)
  SourceRange where;
};

// ---- expressions ----------------------------------------------------------------------------------------------------

enum class ExpressionKind {
  Number,     // number
  String,     // text
  Boolean,    // boolean
  Reference,  // reference
  Sum,        // children with operators '+' or '-'; the first operator is the sign of the first child
  Product,    // children with operators '*' or '/'; the first operator is always '*'
  Power,      // children: base, exponent
  Relation,   // children: left, right; relation
  And,        // children: two or more
  Or,         // children: two or more
  Not,        // child
  If,         // children: condition, then, else
  Call,       // name, children: arguments. Also der, der2, new, pre, delay, noevent, size, sum, ... and table look-ups
  Prime,      // child, order: x' (1), x'' (2)
  Matrix,     // rows: [1, 2; 3, 4]; a vector is one row
  Range       // children: from, to; empty children: the whole range ":"; only as a subscript
};

enum class RelationOperator { Less, LessEqual, Greater, GreaterEqual, Equal, Unequal };

struct Expression {
  ExpressionKind kind = ExpressionKind::Number;
  SourceRange where;
  double number = 0;
  bool boolean = false;
  std::string text;
  Name name;
  Reference reference;
  std::vector<Expression> children;
  std::vector<char> operators;
  RelationOperator relation = RelationOperator::Less;
  int order = 0;
  std::vector<std::vector<Expression>> rows;
};

// ---- cuts, paths and connections ------------------------------------------------------------------------------------

struct Attribute {  // unit = "V"
  Name name;
  Expression value;
};

struct ConnectionExpression;
struct CutClause;

enum class CutElementKind {
  Dot,         // .
  Variable,    // [-] reference [(attributes)] ["text"]: a variable, a parameter, or the name of a cut
  Cut,         // model:cut, model:(clause): a cut of a submodel
  Clause,      // ( ... ) nested
  Value,       // a number or a parenthesised expression: only in temporary cuts
  Connection   // a connection expression whose value is the element: only in temporary cuts
};

struct CutElement {
  CutElementKind kind = CutElementKind::Dot;
  SourceRange where;
  bool negative = false;
  Reference reference;
  std::vector<Attribute> attributes;
  std::string description;
  std::vector<Expression> value;                    // Value: one
  std::vector<CutClause> clause;                    // Clause: one
  std::vector<ConnectionExpression> connection;     // Cut and Connection: one; Clause: its reading as a connection,
                                                    // if it has one: (a / b) may be a par b, and (a) the path a
};

// (across / through) or, with brackets, Cellier's [a, b]
struct CutClause {
  std::vector<CutElement> across;
  std::vector<CutElement> through;
  bool has_slash = false;
  SourceRange where;
};

enum class ConnectionOperator { At, To, From, Par, Loop, Slash };  // Slash: "/", Cellier's par

enum class ConnectionKind {
  Operand,   // reference [selector]
  Reversed,  // children: one
  Chain,     // children a0 a1 a2 ... with operators between them, evaluated left to right
  List       // clause: "(a, b, c)" or a temporary cut "(.,., 1000 / 0.2)"; a parenthesised single operand without
             // slash is not a List but that operand itself
};

enum class SelectorKind {
  None,       // the model's main path or main cut, or a cut, node or path of the enclosing model
  Cut,        // model:cut[2]
  CutClause,  // model:(Base, Emitter)
  Path,       // model..path
  PathClause  // model..(Base - Emitter)
};

struct ConnectionExpression {
  ConnectionKind kind = ConnectionKind::Operand;
  SourceRange where;
  // Operand
  Reference reference;
  SelectorKind selector = SelectorKind::None;
  ReferencePart selected;                // Cut, Path
  std::vector<CutElement> ends;          // PathClause: left and right (Variable or Clause)
  std::vector<CutClause> clause;         // CutClause and List: one
  // Reversed, Chain
  std::vector<ConnectionExpression> children;
  std::vector<ConnectionOperator> operators;
  // List of the form (a / b): also readable as Cellier's "a par b" when a and b are paths; then children/operators
  // hold that reading (kind stays List).
};

// ---- declarations and statements ------------------------------------------------------------------------------------

struct Item;
using Body = std::vector<Item>;

enum class VariableKind { Parameter, StructureParameter, Constant, Local, Terminal, Input, Output, Default, Internal,
                          External, Discrete };

struct VariableItem {
  Name name;
  std::vector<Expression> dimensions;
  std::vector<Attribute> attributes;
  std::optional<Expression> value;
  std::string description;
};
struct VariableDeclaration {
  VariableKind kind = VariableKind::Local;
  std::vector<VariableItem> items;
};

struct Argument {  // of a submodel: positional when the name is empty
  Name name;
  Expression value;
};
struct SubmodelItem {
  Name name;
  std::vector<Expression> dimensions;
  std::vector<Argument> arguments;
  std::string description;
};
struct SubmodelDeclaration {
  Reference type;                       // empty parts: the type has the name of the item
  std::optional<Expression> fmu;        // submodel (fmu "motor.fmu") m: the file name
  std::vector<SubmodelItem> items;
  bool replaces = false;                // replace submodel (pid2) reg
};

struct CutItem {
  std::optional<Name> name;             // main cut (Omega / Tload) has none
  std::vector<Expression> bracket;      // hole[n] or Cellier's both[mech, elect]: which one is decided by what it names
  SourceRange bracket_where;
  std::optional<CutClause> clause;
  std::string description;
};
struct CutDeclaration {
  bool main = false;
  std::vector<CutItem> items;
};
struct NodeDeclaration {
  std::vector<CutItem> items;
};

struct PathItem {
  std::optional<Name> name;
  CutElement left;                      // Variable (the name of a cut, perhaps indexed), Cut, or Clause
  CutElement right;
  std::string description;
};
struct PathDeclaration {
  bool main = false;
  std::vector<PathItem> items;
};

struct ConnectionStatement {
  std::optional<Name> selected;         // connect (heat) ...
  bool keyword = false;                 // began with "connect"
  std::vector<ConnectionExpression> expressions;
};

struct Equation {
  Expression left;
  Expression right;
  // Filled when the same tokens also read as a connection statement: the meaning of the names decides.
  std::optional<ConnectionStatement> as_connection;
};

struct ProcedureCall {                  // y1 y2 = proc(u1 u2)
  std::vector<Reference> results;
  Name function;
  std::vector<Expression> arguments;
};

struct For {
  Name variable;
  Expression from, to;
  Body body;
};
struct If {                             // structural: the condition depends on structure parameters only
  Expression condition;
  Body then_items;
  Body else_items;                      // an "else if" is one If here
};

enum class ActionKind { Assign, Reinit, Terminate, Select };
struct Action {
  ActionKind kind = ActionKind::Assign;
  SourceRange where;
  Reference target;                     // Assign, Reinit; Select: the submodel, empty for the model itself
  Name realization;                     // Select
  std::optional<Expression> value;      // Assign, Reinit
  std::string text;                     // Terminate
};
struct WhenBranch {
  Expression condition;
  std::vector<Action> actions;
};
struct When {
  std::vector<WhenBranch> branches;     // "else when" in order of priority
};

struct Initial {
  Expression left, right;
};
struct Valid {
  Expression condition;
  std::string text;
};
struct Terminate {                      // terminate when cond "text"
  Expression condition;
  std::string text;
};
struct Sample {
  Expression every;
  std::optional<Expression> offset;
};
struct Experiment {
  std::optional<Expression> start, stop, step, tolerance;
  std::optional<Name> solver;
};
struct Iterate {
  std::vector<Reference> variables;
};

struct Table {
  Name name;
  std::vector<std::vector<Expression>> rows;      // table rho = (0, 1.293; 300, 1.256)
  std::string file;                               // table rho "air.csv"
  SourceRange file_where;
  std::vector<Attribute> options;                 // (interpolation = cubic, extrapolation = linear)
  std::string description;
};

struct FunctionStatement;
struct FunctionBranch {
  std::optional<Expression> condition;            // none: else
  std::vector<FunctionStatement> body;
};
enum class FunctionStatementKind { Assign, If, For };
struct FunctionStatement {
  FunctionStatementKind kind = FunctionStatementKind::Assign;
  SourceRange where;
  Reference target;                               // Assign
  std::optional<Expression> value;
  std::vector<FunctionBranch> branches;           // If
  Name variable;                                  // For
  std::optional<Expression> from, to;
  std::vector<FunctionStatement> body;
};
struct Function {
  Name name;
  bool external = false;
  std::vector<Name> results;            // function y = f(a, b); without results: the variable named like the function
  std::vector<Name> arguments;
  std::vector<Name> locals;
  std::vector<FunctionStatement> body;
  std::string file;                     // external: C source
  SourceRange file_where;
  std::optional<Name> derivative;       // external function y = f(u) "f.c" derivative df
  std::string description;
};

struct Realization {
  Name name;
  Body body;
};

struct ModelDefinition {
  Name name;
  bool type = false;                    // model type M: no instance of its own
  bool discrete = false;
  std::optional<Reference> base;        // is a valve; is a electrical.valve
  std::optional<Expression> fmu;        // is a fmu "shaft.fmu"
  std::string description;
  Body body;
};

struct Use {
  Name library;
};

struct Item {
  SourceRange where;                    // from the first token of the statement to its last
  std::variant<VariableDeclaration, SubmodelDeclaration, CutDeclaration, NodeDeclaration, PathDeclaration,
               ConnectionStatement, Equation, ProcedureCall, For, If, When, Initial, Valid, Terminate, Sample,
               Experiment, Iterate, Table, Function, Realization, ModelDefinition>
      node;
};

// One file.
struct File {
  std::uint32_t source = 0;
  std::vector<Use> uses;
  std::vector<Item> items;              // ModelDefinition and Function only
};

}  // namespace fmugen::syntax
