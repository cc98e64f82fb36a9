#include "tests/runtime/solve_host.h"

#include <cstdarg>
#include <cstdio>

namespace fmugen::test {

SolveHost::SolveHost(unsigned values, std::vector<const FmrLinearBlock*> linear,
                     std::vector<const FmrNonlinearBlock*> nonlinear, bool sparse)
    : v(values), d(values), start(values), linear_(std::move(linear)), nonlinear_(std::move(nonlinear)) {
  model.values = values;
  model.start = start.data();
  model.linear_blocks = static_cast<unsigned>(linear_.size());
  model.linear = linear_.data();
  model.nonlinear_blocks = static_cast<unsigned>(nonlinear_.size());
  model.nonlinear = nonlinear_.data();
  model.sparse = sparse;
  data.v = v.data();
  data.d = d.data();
  data.host = this;
  store = fmr_solve_store_new(&model);
}

SolveHost::~SolveHost() { fmr_solve_store_free(store); }

std::string SolveHost::last_error() const {
  for (auto report = reports.rbegin(); report != reports.rend(); ++report) {
    if (report->level == FMR_ERROR) return report->text;
  }
  return "";
}

static SolveHost& host_of(const FmrData* m) { return *static_cast<SolveHost*>(m->host); }

extern "C" {

FmrSolveStore* fmr_host_solve_store(const FmrData* m) { return host_of(m).store; }
const FmrModel* fmr_host_model(const FmrData* m) { return &host_of(m).model; }
double fmr_host_tolerance(const FmrData* m) { return host_of(m).tolerance; }

void fmr_host_report(const FmrData* m, FmrLevel level, const char* category, const char* format, ...) {
  char text[10000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  host_of(m).reports.push_back({level, category, text});
}
}

}  // namespace fmugen::test
