// An instance as far as algebraic loops need one: values, memory of the loops, and a list of what was reported.
#pragma once

#include <string>
#include <vector>

extern "C" {
#include "fmu-runtime/solve/blocks.h"
#include "fmu-runtime/solve/store.h"
}

namespace fmugen::test {

struct SolveHost {
  SolveHost(unsigned values, std::vector<const FmrLinearBlock*> linear,
            std::vector<const FmrNonlinearBlock*> nonlinear = {}, bool sparse = false);
  ~SolveHost();
  SolveHost(const SolveHost&) = delete;

  FmrData* m() { return &data; }
  std::string last_error() const;  // text of the last report that was an error

  std::vector<double> v, d, start;
  double tolerance = 1e-6;
  struct Report {
    FmrLevel level;
    std::string category, text;
  };
  mutable std::vector<Report> reports;
  FmrModel model{};
  FmrData data{};
  FmrSolveStore* store = nullptr;

 private:
  std::vector<const FmrLinearBlock*> linear_;
  std::vector<const FmrNonlinearBlock*> nonlinear_;
};

}  // namespace fmugen::test
