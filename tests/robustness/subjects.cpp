#include "tests/robustness/subjects.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

extern "C" {
#define SUBJECT(name)                                                                                              \
  extern const FmrModel name##_generated;                                                                          \
  extern FmrModel name##_model;                                                                                    \
  fmi2Component name##_fmi2Instantiate(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, \
                                       fmi2Boolean, fmi2Boolean);
#include SUBJECT_LIST
#undef SUBJECT
// That without prefix is not used, but its file wants a model.
extern const FmrModel fmr_model;
const FmrModel fmr_model = {};
}

namespace fmugen::tests {

namespace {

constexpr double kLongest = 5;  // some experiments go on for ever

Subject make_subject(const char* name, const FmrModel& generated, FmrModel& model,
                     decltype(&fmi2Instantiate) instantiate) {
  model = generated;
  model.guid = name;
  model.sparse = 1;
  Subject subject;
  subject.name = name;
  subject.model = &model;
  subject.instantiate = instantiate;
  subject.length = std::min(model.stop_time - model.start_time, kLongest);
  for (unsigned k = 1; k < model.values; ++k) {
    const unsigned role = model.role[k];
    if (!(role & FMR_EXPOSED)) continue;
    (role & FMR_BOOLEAN ? subject.booleans : subject.reals).push_back(k);
    if (role & FMR_INPUT) subject.inputs.push_back(k);
    if (role & FMR_PARAMETER) subject.parameters.push_back(k);
    if (role & FMR_TUNABLE) subject.tunables.push_back(k);
  }
  for (unsigned i = 0; i < model.states; ++i) subject.states.push_back(model.state[i]);
  for (unsigned k = 0; k < model.negated_count; ++k) subject.reals.push_back(model.values + k);
  return subject;
}

bool good(fmi2Status status) { return status == fmi2OK || status == fmi2Warning; }

fmi2Status begin(const Subject& subject, fmi2Component c) {
  const double start = subject.model->start_time;
  fmi2Status status = fmi2SetupExperiment(c, fmi2True, 1e-6, start, fmi2False, 0);
  if (good(status)) status = fmi2EnterInitializationMode(c);
  if (good(status)) status = fmi2ExitInitializationMode(c);
  return status;
}

Outcome outcome(const Subject& subject, fmi2Component c, fmi2Status status) {
  Outcome result;
  result.status = status;
  result.values.assign(subject.reals.size(), -1);
  fmi2GetReal(c, subject.reals.data(), subject.reals.size(), result.values.data());
  for (const auto reference : subject.booleans) {
    fmi2Boolean value = 0;
    fmi2GetBoolean(c, &reference, 1, &value);
    result.values.push_back(value);
  }
  return result;
}

}  // namespace

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = {
#define SUBJECT(name) make_subject(#name, name##_generated, name##_model, name##_fmi2Instantiate),
#include SUBJECT_LIST
#undef SUBJECT
  };
  return all;
}

const Subject& subject(const std::string& name) {
  for (const Subject& candidate : subjects())
    if (candidate.name == name) return candidate;
  throw std::invalid_argument("there is no subject " + name);
}

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = {{FMR_SOLVER_CVODE, 0},   {FMR_SOLVER_ADAMS, 0},      {FMR_SOLVER_IDA, 0},
                                          {FMR_SOLVER_DOPRI45, 0}, {FMR_SOLVER_EULER, 0.0005}, {FMR_SOLVER_HEUN, 0.001},
                                          {FMR_SOLVER_RK4, 0.002}};
  return all;
}

bool Outcome::operator==(const Outcome& other) const {
  return status == other.status && values.size() == other.values.size() &&
         std::memcmp(values.data(), other.values.data(), values.size() * sizeof(double)) == 0;
}

Instance::Instance(const Subject& subject, fmi2Type type) {
  callbacks_.logger = listen;
  callbacks_.componentEnvironment = this;
  component_ = subject.instantiate("it", type, subject.name.c_str(), nullptr, &callbacks_, fmi2False, fmi2True);
}

Instance::~Instance() { fmi2FreeInstance(component_); }

void Instance::listen(void* instance, fmi2String, fmi2Status, fmi2String, fmi2String format, ...) {
  char text[500];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  static_cast<Instance*>(instance)->said_ = text;
}

Outcome run_co_simulation(const Subject& subject, fmi2Component c, const Choice& choice, int steps, double part) {
  const fmi2ValueReference solver = FMR_OPTION_SOLVER, option_step = FMR_OPTION_STEP;
  const fmi2Integer number = choice.solver + 1, first = 1;
  const double fixed = choice.step * subject.length, h = part * subject.length / steps;
  fmi2SetInteger(c, &solver, 1, &number);
  fmi2SetReal(c, &option_step, 1, &fixed);
  fmi2Status status = begin(subject, c);
  for (int k = 0; k < steps && good(status); ++k) {
    const double value = 1 + 0.25 * std::sin(k), rate = 0.1 / h * std::cos(k);
    for (const auto input : subject.inputs) {
      fmi2SetReal(c, &input, 1, &value);
      fmi2SetRealInputDerivatives(c, &input, 1, &first, &rate);
    }
    status = fmi2DoStep(c, subject.model->start_time + k * h, h, fmi2True);
  }
  return outcome(subject, c, status);
}

Outcome run_model_exchange(const Subject& subject, fmi2Component c, int steps, double part) {
  const FmrModel& model = *subject.model;
  unsigned indicators = 0;
  for (unsigned i = 0; i < model.relations; ++i) indicators += !model.relation[i].timed;
  std::vector<double> x(model.states), rate(model.states), z(indicators), z_before(indicators);
  const double h = part * subject.length / steps;
  fmi2EventInfo info{};
  fmi2Status status = begin(subject, c);
  bool event = true;
  for (int k = 0; k < steps && good(status); ++k) {
    const double end = model.start_time + (k + 1) * h;
    if (event) {
      do status = fmi2NewDiscreteStates(c, &info);
      while (good(status) && info.newDiscreteStatesNeeded);
      if (!good(status) || info.terminateSimulation) break;
      fmi2EnterContinuousTimeMode(c);
    }
    for (const auto input : subject.inputs) {
      const double value = 1 + 0.25 * std::sin(k);
      fmi2SetReal(c, &input, 1, &value);
    }
    fmi2GetEventIndicators(c, z_before.data(), indicators);
    status = fmi2GetDerivatives(c, rate.data(), rate.size());
    fmi2GetContinuousStates(c, x.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * rate[i];
    fmi2SetTime(c, end);
    if (!good(status) || !good(status = fmi2SetContinuousStates(c, x.data(), x.size()))) break;
    if (!good(status = fmi2GetEventIndicators(c, z.data(), indicators))) break;
    event = info.nextEventTimeDefined && info.nextEventTime <= end;
    for (unsigned i = 0; i < indicators; ++i) event = event || (z[i] > 0) != (z_before[i] > 0);
    fmi2Boolean wants_event = fmi2False, ends = fmi2False;
    status = fmi2CompletedIntegratorStep(c, fmi2True, &wants_event, &ends);
    event = event || wants_event;
    if (ends) break;
    if (event) fmi2EnterEventMode(c);
  }
  return outcome(subject, c, status);
}

}  // namespace fmugen::tests
