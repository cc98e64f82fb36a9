// A differential equation as lambdas, integrated by one of the methods: what the tests of integrators share.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "fmu-runtime/integrate/integrator.h"
}

namespace fmugen::test {

using Vector = std::vector<double>;

struct Integration {
  std::function<int(double, const double*, double*)> rates;
  std::function<int(double, const double*, double*)> jacobian;  // entries
  std::function<int(double, const double*, double*)> roots;
  std::function<int(double, const double*)> accepted;
  unsigned root_count = 0;
  const FmrPattern* pattern = nullptr;
  Vector nominal;
  bool may_overshoot = true;
  bool sparse = false;
  FmrIntegratorOptions options{FMR_SOLVER_DOPRI45, 1e-6, 0.0, 0.0, 0};
  const FmrResidualForm* residual_form = nullptr;
  std::function<int(double, const double*, const double*, double*)> residual, residual_jacobian;
  std::function<int(double, const double*, double*, double*)> algebraic;

  double t = 0.0;
  Vector x;
  std::string message, note;

  ~Integration() { fmr_integrator_free(integrator); }

  // At t, x from now on; makes the integrator at the first call.
  bool start() {
    if (!integrator) integrator = fmr_integrator_new(&(problem = make()), &options);
    return integrator && fmr_integrator_restart(integrator, t, x.data()) == 0;
  }

  FmrAdvance advance(double end) { return fmr_integrator_advance(integrator, end, &t, x.data()); }

  FmrIntegratorStatistics statistics() const {
    FmrIntegratorStatistics result;
    fmr_integrator_statistics(integrator, &result);
    return result;
  }

  double last_step() const { return fmr_integrator_last_step(integrator); }

  FmrIntegrator* integrator = nullptr;
  FmrProblem problem{};

 private:
  static Integration& self(void* who) { return *static_cast<Integration*>(who); }

  FmrProblem make() {
    FmrProblem p{};
    p.n = static_cast<unsigned>(x.size());
    p.rates = [](void* who, double at, const double* y, double* rate) { return self(who).rates(at, y, rate); };
    if (jacobian) {
      p.jacobian = [](void* who, double at, const double* y, const double*, double* entries) {
        return self(who).jacobian(at, y, entries);
      };
    }
    p.pattern = pattern;
    p.roots = root_count;
    p.root = [](void* who, double at, const double* y, double* z) { return self(who).roots(at, y, z); };
    p.note = [](void* who, const char* text) { self(who).note = text; };
    p.nominal = nominal.empty() ? nullptr : nominal.data();
    p.may_overshoot = may_overshoot;
    p.sparse = sparse;
    p.residual_form = residual_form;
    if (residual_form) {
      p.residual = [](void* who, double at, const double* y, const double* rate, double* r) {
        return self(who).residual(at, y, rate, r);
      };
      p.residual_jacobian = [](void* who, double at, const double* y, const double* rate, double* entries) {
        return self(who).residual_jacobian(at, y, rate, entries);
      };
      p.algebraic = [](void* who, double at, const double* states, double* y, double* rate) {
        return self(who).algebraic(at, states, y, rate);
      };
    }
    p.message = [](void* who, const char* text) { self(who).message = text; };
    if (accepted) p.accepted = [](void* who, double at, const double* y) { return self(who).accepted(at, y); };
    p.who = this;
    return p;
  }
};

}  // namespace fmugen::test
