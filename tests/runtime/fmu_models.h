// For tests: small models as generated code would be, written by hand.
#pragma once

extern "C" {
#include "fmu-runtime/include/fmu_runtime/model_interface.h"
void use_model(const FmrModel* model);  // what fmi2Instantiate makes instances of from now on
}

namespace fmugen::tests {

// der(x) = -k*x + u, y = 2*x + u, twice_k = 2*k; ny = -y. Parameter k = 1 (tunable), x starts at 1, u is an input.
const FmrModel& decay_model();
namespace decay {
enum { time, x, der_x, u, k, twice_k, y, slots, minus_y = slots };
}

// der(h) = v, der(v) = lift - 9.81; when h < 0: bounces := pre(bounces) + 1, reinit v := -e*pre(v). h starts at 1.
const FmrModel& ball_model();
namespace ball {
enum { time, h, v, der_v, lift, e, bounces, slots };
}

// A sampled integrator every 0.1: new(i) = i + 0.1*w, i starts at 0, w = s; out = i; the continuous s: der(s) = 1 -
// out.
const FmrModel& sampled_model();
namespace sampled {
enum { time, s, der_s, i, next_i, out, slots };
}

// No states. on = time > 0.5, y = if on then 1 else 0; count goes up when time >= 0.25, and when on; u is an input,
// positive = u > 0; end when time > 2.
const FmrModel& switch_model();
namespace switches {
enum { time, u, on, positive, count, y, slots };
}

// A pendulum in Cartesian coordinates, length 1, gravity 9.81, index reduced, with states chosen while it runs.
// It starts at rest at an angle of 60 degrees from below.
const FmrModel& pendulum_model();
namespace pendulum {
enum { time, sx, sv, der_sx, der_sv, ax, ay, bx, by, x, y, vx, vy, accx, accy, tension, slots };
}

// der(x) = -z where z*z*z + z = x (a nonlinear loop), and a linear loop p + q = x, p - q = 1. x starts at 2.
const FmrModel& loop_model();
namespace loops {
enum { time, x, der_x, z, p, q, slots };
}

// der(x) = x*x: 1/(1 - t) from 1; there is no solution at 1. valid x < 5. terminate when x > limit, limit = 1E300.
const FmrModel& blow_up_model();
namespace blow_up {
enum { time, x, der_x, limit, slots };
}

// der(x) = -sign(x) + 0.5: reaches 0 and slides there. x starts at 1.
const FmrModel& sliding_model();
namespace sliding {
enum { time, x, der_x, slots };
}

// der(x) = -delay(x, 1), x = 1 until 0.
const FmrModel& delay_model();
namespace delays {
enum { time, x, der_x, late, slots };
}

}  // namespace fmugen::tests
