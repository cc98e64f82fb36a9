// States that are chosen while the simulation runs: what the model gets for them. What they are for and how they are
// chosen anew stands at StateSet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fmugen/structure/index_reduction.h"

namespace fmugen::structure {

// Constraints of one level and the derivatives they are to be solved for.
struct Constraints {
  struct Slope {
    std::uint32_t row = 0, column = 0;  // numbers in the lists below
    Expr value = nullptr;               // d(left - right)/d(derivative)
    bool fixed = false;                 // does not change while the simulation runs
  };
  std::vector<std::uint32_t> rows;  // into System::equations
  std::vector<VarId> columns;       // derivatives
  std::vector<double> wanted;       // by column: how much its integral is wanted as a state
  std::vector<Slope> slopes;
};

constexpr std::size_t kLargestSet = 200;  // candidates: the selection is a dense matrix

class StateSets {
 public:
  explicit StateSets(System& system) : s_(system) {}

  // Adds the states of a set to the model, with the variables and equations that belong to them. The candidates are the
  // integrals of the columns, without those that follow from another one by a constraint of two with fixed slopes.
  // nullopt if that leaves more than kLargestSet or a constraint of nothing.
  std::optional<StateSet> add(Constraints constraints);

 private:
  void prepare();
  void add_states(StateSet& set);

  System& s_;
  std::size_t count_ = 0;
  std::string stem_;           // names begin with it
  std::vector<double> start_;  // by variable of the model as it was: a value at the start
};

}  // namespace fmugen::structure
