// Derivatives of functions and tables of a model against difference quotients.
#include "fmugen/equations/call_derivatives.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "fmugen/equations/evaluate.h"
#include "tests/support/flattening.h"
#include "tests/support/model_calls.h"

using namespace fmugen::equations;
using fmugen::testing::flatten;
using fmugen::tests::function_result;
using fmugen::tests::table_value;

namespace {

FlatModel model_of(const std::string& text) {
  auto flat = flatten("model m\n" + text + "\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  return std::move(*flat.model);
}

double value(const FlatModel& model, Expr call, const std::vector<double>& x) {
  Values values;
  values.variable = [&](VarId v) { return x[index(v)]; };
  values.function = [&](std::uint32_t f, std::uint32_t r, std::span<const double> a) {
    return function_result(model, f, r, a);
  };
  values.table = [&](std::uint32_t t, std::span<const double> a) { return table_value(model, t, a); };
  return evaluate(call, values);
}

// First derivatives of a call of variables 0, 1, ..., and derivatives of these, all against central differences.
void compare(FlatModel& model, Expr call, const std::vector<double>& x, int orders, double margin) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Derivative d = partial_derivative(model.pool, call, model.pool.variable(VarId{static_cast<std::uint32_t>(k)}),
                                            call_derivatives(model));
    REQUIRE(d);
    auto above = x, below = x;
    const double h = 1e-5;
    above[k] += h;
    below[k] -= h;
    const double quotient = (value(model, call, above) - value(model, call, below)) / (2 * h);
    CAPTURE(k, x, orders);
    CHECK(value(model, d.value, x) == Approx(quotient).margin(margin).epsilon(margin));
    if (orders > 1) compare(model, d.value, x, orders - 1, margin);
  }
}

Expr call_of(FlatModel& model, std::uint32_t function, std::uint32_t result, std::uint32_t arguments) {
  std::vector<Expr> list;
  for (std::uint32_t k = 0; k < arguments; ++k) list.push_back(model.pool.variable(VarId{k}));
  return model.pool.user_call(function, result, list);
}

}  // namespace

TEST_CASE("functions are differentiated statement by statement") {
  FlatModel model = model_of(R"(
    function r = g(a, b)
      local c
      c := a*b
      for k := 1 to 3 do
        c := c + k*sin(a)/(1 + b**2)
        if c > 1 then
          c := sqrt(c)
        else
          c := c - inner(b, a)
        end
      end
      r := c*(if a > b then a else 2*b)
    end
    function p q = inner(x, y)
      p := x**2*y
      q := exp(p)
      p := p + x
    end
    local z, u, v
    z = g(time, 2)
    u v = inner(time, z)
  )");
  const auto number = [&](const std::string& name) {
    for (std::uint32_t f = 0; f < model.functions.size(); ++f)
      if (model.functions[f].name == name) return f;
    return kNoTangent;
  };
  const std::uint32_t g = number("g"), inner = number("inner");
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  for (int round = 0; round < 30; ++round) {
    const std::vector<double> x{uniform(random), uniform(random)};
    compare(model, call_of(model, g, 0, 2), x, 2, 1e-4);
    compare(model, call_of(model, inner, 0, 2), x, 3, 1e-4);
    compare(model, call_of(model, inner, 1, 2), x, 2, 1e-4);
  }
  CHECK(model.functions[tangent_of(model, g)].name == "g'");
  CHECK(tangent_of(model, g) == tangent_of(model, g));
}

TEST_CASE("tables are differentiated by their interpolant") {
  const std::string kind = GENERATE("linear", "cubic", "constant"), outside = GENERATE("hold", "linear");
  FlatModel model = model_of("table t(interpolation=" + kind + ", extrapolation=" + outside +
                             ") = (0, 0; 1, 2; 2, 3; 4, 3.5; 5, 1)\nlocal z\nz = t(time)");
  const Expr x = model.pool.variable(VarId{0});
  CAPTURE(kind, outside);
  for (const double at : {-0.7, 0.3, 0.9, 1.6, 2.2, 3.7, 4.4, 6.1})
    compare(model, model.pool.table_call(0, {&x, 1}), {at}, 2, 1e-5);
  const Expr second = call_derivative(model, call_derivative(model, model.pool.table_call(0, {&x, 1}), 0), 0);
  CHECK(call_derivative(model, second, 0) == nullptr);
  CHECK(model.tables.size() == 3);
  CHECK(model.tables[2].name == "t''");
}

TEST_CASE("tables of two arguments are differentiated by each") {
  FlatModel model = model_of("table t = (0, 1, 2, 4; 1, 3, 5, 2; 3, 4, 8, 9)\nlocal z\nz = t(time, 2)");
  const Expr x[] = {model.pool.variable(VarId{0}), model.pool.variable(VarId{1})};
  for (const double a : {1.2, 2.9})
    for (const double b : {1.3, 3.1}) compare(model, model.pool.table_call(0, x), {a, b}, 2, 1e-5);
  CHECK(model.tables[1].name == "t'x");
}

TEST_CASE("external functions have the derivative that is named") {
  FlatModel model;
  FunctionDefinition f;
  f.external = true;
  f.name = "f";
  f.arguments = 2;
  f.results = 1;
  f.variables = {"a", "b", "f"};
  model.functions.push_back(f);
  f.name = "g";
  f.derivative = "dg";
  model.functions.push_back(f);
  CHECK(call_derivative(model, call_of(model, 0, 0, 2), 0) == nullptr);
  const Expr d = call_derivative(model, call_of(model, 1, 0, 2), 1);
  REQUIRE(d);
  CHECK(model.functions[d->callee()].name == "dg");
  CHECK(model.functions[d->callee()].arguments == 4);
  CHECK(d->child(2)->is_number(0));
  CHECK(d->child(3)->is_number(1));
  CHECK(call_derivative(model, d, 0) == nullptr);
}
