// An FMU as a program that knows only the standard sees it: an archive that is unpacked into a folder of its own, a
// description in XML, a shared library. The library is loaded with RTLD_LOCAL, so that what two FMUs or the test itself
// link twice stays apart.
//
//   fmiModelDescription guid, numberOfEventIndicators
//     ModelExchange modelIdentifier                     -> binaries/linux64/<modelIdentifier>.so
//     ModelVariables/ScalarVariable name, valueReference, one of Real, Integer, ...
//     ModelStructure/Derivatives/Unknown index          -> Real derivative=<index of the state>
//
// Reference: FMI for Model Exchange and Co-Simulation 2.0, sections 2.1 to 2.3.
#include "tests/support/fmu_driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <tinyxml2.h>
#include <zip.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fmugen::tests {

namespace {

std::string new_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "fmu_driver_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw FmuError("cannot make the folder " + pattern);
  return pattern;
}

void unpack(const std::string& path, const std::string& folder) {
  int code = 0;
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(path.c_str(), ZIP_RDONLY, &code), zip_discard);
  if (!archive) throw FmuError(path + ": not an archive that can be read");
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const std::string name = zip_get_name(archive.get(), index, 0);
    if (name.find("..") != std::string::npos || name.front() == '/') throw FmuError(path + ": unsafe name " + name);
    const std::filesystem::path target = std::filesystem::path(folder) / name;
    if (name.back() == '/') {
      std::filesystem::create_directories(target);
      continue;
    }
    std::filesystem::create_directories(target.parent_path());
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive.get(), index, 0), zip_fclose);
    if (!file) throw FmuError(path + ": cannot read " + name);
    std::ofstream out(target, std::ios::binary);
    std::vector<char> buffer(1 << 16);
    for (zip_int64_t n; (n = zip_fread(file.get(), buffer.data(), buffer.size())) > 0;) out.write(buffer.data(), n);
    if (!out) throw FmuError(path + ": cannot unpack " + name);
  }
}

std::string text(const tinyxml2::XMLElement* element, const char* attribute, const char* otherwise) {
  const char* value = element->Attribute(attribute);
  return value ? value : otherwise;
}

const tinyxml2::XMLElement* child(const tinyxml2::XMLElement* parent, const char* name) {
  const tinyxml2::XMLElement* found = parent->FirstChildElement(name);
  if (!found) throw FmuError(std::string("modelDescription.xml: there is no ") + name);
  return found;
}

FmuVariable read_variable(const tinyxml2::XMLElement* element) {
  FmuVariable v;
  v.name = text(element, "name", "");
  v.reference = element->UnsignedAttribute("valueReference");
  v.causality = text(element, "causality", "local");
  v.variability = text(element, "variability", "continuous");
  v.initial = text(element, "initial", "");
  const tinyxml2::XMLElement* type = element->FirstChildElement();
  if (!type) throw FmuError("modelDescription.xml: " + v.name + " has no type");
  v.type = type->Name();
  v.start = text(type, "start", "");
  v.derivative_of = type->IntAttribute("derivative");
  return v;
}

// The signature is that of C; the environment is the vector of messages.
void collect_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
                     fmi2String message, ...) {
  va_list arguments;
  va_start(arguments, message);
  char line[4096];
  std::vsnprintf(line, sizeof line, message, arguments);
  va_end(arguments);
  static const char* const names[] = {"OK", "warning", "discard", "error", "fatal", "pending"};
  static_cast<std::vector<std::string>*>(environment)
      ->push_back(std::string(names[status]) + " [" + (category ? category : "") + "] " + line);
}

}  // namespace

Fmu::Fmu(const std::string& path) : folder(new_folder()) {
  try {
    unpack(path, folder);
    read_description(path);
    load_library();
  } catch (...) {
    std::filesystem::remove_all(folder);
    throw;
  }
}

