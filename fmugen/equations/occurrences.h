// Which variables an expression contains.
#pragma once

#include <cstdint>
#include <vector>

#include "fmugen/equations/expr.h"

namespace fmugen::equations {

// Finds leaves and variables, each once, in the order of their first appearance. The cost of a call is the number of
// different nodes of the expression; one finder serves a whole model without clearing anything in between.
class Occurrences {
 public:
  // Appends the nodes of kind Variable, Der, Pre, New and Delay that are not inside another of these: what an equation
  // relates at one instant. der(x) is a leaf of its own, not an occurrence of x.
  void leaves(Expr e, std::vector<Expr>& out);

  // Appends every variable, also those inside der, pre, new and delay.
  void variables(Expr e, std::vector<VarId>& out);

  // Appends the variables whose value at this instant matters: not those inside der and pre, and of delay(u, T) those in
  // T only, since what u was is known. new(x) is to be found, and counts as x.
  void present(Expr e, std::vector<VarId>& out);

 private:
  void start();
  bool first_visit(Expr e);
  std::vector<std::uint32_t> stamps_;  // by node: the walk that saw it last
  std::uint32_t walk_ = 0;
  std::vector<Expr> stack_;
};

// Does `leaf` (a node of the kinds above) occur in e as a leaf?
bool contains(Expr e, Expr leaf);

}  // namespace fmugen::equations
