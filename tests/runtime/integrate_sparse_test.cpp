// Sparse Jacobians in CVODE and IDA against dense ones and against the exact solution, by entries and by differences;
// residual forms with unknowns that have no derivative.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/integration.h"

using namespace fmugen::test;

namespace {

// A rod of n cells with its ends kept at 0: x' = c*(left - 2*x + right), one wave at the beginning, which dies out as
// exp(-decay*t) without changing its shape.
struct Rod {
  static constexpr unsigned n = 150;
  static constexpr double c = 500;
  const double pi = std::acos(-1.0);
  const double decay = 4 * c * std::pow(std::sin(pi / (2 * (n + 1))), 2);
  std::vector<unsigned> start{0}, row, colour;
  FmrPattern pattern{};

  Rod() {
    for (unsigned j = 0; j < n; j++) {
      for (unsigned i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) row.push_back(i);
      start.push_back(static_cast<unsigned>(row.size()));
      colour.push_back(j % 3);
    }
    pattern = {n, n, static_cast<unsigned>(row.size()), start.data(), row.data(), 3, colour.data()};
  }

  double shape(unsigned j) const { return std::sin(pi * (j + 1) / (n + 1)); }

  void make(Integration& run) const {
    run.rates = [](double, const double* x, double* rate) {
      for (unsigned j = 0; j < n; j++) {
        rate[j] = c * ((j > 0 ? x[j - 1] : 0) - 2 * x[j] + (j + 1 < n ? x[j + 1] : 0));
      }
      return 0;
    };
    for (unsigned j = 0; j < n; j++) run.x.push_back(shape(j));
    run.pattern = &pattern;
    run.options.tolerance = 1e-7;
  }

  int entries(double* to) const {
    for (unsigned j = 0; j < n; j++) {
      for (unsigned k = start[j]; k < start[j + 1]; k++) *to++ = row[k] == j ? -2 * c : c;
    }
    return 0;
  }
};

}  // namespace

TEST_CASE("a rod cools as it should, with sparse and dense matrices, entries given and by differences") {
  Rod rod;
  for (FmrSolver method : {FMR_SOLVER_CVODE, FMR_SOLVER_IDA}) {
    for (bool sparse : {true, false}) {
      for (bool analytic : {true, false}) {
        CAPTURE(method, sparse, analytic);
        Integration run;
        rod.make(run);
        run.options.method = method;
        run.sparse = sparse;
        if (analytic) run.jacobian = [&](double, const double*, double* entries) { return rod.entries(entries); };
        REQUIRE(run.start());
        REQUIRE(run.advance(1 / rod.decay) == FMR_REACHED);
        for (unsigned j = 0; j < Rod::n; j++) CHECK(run.x[j] == Approx(std::exp(-1) * rod.shape(j)).margin(3e-5));
        CHECK(run.statistics().rates < 1000);
      }
    }
  }
}

TEST_CASE("IDA integrates a residual form, dense and sparse, through many restarts") {
  // Oscillators k = 0..n-1 with x' = y, and unknowns without derivative f = -x (force), e = (x^2 + y^2)/2 (energy):
  // unknowns of oscillator k are states 2k, 2k + 1 and, behind all states, 2k, 2k + 1.
  for (unsigned n : {1u, 30u}) {
    std::vector<unsigned> row, column;
    unsigned unknowns = 4 * n, states = 2 * n;
    for (unsigned k = 0; k < n; k++) {
      auto equation = [&, k](unsigned which, std::initializer_list<unsigned> columns) {
        for (unsigned c : columns) {
          row.push_back(4 * k + which);
          column.push_back(c);
        }
      };
      unsigned x = 2 * k, y = 2 * k + 1, f = states + 2 * k, e = states + 2 * k + 1;
      equation(0, {y, unknowns + x});  // x' - y
      equation(1, {f, unknowns + y});  // y' - f
      equation(2, {x, f});             // f + x
      equation(3, {x, y, e});          // e - (x^2 + y^2)/2
    }
    std::vector<FmrSlot> slot(unknowns);
    FmrResidualForm form{unknowns,   slot.data(),   nullptr, static_cast<unsigned>(row.size()),
                         row.data(), column.data(), nullptr};
    Integration run;
    run.residual_form = &form;
    run.rates = [=](double, const double* x, double* rate) {
      for (unsigned k = 0; k < n; k++) {
        rate[2 * k] = x[2 * k + 1];
        rate[2 * k + 1] = -x[2 * k];
      }
      return 0;
    };
    run.algebraic = [=](double, const double* x, double* y, double* rate) {
      for (unsigned k = 0; k < n; k++) {
        y[2 * k] = x[2 * k];
        y[2 * k + 1] = rate[2 * k] = x[2 * k + 1];
        rate[2 * k + 1] = y[states + 2 * k] = -x[2 * k];
        y[states + 2 * k + 1] = 0.5 * (x[2 * k] * x[2 * k] + x[2 * k + 1] * x[2 * k + 1]);
      }
      return 0;
    };
    run.residual = [=](double, const double* y, const double* rate, double* r) {
      for (unsigned k = 0; k < n; k++) {
        double x = y[2 * k], v = y[2 * k + 1], f = y[states + 2 * k], e = y[states + 2 * k + 1];
        r[4 * k] = rate[2 * k] - v;
        r[4 * k + 1] = rate[2 * k + 1] - f;
        r[4 * k + 2] = f + x;
        r[4 * k + 3] = e - 0.5 * (x * x + v * v);
      }
      return 0;
    };
    run.residual_jacobian = [=](double, const double* y, const double*, double* entries) {
      for (unsigned k = 0; k < n; k++) {
        for (double value : {-1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -y[2 * k], -y[2 * k + 1], 1.0}) *entries++ = value;
      }
      return 0;
    };
    run.options.method = FMR_SOLVER_IDA;
    run.options.tolerance = 1e-8;
    run.sparse = true;
    for (unsigned k = 0; k < n; k++) run.x.insert(run.x.end(), {std::cos(0.1 * k), -std::sin(0.1 * k)});
    for (int k = 1; k <= 10; k++) {
      REQUIRE(run.start());
      REQUIRE(run.advance(k) == FMR_REACHED);
    }
    for (unsigned k = 0; k < n; k++) CHECK(run.x[2 * k] == Approx(std::cos(10 + 0.1 * k)).margin(3e-6));
    CHECK(run.statistics().steps < 5000);
  }
}

TEST_CASE("a Jacobian that cannot be computed ends in a message") {
  Rod rod;
  Integration run;
  rod.make(run);
  run.options.method = FMR_SOLVER_CVODE;
  run.jacobian = [](double, const double*, double*) { return -1; };
  REQUIRE(run.start());
  CHECK(run.advance(1) == FMR_STUCK);
  CHECK(run.message ==
        "the integration stops at time 0 on the way to 1, since the Jacobian could not be computed or factored");
}
