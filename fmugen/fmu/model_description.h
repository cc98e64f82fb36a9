// Everything that modelDescription.xml says, as plain values, and the XML text itself (FMI 2.0.4, section 2.2).
// Whoever fills it decides what is true of the model; write_xml knows how it is spelled. The rules of the standard are
// checked on the finished text by fmugen/fmu/validate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fmugen/support/units.h"

namespace fmugen::fmu {

enum class Type { Real, Integer, Boolean, String, Enumeration };
enum class Causality { Parameter, CalculatedParameter, Input, Output, Local, Independent };
enum class Variability { Constant, Fixed, Tunable, Discrete, Continuous };
enum class Initial { Exact, Approx, Calculated };
enum class DependencyKind { Dependent, Constant, Fixed, Tunable, Discrete };

// Real: double; Integer and Enumeration: std::int32_t; Boolean: bool; String: std::string.
using Value = std::variant<double, std::int32_t, bool, std::string>;

// What a variable and a simple type have in common. Empty texts and absent values are not written.
struct Attributes {
  Type type = Type::Real;
  std::string quantity;
  std::string unit;          // Real only, as is the display unit; must be among ModelDescription::units
  std::string display_unit;  // must be among the display units of that unit
  bool relative_quantity = false;
  bool unbounded = false;
  std::optional<double> min, max;  // whole numbers for Integer and Enumeration
  std::optional<double> nominal;   // Real only
};

struct SimpleType {
  struct Item {
    std::string name;
    std::int32_t value = 0;
    std::string description;
  };
  std::string name;
  std::string description;
  Attributes attributes;
  std::vector<Item> items;  // of an Enumeration
};

struct Variable {
  std::string name;
  std::uint32_t value_reference = 0;
  std::string description;
  Causality causality = Causality::Local;
  Variability variability = Variability::Continuous;
  std::optional<Initial> initial;  // must be absent for inputs and the independent variable
  Attributes attributes;
  std::string declared_type;
  std::optional<Value> start;
  std::optional<std::uint32_t> derivative;  // index (from 1) of the variable this one is the derivative of
  bool reinit = false;                      // of a state that events may change
  std::string annotations;                  // XML text: <Tool name="...">...</Tool> elements
};

// One unknown of the model structure. Variables are counted from 1, as in the XML.
struct Unknown {
  struct Dependency {
    std::uint32_t index = 0;
    DependencyKind kind = DependencyKind::Dependent;
  };
  std::uint32_t index = 0;
  std::optional<std::vector<Dependency>> dependencies;  // absent: depends on everything; sorted by index
};

struct DisplayUnit {
  std::string name;
  double factor = 1;  // display value = factor * value + offset
  double offset = 0;
};

struct UnitDefinition {
  std::string name;
  std::optional<support::Unit> base;  // absent: a unit that is only a name
  std::vector<DisplayUnit> display_units;
};

struct DefaultExperiment {
  std::optional<double> start_time, stop_time, tolerance, step_size;
};

struct LogCategory {
  std::string name;
  std::string description;
};

// What both interfaces may be able to do; false is not written.
struct Capabilities {
  std::string model_identifier;
  bool needs_execution_tool = false;
  bool can_be_instantiated_only_once_per_process = false;
  bool can_not_use_memory_management_functions = false;
  bool can_get_and_set_fmu_state = false;
  bool can_serialize_fmu_state = false;
  bool provides_directional_derivative = false;
  std::vector<std::string> source_files;  // relative to sources/
};

struct ModelExchange : Capabilities {
  bool completed_integrator_step_not_needed = false;
};

struct CoSimulation : Capabilities {
  bool can_handle_variable_communication_step_size = false;
  bool can_interpolate_inputs = false;
  std::uint32_t max_output_derivative_order = 0;
  bool can_run_asynchronously = false;
};

struct VendorAnnotation {
  std::string tool;
  std::string xml;  // at most one element with its content; empty: none
};

struct ModelDescription {
  std::string model_name;
  std::string guid;
  std::string description, author, version, copyright, license;
  std::string generation_tool;
  std::string generation_date_and_time;  // YYYY-MM-DDThh:mm:ssZ; empty for output that is the same every time
  bool structured_names = true;
  std::size_t event_indicators = 0;  // written if there is Model Exchange
  std::optional<ModelExchange> model_exchange;
  std::optional<CoSimulation> co_simulation;
  std::vector<UnitDefinition> units;
  std::vector<SimpleType> types;
  std::vector<LogCategory> log_categories;
  DefaultExperiment default_experiment;
  std::vector<VendorAnnotation> vendor_annotations;
  std::vector<Variable> variables;
  std::vector<Unknown> outputs;
  std::vector<Unknown> derivatives;
  std::vector<Unknown> initial_unknowns;  // sorted by index
};

// The text of modelDescription.xml: UTF-8, elements in the order the standard prescribes, lists left out where empty,
// reals with the fewest digits that read back as the same number. Linear in the size of the description.
// Requires finite numbers: the standard has no way to write others (start values included).
std::string write_xml(const ModelDescription& description);

}  // namespace fmugen::fmu
