// From plan and memory layout to a model description.
//
// Causality and variability follow from the kind of a variable; `initial` from how its value comes about at the start.
// Of the variables that share a value reference the one that owns the slot has the start value, the others are
// calculated. Derivatives of states are always there, since ModelStructure lists them.
//
//   parameter R = 10            parameter, fixed, exact, start 10
//   parameter that follows      calculatedParameter, fixed, calculated; both tunable where `tunable` says so
//   state with der(x, 1)        local, continuous, exact, start 1
//   0 = f(y), y found by loop   local, continuous, approx, start is where the iteration begins
#include "fmugen/fmu/describe.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "fmu-runtime/include/fmu_runtime/model_interface.h"
#include "fmugen/equations/evaluate.h"
#include "fmugen/fmu/dependencies.h"
#include "fmugen/fmu/units.h"

namespace fmugen::fmu {

using codegen::MemoryLayout;
using equations::Expr;
using equations::index;
using equations::VariableKind;
using equations::VarId;
using structure::kNone;
using structure::SimulationPlan;
using structure::System;

namespace {

constexpr const char* kSolverType = "fmugen.Solver";
constexpr int kDefaultIntervals = 500;  // communication steps, where the model names no step

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

// Whether a name follows the structured notation as it is: identifiers with indices, joined by dots.
bool is_structured(const std::string& name) {
  bool begin = true, indices = false;
  for (const char c : name) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c));
    if (indices) {
      if (c == ']')
        indices = false;
      else if (!digit && c != ',')
        return false;
    } else if (begin) {
      if (!is_letter(c)) return false;
      begin = false;
    } else if (c == '.') {
      begin = true;
    } else if (c == '[') {
      indices = true;
    } else if (!is_letter(c) && !digit) {
      return false;
    }
  }
  return !begin && !indices;
}

