// The file to read first: which stages there are, in which order, and what holds after each.
//
//   text  --parse-->  syntax tree  --flatten-->  flat model  --make_plan-->  simulation plan
//         `fmugen ast`            `fmugen flat`               `fmugen equations`, `fmugen check`
//
//   simulation plan  --lay_out, generate-->  C files
//                                           `fmugen code`
//
// A stage is a free function, value in and value out. Mistakes of the user are collected in Diagnostics within a stage;
// between stages they are printed, and the run ends if there are errors among them.
#include "fmugen/cli/pipeline.h"

#include <filesystem>
#include <functional>
#include <ostream>
#include <stdexcept>

#include "fmugen/cli/library.h"
#include "fmugen/cli/output.h"
#include "fmugen/cli/stats.h"
#include "fmugen/cli/validate.h"
#include "fmugen/codegen/generate.h"
#include "fmugen/equations/print.h"
#include "fmugen/fmu/build.h"
#include "fmugen/semantics/flatten.h"
#include "fmugen/simnon/flatten.h"
#include "fmugen/structure/print_plan.h"
#include "fmugen/structure/simulation_plan.h"
#include "fmugen/support/diagnostics.h"
#include "fmugen/syntax/parser.h"
#include "fmugen/syntax/print_ast.h"

namespace fmugen::cli {

namespace {

// What lives as long as the run: values of later stages point into it.
struct Run {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
};

bool is_simnon(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".sim" || ending == ".SIM";
}

// Prints what the stages so far had to say; true if the run may go on.
bool may_go_on(const Run& run, std::ostream& err) {
  support::print(err, run.sources, run.diagnostics);
  return !run.diagnostics.has_errors();
}

// True, with a message, if the result has the name of a model that was read.
bool overwrites_model(const std::string& output, const Run& run, std::ostream& err) {
  for (std::uint32_t i = 0; i < run.sources.size() && !output.empty(); ++i) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(run.sources.file(i).path(), output, ignored)) continue;
    err << "error: the result would overwrite the model '" << output << "'\n";
    return true;
  }
  return false;
}

ExitCode write_result(const Options& options, const Run& run, const std::function<void(std::ostream&)>& produce,
                      std::ostream& err) {
  if (overwrites_model(options.output, run, err)) return kInputRejected;
  const std::string failure = write_output(options.output, produce);
  if (failure.empty()) return kDone;
  err << "error: cannot write " << (options.output.empty() ? "to standard output" : "'" + options.output + "'") << ": "
      << failure << '\n';
  return kInputRejected;
}

ExitCode ast(const Options& options, std::ostream& err) {
  Run run;
  std::string reason;
  const std::optional<std::uint32_t> source = run.sources.read(options.file, reason);
  if (!source) {
    err << "error: cannot read '" << options.file << "': " << reason << '\n';
    return kInputRejected;
  }
  // From here on: the text follows the grammar; names mean nothing yet.
  const syntax::File file = syntax::parse(run.sources, *source, run.symbols, run.diagnostics);
  if (!may_go_on(run, err)) return kInputRejected;
  return write_result(
      options, run, [&](std::ostream& out) { syntax::print_ast(out, file); }, err);
}

semantics::FlattenOptions flatten_options(const Options& options) {
  semantics::FlattenOptions how;
  how.model = options.model;
  how.library_path = options.library_path;
  how.settings = options.settings;
  how.strict = options.strict;
  if (const auto library = find_model_library()) how.library_path.push_back(*library);
  return how;
}

// From here on: every name is resolved, every variable and equation is scalar and knows where it came from, parameters
// have values, connections are equations.
std::optional<equations::FlatModel> flatten(const Options& options, Run& run) {
  if (!is_simnon(options.file))
    return semantics::flatten(options.file, flatten_options(options), run.sources, run.symbols, run.diagnostics);
  return simnon::flatten(options.files, {options.settings, options.command == Command::Check}, run.sources,
                         run.diagnostics);
}

ExitCode flat(const Options& options, std::ostream& err) {
  Run run;
  support::Stopwatch watch;
  Cost cost;
  cost.memory_before = peak_memory();

  const auto model = flatten(options, run);
  cost.stages.push_back({"flatten", watch.lap()});
  cost.memory_after = peak_memory();
  if (!may_go_on(run, err)) return kInputRejected;
  if (!model) throw std::logic_error("neither a flat model nor an error");

  return write_result(
      options, run,
      [&](std::ostream& out) {
        if (options.stats)
          print_stats(out, *model, cost);
        else if (options.format == Format::Json)
          equations::print_json(out, *model, run.sources, run.diagnostics);
        else
          equations::print_text(out, *model, run.sources, run.diagnostics);
      },
      err);
}

