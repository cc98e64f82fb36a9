// The file to read first: which stages there are, in which order, and what holds after each.
//
//   text  --parse-->  syntax tree  --flatten-->  flat model  --make_plan-->  simulation plan
//         `fmugen ast`            `fmugen flat`               `fmugen equations`, `fmugen check`
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
#include "fmugen/equations/print.h"
#include "fmugen/semantics/flatten.h"
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

ExitCode write_result(const Options& options, const Run& run, const std::function<void(std::ostream&)>& produce,
                      std::ostream& err) {
  for (std::uint32_t i = 0; i < run.sources.size() && !options.output.empty(); ++i) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(run.sources.file(i).path(), options.output, ignored)) continue;
    err << "error: the result would overwrite the model '" << options.output << "'\n";
    return kInputRejected;
  }
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

ExitCode flat(const Options& options, std::ostream& err) {
  Run run;
  Stopwatch watch;
  Cost cost;
  cost.memory_before = peak_memory();

  // From here on: every name is resolved, every variable and equation is scalar and knows where it came from, parameters
  // have values, connections are equations.
  const auto model = semantics::flatten(options.file, flatten_options(options), run.sources, run.symbols, run.diagnostics);
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

// `equations` prints the plan, `check` nothing but what there is to say about the model.
ExitCode plan(const Options& options, std::ostream& err) {
  Run run;
  Stopwatch watch;
  Cost cost;
  cost.memory_before = peak_memory();
  auto model = semantics::flatten(options.file, flatten_options(options), run.sources, run.symbols, run.diagnostics);
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
  if (is_simnon(options.file)) {
    err << "error: '" << options.file << "': SIMNON is not read yet, only the model language (.dym)\n";
    return kInputRejected;
  }
  switch (options.command) {
    case Command::Ast: return ast(options, err);
    case Command::Flat: return flat(options, err);
    case Command::Equations:
    case Command::Check: return plan(options, err);
  }
  return kInternalError;
}

}  // namespace fmugen::cli
