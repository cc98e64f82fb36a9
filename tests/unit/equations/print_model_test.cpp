// The whole flat model as text and as JSON, on a small model that has something of everything.
#include <catch2/catch.hpp>
#include <sstream>

#include "fmugen/equations/print.h"

using namespace fmugen;
using namespace fmugen::equations;

namespace {

struct Example {
  support::Sources sources;
  support::Diagnostics diagnostics;
  FlatModel model;

  Example() {
    const std::uint32_t file = sources.add("net.dym", "model net\n  R1.V = 5\n  connect a at b\nend\n");
    const support::SourceRange equation{file, 12, 20}, connection{file, 23, 37};
    ExprPool& p = model.pool;
    model.name = "net";
    model.description = "a \"net\"";
    model.instances = {{}, {InstanceId{0}, "R1", "resistor", ""}};
    model.attributes.resize(2);
    model.attributes[1].unit = "V";
    model.attributes[1].description = "voltage";
    model.attributes[1].start = p.number(1);
    model.attributes[1].fixed = true;
    add("V", InstanceId{1}, VariableKind::Local, 1);
    add("I", InstanceId{1}, VariableKind::Terminal, 0);
    Variable& r = add("R", InstanceId{1}, VariableKind::Parameter, 0);
    r.binding = p.number(5);
    r.value = 5;
    Variable& twice = add("twice", InstanceId{0}, VariableKind::Parameter, 0);
    twice.binding = p.mul(p.number(2), p.variable(VarId{2}));
    twice.value = 10;
    twice.follows = true;
    Variable& n = add("n", InstanceId{0}, VariableKind::Parameter, 0);
    n.value = 3;
    n.frozen = Frozen::Structure;
    add("lost", InstanceId{0}, VariableKind::Constant, 0);

    const Expr v = p.variable(VarId{0}), i = p.variable(VarId{1});
    model.equations = {{v, p.mul(p.variable(VarId{2}), i), {OriginKind::Equation, InstanceId{1}, 0, equation}, -1},
                       {i, p.number(0), {OriginKind::Through, InstanceId{0}, 0, connection}, -1}};
    model.initial_equations = {{v, p.number(1), {OriginKind::Equation, InstanceId{0}, 0, equation}, 0}};
    model.sets = {{InstanceId{0}, {"a", "R1:B"}, {connection}}};
    WhenAction set{ActionKind::Assign, VarId{0}, p.number(0), "", {}};
    WhenAction stop{ActionKind::Terminate, VarId{0}, nullptr, "done", {}};
    model.whens = {
        {{{p.relation(Op::Less, v, i), {set}}, {p.relation(Op::Less, i, v), {stop}}}, InstanceId{0}, -1, equation}};
    model.samples = {{InstanceId{0}, p.number(0.1), nullptr, std::nullopt, {}, equation}};
    model.validity = {{p.relation(Op::Less, v, i), "too \\ high", InstanceId{0}, equation}};
    model.tables = {{"rho", {0, 1}, {}, {2, 3}, Interpolation::Linear, Extrapolation::Hold, "air.csv", equation}};
    model.boundary = {{"port", {{"V", VarId{0}, false, 1}, {"I", VarId{1}, true, -1}}, "", equation}};
    model.tearing = {VarId{1}};
    diagnostics.warning(equation, "'x' is not declared").in("R1");
  }

  Variable& add(const char* name, InstanceId instance, VariableKind kind, std::uint32_t attributes) {
    Variable v;
    v.local_name = name;
    v.instance = instance;
    v.kind = kind;
    v.attributes = attributes;
    model.variables.push_back(v);
    return model.variables.back();
  }
};

}  // namespace

TEST_CASE("a flat model as text") {
  Example e;
  std::ostringstream out;
  print_text(out, e.model, e.sources, e.diagnostics);
  CHECK(out.str() == R"(model net "a "net""
2 equations, 2 unknowns, 3 parameters

parameters
  R1.R = 5
  twice = 2*R1.R = 10  {follows another parameter}
  n = 3  {fixed: it shapes the equations}

constants
  lost

terminals
  R1.I

locals
  R1.V  {V; voltage; start 1; fixed}

equations
  R1.V = R1.R*R1.I  {net.dym:2, R1}
  R1.I = 0  {connection of a, R1:B, net.dym:3}

initial equations
  R1.V = 1  {net.dym:2, sample 1}

when clauses
  when R1.V < R1.I then  {net.dym:2}
    R1.V := 0
  else when R1.I < R1.V then
    terminate "done"
  end

sampled systems
  1: every 0.1  {net.dym:2}

validity
  R1.V < R1.I "too \ high"  {net.dym:2}

tables
  rho: 2 points, linear, extrapolation hold  {air.csv, net.dym:2}

cuts of the model
  port (R1.V / -R1.I)  {net.dym:2}

proposed for iteration
  R1.I

notes
  warning: 'x' is not declared  {net.dym:2, R1}
)");
}

