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

// When a block has to be computed.
enum class Section {
  Parameter,                    // once, and when parameters change: it depends on nothing else
  Dynamic,                      // for the derivatives of the states, event conditions and sampled systems
  Output                        // only to be looked at
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
  Section section = Section::Dynamic;
};

// A condition whose change is an event. The relation stays in the expressions as it is; it keeps its value between
// events. Relations inside noevent(...) are not listed.
struct Relation {
  Expr node = nullptr;                        // Less, LessEqual, Equal or Unequal; or a call of sign, int, floor, ceil, mod
  Expr crossing = nullptr;                    // changes sign where the relation may change; null for a time event
  Expr instant = nullptr;                     // time event: the time at which it changes, from parameters only
  support::SourceRange where;                 // an equation it occurs in
  equations::InstanceId instance{0};
};

struct Events {
  std::vector<Relation> relations;            // each once, state events and time events
  // whens, samples, validity and terminations are those of the flat model, in terms of what is left after alias removal.
  std::vector<equations::WhenClause> whens;
  std::vector<equations::Check> validity, terminations;
};

// A sampled system: its equations sorted like all others; unknown are its variables and the new(x) of its states.
// At an instant the systems sampled then are computed in the order in which they stand in the plan, each after the
// continuous blocks; all of it once more until nothing changes, since two systems may read each other's outputs (without
// an algebraic loop). The states take the values of `next` at the following instant.
struct SampledPlan {
  std::uint32_t sample = 0;                   // into FlatModel::samples
  std::vector<VarId> states;                  // x with new(x)
  std::vector<VarId> next;                    // the variables that stand for new(x)
  std::vector<equations::Overwrite> overwrites;  // states of the plan that are set after all systems are computed
  std::vector<SystemEquation> equations;      // in terms of what is left after alias removal; blocks number these
  std::vector<Block> blocks;
};

// The system at the start. Unknown are all variables including the states.
struct InitialPlan {
  std::vector<SystemEquation> equations;      // those of the system, then the ones added; blocks number these
  std::vector<Block> blocks;
  struct Start {                              // a condition that was not written as `initial`
    VarId variable{0};
    Expr value = nullptr;
    enum Reason { Given, Fixed, Guess, Steady } reason = Guess;  // der(x, x0), fixed start, start value, --steady
  };
  std::vector<Start> starts;
};

// A sparse matrix of derivatives, row by row.
struct SparseMatrix {
  std::uint32_t rows = 0, columns = 0;
  std::vector<Entry> entries;                 // sorted by row, then column; values may be null where only the pattern is known
  std::vector<std::uint32_t> colour;          // of each column: columns of one colour share no row
  std::uint32_t colours = 0;
};

// What depends on what. Columns are the states, then the inputs.
struct Jacobians {
  std::vector<VarId> columns;
  std::vector<VarId> derivative_rows;         // the derivatives of the states
  std::vector<VarId> output_rows;             // outputs of the model
  SparseMatrix derivatives;                   // pattern of d(derivative)/d(column), through all blocks;
                                              // no rows if it would become dense: then only `residuals` is there
  SparseMatrix outputs;                       // pattern of d(output)/d(column)
  std::vector<VarId> residual_columns;        // all unknowns, then the states
  SparseMatrix residuals;                     // d(left - right)/d(unknown or state) of every equation, symbolic
};

struct SimulationPlan {
  System system;
  IndexReduction reduction;
  StateSelection selection;
  std::vector<Block> blocks;                  // in the order of computation
  Events events;
  std::vector<SampledPlan> sampled;
  InitialPlan initial;
  Jacobians jacobians;
  std::size_t flat_equations = 0, flat_unknowns = 0;
  std::vector<std::string> notes;             // what the user should know: parameters that stay fixed
};

// All structural stages. nullopt if the model cannot be solved; why is in the diagnostics.
std::optional<SimulationPlan> make_plan(FlatModel model, const PlanOptions& options, support::Diagnostics& diagnostics);

// ---- stages (each in the file of its name) --------------------------------------------------------------------------

// Drops redundant sums with a note, reports what is determined too often or not at all. False after an error. Unknown
// and its derivatives count as one.
bool check_solvable(System& system, support::Diagnostics& diagnostics);
// Sorts the final system, states being known, and solves block by block.
bool build_blocks(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics);
// Decides which members of the root's cuts are inputs (they become boundary inputs of the model), the others being
// outputs: solvable, without raising the index, states as outputs where possible; `options` override. False after an
// error, which lists the possible choices.
bool decide_causality(System& system, const PlanOptions& options, support::Diagnostics& diagnostics);
// Marks the blocks by section.
void mark_sections(SimulationPlan& plan);
void find_events(SimulationPlan& plan, support::Diagnostics& diagnostics);
bool sort_sampled(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics);
bool plan_initialization(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics);
void find_jacobians(SimulationPlan& plan);
// Marks the parameters that can be set while a simulation runs, and those that follow from them. After mark_sections.
// False after an error.
bool choose_tunable(SimulationPlan& plan, const PlanOptions& options, support::Diagnostics& diagnostics);
// Sorts equations over the given unknowns and solves them block by block: what build_blocks, sort_sampled and
// plan_initialization have in common. `what` is for messages: "the equations", "the equations at the start". False after
// a reported error.
bool sort_and_solve(System& system, const std::vector<SystemEquation>& equations, const std::vector<VarId>& unknowns,
                    const PlanOptions& options, const std::string& what, std::vector<Block>& blocks,
                    support::Diagnostics& diagnostics);
// What must hold of a finished plan; an empty string if it does.
std::string verify(const SimulationPlan& plan);

}  // namespace fmugen::structure
