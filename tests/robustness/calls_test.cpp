// Calls of all functions of FMI in random order, with right and wrong arguments. A model of the standard decides what
// must be refused; what is refused must change nothing; whatever happened, a reset makes the instance as good as new and
// freeing it leaves nothing behind (AddressSanitizer looks, in the build that has it).
//
//   mode       what is known here of the instance: that which the standard says the last successful calls lead to
//   Expected   refused: fmi2Error; senseless: fmi2Error or fmi2Discard, arguments being wrong; else whatever numbers allow
//
// FUZZ_CALLS is how many calls are made, 100000 unless told; FUZZ_SEED where the random numbers begin.
//
// Reference: FMI 2.0.1, tables of allowed calls in 3.2.3 and 4.2.4.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

#include "tests/robustness/subjects.h"

using namespace fmugen::tests;

namespace {

using Mode = unsigned;
constexpr Mode instantiated = 1, initialization = 2, event = 4, continuous = 8, stepped = 16, discarded = 32,
               terminated = 64, failed = 128, any = 255;

long from_environment(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atol(text) : otherwise;
}

struct Tally {
  long done = 0, refused = 0;
};
using Tallies = std::map<std::string, Tally>;

struct SavedState {
  fmi2FMUstate state = nullptr;
  Mode mode = instantiated;
  double time = 0;
};

// A random walk of one instance.
class Walk {
 public:
  Walk(const Subject& s, fmi2Type type, unsigned seed, Tallies& tallies)
      : subject_(s),
        exchange_(type == fmi2ModelExchange),
        random_(seed),
        instance_(s, type),
        c_(instance_()),
        time_(s.model->start_time),
        tallies_(tallies) {}
  ~Walk() {
    for (SavedState& saved : saved_) fmi2FreeFMUstate(c_, &saved.state);
  }

  void step();
  fmi2Component component() const { return c_; }
  long calls() const { return calls_; }

 private:
  // Behind every call: what it returned must fit the mode it was called in.
  bool judge(const char* function, Mode modes, bool sensible, fmi2Status status);
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool rarely() { return below(12) == 0; }
  double number();
  std::vector<fmi2ValueReference> references(bool& sensible, const std::vector<fmi2ValueReference>& from);

  void set_up();
  void initialize();
  void leave();
  void read();
  void write();
  void save();
  void derive();
  void exchange();
  void exchange_arrays();
  void simulate();
  void ask_status();
  void log();

