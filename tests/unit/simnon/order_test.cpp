#include "fmugen/simnon/order.h"

#include <catch2/catch.hpp>

#include "fmugen/simnon/parser.h"

using namespace fmugen;
using namespace fmugen::simnon;

namespace {

struct Ordered {
  support::Sources sources;
  support::Diagnostics diagnostics;
  File file;
  std::vector<Table> tables;
  explicit Ordered(const std::string& text) {
    file = parse(sources, sources.add("a.sim", text), diagnostics);
    tables = make_tables(file.systems, diagnostics);
  }
  std::string steps() const {
    std::string text;
    for (const Step& step : execution_order(tables)) {
      if (!text.empty()) text += ", ";
      if (step.kind == Step::Statement)
        text += std::string(sources.text(step.statement->where));
      else
        text += (step.kind == Step::Output ? "output " : "dynamics ") + step.table->system->name.text;
    }
    return text;
  }
  std::string messages(bool all) {
    report_order(tables, all, diagnostics);
    std::string text;
    for (const auto& d : diagnostics.all()) text += d.text + "\n";
    return text;
  }
};

const std::string kSystems =
    "CONTINUOUS SYSTEM A\nINPUT U\nOUTPUT Y\nY=U\nEND\nDISCRETE SYSTEM B\nINPUT U\nOUTPUT Y\nSTATE X\nNEW NX\nTIME "
    "T\nTSAMP TS\n"
    "OUTPUT\nY=X\nDYNAMICS\nNX=U\nTS=T+1\nEND\n";

}  // namespace

TEST_CASE("sections are executed before what uses their outputs, then the rest, then the dynamics") {
  const Ordered good(kSystems + "CONNECTING SYSTEM L\nU[A]=Y[B]\nU[B]=Y[A]\nEND\n");
  CHECK(good.steps() == "output B, U[A]=Y[B], output A, U[B]=Y[A], dynamics A, dynamics B");
  const Ordered unused(kSystems + "CONNECTING SYSTEM L\nU[A]=1\nU[B]=X[B]\nEND\n");
  CHECK(unused.steps() == "U[A]=1, U[B]=X[B], output A, output B, dynamics A, dynamics B");
}

TEST_CASE("an input that is not defined matters if the section uses it") {
  Ordered good(kSystems + "CONNECTING SYSTEM L\nU[A]=Y[B]\nU[B]=Y[A]\nEND\n");
  CHECK(good.messages(false).empty());
  CHECK(good.messages(true) ==
        "preceded by execution of section OUTPUT of 'B' if sampling\n'U' is undefined in section OUTPUT of 'B'\n"
        "preceded by execution of section OUTPUT of 'A'\n");
  Ordered bad(kSystems + "CONNECTING SYSTEM L\nU[B]=Y[A]\nU[A]=Y[B]\nEND\n");
  CHECK(bad.messages(false) == "'U' is undefined in section OUTPUT of 'A'\n");
}

TEST_CASE("in section SORT nothing precedes anything") {
  Ordered sorted(kSystems + "CONNECTING SYSTEM L\nSORT\nU[B]=Y[A]\nU[A]=Y[B]\nEND\n");
  CHECK(sorted.messages(true).empty());
}
