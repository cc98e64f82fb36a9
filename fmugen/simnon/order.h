// In which order SIMNON executes the sections, and what it has to say about that.
#pragma once

#include <vector>

#include "fmugen/simnon/tables.h"

namespace fmugen::simnon {

struct Step {
  enum Kind { Statement, Output, Dynamics } kind = Statement;
  const simnon::Statement* statement = nullptr;  // Statement: of the connecting system
  const Table* table = nullptr;                  // Output, Dynamics: whose section
};

// Everything that is executed at an instant at which all systems are sampled. The tables must be without errors.
std::vector<Step> execution_order(const std::vector<Table>& tables);

// Messages: where sections OUTPUT are executed, inputs that are not defined there, states that are overwritten before
// they are read. Without `all` only those that matter: SIMNON would compute something else.
void report_order(const std::vector<Table>& tables, bool all, support::Diagnostics& diagnostics);

}  // namespace fmugen::simnon
