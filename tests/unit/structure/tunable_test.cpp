#include <catch2/catch.hpp>

#include "tests/unit/structure/plans.h"

using namespace fmugen;
using namespace fmugen::structure;

namespace {

// "k k2": the tunable parameters, in the order of the model; or the errors.
std::string tunable(const std::string& statements, const std::vector<std::string>& named = {},
                    std::vector<std::string>* notes = nullptr) {
  PlanOptions options;
  options.tunable = named;
  const Planned p(statements, options);
  if (!p.plan) return p.errors();
  std::string out;
  for (std::uint32_t v = 0; v < p.plan->system.model.variables.size(); ++v)
    if (p.plan->system.model.variables[v].tunable) out += (out.empty() ? "" : " ") + p.name(VarId{v});
  if (notes) *notes = p.plan->notes;
  return out;
}

const std::string kSampled =
    "discrete model type c\nparameter T = 0.1, T0 = 0, k = 2\ninput u\noutput y\nsample every T offset T0\n"
    "y = k*u\nend\n";

}  // namespace

TEST_CASE("what follows from a tunable parameter is tunable") {
  CHECK(tunable("model m\nparameter k(tunable=true) = 2, k2 = 2*k, k3 = k2 + free, free = 1, other = 3*free\n"
                "local x\nx' = k3*x + other\nend\n") == "k k2 k3");
  CHECK(tunable("model m\nparameter k = 2\nlocal x\nx' = k*x\nend\n") == "");
}

TEST_CASE("parameters are named on the command line, arrays as a whole") {
  const std::string text =
      "model type part\nparameter k = 1\nlocal x\nx' = k*x\nend\n"
      "model m\nparameter a[2] = [1, 2], ab = 1\nlocal x\nsubmodel (part) p\nx' = a[1]*x + a[2] + ab\nend\n";
  CHECK(tunable(text, {"a"}) == "a[1] a[2]");
  CHECK(tunable(text, {"a[2]", "p.k"}) == "a[2] p.k");
  CHECK(tunable(text, {"p.kk"}) == "--tunable: there is no parameter 'p.kk'\n  did you mean 'p.k'?\n");
  CHECK(tunable(text, {"x"}) == "8: 'x' cannot be tunable: it is no parameter\n");
}

TEST_CASE("what was decided before the start cannot be changed") {
  CHECK(tunable(kSampled + "model m\nparameter DT(tunable=true) = 0.1\nlocal x\nsubmodel (c) s(T=2*DT)\nx' = s.y\n"
                           "s.u = x\nend\n") ==
        "9: 'DT' cannot be tunable: the instants of a sampled system depend on it\n  5: it is sampled here\n");
  CHECK(tunable("model m\nparameter T(tunable=true) = 1\nlocal x\nx' = -delay(x, T)\nend\n") ==
        "2: 'T' cannot be tunable: how much a delay remembers depends on it\n  4: the delay is here\n");
  CHECK(tunable("model m\nparameter T(tunable=true) = 1, longest = 2\nlocal x\nx' = -delay(x, T, longest)\nend\n") ==
        "T");
  CHECK(tunable("model m\nparameter n(tunable=true) = 2\nlocal x[n]\nx' = -x\nend\n") ==
        "2: 'n' cannot be tunable: it shapes the equations\n");
  CHECK(tunable("model m\nparameter L(tunable=true) = 0\nlocal i\nL*i' + i = 1\nend\n") ==
        "2: 'L' cannot be tunable: its being zero shapes the equations\n");
  CHECK(tunable("model m\nparameter p(fixed=false, tunable=true) = 1\nlocal x\nx' = -p*x\ninitial x = 1\n"
                "initial x' = -2\nend\n") == "2: 'p' cannot be tunable: the equations at the start determine it\n");
  CHECK(tunable("model m\nparameter a = 1, b(tunable=true) = 2*a\nlocal x\nx' = -b*x\nend\n") ==
        "2: 'b' cannot be tunable: it follows from 'a'\n"
        "  2: where this is tunable, what follows from it is, too\n");
  CHECK(tunable("model m\nlocal x(tunable=true)\nx' = 1\nend\n") ==
        "2: 'x' cannot be tunable: it is no parameter\n");
}

TEST_CASE("'all' takes those that can be, and says of the others why not") {
  std::vector<std::string> notes;
  CHECK(tunable(kSampled + "model m\nparameter p(fixed=false) = 1, n = 1, free = 3, twice = 2*free\n"
                           "parameter kept(tunable=false) = 1\nlocal x, y[n]\nsubmodel (c) s\nx' = s.y - p*x + kept\n"
                           "s.u = twice*x\ny[1] = free\ninitial x = 1\ninitial x' = -2\nend\n",
                {"all"}, &notes) == "free twice s.k");
  CHECK(notes == std::vector<std::string>{"'p' is not tunable: the equations at the start determine it",
                                          "'s.T' is not tunable: the instants of a sampled system depend on it",
                                          "'s.T0' is not tunable: the instants of a sampled system depend on it"});
}
