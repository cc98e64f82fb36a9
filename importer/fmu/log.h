// What an FMU says through the logger it was given.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "importer/fmu/library.h"

namespace importer::fmu {

struct LogMessage {
  fmi2Status status = fmi2OK;
  std::string category;
  std::string text;  // without trailing newlines; "#r12#" replaced by the name of the variable
};

class Log {
 public:
  static constexpr std::size_t kMost = 10'000;  // kept until somebody takes them; further ones are counted

  // The name of a variable for a letter of its type (r, i, b, s) and its value reference; empty if there is none.
  using NameOf = std::function<std::string(char type, unsigned reference)>;
  explicit Log(NameOf name_of = {}) : name_of_(std::move(name_of)) {}

  void add(fmi2Status status, const char* category, const char* text);
  std::vector<LogMessage> take();  // what came since the last time

  // To be given to an FMU together with a Log as environment.
  static void callback(fmi2ComponentEnvironment log, fmi2String instance, fmi2Status status, fmi2String category,
                       fmi2String message, ...);

 private:
  NameOf name_of_;
  std::vector<LogMessage> messages_;
  std::size_t lost_ = 0;
};

const char* name_of(fmi2Status status);  // "error"

}  // namespace importer::fmu
