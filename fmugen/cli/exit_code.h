// What the process tells its caller.
#pragma once

namespace fmugen::cli {

enum ExitCode : int {
  kDone = 0,
  kInputRejected = 1,     // the model is wrong, a file cannot be read or the result cannot be written
  kUsage = 2,             // the command line is wrong
  kSimulationFailed = 3,  // numbers, not texts, went wrong
  kInternalError = 4      // our mistake
};

}  // namespace fmugen::cli
