// Index reduction: differentiates equations until every highest derivative can be determined, and chooses the states.
#pragma once

#include <string>
#include <vector>

#include "fmugen/structure/system.h"

namespace fmugen::structure {

// An equation that was differentiated, and why.
struct Differentiated {
  std::uint32_t equation = 0;          // the original, into System::equations
  std::uint32_t times = 0;
  std::vector<std::uint32_t> reason;   // equations that together constrain the highest derivatives
};

struct IndexReduction {
  std::vector<std::uint32_t> derivative_of_equation;  // by equation: its derivative, or kNone
  std::vector<std::uint32_t> original_of_equation;    // by equation: what it is the derivative of, or kNone
  std::vector<Differentiated> differentiated;
  std::vector<VarId> input_derivatives;               // derivatives of inputs that became inputs
};

// Pantelides' algorithm on a system that is structurally regular when a variable and its derivatives count as one
// (checked and reported before). Adds differentiated equations and derivatives of variables to the system.
IndexReduction reduce_index(System& system, const PlanOptions& options, support::Diagnostics& diagnostics);

// Which variables are states: known when the derivatives are computed, integrated over time.
struct StateSelection {
  std::vector<VarId> states;
  std::vector<VarId> dummies;          // variables whose derivative is computed, not integrated ("dummy derivatives")
  // Sets of candidates from which the states must be chosen anew while the simulation runs, because no choice stays
  // regular: the constraint equations and how many states there are.
  struct Dynamic {
    std::vector<VarId> candidates;
    std::vector<std::uint32_t> constraints;
    std::uint32_t count = 0;
  };
  std::vector<Dynamic> dynamic;
};
StateSelection select_states(System& system, const IndexReduction& reduction, support::Diagnostics& diagnostics);

}  // namespace fmugen::structure
