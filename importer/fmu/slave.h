// One instance of an FMU for Co-Simulation.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "importer/fmu/archive.h"
#include "importer/fmu/library.h"
#include "importer/fmu/log.h"
#include "importer/fmu/model_description.h"

namespace importer::fmu {

struct Experiment {
  double start = 0.0;
  double stop = 1.0;
  std::optional<double> tolerance;
};

struct Setting {
  const Variable* variable = nullptr;  // of the slave's description
  double number = 0.0;                 // of all types but String
  std::string text;                    // of type String
};

// What became of a step.
struct StepResult {
  enum class End { Done, Terminated, Discarded };
  End end = End::Done;
  double time = 0.0;  // how far it came
};

// An FMU read and unpacked, its library not yet loaded.
struct Fmu {
  explicit Fmu(const std::string& path);  // throws Rejected
  std::string name;                       // of the file, for messages
  UnpackedFmu files;
  ModelDescription description;
};

// Makes the calls of FMI in legal order: initialize once, then step and get, at last the destructor. Throws failures as
// CallFailed, a refused instantiation as Rejected; after one, only the destructor remains to be called.
class Slave {
 public:
  explicit Slave(const Fmu& fmu);  // loads the library; `fmu` must outlive the slave. Throws Rejected
  ~Slave();
  Slave(const Slave&) = delete;
  Slave& operator=(const Slave&) = delete;

  void initialize(const Experiment& experiment, std::span<const Setting> settings);
  StepResult step(double from, double size);
  void terminate(double time);

  // Values of variables of one type, by value references; Enumeration counts as Integer. `variables` serves messages.
  void get_real(std::span<const Variable* const> variables, std::span<const unsigned> references,
                std::span<double> values);
  void get_integer(std::span<const unsigned> references, std::span<int> values);
  void get_boolean(std::span<const unsigned> references, std::span<int> values);
  std::vector<std::string> get_string(std::span<const unsigned> references);

  std::vector<LogMessage> take_messages();

 private:
  void check(fmi2Status status, const char* call);
  [[noreturn]] void fail(const char* call, const std::string& what);
  void set(const Setting& setting);
  std::string name_of_reference(char type, unsigned reference) const;

  const Fmu& fmu_;
  std::unique_ptr<Log> log_;
  Library library_;
  const Functions& call_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component instance_ = nullptr;
  double time_ = 0.0;
  enum class State {
    New,
    Instantiated,
    Initializing,
    Running,
    StepFailed,
    Terminated,
    Failed,
    Fatal
  } state_ = State::New;
  std::vector<LogMessage> kept_;  // taken from the log while an error was reported
};

}  // namespace importer::fmu
