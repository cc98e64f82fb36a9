// Generated code against the plan it was made from: the same values at the start and at other states, tangents against
// differences, residuals zero at the solution and their Jacobian against differences.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <optional>

#include "tests/support/generated_model.h"
#include "tests/support/plan_interpreter.h"

using namespace fmugen;
using tests::GeneratedModel;
using tests::PlanInterpreter;

namespace {

std::vector<std::string> example_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MODELS "/examples"))
    if (entry.path().extension() == ".dym") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

bool close(double a, double b, double tolerance = 1e-8) {
  return std::abs(a - b) <= tolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

void compare_values(const structure::SimulationPlan& plan, const PlanInterpreter& run, const GeneratedModel& code) {
  for (std::uint32_t v = 0; v < plan.system.model.variables.size(); ++v) {
    if (plan.system.model.variables[v].sample >= 0) continue;
    const std::string name = plan.system.name(equations::VarId{v});
    INFO(name << ": expected " << run[name] << ", found " << code[name]);
    CHECK(close(run[name], code[name]));
  }
}

std::vector<double> rates(GeneratedModel& code) {
  std::vector<double> f;
  for (unsigned k = 0; k < code.model().states; ++k) f.push_back(code.data().v[code.model().rate[k]]);
  return f;
}

void compare_tangents(GeneratedModel& code) {
  const FmrModel& m = code.model();
  REQUIRE(m.tangent);
  FmrData& data = code.data();
  for (unsigned s = 0; s < std::min(m.states, 12u); ++s) {
    std::fill(data.d, data.d + m.values, 0);
    data.d[m.state[s]] = 1;
    REQUIRE(m.tangent(&data) == 0);
    std::vector<double> exact;
    for (unsigned k = 0; k < m.states; ++k) exact.push_back(data.d[m.rate[k]]);
    std::fill(data.d, data.d + m.values, 0);
    const double x = data.v[m.state[s]], h = 1e-5 * std::max(1.0, std::abs(x));
    data.v[m.state[s]] = x + h;
    code.evaluate_held();
    const std::vector<double> above = rates(code);
    data.v[m.state[s]] = x - h;
    code.evaluate_held();
    const std::vector<double> below = rates(code);
    data.v[m.state[s]] = x;
    code.evaluate_held();
    for (unsigned k = 0; k < m.states; ++k) {
      const double size = std::max(std::abs(above[k]), std::abs(below[k])) * 1e-9 / h;
      INFO("state " << s << ", rate " << k << ": exact " << exact[k] << ", difference "
                    << (above[k] - below[k]) / (2 * h));
      CHECK(std::abs((above[k] - below[k]) / (2 * h) - exact[k]) <= 1e-5 * (1 + std::abs(exact[k])) + size);
    }
  }
}

void check_residuals(GeneratedModel& code) {
  const FmrResidualForm* form = code.model().residual_form;
  if (!form) return;
  FmrData& data = code.data();
  std::vector<double> r(form->n), above(form->n), below(form->n), jacobian(form->entries);
  REQUIRE(form->residual(&data, r.data()) == 0);
  form->jacobian(&data, jacobian.data());
  for (unsigned k = 0; k < form->n; ++k) {
    INFO("equation " << k << " has the residual " << r[k]);
    CHECK(std::isfinite(r[k]));
  }
  for (unsigned e = 0; e < std::min(form->entries, 300u); ++e) {
    const unsigned c = form->column[e];
    double& x = data.v[c < form->n ? form->unknown[c] : code.model().rate[c - form->n]];
    const double keep = x, h = 1e-5 * std::max(1.0, std::abs(x));
    x = keep + h;
    form->residual(&data, above.data());
    x = keep - h;
    form->residual(&data, below.data());
    x = keep;
    const unsigned row = form->row[e];
    const double difference = (above[row] - below[row]) / (2 * h);
    INFO("row " << row << ", column " << c << ": exact " << jacobian[e] << ", difference " << difference);
    const double rounding = 1e-9 * std::max(std::abs(above[row]), std::abs(below[row])) / h;
    CHECK(std::abs(difference - jacobian[e]) <= 1e-5 * (1 + std::abs(jacobian[e])) + rounding);
  }
}

// The same values as the plan gives at the start and nearby, and derivatives that fit.
void check_code(const std::string& text) {
  INFO(text);
  const structure::SimulationPlan plan = tests::plan_of({.text = text});
  GeneratedModel code(plan);
  code.start();
  PlanInterpreter run(plan);
  run.start_by_plan();
  compare_values(plan, run, code);
  std::vector<double> x = run.states();
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] += 0.01 * (1 + std::abs(x[k])) * std::sin(static_cast<double>(k) + 1);
    code.data().v[code.model().state[k]] = x[k];
  }
  run.set_states(x);
  run.evaluate();
  code.evaluate();
  compare_values(plan, run, code);
  compare_tangents(code);
  check_residuals(code);
}

}  // namespace

