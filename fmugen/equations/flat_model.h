// The flat model: every variable and every equation of the whole system, scalar, with where each came from. It is the
// waist of the compiler: front ends produce it, everything behind knows nothing of syntax.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fmugen/equations/expr.h"
#include "fmugen/support/source.h"

namespace fmugen::equations {

enum class InstanceId : std::uint32_t {};
inline std::uint32_t index(InstanceId i) { return static_cast<std::uint32_t>(i); }

// A node of the model tree; the root is instance 0. Names are composed on demand: "s[3].R1".
struct Instance {
  InstanceId parent{0};
  std::string name;        // "R1", "s[3]", empty for the root
  std::string type;        // model type
  std::string description;
};

enum class VariableKind : std::uint8_t {
  Parameter,       // settable before the start; value is its binding
  Constant,        // cannot be changed
  Local,
  Terminal,        // member of a cut, or declared terminal
  Input,           // of the root, or of a submodel that nothing assigns (then `boundary` is set)
  Output,
  Discrete         // keeps its value between events
};

enum class VariableType : std::uint8_t { Real, Boolean };

enum class StateSelect : std::uint8_t { Never, Avoid, Default, Prefer, Always };

// Attributes that most variables do not have; shared between variables of one declaration.
struct Attributes {
  std::string unit, quantity, display_unit, description;
  Expr min = nullptr, max = nullptr, nominal = nullptr, start = nullptr;  // null: not given
  std::optional<bool> fixed, tunable;
  StateSelect state_select = StateSelect::Default;
  friend bool operator==(const Attributes&, const Attributes&) = default;
};

enum class Frozen : std::uint8_t { No, Structure, ZeroParameter };  // why a parameter became a constant

struct Variable {
  std::string local_name;            // "V", "x[2]", "der(delt)"
  InstanceId instance{0};            // where it is declared
  VariableKind kind = VariableKind::Local;
  VariableType type = VariableType::Real;
  Frozen frozen = Frozen::No;
  bool boundary = false;             // an input or output of the whole model
  bool follows = false;              // parameter whose value is computed from others (calculatedParameter)
  bool tunable = false;              // parameter that can be set at events, or follows from one that can
  bool implicit = false;             // used but declared nowhere
  bool auxiliary = false;            // introduced by order reduction
  std::uint32_t attributes = 0;      // index into FlatModel::attributes
  std::int32_t sample = -1;          // sampled system it belongs to
  std::uint32_t derivative_of = 0xffffffff;  // the variable it is the derivative of, if it is one
  std::uint32_t next_of = 0xffffffff;        // the variable whose value at the next instant it is, if it is one
  Expr binding = nullptr;            // parameters and constants: the defining expression; null: no value
  double value = std::numeric_limits<double>::quiet_NaN();  // parameters and constants: evaluated binding
  Expr initial = nullptr;            // x0 of der(x, x0), new(x, x0), discrete k = 0
  support::SourceRange where;        // declaration
};

enum class OriginKind : std::uint8_t {
  Equation,      // written in a model
  Across,        // equality of a connection set
  Through,       // sum of a connection set
  Unconnected,   // through variable of an unconnected cut is zero
  Default,       // default value of an unconnected cut or unreferenced terminal
  Declaration,   // value in a declaration: local e = sin(time)
  Auxiliary      // order reduction: der(x) = xdot
};

struct Origin {
  OriginKind kind = OriginKind::Equation;
  InstanceId instance{0};            // the model in which it was written
  std::uint32_t set = 0;             // Across, Through: index into FlatModel::sets
  support::SourceRange where;        // equation, connection statement, or declaration of the cut
};

struct FlatEquation {
  Expr left = nullptr;
  Expr right = nullptr;
  Origin origin;
  std::int32_t sample = -1;          // equations of a sampled system hold at its instants
};

// A connection set: the cuts that were connected with each other, with the statements that did it.
struct ConnectionSet {
  InstanceId instance{0};                       // the outermost model in which members are connected
  std::vector<std::string> members;             // "R1:B", "Bus1"
  std::vector<support::SourceRange> statements;
};

// What the cuts of the root become: a terminal of the FMU.
struct BoundaryMember {
  std::string name;                  // member name inside the cut
  std::optional<VarId> variable;     // none: a dot or a number
  bool through = false;
  int sign = 1;
};
struct BoundaryCut {
  std::string name;                  // "flange", "conn.wire1" for a member of a hierarchical cut
  std::vector<BoundaryMember> members;
  std::string description;
  support::SourceRange where;
};

struct Overwrite {                   // state := value, both as they are at a sampling instant
  VarId state{0};                    // of the continuous part
  VarId value{0};                    // of the sampled system
};
struct SampledSystem {
  InstanceId instance{0};
  Expr every = nullptr;              // period; null: the instants are computed by the system (SIMNON)
  Expr offset = nullptr;             // first instant; null: the start time
  std::optional<VarId> instants;     // SIMNON: the variable that holds the next instant, at first the first one
  std::vector<Overwrite> overwrites; // after all systems have been sampled at an instant
  support::SourceRange where;
};

enum class ActionKind : std::uint8_t { Assign, Reinit, Terminate, Select };
struct WhenAction {
  ActionKind kind = ActionKind::Assign;
  VarId target{0};
  Expr value = nullptr;
  std::string text;
  support::SourceRange where;
};
struct WhenBranch {
  Expr condition = nullptr;
  std::vector<WhenAction> actions;
};
struct WhenClause {
  std::vector<WhenBranch> branches;
  InstanceId instance{0};
  std::int32_t sample = -1;
  support::SourceRange where;
};

struct Check {                       // valid, terminate when
  Expr condition = nullptr;
  std::string text;
  InstanceId instance{0};
  support::SourceRange where;
};

constexpr std::uint32_t kNoTangent = 0xffffffff;

enum class Interpolation : std::uint8_t { Linear, Constant, Cubic };
enum class Extrapolation : std::uint8_t { Hold, Linear, Error };
struct TableData {
  std::string name;                  // hierarchical
  std::vector<double> x;             // 1-D: abscissae; 2-D: of the first argument
  std::vector<double> y;             // 2-D: of the second argument; empty for 1-D
  std::vector<double> values;        // 1-D: one per x; 2-D: row by row
  Interpolation interpolation = Interpolation::Linear;
  Extrapolation extrapolation = Extrapolation::Hold;
  std::string file;                  // resource it was read from, or empty
  support::SourceRange where;
  // A derivative of another table: that one, and how often by its arguments; x, y and values are those of the other.
  std::uint32_t derivative_of = kNoTangent, order_x = 0, order_y = 0;
};

// A function of the model: assignments over its own variables, numbered arguments first, then results, then locals.
struct FunctionStep;
struct FunctionChoice {
  Expr condition = nullptr;          // null: else
  std::vector<FunctionStep> body;
};
enum class FunctionStepKind : std::uint8_t { Assign, If, For };
struct FunctionStep {
  FunctionStepKind kind = FunctionStepKind::Assign;
  std::uint32_t target = 0;          // Assign: variable; For: loop variable
  Expr value = nullptr;              // Assign; variables are VarId{0}, VarId{1}, ... of the function
  std::vector<FunctionChoice> choices;
  Expr from = nullptr, to = nullptr;
  std::vector<FunctionStep> body;
  support::SourceRange where;
};
struct FunctionDefinition {
  std::string name;
  bool external = false;
  std::uint32_t arguments = 0, results = 0;
  std::vector<std::string> variables;  // arguments, results, locals
  std::vector<FunctionStep> body;
  std::string file;                  // external: C source, as found
  std::string derivative;            // external: C function of the derivative, or empty
  support::SourceRange where;
  std::optional<std::uint32_t> tangent = {};  // function of the changes of the results; kNoTangent: there is none
};

struct ExperimentSettings {
  double start = 0, stop = 1, tolerance = 1e-6;
  std::optional<double> step;        // none: (stop - start)/500
  std::string solver;
  bool given = false;
};

struct FlatModel {
  std::string name;
  std::string description;
  ExprPool pool;
  std::vector<Instance> instances;
  std::vector<Attributes> attributes;          // [0]: none
  std::vector<Variable> variables;
  std::vector<FlatEquation> equations;
  std::vector<FlatEquation> initial_equations;
  std::vector<WhenClause> whens;
  std::vector<SampledSystem> samples;
  std::vector<Check> validity;
  std::vector<Check> terminations;
  std::vector<TableData> tables;
  std::vector<FunctionDefinition> functions;
  std::vector<ConnectionSet> sets;
  std::vector<BoundaryCut> boundary;
  std::vector<VarId> tearing;                  // iterate x
  ExperimentSettings experiment;

  Variable& operator[](VarId v) { return variables[index(v)]; }
  const Variable& operator[](VarId v) const { return variables[index(v)]; }
  const Attributes& attributes_of(VarId v) const { return attributes[(*this)[v].attributes]; }
  std::string path(InstanceId i) const;        // "s[3].R1"; empty for the root
  std::string name_of(VarId v) const;          // "s[3].R1.V"
};

// The unknowns of a model: every variable that equations must determine. Parameters, discrete variables and
// inputs of the whole model are not counted; members of the root's cuts are, until their direction is decided.
bool is_unknown(const Variable& v);
std::size_t count_unknowns(const FlatModel& model);

}  // namespace fmugen::equations
