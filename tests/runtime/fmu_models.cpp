// The models of fmu_models.h.
#include "tests/runtime/fmu_models.h"

#include <cmath>
#include <limits>

namespace fmugen::tests {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr unsigned char kExposed = FMR_EXPOSED, kState = FMR_EXPOSED | FMR_STATE | FMR_START,
                        kInput = FMR_EXPOSED | FMR_INPUT, kParameter = FMR_EXPOSED | FMR_PARAMETER,
                        kTunable = FMR_EXPOSED | FMR_PARAMETER | FMR_TUNABLE;

int nothing(FmrData*) { return 0; }

// What all models have in common.
FmrModel empty(const char* name, unsigned values, const double* start, const unsigned char* role) {
  FmrModel m{};
  m.interface_version = FMR_INTERFACE_VERSION;
  m.name = name;
  m.guid = name;
  m.values = values;
  m.start = start;
  m.role = role;
  m.parameters = m.initial = m.dynamic = m.outputs = nothing;
  m.solver = FMR_SOLVER_DOPRI45;
  m.tolerance = 1e-8;
  m.stop_time = 10;
  m.step = 0.02;
  return m;
}

// ---- decay ----------------------------------------------------------------------------------------------------------

int decay_parameters(FmrData* m) {
  using namespace decay;
  m->v[twice_k] = 2 * m->v[k];
  return 0;
}
int decay_dynamic(FmrData* m) {
  using namespace decay;
  m->v[der_x] = -m->v[k] * m->v[x] + m->v[u];
  return 0;
}
int decay_outputs(FmrData* m) {
  using namespace decay;
  m->v[y] = 2 * m->v[x] + m->v[u];
  return 0;
}
int decay_initial(FmrData* m) { return decay_dynamic(m) + decay_outputs(m); }
int decay_tangent(FmrData* m) {
  using namespace decay;
  m->d[der_x] = -m->v[k] * m->d[x] - m->d[k] * m->v[x] + m->d[u];
  return 0;
}
int decay_tangent_outputs(FmrData* m) {
  using namespace decay;
  m->d[y] = 2 * m->d[x] + m->d[u];
  return 0;
}

}  // namespace

const FmrModel& decay_model() {
  using namespace decay;
  static const double start[slots] = {0, 1, 0, 0, 1, 0, 0};
  static const unsigned char role[slots] = {kExposed, kState, kExposed, kInput, kTunable, kExposed, kExposed};
  static const FmrSlot state[] = {x}, rate[] = {der_x}, input[] = {u}, negated[] = {y};
  static const unsigned column_start[] = {0, 1}, row[] = {0}, colour[] = {0};
  static const FmrPattern pattern{1, 1, 1, column_start, row, 1, colour};
  static const FmrModel model = [] {
    FmrModel m = empty("decay", slots, start, role);
    m.negated_count = 1;
    m.negated = negated;
    m.states = 1;
    m.state = state;
    m.rate = rate;
    m.inputs = 1;
    m.input = input;
    m.parameters = decay_parameters;
    m.initial = decay_initial;
    m.dynamic = decay_dynamic;
    m.outputs = decay_outputs;
    m.tangent = decay_tangent;
    m.tangent_outputs = decay_tangent_outputs;
    m.jacobian = &pattern;
    return m;
  }();
  return model;
}

// ---- ball -----------------------------------------------------------------------------------------------------------

const FmrModel& ball_model() {
  using namespace ball;
  static const double start[slots] = {0, 1, 0, 0, 0, 0.8, 0};
  static const unsigned char role[slots] = {kExposed, kState, kState, kExposed, kInput, kParameter, kExposed};
  static const FmrSlot state[] = {h, v}, rate[] = {v, der_v}, input[] = {lift}, pre[] = {v, bounces},
                       discrete[] = {bounces};
  static const FmrRelation relation[] = {{FMR_LESS, 0, "h < 0   (ball.dym:7)"}};
  static const unsigned clause[] = {0};
  static const FmrModel model = [] {
    FmrModel m = empty("ball", slots, start, role);
    m.states = 2;
    m.state = state;
    m.rate = rate;
    m.inputs = 1;
    m.input = input;
    m.initial = m.dynamic = [](FmrData* d) {
      d->v[der_v] = d->v[lift] - 9.81;
      return 0;
    };
    m.relations = 1;
    m.relation = relation;
    m.crossings = [](FmrData* d, double* z) { z[0] = d->v[h]; };
    m.pre_count = 2;
    m.pre = pre;
    m.discrete = 1;
    m.discrete_slot = discrete;
    m.branches = 1;
    m.clause = clause;
    m.conditions = [](FmrData* d, double* w) { w[0] = d->held[0]; };
    m.act = [](FmrData* d, unsigned) -> int {
      d->v[bounces] = d->pre[1] + 1;
      d->v[v] = -d->v[e] * d->pre[0];
      return FMR_ACT_STATES;
    };
    return m;
  }();
  return model;
}

