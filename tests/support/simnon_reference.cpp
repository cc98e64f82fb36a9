// Table 2 of the SIMNON manual (H. Elmqvist, Lund 1975), executed.
//
//   initialization   states, outputs and sampling instants get their initial values, sections INITIAL are executed
//   sampling         systems whose instant it is take their new states; then the connecting statements are executed,
//                    each preceded by the sections OUTPUT that compute what it uses (manual 3.2), of discrete systems
//                    only if they are sampled; then the sections DYNAMICS
//   integration      to the next instant, with everything that is discrete as it is
//
// A statement is executed when its turn comes and at once: nothing is sorted, nothing is an equation. Numbers are
// integrated by the formula pair of Dormand and Prince with steps that end at sampling instants; a discontinuity costs
// small steps and nothing else. Instants are decimal numbers with nine digits behind the point: so sums of DT are what
// they are on paper, and 0.05 added ten times is 0.5.
#include "tests/support/simnon_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

#include "fmugen/simnon/lexer.h"
#include "fmugen/simnon/parser.h"

namespace fmugen::tests {

using simnon::Expression;
using simnon::ExpressionKind;
using simnon::Section;
using simnon::Statement;
using simnon::StatementKind;
using simnon::SystemKind;

namespace {

constexpr double kTogether = 1e-9;

double decimal(double t) { return std::round(t * 1e9) / 1e9; }

struct Subsystem {
  const simnon::System* text = nullptr;
  std::map<std::string, double> value;
  std::vector<std::string> inputs, outputs, states, rates;  // rates: DER or NEW
  std::string time, tsamp;
  std::map<std::string, double> initial;  // of states
  std::vector<double> next;               // z of a discrete system
  bool discrete() const { return text->kind == SystemKind::Discrete; }
};

double call(const std::string& name, const std::vector<double>& x) {
  if (name == "SQRT") return std::sqrt(x[0]);
  if (name == "EXP") return std::exp(x[0]);
  if (name == "LN") return std::log(x[0]);
  if (name == "LOG") return std::log10(x[0]);
  if (name == "SIN") return std::sin(x[0]);
  if (name == "COS") return std::cos(x[0]);
  if (name == "TAN") return std::tan(x[0]);
  if (name == "ATAN") return std::atan(x[0]);
  if (name == "ATAN2") return std::atan2(x[0], x[1]);
  if (name == "ABS") return std::fabs(x[0]);
  if (name == "SIGN") return x[0] > 0 ? 1 : x[0] < 0 ? -1 : 0;
  if (name == "INT") return std::trunc(x[0]);
  if (name == "MOD") return x[0] - std::trunc(x[0] / x[1]) * x[1];
  if (name == "MIN") return std::min(x[0], x[1]);
  if (name == "MAX") return std::max(x[0], x[1]);
  throw std::runtime_error("no function " + name);
}

}  // namespace

struct SimnonReference::Machine {
  simnon::File file;
  std::map<std::string, Subsystem> systems;
  std::vector<Subsystem*> order;  // as they stand in the text, without the connecting one
  Subsystem* connecting = nullptr;
  double t = 0, tolerance = 1e-11;
  bool stopped = false;
  std::size_t samplings = 0;
  std::set<const Subsystem*> sampled;  // now

  // ---- execution

  double read(Subsystem& own, const simnon::Reference& r) {
    Subsystem& s = r.system ? systems.at(r.system->text) : own;
    if (r.name.text == s.time) return t;
    return s.value[r.name.text];
  }

  double evaluate(Subsystem& own, const Expression& e) {
    const auto child = [&](std::size_t k) { return evaluate(own, e.children[k]); };
    const auto is_true = [&](std::size_t k) { return child(k) >= 0.5; };
    double result = 0;
    switch (e.kind) {
      case ExpressionKind::Number: return e.number;
      case ExpressionKind::Reference: return read(own, e.reference);
      case ExpressionKind::Call: {
        std::vector<double> x;
        for (const Expression& argument : e.children) x.push_back(evaluate(own, argument));
        return call(simnon::upper(e.reference.name.text), x);
      }
      case ExpressionKind::Sum:
        for (const Expression& term : e.children) result += evaluate(own, term);
        return result;
      case ExpressionKind::Product:
        result = 1;
        for (const Expression& factor : e.children)
          if (factor.kind == ExpressionKind::Inverse)
            result /= evaluate(own, factor.children[0]);
          else
            result *= evaluate(own, factor);
        return result;
      case ExpressionKind::Negative: return -child(0);
      case ExpressionKind::Inverse: return 1 / child(0);
      case ExpressionKind::Power: return std::pow(child(0), child(1));
      case ExpressionKind::Less: return child(0) < child(1);
      case ExpressionKind::Greater: return child(0) > child(1);
      case ExpressionKind::Not: return !is_true(0);
      case ExpressionKind::And:
        for (std::size_t k = 0; k < e.children.size(); ++k)
          if (!is_true(k)) return 0;
        return 1;
      case ExpressionKind::Or:
        for (std::size_t k = 0; k < e.children.size(); ++k)
          if (is_true(k)) return 1;
        return 0;
      case ExpressionKind::If: return is_true(0) ? child(1) : child(2);
    }
    return 0;
  }

