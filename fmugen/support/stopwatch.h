// How long something took.
#pragma once

#include <chrono>
#include <string>

namespace fmugen::support {

// Seconds since it was made or last asked.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct Stage {
  std::string name;
  double seconds = 0;
};

}  // namespace fmugen::support
