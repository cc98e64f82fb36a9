#include <catch2/catch.hpp>

#include "tests/unit/structure/plans.h"

using namespace fmugen;
using namespace fmugen::structure;

namespace {

// "c: x; new(x) := ...": systems with their states and blocks, in the order of computation.
std::string sampled(const std::string& text) {
  const Planned p(text);
  if (!p.plan) return p.errors();
  CHECK(verify(*p.plan) == "");
  std::string out;
  for (const SampledPlan& system : p.plan->sampled) {
    out += p.plan->system.model.path(p.plan->system.model.samples[system.sample].instance) + ":";
    for (const VarId x : system.states) out += " " + p.name(x);
    out += "; " + p.blocks(system.blocks) + "\n";
  }
  return out;
}

const std::string kTypes =
    "discrete model type direct\ninput u\noutput y\nsample every 0.1\ny = 2*u\nend\n"
    "discrete model type slow\ninput u\noutput y\nsample every 0.2\ny = 2*u\nend\n"
    "discrete model type memory\ninput u\noutput y\nlocal x\nsample every 0.1\nnew(x, 1) = u\ny = x\nend\n";

std::string in_model(const std::string& statements) { return sampled(kTypes + "model m\n" + statements + "end\n"); }

}  // namespace

TEST_CASE("the equations of a sampled system are sorted") {
  CHECK(sampled("discrete model type c\ninput e\noutput u\nlocal x, z\nsample every 0.1\nu = 2*z\nnew(x) = x + z\n"
                "z = x + e\nend\nmodel m\nsubmodel (c) a\nlocal y\nder(y) = a.u\na.e = 1 - y\nend\n") ==
        "a: a.x; a.z := a.x + a.e; a.u := 2*a.z; new(a.x) := a.x + a.z\n");
}

TEST_CASE("continuous variables that were removed as aliases are replaced") {
  CHECK(sampled("discrete model type c\ninput e\noutput u\nsample every 0.1\nu = 3*e\nend\n"
                "model m\nsubmodel (c) a\nlocal y\nder(y) = a.u\na.e = -y\nend\n") == "a:; a.u := -3*y\n");
}

TEST_CASE("new(x) has a name of its own and the state its initial value") {
  const Planned p(kTypes + "model m\nsubmodel (memory) a\nlocal y\nder(y) = a.y\na.u = y\nend\n");
  REQUIRE(p.plan);
  CHECK(p.name(p.plan->sampled[0].next[0]) == "new(a.x)");
  bool found = false;
  for (const auto& start : p.plan->initial.starts)
    found = found || (p.name(start.variable) == "a.x" && p.text(start.value) == "1");
  CHECK(found);
}

TEST_CASE("loops inside a sampled system are solved like others") {
  CHECK(sampled("discrete model type c\ninput e\noutput u\nlocal z\nsample every 0.1\nu + z = e\nu - exp(z) = 1\nend\n"
                "model m\nsubmodel (c) a\nlocal y\nder(y) = a.u\na.e = y\nend\n") == "a:; [a.u a.z]\n");
}

TEST_CASE("what a sampled system leaves open or says twice is an error") {
  CHECK(sampled("discrete model type c\ninput e\noutput u\nlocal z\nsample every 0.1\nu = e\nend\n"
                "model m\nsubmodel (c) a\nlocal y\nder(y) = a.u\na.e = y\nend\n") ==
        "4: the equations of 'a' cannot be sorted: nothing determines 'a.z'\n");
  CHECK(sampled("discrete model type c\ninput e\noutput u\nlocal x\nsample every 0.1\nu = e\nu = 2*e + 1\nend\n"
                "model m\nsubmodel (c) a\nlocal y\nder(y) = a.u\na.e = y\nend\n")
            .find("7: the equations of 'a' cannot be sorted: "
                  "nothing is left for this one to determine: a.u = 2*a.e + 1\n") != std::string::npos);
}

TEST_CASE("systems sampled together come in the order of their dependencies") {
  CHECK(in_model("submodel (direct) a, b\nlocal v\nder(v) = a.y\na.u = b.y\nb.u = v\n") ==
        "b:; b.y := 2*v\n"
        "a:; a.y := 2*a.u\n");
  CHECK(in_model("submodel (direct) a, b\nlocal v\nder(v) = b.y\na.u = v\nb.u = a.y + 1\n") ==
        "a:; a.y := 2*v\n"
        "b:; b.y := 2*b.u\n");
}