// ---- sampled --------------------------------------------------------------------------------------------------------

const FmrModel& sampled_model() {
  using namespace sampled;
  static const double start[slots] = {};
  static const unsigned char role[slots] = {kExposed, kState, kExposed, kExposed, kExposed, kExposed};
  static const FmrSlot state[] = {s}, rate[] = {der_s}, sample_state[] = {i}, sample_next[] = {next_i};
  static const FmrSample sample[] = {{1, sample_state, sample_next,
                                      [](FmrData*, double* period, double* offset) {
                                        *period = 0.1;
                                        *offset = kNone;
                                      },
                                      [](FmrData* d) {
                                        d->v[next_i] = d->v[i] + 0.1 * d->v[s];
                                        d->v[out] = d->v[i];
                                        return 0;
                                      },
                                      "controller", nullptr, 0, 0, nullptr, nullptr}};
  static const FmrModel model = [] {
    FmrModel m = empty("sampled", slots, start, role);
    m.states = 1;
    m.state = state;
    m.rate = rate;
    m.initial = m.dynamic = [](FmrData* d) {
      d->v[der_s] = 1 - d->v[out];
      return 0;
    };
    m.samples = 1;
    m.sample = sample;
    return m;
  }();
  return model;
}

// ---- switches -------------------------------------------------------------------------------------------------------

const FmrModel& switch_model() {
  using namespace switches;
  static const double start[slots] = {};
  static const unsigned char boolean = FMR_EXPOSED | FMR_BOOLEAN;
  static const unsigned char role[slots] = {kExposed, kInput, boolean, boolean, kExposed, kExposed};
  static const FmrSlot input[] = {u}, pre[] = {count}, discrete[] = {count};
  static const FmrRelation relation[] = {{FMR_LESS, 1, "time > 0.5   (switch.dym:1)"},
                                         {FMR_LESS_EQUAL, 1, "time >= 0.25   (switch.dym:2)"},
                                         {FMR_LESS, 0, "u > 0   (switch.dym:3)"},
                                         {FMR_LESS, 1, "time > 2   (switch.dym:4)"}};
  static const unsigned clause[] = {0, 1};
  static const FmrCheck termination[] = {{"time is up"}};
  static const FmrModel model = [] {
    FmrModel m = empty("switch", slots, start, role);
    m.inputs = 1;
    m.input = input;
    m.initial = m.dynamic = [](FmrData* d) {
      d->v[on] = d->held[0];
      d->v[positive] = d->held[2];
      d->v[y] = d->v[on] != 0 ? 1 : 0;
      return 0;
    };
    m.relations = 4;
    m.relation = relation;
    m.crossings = [](FmrData* d, double* z) {
      z[0] = 0.5 - d->late;
      z[1] = 0.25 - d->late;
      z[2] = 0 - d->v[u];
      z[3] = 2 - d->late;
    };
    m.instants = [](FmrData*, double* t) {
      t[0] = 0.5;
      t[1] = 0.25;
      t[3] = 2;
    };
    m.pre_count = 1;
    m.pre = pre;
    m.discrete = 1;
    m.discrete_slot = discrete;
    m.branches = 2;
    m.clause = clause;
    m.conditions = [](FmrData* d, double* w) {
      w[0] = d->held[1];
      w[1] = d->v[on];
    };
    m.act = [](FmrData* d, unsigned) -> int {
      d->v[count] = d->pre[0] + 1;
      return 0;
    };
    m.terminations = 1;
    m.termination = termination;
    m.conditions_of_run = [](FmrData* d, double*, double* end) { end[0] = d->held[3]; };
    return m;
  }();
  return model;
}

// ---- pendulum -------------------------------------------------------------------------------------------------------

