// Problem: libraries of different FMUs have the same names and may contain the same code in other versions.
//
// Method: every FMU is loaded from its own folder with RTLD_LOCAL, so that nothing of it is seen by others, and with
// RTLD_NOW, so that what is missing shows here and not in the middle of a run. FMUs that forgot to link the library of
// mathematics load nevertheless: this program uses it and has it among its global symbols.
//
//   binaries/linux64/ball.so  ->  Functions{Instantiate = 0x7f..., DoStep = 0x7f..., CancelStep = null, ...}
//
// Reference: FMI 2.0.4, sections 2.1 and 2.3.
#include "importer/fmu/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "importer/fmu/errors.h"

namespace importer::fmu {

namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr const char* kPlatform = "linux64";
#elif defined(__i386__)
constexpr const char* kPlatform = "linux32";
#else
constexpr const char* kPlatform = "aarch64-linux";
#endif

// "there are binaries for win32, win64".
std::string platforms_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder + "/binaries", failure))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  if (names.empty()) return "there are no binaries at all";
  std::string text = "there are binaries for";
  for (const std::string& name : names) text += (&name == &names.front() ? " " : ", ") + name;
  return text;
}

// dlopen's words without the folder, which is gone when they are read.
std::string without_folder(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder + "/"); at != std::string::npos; at = text.find(folder + "/"))
    text.erase(at, folder.size() + 1);
  return text;
}

template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool unreserved(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

}  // namespace

void Library::Close::operator()(void* handle) const { dlclose(handle); }

Library::Library(const std::string& folder, const std::string& identifier) {
  const std::string name = std::string("binaries/") + kPlatform + "/" + identifier + ".so";
  const std::string path = folder + "/" + name;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw Rejected("there is no " + name + " in the FMU; " + platforms_of(folder));
  handle_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle_) {
    const char* why = dlerror();
    throw Rejected("its library does not load: " + without_folder(why ? why : "no reason given", folder));
  }
  std::string missing;
  const auto need = [&](const char* function) { missing += (missing.empty() ? "" : ", ") + std::string(function); };
#define IMPORTER_BOTH(name) \
  if (!find_function(handle_.get(), "fmi2" #name, functions_.name)) need("fmi2" #name);
#define IMPORTER_CS IMPORTER_BOTH
#define IMPORTER_EXTRA(name) find_function(handle_.get(), "fmi2" #name, functions_.name);
#include "importer/fmu/functions.inc"
#undef IMPORTER_BOTH
#undef IMPORTER_CS
#undef IMPORTER_EXTRA
  if (!missing.empty()) throw Rejected("its library lacks functions: " + missing);
}

std::string resource_uri(const std::string& folder) {
  static const char* const kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : folder) {
    const auto byte = static_cast<unsigned char>(c);
    if (unreserved(byte)) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri + "/resources";
}

}  // namespace importer::fmu