TEST_CASE("an algebraic loop between systems sampled together is an error") {
  CHECK(in_model("submodel (direct) a, b\nlocal v\nder(v) = a.y\na.u = b.y\nb.u = a.y + v\n") ==
        "4: an algebraic loop leads through systems sampled together: 'a', 'b'\n"
        "  25: part of it: a.u = b.y\n"
        "  26: part of it: b.u = a.y + v\n"
        "  5: part of it: a.y = 2*a.u\n"
        "  5: part of it: b.y = 2*b.u\n"
        "  let one of them use a value of the instant before: a variable x with an equation for new(x)\n");
}

TEST_CASE("a loop from the outputs of one system to its own inputs is an error") {
  CHECK(in_model("submodel (direct) a\nlocal v\nder(v) = a.y\na.u = v - a.y\n") ==
        "4: an algebraic loop leads from the outputs of 'a' to its inputs\n"
        "  25: part of it: a.u = v - a.y\n"
        "  5: part of it: a.y = 2*a.u\n"
        "  let one of them use a value of the instant before: a variable x with an equation for new(x)\n");
}

TEST_CASE("a loop through a state or a delay is none") {
  CHECK(in_model("submodel (direct) a\nsubmodel (memory) b\nlocal v\nder(v) = a.y\na.u = b.y\nb.u = a.y\n") ==
        "a:; a.y := 2*a.u\n"
        "b: b.x; new(b.x) := b.u; b.y := b.x\n");
  CHECK(in_model("submodel (direct) a\nlocal v\nder(v) = a.y\na.u = v - delay(a.y, 0.1)\n") == "a:; a.y := 2*a.u\n");
}

TEST_CASE("a loop between systems of different periods is an error if they meet") {
  CHECK(in_model("submodel (direct) a\nsubmodel (slow) b\nlocal v\nder(v) = a.y\na.u = b.y\nb.u = a.y + v\n") ==
        "4: an algebraic loop leads through systems sampled together: 'a', 'b'\n"
        "  26: part of it: a.u = b.y\n"
        "  27: part of it: b.u = a.y + v\n"
        "  5: part of it: a.y = 2*a.u\n"
        "  11: part of it: b.y = 2*b.u\n"
        "  let one of them use a value of the instant before: a variable x with an equation for new(x)\n");
  CHECK(in_model("submodel (direct) a\nsubmodel (slow) b\nlocal v\nder(v) = a.y\na.u = b.y\nb.u = v\n") ==
        "b:; b.y := 2*v\n"
        "a:; a.y := 2*a.u\n");
}

TEST_CASE("which systems meet is decided by periods and offsets") {
  const auto loops = [](const std::string& first, const std::string& second) {
    const auto type = [](const std::string& name, const std::string& instants) {
      return "discrete model type " + name + "\ninput u\noutput y\nsample " + instants + "\ny = 2*u\nend\n";
    };
    const std::string out = sampled(type("A", first) + type("B", second) +
                                    "model m\nsubmodel (A) a\nsubmodel (B) b\nlocal v\nder(v) = a.y\n"
                                    "a.u = b.y\nb.u = a.y + v\nend\n");
    return out.find("an algebraic loop") != std::string::npos;
  };
  CHECK(loops("every 0.2", "every 0.3"));
  CHECK(loops("every 0.3", "every 0.1 offset 0.2"));
  CHECK(loops("every 0.2", "every 0.3 offset 0.1"));
  CHECK_FALSE(loops("every 0.2", "every 0.4 offset 0.1"));
  CHECK_FALSE(loops("every 0.1", "every 0.1 offset 0.05"));
  CHECK_FALSE(loops("every 1", "every sqrt(2) offset 0.5"));
  CHECK(loops("every 1", "every sqrt(2)"));
}

TEST_CASE("new has its place") {
  CHECK(sampled("model m\nlocal x, y\nder(x) = 1\nnew(y) = x\nend\n") ==
        "4: 'new' has a meaning in discrete models only\n");
  CHECK(sampled(
            "discrete model type c\ninput e\noutput u\nlocal x\nsample every 0.1\nnew(e) = 1\nnew(x) = u\nu = x\nend\n"
            "model m\nsubmodel (c) a\nlocal y\nder(y) = a.u\na.e = y\nend\n") ==
        "6: new(y): 'y' is no variable of 'a'\n  12: declared here\n");
}

TEST_CASE("sampled variables are known in continuous equations") {
  const Planned p(kTypes + "model m\nsubmodel (memory) a\nlocal y, z\nder(y) = z\nz = a.y + 1\na.u = y\nend\n");
  REQUIRE(p.plan);
  CHECK(p.blocks(p.plan->blocks) == "z := a.y + 1; der(y) := z");
}
