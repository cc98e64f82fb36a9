// The folders of an FMU and the library for linux64 in it.
//
//   modelDescription.xml  model.png  documentation/  licenses  binaries/PLATFORM/MODELIDENTIFIER.so
//   sources/  resources/  extra/com.example/  terminalsAndIcons/
//
// Every function of a declared interface must be exported, whatever the capability flags say: importers look all of
// them up when they load the library. They are looked for by their names without prefix, as binaries must have them.
//
// Reference: FMI 2.0.4, sections 2.1.1 (functions), 2.3 (layout), 3.2 and 4.2 (functions of the interfaces).
#include "fmugen/fmu/validate/layout.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

#include "fmugen/fmu/validate/elf.h"
#include "fmugen/fmu/validate/schema.h"

namespace fmugen::fmu::validate {
namespace {

using tinyxml2::XMLElement;

constexpr std::string_view kCommon[] = {"fmi2GetTypesPlatform",
                                        "fmi2GetVersion",
                                        "fmi2SetDebugLogging",
                                        "fmi2Instantiate",
                                        "fmi2FreeInstance",
                                        "fmi2SetupExperiment",
                                        "fmi2EnterInitializationMode",
                                        "fmi2ExitInitializationMode",
                                        "fmi2Terminate",
                                        "fmi2Reset",
                                        "fmi2GetReal",
                                        "fmi2GetInteger",
                                        "fmi2GetBoolean",
                                        "fmi2GetString",
                                        "fmi2SetReal",
                                        "fmi2SetInteger",
                                        "fmi2SetBoolean",
                                        "fmi2SetString",
                                        "fmi2GetFMUstate",
                                        "fmi2SetFMUstate",
                                        "fmi2FreeFMUstate",
                                        "fmi2SerializedFMUstateSize",
                                        "fmi2SerializeFMUstate",
                                        "fmi2DeSerializeFMUstate",
                                        "fmi2GetDirectionalDerivative"};
constexpr std::string_view kModelExchange[] = {"fmi2EnterEventMode",
                                               "fmi2NewDiscreteStates",
                                               "fmi2EnterContinuousTimeMode",
                                               "fmi2CompletedIntegratorStep",
                                               "fmi2SetTime",
                                               "fmi2SetContinuousStates",
                                               "fmi2GetDerivatives",
                                               "fmi2GetEventIndicators",
                                               "fmi2GetContinuousStates",
                                               "fmi2GetNominalsOfContinuousStates"};
constexpr std::string_view kCoSimulation[] = {"fmi2SetRealInputDerivatives",
                                              "fmi2GetRealOutputDerivatives",
                                              "fmi2DoStep",
                                              "fmi2CancelStep",
                                              "fmi2GetStatus",
                                              "fmi2GetRealStatus",
                                              "fmi2GetIntegerStatus",
                                              "fmi2GetBooleanStatus",
                                              "fmi2GetStringStatus"};

constexpr std::string_view kFolders[] = {"binaries", "sources",  "resources",        "documentation",
                                         "extra",    "licenses", "terminalsAndIcons"};
constexpr std::string_view kPlatforms[] = {"win32", "win64", "linux32", "linux64", "darwin32", "darwin64"};
constexpr std::string_view kSystemLibraries[] = {"libc.so.6", "libm.so.6"};
constexpr std::string_view kLoaderLibraries[] = {"ld-linux-x86-64.so.2", "libdl.so.2", "libpthread.so.0", "librt.so.1"};

template <std::size_t N>
bool is_among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// "binaries/linux64/m.so" -> {"binaries", "linux64", "m.so"}: at most three parts, the last with the rest.
std::vector<std::string> parts(const std::string& name) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  for (std::size_t slash; result.size() < 2 && (slash = name.find('/', begin)) != std::string::npos; begin = slash + 1)
    result.push_back(name.substr(begin, slash - begin));
  result.push_back(name.substr(begin));
  return result;
}

bool is_platform(const std::string& name) {
  if (is_among(kPlatforms, name)) return true;
  const std::size_t dash = name.find('-');  // cpu-system, optionally -abi
  const std::string cpu = name.substr(0, dash);
  return dash != std::string::npos && dash + 1 < name.size() &&
         (cpu == "x86" || cpu == "x86_64" || cpu == "aarch32" || cpu == "aarch64" || cpu.rfind("riscv", 0) == 0 ||
          cpu.rfind("ppc", 0) == 0);
}

const char* ending(const std::string& platform) {
  if (platform.find("win") == 0 || platform.find("-windows") != std::string::npos) return ".dll";
  return platform.find("darwin") != std::string::npos ? ".dylib" : ".so";
}

std::set<std::string> identifiers(const Model& model) {
  std::set<std::string> result;
  for (const XMLElement* e : {model.model_exchange, model.co_simulation})
    if (e && e->Attribute("modelIdentifier")) result.insert(e->Attribute("modelIdentifier"));
  return result;
}

void check_extra(const std::string& folder, Report& report) {
  if (folder.find('.') == std::string::npos)
    report.add(Rule::LayoutExtra, {"extra/" + folder, 0, {}}, "'" + folder + "' is no reverse domain name");
  else if (folder.rfind("org.modelica", 0) == 0 || folder.rfind("org.fmi-standard", 0) == 0)
    report.add(Rule::LayoutExtra, {"extra/" + folder, 0, {}}, "'" + folder + "' is reserved for the FMI project");
}

// Names of entries; returns the platforms with their files.
std::map<std::string, std::set<std::string>> check_entries(const Archive& archive, Report& report) {
  std::map<std::string, std::set<std::string>> platforms;
  std::set<std::string> strange, extra;
  for (const Entry& entry : archive.entries()) {
    const std::vector<std::string> path = parts(entry.name);
    const std::string& top = path[0];
    const bool in_folder = path.size() > 1;
    if (in_folder ? !is_among(kFolders, top) : top != kDescription && top != "model.png") strange.insert(top);
    if (!in_folder) continue;
    if (top == "binaries" && path.size() == 3) platforms[path[1]].insert(path[2]);
    if (top == "extra" && !path[1].empty()) extra.insert(path[1]);
    const std::string file = entry.name.substr(entry.name.rfind('/') + 1);
    if (file == "fmi2Functions.h" || file == "fmi2FunctionTypes.h" || file == "fmi2TypesPlatform.h")
      report.add(Rule::LayoutHeaders, {entry.name, 0, {}}, "is a header of FMI");
  }
  for (const std::string& name : strange)
    if (!name.empty()) report.add(Rule::LayoutEntry, {name, 0, {}}, "is not in a folder of the standard");
  for (const std::string& folder : extra) check_extra(folder, report);
  return platforms;
}

void check_source_files(const Archive& archive, const Model& model, Report& report) {
  for (const XMLElement* e : {model.model_exchange, model.co_simulation}) {
    const XMLElement* files = e ? e->FirstChildElement("SourceFiles") : nullptr;
    for (const XMLElement* file = files ? files->FirstChildElement("File") : nullptr; file;
         file = file->NextSiblingElement("File")) {
      const std::string name = file->Attribute("name") ? file->Attribute("name") : "";
      if (!archive.find("sources/" + name))
        report.add(Rule::LayoutSourceFile, {kDescription, file->GetLineNum(), {}},
                   "there is no 'sources/" + name + "'");
    }
  }
}

int minor_version(std::string_view version) {  // GLIBC_2.17 -> 17
  int value = 0;
  for (const char c : version.substr(std::string_view("GLIBC_2.").size())) {
    if (c < '0' || c > '9' || value > 1000) break;
    value = 10 * value + (c - '0');
  }
  return value;
}

void check_exports(const SharedLibrary& library, const Model& model, const std::string& entry,
                   const std::string& identifier, Report& report) {
  const std::unordered_set<std::string_view> exports(library.exports.begin(), library.exports.end());
  const auto demand = [&](auto& functions) {
    for (const std::string_view function : functions) {
      if (exports.count(function) > 0) continue;
      const bool prefixed = exports.count(identifier + "_" + std::string(function)) > 0;
      report.add(Rule::ElfExports, {entry, 0, {}},
                 "does not export " + std::string(function) +
                     (prefixed ? ", only with the prefix '" + identifier + "_'" : ""));
    }
  };
  const auto uses = [&](const XMLElement* e) {
    return e && e->Attribute("modelIdentifier") && identifier == e->Attribute("modelIdentifier");
  };
  demand(kCommon);
  if (uses(model.model_exchange)) demand(kModelExchange);
  if (uses(model.co_simulation)) demand(kCoSimulation);
  const auto other = [](std::string_view name) { return name.rfind("fmi2", 0) != 0 && name[0] != '_'; };
  std::vector<std::string_view> others;
  for (const std::string_view name : library.exports)
    if (!name.empty() && other(name)) others.push_back(name);
  std::sort(others.begin(), others.end());
  if (!others.empty())
    report.add(Rule::ElfOtherExports, {entry, 0, {}},
               "exports " + std::to_string(others.size()) + " other name" + (others.size() == 1 ? "" : "s") + ": " +
                   std::string(others[0]) + (others.size() > 1 ? ", ..." : ""));
}

void check_needs(const SharedLibrary& library, const std::set<std::string>& beside, const std::string& entry,
                 Report& report) {
  for (const std::string_view needed : library.needed) {
    if (is_among(kSystemLibraries, needed) || is_among(kLoaderLibraries, needed)) continue;
    if (beside.count(std::string(needed)) == 0)
      report.add(Rule::ElfLibraries, {entry, 0, {}}, "needs " + std::string(needed));
  }
  constexpr int kOldestGlibc = 17;
  std::string_view newest;
  for (const std::string_view version : library.versions)
    if (version.rfind("GLIBC_2.", 0) == 0 && minor_version(version) > kOldestGlibc &&
        (newest.empty() || minor_version(version) > minor_version(newest)))
      newest = version;
  if (!newest.empty()) report.add(Rule::ElfGlibc, {entry, 0, {}}, "needs " + std::string(newest));
  if (!library.runpath.empty() && library.runpath.rfind("$ORIGIN", 0) != 0)
    report.add(Rule::ElfRunpath, {entry, 0, {}}, "looks for libraries in '" + std::string(library.runpath) + "'");
}

}  // namespace

