#include <exception>
#include <iostream>
#include <new>
#include <variant>

#include "importer/cli/info.h"
#include "importer/cli/options.h"
#include "importer/cli/run.h"
#include "importer/fmu/errors.h"

namespace {

using namespace importer;

int report_internal_error(const char* what) {
  std::cerr << "internal error: " << what << "; please report this with the FMU that causes it\n";
  return cli::kInternalError;
}

cli::ExitCode carry_out(const cli::Options& options) {
  switch (options.command) {
    case cli::Command::Run: return cli::run(options, std::cerr);
    case cli::Command::Info: return cli::info(options, std::cout);
  }
  return cli::kInternalError;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto parsed = cli::parse_options(argc, argv, std::cout, std::cerr);
    const auto* options = std::get_if<cli::Options>(&parsed);
    const cli::ExitCode code = options ? carry_out(*options) : std::get<cli::ExitCode>(parsed);
    if (std::cout.flush()) return code;
    std::cerr << "error: cannot write to standard output\n";
    return cli::kInputRejected;
  } catch (const fmu::Rejected& error) {
    std::cerr << "error: " << error.what() << '\n';
    return cli::kInputRejected;
  } catch (const std::bad_alloc&) {
    return report_internal_error("out of memory");
  } catch (const std::exception& error) {
    return report_internal_error(error.what());
  } catch (...) {
    return report_internal_error("unknown exception");
  }
}
