// What a SIMNON text says, before names mean anything: systems, their declarations and their statements in the order in
// which they stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fmugen/support/source.h"

namespace fmugen::simnon {

using support::SourceRange;

struct Name {
  std::string text;
  SourceRange where;
};

struct Reference {  // X or X[SYSTEM]
  Name name;
  std::optional<Name> system;
  SourceRange where;
};

enum class ExpressionKind {
  Number,
  Reference,
  Call,  // name: the function
  Sum,
  Product,  // two or more children
  Negative,
  Inverse,  // one child; a - b is a sum with a negative, a/b a product with an inverse
  Power,    // base, exponent
  Less,
  Greater,
  Not,
  And,
  Or,  // And, Or: two or more
  If   // condition, then, else
};

struct Expression {
  ExpressionKind kind = ExpressionKind::Number;
  double number = 0;
  Reference reference;  // Reference; Call: its name
  std::vector<Expression> children;
  SourceRange where;
};

enum class SystemKind { Continuous, Discrete, Connecting };
enum class Declared { Input, Output, Time, State, Der, New, Tsamp };
enum class Section { Initial, Output, Dynamics, Connect, Sort };
enum class StatementKind {
  Assignment,  // target = value
  Constant,    // target: number
  Stop         // STOP WHEN value
};

struct Declaration {
  Declared type = Declared::Input;
  Name name;
  std::string comment;  // of a line that declares this variable alone
};

struct Statement {
  StatementKind kind = StatementKind::Assignment;
  Section section = Section::Output;
  Reference target;
  Expression value;
  double number = 0;
  std::string comment;
  SourceRange where;
};

struct System {
  SystemKind kind = SystemKind::Continuous;
  Name name;
  std::string comment;
  std::vector<Declaration> declarations;
  std::vector<Statement> statements;
  SourceRange where, end;  // heading, END
};

struct Experiment {  // SIMU start stop [increment]
  double start = 0, stop = 1;
  std::optional<double> increment;
  SourceRange where;
};

struct File {
  std::vector<System> systems;
  std::optional<Experiment> experiment;
};

const char* name(SystemKind kind);  // "continuous"
const char* name(Declared type);    // "INPUT"
const char* name(Section section);  // "OUTPUT"

// Calls visit(reference) for every variable in an expression, from left to right.
template <class Visit>
void for_each_reference(const Expression& e, const Visit& visit) {
  if (e.kind == ExpressionKind::Reference) visit(e.reference);
  for (const Expression& child : e.children) for_each_reference(child, visit);
}

}  // namespace fmugen::simnon