namespace {

// x, y from s = a*c and x*x + y*y = 1 by Newton's method; velocities and accelerations are then linear.
int solve_pendulum(FmrData* m) {
  using namespace pendulum;
  double* v = m->v;
  for (int k = 0; k < 30; k++) {
    const double r1 = v[ax] * v[x] + v[ay] * v[y] - v[sx], r2 = v[x] * v[x] + v[y] * v[y] - 1;
    const double det = v[ax] * 2 * v[y] - v[ay] * 2 * v[x];
    if (det == 0) return 1;
    const double dx = (r1 * 2 * v[y] - v[ay] * r2) / det, dy = (v[ax] * r2 - r1 * 2 * v[x]) / det;
    v[x] -= dx;
    v[y] -= dy;
    if (std::abs(dx) + std::abs(dy) < 1e-15) break;
  }
  const double det_v = v[bx] * v[y] - v[by] * v[x];
  v[vx] = v[sv] * v[y] / det_v;
  v[vy] = -v[sv] * v[x] / det_v;
  v[tension] = v[vx] * v[vx] + v[vy] * v[vy] - 9.81 * v[y];
  v[accx] = -v[tension] * v[x];
  v[accy] = -v[tension] * v[y] - 9.81;
  v[der_sx] = v[ax] * v[vx] + v[ay] * v[vy];
  v[der_sv] = v[bx] * v[accx] + v[by] * v[accy];
  return 0;
}

}  // namespace

const FmrModel& pendulum_model() {
  using namespace pendulum;
  static const double start[slots] = {0, std::sqrt(0.75), 0, 0, 0, 1, 0, 1, 0, std::sqrt(0.75), -0.5};
  static const unsigned char role[slots] = {kExposed, kState,   kState,   kExposed, kExposed, kExposed,
                                            kExposed, kExposed, kExposed, kExposed, kExposed, kExposed,
                                            kExposed, kExposed, kExposed, kExposed};
  static const FmrSlot state[] = {sx, sv}, rate[] = {der_sx, der_sv};
  static const FmrSlot positions[] = {x, y}, velocities[] = {vx, vy}, a[] = {ax, ay}, b[] = {bx, by}, s0[] = {sx},
                       s1[] = {sv};
  static const auto jacobian = [](FmrData* m, double* j) {
    j[0] = 2 * m->v[x];
    j[1] = 2 * m->v[y];
  };
  static const FmrStateSet sets[] = {{2, 1, 1, positions, s0, a, nullptr, jacobian, {}},
                                     {2, 1, 1, velocities, s1, b, nullptr, jacobian, {}}};
  static const FmrModel model = [] {
    FmrModel m = empty("pendulum", slots, start, role);
    m.states = 2;
    m.state = state;
    m.rate = rate;
    m.initial = m.dynamic = solve_pendulum;
    m.state_sets = 2;
    m.state_set = sets;
    return m;
  }();
  return model;
}

// ---- loops ----------------------------------------------------------------------------------------------------------

namespace {

const FmrLinearBlock& linear_loop() {
  using namespace loops;
  static const unsigned column_start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
  static const FmrSlot unknown[] = {p, q};
  static const char* const text[] = {"p + q = x   (loop.dym:3)", "p - q = 1   (loop.dym:4)"};
  static const char* const names[] = {"p", "q"};
  static const FmrLinearBlock block{0,
                                    2,
                                    4,
                                    column_start,
                                    row,
                                    unknown,
                                    1,
                                    [](FmrData*, double* a) {
                                      a[0] = a[1] = a[2] = 1;
                                      a[3] = -1;
                                    },
                                    [](FmrData* m, double* b) {
                                      b[0] = m->v[x];
                                      b[1] = 1;
                                    },
                                    nullptr,
                                    {2, text, names}};
  return block;
}

const FmrNonlinearBlock& cubic_loop() {
  using namespace loops;
  static const FmrSlot unknown[] = {z};
  static const char* const text[] = {"z*z*z + z = x   (loop.dym:2)"};
  static const char* const names[] = {"z"};
  static const FmrNonlinearBlock block{0,
                                       1,
                                       unknown,
                                       0,
                                       nullptr,
                                       nullptr,
                                       nullptr,
                                       nullptr,
                                       [](FmrData* m, double* r) {
                                         r[0] = m->v[z] * m->v[z] * m->v[z] + m->v[z] - m->v[x];
                                         return 0;
                                       },
                                       nullptr,
                                       {1, text, names}};
  return block;
}

}  // namespace

