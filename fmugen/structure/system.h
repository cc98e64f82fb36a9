// The equations while they are being sorted: the flat model with derivatives as variables of their own.
#pragma once

#include <string>
#include <vector>

#include "fmugen/equations/flat_model.h"
#include "fmugen/structure/incidence.h"
#include "fmugen/support/diagnostics.h"

namespace fmugen::structure {

using equations::Expr;
using equations::FlatModel;
using equations::VarId;
using equations::index;

enum class AliasMode { None, Equal, All };

struct PlanOptions {
  AliasMode aliases = AliasMode::All;
  bool steady = false;                       // start with all derivatives zero
  bool input_derivatives = false;            // derivatives of inputs that are needed become inputs
  bool dynamic_states = true;                // choose states anew while the simulation runs, where needed
  std::vector<std::string> as_input, as_output;  // members of the root's cuts
  std::vector<std::string> tear;             // proposed tearing variables
  std::vector<std::string> tunable;          // parameters that can be set at events, "all": as many as can be
};

struct SystemEquation {
  Expr left = nullptr, right = nullptr;
  std::uint32_t flat = 0;                    // the flat equation it came from
  std::uint32_t differentiated = 0;          // how often
  bool turns = false;                        // relates candidates of a state set: any slope that varies may vanish
  bool selects = false;                      // says which candidates the states of a state set are
};

// What a variable is equal to: sign*root, or a number. A variable that is nobody's alias is its own root.
struct Alias {
  VarId root{0};
  int sign = 1;
  bool constant = false;
  double value = 0;                          // if constant
};

struct Entry {                               // of a matrix
  std::uint32_t row = 0, column = 0;
  Expr value = nullptr;
};

struct System {
  FlatModel model;
  std::vector<SystemEquation> equations;     // of the continuous part, what is left of them
  std::vector<std::uint32_t> derivative;     // by variable: the variable that is its derivative, or kNone
  std::vector<std::uint32_t> integral;       // by variable: the variable whose derivative it is, or kNone
  std::vector<Alias> alias;                  // by variable
  std::size_t aliases = 0;                   // variables removed as aliases
  std::vector<std::uint32_t> dropped;        // flat equations found superfluous

  // The derivative of x, made if it does not exist yet.
  VarId derivative_of(VarId x);
  std::string name(VarId v) const { return model.name_of(v); }
};

// Replaces der(x) by variables. Equations of sampled systems stay in model.equations and are left out of `equations`.
System make_system(FlatModel model);

// Whether equations must determine v: not a parameter, a constant, an input or a discrete variable.
bool is_unknown(const System& system, VarId v);

// Whether v says which candidates the states of a state set are: 0 or 1, set while the simulation runs, known to all
// equations. A factor like this must not become a divisor.
bool is_selection(const System& system, VarId v);

// Gives a derivative to variables of which it is asked for in `initial` equations only. Index reduction then finds the
// equations for it: with y = x**2, initial der(y) = 1, it is der(y) = 2*x*der(x). After alias removal.
void add_initial_derivatives(System& system);

// Removes variables that are equal to others, with the equations that say so; drops equations that repeat others; reports
// contradictions. Afterwards no equation mentions a removed variable.
void remove_aliases(System& system, AliasMode mode, support::Diagnostics& diagnostics);

}  // namespace fmugen::structure
