// What becomes of systems: variables, equations, sampled systems.
#include "fmugen/simnon/translate.h"

#include <catch2/catch.hpp>
#include <random>
#include <sstream>

#include "fmugen/equations/print.h"
#include "fmugen/simnon/flatten.h"
#include "fmugen/structure/simulation_plan.h"

using namespace fmugen;

namespace {

struct Flat {
  support::Sources sources;
  support::Diagnostics diagnostics;
  std::optional<equations::FlatModel> model;

  explicit Flat(const std::string& text, const simnon::FlattenOptions& options = {}) {
    model = simnon::flatten_texts({sources.add("a.sim", text)}, options, sources, diagnostics);
  }
  std::string equations() const {
    std::string text;
    const auto names = equations::names_of(*model);
    for (const auto& e : model->equations) text += equations::to_text(e, names) + "\n";
    return text;
  }
  const equations::Variable& variable(const std::string& name) const {
    for (std::uint32_t k = 0; k < model->variables.size(); ++k)
      if (model->name_of(equations::VarId{k}) == name) return model->variables[k];
    throw std::runtime_error("no variable " + name);
  }
  std::string text(equations::Expr e) const { return e ? equations::to_text(e, equations::names_of(*model)) : "none"; }
};

const char* const kPlant =
    "CONTINUOUS SYSTEM P\nINPUT U\nOUTPUT Y\nSTATE X\nDER DX\nOUTPUT\nY=X\nDYNAMICS\nDX=-A*X+U\nA:2\nX:1\nEND\n";

std::string controller(const std::string& instants) {
  return "DISCRETE SYSTEM C\nINPUT E\nOUTPUT U\nSTATE I\nNEW NI\nTIME T\nTSAMP "
         "TS\nOUTPUT\nU=K*E+I\nDYNAMICS\nNI=I+E\n" +
         instants + "\nK:3\nDT:0.1\nEND\n";
}

const char* const kConnection = "CONNECTING SYSTEM L\nTIME T\nE[C]=R-Y[P]\nU[P]=U[C]\nR:1\nEND\n";

}  // namespace

TEST_CASE("assignments of a continuous system are equations") {
  const Flat flat(kPlant);
  REQUIRE(flat.model);
  CHECK(flat.equations() == "Y = X\nDX = -A*X + U\nder(X) = DX\n");
  CHECK(flat.variable("U").boundary);
  CHECK(flat.variable("U").kind == equations::VariableKind::Input);
  CHECK(flat.variable("Y").boundary);
  CHECK(flat.variable("A").kind == equations::VariableKind::Parameter);
  CHECK(flat.variable("A").value == 2);
  CHECK(flat.text(flat.variable("X").initial) == "1");
}

TEST_CASE("systems are instances, and the connecting system equates inputs") {
  const Flat flat(kPlant + controller("TS=T+DT") + kConnection);
  REQUIRE(flat.model);
  CHECK(flat.equations() ==
        "P.Y = P.X\nP.DX = -P.A*P.X + P.U\nder(P.X) = P.DX\nC.U = C.K*C.E + C.I\nC.NI = C.I + C.E\nnew(C.I) = C.NI\n"
        "C.TS = time + C.DT\nC.E = L.R - P.Y\nP.U = C.U\n");
  CHECK(flat.variable("C.E").sample == -1);
  CHECK(flat.variable("C.U").sample == 0);
  CHECK(!flat.variable("P.U").boundary);
  CHECK(flat.model->name == "L");
}

TEST_CASE("a period is found where instants are the time and parameters") {
  for (const char* periodic : {"TS=T+DT", "TS=DT+T", "TS=TS+DT"}) {
    const Flat flat(kPlant + controller(periodic) + kConnection);
    INFO(periodic);
    CHECK(flat.text(flat.model->samples.at(0).every) == "C.DT");
  }
  const Flat sum(kPlant + controller("TS=T+2*DT+1") + kConnection);
  CHECK(sum.text(sum.model->samples.at(0).every) == "2*C.DT + 1");
  for (const char* other : {"TS=2*T+DT", "TS=T+DT*I", "TS=IF I>0 THEN T+DT ELSE T+1", "TS=T+DT+T"}) {
    const Flat flat(kPlant + controller(other) + kConnection);
    INFO(other);
    CHECK(flat.text(flat.model->samples.at(0).every) == "none");
    CHECK(flat.model->samples[0].instants);
  }
}

TEST_CASE("section INITIAL gives initial values, and auxiliary variables that keep theirs") {
  const Flat flat(
      "DISCRETE SYSTEM D\nOUTPUT Y\nSTATE X\nNEW NX\nTIME T\nTSAMP "
      "TS\nINITIAL\nA=2*K\nB=T+A\nX=B\nY=X+1\nTS=T+A\nOUTPUT\n"
      "Y=X+B\nNX=X\nTS=T+1\nK:3\nEND\n");
  REQUIRE(flat.model);
  CHECK(flat.variable("A").kind == equations::VariableKind::Parameter);
  CHECK(flat.variable("A").follows);
  CHECK(flat.variable("A").value == 6);
  CHECK(flat.variable("B").kind == equations::VariableKind::Discrete);
  CHECK(flat.text(flat.variable("B").initial) == "time + A");
  CHECK(flat.text(flat.variable("X").initial) == "B");
  CHECK(flat.text(flat.variable("Y").initial) == "X + 1");
  CHECK(flat.text(flat.variable("TS").initial) == "time + A");
}

