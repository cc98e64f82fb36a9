// What goes wrong with somebody's FMU.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace importer::fmu {

// The file cannot be used: no archive, no description, no library for this machine, ...
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A call of a running FMU failed. The text names the FMU, the call and, once there is one, the time.
struct CallFailed : std::runtime_error {
  CallFailed(const std::string& text, std::vector<std::string> what_it_said)
      : std::runtime_error(text), said(std::move(what_it_said)) {}
  std::vector<std::string> said;  // what the FMU logged about it
};

}  // namespace importer::fmu
