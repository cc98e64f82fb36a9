// Model Exchange by the rules of the standard and nothing else.
//
// A step of length h from (t, x) gives a state and an estimate of its error; it is accepted or repeated with a shorter h.
// Between accepted points every event indicator must stay on its side, z > 0 or z <= 0. If one does not, the instant is
// found by bisection: the step is repeated from its beginning with half the length, and so on, so that the state at the
// instant is as accurate as the step. The event is handled at the far end of the last interval, where the indicator has
// changed. Events at known times end a step exactly.
//
//   t    1.00   1.10        z = x - 0.5:  0.2 -> -0.1   crossed
//        1.00   1.05                      0.2 ->  0.05
//        1.00   1.075  ...                                event at 1.0667
//
// Explicit steps are those of Dormand and Prince, order 5 with an estimate of order 4. Implicit ones extrapolate the
// linearly implicit Euler method (I - hJ)(x1 - x0) = h f(t1, x0) from 1, 2, ... 6 equal parts of the step, J being found
// by differences: order 6, whatever the errors of J.
//
// Reference: FMI for Model Exchange and Co-Simulation 2.0, section 3.2; Hairer, Wanner, Solving Ordinary Differential
// Equations II, section IV.9.
#include <algorithm>
#include <cmath>

#include "tests/support/fmu_driver.h"

namespace fmugen::tests {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_event_iterations = 1000;  // more is a loop without end
constexpr int most_halvings = 100;           // of an interval with an event
constexpr std::size_t parts = 6;             // of an implicit step, at most

bool crossed(const std::vector<double>& before, const std::vector<double>& after) {
  for (std::size_t i = 0; i < before.size(); ++i)
    if ((before[i] > 0) != (after[i] > 0)) return true;
  return false;
}

// Solves A y = b by elimination with row exchange, for several b one after another: A is kept as its factors.
class Factors {
 public:
  explicit Factors(std::vector<std::vector<double>> a) : a_(std::move(a)), order_(a_.size()) {
    const std::size_t n = a_.size();
    for (std::size_t k = 0; k < n; ++k) {
      order_[k] = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::abs(a_[i][k]) > std::abs(a_[order_[k]][k])) order_[k] = i;
      std::swap(a_[k], a_[order_[k]]);
      if (a_[k][k] == 0) regular_ = false;
      for (std::size_t i = k + 1; i < n && regular_; ++i) {
        const double factor = a_[i][k] /= a_[k][k];
        for (std::size_t j = k + 1; j < n; ++j) a_[i][j] -= factor * a_[k][j];
      }
    }
  }

  bool regular() const { return regular_; }

  void solve(std::vector<double>& b) const {
    const std::size_t n = a_.size();
    for (std::size_t k = 0; k < n; ++k) std::swap(b[k], b[order_[k]]);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) b[i] -= a_[i][j] * b[j];
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) b[i] -= a_[i][j] * b[j];
      b[i] /= a_[i][i];
    }
  }

 private:
  std::vector<std::vector<double>> a_;
  std::vector<std::size_t> order_;
  bool regular_ = true;
};

}  // namespace

void MeRun::set(const std::string& name, double value) {
  if (!started_) return set_value(name, value);
  expect(fmu_.call.EnterEventMode(component()), "fmi2EnterEventMode");
  set_value(name, value);
  iterate_events();
}

void MeRun::start(double time, double until) {
  initialize(time, until, tolerance);
  iterate_events();
}

SavedRun MeRun::save() const {
  SavedRun saved = save_state();
  saved.next_event = next_event_;
  return saved;
}

void MeRun::restore(const SavedRun& saved) {
  restore_state(saved);
  next_event_ = saved.next_event;
  begin_anew();
}

// Takes from the FMU, in continuous time mode, where it stands.
void MeRun::begin_anew() {
  x_.resize(fmu_.states().size());
  nominal_.resize(x_.size());
  if (!x_.empty()) {
    expect(fmu_.call.GetContinuousStates(component(), x_.data(), x_.size()), "fmi2GetContinuousStates");
    expect(fmu_.call.GetNominalsOfContinuousStates(component(), nominal_.data(), x_.size()),
           "fmi2GetNominalsOfContinuousStates");
  }
  z_ = indicators();
  h_ = 0;
}