Fmu::~Fmu() {
  if (library_) dlclose(library_);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

void Fmu::read_description(const std::string& path) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile((folder + "/modelDescription.xml").c_str()) != tinyxml2::XML_SUCCESS)
    throw FmuError(path + ": modelDescription.xml: " + document.ErrorStr());
  const tinyxml2::XMLElement* root = document.RootElement();
  guid = text(root, "guid", "");
  indicators = root->UnsignedAttribute("numberOfEventIndicators");
  identifier = text(child(root, "ModelExchange"), "modelIdentifier", "");
  if (const auto* experiment = root->FirstChildElement("DefaultExperiment")) {
    start_time = experiment->DoubleAttribute("startTime", start_time);
    stop_time = experiment->DoubleAttribute("stopTime", stop_time);
    tolerance = experiment->DoubleAttribute("tolerance", tolerance);
    step_size = experiment->DoubleAttribute("stepSize", step_size);
  }
  for (auto* v = child(root, "ModelVariables")->FirstChildElement("ScalarVariable"); v; v = v->NextSiblingElement()) {
    by_name_.emplace(text(v, "name", ""), variables_.size());
    variables_.push_back(read_variable(v));
  }
  const auto* rates = child(root, "ModelStructure")->FirstChildElement("Derivatives");
  for (auto* u = rates ? rates->FirstChildElement("Unknown") : nullptr; u; u = u->NextSiblingElement()) {
    const FmuVariable& rate = variables_.at(u->UnsignedAttribute("index") - 1);
    states_.push_back(variables_.at(static_cast<std::size_t>(rate.derivative_of - 1)).name);
  }
  read_structure(child(root, "ModelStructure"));
}

void Fmu::read_structure(const tinyxml2::XMLElement* structure) {
  const std::pair<const char*, std::vector<FmuUnknown>*> lists[] = {
      {"Outputs", &outputs}, {"Derivatives", &derivatives}, {"InitialUnknowns", &initial_unknowns}};
  for (const auto& [name, list] : lists) {
    const auto* element = structure->FirstChildElement(name);
    for (auto* u = element ? element->FirstChildElement("Unknown") : nullptr; u; u = u->NextSiblingElement()) {
      FmuUnknown unknown{variables_.at(u->UnsignedAttribute("index") - 1).name, !u->Attribute("dependencies"), {}};
      std::istringstream numbers(text(u, "dependencies", ""));
      for (std::size_t index = 0; numbers >> index;) unknown.dependencies.push_back(variables_.at(index - 1).name);
      list->push_back(std::move(unknown));
    }
  }
}

void Fmu::load_library() {
  const std::string path = folder + "/binaries/linux64/" + identifier + ".so";
  library_ = dlopen(path.c_str(), RTLD_LOCAL | RTLD_NOW);
  if (!library_) throw FmuError(dlerror());
  const auto symbol = [&](const char* function) {
    void* found = dlsym(library_, function);
    if (!found) throw FmuError(identifier + ".so has no function " + function);
    return found;
  };
#define FMU_FUNCTION(function) call.function = reinterpret_cast<decltype(call.function)>(symbol("fmi2" #function));
#include "tests/support/fmu_functions.inc"
#undef FMU_FUNCTION
}

const FmuVariable& Fmu::variable(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) throw FmuError(identifier + " has no variable '" + name + "'");
  return variables_[found->second];
}

FmuRun::FmuRun(const Fmu& fmu, fmi2Type kind, bool logging)
    : fmu_(fmu), log_(std::make_unique<std::vector<std::string>>()) {
  callbacks_ = {collect_message, ::calloc, ::free, nullptr, log_.get()};
  const std::string resources = "file://" + fmu.folder + "/resources";
  component_ = fmu.call.Instantiate("run", kind, fmu.guid.c_str(), resources.c_str(), &callbacks_, fmi2False, logging);
  if (!component_) throw FmuError(fmu.identifier + ": fmi2Instantiate gives no instance");
}

FmuRun::~FmuRun() { fmu_.call.FreeInstance(component_); }

void FmuRun::expect(fmi2Status status, const char* function) const {
  if (status == fmi2OK || status == fmi2Warning) return;
  static const char* const names[] = {"fmi2OK", "fmi2Warning", "fmi2Discard", "fmi2Error", "fmi2Fatal", "fmi2Pending"};
  std::string message =
      fmu_.identifier + ": " + function + " returns " + names[status] + " at time " + std::to_string(time_);
  for (const std::string& line : log()) message += "\n  " + line;
  throw FmuError(message);
}

