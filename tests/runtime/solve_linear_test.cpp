// Linear loops: what is factored when, dense against sparse, tangents, and the message about a singular matrix.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/runtime/solve_host.h"

using fmugen::test::SolveHost;

namespace {

// Slots: 0 time, 1 p, 2 q, 3 x, 4 y.   p*x + y = q, x - y = 1
int matrix_calls = 0;
const unsigned small_start[] = {0, 2, 4}, small_row[] = {0, 1, 0, 1};
const FmrSlot small_unknown[] = {3, 4};
const char* const small_equation[] = {"p*x + y = q   (loop.dym:3)", "x - y = 1   (loop.dym:4)"};
const char* const small_name[] = {"x", "y"};

void small_matrix(FmrData* m, double* a) {
  matrix_calls++;
  const double entries[] = {m->v[1], 1, 1, -1};
  for (int k = 0; k < 4; k++) a[k] = entries[k];
}

void small_right(FmrData* m, double* b) {
  b[0] = m->v[2];
  b[1] = 1;
}

void small_tangent(FmrData* m, double* b) {
  b[0] = m->d[2] - m->d[1] * m->v[3];
  b[1] = 0;
}

FmrLinearBlock small_block(int constant) {
  return {0,
          2,
          4,
          small_start,
          small_row,
          small_unknown,
          constant,
          small_matrix,
          small_right,
          small_tangent,
          {2, small_equation, small_name}};
}

// A ladder of n equations, -x[k-1] + (2 + p)*x[k] - x[k+1] = k: slots 0 time, 1 p, 2.. x.
struct Ladder {
  static constexpr unsigned n = 300;
  std::vector<unsigned> start{0}, row;
  std::vector<FmrSlot> unknown;
  FmrLinearBlock block{};
  Ladder() {
    for (unsigned j = 0; j < n; j++) {
      if (j > 0) row.push_back(j - 1);
      row.push_back(j);
      if (j + 1 < n) row.push_back(j + 1);
      start.push_back(static_cast<unsigned>(row.size()));
      unknown.push_back(2 + j);
    }
    block.n = n;
    block.entries = static_cast<unsigned>(row.size());
    block.column_start = start.data();
    block.row = row.data();
    block.unknown = unknown.data();
    block.matrix = [](FmrData* m, double* a) {
      for (unsigned j = 0; j < n; j++) {
        if (j > 0) *a++ = -1;
        *a++ = 2 + m->v[1];
        if (j + 1 < n) *a++ = -1;
      }
    };
    block.right = [](FmrData*, double* b) {
      for (unsigned k = 0; k < n; k++) b[k] = k;
    };
    block.tangent_right = [](FmrData* m, double* b) {
      for (unsigned k = 0; k < n; k++) b[k] = -m->d[1] * m->v[2 + k];
    };
  }
};

}  // namespace

TEST_CASE("a linear loop is solved, and factored anew only if its entries change") {
  FmrLinearBlock block = small_block(0);
  SolveHost host(5, {&block});
  host.v = {0, 1, 3, 0, 0};
  REQUIRE(fmr_solve_linear(host.m(), &block) == 0);
  CHECK(host.v[3] == Approx(2));
  CHECK(host.v[4] == Approx(1));
  host.v[1] = 3;
  REQUIRE(fmr_solve_linear(host.m(), &block) == 0);
  CHECK(host.v[3] == Approx(1));
  CHECK(host.v[4] == Approx(0).margin(1e-15));
}

TEST_CASE("a constant matrix is fetched once, and again after parameters changed") {
  FmrLinearBlock block = small_block(1);
  SolveHost host(5, {&block});
  host.v = {0, 1, 3, 0, 0};
  matrix_calls = 0;
  for (int k = 0; k < 5; k++) REQUIRE(fmr_solve_linear(host.m(), &block) == 0);
  CHECK(matrix_calls == 1);
  host.v[1] = 3;
  fmr_solve_store_parameters_changed(host.store);
  REQUIRE(fmr_solve_linear(host.m(), &block) == 0);
  CHECK(matrix_calls == 2);
  CHECK(host.v[3] == Approx(1));
}

TEST_CASE("tangents of a linear loop are its derivatives") {
  FmrLinearBlock block = small_block(0);
  SolveHost host(5, {&block});
  host.v = {0, 1, 3, 0, 0};
  REQUIRE(fmr_solve_linear(host.m(), &block) == 0);
  host.d[1] = 1;  // x = (q + 1)/(p + 1): dx/dp = -x/(p + 1)
  REQUIRE(fmr_tangent_linear(host.m(), &block) == 0);
  CHECK(host.d[3] == Approx(-1));
  CHECK(host.d[4] == Approx(-1));
}

