// The equations of connection sets. Internal to semantics.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "fmugen/semantics/connection_parameters.h"
#include "fmugen/semantics/elaboration.h"
#include "fmugen/support/units.h"

namespace fmugen::semantics {

// What the sets of one model have in common.
struct SetEquations {
  SetEquations(Elaboration& elaboration, const std::vector<std::uint32_t>& first)
      : e(elaboration), first_at(first), parameters(elaboration) {}

  Elaboration& e;
  const std::vector<std::uint32_t>& first_at;   // per end: the first coupling that mentions it, or kNoEnd
  PropagatedParameters parameters;
  std::vector<VarId> open_inputs;               // one of each group of inputs that are connected with each other only
  std::unordered_map<std::string, std::optional<support::Unit>> units;
  std::vector<std::uint32_t> equal;             // union-find over variables: equalities that earlier sets state already

  bool note_equal(VarId a, VarId b);            // false if that was known
};

const CutEntry& entry_of(const Elaboration& e, EndId end, std::size_t k);
std::string entry_text(const Elaboration& e, EndId end, std::size_t k);   // the variable there, for messages

// Adds the equations of a set of leaf ends that fit each other.
void generate_set(SetEquations& s, const std::vector<EndId>& ends, std::uint32_t set,
                  const ConnectionStatementPlace& place);
void leave_unconnected(SetEquations& s, std::uint32_t cut);

}  // namespace fmugen::semantics