double FmuRun::operator[](const std::string& name) const {
  const FmuVariable& v = fmu_.variable(name);
  if (v.type == "Real") {
    double value = 0;
    expect(fmu_.call.GetReal(component_, &v.reference, 1, &value), "fmi2GetReal");
    return value;
  }
  int value = 0;
  if (v.type == "Boolean")
    expect(fmu_.call.GetBoolean(component_, &v.reference, 1, &value), "fmi2GetBoolean");
  else if (v.type == "String")
    throw FmuError(name + " is a string");
  else
    expect(fmu_.call.GetInteger(component_, &v.reference, 1, &value), "fmi2GetInteger");
  return value;
}

std::vector<double> FmuRun::reals(const std::vector<std::string>& names) const {
  std::vector<fmi2ValueReference> references;
  for (const std::string& name : names) references.push_back(fmu_.variable(name).reference);
  std::vector<double> values(names.size());
  expect(fmu_.call.GetReal(component_, references.data(), references.size(), values.data()), "fmi2GetReal");
  return values;
}

void FmuRun::set_value(const std::string& name, double value) {
  const FmuVariable& v = fmu_.variable(name);
  const int whole = static_cast<int>(std::lround(value));
  if (v.type == "Real")
    expect(fmu_.call.SetReal(component_, &v.reference, 1, &value), "fmi2SetReal");
  else if (v.type == "Boolean")
    expect(fmu_.call.SetBoolean(component_, &v.reference, 1, &whole), "fmi2SetBoolean");
  else if (v.type == "String")
    throw FmuError(name + " is a string");
  else
    expect(fmu_.call.SetInteger(component_, &v.reference, 1, &whole), "fmi2SetInteger");
}

void FmuRun::initialize(double from, double until, double tolerance) {
  time_ = from;
  expect(fmu_.call.SetupExperiment(component_, fmi2True, tolerance, from, std::isfinite(until), until),
         "fmi2SetupExperiment");
  expect(fmu_.call.EnterInitializationMode(component_), "fmi2EnterInitializationMode");
  expect(fmu_.call.ExitInitializationMode(component_), "fmi2ExitInitializationMode");
  started_ = true;
}

SavedRun FmuRun::save_state() const {
  SavedRun saved;
  saved.time = time_;
  expect(fmu_.call.GetFMUstate(component_, &saved.state), "fmi2GetFMUstate");
  std::size_t size = 0;
  expect(fmu_.call.SerializedFMUstateSize(component_, saved.state, &size), "fmi2SerializedFMUstateSize");
  saved.bytes.resize(size);
  expect(fmu_.call.SerializeFMUstate(component_, saved.state, saved.bytes.data(), size), "fmi2SerializeFMUstate");
  return saved;
}

void FmuRun::read(SavedRun& saved) const {
  saved.state = nullptr;
  expect(fmu_.call.DeSerializeFMUstate(component_, saved.bytes.data(), saved.bytes.size(), &saved.state),
         "fmi2DeSerializeFMUstate");
}

void FmuRun::free(SavedRun& saved) const {
  expect(fmu_.call.FreeFMUstate(component_, &saved.state), "fmi2FreeFMUstate");
}

void FmuRun::restore_state(const SavedRun& saved) {
  expect(fmu_.call.SetFMUstate(component_, saved.state), "fmi2SetFMUstate");
  time_ = saved.time;
  terminated_ = false;
  started_ = true;
}

void CsRun::start(double time, double until) { initialize(time, until, tolerance); }

fmi2Status CsRun::step(double h) {
  const fmi2Status status = fmu_.call.DoStep(component(), time_, h, fmi2True);
  if (status == fmi2OK || status == fmi2Warning) {
    time_ += h;
  } else if (status == fmi2Discard) {
    fmi2Boolean ended = fmi2False;
    expect(fmu_.call.GetRealStatus(component(), fmi2LastSuccessfulTime, &time_), "fmi2GetRealStatus");
    expect(fmu_.call.GetBooleanStatus(component(), fmi2Terminated, &ended), "fmi2GetBooleanStatus");
    terminated_ = ended;
  }
  return status;
}

void CsRun::advance(double until) {
  const double from = time_;
  const double count = communication_step > 0 ? std::max(1., std::round((until - from) / communication_step)) : 1;
  for (double i = 1; i <= count && !terminated_ && until > from; ++i) {
    const fmi2Status status = step(from + (until - from) * (i / count) - time_);
    if (!terminated_) expect(status, "fmi2DoStep");
  }
}

}  // namespace fmugen::tests