  void execute(Subsystem& s, const Statement& statement) {
    if (statement.kind == StatementKind::Constant) return;
    const double value = evaluate(s, statement.value);
    if (statement.kind == StatementKind::Stop) {
      stopped = stopped || value >= 0.5;
      return;
    }
    Subsystem& target = statement.target.system ? systems.at(statement.target.system->text) : s;
    target.value[statement.target.name.text] = value;
  }

  void execute(Subsystem& s, Section section) {
    for (const Statement& statement : s.text->statements)
      if (statement.section == section) execute(s, statement);
  }

  bool takes_part(const Subsystem& s) const { return !s.discrete() || sampled.contains(&s); }

  // u = h(x, t, y) with y = g(x, t, u) inserted, then f.
  void compute() {
    std::set<const Subsystem*> done;
    const auto output = [&](Subsystem& s) {
      if (done.insert(&s).second && takes_part(s)) execute(s, Section::Output);
    };
    if (connecting)
      for (const Statement& statement : connecting->text->statements) {
        if (statement.section != Section::Connect) continue;
        simnon::for_each_reference(statement.value, [&](const simnon::Reference& r) {
          if (!r.system) return;
          Subsystem& s = systems.at(r.system->text);
          if (std::find(s.outputs.begin(), s.outputs.end(), r.name.text) != s.outputs.end()) output(s);
        });
        execute(*connecting, statement);
      }
    for (Subsystem* s : order) output(*s);
    for (Subsystem* s : order)
      if (takes_part(*s)) execute(*s, Section::Dynamics);
  }

  // ---- table 2

  void initialize(double start) {
    t = start;
    stopped = false;
    samplings = 0;
    for (auto& [name, s] : systems)
      for (const std::string& y : s.outputs) s.value[y] = 0;
    for (auto& [name, s] : systems)
      for (const std::string& x : s.states) s.value[x] = s.initial.contains(x) ? s.initial[x] : 0;
    for (Subsystem* s : order)
      if (s->discrete()) s->value[s->tsamp] = t;
    for (auto& [name, s] : systems) execute(s, Section::Initial);
    for (Subsystem* s : order) {
      s->next.clear();
      for (const std::string& x : s->states) s->next.push_back(s->value[x]);
    }
    sample();
  }

  void sample() {
    sampled.clear();
    for (Subsystem* s : order)
      if (s->discrete() && std::fabs(s->value[s->tsamp] - t) <= kTogether) sampled.insert(s);
    for (Subsystem* s : order)
      if (sampled.contains(s))
        for (std::size_t k = 0; k < s->states.size(); ++k) s->value[s->states[k]] = s->next[k];
    samplings += !sampled.empty();
    compute();
    for (Subsystem* s : order)
      if (sampled.contains(s))
        for (std::size_t k = 0; k < s->states.size(); ++k) s->next[k] = s->value[s->rates[k]];
    sampled.clear();
    if (!stopped) compute();  // the continuous part as it is from now on
  }

  void advance(double until) {
    while (t < until && !stopped) {
      double next = until;
      for (Subsystem* s : order)
        if (s->discrete() && s->value[s->tsamp] > t + kTogether) next = std::min(next, decimal(s->value[s->tsamp]));
      integrate(next);
      sample();
    }
  }

  // ---- integration

  std::vector<double> states() {
    std::vector<double> x;
    for (Subsystem* s : order)
      if (!s->discrete())
        for (const std::string& name : s->states) x.push_back(s->value[name]);
    return x;
  }

  std::vector<double> rates(double time, const std::vector<double>& x) {
    t = time;
    std::size_t k = 0;
    for (Subsystem* s : order)
      if (!s->discrete())
        for (const std::string& name : s->states) s->value[name] = x[k++];
    compute();
    std::vector<double> result;
    for (Subsystem* s : order)
      if (!s->discrete())
        for (const std::string& name : s->rates) result.push_back(s->value[name]);
    return result;
  }

