// For tests: generates the C code of a plan, compiles and loads it, and lets a test call its functions.
//
//   GeneratedModel code(plan);
//   code.start();
//   code.set("x", 2);  code.evaluate();  code["der(x)"]
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fmu-runtime/include/fmu_runtime/model_interface.h"
#include "fmugen/codegen/generate.h"

namespace fmugen::tests {

class GeneratedModel {
 public:
  // Throws std::runtime_error with the compiler's messages if it has any: warnings are errors.
  explicit GeneratedModel(const structure::SimulationPlan& plan, codegen::CodeOptions options = {});
  ~GeneratedModel();
  GeneratedModel(const GeneratedModel&) = delete;
  GeneratedModel& operator=(const GeneratedModel&) = delete;

  void start();          // parameters(), initial(), until no relation changes
  void evaluate();       // dynamic(), outputs(), with relations as they are now
  void evaluate_held();  // the same, relations keep their values
  double operator[](const std::string& name) const;
  void set(const std::string& name, double value);

  const FmrModel& model() const { return *model_; }
  FmrData& data() { return data_; }
  const codegen::MemoryLayout& layout() const { return layout_; }
  const codegen::GeneratedCode& code() const { return code_; }
  const std::string& file(const std::string& name) const;

 private:
  equations::VarId find(const std::string& name) const;
  bool update_relations();

  const structure::SimulationPlan& plan_;
  codegen::MemoryLayout layout_;
  codegen::GeneratedCode code_;
  std::map<std::string, std::uint32_t> by_name_;
  std::string folder_;
  void* library_ = nullptr;
  const FmrModel* model_ = nullptr;
  FmrData data_{};
  std::vector<double> v_, d_, held_, pre_;
};

}  // namespace fmugen::tests