TEST_CASE("all operations of the language are computed as the plan says") {
  check_code(
      "model m\n"
      "  parameter p = 3, q = 2*p, b = -1\n"
      "  local x(start=0.4), y(start=1.7), z(start=-2.3), a, c, d, e, f, g, h\n"
      "  der(x) = -x + sin(y)*cos(z)/tan(x + 1) - exp(-x**2) + y**0.5 + y**(-2) + x**3 - y**4 + x**(-3)\n"
      "  der(y) = min(x, y, z) - max(x, 2*y, z, p, q) + abs(z) - sqrt(y) + ln(y)*log10(y + 1) + atan2(x, y)\n"
      "  der(z) = sinh(x) - cosh(y/3) + tanh(z) + asin(x/2) - acos(x/3) + atan(z) + b*x/q/p\n"
      "  a = if x > 0 and (y < 1 or not z < 0) then x*y else -(x - y)\n"
      "  c = sign(z) + int(3*y) + floor(2*z) - ceil(5*x)\n"
      "  d = mod(7*y, 2) + mod(z, 0.7)\n"
      "  e = noevent(if x < y then -(-x) else x - (y - z))\n"
      "  f = (x + y)*(x + y)/(x + y + 1) + (if z <= p then 1 else 0)*(x*y)/(z/x)\n"
      "  g = if (x > 0) = (y > 0) then 1/(x*y) else sqrt(-x)\n"
      "  h = -x - -1*(-y) + 2*(x - 3*y)\n"
      "end\n");
}

TEST_CASE("loops of equations: linear with changing matrices, nonlinear with several unknowns") {
  check_code(
      "model m\n"
      "  parameter R = 2\n"
      "  local x(start=1), i1, i2, i3, i4, u(start=1), w(start=0.8), s\n"
      "  (R + x)*i1 - i2 + i3/R = sin(x)\n"
      "  i1 + (2 + x**2)*i2 - i4 = x\n"
      "  i1 - i2 + 3*i3 + x*i4 = 1\n"
      "  i2 + i3 + 5*i4 = i1*cos(x)\n"
      "  u + w**3 + exp(u*w/4) = x + 2\n"
      "  u*w - s = 0.1*x\n"
      "  s = tanh(u) - w\n"
      "  der(x) = -x + i1 + i4 - u*w\n"
      "end\n");
}

TEST_CASE("functions and tables") {
  check_code(
      "function f(a, b)\n"
      "  local c\n"
      "  c := a + b\n"
      "  f := if c > 0 then sqrt(c) else 0\n"
      "end\n"
      "function r phi = polar(x, y)\n"
      "  local q, k\n"
      "  q := 0\n"
      "  for i := 1 to 2 do q := q + (x**2 + y**2)/2 end\n"
      "  if q > 100 then\n    r := 10\n  else if q > 50 then\n    r := 7\n  else\n    r := sqrt(q)\n  end\n"
      "  phi := atan2(y, x)\n"
      "end\n"
      "model m\n"
      "  table rho = (0, 1.293; 300, 1.256; 600, 1.22)\n"
      "  local x(start=1), y(start=250), r, p\n"
      "  der(x) = f(x, 2)*rho(y)\n"
      "  der(y) = rho(2*y) - x\n"
      "  r p = polar(x, y/100)\n"
      "end\n");
}

