// Problem: an FMU logs in the manner of printf, with value references in place of names, and as often as it likes.
//
// Method: the text is formed at once into a buffer of bounded size, references are replaced, and the message is kept
// until the caller of the FMU has time for it:
//
//   logger(.., "division by #r3#, which is %g", 0.0)   ->   "division by tank.h, which is 0"
//   "50 ## sure"                                       ->   "50 # sure"
//
// Reference: FMI 2.0.4, section 2.1.5.
#include "importer/fmu/log.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace importer::fmu {

namespace {

constexpr std::size_t kMostText = 8192;

std::string expand(const std::string& text, const Log::NameOf& name_of) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '#') {
      result += text[at];
      continue;
    }
    const std::size_t end = text.find('#', at + 1);
    if (end == at + 1) {  // "##"
      result += '#';
      at = end;
      continue;
    }
    const bool reference = end != std::string::npos && end > at + 2 &&
                           text.find_first_not_of("0123456789", at + 2) == end && end - at < 13;
    const std::string name =
        reference && name_of
            ? name_of(text[at + 1], static_cast<unsigned>(std::strtoul(text.c_str() + at + 2, nullptr, 10)))
            : std::string();
    if (name.empty()) {
      result += '#';
      continue;
    }
    result += name;
    at = end;
  }
  return result;
}

}  // namespace

const char* name_of(fmi2Status status) {
  switch (status) {
    case fmi2OK: return "ok";
    case fmi2Warning: return "warning";
    case fmi2Discard: return "discard";
    case fmi2Error: return "error";
    case fmi2Fatal: return "fatal";
    case fmi2Pending: return "pending";
  }
  return "unknown status";
}

void Log::add(fmi2Status status, const char* category, const char* text) {
  if (messages_.size() >= kMost) {
    ++lost_;
    return;
  }
  std::string words = text ? text : "";
  while (!words.empty() && (words.back() == '\n' || words.back() == '\r')) words.pop_back();
  messages_.push_back({status, category ? category : "", expand(words, name_of_)});
}

std::vector<LogMessage> Log::take() {
  if (lost_ > 0) messages_.push_back({fmi2Warning, "", std::to_string(lost_) + " further messages were not kept"});
  lost_ = 0;
  return std::exchange(messages_, {});
}

void Log::callback(fmi2ComponentEnvironment log, fmi2String, fmi2Status status, fmi2String category, fmi2String message,
                   ...) {
  if (!log || !message) return;
  char text[kMostText];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  try {
    static_cast<Log*>(log)->add(status, category, text);
  } catch (...) {  // no memory: exceptions must not pass through an FMU written in C
  }
}

}  // namespace importer::fmu
