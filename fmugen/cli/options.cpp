#include "fmugen/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>

#include "fmugen/support/diagnostics.h"

namespace fmugen::cli {

namespace {

const char* const kOverview =
    "Compiles hierarchical models of equations.\n"
    "\n"
    "A model is a text file (.dym) of components with equations, joined at cuts, or systems in\n"
    "SIMNON (.sim), in one file or several. A subcommand prints its result to standard output and its\n"
    "messages to standard error.\n";

const char* const kOverviewEnd =
    "Examples:\n"
    "  fmugen flat network.dym       all variables and equations of the model\n"
    "  fmugen equations network.dym  how the model is computed\n"
    "  fmugen flat --help            what else 'flat' can do\n"
    "\n"
    "Exit codes: 0 done, 1 input rejected, 2 wrong usage, 3 simulation failed, 4 internal error.\n"
    "Environment: FMUGEN_LIBRARY is a folder that takes the place of the installed model library.\n";

const char* const kAst = "Print the syntax tree of a file";

const char* const kAstEnd =
    "Only the text of FILE is looked at: files it uses are not read and names are not resolved.\n"
    "\n"
    "Example:\n"
    "  fmugen ast network.dym\n";

const char* const kFlat = "Print every variable and every equation of a model";

const char* const kFlatEnd =
    "Submodels are expanded, connections become equations and parameters get their values. Each\n"
    "equation comes with the place or the connection it came from.\n"
    "\n"
    "Examples:\n"
    "  fmugen flat network.dym --set R1.R=20 --set C.C=1E-6\n"
    "  fmugen flat plant.dym -m controller -I components --strict --format json -o controller.json\n";

const char* const kEquations = "Show how a model will be computed";

const char* const kEquationsEnd =
    "States, differentiated equations, and the blocks in the order of computation, each equation solved\n"
    "for its unknown. Aliases: 'none' keeps every equation, 'equal' removes only a = b, 'all' also\n"
    "a = -b, a + b = 0 and a = number.\n"
    "\n"
    "Stages of --show: aliases (variables that equal others), index (differentiated equations), states,\n"
    "blocks, initial (conditions and blocks at the start), sampled, events, jacobians (what depends on\n"
    "what). JSON always holds all of them but aliases and jacobians.\n"
    "\n"
    "Examples:\n"
    "  fmugen equations network.dym\n"
    "  fmugen equations network.dym --show states --show initial\n"
    "  fmugen equations powersystem.dym --aliases equal --format json\n";

const char* const kCheck = "Check a model: all messages, an exit code, nothing written";

const char* const kCheckEnd =
    "Example:\n"
    "  fmugen check network.dym && echo good\n";

const char* const kCode = "Print the C code of a model";

const char* const kCodeEnd =
    "What 'build' compiles, to be read. Equations that differ only in their variables share a loop.\n"
    "\n"
    "Examples:\n"
    "  fmugen code network.dym\n"
    "  fmugen code network.dym -o folder\n";

const char* const kBuild = "Compile a model to an FMU";

const char* const kBuildEnd =
    "Writes FILE's name with the ending .fmu into the current folder, for Model Exchange and\n"
    "Co-Simulation (FMI 2.0). The FMU needs nothing but the C library. CC names the C compiler.\n"
    "\n"
    "Solvers of Co-Simulation: auto (as if not given), cvode, adams, ida, dopri45, euler, heun, rk4;\n"
    "the parameter _fmu.solver of the FMU changes it later. Linear algebra: auto, dense, klu.\n"
    "\n"
    "For win64 the compiler is MinGW's, or what CC_WIN64 names.\n"
    "With --source the FMU can be compiled elsewhere; its documentation tells how.\n"
    "\n"
    "Examples:\n"
    "  fmugen build motor.dym\n"
    "  fmugen build plant.dym -m controller --set n=3 --solver rk4 --expose interface -o c.fmu\n";

const char* const kValidate = "Check an FMU of any tool against the rules of FMI 2.0";

const char* const kValidateEnd =
    "Looks at the archive, modelDescription.xml and the binary for linux64; unpacks and runs nothing.\n"
    "Exit code 0: no errors; 1: errors, with --strict also warnings; 2: the file cannot be read.\n"
    "\n"
    "Examples:\n"
    "  fmugen validate ball.fmu\n"
    "  fmugen validate ball.fmu --strict --format json -o report.json\n";

// A value that CLI11 refuses becomes an error with this text behind the option's name.
[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw CLI::ValidationError(option + ": " + why);
}

// "R1.R=20" -> {"R1.R", "20"}. The value is an expression and may hold further equal signs; the name may not be empty.
std::pair<std::string, std::string> split_setting(const std::string& text) {
  const auto trimmed = [](std::string part) { return CLI::detail::trim(part); };
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos) refuse("--set", "expected name=value, got '" + text + "'");
  std::pair<std::string, std::string> setting{trimmed(text.substr(0, equal)), trimmed(text.substr(equal + 1))};
  if (setting.first.empty()) refuse("--set", "no name before '=' in '" + text + "'");
  if (setting.second.empty()) refuse("--set", "no value after '=' in '" + text + "'");
  return setting;
}

Format format_named(const std::string& text) {
  if (text == "text") return Format::Text;
  if (text == "json") return Format::Json;
  refuse("--format", "expected text or json, got '" + text + "'");
}

// What CLI11 found wrong, in the words of our own messages.
std::string explain(const CLI::ParseError& mistake, const CLI::App& app, int argc, const char* const* argv) {
  if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
    const std::string hint =
        support::nearest_name(argv[1], {"ast", "flat", "equations", "check", "build", "code", "validate"});
    return "there is no subcommand '" + std::string(argv[1]) + "'" +
           (hint.empty() ? "" : "; did you mean '" + hint + "'?");
  }
  std::string text = mistake.what();
  if (text.size() > 1 && !std::isupper(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

void add_file(CLI::App& command, Options& options) {
  command.add_option("FILE", options.file, "Model to read")->required()->type_name("");
}

void add_output(CLI::App& command, Options& options) {
  command.add_option("-o,--output", options.output, "Write the result to OUT, all or nothing")->type_name("OUT");
}

// Options that need more than being stored; `finish` looks at them.
struct Raw {
  std::vector<std::string> settings;
  std::string aliases = "all";
  std::vector<std::string> show;
  std::string format = "text";
  std::string expose = "all";
  std::string terminals = "extra";
  std::string source;
  std::string platforms = "linux64";
};

bool* stage_named(const std::string& text, structure::Show& show) {
  if (text == "aliases") return &show.aliases;
  if (text == "index") return &show.index;
  if (text == "states") return &show.states;
  if (text == "blocks") return &show.blocks;
  if (text == "initial") return &show.initial;
  if (text == "events") return &show.events;
  if (text == "sampled") return &show.sampled;
  if (text == "jacobians") return &show.jacobians;
  refuse("--show",
         "expected aliases, index, states, blocks, initial, events, sampled or jacobians, got '" + text + "'");
}

structure::AliasMode aliases_named(const std::string& text) {
  if (text == "none") return structure::AliasMode::None;
  if (text == "equal") return structure::AliasMode::Equal;
  if (text == "all") return structure::AliasMode::All;
  refuse("--aliases", "expected none, equal or all, got '" + text + "'");
}

void add_model(CLI::App& flat, Options& options, Raw& raw) {
  flat.add_option("FILE", options.files, "Model to read; of SIMNON (.sim) several, the connecting system last")
      ->required()
      ->type_name("");
  flat.add_option("-m,--model", options.model, "Root model (otherwise the last one of the file)")->type_name("NAME");
  flat.add_option("-I,--include", options.library_path, "Folder with files named by 'use'")
      ->type_name("DIR")
      ->allow_extra_args(false);
  flat.add_option("--set", raw.settings, "Value of a parameter")->type_name("NAME=VALUE")->allow_extra_args(false);
  flat.add_flag("--strict", options.strict, "Make undeclared names and open inputs errors");
}

void add_sorting(CLI::App& command, Options& options) {
  command.add_option("--as-input", options.plan.as_input, "Member of a cut of the model that is to be an input")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_option("--as-output", options.plan.as_output, "Member of a cut of the model that is to be an output")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_flag("--input-derivatives", options.plan.input_derivatives, "Let derivatives of inputs be inputs");
  command.add_flag("--steady", options.plan.steady, "Start at rest: derivatives are zero where nothing is given");
  const auto read_states = [&options](const std::string& text) {
    if (text != "auto" && text != "static") refuse("--states", "expected auto or static, got '" + text + "'");
    options.plan.dynamic_states = text == "auto";
  };
  const char* const what = "auto, or static: none is chosen anew while a simulation runs";
  command.add_option_function<std::string>("--states", read_states, what)->type_name("MODE");
}

CLI::App& add_validate(CLI::App& app, Options& options, Raw& raw) {
  CLI::App& validate = *app.add_subcommand("validate", kValidate)->footer(kValidateEnd);
  validate.add_option("FILE", options.file, "FMU to read")->required()->type_name("");
  validate.add_flag("--strict", options.strict, "Reject an FMU for warnings, too");
  validate.add_option("--format", raw.format, "text (as if not given) or json")->type_name("FORMAT");
  add_output(validate, options);
  return validate;
}

CLI::App& add_check(CLI::App& app, Options& options, Raw& raw) {
  CLI::App& check = *app.add_subcommand("check", kCheck)->footer(kCheckEnd);
  add_model(check, options, raw);
  add_sorting(check, options);
  return check;
}

CLI::App& add_code(CLI::App& app, Options& options, Raw& raw) {
  CLI::App& code = *app.add_subcommand("code", kCode)->footer(kCodeEnd);
  add_model(code, options, raw);
  add_sorting(code, options);
  code.add_flag("--stats", options.stats, "Print sizes, times and memory instead of the code");
  code.add_option("-o,--output", options.output, "Write the files to the folder DIR")->type_name("DIR");
  return code;
}

CLI::App& add_equations(CLI::App& app, Options& options, Raw& raw) {
  CLI::App& equations = *app.add_subcommand("equations", kEquations)->footer(kEquationsEnd);
  add_model(equations, options, raw);
  equations.add_option("--aliases", raw.aliases, "none, equal or all (as if not given)")->type_name("MODE");
  equations.add_option("--tear", options.plan.tear, "Variable to iterate in an algebraic loop")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_sorting(equations, options);
  equations.add_flag("--blocks", options.show.overview, "Print one line for each block only");
  equations.add_option("--show", raw.show, "Print the result of a stage only; may be repeated")
      ->type_name("STAGE")
      ->allow_extra_args(false);
  equations.add_option("--format", raw.format, "text (as if not given) or json")->type_name("FORMAT");
  equations.add_flag("--stats", options.stats, "Print sizes, times and memory instead of the plan");
  add_output(equations, options);
  return equations;
}

CLI::App& add_build(CLI::App& app, Options& options, Raw& raw) {
  CLI::App& build = *app.add_subcommand("build", kBuild)->footer(kBuildEnd);
  add_model(build, options, raw);
  add_sorting(build, options);
  build.add_option("--solver", options.build.solver, "Integrator of Co-Simulation")->type_name("NAME");
  build.add_option("--linear", options.build.linear, "Linear algebra: auto, dense or klu")->type_name("NAME");
  build.add_option("--expose", raw.expose, "Variables of the FMU: all (as if not given) or interface")
      ->type_name("WHICH");
  build
      .add_option("--terminals", raw.terminals,
                  "Cuts: extra (as if not given), or official, also in terminalsAndIcons/")
      ->type_name("WHERE");
  build.add_option("--tunable", options.plan.tunable, "Parameter that can be set at events, or all; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  build.add_flag("--next-event-time", options.build.next_event_time,
                 "Add the output _fmu.nextEventTime: the next time event that is known");
  build.add_option("--platforms", raw.platforms, "linux64 (as if not given), win64, or both, separated by a comma")
      ->type_name("LIST");
  build.add_flag("--source{plain}", raw.source, "Pack the C sources, too; --source=full: with SUNDIALS and KLU");
  build.add_flag("--stats", options.stats, "Print sizes and times");
  add_output(build, options);
  return build;
}

void add_flat(CLI::App& app, Options& options, Raw& raw) {
  CLI::App& flat = *app.add_subcommand("flat", kFlat)->footer(kFlatEnd);
  add_model(flat, options, raw);
  flat.add_option("--format", raw.format, "text (as if not given) or json")->type_name("FORMAT");
  flat.add_flag("--stats", options.stats, "Print sizes, times and memory instead of the model");
  add_output(flat, options);
}

// "linux64,win64" -> {"linux64", "win64"}.
std::vector<std::string> platforms_named(const std::string& text) {
  std::vector<std::string> platforms;
  const auto& known = fmu::platform_names();
  for (std::size_t begin = 0; begin <= text.size(); begin = std::min(text.find(',', begin), text.size()) + 1) {
    const std::string name = text.substr(begin, text.find(',', begin) - begin);
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse("--platforms", "expected linux64 or win64, or both with a comma between them, got '" + text + "'");
    if (std::find(platforms.begin(), platforms.end(), name) != platforms.end())
      refuse("--platforms", "'" + name + "' is given twice");
    platforms.push_back(name);
  }
  return platforms;
}

void finish_build(Options& options, const Raw& raw) {
  const auto& solvers = fmu::solver_names();
  if (std::find(solvers.begin(), solvers.end(), options.build.solver) == solvers.end())
    refuse("--solver",
           "expected auto, cvode, adams, ida, dopri45, euler, heun or rk4, got '" + options.build.solver + "'");
  if (options.build.linear == "superlu")
    refuse("--linear", "SuperLU is not part of this build; there are dense and klu");
  if (options.build.linear != "auto" && options.build.linear != "dense" && options.build.linear != "klu")
    refuse("--linear", "expected auto, dense or klu, got '" + options.build.linear + "'");
  if (raw.expose != "all" && raw.expose != "interface")
    refuse("--expose", "expected all or interface, got '" + raw.expose + "'");
  options.build.expose = raw.expose == "all" ? codegen::Expose::All : codegen::Expose::Interface;
  if (raw.terminals != "extra" && raw.terminals != "official")
    refuse("--terminals", "expected extra or official, got '" + raw.terminals + "'");
  options.build.official_terminals = raw.terminals == "official";
  if (!raw.source.empty() && raw.source != "plain" && raw.source != "full")
    refuse("--source", "expected plain or full, got '" + raw.source + "'");
  options.build.source = raw.source.empty()    ? fmu::SourceKind::None
                         : raw.source == "full" ? fmu::SourceKind::Full
                                                : fmu::SourceKind::Plain;
  options.build.platforms = platforms_named(raw.platforms);
  options.build.tool = "fmugen " FMUGEN_VERSION;
}

bool is_simnon(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".sim" || ending == ".SIM";
}

// Files of the model: one in the model language, or SIMNON systems.
void finish_files(Options& options) {
  if (options.files.empty()) {  // ast, validate
    options.files.push_back(options.file);
    return;
  }
  options.file = options.files.back();
  const auto simnon = std::count_if(options.files.begin(), options.files.end(), is_simnon);
  if (options.files.size() == 1 || simnon == static_cast<std::ptrdiff_t>(options.files.size())) return;
  if (simnon > 0) refuse("FILE", "SIMNON systems (.sim) and a model (.dym) cannot be compiled together");
  refuse("FILE", "one model is compiled at a time, got '" + options.files[0] + "' and '" + options.files[1] + "'");
}

void finish(Options& options, const Raw& raw) {
  finish_build(options, raw);
  finish_files(options);
  options.format = format_named(raw.format);
  options.plan.aliases = aliases_named(raw.aliases);
  for (const std::string& stage : raw.show) {
    *stage_named(stage, options.show) = true;
  }
  for (const std::string& folder : options.library_path)
    if (std::error_code ignored; !std::filesystem::is_directory(folder, ignored))
      refuse("-I", "there is no folder '" + folder + "'");
  for (const std::string& text : raw.settings) {
    auto setting = split_setting(text);
    const auto same = [&](const auto& other) { return other.first == setting.first; };
    if (std::any_of(options.settings.begin(), options.settings.end(), same))
      refuse("--set", "'" + setting.first + "' is given twice");
    options.settings.push_back(std::move(setting));
  }
}

}  // namespace

std::variant<Options, ExitCode> parse_options(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  Options options;
  Raw raw;
  CLI::App app(kOverview, "fmugen");
  app.footer(kOverviewEnd);
  app.set_version_flag("--version", "fmugen " FMUGEN_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(32);
  CLI::App& ast = *app.add_subcommand("ast", kAst)->footer(kAstEnd);
  add_file(ast, options);
  add_output(ast, options);
  add_flat(app, options, raw);
  const CLI::App& equations = add_equations(app, options, raw);
  const CLI::App& check = add_check(app, options, raw);
  const CLI::App& validate = add_validate(app, options, raw);
  const CLI::App& code = add_code(app, options, raw);
  const CLI::App& build = add_build(app, options, raw);
  try {
    app.parse(argc, argv);
    finish(options, raw);
  } catch (const CLI::ParseError& end) {
    if (end.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help, --version
      app.exit(end, out, err);
      return kDone;
    }
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "fmugen" : "fmugen " + chosen.front()->get_name();
    err << "error: " << explain(end, app, argc, argv) << "\nnote: '" << command << " --help' lists what can be given\n";
    return kUsage;
  }
  options.command = ast.parsed()         ? Command::Ast
                    : equations.parsed() ? Command::Equations
                    : check.parsed()     ? Command::Check
                    : code.parsed()      ? Command::Code
                    : build.parsed()     ? Command::Build
                    : validate.parsed()  ? Command::Validate
                                         : Command::Flat;
  return options;
}

}  // namespace fmugen::cli