// From event mode to continuous time mode. The flags of all rounds count, not only those of the last.
void MeRun::iterate_events() {
  fmi2EventInfo info{};
  info.newDiscreteStatesNeeded = fmi2True;
  for (int round = 0; info.newDiscreteStatesNeeded && !terminated_; ++round) {
    if (round == most_event_iterations)
      throw FmuError(fmu_.identifier + ": events without end at " + std::to_string(time_));
    expect(fmu_.call.NewDiscreteStates(component(), &info), "fmi2NewDiscreteStates");
    terminated_ = terminated_ || info.terminateSimulation;
  }
  next_event_ = info.nextEventTimeDefined ? info.nextEventTime : infinity;
  if (terminated_) return;
  expect(fmu_.call.EnterContinuousTimeMode(component()), "fmi2EnterContinuousTimeMode");
  begin_anew();
}

void MeRun::handle_event() {
  expect(fmu_.call.EnterEventMode(component()), "fmi2EnterEventMode");
  events_.push_back(time_);
  iterate_events();
}

void MeRun::move_to(double time, const Vector& x) {
  expect(fmu_.call.SetTime(component(), time), "fmi2SetTime");
  if (!x.empty()) expect(fmu_.call.SetContinuousStates(component(), x.data(), x.size()), "fmi2SetContinuousStates");
}

MeRun::Vector MeRun::rates(double time, const Vector& x) {
  move_to(time, x);
  Vector result(x.size());
  if (x.empty()) return result;
  const fmi2Status status = fmu_.call.GetDerivatives(component(), result.data(), result.size());
  if (status == fmi2Discard) return {};
  expect(status, "fmi2GetDerivatives");
  for (const double rate : result)
    if (!std::isfinite(rate)) return {};
  return result;
}

MeRun::Vector MeRun::indicators() const {
  Vector z(fmu_.indicators);
  if (!z.empty()) expect(fmu_.call.GetEventIndicators(component(), z.data(), z.size()), "fmi2GetEventIndicators");
  return z;
}

