// documentation/index.html: what is in the FMU, for people.
#pragma once

#include <string>
#include <vector>

#include "fmugen/fmu/model_description.h"

namespace fmugen::fmu {

struct Documentation {
  const ModelDescription* description = nullptr;
  std::string equations;  // as computed: the text of `fmugen equations`
  struct Cut {
    std::string name, description;
    struct Member {
      std::string name, variable, kind;  // "V", "flange.w", "across" or "through"
    };
    std::vector<Member> members;
  };
  std::vector<Cut> cuts;
  std::vector<std::string> build_notes;  // "solver: cvode, since the model ...", frozen parameters
  std::vector<std::string> licences;     // files of documentation/licenses
  std::vector<std::string> source_units; // C files of sources/ to compile; empty: the FMU has no sources
};

std::string write_documentation(const Documentation& documentation);

}  // namespace fmugen::fmu
