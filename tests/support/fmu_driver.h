// For tests: a small importer of FMI 2.0 that knows nothing of fmugen, only the standard. It loads an FMU and runs it by
// Co-Simulation, or by Model Exchange with an integrator of its own.
//
//   Fmu fmu("rcnet.fmu");
//   CsRun cs(fmu);                      MeRun me(fmu);
//   cs.set("R1", 2);                    me.set("R1", 2);
//   cs.start();                         me.start();
//   cs.advance(5);   cs["v1"]           me.advance(5);   me["v1"]
//
// What cannot be done is thrown as FmuError, with all that the FMU has said to its logger.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
#include "fmu-runtime/fmi2/fmi2_abi.h"
}

namespace tinyxml2 {
class XMLElement;
}

namespace fmugen::tests {

struct FmuError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The functions of a loaded FMU, named without "fmi2".
struct FmuFunctions {
#define FMU_FUNCTION(name) decltype(&::fmi2##name) name = nullptr;
#include "tests/support/fmu_functions.inc"
#undef FMU_FUNCTION
};

struct FmuVariable {
  std::string name;
  std::string type;  // Real, Integer, Boolean, String, Enumeration
  std::string causality = "local", variability = "continuous", initial = {}, start = {};
  unsigned reference = 0;
  int derivative_of = 0;  // index of a variable from 1; 0: none
};

// An unknown of ModelStructure.
struct FmuUnknown {
  std::string name;
  bool depends_on_all = false;            // nothing is said
  std::vector<std::string> dependencies;  // names of variables
};

// An unpacked and loaded FMU. Must outlive its runs.
class Fmu {
 public:
  explicit Fmu(const std::string& path);
  ~Fmu();
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;

  const FmuVariable& variable(const std::string& name) const;
  bool has(const std::string& name) const { return by_name_.count(name) != 0; }
  const std::vector<FmuVariable>& variables() const { return variables_; }
  const std::vector<std::string>& states() const { return states_; }
  std::vector<FmuUnknown> outputs, derivatives, initial_unknowns;  // ModelStructure

  std::string identifier, guid, folder;
  std::size_t indicators = 0;
  double start_time = 0, stop_time = 1, tolerance = 1e-6, step_size = 0.01;
  FmuFunctions call = {};

 private:
  void read_description(const std::string& kind);
  void read_structure(const tinyxml2::XMLElement* structure);
  void load_library();

  std::vector<FmuVariable> variables_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<std::string> states_;
  void* library_ = nullptr;
};

// A run that can be gone on with: the state of the FMU, as the FMU keeps it or as bytes, and what the driver remembers.
struct SavedRun {
  fmi2FMUstate state = nullptr;  // belongs to the instance that made it, or that read the bytes
  std::vector<char> bytes;
  double time = 0, next_event = std::numeric_limits<double>::infinity();
};

// What runs of both kinds have in common: an instance, its values and its messages.
class FmuRun {
 public:
  FmuRun(const Fmu& fmu, fmi2Type kind, bool logging = false);
  ~FmuRun();
  FmuRun(const FmuRun&) = delete;
  FmuRun& operator=(const FmuRun&) = delete;

  double operator[](const std::string& name) const;  // Real, Integer, Boolean or Enumeration
  // All variables of type Real, in the order of variables().
  std::vector<double> reals(const std::vector<std::string>& names) const;
  double time() const { return time_; }
  bool terminated() const { return terminated_; }
  fmi2Component component() const { return component_; }
  const std::vector<std::string>& log() const { return *log_; }
  void free(SavedRun& saved) const;  // what save() or read() made; the bytes stay
  void read(SavedRun& saved) const;  // makes a state of the bytes

 protected:
  SavedRun save_state() const;
  void restore_state(const SavedRun& saved);
  void set_value(const std::string& name, double value);
  void initialize(double from, double until, double tolerance);
  // Throws unless the status is OK or Warning.
  void expect(fmi2Status status, const char* function) const;

  const Fmu& fmu_;
  double time_ = 0;
  bool terminated_ = false, started_ = false;

 private:
  std::unique_ptr<std::vector<std::string>> log_;  // stays where it is: the FMU has its address
  fmi2CallbackFunctions callbacks_ = {};
  fmi2Component component_ = nullptr;
};

class CsRun : public FmuRun {
 public:
  explicit CsRun(const Fmu& fmu, bool logging = false) : FmuRun(fmu, fmi2CoSimulation, logging) {}

  double tolerance = 1e-9;
  double communication_step = 0;  // of advance(); 0: it makes one step

  void set(const std::string& name, double value) { set_value(name, value); }
  void start(double time = 0, double until = std::numeric_limits<double>::infinity());
  SavedRun save() const { return save_state(); }
  void restore(const SavedRun& saved) { restore_state(saved); }  // in an instance of any state
  fmi2Status step(double h);                                     // one call of fmi2DoStep, whatever comes of it
  void advance(double until);  // stops early when the FMU ends the simulation, throws on any other trouble
};

class MeRun : public FmuRun {
 public:
  explicit MeRun(const Fmu& fmu, bool logging = false) : FmuRun(fmu, fmi2ModelExchange, logging) {}

  double tolerance = 1e-9;  // of a step, relative to the state or its nominal value
  double largest_step = 0;  // 0: a hundredth of what advance() is asked for
  bool stiff = false;       // integrate by an implicit method
  std::function<void()> after_step = [] {};

  // After the start as well: then an event is handled.
  void set(const std::string& name, double value);
  void start(double time = 0, double until = std::numeric_limits<double>::infinity());
  void advance(double until);
  SavedRun save() const;
  void restore(const SavedRun& saved);  // in an instance of any state; the integrator begins anew

  const std::vector<double>& states() const { return x_; }
  const std::vector<double>& events() const { return events_; }  // instants at which event mode was entered

 private:
  using Vector = std::vector<double>;

  void move_to(double time, const Vector& x);
  Vector rates(double time, const Vector& x);  // empty if the FMU discards the point
  Vector indicators() const;
  bool try_step(double h, Vector& next, double& error);
  bool try_explicit(double h, Vector& next, double& error);
  bool try_implicit(double h, Vector& next, double& error);
  std::vector<Vector> jacobian();
  void take_step(double until, double largest);
  double locate(double h, const Vector& before, Vector& next);
  void handle_event();
  void iterate_events();
  void begin_anew();

  Vector x_, rates_, nominal_, z_;
  std::vector<Vector> jacobian_;
  std::vector<double> events_;
  double next_event_ = std::numeric_limits<double>::infinity();
  double h_ = 0;
};

}  // namespace fmugen::tests