// The files one after the other, or each in the folder that -o names.
ExitCode write_code(const Options& options, const Run& run, const codegen::GeneratedCode& code, std::ostream& err) {
  if (options.output.empty())
    return write_result(
        options, run,
        [&](std::ostream& out) {
          for (const codegen::GeneratedFile& file : code.files)
            out << "/* ---- " << file.name << " */\n" << file.text << '\n';
        },
        err);
  std::error_code problem;
  std::filesystem::create_directories(options.output, problem);
  for (const codegen::GeneratedFile& file : code.files) {
    const std::string path = (std::filesystem::path(options.output) / file.name).string();
    const std::string failure = write_output(path, [&](std::ostream& out) { out << file.text; });
    if (failure.empty()) continue;
    err << "error: cannot write '" << path << "': " << failure << '\n';
    return kInputRejected;
  }
  return kDone;
}

// The name of the FMU if none is given: that of the model's file, in the current folder.
std::string fmu_name(const Options& options) {
  if (!options.output.empty()) return options.output;
  return std::filesystem::path(options.file).stem().string() + ".fmu";
}

ExitCode build(const Options& options, const Run& run, structure::SimulationPlan& plan, Cost& cost, support::Stopwatch& watch,
               std::ostream& err) {
  fmu::BuildOptions how = options.build;
  how.output = fmu_name(options);
  if (overwrites_model(how.output, run, err)) return kInputRejected;
  const auto kit = find_runtime();
  if (!kit) {
    err << "error: the run time of FMUs is not there: no folder lib/fmugen beside the program's folder\n"
           "note: FMUGEN_RUNTIME can name it\n";
    return kInputRejected;
  }
  how.runtime = *kit;
  const fmu::BuildResult result = fmu::build_fmu(plan, how, run.sources);
  cost.stages.insert(cost.stages.end(), result.stages.begin(), result.stages.end());
  cost.stages.push_back({"build", watch.lap()});
  cost.memory_after = peak_memory();
  for (const std::string& note : result.notes) err << "note: " << note << '\n';
  if (!result.failure.empty()) {
    err << result.details << "error: " << result.failure << '\n';
    return result.failure.starts_with("internal error") ? kInternalError : kInputRejected;
  }
  if (options.stats) {
    Options to_output = options;
    to_output.output.clear();
    return write_result(
        to_output, run, [&](std::ostream& out) { print_stats(out, plan.system.model, cost); }, err);
  }
  return kDone;
}

// `code` prints the C text of the plan, `equations` the plan, `check` nothing but what there is to say about the model.
ExitCode plan(const Options& options, std::ostream& err) {
  Run run;
  support::Stopwatch watch;
  Cost cost;
  cost.memory_before = peak_memory();
  auto model = flatten(options, run);
  cost.stages.push_back({"flatten", watch.lap()});
  // From here on: the states are chosen, and everything else is computed from them block by block.
  std::optional<structure::SimulationPlan> made;
  if (model && !run.diagnostics.has_errors())
    made = structure::make_plan(std::move(*model), options.plan, run.diagnostics);
  cost.stages.push_back({"sort", watch.lap()});
  cost.memory_after = peak_memory();
  if (!may_go_on(run, err)) return kInputRejected;
  if (!made) throw std::logic_error("neither a plan nor an error");
  if (options.command == Command::Check) return kDone;
  if (options.command == Command::Build) return build(options, run, *made, cost, watch, err);
  if (options.command == Command::Code) {
    // From here on: every variable has its place in memory, and every function its C text.
    const codegen::MemoryLayout layout = codegen::lay_out(*made);
    const codegen::GeneratedCode generated = codegen::generate(*made, layout, {}, run.sources);
    cost.stages.push_back({"generate", watch.lap()});
    cost.memory_after = peak_memory();
    if (!options.stats) return write_code(options, run, generated, err);
  }
  return write_result(
      options, run,
      [&](std::ostream& out) {
        if (options.stats)
          print_stats(out, made->system.model, cost);
        else if (options.format == Format::Json)
          structure::print_json(out, *made, run.sources);
        else
          structure::print_text(out, *made, run.sources, options.show);
      },
      err);
}

}  // namespace

ExitCode run(const Options& options, std::ostream& err) {
  if (options.command != Command::Validate && is_simnon(options.file)) {
    const char* why = nullptr;
    if (options.command == Command::Ast) why = "SIMNON has no syntax tree to print; 'flat' shows its equations";
    if (!options.model.empty()) why = "-m chooses among models of a .dym file; SIMNON systems are all taken";
    if (!options.library_path.empty()) why = "-I is for files that a .dym file uses; name all SIMNON files";
    if (why) {
      err << "error: '" << options.file << "': " << why << '\n';
      return kInputRejected;
    }
  }
  switch (options.command) {
    case Command::Ast: return ast(options, err);
    case Command::Flat: return flat(options, err);
    case Command::Equations:
    case Command::Check:
    case Command::Code:
    case Command::Build: return plan(options, err);
    case Command::Validate: return validate(options, err);
  }
  return kInternalError;
}

}  // namespace fmugen::cli
