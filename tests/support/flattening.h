// Flattens a model given as text, for tests.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmugen/equations/flat_model.h"
#include "fmugen/semantics/flatten.h"

namespace fmugen::testing {

struct Flattened {
  std::optional<equations::FlatModel> model;
  std::string messages;                       // as printed to the user, the file being called "m.dym"
  std::vector<std::string> equations() const; // texts
  std::string equation_text() const;          // the texts, one a line
  const equations::Variable& variable(const std::string& name) const;  // throws if there is none
  double value(const std::string& parameter) const { return variable(parameter).value; }
  std::string first_error() const;            // "4:7: unknown name 'x'", empty if there is none
};

Flattened flatten(const std::string& text, const semantics::FlattenOptions& options = {});

}  // namespace fmugen::testing
