// What the process tells its caller.
#pragma once

namespace importer::cli {

enum ExitCode : int {
  kDone = 0,
  kInputRejected = 1,     // the FMU cannot be used, a file cannot be read or the result cannot be written
  kUsage = 2,             // the command line is wrong
  kSimulationFailed = 3,  // the FMU ran and failed
  kInternalError = 4      // our mistake
};

}  // namespace importer::cli
