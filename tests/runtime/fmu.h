// For tests: an instance of a model of fmu_models.h behind the functions of FMI 2.0, with what it logs.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tests/runtime/fmu_models.h"
extern "C" {
#include "fmu-runtime/fmi2/fmi2_abi.h"
}

namespace fmugen::tests {

class Fmu {
 public:
  Fmu(const FmrModel& model, fmi2Type type, bool logging = false) {
    use_model(&model);
    callbacks_.logger = log;
    callbacks_.componentEnvironment = this;
    component = fmi2Instantiate("it", type, model.guid, "", &callbacks_, fmi2False, logging);
  }
  ~Fmu() { fmi2FreeInstance(component); }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;

  fmi2Status initialize(double start = 0, double tolerance = 0) {
    if (fmi2SetupExperiment(component, tolerance > 0, tolerance, start, fmi2False, 0) != fmi2OK) return fmi2Error;
    if (fmi2EnterInitializationMode(component) != fmi2OK) return fmi2Error;
    return fmi2ExitInitializationMode(component);
  }
  fmi2Status step(double end) {
    const double now = get(0);
    return fmi2DoStep(component, now, end - now, fmi2True);
  }
  double get(unsigned reference) {
    double value = -12345;
    fmi2GetReal(component, &reference, 1, &value);
    return value;
  }
  bool is(unsigned reference) {
    fmi2Boolean value = 0;
    fmi2GetBoolean(component, &reference, 1, &value);
    return value != 0;
  }
  fmi2Status set(unsigned reference, double value) { return fmi2SetReal(component, &reference, 1, &value); }

  fmi2Component component = nullptr;
  std::vector<std::string> messages;  // "status category: text"

 private:
  static void log(void* environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String format, ...) {
    char text[4000];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    static_cast<Fmu*>(environment)
        ->messages.push_back(std::to_string(status) + " " + category + ": " + text +
                             (name == std::string("it") ? "" : "?"));
  }
  fmi2CallbackFunctions callbacks_{};
};

}  // namespace fmugen::tests
