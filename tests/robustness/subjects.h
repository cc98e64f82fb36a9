// For tests: models with generated code in this program, and instances of them.
#pragma once

#include <string>
#include <vector>

extern "C" {
#include "fmu-runtime/fmi2/fmi2_abi.h"
#include "fmu-runtime/include/fmu_runtime/model_interface.h"
}

namespace fmugen::tests {

struct Subject {
  std::string name;
  const FmrModel* model = nullptr;
  decltype(&fmi2Instantiate) instantiate = nullptr;
  std::vector<fmi2ValueReference> reals, booleans, inputs, parameters, tunables, states;
  double length = 1;  // of the experiment
};

// Made at the first call, which must be over before there are threads.
const std::vector<Subject>& subjects();
const Subject& subject(const std::string& name);

// Solvers for a model with states, and what an instance of Co-Simulation is told to use.
struct Choice {
  FmrSolver solver = FMR_SOLVER_AUTO;
  double step = 0;  // of fixed-step methods, as a part of the experiment
};
const std::vector<Choice>& choices();

// An instance that is freed at the end, with the last thing that it said.
class Instance {
 public:
  Instance(const Subject& subject, fmi2Type type);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  fmi2Component operator()() const { return component_; }
  const std::string& said() const { return said_; }

 private:
  static void listen(void* instance, fmi2String, fmi2Status, fmi2String, fmi2String format, ...);
  std::string said_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
};

// What comes of a run: all numbers at its end, and the first status that was neither OK nor Warning.
struct Outcome {
  fmi2Status status = fmi2OK;
  std::vector<double> values;
  bool operator==(const Outcome& other) const;  // to the last bit
};

// A whole run of an instance that is new or was reset: `steps` steps over `part` of the experiment. Inputs vary, with
// their derivatives in Co-Simulation; Model Exchange is Euler's method with all events.
Outcome run_co_simulation(const Subject& subject, fmi2Component component, const Choice& choice, int steps,
                          double part);
Outcome run_model_exchange(const Subject& subject, fmi2Component component, int steps, double part);

}  // namespace fmugen::tests