// `error` is relative to what the tolerance allows.
bool MeRun::try_explicit(double h, Vector& next, double& error) {
  static const double nodes[] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
  static const double weights[][6] = {
      {},
      {1. / 5},
      {3. / 40, 9. / 40},
      {44. / 45, -56. / 15, 32. / 9},
      {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
      {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
      {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
  };
  static const double estimate[] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
  std::vector<Vector> k = {rates_};
  for (std::size_t stage = 1; stage < 7; ++stage) {
    next = x_;
    for (std::size_t j = 0; j < stage; ++j)
      for (std::size_t i = 0; i < x_.size(); ++i) next[i] += h * weights[stage][j] * k[j][i];
    k.push_back(rates(time_ + nodes[stage] * h, next));
    if (k.back().size() != x_.size()) return false;
  }
  for (std::size_t i = 0; i < x_.size(); ++i) {
    double e = 0;
    for (std::size_t j = 0; j < 7; ++j) e += h * estimate[j] * k[j][i];
    error = std::max(error, std::abs(e) / (tolerance * (nominal_[i] + std::max(std::abs(x_[i]), std::abs(next[i])))));
  }
  return true;
}

std::vector<MeRun::Vector> MeRun::jacobian() {
  std::vector<Vector> result(x_.size(), Vector(x_.size()));
  for (std::size_t j = 0; j < x_.size(); ++j) {
    Vector moved = x_;
    const double change = std::sqrt(epsilon) * std::max(std::abs(x_[j]), nominal_[j]);
    moved[j] += change;
    Vector f = rates(time_, moved);
    if (f.size() != x_.size()) f = rates_;
    for (std::size_t i = 0; i < x_.size(); ++i) result[i][j] = (f[i] - rates_[i]) / change;
  }
  return result;
}

bool MeRun::try_implicit(double h, Vector& next, double& error) {
  const std::size_t n = x_.size();
  if (jacobian_.empty()) jacobian_ = jacobian();
  std::vector<Vector> row, before;  // of the table of extrapolation: with one part more each
  for (std::size_t count = 1; count <= parts; ++count) {
    const double part = h / static_cast<double>(count);
    std::vector<Vector> matrix = jacobian_;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) matrix[i][j] = (i == j) - part * jacobian_[i][j];
    const Factors factors(std::move(matrix));
    if (!factors.regular()) return false;
    Vector x = x_;
    for (std::size_t p = 1; p <= count; ++p) {
      Vector change = rates(time_ + static_cast<double>(p) * part, x);
      if (change.size() != n) return false;
      for (double& c : change) c *= part;
      factors.solve(change);
      for (std::size_t i = 0; i < n; ++i) x[i] += change[i];
    }
    before = std::move(row);
    row = {x};
    for (std::size_t k = 1; k < count; ++k) {
      const double ratio = static_cast<double>(count) / static_cast<double>(count - k);
      row.push_back(row[k - 1]);
      for (std::size_t i = 0; i < n; ++i) row[k][i] += (row[k - 1][i] - before[k - 1][i]) / (ratio - 1);
    }
  }
  next = row.back();
  for (std::size_t i = 0; i < n; ++i) {
    const double e = next[i] - row[row.size() - 2][i];
    error = std::max(error, std::abs(e) / (tolerance * (nominal_[i] + std::max(std::abs(x_[i]), std::abs(next[i])))));
  }
  return true;
}

bool MeRun::try_step(double h, Vector& next, double& error) {
  error = 0;
  next = x_;
  if (x_.empty()) return true;
  return stiff ? try_implicit(h, next, error) : try_explicit(h, next, error);
}

// The length of the step that ends just behind the first crossing; `next` becomes the state there.
double MeRun::locate(double h, const Vector& before, Vector& next) {
  double low = 0, high = h;
  for (int i = 0; i < most_halvings && time_ + low < time_ + high; ++i) {
    const double middle = low + (high - low) / 2;
    if (time_ + middle <= time_ + low || time_ + middle >= time_ + high) break;
    Vector x;
    double error = 0;
    if (!try_step(middle, x, error)) throw FmuError(fmu_.identifier + ": a point inside of a step is discarded");
    move_to(time_ + middle, x);
    if (crossed(before, indicators())) {
      high = middle;
      next = x;
    } else {
      low = middle;
    }
  }
  return high;
}

void MeRun::take_step(double until, double largest) {
  const double end = std::min(until, next_event_);
  const double order = stiff ? static_cast<double>(parts) : 5;
  rates_ = rates(time_, x_);
  if (rates_.size() != x_.size()) throw FmuError(fmu_.identifier + ": no derivatives at " + std::to_string(time_));
  jacobian_.clear();
  if (h_ <= 0) h_ = x_.empty() ? largest : 1e-4 * largest;
  Vector next;
  double h = 0;
  for (;;) {
    const double wanted = std::min(h_, largest);
    h = time_ + 1.000001 * wanted >= end ? end - time_ : wanted;
    double error = 0;
    const bool good = try_step(h, next, error);
    const double factor = good ? 0.9 * std::pow(std::max(error, 1e-10), -1 / order) : 0.25;
    if (good && error <= 1) {
      if (h == wanted || factor < 1) h_ = h * std::clamp(factor, 0.2, 4.);
      break;
    }
    h_ = h * std::clamp(factor, 0.1, 0.9);
    if (time_ + h_ <= time_) {
      expect(fmi2Discard, "the integrator gives up: fmi2GetDerivatives");
    }
  }
  double arrival = h == end - time_ ? end : time_ + h;
  move_to(arrival, next);
  Vector z = indicators();
  const bool event = crossed(z_, z);
  if (event) {
    const double length = locate(h, z_, next);
    if (length < h) arrival = time_ + length;
    move_to(arrival, next);
    z = indicators();
  }
  time_ = arrival;
  x_ = next;
  z_ = z;
  fmi2Boolean enter = fmi2False, terminate = fmi2False;
  expect(fmu_.call.CompletedIntegratorStep(component(), fmi2True, &enter, &terminate), "fmi2CompletedIntegratorStep");
  terminated_ = terminate;
  if (!terminated_ && (event || enter || time_ >= next_event_)) handle_event();
  after_step();
}

void MeRun::advance(double until) {
  const double largest = largest_step > 0 ? largest_step : (until - time_) / 100;
  while (time_ < until && !terminated_) take_step(until, largest);
}

}  // namespace fmugen::tests
