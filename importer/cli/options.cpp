#include "importer/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <ostream>

#include "fmugen/support/diagnostics.h"

namespace importer::cli {

namespace {

const char* const kOverview =
    "Simulates FMUs (FMI 2.0, Co-Simulation) of any tool.\n"
    "\n"
    "Values go to standard output or to files, messages to standard error.\n";

const char* const kOverviewEnd =
    "Examples:\n"
    "  cutsim run motor.fmu -o motor.csv --plot motor.svg   simulate, and draw the result\n"
    "  cutsim info motor.fmu                                what is in the FMU\n"
    "  cutsim run --help                                    what else 'run' can do\n"
    "\n"
    "Exit codes: 0 done, 1 input rejected, 2 wrong usage, 3 simulation failed, 4 internal error.\n";

const char* const kRun = "Simulate an FMU";

const char* const kRunEnd =
    "Start, stop, step and tolerance are those that the FMU proposes unless given here; an FMU that\n"
    "proposes nothing runs from 0 to 1 in 500 steps. Values of all points are written as CSV, with the\n"
    "names of the variables in the first line, to standard output unless -o names a file.\n"
    "\n"
    "Recorded are the variables that match a PATTERN, in which '*' stands for any letters and '?' for\n"
    "one; without --record all of them if there are at most 1000, otherwise inputs, outputs and\n"
    "states. The plot shows the recorded variables, without --record inputs, outputs and states;\n"
    "variables of the same unit share a pane.\n"
    "\n"
    "If the model itself ends the simulation, the results up to then count as complete. If the FMU\n"
    "fails, they are kept, too.\n"
    "\n"
    "Examples:\n"
    "  cutsim run tanks.fmu -o tanks.csv\n"
    "  cutsim run tanks.fmu --stop 200 --step 0.5 --set Tank1.Area=3 --record 'Tank?.h' --plot tanks.svg\n"
    "  cutsim run tanks.fmu --record Tank1.h | head\n";

const char* const kInfo = "Show what is in an FMU";

const char* const kInfoEnd =
    "Its interfaces, proposed experiment and variables; nothing of the FMU is run.\n"
    "\n"
    "Example:\n"
    "  cutsim info motor.fmu\n";

struct Raw {
  std::string start, stop, step, tolerance;
  std::vector<std::string> settings;
};

// A value that CLI11 refuses becomes an error with this text behind the option's name.
[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw CLI::ValidationError(option + ": " + why);
}

std::optional<double> number(const std::string& option, const std::string& text, bool positive) {
  if (text.empty()) return std::nullopt;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    refuse(option, "expected a number, got '" + text + "'");
  if (positive && !(value > 0.0)) refuse(option, "expected a number above 0, got '" + text + "'");
  return value;
}

// "R1.R=20" -> {"R1.R", "20"}; the value of a text may be empty and hold further equal signs.
std::pair<std::string, std::string> split_setting(const std::string& text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos) refuse("--set", "expected name=value, got '" + text + "'");
  if (equal == 0) refuse("--set", "no name before '=' in '" + text + "'");
  return {text.substr(0, equal), text.substr(equal + 1)};
}

void add_run(CLI::App& app, Options& options, Raw& raw) {
  CLI::App& run = *app.add_subcommand("run", kRun)->footer(kRunEnd);
  run.add_option("FILE", options.file, "FMU to simulate")->required()->type_name("");
  run.add_option("--start", raw.start, "Time to start at")->type_name("TIME");
  run.add_option("--stop", raw.stop, "Time to stop at")->type_name("TIME");
  run.add_option("--step", raw.step, "Time between two points")->type_name("TIME");
  run.add_option("--tolerance", raw.tolerance, "Relative tolerance of the FMU's solver")->type_name("NUMBER");
  run.add_option("--set", raw.settings, "Value of a parameter, an input or a start value; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  run.add_option("--record", options.record, "Variables to record; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  run.add_option("-o,--output", options.output, "Write the values to a file")->type_name("FILE");
  run.add_option("--plot", options.plot, "Draw the curves into an SVG file")->type_name("FILE");
}

void finish(Options& options, const Raw& raw) {
  options.start = number("--start", raw.start, false);
  options.stop = number("--stop", raw.stop, false);
  options.step = number("--step", raw.step, true);
  options.tolerance = number("--tolerance", raw.tolerance, true);
  for (const std::string& text : raw.settings) {
    auto setting = split_setting(text);
    const auto same = [&](const auto& other) { return other.first == setting.first; };
    if (std::any_of(options.settings.begin(), options.settings.end(), same))
      refuse("--set", "'" + setting.first + "' is given twice");
    options.settings.push_back(std::move(setting));
  }
  if (!options.plot.empty() && options.plot == options.output) refuse("--plot", "the file is that of -o");
}

// What CLI11 found wrong, in the words of our own messages.
std::string explain(const CLI::ParseError& mistake, const CLI::App& app, int argc, const char* const* argv) {
  if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
    const std::string hint = fmugen::support::nearest_name(argv[1], {"run", "info"});
    return "there is no subcommand '" + std::string(argv[1]) + "'" +
           (hint.empty() ? "" : "; did you mean '" + hint + "'?");
  }
  std::string text = mistake.what();
  if (text.size() > 1 && !std::isupper(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::variant<Options, ExitCode> parse_options(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  Options options;
  Raw raw;
  CLI::App app(kOverview, "cutsim");
  app.footer(kOverviewEnd);
  app.set_version_flag("--version", "cutsim " CUTSIM_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  add_run(app, options, raw);
  CLI::App& info = *app.add_subcommand("info", kInfo)->footer(kInfoEnd);
  info.add_option("FILE", options.file, "FMU to read")->required()->type_name("");
  try {
    app.parse(argc, argv);
    finish(options, raw);
  } catch (const CLI::ParseError& end) {
    if (end.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help, --version
      app.exit(end, out, err);
      return kDone;
    }
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "cutsim" : "cutsim " + chosen.front()->get_name();
    err << "error: " << explain(end, app, argc, argv) << "\nnote: '" << command << " --help' lists what can be given\n";
    return kUsage;
  }
  options.command = info.parsed() ? Command::Info : Command::Run;
  return options;
}

}  // namespace importer::cli
