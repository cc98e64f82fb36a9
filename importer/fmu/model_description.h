// modelDescription.xml as values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace importer::fmu {

enum class Type { Real, Integer, Boolean, String, Enumeration };
enum class Causality { Parameter, CalculatedParameter, Input, Output, Local, Independent };
enum class Variability { Constant, Fixed, Tunable, Discrete, Continuous };
enum class Initial { None, Exact, Approx, Calculated };

const char* name_of(Type type);
const char* name_of(Causality causality);
const char* name_of(Variability variability);

struct EnumerationItem {
  std::string name;
  int value = 0;
};

struct Variable {
  std::string name;
  unsigned reference = 0;
  Type type = Type::Real;
  Causality causality = Causality::Local;
  Variability variability = Variability::Continuous;
  Initial initial = Initial::None;  // with the default of causality and variability filled in
  std::string start;                // as written; empty if there is none
  std::string unit;                 // of the variable or of its declared type
  std::string description;
  std::string declared_type;  // of an enumeration: one of ModelDescription::enumerations
  bool state = false;         // one of the continuous states
};

struct Enumeration {
  std::string name;
  std::vector<EnumerationItem> items;
};

struct Kind {  // Model Exchange or Co-Simulation
  std::string identifier;
  bool needs_execution_tool = false;
  bool once_per_process = false;
  bool get_and_set_state = false;
  bool serialize_state = false;
  bool directional_derivatives = false;
  bool variable_steps = false;  // Co-Simulation only, as the rest
  bool interpolates_inputs = false;
  unsigned output_derivatives = 0;
  bool asynchronous = false;
};

struct ModelDescription {
  std::string model_name, guid, fmi_version, generation_tool, description;
  std::optional<Kind> model_exchange, co_simulation;
  std::optional<double> start_time, stop_time, tolerance, step_size;
  unsigned event_indicators = 0;
  std::vector<Variable> variables;  // in the order of the file, which is what indices count
  std::vector<Enumeration> enumerations;
  std::vector<std::string> notes;  // what is wrong but does no harm

  const Variable* find(const std::string& name) const;
  const Enumeration* enumeration(const std::string& name) const;
  std::size_t states() const;
};

// Throws Rejected if the text is no XML, or lacks what a simulation needs.
ModelDescription read_model_description(std::string_view text);

}  // namespace importer::fmu
