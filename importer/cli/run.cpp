// Problem: carry an FMU from start to stop, keep what it computed, and say clearly what happened.
//
// Method: communication points are start + k*step, so that rounding does not add up; the last step is shorter where the
// stop time is no such point. Results are written as they come. The ends of a run:
//
//   stop reached                      exit code 0
//   the model ends the simulation     the same, with a note; the last point is where it ended
//   a call fails, a step is discarded exit code 3; the results up to then stay
//   interrupted (Ctrl-C)              exit code 3, likewise, and nothing is left in the temporary folder
//
// An FMU that cannot vary its step gets equal steps only, up to the last point before the stop time.
//
// Reference: FMI 2.0.4, section 4.2.
#include "importer/cli/run.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "importer/cli/recorder.h"
#include "importer/cli/select.h"
#include "importer/fmu/errors.h"
#include "importer/fmu/slave.h"
#include "importer/results/number_text.h"

namespace importer::cli {

namespace {

using results::number_text;

constexpr double kDefaultLength = 1.0;  // of an experiment that nobody described
constexpr double kDefaultSteps = 500.0;
constexpr double kMostSteps = 1e12;        // more would never end
constexpr double kSameTime = 1e-9;         // of a step: points nearer than this are one
constexpr std::size_t kMostCurves = 48;    // more cannot be read
constexpr double kMostPlotted = 2e8;       // numbers kept for a plot
constexpr std::size_t kMostMessages = 20;  // of an FMU

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);  // the second time ends the process, in case the FMU hangs
}

std::string target_text(const std::string& path) { return path.empty() ? "standard output" : "'" + path + "'"; }

// Passes on what the FMU says, up to a limit.
class Messages {
 public:
  Messages(std::ostream& err, std::string name) : err_(err), name_(std::move(name)) {}
  void sum_up() {
    if (count_ > kMostMessages) err_ << "note: '" << name_ << "' said " << count_ - kMostMessages << " things more\n";
  }
  void pass_on(fmu::Slave& slave) {
    for (const fmu::LogMessage& m : slave.take_messages())
      if (m.status != fmi2OK && ++count_ <= kMostMessages)
        err_ << "note: '" << name_ << "' says (" << fmu::name_of(m.status) << "): " << m.text << '\n';
  }

 private:
  std::ostream& err_;
  std::string name_;
  std::size_t count_ = 0;
};

bool would_overwrite(const std::string& fmu, const std::string& output) {
  std::error_code ignored;
  return !output.empty() && std::filesystem::equivalent(fmu, output, ignored);
}

std::string write_plot(const std::string& path, const results::Plot& plot) {
  std::ofstream out(path, std::ios::binary);
  out << results::svg(plot);
  out.close();
  return out ? std::string() : "error: cannot write '" + path + "'\n";
}

// Everything that is known before the FMU runs.
struct Plan {
  Schedule schedule;
  bool equal_steps = false;
  std::vector<fmu::Setting> settings;
  std::vector<const fmu::Variable*> recorded, plotted;
};

// The end of a run whose last step, from `time` to `next`, was given up.
ExitCode end_early(fmu::Slave& slave, const fmu::StepResult& result, double time, double next, Recorder& recorder,
                   std::ostream& err) {
  if (result.end == fmu::StepResult::End::Terminated) {
    err << "note: the model ended the simulation at time " << number_text(result.time) << '\n';
    if (result.time > time) recorder.record(slave, result.time);
    return kDone;
  }
  err << "error: fmi2DoStep gave up the step from " << number_text(time) << " to " << number_text(next) << " at time "
      << number_text(result.time) << '\n';
  try {
    if (result.time > time) recorder.record(slave, result.time);
  } catch (const fmu::CallFailed&) {  // values may be gone with the step, and the reason is known already
  }
  return kSimulationFailed;
}

// Steps until an end; the exit code so far.
ExitCode simulate(fmu::Slave& slave, const Plan& plan, Recorder& recorder, Messages& messages, std::ostream& err) {
  const Schedule& schedule = plan.schedule;
  double time = schedule.start;
  recorder.record(slave, time);
  for (std::uint64_t k = 0; k < schedule.steps; ++k) {
    if (interrupted) {
      err << "error: interrupted at time " << number_text(time) << '\n';
      return kSimulationFailed;
    }
    if (recorder.csv().failed() || recorder.csv().reader_left()) break;
    const double next = schedule.at(k + 1);
    const fmu::StepResult result = slave.step(time, plan.equal_steps ? schedule.step : next - time);
    messages.pass_on(slave);
    if (result.end == fmu::StepResult::End::Done) {
      time = next;
      recorder.record(slave, time);
      continue;
    }
    return end_early(slave, result, time, next, recorder, err);
  }
  slave.terminate(time);
  return kDone;
}

void limit_plotted(std::vector<const fmu::Variable*>& plotted, const Schedule& schedule, std::ostream& err) {
  if (plotted.empty()) throw fmu::Rejected("there is nothing to draw: no variable varies");
  if (plotted.size() > kMostCurves) {
    err << "note: only the first " << kMostCurves << " of " << plotted.size()
        << " variables are drawn; choose with --record\n";
    plotted.resize(kMostCurves);
  }
  if (static_cast<double>(plotted.size()) * static_cast<double>(schedule.steps) > kMostPlotted)
    throw fmu::Rejected("there are too many points to draw; choose fewer variables with --record or a larger --step");
}

