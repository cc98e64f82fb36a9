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

// States that are chosen while the simulation runs. Of n candidates c, related by m constraints, n - m are independent,
// but no choice of them stays regular. So the model gets n - m states s of its own, which stand for candidates:
//
//   s[j] = sum of A[j,i]*c[i],   der(s[j]) = sum of A[j,i]*der(c[i])      A[j,i] is 1 if s[j] stands for c[i], else 0
//
// Candidates and their derivatives are ordinary unknowns, determined by the constraints and these equations, whatever A
// is. Choosing anew is setting A and s; no candidate changes its value. Whoever runs the plan does so at the start,
// after every accepted step and after every event:
//
//   1. M := jacobian at the present values; column i is multiplied by nominal[i], then every row is divided by its
//      largest absolute value (a row of zeros stays).
//   2. best := smallest absolute pivot of Gaussian elimination of M with full pivoting (m pivots; the largest absolute
//      value of what is left is the next pivot, of equal ones the first by row, then column). present := the same for
//      the m columns alone that no state stands for now.
//   3. If present >= kKeepStates*best, or best is 0 or no number, nothing changes.
//   4. Otherwise the columns without pivot are the new choice: s[1], s[2], ... stand for them in ascending order. A is
//      set, s[j] := the candidate it stands for, and the integrator starts anew.
struct StateSet {
  std::vector<VarId> candidates;           // c
  std::vector<std::uint32_t> constraints;  // into System::equations; linear in the derivatives of the candidates
  std::vector<VarId> states;               // s; also in StateSelection::states
  std::vector<VarId> selection;            // A, row by row: states.size() * candidates.size() discrete variables
  std::vector<std::uint32_t> chosen;       // before the start: by state, the number of the candidate it stands for
  std::vector<Entry> jacobian;             // d(left - right of a constraint)/d(der(c[i])), by row, then column
  std::vector<double> nominal;             // of the candidates, positive; 1 if none is given
};
constexpr double kKeepStates = 0.5;        // a change pays only if it makes the constraints clearly better solvable

// Which variables are states: known when the derivatives are computed, integrated over time.
struct StateSelection {
  std::vector<VarId> states;
  std::vector<VarId> dummies;              // derivatives that are computed, not integrated, although of no state
  std::vector<StateSet> dynamic;
};
StateSelection select_states(System& system, const IndexReduction& reduction, const PlanOptions& options,
                             support::Diagnostics& diagnostics);

}  // namespace fmugen::structure
