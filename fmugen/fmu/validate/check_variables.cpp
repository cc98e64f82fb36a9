// Variables one by one: names, the table of causality, variability and initial, start values and ranges, derivatives.
//
// Miniature: <ScalarVariable name="on" causality="output"><Boolean/></ScalarVariable> is continuous, because that is
// what a variable without variability is, and a Boolean cannot be: continuous-type.
//
// Reference: FMI 2.0.4, section 2.2.7 with its tables, and 2.2.9.
#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

#include "fmugen/fmu/validate/model.h"
#include "fmugen/fmu/validate/schema.h"

namespace fmugen::fmu::validate {
namespace {

struct Context {
  const Model& model;
  const Variable& v;
  Report& report;
  void add(Rule rule, std::string text) const {
    report.add(rule, {kDescription, v.line, std::string(v.name)}, std::move(text));
  }
};

void check_name(const Context& c) {
  if (c.v.name.empty()) return c.add(Rule::NameEmpty, "the name of a variable is empty");
  const bool derivative = c.v.name.substr(0, 4) == "der(";
  if (!c.model.structured) return;
  if (!is_structured_name(c.v.name))
    c.add(Rule::NameStructured, "the name does not follow the structured naming convention");
  else if (derivative && c.v.type && c.v.type != Type::Real)
    c.add(Rule::NameDerivative, "is a derivative by its name, but of type " + std::string(word(*c.v.type)));
  else if (derivative && !c.v.has_derivative)
    c.add(Rule::NameDerivativeAlone, "is a derivative by its name, but has no attribute 'derivative'");
}

// The table of section 2.2.7.
void check_causality(const Context& c) {
  const Variable& v = c.v;
  if (!v.legal)
    c.add(Rule::CausalityVariability, "causality '" + std::string(word(v.causality)) + "' and variability '" +
                                          std::string(word(v.variability)) + "' do not go together");
  if (v.type && v.type != Type::Real && v.variability == Variability::Continuous)
    c.add(Rule::ContinuousType, "a variable of type " + std::string(word(*v.type)) + " is continuous");
  if (v.causality == Causality::Independent && v.type && v.type != Type::Real)
    c.add(Rule::IndependentType, "the independent variable is of type " + std::string(word(*v.type)));
  if (!v.given || !v.legal) return;
  const std::string given(word(*v.given));
  if (v.causality == Causality::Input || v.causality == Causality::Independent)
    return c.add(Rule::InitialIllegal, "'initial' is '" + given + "', but must not be given for causality '" +
                                           std::string(word(v.causality)) + "'");
  const bool exact_only = v.causality == Causality::Parameter || v.variability == Variability::Constant;
  const bool never_exact =
      !exact_only && (v.variability == Variability::Fixed || v.variability == Variability::Tunable);
  if ((exact_only && v.given != Initial::Exact) || (never_exact && v.given == Initial::Exact))
    c.add(Rule::InitialIllegal, "'initial' is '" + given + "', which causality '" + std::string(word(v.causality)) +
                                    "' and variability '" + std::string(word(v.variability)) + "' do not allow");
}

void check_start(const Context& c) {
  const Variable& v = c.v;
  if (!v.type) return;
  const bool wanted = v.causality == Causality::Input || v.causality == Causality::Parameter ||
                      v.variability == Variability::Constant || v.initial == Initial::Exact ||
                      v.initial == Initial::Approx;
  if (wanted && v.causality != Causality::Independent && !v.has_start)
    c.add(Rule::StartMissing, "there is no start value");
  if (v.has_start && v.causality == Causality::Independent)
    c.add(Rule::StartForbidden, "the independent variable has a start value");
  else if (v.has_start && !wanted && v.initial == Initial::Calculated)
    c.add(Rule::StartForbidden, "is calculated, but has a start value");
}

void check_range(const Context& c) {
  const Variable& v = c.v;
  const SimpleType* type = c.model.type_of(v);
  const bool same = type && type->type == v.type;
  constexpr double kNone = std::numeric_limits<double>::infinity();  // no limit
  const double min = v.min.value_or(same ? type->min.value_or(-kNone) : -kNone);
  const double max = v.max.value_or(same ? type->max.value_or(kNone) : kNone);
  if (min > max) c.add(Rule::MinMax, "min is above max");
  if (v.nominal && *v.nominal <= 0) c.add(Rule::Nominal, "the nominal value is not positive");
  if (!v.has_start || !v.type || v.type == Type::String || v.type == Type::Boolean) return;
  const std::optional<double> start = real_value(v.start);
  if (start && *start < min) c.add(Rule::StartRange, "start value " + std::string(v.start) + " is below min");
  if (start && *start > max) c.add(Rule::StartRange, "start value " + std::string(v.start) + " is above max");
  if (v.type != Type::Enumeration || !same) return;
  const std::optional<std::int32_t> item = int_value(v.start);
  if (item && !std::binary_search(type->items.begin(), type->items.end(), *item))
    c.add(Rule::StartItem, "start value " + std::string(v.start) + " is no item of '" + std::string(type->name) + "'");
}

void check_derivative(const Context& c, bool is_state) {
  const Variable& v = c.v;
  if (v.has_multiple_set && (v.causality != Causality::Input || !c.model.model_exchange))
    c.add(Rule::MultipleSet, c.model.model_exchange
                                 ? "canHandleMultipleSetPerTimeInstant on a variable that is no input"
                                 : "canHandleMultipleSetPerTimeInstant without ModelExchange");
  if (v.reinit && !c.model.model_exchange) c.add(Rule::Reinit, "'reinit' without ModelExchange");
  if (v.reinit && c.model.model_exchange && !is_state) c.add(Rule::Reinit, "'reinit' on a variable that is no state");
  if (!v.derivative) return;
  const Variable* of = c.model.variable(v.derivative);
  if (!of)
    return c.add(Rule::DerivativeIndex, "'derivative' is " + std::to_string(*v.derivative) + ", but there are " +
                                            std::to_string(c.model.variables.size()) + " variables");
  if (of == &v) return c.add(Rule::DerivativeTarget, "is its own derivative");
  const bool continuous = of->type == Type::Real && of->variability == Variability::Continuous;
  if (of->type && !continuous)
    c.add(Rule::DerivativeTarget, "is the derivative of '" + std::string(of->name) + "', which is no continuous Real");
}

void check_simple_types(const Model& model, Report& report) {
  for (const SimpleType& type : model.types) {
    const Place place{kDescription, type.line, {}};
    const std::string name = "type '" + std::string(type.name) + "': ";
    if (type.name.empty()) report.add(Rule::NameEmpty, place, "the name of a type is empty");
    if (type.min && type.max && *type.min > *type.max) report.add(Rule::MinMax, place, name + "min is above max");
    if (type.nominal && *type.nominal <= 0)
      report.add(Rule::Nominal, place, name + "the nominal value is not positive");
  }
}

}  // namespace

void check_variables(const Model& model, Report& report) {
  check_simple_types(model, report);
  std::unordered_map<std::string_view, int> lines;
  const Variable* independent = nullptr;
  for (std::size_t i = 0; i < model.variables.size(); ++i) {
    const Variable& v = model.variables[i];
    const Context context{model, v, report};
    check_name(context);
    check_causality(context);
    check_start(context);
    check_range(context);
    check_derivative(context, model.is_state[i]);
    const auto [first, added] = lines.emplace(v.name, v.line);
    if (!added) context.add(Rule::NameDuplicate, "the name was used in line " + std::to_string(first->second));
    if (v.causality != Causality::Independent) continue;
    if (independent)
      context.add(Rule::IndependentTwice,
                  "'" + std::string(independent->name) + "' is the independent variable already");
    else
      independent = &v;
  }
}

}  // namespace fmugen::fmu::validate