  const Subject& subject_;
  bool exchange_;
  std::mt19937 random_;
  Instance instance_;
  fmi2Component c_;
  Mode mode_ = instantiated;
  double time_;
  std::vector<SavedState> saved_;
  long calls_ = 0;
  Tallies& tallies_;
};

bool Walk::judge(const char* function, Mode modes, bool sensible, fmi2Status status) {
  ++calls_;
  INFO(subject_.name << (exchange_ ? " by Model Exchange, " : " by Co-Simulation, ") << function << " in mode " << mode_
                     << " returns " << status << (sensible ? "" : ", arguments wrong") << ": " << instance_.said());
  const bool allowed = modes & mode_;
  const bool right = !allowed    ? status == fmi2Error
                     : !sensible ? status == fmi2Error || status == fmi2Discard
                                 : status >= fmi2OK && status <= fmi2Error;
  if (!right) FAIL("not as the standard says");
  const bool done = allowed && sensible && (status == fmi2OK || status == fmi2Warning);
  ++(done ? tallies_[function].done : tallies_[function].refused);
  return done;
}

double Walk::number() {
  static const double special[] = {0, 1, -1, 1e-300, 1e300, -1e300, 5e-324};
  if (rarely()) return special[below(7)];
  return std::uniform_real_distribution<double>(-2, 2)(random_);
}

std::vector<fmi2ValueReference> Walk::references(bool& sensible, const std::vector<fmi2ValueReference>& from) {
  std::vector<fmi2ValueReference> result;
  for (int n = from.empty() ? 0 : 1 + below(4); n > 0; --n)
    result.push_back(from[static_cast<std::size_t>(below(static_cast<int>(from.size())))]);
  if (rarely()) {
    static const fmi2ValueReference wrong[] = {0x7fffffff, 0xffffffff, 0x40000003, 123456};
    result.push_back(wrong[below(4)]);
    sensible = false;
  }
  return result;
}

void Walk::set_up() {
  static const double tolerances[] = {1e-6, 1e-13, 0.1, 1e-300, 1e300, 0, -1, NAN};
  const double tolerance = tolerances[rarely() ? below(8) : 0];
  const double start = rarely() ? NAN : subject_.model->start_time + (rarely() ? number() : 0);
  const bool stops = below(2), usual = !rarely();
  const double stop = usual ? start + 10 * subject_.length : start - 1;
  const bool sensible = std::isfinite(start) && tolerance > 0 && std::isfinite(tolerance) && (!stops || stop >= start);
  if (judge("fmi2SetupExperiment", instantiated, sensible,
            fmi2SetupExperiment(c_, fmi2True, tolerance, start, stops, stop)))
    time_ = start;
}

void Walk::initialize() {
  if (below(2)) {
    if (judge("fmi2EnterInitializationMode", instantiated, true, fmi2EnterInitializationMode(c_)))
      mode_ = initialization;
    return;
  }
  const Mode before = mode_;
  const fmi2Status status = fmi2ExitInitializationMode(c_);
  if (judge("fmi2ExitInitializationMode", initialization, true, status))
    mode_ = exchange_ ? event : stepped;
  else if (before == initialization)
    mode_ = failed;
}

void Walk::leave() {
  if (below(8)) return;
  if (below(2)) {
    if (judge("fmi2Terminate", event | continuous | stepped | discarded, true, fmi2Terminate(c_))) mode_ = terminated;
  } else {
    REQUIRE(judge("fmi2Reset", any, true, fmi2Reset(c_)));
    mode_ = instantiated;
    time_ = subject_.model->start_time;
  }
}

void Walk::read() {
  const Mode modes = any & ~instantiated;
  bool sensible = true;
  if (below(4)) {
    const auto which = references(sensible, subject_.reals);
    std::vector<double> values(which.size());
    const bool null = rarely() && !which.empty();
    judge("fmi2GetReal", modes, sensible && !null,
          fmi2GetReal(c_, which.data(), which.size(), null ? nullptr : values.data()));
    return;
  }
  auto which = references(sensible, subject_.booleans);
  std::vector<int> values(which.size());
  judge("fmi2GetBoolean", modes, sensible, fmi2GetBoolean(c_, which.data(), which.size(), values.data()));
  const fmi2ValueReference solver = rarely() ? 1 : static_cast<unsigned>(FMR_OPTION_SOLVER);
  fmi2Integer chosen = 0;
  judge("fmi2GetInteger", modes, solver == FMR_OPTION_SOLVER, fmi2GetInteger(c_, &solver, 1, &chosen));
  fmi2String text = nullptr;
  judge("fmi2GetString", modes, false, fmi2GetString(c_, &solver, 1, &text));
}

void Walk::write() {
  const bool early = mode_ == instantiated || mode_ == initialization;
  const Mode modes = instantiated | initialization | event | continuous | stepped;
  bool sensible = true;
  std::vector<fmi2ValueReference> from = subject_.inputs;
  if (early) from.insert(from.end(), subject_.parameters.begin(), subject_.parameters.end());
  if (mode_ != continuous) from.insert(from.end(), subject_.tunables.begin(), subject_.tunables.end());
  if (below(3) || from.empty()) {
    static const double steps[] = {0, 0.01, 0.003, -1};
    const int chosen = rarely() ? 3 : below(3);
    const fmi2ValueReference option = FMR_OPTION_STEP, solver = FMR_OPTION_SOLVER;
    const double step = steps[chosen] * subject_.length;
    judge("fmi2SetReal", instantiated | initialization, chosen != 3, fmi2SetReal(c_, &option, 1, &step));
    const fmi2Integer method = rarely() ? below(100) - 50 : 1 + below(FMR_SOLVER_RK4 + 1);
    judge("fmi2SetInteger", instantiated | initialization, method >= 1 && method <= FMR_SOLVER_RK4 + 1,
          fmi2SetInteger(c_, &solver, 1, &method));
    const fmi2Boolean yes = fmi2True;
    judge("fmi2SetBoolean", instantiated | initialization | event | stepped, false,
          fmi2SetBoolean(c_, &solver, 1, &yes));
    const fmi2String text = "a";
    judge("fmi2SetString", instantiated | initialization | event | stepped, false,
          fmi2SetString(c_, &solver, 1, &text));
    return;
  }
  const auto which = references(sensible, from);
  std::vector<double> values;
  for (std::size_t k = 0; k < which.size(); ++k) {
    values.push_back(number());
    if (below(40) == 0) values.back() = NAN;
    sensible = sensible && std::isfinite(values.back());
  }
  judge("fmi2SetReal", modes, sensible, fmi2SetReal(c_, which.data(), which.size(), values.data()));
}

void Walk::save() {
  const int what = below(5);
  if (what == 0 && saved_.size() < 4) {
    saved_.push_back({nullptr, mode_, time_});
    REQUIRE(judge("fmi2GetFMUstate", any, true, fmi2GetFMUstate(c_, &saved_.back().state)));
    return;
  }
  judge("fmi2GetFMUstate", any, false, fmi2GetFMUstate(c_, nullptr));
  judge("fmi2SetFMUstate", any, false, fmi2SetFMUstate(c_, nullptr));
  if (saved_.empty()) return;
  const std::size_t which = static_cast<std::size_t>(below(static_cast<int>(saved_.size())));
  SavedState& saved = saved_[which];
  if (what == 1) {
    REQUIRE(judge("fmi2SetFMUstate", any, true, fmi2SetFMUstate(c_, saved.state)));
    mode_ = saved.mode;
    time_ = saved.time;
  } else if (what == 2) {
    REQUIRE(judge("fmi2FreeFMUstate", any, true, fmi2FreeFMUstate(c_, &saved.state)));
    REQUIRE(saved.state == nullptr);
    saved_.erase(saved_.begin() + static_cast<std::ptrdiff_t>(which));
  } else {
    std::size_t size = 0;
    REQUIRE(judge("fmi2SerializedFMUstateSize", any, true, fmi2SerializedFMUstateSize(c_, saved.state, &size)));
    std::vector<char> bytes(size);
    judge("fmi2SerializeFMUstate", any, false, fmi2SerializeFMUstate(c_, saved.state, bytes.data(), size - 1));
    REQUIRE(judge("fmi2SerializeFMUstate", any, true, fmi2SerializeFMUstate(c_, saved.state, bytes.data(), size)));
    const bool whole = below(2);
    if (!whole) {
      if (below(2))
        bytes[random_() % size] ^= static_cast<char>(1 + below(255));
      else
        bytes.resize(random_() % size);
    }
    SavedState again{nullptr, saved.mode, saved.time};
    if (judge("fmi2DeSerializeFMUstate", any, whole,
              fmi2DeSerializeFMUstate(c_, bytes.data(), bytes.size(), &again.state))) {
      fmi2FreeFMUstate(c_, &saved.state);
      saved = again;
    } else {
      REQUIRE(again.state == nullptr);
    }
  }
}

void Walk::derive() {
  bool sensible = true;
  const bool starting = mode_ == initialization;
  const auto unknowns = references(sensible, subject_.reals);
  const auto knowns = references(sensible, starting ? subject_.inputs : subject_.states);
  std::vector<double> seeds(knowns.size(), 1), derivatives(unknowns.size());
  judge("fmi2GetDirectionalDerivative", initialization | event | continuous | stepped | discarded | terminated,
        sensible,
        fmi2GetDirectionalDerivative(c_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                                     below(2) ? seeds.data() : nullptr, derivatives.data()));
}

void Walk::exchange() {
  const Mode only = exchange_ ? any : 0;
  fmi2Boolean wants = fmi2False, ends = fmi2False;
  fmi2EventInfo info{};
  switch (below(5)) {
    case 0:
      if (judge("fmi2EnterEventMode", only & (event | continuous), true, fmi2EnterEventMode(c_))) mode_ = event;
      break;
    case 1: {
      const bool null = rarely();
      const Mode before = mode_;
      if (!judge("fmi2NewDiscreteStates", only & event, !null, fmi2NewDiscreteStates(c_, null ? nullptr : &info)) &&
          exchange_ && before == event && !null)
        mode_ = failed;
      break;
    }
    case 2:
      if (judge("fmi2EnterContinuousTimeMode", only & event, true, fmi2EnterContinuousTimeMode(c_))) mode_ = continuous;
      break;
    case 3:
      judge("fmi2CompletedIntegratorStep", only & continuous, true,
            fmi2CompletedIntegratorStep(c_, below(2), &wants, &ends));
      break;
    default: {
      const double by = subject_.length * std::uniform_real_distribution<double>(-0.002, 0.02)(random_);
      const double time = rarely() ? NAN : time_ + by;
      const Mode modes = subject_.states.empty() ? event | continuous : continuous;
      if (judge("fmi2SetTime", only & modes, std::isfinite(time), fmi2SetTime(c_, time))) time_ = time;
    }
  }
}

void Walk::exchange_arrays() {
  const Mode reading = exchange_ ? any & ~instantiated : 0;
  const std::size_t n = subject_.states.size(), given = rarely() ? n + 1 : n;
  unsigned indicators = 0;
  for (unsigned i = 0; i < subject_.model->relations; ++i) indicators += !subject_.model->relation[i].timed;
  std::vector<double> x(n + 1), z(indicators + 1);
  switch (below(5)) {
    case 0: judge("fmi2GetDerivatives", reading, given == n, fmi2GetDerivatives(c_, x.data(), given)); break;
    case 1: judge("fmi2GetEventIndicators", reading, true, fmi2GetEventIndicators(c_, z.data(), indicators)); break;
    case 2:
      judge("fmi2GetNominalsOfContinuousStates", exchange_ ? any : 0, given == n,
            fmi2GetNominalsOfContinuousStates(c_, x.data(), given));
      break;
    case 3: judge("fmi2GetContinuousStates", reading, given == n, fmi2GetContinuousStates(c_, x.data(), given)); break;
    default: {
      if (mode_ == continuous) fmi2GetContinuousStates(c_, x.data(), n);
      for (double& value : x) value += 0.01 * number();
      bool sensible = given == n;
      for (std::size_t i = 0; i < n; ++i) sensible = sensible && std::isfinite(x[i]);
      judge("fmi2SetContinuousStates", exchange_ ? continuous : 0, sensible,
            fmi2SetContinuousStates(c_, x.data(), given));
    }
  }
}

void Walk::simulate() {
  const Mode only = exchange_ ? 0 : any;
  bool sensible = !subject_.inputs.empty();
  const auto which = references(sensible, subject_.inputs);
  std::vector<fmi2Integer> orders(which.size(), 1 + below(6));
  std::vector<double> rates(which.size(), number());
  if (rarely()) orders.assign(which.size(), below(2) ? 0 : 7);
  for (const fmi2Integer order : orders) sensible = sensible && order >= 1 && order <= 6;
  if (!which.empty())
    judge("fmi2SetRealInputDerivatives", only & (instantiated | initialization | stepped), sensible,
          fmi2SetRealInputDerivatives(c_, which.data(), which.size(), orders.data(), rates.data()));
  sensible = true;
  const auto outputs = references(sensible, subject_.reals);
  std::vector<fmi2Integer> first(outputs.size(), 1);
  std::vector<double> derivatives(outputs.size());
  judge("fmi2GetRealOutputDerivatives", only & (stepped | discarded | terminated | failed), sensible,
        fmi2GetRealOutputDerivatives(c_, outputs.data(), outputs.size(), first.data(), derivatives.data()));
  static const double senseless[] = {0, -1, NAN, INFINITY};
  const bool usual = !rarely();
  const double h =
      usual ? subject_.length * std::uniform_real_distribution<double>(1e-6, 0.01)(random_) : senseless[below(4)];
  const Mode before = mode_;
  const fmi2Status status = fmi2DoStep(c_, time_, h, fmi2True);
  if (judge("fmi2DoStep", only & stepped, usual, status)) {
    time_ += h;
  } else if (!exchange_ && before == stepped && status == fmi2Discard) {
    mode_ = discarded;
    judge("fmi2GetRealStatus", discarded, true, fmi2GetRealStatus(c_, fmi2LastSuccessfulTime, &time_));
  }
}

void Walk::ask_status() {
  const Mode modes = exchange_ ? 0 : stepped | discarded | terminated | failed;
  const int kind = below(5);
  const auto asked = static_cast<fmi2StatusKind>(kind);
  fmi2Status status = fmi2OK;
  double time = 0;
  fmi2Boolean ended = fmi2False;
  fmi2Integer number = 0;
  fmi2String text = nullptr;
  judge("fmi2GetStatus", modes, kind == fmi2DoStepStatus, fmi2GetStatus(c_, asked, &status));
  judge("fmi2GetRealStatus", modes, kind == fmi2LastSuccessfulTime, fmi2GetRealStatus(c_, asked, &time));
  judge("fmi2GetBooleanStatus", modes, kind == fmi2Terminated, fmi2GetBooleanStatus(c_, asked, &ended));
  judge("fmi2GetIntegerStatus", modes, false, fmi2GetIntegerStatus(c_, asked, &number));
  judge("fmi2GetStringStatus", modes, kind == fmi2PendingStatus, fmi2GetStringStatus(c_, asked, &text));
  judge("fmi2CancelStep", 0, true, fmi2CancelStep(c_));
}

void Walk::log() {
  const fmi2String categories[] = {"logEvents", rarely() ? "nonsense" : "logAll"};
  judge("fmi2SetDebugLogging", any, categories[1] != std::string("nonsense"),
        fmi2SetDebugLogging(c_, below(2), 2, categories));
  if (std::string(fmi2GetVersion()) != "2.0" || std::string(fmi2GetTypesPlatform()) != "default") FAIL("version");
  calls_ += 2;
}

void Walk::step() {
  if (mode_ == instantiated && below(3)) return below(2) ? initialize() : set_up();
  if (mode_ == initialization && below(3)) return initialize();
  if ((mode_ == failed || mode_ == discarded || mode_ == terminated) && below(3) == 0) return leave();
  static void (Walk::*const all[])() = {
      &Walk::set_up,   &Walk::initialize, &Walk::leave,      &Walk::read,     &Walk::write,
      &Walk::save,     &Walk::derive,     &Walk::exchange,   &Walk::exchange, &Walk::exchange_arrays,
      &Walk::simulate, &Walk::simulate,   &Walk::ask_status, &Walk::log};
  (this->*all[below(14)])();
}

}  // namespace