void check_layout(const Archive& archive, const Model* model, Report& report) {
  const auto platforms = check_entries(archive, report);
  bool sources = false;
  for (const Entry& entry : archive.entries())
    sources = sources || (entry.name.rfind("sources/", 0) == 0 && !entry.is_folder());
  bool binaries = false;
  for (const auto& [platform, files] : platforms) {
    if (files.size() == files.count("")) continue;  // an empty folder
    binaries = true;
    report.platforms.push_back(platform);
    if (!is_platform(platform))
      report.add(Rule::LayoutPlatform, {"binaries/" + platform, 0, {}}, "'" + platform + "' is no platform of FMI");
    for (const std::string& identifier : model ? identifiers(*model) : std::set<std::string>{})
      if (is_platform(platform) && files.count(identifier + ending(platform)) == 0)
        report.add(Rule::LayoutBinary, {"binaries/" + platform, 0, {}}, "there is no " + identifier + ending(platform));
  }
  if (!sources && !binaries) report.add(Rule::LayoutNoCode, {}, "there are neither binaries nor sources");
  if (!archive.find("documentation/index.html"))
    report.add(Rule::LayoutDocumentation, {}, "there is no documentation/index.html");
  if (model) check_source_files(archive, *model, report);
}

void check_binary(const Archive& archive, const Model& model, Report& report) {
  std::set<std::string> beside;
  for (const Entry& entry : archive.entries())
    if (entry.name.rfind("binaries/linux64/", 0) == 0) beside.insert(parts(entry.name).back());
  std::set<std::string> libraries;
  for (const std::string& identifier : identifiers(model)) {
    const std::string name = "binaries/linux64/" + identifier + ".so";
    const Entry* entry = archive.find(name);
    const std::optional<std::string> bytes = entry ? archive.read(*entry, report) : std::nullopt;
    if (!bytes) continue;
    std::string reason;
    const std::optional<SharedLibrary> library = read_elf(*bytes, reason);
    if (!library) {
      report.add(Rule::ElfFormat, {name, 0, {}}, reason);
      continue;
    }
    libraries.insert(library->needed.begin(), library->needed.end());
    check_exports(*library, model, name, identifier, report);
    check_needs(*library, beside, name, report);
  }
  report.libraries.assign(libraries.begin(), libraries.end());
}

}  // namespace fmugen::fmu::validate