TEST_CASE("the states of a pendulum are chosen while it moves") {
  const structure::SimulationPlan plan = tests::plan_of(
      {.text = "model rod\n  parameter g = 9.81\n  local x(start=0.6), y(start=-0.8), u, v, F\n  x' = u\n  y' = v\n"
               "  u' = -F*x\n  v' = -F*y - g\n  x**2 + y**2 = 1\nend\n"});
  GeneratedModel code(plan);
  code.start();
  const FmrModel& m = code.model();
  REQUIRE(m.state_sets > 0);
  CHECK(code["x"] * code["x"] + code["y"] * code["y"] == Approx(1));
  for (unsigned k = 0; k < m.state_sets; ++k) {
    const FmrStateSet& set = m.state_set[k];
    REQUIRE(set.states == set.candidates - set.constraints);
    std::vector<double> j(set.constraints * set.candidates, 99);
    set.jacobian(&code.data(), j.data());
    for (const double entry : j) CHECK(std::abs(entry) <= 2);
    double chosen = 0;
    for (unsigned n = 0; n < set.states * set.candidates; ++n) chosen += code.data().v[set.selection[n]];
    CHECK(chosen == set.states);
  }
  PlanInterpreter run(plan);
  run.start_by_plan();
  compare_values(plan, run, code);
  compare_tangents(code);
}

TEST_CASE("what repeats is computed by loops, also where each element needs the one before") {
  check_code(
      "model m\n"
      "  parameter n = 40, c = 0.3\n"
      "  local x[n](start=0.5), q[n], r[n], total\n"
      "  q[1] = x[1]*c\n"
      "  r[1] = 1\n"
      "  for i := 2 to n do\n"
      "    q[i] = r[i-1]*c + x[i]\n"
      "    r[i] = sin(q[i]) + x[i]\n"
      "  end\n"
      "  for i := 1 to n do der(x[i]) = -x[i]*r[i] + total end\n"
      "  total = sum(x[:])\n"
      "end\n");
}

TEST_CASE("events: crossings, instants, conditions, actions") {
  const structure::SimulationPlan plan =
      tests::plan_of({.text = "model m\n"
                              "  parameter g = 9.81, T = 2\n"
                              "  discrete bounces = 0, late = 0\n"
                              "  local h, v\n"
                              "  der(h, 10) = v\n"
                              "  der(v) = -g\n"
                              "  when h < 0 then\n    bounces := pre(bounces) + 1\n    reinit v := -0.8*pre(v)\n"
                              "  else when time > 2*T then\n    terminate \"too long\"\n  end\n"
                              "  when time > T then late := 1 end\n"
                              "  valid h > -1 \"below the floor\"\n"
                              "  terminate when bounces > 10 \"enough\"\n"
                              "end\n"});
  GeneratedModel code(plan);
  code.start();
  const FmrModel& m = code.model();
  FmrData& data = code.data();
  REQUIRE(m.branches == 3);
  CHECK(std::vector<unsigned>(m.clause, m.clause + 3) == std::vector<unsigned>{0, 0, 1});
  CHECK(m.discrete == 2);
  std::vector<double> t(m.relations, -1), w(3), z(m.relations);
  m.instants(&data, t.data());
  CHECK(std::count(t.begin(), t.end(), 2.0) == 1);
  CHECK(std::count(t.begin(), t.end(), 4.0) == 1);
  m.conditions(&data, w.data());
  CHECK(w == std::vector<double>{0, 0, 0});
  code.set("h", -0.5);
  code.set("v", -3);
  code.evaluate();
  m.conditions(&data, w.data());
  CHECK(w == std::vector<double>{1, 0, 0});
  for (unsigned k = 0; k < m.pre_count; ++k) data.pre[k] = data.v[m.pre[k]];
  CHECK(m.act(&data, 0) == FMR_ACT_STATES);
  CHECK(code["v"] == Approx(2.4));
  CHECK(code["bounces"] == 1);
  CHECK(m.act(&data, 1) == FMR_ACT_TERMINATE);
  CHECK(std::string(data.text) == "too long");
  data.v[0] = 2;
  data.late = 2 + 1e-9;
  m.crossings(&data, z.data());
  for (unsigned k = 0; k < m.relations; ++k)
    if (t[k] == 2) CHECK(z[k] == Approx(-1e-9).epsilon(1e-3));
  double valid = 0, terminate = 1;
  m.conditions_of_run(&data, &valid, &terminate);
  CHECK(valid == 1);
  CHECK(terminate == 0);
}

