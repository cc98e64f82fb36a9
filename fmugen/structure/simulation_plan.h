// The simulation plan: which variables are states, and in which order everything else is computed from them, block by
// block, each equation solved for its unknown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fmugen/structure/index_reduction.h"
#include "fmugen/structure/system.h"

namespace fmugen::structure {

struct Assignment {             // unknown := value
  VarId unknown{0};
  Expr value = nullptr;
  std::uint32_t equation = 0;   // into System::equations
};

struct Entry {                  // of a matrix
  std::uint32_t row = 0, column = 0;
  Expr value = nullptr;
};

enum class BlockKind {
  Assignment,                   // one equation, solved by a formula
  Linear,                       // matrix*unknowns = right sides
  Nonlinear                     // residuals to be made zero by iteration on the tearing variables
};

struct Block {
  BlockKind kind = BlockKind::Assignment;
  std::vector<VarId> unknowns;                // all of them
  std::vector<std::uint32_t> equations;       // into System::equations
  std::vector<VarId> tearing;                 // Linear, Nonlinear: the unknowns solved or iterated for together
  std::vector<Assignment> assignments;        // in order: the solution, or what follows from the tearing variables
  std::vector<Expr> residuals;                // Nonlinear: zero at the solution, one for each tearing variable
  std::vector<Entry> matrix;                  // Linear: coefficients; Nonlinear: derivatives of the residuals
  std::vector<Expr> right;                    // Linear
  bool constant = false;                      // Linear: the matrix depends on parameters only
};

struct SimulationPlan {
  System system;
  IndexReduction reduction;
  StateSelection selection;
  std::vector<Block> blocks;                  // in the order of computation
  std::size_t flat_equations = 0, flat_unknowns = 0;
  std::vector<std::string> notes;
};

// All structural stages. nullopt if the model cannot be solved; why is in the diagnostics.
std::optional<SimulationPlan> make_plan(FlatModel model, const PlanOptions& options, support::Diagnostics& diagnostics);

// ---- stages (each in the file of its name) --------------------------------------------------------------------------

// Drops redundant sums with a note, reports what is determined too often or not at all. False after an error. Unknown
// and its derivatives count as one.
bool check_solvable(System& system, support::Diagnostics& diagnostics);
// Sorts the final system, states being known, and solves block by block.
bool build_blocks(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics);
// What must hold of a finished plan; an empty string if it does.
std::string verify(const SimulationPlan& plan);

}  // namespace fmugen::structure
