// A model description as the checks need it. Texts point into the XML tree, which must outlive it. Attributes that are
// missing or cannot be read are absent here; the schema check has reported them.
#pragma once

#include <tinyxml2.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fmugen/fmu/validate/report.h"

namespace fmugen::fmu::validate {

enum class Type { Real, Integer, Boolean, String, Enumeration };
enum class Causality { Parameter, CalculatedParameter, Input, Output, Local, Independent };
enum class Variability { Constant, Fixed, Tunable, Discrete, Continuous };
enum class Initial { Exact, Approx, Calculated };

std::string_view word(Type type);
std::string_view word(Causality causality);
std::string_view word(Variability variability);
std::string_view word(Initial initial);

// Common to variables and simple types.
struct Quantity {
  int line = 0;
  std::string_view name;
  std::optional<Type> type;
  std::optional<std::string_view> unit, display_unit;
  std::optional<double> min, max, nominal;
};

struct SimpleType : Quantity {
  std::vector<std::int32_t> items;  // values
};

struct Variable : Quantity {
  std::optional<std::uint32_t> value_reference;
  Causality causality = Causality::Local;
  Variability variability = Variability::Continuous;
  std::optional<Initial> given;    // as written
  std::optional<Initial> initial;  // as it holds: given, or what follows from causality and variability
  bool legal = true;               // causality and variability go together
  bool has_start = false;
  std::string_view start;
  std::string_view declared_type;
  bool has_derivative = false;
  std::optional<std::uint32_t> derivative;
  bool reinit = false, has_reinit = false, has_multiple_set = false;

  bool is_state_candidate() const {
    return type == Type::Real && variability == Variability::Continuous &&
           (causality == Causality::Local || causality == Causality::Output);
  }
};

struct Unknown {
  int line = 0;
  std::optional<std::uint32_t> index;
  std::optional<std::vector<std::uint32_t>> dependencies;
  std::optional<std::vector<std::string_view>> kinds;
};

struct Unit {
  int line = 0;
  std::unordered_map<std::string_view, int> display_units;  // name -> line
};

struct Model {
  const tinyxml2::XMLElement* root = nullptr;
  const tinyxml2::XMLElement* model_exchange = nullptr;
  const tinyxml2::XMLElement* co_simulation = nullptr;
  bool structured = false;
  std::vector<SimpleType> types;
  std::unordered_map<std::string_view, std::size_t> type_places;
  std::unordered_map<std::string_view, Unit> units;
  std::vector<Variable> variables;
  std::vector<Unknown> outputs, derivatives, initial_unknowns;
  bool lists_derivatives = false;  // there is a Derivatives element
  std::vector<bool> is_state;      // by variable: its derivative is listed

  const Variable* variable(std::optional<std::uint32_t> index) const {  // counted from 1
    return index && *index >= 1 && *index <= variables.size() ? &variables[*index - 1] : nullptr;
  }
  const SimpleType* type_of(const Variable& variable) const;
};

Model read_model(const tinyxml2::XMLElement& root);

// The checks, one a file or a group of functions. Each looks at one thing and adds what it finds.
void check_root(const Model& model, Report& report);
void check_units_and_types(const Model& model, Report& report);
void check_variables(const Model& model, Report& report);
void check_aliases(const Model& model, Report& report);
void check_structure(const Model& model, Report& report);

// Whether a name follows the structured naming convention; der(...) included.
bool is_structured_name(std::string_view name);
bool is_c_identifier(std::string_view name);

}  // namespace fmugen::fmu::validate