TEST_CASE("sampled systems") {
  const structure::SimulationPlan plan = tests::plan_of(
      {.text = "discrete model type counter\n  input u\n  output y, twice\n  parameter DT = 0.5\n  discrete high = 0\n"
               "  sample every DT offset 0.1\n  new(y, 1) = y + u\n  twice = 2*y\n"
               "  when twice > 5 then high := 1 end\nend\n"
               "model m\n  submodel (counter) c\n  local x\n  der(x, 3) = -x + c.y\n  c.u = x\nend\n"});
  GeneratedModel code(plan);
  code.start();
  const FmrModel& m = code.model();
  REQUIRE(m.samples == 1);
  const FmrSample& sample = m.sample[0];
  double period = 0, offset = 0;
  sample.times(&code.data(), &period, &offset);
  CHECK(period == 0.5);
  CHECK(offset == 0.1);
  REQUIRE(sample.states == 1);
  code.set("c.y", 4);
  double w = 9;
  m.conditions(&code.data(), &w);
  CHECK(w == 0);  // it looks at what was sampled last
  code.evaluate();
  CHECK(code["der(x)"] == 1);
  REQUIRE(sample.compute(&code.data()) == 0);
  CHECK(code["c.twice"] == 8);
  CHECK(code.data().v[sample.next[0]] == 7);
  m.conditions(&code.data(), &w);
  CHECK(w == 1);
}

TEST_CASE("delays are numbered, with what they remember and for how long") {
  const structure::SimulationPlan plan =
      tests::plan_of({.text = "model m\n  parameter T = 0.5\n  local x, y, z\n  der(x, 1) = -y - z\n"
                              "  y = delay(2*x, T)\n  z = delay(x, abs(y), 3)\nend\n"});
  GeneratedModel code(plan);
  code.start();
  const FmrModel& m = code.model();
  REQUIRE(m.delays == 2);
  std::vector<double> value(2), longest(2);
  m.delayed(&code.data(), value.data(), longest.data());
  std::sort(value.begin(), value.end());
  std::sort(longest.begin(), longest.end());
  CHECK(value == std::vector<double>{1, 2});
  CHECK(longest == std::vector<double>{0.5, 3});
  CHECK(code["y"] == 2);  // at the start it has always been so
  code.evaluate();
  CHECK(code["y"] == 0);  // what the small run time answers
}

TEST_CASE("parameters that follow are computed anew") {
  const structure::SimulationPlan plan = tests::plan_of(
      {.text = "model m\n  parameter a = 1, b = 2*a, c = b + a\n  local x, y\n  der(x, c) = -b*x\n  y = c*2\nend\n"});
  GeneratedModel code(plan);
  code.set("a", 5);
  code.start();
  CHECK(code["b"] == 10);
  CHECK(code["c"] == 15);
  CHECK(code["x"] == 15);
  CHECK(code["y"] == 30);
  CHECK(code["der(x)"] == -150);
}

TEST_CASE("the code of the examples computes what their plans say") {
  for (const std::string& file : example_files()) {
    INFO(file);
    std::optional<structure::SimulationPlan> plan;
    plan.emplace(tests::plan_of({.file = file, .library_path = {MODELS}}));
    GeneratedModel code(*plan);
    code.start();
    PlanInterpreter run(*plan);
    try {
      run.start_by_plan();
      compare_values(*plan, run, code);
      std::vector<double> x = run.states();
      for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] += 0.01 * (1 + std::abs(x[k])) * std::sin(static_cast<double>(k) + 1);
        code.data().v[code.model().state[k]] = x[k];
      }
      run.set_states(x);
      run.evaluate();
      code.evaluate();
      compare_values(*plan, run, code);
    } catch (const std::runtime_error& e) {
      // Delays and tables of more than one dimension.
      CHECK(std::string(e.what()).starts_with("the interpreter "));
    }
    if (code.model().tangent) compare_tangents(code);
    check_residuals(code);
  }
}
