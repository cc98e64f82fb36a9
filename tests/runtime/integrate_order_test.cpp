// The order of the BDF is limited where oscillations that are hardly damped make higher orders unstable, and only there.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/integration.h"

extern "C" {
#include "fmu-runtime/integrate/order_cap.h"
}

using namespace fmugen::test;

namespace {

// A transmission line of `cells`, switched on through a filter, with its wave resistance at the end: states are the
// filter's output and slope, then current and voltage of each cell. At the end of 4 us it has settled.
struct Line {
  static constexpr double w = 5e6, r = 48e-6, l = 253e-9, c = 101e-12, length = 100.0;
  unsigned cells, n = 2 * cells + 2;
  double load = std::sqrt(l / c), resistance = r * length / cells, by_l = cells / (l * length),
         by_c = cells / (c * length);
  std::vector<unsigned> start{0}, row, colour;
  FmrPattern pattern{};

  explicit Line(unsigned count) : cells(count) {
    for (unsigned j = 0; j < n; j++) {  // a band of three each side holds all
      for (unsigned i = j > 2 ? j - 3 : 0; i <= j + 3 && i < n; i++) row.push_back(i);
      start.push_back(static_cast<unsigned>(row.size()));
      colour.push_back(j % 7);
    }
    pattern = {n, n, static_cast<unsigned>(row.size()), start.data(), row.data(), 7, colour.data()};
  }

  void make(Integration& run, FmrSolver method) const {
    run.rates = [this](double, const double* x, double* rate) {
      rate[0] = x[1];
      rate[1] = w * (w * (1 - x[0]) - 2 * x[1]);
      for (unsigned i = 2; i < n; i += 2) {
        rate[i] = ((i > 2 ? x[i - 1] : x[0]) - resistance * x[i] - x[i + 1]) * by_l;
        rate[i + 1] = (x[i] - (i + 2 < n ? x[i + 2] : x[i + 1] / load)) * by_c;
      }
      return 0;
    };
    run.x.assign(n, 0.0);
    run.pattern = &pattern;
    run.sparse = true;
    run.options.method = method;
    run.options.tolerance = 1e-8;
  }

  double settled() const { return load / (load + r * length); }
};

}  // namespace

TEST_CASE("a wave on a long line is followed with order 2, cheaper than by Adams' method") {
  const Line line(400);
  Integration bdf, adams;
  line.make(bdf, FMR_SOLVER_CVODE);
  line.make(adams, FMR_SOLVER_ADAMS);
  REQUIRE(bdf.start());
  REQUIRE(bdf.advance(4e-6) == FMR_REACHED);
  CHECK(bdf.x.back() == Approx(line.settled()).margin(2e-5));
  CHECK(bdf.note.find("the order of the BDF is at most 2 from time ") == 0);
  REQUIRE(adams.start());
  REQUIRE(adams.advance(4e-6) == FMR_REACHED);
  CHECK(adams.note.empty());
  CHECK(bdf.statistics().rates < 1.5 * adams.statistics().rates);
}

TEST_CASE("a short line, whose fastest oscillation takes part, keeps high orders") {
  const Line line(40);
  Integration run;
  line.make(run, FMR_SOLVER_CVODE);
  REQUIRE(run.start());
  REQUIRE(run.advance(4e-6) == FMR_REACHED);
  CHECK(run.x.back() == Approx(line.settled()).margin(5e-5));
  CHECK(run.note.empty());
}

TEST_CASE("the fastest motion is an oscillation or is not") {
  const unsigned column_start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
  const auto frequency = [&](std::vector<double> columns) {
    FmrOrderCap cap{};
    fmr_order_cap_look(&cap, 2, column_start, row, columns.data());
    CHECK(cap.phase == FmrOrderCap::FMR_ORDER_FREE);
    return cap.frequency;
  };
  CHECK(frequency({0, -9, 1, 0}) == Approx(3));               // x' = y, y' = -9*x
  CHECK(frequency({-0.01, -9, 1, -0.01}) == Approx(3).epsilon(0.01));  // hardly damped
  CHECK(frequency({-3, 0, 0, -1}) == 0.0);                    // two lags
  CHECK(frequency({0, 9, 1, 0}) == 0.0);                      // it runs away without oscillating
  CHECK(frequency({0, 0, 0, 0}) == 0.0);                      // nothing moves
}

TEST_CASE("the limit is tried from the first step on and lifted if steps stay short") {
  FmrOrderCap cap{};
  cap.phase = FmrOrderCap::FMR_ORDER_FREE;
  cap.frequency = 1.0;
  double t = 0.0;
  CHECK(fmr_order_cap_step(&cap, t) == FMR_ORDER_LIMIT);
  SECTION("short steps") {
    int lifted = 0;
    for (int k = 0; k < 1000; k++) lifted += fmr_order_cap_step(&cap, t += 0.05) == FMR_ORDER_MOST;
    CHECK(lifted == 1);
    CHECK(fmr_order_cap_restart(&cap) == FMR_ORDER_MOST);
    CHECK(fmr_order_cap_step(&cap, t) == FMR_ORDER_LIMIT);  // once more after an event
  }
  SECTION("long steps") {
    for (int k = 0; k < 1000; k++) CHECK(fmr_order_cap_step(&cap, t += 0.5) == 0);
    CHECK(cap.phase == FmrOrderCap::FMR_ORDER_CAPPED);
    CHECK(fmr_order_cap_restart(&cap) == FMR_ORDER_LIMIT);
  }
}
