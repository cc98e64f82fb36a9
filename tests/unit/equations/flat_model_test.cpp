#include "fmugen/equations/flat_model.h"

#include <catch2/catch.hpp>

using namespace fmugen::equations;

namespace {

Variable variable(VariableKind kind, bool boundary = false) {
  Variable v;
  v.kind = kind;
  v.boundary = boundary;
  return v;
}

}  // namespace

TEST_CASE("names are composed along the tree") {
  FlatModel model;
  model.instances = {{}, {InstanceId{0}, "s[3]", "section", ""}, {InstanceId{1}, "R1", "resistor", ""}};
  Variable v;
  v.local_name = "V";
  model.variables.push_back(v);
  v.instance = InstanceId{2};
  model.variables.push_back(v);
  CHECK(model.path(InstanceId{0}) == "");
  CHECK(model.path(InstanceId{2}) == "s[3].R1");
  CHECK(model.name_of(VarId{0}) == "V");
  CHECK(model.name_of(VarId{1}) == "s[3].R1.V");
}

TEST_CASE("a tree of a hundred thousand levels has a path") {
  FlatModel model;
  model.instances.resize(100000);
  for (std::uint32_t i = 1; i < 100000; ++i) model.instances[i] = {InstanceId{i - 1}, "a", "t", ""};
  CHECK(model.path(InstanceId{99999}).size() == 2 * 99999 - 1);
}

TEST_CASE("unknowns are what equations must determine") {
  CHECK(is_unknown(variable(VariableKind::Local)));
  CHECK(is_unknown(variable(VariableKind::Terminal)));
  CHECK(is_unknown(variable(VariableKind::Input)));
  CHECK(is_unknown(variable(VariableKind::Output, true)));
  CHECK_FALSE(is_unknown(variable(VariableKind::Input, true)));
  CHECK_FALSE(is_unknown(variable(VariableKind::Terminal, true)));
  CHECK_FALSE(is_unknown(variable(VariableKind::Parameter)));
  CHECK_FALSE(is_unknown(variable(VariableKind::Constant)));
  CHECK_FALSE(is_unknown(variable(VariableKind::Discrete)));
  FlatModel model;
  model.variables = {variable(VariableKind::Local), variable(VariableKind::Parameter), variable(VariableKind::Output)};
  CHECK(count_unknowns(model) == 2);
}
