#include "fmugen/cli/validate.h"

#include <filesystem>
#include <ostream>

#include "fmugen/cli/output.h"
#include "fmugen/fmu/validate/validate.h"

namespace fmugen::cli {

ExitCode validate(const Options& options, std::ostream& err) {
  std::string reason;
  const auto report = fmu::validate::validate_file(options.file, reason);
  if (!report) {
    err << "error: cannot read '" << options.file << "': " << reason << '\n';
    return kUsage;
  }
  std::error_code ignored;
  if (!options.output.empty() && std::filesystem::equivalent(options.file, options.output, ignored)) {
    err << "error: the report would overwrite the FMU '" << options.output << "'\n";
    return kInputRejected;
  }
  const std::string failure = write_output(options.output, [&](std::ostream& out) {
    if (options.format == Format::Json)
      fmu::validate::print_json(out, options.file, *report);
    else
      fmu::validate::print_text(out, options.file, *report);
  });
  if (!failure.empty()) {
    err << "error: cannot write " << (options.output.empty() ? "to standard output" : "'" + options.output + "'")
        << ": " << failure << '\n';
    return kInputRejected;
  }
  const bool good = !report->has_errors() && (!options.strict || report->count(support::Severity::Warning) == 0);
  return good ? kDone : kInputRejected;
}

}  // namespace fmugen::cli