const FmrModel& loop_model() {
  using namespace loops;
  static const double start[slots] = {0, 2, 0, 0, 0, 0};
  static const unsigned char role[slots] = {kExposed, kState, kExposed, kExposed, kExposed, kExposed};
  static const FmrSlot state[] = {x}, rate[] = {der_x};
  static const FmrLinearBlock* const linear[] = {&linear_loop()};
  static const FmrNonlinearBlock* const nonlinear[] = {&cubic_loop()};
  static const FmrModel model = [] {
    FmrModel m = empty("loops", slots, start, role);
    m.states = 1;
    m.state = state;
    m.rate = rate;
    m.initial = m.dynamic = [](FmrData* d) {
      if (fmr_solve_nonlinear(d, &cubic_loop()) || fmr_solve_linear(d, &linear_loop())) return 1;
      d->v[der_x] = -d->v[z];
      return 0;
    };
    m.linear_blocks = m.nonlinear_blocks = 1;
    m.linear = linear;
    m.nonlinear = nonlinear;
    return m;
  }();
  return model;
}

// ---- blow_up --------------------------------------------------------------------------------------------------------

const FmrModel& blow_up_model() {
  using namespace blow_up;
  static const double start[slots] = {0, 1, 0, 1e300};
  static const unsigned char role[slots] = {kExposed, kState, kExposed, kParameter};
  static const FmrSlot state[] = {x}, rate[] = {der_x};
  static const FmrRelation relation[] = {{FMR_LESS, 0, "x < 5   (blow.dym:2)"},
                                         {FMR_LESS, 0, "x > limit   (blow.dym:3)"}};
  static const FmrCheck check[] = {{"x is large"}}, termination[] = {{"x is too large"}};
  static const FmrModel model = [] {
    FmrModel m = empty("blow_up", slots, start, role);
    m.states = 1;
    m.state = state;
    m.rate = rate;
    m.initial = m.dynamic = [](FmrData* d) {
      d->v[der_x] = d->v[x] * d->v[x];
      return 0;
    };
    m.relations = 2;
    m.relation = relation;
    m.crossings = [](FmrData* d, double* z) {
      z[0] = d->v[x] - 5;
      z[1] = d->v[limit] - d->v[x];
    };
    m.checks = m.terminations = 1;
    m.check = check;
    m.termination = termination;
    m.conditions_of_run = [](FmrData* d, double* valid, double* end) {
      valid[0] = d->held[0];
      end[0] = d->held[1];
    };
    return m;
  }();
  return model;
}

// ---- sliding --------------------------------------------------------------------------------------------------------

const FmrModel& sliding_model() {
  using namespace sliding;
  static const double start[slots] = {0, 1, 0};
  static const unsigned char role[slots] = {kExposed, kState, kExposed};
  static const FmrSlot state[] = {x}, rate[] = {der_x};
  static const FmrRelation relation[] = {{FMR_SIGN, 0, "sign(x)   (sliding.dym:1)"}};
  static const FmrModel model = [] {
    FmrModel m = empty("sliding", slots, start, role);
    m.states = 1;
    m.state = state;
    m.rate = rate;
    m.initial = m.dynamic = [](FmrData* d) {
      d->v[der_x] = -d->held[0] + 0.5;
      return 0;
    };
    m.relations = 1;
    m.relation = relation;
    m.crossings = [](FmrData* d, double* z) { z[0] = d->v[x]; };
    return m;
  }();
  return model;
}

// ---- delays ---------------------------------------------------------------------------------------------------------

const FmrModel& delay_model() {
  using namespace delays;
  static const double start[slots] = {0, 1, 0, 0};
  static const unsigned char role[slots] = {kExposed, kState, kExposed, kExposed};
  static const FmrSlot state[] = {x}, rate[] = {der_x};
  static const FmrModel model = [] {
    FmrModel m = empty("delays", slots, start, role);
    m.states = 1;
    m.state = state;
    m.rate = rate;
    m.initial = m.dynamic = [](FmrData* d) {
      d->v[late] = fmr_delay(d, 0, 1);
      d->v[der_x] = -d->v[late];
      return 0;
    };
    m.delays = 1;
    m.delayed = [](FmrData* d, double* value, double* longest) {
      value[0] = d->v[x];
      longest[0] = 1;
    };
    return m;
  }();
  return model;
}

}  // namespace fmugen::tests
