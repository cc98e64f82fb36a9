// Parameters that are members of cuts: a connection propagates their values.
#pragma once

#include <vector>

#include "fmugen/semantics/elaboration.h"
#include "fmugen/support/units.h"

namespace fmugen::semantics {

struct ConnectionStatementPlace {  // the statement to show for a connection set
  SourceRange where;
  std::uint32_t instance = 0;
};

class PropagatedParameters {
 public:
  explicit PropagatedParameters(Elaboration& e) : e_(e) {}

  // b, converted, has the value of a.
  void join(VarId a, VarId b, const support::Conversion& b_to_a, const ConnectionStatementPlace& place);
  // A temporary cut states the value.
  void give(VarId parameter, Expr value, SourceRange where, const ConnectionStatementPlace& place);

  // Settles every group of joined parameters: one of them keeps its binding, the others follow it. A value given at
  // incorporation or in a temporary cut beats a default; two different given values, or two different defaults alone, are
  // errors.
  void propagate();

 private:
  struct Edge {
    VarId a, b;
    support::Conversion b_to_a;
    ConnectionStatementPlace place;
  };
  struct Gift {
    VarId parameter;
    Expr value;
    SourceRange where;
    ConnectionStatementPlace place;
  };
  void settle(const std::vector<VarId>& group, const std::vector<const Gift*>& gifts,
              const std::vector<std::pair<double, double>>& to_first,
              const std::vector<ConnectionStatementPlace>& places);

  Elaboration& e_;
  std::vector<Edge> edges_;
  std::vector<Gift> gifts_;
};

}  // namespace fmugen::semantics
