// Which known variables an unknown of the model depends on, and how: what ModelStructure says (FMI 2.0, 2.2.8).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fmugen/equations/differentiate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/fmu/model_description.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::fmu {

class Dependencies {
 public:
  // A known variable by its number; time has the number kTime.
  static constexpr std::uint32_t kTime = 0xfffffffe;
  static constexpr std::uint32_t kEverything = 0xfffffffd;  // depends on anything, perhaps
  struct Entry {
    std::uint32_t known = 0;
    DependencyKind kind = DependencyKind::Dependent;
  };

  // `known[v]` tells whether v is given; everything else follows from `blocks`, over `equations`, and for parameters from
  // what they are bound to. At the start what is held or remembered later counts, too: sampled systems act there.
  Dependencies(structure::SimulationPlan& plan, std::vector<bool> known, const std::vector<structure::Block>& blocks,
               const std::vector<structure::SystemEquation>& equations, bool start = false);

  // Sorted by number. nullopt if finding out would take more than a few operations for each equation.
  std::optional<std::vector<Entry>> of(equations::VarId v);
  // Of all of these together.
  std::optional<std::vector<Entry>> of(const std::vector<equations::Expr>& expressions);

 private:
  using Set = std::vector<Entry>;
  enum class Factor { Zero, Constant, Fixed, Varying };

  void run(const std::vector<structure::Block>& blocks, const std::vector<structure::SystemEquation>& equations);
  void add_expression(equations::Expr e, bool linear, Set& set);
  void add_remembered(equations::Expr e, const std::vector<equations::VarId>& present, Set& set);
  void add_variable(equations::VarId v, DependencyKind at_most, Set& set);
  DependencyKind kind_of(equations::Expr e, equations::VarId v);
  DependencyKind factor_kind(equations::Expr e);
  void finish(Set& set);
  std::uint32_t store(Set set);

  structure::SimulationPlan& plan_;
  std::vector<bool> known_;
  std::vector<std::uint32_t> set_of_;  // by variable: into sets_, or kNone
  std::vector<Set> sets_;
  std::size_t budget_;
  bool exhausted_ = false, start_;
  equations::Occurrences occurrences_;
};

}  // namespace fmugen::fmu