TEST_CASE("a flat model as JSON") {
  Example e;
  std::ostringstream out;
  print_json(out, e.model, e.sources, e.diagnostics);
  CHECK(out.str() == R"({"model":"net","description":"a \"net\"","counts":{"equations":2,"unknowns":2,"parameters":3},
"variables":[
{"name":"R1.V","kind":"local","type":"real","value":null,"start":1,"unit":"V","fixed":true,"description":"voltage"},
{"name":"R1.I","kind":"terminal","type":"real","value":null,"start":null,"unit":null}
],
"parameters":[
{"name":"R1.R","kind":"parameter","type":"real","value":5,"binding":5,"settable":true,"unit":null},
{"name":"twice","kind":"parameter","type":"real","value":10,"binding":"2*R1.R","settable":false,"follows":true,"unit":null},
{"name":"n","kind":"parameter","type":"real","value":3,"settable":false,"frozen":"structure","unit":null},
{"name":"lost","kind":"constant","type":"real","value":null,"settable":false,"unit":null}
],
"equations":[
{"text":"R1.V = R1.R*R1.I","origin":"equation","file":"net.dym","line":2,"column":3,"path":"R1"},
{"text":"R1.I = 0","origin":"through","file":"net.dym","line":3,"column":3,"path":"","set":0}
],
"initial_equations":[
{"text":"R1.V = 1","origin":"equation","file":"net.dym","line":2,"column":3,"path":"","sample":0}
],
"sets":[
{"path":"","members":["a","R1:B"],"statements":[{"file":"net.dym","line":3,"column":3}]}
],
"whens":[
{"branches":[{"condition":"R1.V < R1.I","actions":[{"action":"assign","target":"R1.V","value":0}]},{"condition":"R1.I < R1.V","actions":[{"action":"terminate","text":"done"}]}],"path":"","file":"net.dym","line":2,"column":3}
],
"samples":[
{"path":"","every":0.1,"offset":null,"file":"net.dym","line":2,"column":3}
],
"validity":[
{"condition":"R1.V < R1.I","text":"too \\ high","path":"","file":"net.dym","line":2,"column":3}
],
"terminations":[],
"tables":[
{"name":"rho","x":[0,1],"values":[2,3],"interpolation":"linear","extrapolation":"hold","resource":"air.csv","file":"net.dym","line":2,"column":3}
],
"functions":[],
"cuts":[
{"name":"port","members":[{"name":"V","variable":"R1.V","sign":1},{"name":"I","variable":"R1.I","through":true,"sign":-1}],"file":"net.dym","line":2,"column":3}
],
"iterate":[
"R1.I"
],
"notes":[
{"severity":"warning","text":"'x' is not declared","instance":"R1","file":"net.dym","line":2,"column":3}
]}
)");
}

TEST_CASE("JSON stays valid whatever the names and numbers") {
  support::Sources sources;
  support::Diagnostics diagnostics;
  FlatModel model;
  model.name = "a\tb\n\x01\x7f \xc3\xa9 \xff \xed\xa0\x80 end";
  model.instances.resize(1);
  model.attributes.resize(1);
  Variable v;
  v.local_name = "p";
  v.kind = VariableKind::Parameter;
  v.binding = model.pool.div(model.pool.number(1), model.pool.number(0));
  v.value = std::numeric_limits<double>::infinity();
  model.variables.push_back(v);
  std::ostringstream out;
  print_json(out, model, sources, diagnostics);
  const std::string text = out.str();
  CHECK(text.find("\"a\\u0009b\\n\\u0001\\u007f \xc3\xa9 \\ufffd \\ufffd\\ufffd\\ufffd end\"") != std::string::npos);
  CHECK(text.find("\"value\":null,\"binding\":\"1/0\"") != std::string::npos);
}

TEST_CASE("an empty model prints") {
  support::Sources sources;
  support::Diagnostics diagnostics;
  FlatModel model;
  model.name = "empty";
  std::ostringstream out;
  print_text(out, model, sources, diagnostics);
  CHECK(out.str() == "model empty\n0 equations, 0 unknowns, 0 parameters\n");
}
