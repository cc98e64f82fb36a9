// The variables of every system, and what each of them is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fmugen/simnon/ast.h"
#include "fmugen/support/diagnostics.h"

namespace fmugen::simnon {

inline constexpr std::uint32_t kNone = 0xffffffff;

// Declared ones in the order of Declared, then those that are not declared.
enum class Role { Input, Output, Time, State, Der, New, Tsamp, Parameter, Auxiliary };

struct Entity {
  Role role = Role::Auxiliary;
  Name name;  // as it appears first
  std::string comment;
  std::uint32_t partner = kNone;           // Der, New: the state
  const Statement* constant = nullptr;     // name: number
  const Statement* initial = nullptr;      // assignment in section INITIAL
  std::vector<const Statement*> computed;  // assignments in other sections; of an input: in the connecting system
};

struct Table {
  const System* system = nullptr;
  std::vector<Entity> entities;
  std::map<std::string, std::uint32_t> index;
  std::vector<const Statement*> overwrites;  // assignments to states of continuous systems

  const Entity* find(const std::string& name) const;
  Entity* find(const std::string& name);
  std::vector<std::string> names() const;
};

// The systems, the connecting one last if there are several. Errors: whatever contradicts the tables 3 to 5 of the
// manual, variables without value, references to nothing.
std::vector<Table> make_tables(const std::vector<System>& systems, support::Diagnostics& diagnostics);

// The table of a system, or null.
const Table* find_system(const std::vector<Table>& tables, const std::string& name);

// Whether a variable gets its value when the section OUTPUT (or SORT) of its system is executed.
bool is_computed_by_output(const Entity& entity);

}  // namespace fmugen::simnon