TEST_CASE("calls in any order are refused or done, and leave nothing behind") {
  const long most = from_environment("FUZZ_CALLS", 100000), seed = from_environment("FUZZ_SEED", 1);
  long made = 0;
  Tallies tallies;
  for (unsigned round = 0; made < most; ++round) {
    const Subject& s = subjects()[round % subjects().size()];
    const fmi2Type type = round / subjects().size() % 2 ? fmi2CoSimulation : fmi2ModelExchange;
    const Choice choice = choices()[round % choices().size()];
    const auto reference_run = [&](fmi2Component c) {
      return type == fmi2CoSimulation ? run_co_simulation(s, c, choice, 3, 0.03) : run_model_exchange(s, c, 20, 0.02);
    };
    INFO("FUZZ_SEED=" << seed << ", round " << round << ": " << s.name);
    Walk walk(s, type, static_cast<unsigned>(seed) + round, tallies);
    while (walk.calls() < 200) walk.step();
    made += walk.calls();
    REQUIRE(fmi2Reset(walk.component()) == fmi2OK);
    const Outcome after = reference_run(walk.component());
    const Instance fresh(s, type);
    const Outcome expected = reference_run(fresh());
    if (!(after == expected)) FAIL("a run after a reset differs from that of a new instance");
  }
  CHECK(made >= most);
  CHECK(tallies.size() == 40);
  for (const auto& [function, tally] : tallies) {  // each of them both ways, unless there is only one
    INFO(function << ": " << tally.done << " done, " << tally.refused << " refused");
    const bool never = function == "fmi2CancelStep" || function == "fmi2GetIntegerStatus" ||
                       function == "fmi2GetString" || function == "fmi2SetString" || function == "fmi2SetBoolean";
    const bool always =
        function == "fmi2Reset" || function == "fmi2FreeFMUstate" || function == "fmi2SerializedFMUstateSize";
    CHECK((never || tally.done > made / 2000));
    CHECK((always || tally.refused > made / 5000));
  }
}