TEST_CASE("a singular linear loop is reported with its time, equations and pivot, and solvable again afterwards") {
  FmrLinearBlock block = small_block(0);
  SolveHost host(5, {&block});
  host.v = {0.25, -1, 3, 0, 0};
  CHECK(fmr_solve_linear(host.m(), &block) != 0);
  REQUIRE(host.reports.size() == 1);
  CHECK(host.reports[0].level == FMR_ERROR);
  CHECK(host.reports[0].category == "logSingularLinearSystems");
  CHECK(host.reports[0].text ==
        "at time 0.25: these equations have no unique solution for x, y, since nothing determines y (pivot 0):\n"
        "  p*x + y = q   (loop.dym:3)\n"
        "  x - y = 1   (loop.dym:4)");
  host.v[1] = 1;
  REQUIRE(fmr_solve_linear(host.m(), &block) == 0);
  CHECK(host.v[3] == Approx(2));
  host.v[1] = NAN;
  CHECK(fmr_solve_linear(host.m(), &block) != 0);
  CHECK(host.last_error() ==
        "at time 0.25: a coefficient of x is nan in:\n"
        "  p*x + y = q   (loop.dym:3)\n"
        "  x - y = 1   (loop.dym:4)");
}

TEST_CASE("dependent equations without contradiction change as little as possible, with one warning") {
  FmrLinearBlock block = small_block(0);
  SolveHost host(5, {&block});
  host.v = {0.25, -1, -1, 7, 5};  // -x + y = -1, x - y = 1
  for (int k = 0; k < 3; k++) REQUIRE(fmr_solve_linear(host.m(), &block) == 0);
  CHECK(host.v[3] - host.v[4] == Approx(1));
  CHECK((host.v[3] == 7 || host.v[4] == 5));
  REQUIRE(host.reports.size() == 1);
  CHECK(host.reports[0].level == FMR_WARNING);
  CHECK(host.reports[0].text ==
        "at time 0.25: these equations do not determine y, which keeps its value where it can:\n"
        "  p*x + y = q   (loop.dym:3)\n"
        "  x - y = 1   (loop.dym:4)");
}

TEST_CASE("sparse and dense factors agree") {
  Ladder ladder;
  SolveHost dense(2 + Ladder::n, {&ladder.block}), sparse(2 + Ladder::n, {&ladder.block}, {}, true);
  REQUIRE(dense.store->linear[0].sparse == nullptr);
  REQUIRE(sparse.store->linear[0].sparse != nullptr);
  for (double p : {0.5, 1e-6, 4.0}) {
    dense.v[1] = sparse.v[1] = p;
    REQUIRE(fmr_solve_linear(dense.m(), &ladder.block) == 0);
    REQUIRE(fmr_solve_linear(sparse.m(), &ladder.block) == 0);
    dense.d.assign(dense.d.size(), 0);
    sparse.d.assign(sparse.d.size(), 0);
    dense.d[1] = sparse.d[1] = 1;
    REQUIRE(fmr_tangent_linear(dense.m(), &ladder.block) == 0);
    REQUIRE(fmr_tangent_linear(sparse.m(), &ladder.block) == 0);
    for (unsigned k = 0; k < Ladder::n; k++) {
      CHECK(sparse.v[2 + k] == Approx(dense.v[2 + k]).epsilon(1e-10));
      CHECK(sparse.d[2 + k] == Approx(dense.d[2 + k]).epsilon(1e-9).margin(1e-9));
    }
  }
}

TEST_CASE("a singular sparse matrix is found, also one that rounding hides, and forgotten afterwards") {
  Ladder ladder;
  // Conductances between neighbours and, of p, to ground: singular without that.
  ladder.block.matrix = [](FmrData* m, double* a) {
    auto conductance = [](unsigned j) { return j + 1 < Ladder::n ? 0.1 * (j % 7 + 1) : 0.0; };
    for (unsigned j = 0; j < Ladder::n; j++) {
      double left = j > 0 ? conductance(j - 1) : 0.0, right = conductance(j);
      if (j > 0) *a++ = -left;
      *a++ = left + right + m->v[1];
      if (j + 1 < Ladder::n) *a++ = -right;
    }
  };
  SolveHost host(2 + Ladder::n, {&ladder.block}, {}, true);
  host.v[1] = 0;
  CHECK(fmr_solve_linear(host.m(), &ladder.block) != 0);
  CHECK(host.last_error().find("no unique solution for variable 2, variable 3, ") != std::string::npos);
  host.v[1] = 1;
  CHECK(fmr_solve_linear(host.m(), &ladder.block) == 0);
  host.v[1] = NAN;
  CHECK(fmr_solve_linear(host.m(), &ladder.block) != 0);
  host.v[1] = 1;
  CHECK(fmr_solve_linear(host.m(), &ladder.block) == 0);
}