  // Dormand, J. R. and Prince, P. J. (1980), J. Comput. Appl. Math. 6.
  void integrate(double until) {
    static constexpr std::array<std::array<double, 6>, 6> a = {
        {{1. / 5},
         {3. / 40, 9. / 40},
         {44. / 45, -56. / 15, 32. / 9},
         {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
         {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
         {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
    static constexpr std::array<double, 6> c = {1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
    static constexpr std::array<double, 7> error = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                                    -17253. / 339200, 22. / 525, -1. / 40};
    std::vector<double> x = states();
    double now = t, h = std::min(until - t, 0.01);
    while (now < until) {
      const bool last = now + h >= until - 1e-13 * std::fabs(until);
      if (last) h = until - now;
      std::array<std::vector<double>, 7> k;
      k[0] = rates(now, x);
      std::vector<double> y = x;
      for (std::size_t stage = 0; stage < 6; ++stage) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          y[i] = x[i];
          for (std::size_t j = 0; j <= stage; ++j) y[i] += h * a[stage][j] * k[j][i];
        }
        k[stage + 1] = rates(now + c[stage] * h, y);
      }
      double size = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        double e = 0;
        for (std::size_t j = 0; j < 7; ++j) e += h * error[j] * k[j][i];
        size = std::max(size, std::fabs(e) / (tolerance * std::max(1., std::fabs(x[i]))));
      }
      const bool smallest = h <= 1e-12 * std::max(1., std::fabs(now));
      if (size > 1 && !smallest) {
        h *= std::max(0.2, 0.9 * std::pow(size, -0.2));
        continue;
      }
      x = y;
      now = last ? until : now + h;
      h *= size > 0 ? std::min(5., 0.9 * std::pow(size, -0.2)) : 5;
    }
    rates(until, x);
  }
};

SimnonReference::SimnonReference(const std::string& text) : machine_(std::make_unique<Machine>()) {
  support::Sources sources;
  support::Diagnostics diagnostics;
  Machine& m = *machine_;
  m.file = simnon::parse(sources, sources.add("reference.sim", text), diagnostics);
  if (diagnostics.has_errors()) {
    std::ostringstream messages;
    support::print(messages, sources, diagnostics);
    throw std::runtime_error(messages.str());
  }
  for (const simnon::System& system : m.file.systems) {
    Subsystem& s = m.systems[system.name.text];
    s.text = &system;
    if (system.kind == SystemKind::Connecting)
      m.connecting = &s;
    else
      m.order.push_back(&s);
    for (const simnon::Declaration& d : system.declarations) {
      const std::string& name = d.name.text;
      switch (d.type) {
        case simnon::Declared::Input: s.inputs.push_back(name); break;
        case simnon::Declared::Output: s.outputs.push_back(name); break;
        case simnon::Declared::Time: s.time = name; break;
        case simnon::Declared::State: s.states.push_back(name); break;
        case simnon::Declared::Der:
        case simnon::Declared::New: s.rates.push_back(name); break;
        case simnon::Declared::Tsamp: s.tsamp = name; break;
      }
    }
    for (const Statement& statement : system.statements)
      if (statement.kind == StatementKind::Constant)
        set(system.name.text + "." + statement.target.name.text, statement.number);
  }
}

SimnonReference::~SimnonReference() = default;

void SimnonReference::set(const std::string& name, double value) {
  const std::size_t dot = name.find('.');
  Subsystem& s = machine_->systems.at(name.substr(0, dot));
  const std::string variable = name.substr(dot + 1);
  const bool state = std::find(s.states.begin(), s.states.end(), variable) != s.states.end();
  (state ? s.initial : s.value)[variable] = value;
}

void SimnonReference::start(double time) {
  machine_->tolerance = tolerance;
  machine_->initialize(time);
}

void SimnonReference::advance(double until) { machine_->advance(until); }
double SimnonReference::time() const { return machine_->t; }
bool SimnonReference::stopped() const { return machine_->stopped; }
std::size_t SimnonReference::samplings() const { return machine_->samplings; }

double SimnonReference::operator[](const std::string& name) const {
  const std::size_t dot = name.find('.');
  return machine_->systems.at(name.substr(0, dot)).value.at(name.substr(dot + 1));
}

std::vector<std::string> SimnonReference::states_and_outputs() const {
  std::vector<std::string> names;
  for (const Subsystem* s : machine_->order)
    for (const auto* list : {&s->states, &s->outputs})
      for (const std::string& name : *list) names.push_back(s->text->name.text + "." + name);
  return names;
}

}  // namespace fmugen::tests
