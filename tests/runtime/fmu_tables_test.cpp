// Tables: values and derivatives at, between and outside the points.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/fmu.h"
extern "C" {
#include "fmu-runtime/instance/instance.h"
}

namespace fmugen::tests {

namespace {

struct Tables {
  Tables() : instance(fmr_instance_new(&decay_model())) {}
  ~Tables() { fmr_instance_free(instance); }
  double operator()(const FmrTable& table, double x, unsigned order = 0) const {
    return fmr_table_1d(&instance->data, &table, x, order);
  }
  double operator()(const FmrTable& table, double x, double y, unsigned order_x, unsigned order_y) const {
    return fmr_table_2d(&instance->data, &table, x, y, order_x, order_y);
  }
  FmrInstance* instance;
};

const double kX[] = {0, 1, 2, 4}, kF[] = {0, 1, 4, 16};

}  // namespace

TEST_CASE("linear tables") {
  const Tables at;
  const FmrTable hold{4, 0, kX, nullptr, kF, 0, 0, "f"}, go_on{4, 0, kX, nullptr, kF, 0, 1, "f"};
  CHECK(at(hold, 1.5) == 2.5);
  CHECK(at(hold, 2) == 4);
  CHECK(at(hold, 4) == 16);
  CHECK(at(hold, 9) == 16);
  CHECK(at(hold, -9) == 0);
  CHECK(at(hold, 1.5, 1) == 3);
  CHECK(at(hold, 1.5, 2) == 0);
  CHECK(at(hold, 9, 1) == 0);
  CHECK(at(go_on, 5) == 22);
  CHECK(at(go_on, 5, 1) == 6);
  CHECK(at(go_on, -1) == -1);
  CHECK(std::isnan(at(hold, std::nan(""))));
}

TEST_CASE("constant tables take the point to the left") {
  const Tables at;
  const FmrTable f{4, 0, kX, nullptr, kF, 1, 1, "f"};
  CHECK(at(f, 0.99) == 0);
  CHECK(at(f, 1) == 1);
  CHECK(at(f, 4) == 16);
  CHECK(at(f, 5) == 16);
  CHECK(at(f, -1) == 0);
  CHECK(at(f, 1.5, 1) == 0);
}

TEST_CASE("cubic tables pass through the points, smoothly, and rise where these rise") {
  const Tables at;
  const FmrTable f{4, 0, kX, nullptr, kF, 2, 1, "f"};
  for (int k = 0; k < 4; k++) CHECK(at(f, kX[k]) == Approx(kF[k]));
  double before = at(f, 0);
  for (double x = 0.01; x < 4; x += 0.01) {
    CHECK(at(f, x) >= before);
    before = at(f, x);
    CHECK(at(f, x, 1) == Approx((at(f, x + 1e-6) - at(f, x - 1e-6)) / 2e-6).epsilon(1e-5).margin(1e-8));
    if (std::abs(x - std::round(x)) > 1e-3)
      CHECK(at(f, x, 2) == Approx((at(f, x + 1e-6, 1) - at(f, x - 1e-6, 1)) / 2e-6).epsilon(1e-5).margin(1e-7));
  }
  CHECK(at(f, 5) == Approx(16 + at(f, 4, 1)));
  const double flat[] = {1, 1, 2, 2};
  const FmrTable step{4, 0, kX, nullptr, flat, 2, 0, "step"};
  CHECK(at(step, 0.5) == 1);
  CHECK(at(step, 3) == 2);
}

TEST_CASE("tables with two arguments") {
  const Tables at;
  const double x[] = {0, 1, 3}, y[] = {0, 2};
  const double plane[] = {0, 4, 3, 7, 9, 13};  // 3x + 2y
  for (const int kind : {0, 2}) {
    const FmrTable f{3, 2, x, y, plane, kind, 1, "plane"};
    CHECK(at(f, 0.3, 1.2, 0, 0) == Approx(3 * 0.3 + 2 * 1.2));
    CHECK(at(f, 2, 1, 1, 0) == Approx(3));
    CHECK(at(f, 2, 1, 0, 1) == Approx(2));
    CHECK(at(f, 2, 1, 1, 1) == Approx(0).margin(1e-14));
    CHECK(at(f, 5, -1, 0, 0) == Approx(13));
  }
  const FmrTable hold{3, 2, x, y, plane, 0, 0, "plane"};
  CHECK(at(hold, 5, 1, 0, 0) == Approx(11));
  CHECK(at(hold, 5, 1, 1, 0) == 0);
}

TEST_CASE("a table may refuse to be left") {
  const Tables at;
  const FmrTable f{4, 0, kX, nullptr, kF, 0, 2, "air"};
  CHECK(at(f, 4) == 16);
  CHECK(std::isnan(at(f, 4.5)));
  CHECK(std::string(fmr_failure(at.instance, "")) == "table 'air' has no value at 4.5, at time 0: it goes from 0 to 4");
}

}  // namespace fmugen::tests
