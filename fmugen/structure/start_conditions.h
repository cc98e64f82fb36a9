// What is said about the values of variables at the start: initial values, fixed starts, start values.
#pragma once

#include <vector>

#include "fmugen/structure/resolve.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

struct Condition {
  InitialPlan::Start start;
  VarId from{0};  // the variable for which it was written, perhaps an alias
  support::SourceRange where;
};

// What is written for an alias counts for its root. Contradictions inside a class are reported.
class StartConditions {
 public:
  StartConditions(System& system, Resolver& resolve, support::Diagnostics& diagnostics);

  const std::vector<Condition>& given() const { return given_; }  // that must hold, in the order of the model
  bool is_given(VarId root) const { return given_of_[index(root)] != kNone; }
  bool has_start(VarId root) const { return start_[index(root)] != nullptr; }
  Condition guess(VarId root) const;  // the start value written; without one the value of a parameter, zero or false
  // Start values written for members of a class that begins with the different start value of another.
  void warn_of_unused(const std::vector<bool>& begins_so) const;  // by root

 private:
  void read(VarId v);
  void add_given(const Condition& condition);
  void compare_constant(VarId v, double constant, Expr value);
  bool same(Expr a, Expr b) const;
  double value_now(Expr e) const;

  System& s_;
  Resolver& resolve_;
  support::Diagnostics& diagnostics_;
  std::vector<Condition> given_;
  std::vector<std::uint32_t> given_of_;  // by root
  std::vector<Expr> start_;              // by root: start value written, in terms of the root
  std::vector<std::uint32_t> start_of_;  // by root: the variable for which that was written
  std::vector<Condition> written_;       // all start values, in the order of the model
};

}  // namespace fmugen::structure
