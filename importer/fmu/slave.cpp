// Problem: FMI allows each call in certain states only, and what goes wrong comes back as a bare number.
//
// Method: one object goes through the states in order and stops at the first failure. This becomes a message that names
// the FMU, the call and the time, together with what the FMU logged:
//
//   instantiate -> setupExperiment -> set parameters and start values
//               -> enterInitializationMode -> set inputs -> exitInitializationMode
//               -> (get, doStep)* -> terminate -> free
//
//   "'ball.fmu': fmi2DoStep failed at time 0.5 with status error"
//
// A discarded step is no failure of the call: the FMU says how far it came and whether the model wants to end there.
// After fmi2Fatal nothing more may be called, not even to free the instance.
//
// Reference: FMI 2.0.4, sections 2.1.6 and 4.2.
#include "importer/fmu/slave.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "importer/fmu/errors.h"

namespace importer::fmu {

namespace {

constexpr std::uintmax_t kMostDescription = std::uintmax_t{1} << 30;  // bytes of modelDescription.xml

std::string number_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string read_description_text(const std::string& folder) {
  const std::string path = folder + "/modelDescription.xml";
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  if (failure) throw Rejected("there is no modelDescription.xml");
  if (size > kMostDescription) throw Rejected("modelDescription.xml is too large");
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const Kind& co_simulation_of(const Fmu& fmu) {
  if (!fmu.description.co_simulation)
    throw Rejected("'" + fmu.name + "' is for Model Exchange only; FMUs for Co-Simulation can be run");
  return *fmu.description.co_simulation;
}

Library load(const Fmu& fmu) {
  const Kind& kind = co_simulation_of(fmu);
  try {
    return Library(fmu.files.folder(), kind.identifier);
  } catch (const Rejected& error) {
    throw Rejected("'" + fmu.name + "' cannot be run: " + error.what());
  }
}

char letter_of(Type type) {
  switch (type) {
    case Type::Real: return 'r';
    case Type::Integer:
    case Type::Enumeration: return 'i';
    case Type::Boolean: return 'b';
    case Type::String: return 's';
  }
  return ' ';
}

}  // namespace

Fmu::Fmu(const std::string& path) : name(std::filesystem::path(path).filename().string()), files(path) {
  try {
    description = read_model_description(read_description_text(files.folder()));
  } catch (const Rejected& error) {
    throw Rejected("'" + path + "' is refused: " + error.what());
  }
}

Slave::Slave(const Fmu& fmu)
    : fmu_(fmu),
      log_(std::make_unique<Log>([this](char type, unsigned reference) { return name_of_reference(type, reference); })),
      library_(load(fmu)),
      call_(library_.functions()) {
  const char* version = call_.GetVersion();
  if (!version || std::strncmp(version, "2.", 2) != 0)
    throw Rejected("'" + fmu.name + "' cannot be run: its library is of FMI version '" + (version ? version : "") +
                   "'");
  const char* platform = call_.GetTypesPlatform();
  if (!platform || std::strcmp(platform, "default") != 0)
    throw Rejected("'" + fmu.name + "' cannot be run: its library has other types than the standard ('" +
                   (platform ? platform : "") + "')");
  callbacks_.logger = Log::callback;
  callbacks_.allocateMemory = std::calloc;
  callbacks_.freeMemory = std::free;
  callbacks_.componentEnvironment = log_.get();
}

Slave::~Slave() {
  if (instance_ && state_ != State::Fatal) call_.FreeInstance(instance_);
}

void Slave::initialize(const Experiment& experiment, std::span<const Setting> settings) {
  const std::string uri = resource_uri(fmu_.files.folder());
  const std::string instance_name = fmu_.description.model_name.empty() ? "fmu" : fmu_.description.model_name;
  instance_ = call_.Instantiate(instance_name.c_str(), fmi2CoSimulation, fmu_.description.guid.c_str(), uri.c_str(),
                                &callbacks_, fmi2False, fmi2False);
  time_ = experiment.start;
  if (!instance_) {
    std::string why;
    for (const LogMessage& message : log_->take()) why += (why.empty() ? ": " : "; ") + message.text;
    throw Rejected("'" + fmu_.name + "' cannot be run: fmi2Instantiate failed" + why);
  }
  state_ = State::Instantiated;
  check(call_.SetupExperiment(instance_, experiment.tolerance.has_value(), experiment.tolerance.value_or(0.0),
                              experiment.start, fmi2True, experiment.stop),
        "fmi2SetupExperiment");
  for (const Setting& s : settings)
    if (s.variable->causality != Causality::Input) set(s);
  check(call_.EnterInitializationMode(instance_), "fmi2EnterInitializationMode");
  state_ = State::Initializing;
  for (const Setting& s : settings)
    if (s.variable->causality == Causality::Input) set(s);
  check(call_.ExitInitializationMode(instance_), "fmi2ExitInitializationMode");
  state_ = State::Running;
}

void Slave::set(const Setting& setting) {
  const fmi2ValueReference reference = setting.variable->reference;
  switch (setting.variable->type) {
    case Type::Real: check(call_.SetReal(instance_, &reference, 1, &setting.number), "fmi2SetReal"); break;
    case Type::Integer:
    case Type::Enumeration: {
      const auto value = static_cast<fmi2Integer>(setting.number);
      check(call_.SetInteger(instance_, &reference, 1, &value), "fmi2SetInteger");
      break;
    }
    case Type::Boolean: {
      const fmi2Boolean value = setting.number != 0.0 ? fmi2True : fmi2False;
      check(call_.SetBoolean(instance_, &reference, 1, &value), "fmi2SetBoolean");
      break;
    }
    case Type::String: {
      const fmi2String value = setting.text.c_str();
      check(call_.SetString(instance_, &reference, 1, &value), "fmi2SetString");
      break;
    }
  }
}

StepResult Slave::step(double from, double size) {
  time_ = from;
  const fmi2Status status = call_.DoStep(instance_, from, size, fmi2True);
  if (status != fmi2Discard) {
    if (status == fmi2Pending) fail("fmi2DoStep", "did not finish at once at time " + number_text(time_));
    check(status, "fmi2DoStep");
    time_ = from + size;
    return {StepResult::End::Done, time_};
  }
  state_ = State::StepFailed;
  StepResult result{StepResult::End::Discarded, from};
  fmi2Boolean terminated = fmi2False;
  if (call_.GetBooleanStatus && call_.GetBooleanStatus(instance_, fmi2Terminated, &terminated) == fmi2OK && terminated)
    result.end = StepResult::End::Terminated;
  double reached = from;
  if (call_.GetRealStatus && call_.GetRealStatus(instance_, fmi2LastSuccessfulTime, &reached) == fmi2OK &&
      reached >= from && reached <= from + size)
    result.time = reached;
  time_ = result.time;
  return result;
}

void Slave::terminate(double time) {
  if (state_ != State::Running && state_ != State::StepFailed) return;
  time_ = time;
  check(call_.Terminate(instance_), "fmi2Terminate");
  state_ = State::Terminated;
}

void Slave::get_real(std::span<const Variable* const> variables, std::span<const unsigned> references,
                     std::span<double> values) {
  if (references.empty()) return;
  check(call_.GetReal(instance_, references.data(), references.size(), values.data()), "fmi2GetReal");
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isnan(values[i]))
      fail("fmi2GetReal", "gave no number for '" + variables[i]->name + "' at time " + number_text(time_));
}

void Slave::get_integer(std::span<const unsigned> references, std::span<int> values) {
  if (references.empty()) return;
  check(call_.GetInteger(instance_, references.data(), references.size(), values.data()), "fmi2GetInteger");
}

void Slave::get_boolean(std::span<const unsigned> references, std::span<int> values) {
  if (references.empty()) return;
  check(call_.GetBoolean(instance_, references.data(), references.size(), values.data()), "fmi2GetBoolean");
}

std::vector<std::string> Slave::get_string(std::span<const unsigned> references) {
  if (references.empty()) return {};
  std::vector<fmi2String> texts(references.size(), nullptr);
  check(call_.GetString(instance_, references.data(), references.size(), texts.data()), "fmi2GetString");
  std::vector<std::string> result;
  for (const fmi2String text : texts) result.emplace_back(text ? text : "");
  return result;
}

std::vector<LogMessage> Slave::take_messages() {
  std::vector<LogMessage> messages = std::exchange(kept_, {});
  for (LogMessage& m : log_->take()) messages.push_back(std::move(m));
  return messages;
}

void Slave::check(fmi2Status status, const char* call) {
  if (status == fmi2OK || status == fmi2Warning) return;
  if (status == fmi2Fatal) state_ = State::Fatal;
  fail(call, std::string("failed at time ") + number_text(time_) + " with status " + fmu::name_of(status));
}

void Slave::fail(const char* call, const std::string& what) {
  if (state_ != State::Fatal) state_ = State::Failed;
  std::vector<std::string> said;
  for (LogMessage& message : log_->take()) {
    if (message.status == fmi2OK || message.status == fmi2Warning)
      kept_.push_back(std::move(message));
    else
      said.push_back(std::move(message.text));
  }
  throw CallFailed("'" + fmu_.name + "': " + call + " " + what, std::move(said));
}

std::string Slave::name_of_reference(char type, unsigned reference) const {
  for (const Variable& v : fmu_.description.variables)
    if (v.reference == reference && letter_of(v.type) == type) return v.name;
  return {};
}

}  // namespace importer::fmu