std::string quoted(const std::string& name) {
  std::string out = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

class Describer {
 public:
  Describer(SimulationPlan& plan, const MemoryLayout& layout, const DescribeOptions& options,
            std::vector<std::string>& notes)
      : p_(plan), s_(plan.system), m_(plan.system.model), l_(layout), o_(options), notes_(notes) {}

  ModelDescription run() {
    describe_whole();
    add_variables();
    add_options();
    add_structure();
    add_types();
    add_units();
    return std::move(d_);
  }

 private:
  void describe_whole() {
    d_.model_name = m_.name;
    d_.description = m_.description;
    d_.generation_tool = o_.tool;
    d_.generation_date_and_time = o_.date;
    d_.event_indicators = static_cast<std::size_t>(std::count_if(p_.events.relations.begin(), p_.events.relations.end(),
                                                                 [](const auto& r) { return !r.instant; }));
    Capabilities both;
    both.model_identifier = model_identifier(m_.name);
    both.can_not_use_memory_management_functions = true;
    both.can_get_and_set_fmu_state = both.can_serialize_fmu_state = o_.can_save_state;
    both.provides_directional_derivative = o_.directional_derivatives;
    ModelExchange& me = d_.model_exchange.emplace();
    static_cast<Capabilities&>(me) = both;
    CoSimulation& cs = d_.co_simulation.emplace();
    static_cast<Capabilities&>(cs) = both;
    cs.can_handle_variable_communication_step_size = true;
    cs.can_interpolate_inputs = o_.interpolates_inputs;
    cs.max_output_derivative_order = o_.output_derivatives;
    const auto& experiment = m_.experiment;
    const double length = experiment.stop - experiment.start;
    d_.default_experiment = {experiment.start, experiment.stop, experiment.tolerance,
                             experiment.step.value_or(length / kDefaultIntervals)};
    d_.log_categories = {{"logEvents", "Events: conditions that change, sampling instants, new states"},
                         {"logSingularLinearSystems", "Linear loops without a unique solution"},
                         {"logNonlinearSystems", "Nonlinear loops whose iteration fails or is slow"},
                         {"logDynamicStateSelection", "Changes of the variables that are states"},
                         {"logStatusWarning", "What is doubtful"},
                         {"logStatusDiscard", "Why a call could not be carried out"},
                         {"logStatusError", "Why a call failed"},
                         {"logAll", "All messages"}};
  }

  // ---- variables

  void add_variables() {
    Variable time;
    time.name = "time";
    time.value_reference = 0;
    time.description = "Simulation time";
    time.causality = Causality::Independent;
    time.attributes.unit = "s";
    d_.variables.push_back(time);
    position_.assign(m_.variables.size(), 0);
    std::vector<bool> wanted = l_.exposed;
    std::set<std::uint32_t> rates;
    for (const VarId x : p_.selection.states) {
      rates.insert(s_.derivative[index(x)]);
      wanted[s_.derivative[index(x)]] = wanted[index(x)] = true;
    }
    outputs_.insert(p_.jacobians.output_rows.begin(), p_.jacobians.output_rows.end());
    states_.insert(p_.selection.states.begin(), p_.selection.states.end());
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      if (!wanted[v]) continue;
      position_[v] = static_cast<std::uint32_t>(d_.variables.size() + 1);
      add_variable(VarId{v});
    }
    for (const VarId x : p_.selection.states)
      d_.variables[position_[s_.derivative[index(x)]] - 1].derivative = position_[index(x)];
  }

  bool is_constant(VarId v) const {
    return m_[v].kind == VariableKind::Constant || m_[v].frozen != equations::Frozen::No || s_.alias[index(v)].constant;
  }

  bool owns_slot(VarId v) const { return l_.variable[l_.slot_of(v)] == v; }

  void add_variable(VarId v) {
    const equations::Variable& variable = m_[v];
    Variable x;
    x.name = unique_name(structured_name(s_, v));
    x.value_reference = l_.value_reference(v);
    const bool boolean = variable.type == equations::VariableType::Boolean;
    x.attributes.type = boolean ? Type::Boolean : Type::Real;
    set_attributes(v, x);
    if (outputs_.contains(v)) x.causality = Causality::Output;
    const bool held = boolean || variable.kind == VariableKind::Discrete || variable.sample >= 0;
    x.variability = held ? Variability::Discrete : Variability::Continuous;
    bool start = false;
    if (is_constant(v)) {
      x.variability = Variability::Constant;
      x.initial = Initial::Exact;
      start = true;
      if (variable.frozen != equations::Frozen::No) note_frozen(v, x);
    } else if (variable.kind == VariableKind::Parameter) {
      const bool given = l_.initial[index(v)] == codegen::Initial::Exact;
      x.causality = given ? Causality::Parameter : Causality::CalculatedParameter;
      x.variability = variable.tunable ? Variability::Tunable : Variability::Fixed;
      x.initial = given ? Initial::Exact : Initial::Calculated;
      start = given;
    } else if (variable.kind == VariableKind::Input && variable.boundary) {
      x.causality = Causality::Input;
      start = true;
    } else {
      x.initial = Initial::Calculated;
      if (owns_slot(v) && l_.initial[index(v)] == codegen::Initial::Exact) x.initial = Initial::Exact, start = true;
      if (owns_slot(v) && l_.initial[index(v)] == codegen::Initial::Approx) x.initial = Initial::Approx, start = true;
    }
    if (start) set_start(l_.start_of(v), x);
    if (states_.contains(v)) x.reinit = reinitialized(v);
    d_.variables.push_back(std::move(x));
  }

  void set_start(double value, Variable& x) const {
    if (x.attributes.type == Type::Boolean) {
      x.start = value != 0;
      return;
    }
    x.start = value;
    Attributes& a = x.attributes;  // a start outside its limits is not allowed, and it is the start that counts
    if (a.min && *a.min > value) drop_limit(x.name, "below its min", a.min);
    if (a.max && *a.max < value) drop_limit(x.name, "above its max", a.max);
  }

  void drop_limit(const std::string& name, const char* where, std::optional<double>& limit) const {
    notes_.push_back("'" + name + "' starts " + where + ", which FMI does not allow; the FMU does without that limit");
    limit.reset();
  }

  std::optional<double> number(Expr e) const {
    if (!e) return std::nullopt;
    equations::Values values;
    values.variable = [&](VarId v) { return m_[v].value; };
    values.time = m_.experiment.start;
    const double x = equations::evaluate(e, values);
    return std::isfinite(x) ? std::optional(x) : std::nullopt;
  }

  void set_attributes(VarId v, Variable& x) const {
    const equations::Attributes& given = m_.attributes_of(v);
    x.description = given.description;
    if (x.attributes.type == Type::Boolean) return;
    Attributes& a = x.attributes;
    a.quantity = given.quantity;
    a.unit = given.unit;
    if (is_display_unit(given.unit, given.display_unit)) a.display_unit = given.display_unit;
    const VarId owner = l_.variable[l_.slot_of(v)];
    if (owner != v && m_.attributes_of(owner).unit != given.unit && !m_.attributes_of(owner).unit.empty()) {
      a.unit.clear();  // aliases must not differ in their units
      a.display_unit.clear();
    }
    a.min = number(given.min);
    a.max = number(given.max);
    if (a.min && a.max && *a.min > *a.max) a.min.reset(), a.max.reset();
    a.nominal = number(given.nominal);
    if (a.nominal && *a.nominal <= 0) a.nominal.reset();
  }

  void note_frozen(VarId v, Variable& x) const {
    const std::string why = m_[v].frozen == equations::Frozen::ZeroParameter
                                ? "Fixed when the FMU was built: its being zero shapes the equations"
                                : "Fixed when the FMU was built: it shapes the equations";
    x.description += (x.description.empty() ? "" : ". ") + why;
  }

  bool reinitialized(VarId v) {
    if (!reset_known_) {
      reset_known_ = true;
      for (const auto& when : p_.events.whens)
        for (const auto& branch : when.branches)
          for (const auto& action : branch.actions)
            if (action.kind == equations::ActionKind::Reinit) reset_.insert(s_.alias[index(action.target)].root);
      for (const structure::StateSet& set : p_.selection.dynamic) reset_.insert(set.states.begin(), set.states.end());
    }
    return reset_.contains(v);
  }

  std::string unique_name(std::string name) {
    std::string candidate = name;
    for (int k = 2; !names_.insert(candidate).second; ++k) candidate = quoted(name + " " + std::to_string(k));
    return candidate;
  }

  // What the run time itself can be told.
  void add_options() {
    Variable solver;
    solver.name = unique_name("_fmu.solver");
    solver.value_reference = FMR_OPTION_SOLVER;
    solver.description = "Integrator of Co-Simulation";
    solver.causality = Causality::Parameter;
    solver.variability = Variability::Fixed;
    solver.initial = Initial::Exact;
    solver.attributes.type = Type::Enumeration;
    solver.declared_type = kSolverType;
    solver.start = o_.solver;
    d_.variables.push_back(solver);
    add_real_option("_fmu.tolerance", FMR_OPTION_TOLERANCE, "",
                    "Relative tolerance of the integrator; 0: what the environment says, else that of the model");
    add_real_option("_fmu.step", FMR_OPTION_STEP, "s",
                    "Step of the fixed-step integrators, largest step of the others; 0: chosen by the integrator");
  }

  void add_real_option(const char* name, unsigned reference, const char* unit, const char* description) {
    Variable x;
    x.name = unique_name(name);
    x.value_reference = reference;
    x.description = description;
    x.causality = Causality::Parameter;
    x.variability = Variability::Fixed;
    x.initial = Initial::Exact;
    x.attributes.unit = unit;
    x.attributes.min = 0;
    x.start = 0.0;
    d_.variables.push_back(x);
  }

  // The next time event, as an output: it changes at events and depends on what instants are computed from.
  void add_next_event(Dependencies& starting) {
    Variable x;
    x.name = unique_name("_fmu.nextEventTime");
    x.value_reference = FMR_NEXT_EVENT_TIME;
    x.description = "Time of the next time event that is known; the largest number if none is";
    x.causality = Causality::Output;
    x.variability = Variability::Discrete;
    x.initial = Initial::Calculated;
    x.attributes.unit = "s";
    d_.variables.push_back(x);
    Unknown now, first;
    now.index = first.index = static_cast<std::uint32_t>(d_.variables.size());
    if (!has_delays()) {  // what jumped in the past will jump again, whatever it depends on
      now.dependencies.emplace().push_back({1, DependencyKind::Dependent});
      first.dependencies = instants(starting);
    }
    d_.outputs.push_back(now);
    d_.initial_unknowns.push_back(first);
  }

  bool has_delays() {
    std::vector<Expr> leaves;
    for (const structure::SystemEquation& e : s_.equations)
      for (const Expr side : {e.left, e.right}) occurrences_.leaves(side, leaves);
    return std::any_of(leaves.begin(), leaves.end(), [](Expr e) { return e->op() == equations::Op::Delay; });
  }

  // What the instants of time events depend on at the start, with time, from which they are counted.
  std::optional<std::vector<Unknown::Dependency>> instants(Dependencies& starting) const {
    std::vector<Expr> from;
    for (const structure::Relation& relation : p_.events.relations)
      if (relation.instant) from.push_back(relation.instant);
    for (const equations::SampledSystem& sample : m_.samples)
      for (const Expr e : {sample.every, sample.offset})
        if (e) from.push_back(e);
    const auto found = starting.of(from);
    if (!found) return std::nullopt;
    std::vector<Unknown::Dependency> list{{1, DependencyKind::Dependent}};
    for (const Dependencies::Entry& e : *found)
      if (e.known < Dependencies::kEverything && position_[e.known] > 0)
        list.push_back({position_[e.known], DependencyKind::Dependent});
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    return list;
  }

  // ---- types and units

  void add_types() {
    SimpleType solver;
    solver.name = kSolverType;
    solver.description = "Integrators";
    solver.attributes.type = Type::Enumeration;
    const char* const items[][2] = {{"auto", "What the build chose"},
                                    {"cvode", "BDF of variable order, for stiff models (SUNDIALS)"},
                                    {"adams", "Adams-Moulton of variable order (SUNDIALS)"},
                                    {"ida", "BDF on the equations as residuals (SUNDIALS)"},
                                    {"dopri45", "Dormand-Prince 5(4)"},
                                    {"euler", "Explicit Euler, fixed step"},
                                    {"heun", "Heun, fixed step"},
                                    {"rk4", "Runge-Kutta 4, fixed step"}};
    std::int32_t value = 0;
    for (const auto& [name, text] : items) solver.items.push_back({name, ++value, text});
    d_.types.push_back(solver);
    // A quantity that has the same unit everywhere is a type.
    std::map<std::string, std::pair<std::string, bool>> unit_of;
    for (const Variable& x : d_.variables) {
      if (x.attributes.quantity.empty()) continue;
      const auto [at, first] = unit_of.emplace(x.attributes.quantity, std::pair(x.attributes.unit, true));
      if (!first && at->second.first != x.attributes.unit) at->second.second = false;
    }
    for (const auto& [quantity, unit] : unit_of) {
      if (!unit.second || names_.contains(quantity)) continue;
      SimpleType type;
      type.name = quantity;
      type.attributes.quantity = quantity;
      type.attributes.unit = unit.first;
      d_.types.push_back(type);
      for (Variable& x : d_.variables)
        if (x.attributes.quantity == quantity) x.declared_type = quantity;
    }
  }

  void add_units() {
    std::vector<UsedUnit> used;
    for (const Variable& x : d_.variables)
      if (!x.attributes.unit.empty()) used.push_back({x.attributes.unit, x.attributes.display_unit});
    d_.units = define_units(used);
  }

  // ---- structure

  VarId root_of(VarId v) const {
    while (s_.alias[index(v)].root != v && !s_.alias[index(v)].constant) v = s_.alias[index(v)].root;
    return v;
  }

  void add_structure() {
    std::vector<bool> known(m_.variables.size(), false);
    for (const VarId x : p_.selection.states) known[index(x)] = true;
    const auto is_input = [&](std::uint32_t v) {
      return m_.variables[v].kind == VariableKind::Input && m_.variables[v].boundary;
    };
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v)
      if (is_input(v)) known[v] = true;
    Dependencies running(p_, known, p_.blocks, s_.equations);
    for (const VarId v : p_.jacobians.output_rows) d_.outputs.push_back(unknown(v, running, false));
    for (const VarId x : p_.selection.states)
      d_.derivatives.push_back(unknown(VarId{s_.derivative[index(x)]}, running, false));

    std::fill(known.begin(), known.end(), false);
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v)
      known[v] = position_[v] && (is_input(v) || exact_in_xml(VarId{v}));
    Dependencies starting(p_, known, p_.initial.blocks, p_.initial.equations, true);
    std::vector<VarId> unknowns;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      if (!position_[v]) continue;
      const Variable& x = d_.variables[position_[v] - 1];
      const bool counts = x.causality == Causality::CalculatedParameter || x.causality == Causality::Output ||
                          states_.contains(VarId{v}) || x.derivative;
      if (counts && x.initial && *x.initial != Initial::Exact) unknowns.push_back(VarId{v});
    }
    for (const VarId v : unknowns) d_.initial_unknowns.push_back(unknown(v, starting, true));
    if (o_.next_event_time) add_next_event(starting);
  }

  // Given before the start: its value is what was set.
  bool exact_in_xml(VarId v) const {
    const Variable& x = d_.variables[position_[index(v)] - 1];
    return x.initial == Initial::Exact && x.variability != Variability::Constant && owns_slot(v);
  }

  Unknown unknown(VarId v, Dependencies& dependencies, bool at_start) const {
    Unknown u;
    u.index = position_[index(v)];
    const auto found = dependencies.of(root_of(v));
    if (!found || m_[v].sample >= 0 || m_[v].kind == VariableKind::Discrete)
      return u;  // what is held may come from all
    const auto is_everything = [](const auto& e) { return e.known == Dependencies::kEverything; };
    if (std::any_of(found->begin(), found->end(), is_everything)) return u;
    auto& list = u.dependencies.emplace();
    for (const Dependencies::Entry& e : *found) {
      const std::uint32_t at = e.known == Dependencies::kTime ? 1 : position_[e.known];
      if (at == 0 || at == u.index) continue;
      const bool plain =
          (at_start && e.kind != DependencyKind::Constant) || m_[v].type != equations::VariableType::Real;
      list.push_back({at, plain ? DependencyKind::Dependent : e.kind});
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
    return u;
  }

  SimulationPlan& p_;
  System& s_;
  equations::FlatModel& m_;
  const MemoryLayout& l_;
  const DescribeOptions& o_;
  std::vector<std::string>& notes_;
  ModelDescription d_;
  std::vector<std::uint32_t> position_;  // by variable: number in ModelVariables from 1, 0 if not there
  std::set<VarId> outputs_, states_, reset_;
  std::set<std::string> names_;
  equations::Occurrences occurrences_;
  bool reset_known_ = false;
};

}  // namespace

ModelDescription describe(SimulationPlan& plan, const MemoryLayout& layout, const DescribeOptions& options,
                          std::vector<std::string>& notes) {
  return Describer(plan, layout, options, notes).run();
}

std::string model_identifier(const std::string& model_name) {
  std::string out;
  for (const char c : model_name) out += is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) ? c : '_';
  if (out.empty() || !is_letter(out[0])) out.insert(0, "m_");
  return out;
}

std::string structured_name(const System& system, VarId v) {
  int order = 0;
  while (system.model[v].local_name.starts_with("der(") && system.integral[index(v)] != kNone) {
    v = VarId{system.integral[index(v)]};
    ++order;
  }
  std::string name = system.name(v);
  if (!is_structured(name)) name = quoted(name);
  if (order == 0) return name;
  return "der(" + name + (order > 1 ? "," + std::to_string(order) : "") + ")";
}

}  // namespace fmugen::fmu
