// Nonlinear loops of several unknowns: classical hard ones, a transistor, inner unknowns, loops in loops, old factors.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/runtime/solve_host.h"

using fmugen::test::SolveHost;

namespace {

// Slots of all systems here: 0 time, 1 p, 2.. unknowns.
const FmrSlot slots[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};

FmrNonlinearBlock system(unsigned n, int (*residual)(FmrData*, double*), int (*tangent)(FmrData*, double*) = nullptr) {
  return {0, n, slots, 0, nullptr, nullptr, nullptr, nullptr, residual, tangent, {0, nullptr, nullptr}};
}

double solve(SolveHost& host, const FmrNonlinearBlock& block) {
  REQUIRE(fmr_solve_nonlinear(host.m(), &block) == 0);
  CHECK(host.last_error() == "");
  std::vector<double> r(block.n);
  block.residual(host.m(), r.data());
  double most = 0;
  for (double value : r) most = std::fmax(most, std::fabs(value));
  return most;
}

}  // namespace

TEST_CASE("Rosenbrock's valley") {
  FmrNonlinearBlock block = system(2, [](FmrData* m, double* r) {
    r[0] = 10 * (m->v[3] - m->v[2] * m->v[2]);
    r[1] = 1 - m->v[2];
    return 0;
  });
  SolveHost host(4, {}, {&block});
  host.v = {0, 0, -1.2, 1};
  CHECK(solve(host, block) < 1e-8);
  CHECK(host.v[2] == Approx(1));
}

TEST_CASE("Powell's badly scaled function") {
  FmrNonlinearBlock block = system(2, [](FmrData* m, double* r) {
    r[0] = 1e4 * m->v[2] * m->v[3] - 1;
    r[1] = std::exp(-m->v[2]) + std::exp(-m->v[3]) - 1.0001;
    return 0;
  });
  SolveHost host(4, {}, {&block});
  host.v = {0, 0, 0, 1};
  CHECK(solve(host, block) < 1e-9);
  CHECK(host.v[3] == Approx(9.106146739867).epsilon(1e-7));
}

TEST_CASE("the helical valley") {
  FmrNonlinearBlock block = system(3, [](FmrData* m, double* r) {
    double x = m->v[2], y = m->v[3], z = m->v[4];
    double angle = std::atan2(y, x) / (2 * std::acos(-1.0));
    r[0] = 10 * (z - 10 * angle);
    r[1] = 10 * (std::hypot(x, y) - 1);
    r[2] = z;
    return 0;
  });
  SolveHost host(5, {}, {&block});
  host.v = {0, 0, -1, 0, 0};
  CHECK(solve(host, block) < 1e-8);
  CHECK(host.v[2] == Approx(1));
}

TEST_CASE("a transistor switched on from zero, by the equations of Ebers and Moll") {
  // Base over 5.6 kOhm to p volts, collector over 1 kOhm to 6 V; unknown are the voltages of base and collector.
  FmrNonlinearBlock block = system(2, [](FmrData* m, double* r) {
    auto diode = [](double u) { return 1e-14 * (std::exp(u / 0.02585) - 1); };
    double base = m->v[2], collector = m->v[3];
    double forward = diode(base), reverse = diode(base - collector);
    double into_collector = forward - reverse / 0.5, into_base = forward / 100 + reverse;
    r[0] = (m->v[1] - base) / 5600 - into_base;
    r[1] = (6 - collector) / 1000 - into_collector;
    return 0;
  });
  for (double p : {0.5, 1.0, 5.0, 50.0}) {
    CAPTURE(p);
    SolveHost host(4, {}, {&block});
    host.v = {0, p, 0, 0};
    CHECK(solve(host, block) < 1e-8);
    CHECK(host.v[2] == Approx(p < 0.6 ? 0.5 : 0.7).margin(0.1));
    CHECK((p > 1.5 ? host.v[3] < 0.3 : host.v[3] > 0.3));
  }
}

TEST_CASE("a continuation finds what no guess leads to") {
  // Each equation is flat far from its solution.
  FmrNonlinearBlock block = system(2, [](FmrData* m, double* r) {
    r[0] = std::atan(m->v[2] + m->v[3] - 40) + 0.5;
    r[1] = std::atan(m->v[2] - m->v[3] + 300) - 1.0;
    return 0;
  });
  SolveHost host(4, {}, {&block});
  CHECK(solve(host, block) < 1e-9);
  double sum = 40 - std::tan(0.5), difference = -300 + std::tan(1.0);
  CHECK(host.v[2] == Approx((sum + difference) / 2));
  CHECK(host.v[3] == Approx((sum - difference) / 2));
}

