// The code is compiled as it would be into an FMU, but with the functions of small_runtime.c, to a shared library in a
// folder for temporary files, which is removed again.
#include "tests/support/generated_model.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace fmugen::tests {

namespace {

std::string output_of(const std::string& command, int& status) {
  std::string text;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  status = pclose(pipe);
  return text;
}

double held_value(FmrRelationKind kind, double z) {
  switch (kind) {
    case FMR_LESS: return z < 0;
    case FMR_LESS_EQUAL: return z <= 0;
    case FMR_EQUAL: return z == 0;
    case FMR_UNEQUAL: return z != 0;
    case FMR_SIGN: return z > 0 ? 1 : z < 0 ? -1 : 0;
    case FMR_STEP: break;
  }
  return 0;
}

}  // namespace

GeneratedModel::GeneratedModel(const structure::SimulationPlan& plan, codegen::CodeOptions options)
    : plan_(plan), layout_(codegen::lay_out(plan)) {
  code_ = codegen::generate(plan, layout_, options, {});
  for (std::uint32_t v = 0; v < plan.system.model.variables.size(); ++v)
    by_name_.emplace(plan.system.name(equations::VarId{v}), v);
  std::string pattern = (std::filesystem::temp_directory_path() / "generated_XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a folder for generated code");
  folder_ = pattern;
  const std::string sources = TEST_SOURCES;
  std::string command = "cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -fPIC -shared -I" + sources +
                        "/fmu-runtime/include -I" + sources + " -o " + folder_ + "/model.so " + sources +
                        "/tests/support/small_runtime.c";
  for (const codegen::GeneratedFile& file : code_.files) {
    std::ofstream(folder_ + "/" + file.name) << file.text;
    if (file.name.ends_with(".c")) command += " " + folder_ + "/" + file.name;
  }
  for (const std::string& file : code_.external_files) command += " '" + file + "'";
  int status = 0;
  const std::string messages = output_of(command + " -lm", status);
  if (status != 0) throw std::runtime_error("generated code does not compile:\n" + messages);
  library_ = dlopen((folder_ + "/model.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw std::runtime_error(dlerror());
  model_ = static_cast<const FmrModel*>(dlsym(library_, "fmr_model"));
  v_.assign(model_->start, model_->start + model_->values);
  v_.resize(model_->values + model_->delays, 0);
  d_.assign(model_->values + model_->delays, 0);
  held_.assign(model_->relations + 1, 0);
  pre_.assign(model_->pre_count + 1, 0);
  data_ = {v_.data(), d_.data(), held_.data(), pre_.data(), v_[0], 1, 0, nullptr, nullptr};
}

GeneratedModel::~GeneratedModel() {
  if (library_) dlclose(library_);
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

equations::VarId GeneratedModel::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) throw std::runtime_error("there is no variable '" + name + "'");
  return equations::VarId{found->second};
}

double GeneratedModel::operator[](const std::string& name) const {
  const equations::VarId v = find(name);
  return layout_.sign_of(v) * v_[layout_.slot_of(v)];
}

void GeneratedModel::set(const std::string& name, double value) {
  const equations::VarId v = find(name);
  v_[layout_.slot_of(v)] = layout_.sign_of(v) * value;
}

const std::string& GeneratedModel::file(const std::string& name) const {
  for (const codegen::GeneratedFile& file : code_.files)
    if (file.name == name) return file.text;
  throw std::runtime_error("there is no file '" + name + "'");
}

// True if a relation has another value than before.
bool GeneratedModel::update_relations() {
  if (model_->relations == 0) return false;
  std::vector<double> z(model_->relations), now = held_;
  data_.late = v_[0];
  model_->crossings(&data_, z.data());
  for (unsigned k = 0; k < model_->relations; ++k) now[k] = held_value(model_->relation[k].kind, z[k]);
  std::vector<double> steps = held_;
  if (model_->steps) model_->steps(&data_, steps.data());
  for (unsigned k = 0; k < model_->relations; ++k)
    if (model_->relation[k].kind == FMR_STEP) now[k] = steps[k];
  const bool changed = now != held_;
  std::copy(now.begin(), now.end(), held_.begin());
  return changed;
}

void GeneratedModel::start() {
  if (model_->parameters(&data_)) throw std::runtime_error("parameters() failed");
  for (int round = 0; round < 20; ++round) {
    if (model_->initial(&data_)) throw std::runtime_error("initial() failed");
    if (!update_relations()) break;
  }
  for (unsigned k = 0; k < model_->pre_count; ++k) pre_[k] = v_[model_->pre[k]];
  data_.initializing = 0;
}

void GeneratedModel::evaluate_held() {
  if (model_->dynamic(&data_) || model_->outputs(&data_)) throw std::runtime_error("dynamic() or outputs() failed");
}

void GeneratedModel::evaluate() {
  for (int round = 0; round < 20; ++round) {
    evaluate_held();
    if (!update_relations()) break;
  }
}

}  // namespace fmugen::tests
