// For tests: SIMNON as its manual describes it, statement by statement. Knows the parser of fmugen, and nothing of what
// comes after it.
//
//   SimnonReference s(text);
//   s.set("CPID.G", 3);
//   s.start(0);
//   s.advance(2.5);   s["MOTOR.Y"]
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fmugen::tests {

class SimnonReference {
 public:
  explicit SimnonReference(const std::string& text);  // throws std::runtime_error if the text is wrong
  ~SimnonReference();
  SimnonReference(const SimnonReference&) = delete;
  SimnonReference& operator=(const SimnonReference&) = delete;

  double tolerance = 1e-11;  // of an integration step, relative to states or 1

  void set(const std::string& name, double value);  // parameter or initial value, "SYSTEM.NAME"
  void start(double time);                          // table 2: initialization, and the sampling at the start
  void advance(double until);                       // stops early where a STOP condition is met
  double time() const;
  bool stopped() const;
  std::size_t samplings() const;  // instants at which anything was sampled
  double operator[](const std::string& name) const;
  std::vector<std::string> states_and_outputs() const;

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace fmugen::tests