TEST_CASE("Broyden's tridiagonal system follows a parameter with few evaluations by old factors") {
  static int residuals, tangents;
  constexpr unsigned n = 20;
  FmrNonlinearBlock block = system(
      n,
      [](FmrData* m, double* r) {
        residuals++;
        const double* x = m->v + 2;
        for (unsigned k = 0; k < n; k++) {
          r[k] = (3 - 2 * x[k]) * x[k] - (k > 0 ? x[k - 1] : 0) - 2 * (k + 1 < n ? x[k + 1] : 0) + m->v[1];
        }
        return 0;
      },
      [](FmrData* m, double* r) {
        tangents++;
        const double *x = m->v + 2, *d = m->d + 2;
        for (unsigned k = 0; k < n; k++) {
          r[k] = (3 - 4 * x[k]) * d[k] - (k > 0 ? d[k - 1] : 0) - 2 * (k + 1 < n ? d[k + 1] : 0) + m->d[1];
        }
        return 0;
      });
  SolveHost host(2 + n, {}, {&block});
  for (unsigned k = 0; k < n; k++) host.v[2 + k] = -1;
  host.v[1] = 1;
  CHECK(solve(host, block) < 1e-9);
  residuals = tangents = 0;
  for (int k = 1; k <= 10; k++) {
    host.v[1] = 1 + 1e-3 * k;
    CHECK(solve(host, block) < 1e-9);
  }
  CHECK(tangents == 0);
  CHECK(residuals <= 60);

  // Tangents against differences, with exact factors though the solution used old ones.
  std::vector<double> before = host.v;
  host.d[1] = 1;
  REQUIRE(fmr_tangent_nonlinear(host.m(), &block) == 0);
  host.v[1] += 1e-5;
  solve(host, block);
  for (unsigned k = 0; k < n; k++) {
    CHECK(host.d[2 + k] == Approx((host.v[2 + k] - before[2 + k]) / 1e-5).epsilon(1e-4).margin(1e-7));
  }
  for (double* scratch : host.store->tangents) {
    for (unsigned k = 0; scratch && k < 2 + n; k++) REQUIRE(scratch[k] == 0);
  }
}

TEST_CASE("inner unknowns and their tangents follow the tearing variable") {
  // y = x^2 (inner), x + y = p.
  static const FmrSlot inner[] = {3};
  FmrNonlinearBlock block = system(
      1,
      [](FmrData* m, double* r) {
        m->v[3] = m->v[2] * m->v[2];
        r[0] = m->v[2] + m->v[3] - m->v[1];
        return 0;
      },
      [](FmrData* m, double* r) {
        m->d[3] = 2 * m->v[2] * m->d[2];
        r[0] = m->d[2] + m->d[3] - m->d[1];
        return 0;
      });
  block.inner = 1;
  block.inner_unknown = inner;
  SolveHost host(4, {}, {&block});
  host.v = {0, 6, 1, 0};
  solve(host, block);
  CHECK(host.v[2] == Approx(2));
  CHECK(host.v[3] == Approx(4));
  host.d[1] = 1;
  REQUIRE(fmr_tangent_nonlinear(host.m(), &block) == 0);
  CHECK(host.d[2] == Approx(0.2));
  CHECK(host.d[3] == Approx(0.8));
}

TEST_CASE("a loop in a loop is solved at every trial point, and its failures there are no errors") {
  // Inner: y*y = x, which has no solution for x < 0. Outer: x + 10*y = p, whose first step is below.
  static const FmrSlot slot_x[] = {2}, slot_y[] = {3};
  static FmrNonlinearBlock inner, outer;
  inner = {1,
           1,
           slot_y,
           0,
           nullptr,
           nullptr,
           nullptr,
           nullptr,
           [](FmrData* m, double* r) {
             r[0] = m->v[3] * m->v[3] - m->v[2];
             return 0;
           },
           [](FmrData* m, double* r) {
             r[0] = 2 * m->v[3] * m->d[3] - m->d[2];
             return 0;
           },
           {0, nullptr, nullptr}};
  outer = {0,
           1,
           slot_x,
           1,
           slot_y,
           nullptr,
           nullptr,
           nullptr,
           [](FmrData* m, double* r) {
             if (fmr_solve_nonlinear(m, &inner)) return 1;
             r[0] = m->v[2] + 10 * m->v[3] - m->v[1];
             return 0;
           },
           [](FmrData* m, double* r) {
             if (fmr_tangent_nonlinear(m, &inner)) return 1;
             r[0] = m->d[2] + 10 * m->d[3] - m->d[1];
             return 0;
           },
           {0, nullptr, nullptr}};
  SolveHost host(4, {}, {&outer, &inner});
  host.v = {0, 2.1, 100, 10};
  REQUIRE(fmr_solve_nonlinear(host.m(), &outer) == 0);
  CHECK(host.v[2] + 10 * std::sqrt(host.v[2]) == Approx(2.1));
  CHECK(host.last_error() == "");
  host.d[1] = 1;
  REQUIRE(fmr_tangent_nonlinear(host.m(), &outer) == 0);
  CHECK(host.d[2] == Approx(1 / (1 + 5 / std::sqrt(host.v[2]))));
}