Plan make_plan(const Options& options, const fmu::ModelDescription& description, Schedule schedule, std::ostream& err) {
  for (const std::string& output : {options.output, options.plot})
    if (would_overwrite(options.file, output)) throw fmu::Rejected("'" + output + "' is the FMU; it would be lost");
  Plan plan{schedule, false, read_settings(description, options.settings), {}, {}};
  Selection selection = select_recorded(description, options.record);
  if (!selection.complete)
    err << "note: of " << description.variables.size()
        << " variables only inputs, outputs and states are recorded; choose with --record\n";
  if (!options.plot.empty()) {
    plan.plotted = select_plotted(selection, !options.record.empty());
    limit_plotted(plan.plotted, schedule, err);
  }
  plan.recorded = std::move(selection.variables);
  return plan;
}

// Without steps of any size, the run ends at the last point that equal steps reach.
void make_steps_equal(Plan& plan, std::ostream& err) {
  Schedule& s = plan.schedule;
  plan.equal_steps = true;
  const double whole = std::floor((s.stop - s.start) / s.step + kSameTime);
  const double end = s.start + whole * s.step;
  if (s.stop - end <= kSameTime * s.step) return;
  if (whole == 0.0) throw fmu::Rejected("the FMU cannot vary its step, and one step goes beyond the stop time");
  err << "note: the FMU cannot vary its step; the run ends at time " << number_text(end) << '\n';
  s.stop = end;
  s.steps = static_cast<std::uint64_t>(whole);
}

// Writes what is left and draws; the exit code of the whole run.
ExitCode finish(const Options& options, Recorder& recorder, ExitCode code, std::ostream& err) {
  if (const std::string failure = recorder.csv().finish(); !failure.empty()) {
    err << "error: cannot write to " << target_text(options.output) << ": " << failure << '\n';
    return kInputRejected;
  }
  if (!recorder.last_time()) return code;
  if (!options.plot.empty())
    if (const std::string failure = write_plot(options.plot, recorder.plot()); !failure.empty()) {
      err << failure;
      return kInputRejected;
    }
  if (code == kSimulationFailed)
    err << "note: the results up to time " << number_text(*recorder.last_time()) << " were written to "
        << target_text(options.output) << '\n';
  return code;
}

}  // namespace

Schedule make_schedule(const Options& options, const fmu::ModelDescription& description, std::string& problem) {
  Schedule s;
  s.start = options.start.value_or(description.start_time.value_or(0.0));
  s.stop = options.stop.value_or(description.stop_time.value_or(s.start + kDefaultLength));
  if (!(s.stop > s.start)) {
    problem = "the stop time " + number_text(s.stop) + " is not after the start time " + number_text(s.start);
    return s;
  }
  const double length = s.stop - s.start;
  const double proposed = description.step_size.value_or(0.0);
  s.step = options.step.value_or(proposed > 0.0 ? proposed : length / kDefaultSteps);
  const double whole = std::floor(length / s.step + kSameTime);
  const double most = std::max(std::abs(s.start), std::abs(s.stop));
  if (!std::isfinite(length) || whole > kMostSteps || most + s.step == most) {
    problem = "the step " + number_text(s.step) + " is too small for times from " + number_text(s.start) + " to " +
              number_text(s.stop);
    return s;
  }
  s.steps = static_cast<std::uint64_t>(whole);
  if (length - whole * s.step > kSameTime * s.step) ++s.steps;
  return s;
}

ExitCode run(const Options& options, std::ostream& err) {
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  const auto begin = std::chrono::steady_clock::now();
  const fmu::Fmu fmu(options.file);
  std::string problem;
  const Schedule schedule = make_schedule(options, fmu.description, problem);
  if (!problem.empty()) {
    err << "error: " << problem << '\n';
    return kUsage;
  }
  Plan plan = make_plan(options, fmu.description, schedule, err);
  fmu::Slave slave(fmu);
  if (!fmu.description.co_simulation->variable_steps) make_steps_equal(plan, err);

  std::optional<Recorder> recorder;
  ExitCode code = kDone;
  Messages messages(err, fmu.name);
  try {
    const auto tolerance = options.tolerance ? options.tolerance : fmu.description.tolerance;
    slave.initialize({plan.schedule.start, plan.schedule.stop, tolerance}, plan.settings);
    messages.pass_on(slave);
    recorder.emplace(plan.recorded, plan.plotted, options.output, fmu.description.model_name);
    code = simulate(slave, plan, *recorder, messages, err);
  } catch (const fmu::CallFailed& failure) {
    messages.pass_on(slave);
    err << "error: " << failure.what() << '\n';
    for (const std::string& words : failure.said) err << "note: the FMU says: " << words << '\n';
    code = kSimulationFailed;
  }
  messages.sum_up();
  if (recorder) code = finish(options, *recorder, code, err);
  if (code == kDone && isatty(STDERR_FILENO) && !options.output.empty()) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    err << "simulated to time " << number_text(*recorder->last_time()) << " in " << results::fixed_text(took.count(), 2)
        << " s; the values are in " << target_text(options.output) << '\n';
  }
  return code;
}

}  // namespace importer::cli
