// The tree of instances: types, inheritance, realizations, conditions, loops, sharing.
#include <catch2/catch.hpp>

#include "tests/support/flattening.h"

using fmugen::testing::flatten;

TEST_CASE("nested models and model types give the same tree") {
  const auto nested = flatten("model s\n model a\n local x\n x = 1\n end\n local y\n y = a.x\nend\n");
  const auto typed = flatten("model type t\n local x\n x = 1\nend\nmodel s\n submodel (t) a\n local y\n y = a.x\nend\n");
  REQUIRE(nested.model);
  REQUIRE(typed.model);
  CHECK(nested.equation_text() == "a.x = 1\ny = a.x\n");
  CHECK(typed.equation_text() == nested.equation_text());
}

TEST_CASE("a derived type adds to its base, changes defaults and swaps submodels") {
  const auto flat = flatten(
      "model type p1\n cut c(u)\n u = 1\nend\nmodel type p2\n cut c(u)\n u = 2\nend\n"
      "model type base\n parameter k = 1\n submodel (p1) reg\n local x\n x = k\nend\n"
      "model type derived is a base\n parameter k = 7\n replace submodel (p2) reg\n local z\n z = x\nend\n"
      "model m\n submodel (derived) d\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.equation_text() == "d.reg.u = 2\nd.x = d.k\nd.z = d.x\n");
  CHECK(flat.value("d.k") == 7);
}

TEST_CASE("the first realization is used unless another is named") {
  const std::string type =
      "model type tank\n local h\n realization simple\n h = 1\n end\n realization detailed\n local v\n v = 2\n h = v\n end\nend\n";
  CHECK(flatten(type + "model m\n submodel (tank) t\nend\n").equation_text() == "t.h = 1\n");
  CHECK(flatten(type + "model m\n submodel (tank) t(realization = detailed)\nend\n").equation_text() ==
        "t.v = 2\nt.h = t.v\n");
}

TEST_CASE("structural conditions and loops are expanded") {
  const std::string text =
      "model type part\n structure parameter n = 1\n local x\n if n > 1 then\n submodel (part) inner(n = n - 1)\n"
      " x = inner.x + 1\n else\n x = 1\n end\nend\nmodel m\n submodel (part) p(n = 3)\nend\n";
  const auto flat = flatten(text);
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.equation_text() == "p.inner.inner.x = 1\np.inner.x = p.inner.inner.x + 1\np.x = p.inner.x + 1\n");
  const auto loop = flatten("model m\n local x[3]\n for i := 1 to 3 do\n if i < 3 then\n x[i] = x[i + 1] + i\n else\n x[i] = 0\n end\n end\nend\n");
  REQUIRE(loop.model);
  CHECK(loop.equation_text() == "x[1] = x[2] + 1\nx[2] = x[3] + 2\nx[3] = 0\n");
}

TEST_CASE("internal variables are shared with submodels that declare them external") {
  const auto flat = flatten(
      "model type leaf\n external T\n local y\n y = 2*T\nend\nmodel type box\n submodel (leaf) l\nend\n"
      "model m\n internal T\n submodel (box) b\n T = 300\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.equation_text() == "b.l.y = 2*T\nT = 300\n");
}

TEST_CASE("a hierarchy of a thousand levels is flattened") {
  std::string text = "model type l0\n cut c(v / i)\n i = v\nend\n";
  const int n = 1000;
  for (int k = 1; k <= n; ++k)
    text += "model type l" + std::to_string(k) + "\n cut c\n submodel (l" + std::to_string(k - 1) + ") s\n c at s:c\nend\n";
  const auto flat = flatten(text + "model m\n submodel (l" + std::to_string(n) + ") s\n submodel (l0) q\n s:c at q:c\nend\n");
  INFO(flat.messages);
  REQUIRE(flat.model);
  CHECK(flat.model->equations.size() == 4);
}

TEST_CASE("absurd sizes are refused instead of tried") {
  fmugen::semantics::FlattenOptions options;
  options.size_limit = 1000;
  const auto flat = flatten("model m\n local x[100000]\n x = 1\nend\n", options);
  CHECK(flat.first_error() ==
        "2:10: the model is too large: more than 1000 variables, equations and loop steps");
  CHECK(flatten("model m\n local x\n for i := 1 to 1E15 do\n x = i\n end\nend\n").first_error() ==
        "3:16: the loop has 1000000000000000 steps: more than can be handled");
}
