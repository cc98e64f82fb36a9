// Where every variable of the model lives: the one owner of slots and value references. The C code and
// modelDescription.xml are both written from it.
//
// All values are in one array; a slot is an index into it. Slot 0 is time. Behind it come states, derivatives of
// states, inputs, parameters, discrete variables, variables of sampled systems, all other unknowns, and constants, each
// kind in the order of the model. A variable that was removed as an alias has no slot of its own:
//
//   y = x              shares slot and value reference with x
//   y = -x             reads the slot of x negated; its value reference is `slots` + k, for the k-th slot so read
//   y = 3              a slot of its own, which holds 3
#pragma once

#include <cstdint>
#include <vector>

#include "fmugen/structure/simulation_plan.h"

namespace fmugen::codegen {

using equations::Expr;
using equations::index;
using equations::VarId;
using Slot = std::uint32_t;

enum class Expose {
  Interface,  // what is declared in the outermost model, its cuts, parameters, states and their derivatives
  All         // every variable that was declared
};

// How the value of a variable comes about at the start (FMI 2.0, 2.2.7).
enum class Initial : std::uint8_t {
  None,       // inputs and what has no initial attribute
  Exact,      // the start value is the value; whoever imports the FMU may set it
  Approx,     // the start value is where an iteration starts
  Calculated  // computed from others
};

struct LayoutOptions {
  Expose expose = Expose::All;
};

struct Place {
  Slot slot = 0;
  int sign = 1;  // value = sign*v[slot]
};

struct MemoryLayout {
  Slot slots = 1;                   // with slot 0, time
  std::vector<Place> place;         // by variable
  std::vector<Initial> initial;     // by variable
  std::vector<bool> exposed;        // by variable: it has an entry in modelDescription.xml
  std::vector<double> start;        // by slot
  std::vector<unsigned char> role;  // by slot: FMR_... of model_interface.h
  std::vector<VarId> variable;      // by slot: the variable it belongs to; of slot 0 meaningless
  std::vector<Slot> negated;        // slots read negated by exposed aliases, ascending
  std::vector<bool> kept;           // by slot: at the start it keeps its start value; there is nothing to compute
  std::vector<Slot> condition;      // by branch of all when clauses: of sampled ones, where the condition was at the
                                    // last instant; 0: none
  std::vector<Slot> states, rates;  // in the order of the plan
  std::vector<Slot> inputs;         // of the whole model

  Slot first_condition() const;  // slots from here on belong to no variable
  Slot slot_of(VarId v) const { return place[index(v)].slot; }
  int sign_of(VarId v) const { return place[index(v)].sign; }
  double start_of(VarId v) const { return sign_of(v) * start[slot_of(v)]; }
  std::uint32_t value_reference(VarId v) const;  // of an exposed variable
};

MemoryLayout lay_out(const structure::SimulationPlan& plan, const LayoutOptions& options = {});

}  // namespace fmugen::codegen
