#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <variant>

#include "fmugen/cli/options.h"
#include "fmugen/cli/output.h"
#include "fmugen/cli/pipeline.h"

namespace {

int report_internal_error(const char* what) {
  std::cerr << "internal error: " << what << "; please report this with the model that causes it\n";
  return fmugen::cli::kInternalError;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fmugen::cli;
  try {
    std::ostringstream help;
    const auto parsed = parse_options(argc, argv, help, std::cerr);
    if (const auto* options = std::get_if<Options>(&parsed)) return run(*options, std::cerr);
    if (const std::string failure = write_output("", [&](std::ostream& out) { out << help.str(); }); !failure.empty()) {
      std::cerr << "error: cannot write to standard output: " << failure << '\n';
      return kInputRejected;
    }
    return std::get<ExitCode>(parsed);
  } catch (const std::bad_alloc&) {
    return report_internal_error("out of memory");
  } catch (const std::exception& error) {
    return report_internal_error(error.what());
  } catch (...) {
    return report_internal_error("unknown exception");
  }
}
