#include "fmugen/cli/stats.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <limits>
#include <ostream>

namespace fmugen::cli {

// The kernel's high-water mark of this program alone; getrusage() would count what its parent used before exec.
std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string key;
  while (status >> key) {
    std::size_t kilobytes = 0;
    if (key == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

void print_stats(std::ostream& out, const equations::FlatModel& model, const Cost& cost) {
  const std::size_t equations = model.equations.size();
  const double count = static_cast<double>(std::max<std::size_t>(equations, 1));
  const double seconds = cost.stages.empty() ? 0 : std::max(cost.stages.front().seconds, 1e-9);
  const double memory = static_cast<double>(cost.memory_after - std::min(cost.memory_before, cost.memory_after));
  out << "model: " << model.name << '\n'
      << "instances: " << model.instances.size() << '\n'
      << "variables: " << model.variables.size() << '\n'
      << "unknowns: " << count_unknowns(model) << '\n'
      << "equations: " << equations << '\n'
      << "connection sets: " << model.sets.size() << '\n'
      << "expression nodes: " << model.pool.nodes() << '\n'
      << std::fixed << std::setprecision(6);
  for (const support::Stage& stage : cost.stages) out << "seconds to " << stage.name << ": " << stage.seconds << '\n';
  out << std::setprecision(0) << "equations per second: " << (seconds > 0 ? count / seconds : 0) << '\n'
      << "peak memory in bytes: " << cost.memory_after << '\n'
      << "bytes per equation: " << memory / count << '\n';
}

}  // namespace fmugen::cli