TEST_CASE("several assignments make versions") {
  const Flat flat("CONTINUOUS SYSTEM S\nSTATE X\nDER DX\nA=X\nA=A+1\nA=2*A\nDX=A\nEND\n");
  REQUIRE(flat.model);
  CHECK(flat.equations() == "A#1 = X\nA#2 = A#1 + 1\nA = 2*A#2\nDX = A\nder(X) = DX\n");
}

TEST_CASE("conditions are numbers and numbers are conditions") {
  const Flat flat(
      "CONTINUOUS SYSTEM S\nTIME T\nSTATE X\nDER DX\nA=T<1\nB=IF A AND SW THEN X ELSE (X>2)+1\nDX=B\nSW:1\nEND\n");
  REQUIRE(flat.model);
  CHECK(
      flat.equations() ==
      "A = if time < 1 then 1 else 0\nB = if time < 1 and SW >= 0.5 then X else (if X > 2 then 1 else 0) + 1\nDX = B\n"
      "der(X) = DX\n");
}

TEST_CASE("states of continuous systems are overwritten by name") {
  const Flat flat(std::string(kPlant) +
                  "DISCRETE SYSTEM R\nTIME T\nTSAMP TS\nX[P]=X[P]/2\nTS=T+1\nEND\nCONNECTING SYSTEM L\nU[P]=0\nEND\n");
  REQUIRE(flat.model);
  const auto& overwrites = flat.model->samples.at(0).overwrites;
  REQUIRE(overwrites.size() == 1);
  CHECK(flat.model->name_of(overwrites[0].state) == "P.X");
  CHECK(flat.model->name_of(overwrites[0].value) == "R.X[P]");
}

TEST_CASE("values of the command line, by three kinds of names") {
  for (const char* name : {"P.A", "A[P]", "A"}) {
    simnon::FlattenOptions options;
    options.settings = {{name, "7.5"}, {"P.X", "-1E1"}};
    const Flat flat(kPlant + controller("TS=T+DT") + kConnection, options);
    REQUIRE(flat.model);
    CHECK(flat.variable("P.A").value == 7.5);
    CHECK(flat.text(flat.variable("P.X").initial) == "-10");
  }
}

TEST_CASE("a plan sets the states that are overwritten, with the sign of the state they stand for") {
  Flat flat(
      "CONTINUOUS SYSTEM P\nOUTPUT Y\nSTATE X\nDER DX\nY=-X\nDX=1\nEND\nDISCRETE SYSTEM R\nTIME T\nTSAMP TS\n"
      "X[P]=5\nTS=T+1\nEND\nCONNECTING SYSTEM L\nA=Y[P]\nEND\n");
  REQUIRE(flat.model);
  const auto plan = structure::make_plan(std::move(*flat.model), {}, flat.diagnostics);
  REQUIRE(plan);
  REQUIRE(plan->sampled.size() == 1);
  REQUIRE(plan->sampled[0].overwrites.size() == 1);
  CHECK(plan->selection.states == std::vector<equations::VarId>{plan->sampled[0].overwrites[0].state});
  CHECK(structure::verify(*plan).empty());
}

TEST_CASE("systems that compute their instants are ordered by what they read") {
  const std::string second = "DISCRETE SYSTEM B\nINPUT U\nOUTPUT Y\nTIME T\nTSAMP TS\nY=2*U\nTS=T+Y\nEND\n";
  const std::string first = "DISCRETE SYSTEM A\nOUTPUT Y\nTIME T\nTSAMP TS\nY=T\nTS=T+1\nEND\n";
  Flat flat(second + first + "CONNECTING SYSTEM L\nU[B]=Y[A]\nEND\n");
  REQUIRE(flat.model);
  const auto plan = structure::make_plan(std::move(*flat.model), {}, flat.diagnostics);
  REQUIRE(plan);
  REQUIRE(plan->sampled.size() == 2);
  CHECK(plan->system.model.path(plan->system.model.samples[plan->sampled[0].sample].instance) == "A");
}

TEST_CASE("no text brings the front end down") {
  const std::string text = kPlant + controller("TS=T+DT\nX[P]=IF E>0 THEN -E^2 ELSE SIN(E)") + kConnection;
  std::mt19937 random(7);
  const std::string signs = "+-*/^()[]=:<>,\n\" .0X9EIFNOT";
  for (int round = 0; round < 3000; ++round) {
    std::string broken = text;
    for (int k = 0; k < 1 + round % 6; ++k) {
      const std::size_t at = random() % broken.size();
      switch (random() % 3) {
        case 0: broken.erase(at, 1 + random() % 8); break;
        case 1: broken.insert(at, 1, signs[random() % signs.size()]); break;
        default: broken.insert(at, broken.substr(random() % broken.size(), random() % 20));
      }
    }
    const Flat flat(broken, {{}, true});
    REQUIRE(flat.model.has_value() != flat.diagnostics.has_errors());
  }
}
