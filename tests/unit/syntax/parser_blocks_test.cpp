#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("files hold libraries, models and functions") {
  CHECK(tree("") == "");
  CHECK(tree("use electrical, mechanics\nuse fluid\nmodel type a\nend\nfunction f(x)\nend\nmodel b\nend\n") ==
        "use electrical\nuse mechanics\nuse fluid\nmodel type a\nfunction f(x)\nmodel b\n");
}

TEST_CASE("headings of models") {
  CHECK(tree("model m end") == "model m\n");
  CHECK(tree("model type M \"text\"\nend M") == "model type M \"text\"\n");
  CHECK(tree("model type v is a valve\nend") == "model type v is a valve\n");
  CHECK(tree("model type v is an electrical.valve \"text\"\nend") == "model type v is a electrical.valve \"text\"\n");
  CHECK(tree("model type s is a fmu \"s.fmu\"\n  cut f(w / -t)\nend") ==
        "model type s is a fmu \"s.fmu\"\n  cut f (w / -t)\n");
  CHECK(tree("discrete model type pid\nend\ndiscrete model c\nend") == "discrete model type pid\ndiscrete model c\n");
  CHECK(tree("model type\n  x = 1\nend") == "model type\n  equation x = 1\n");
  CHECK(tree("model m; x = 1; end; model n; end") == "model m\n  equation x = 1\nmodel n\n");
}

TEST_CASE("models nest") {
  CHECK(
      tree("model S1\n  model S2\n  end\n  model S3\n    submodel (M) S5\n    model S6\n    end S6\n  end\nend S1\n") ==
      "model S1\n  model S2\n  model S3\n    submodel (M) S5\n    model S6\n");
  CHECK(tree("model a model b model c x = 1 end end b end a") ==
        "model a\n  model b\n    model c\n      equation x = 1\n");
}

TEST_CASE("an end may say what it closes") {
  CHECK(tree("model a\n  realization r\n  end realization\n  if c then\n  end if\nend model\nmodel b\nend model") ==
        "model a\n  realization r\n  if c\nmodel b\n");
  CHECK(tree("function f(a)\nend function\nmodel a end model b end") == "function f(a)\nmodel a\nmodel b\n");
}

TEST_CASE("realizations") {
  CHECK(body("realization simple\n  P = 1\nend\nrealization detailed \"all\"\n  local T\nend detailed") ==
        "realization simple\n  equation P = 1\nrealization detailed\n  local T\n");
}

TEST_CASE("loops") {
  CHECK(body("for i := 1 to n - 1 do\n  s[i] to s[i+1]\nend") ==
        "for i := 1 to (n - 1)\n  connection (s[i] to s[(i + 1)])\n");
  const std::string loop = "for i := 1 to n\n  equation x[i] = 0\n";
  CHECK(body("for i := 1 to n do begin\n  x[i] = 0\nend") == loop);
  CHECK(body("for i:=1 to n do\n  begin\n  x[i] = 0\n  end") == loop);
  CHECK(body("for i := 1 to n do x[i] = 0 end") == loop);
  CHECK(body("for i := 1 to n do x[i] = 0; end for") == loop);
}

TEST_CASE("conditional parts") {
  CHECK(body("if n > 3 then\n  local q\n  q = 3\nend") == "if (n > 3)\n  local q\n  equation q = 3\n");
  const std::string both = "if a\n  equation x = 1\nelse\n  equation x = 2\n";
  CHECK(body("if a then\n  x = 1\nelse\n  x = 2\nend") == both);
  CHECK(body("if a then x = 1 else x = 2 end") == both);
  CHECK(body("if a then x = 1; else x = 2; end if") == both);
  CHECK(body("if a then begin x = 1 end else begin x = 2 end") == both);
  CHECK(body("if a\nthen\n  begin\n  x = 1\n  end\nelse\n  x = 2\nend") == both);
}

TEST_CASE("an else if shares the end of the first if") {
  const std::string chain =
      "if a\n  equation x = 1\nelse\n  if (n = 2)\n    equation x = 2\n  else\n    equation x = 3\n";
  CHECK(body("if a then\n  x = 1\nelse if n = 2 then\n  x = 2\nelse\n  x = 3\nend") == chain);
  CHECK(body("if a then\n  x = 1\nelse\n  if n = 2 then\n  x = 2\nelse\n  x = 3\nend\nend") == chain);
  CHECK(body("if a then else if b then else if c then y = 1 end\nz = 2") ==
        "if a\nelse\n  if b\n  else\n    if c\n      equation y = 1\nequation z = 2\n");
}

TEST_CASE("expressions with if inside of conditional parts") {
  CHECK(body("if s then\n  x = if a then b\n  else c\nelse\n  y = if a then b else c\nend") ==
        "if s\n  equation x = (if a then b else c)\nelse\n  equation y = (if a then b else c)\n");
}

TEST_CASE("when") {
  CHECK(body("when h < 0 then\n  reinit v := -0.8*pre(v)\n  k := pre(k) + 1; terminate \"down\"\nend") ==
        "when (h < 0)\n  reinit v := (-(0.8 * pre(v)))\n  assign k := (pre(k) + 1)\n  terminate \"down\"\n");
  CHECK(body("when a then x := 1 else when b then x := 2; terminate else when c then end when") ==
        "when a\n  assign x := 1\nelse when b\n  assign x := 2\n  terminate\nelse when c\n");
  CHECK(body("when a = b then\n  select detailed\n  select m.t simple\nend") ==
        "when (a = b)\n  select detailed\n  select m.t simple\n");
  CHECK(body("when a > b select detailed\nx = 1") == "when (a > b)\n  select detailed\nequation x = 1\n");
  CHECK(body("when a select t detailed") == "when a\n  select t detailed\n");
}

TEST_CASE("places of items reach from the first to the last token") {
  Parsed parsed;
  parse_into(parsed, "model m\n  for i := 1 to 3 do\n    x[i] = 1\n  end for\nend m\n");
  const Item& item = parsed.file.items.at(0);
  CHECK(parsed.sources.text(item.where) == "model m\n  for i := 1 to 3 do\n    x[i] = 1\n  end for\nend m");
  const Item& loop = std::get<ModelDefinition>(item.node).body.at(0);
  CHECK(parsed.sources.text(loop.where) == "for i := 1 to 3 do\n    x[i] = 1\n  end for");
  CHECK(parsed.sources.text(std::get<For>(loop.node).body.at(0).where) == "x[i] = 1");
}

TEST_CASE("a missing end") {
  CHECK(errors("model a\n  x = 1\n") ==
        "m.dym:2:8: error: model 'a' is not closed: expected 'end'\n"
        "    x = 1\n"
        "         ^\n"
        "m.dym:1:1: note: model 'a' begins here\n"
        "  model a\n"
        "  ^~~~~~~\n");
  CHECK(errors("model a\n  for i := 1 to 3 do\n    x = 1\nend\n") ==
        "m.dym:4:4: error: model 'a' is not closed: expected 'end'\n"
        "  end\n"
        "     ^\n"
        "m.dym:1:1: note: model 'a' begins here\n"
        "  model a\n"
        "  ^~~~~~~\n"
        "m.dym:2:3: note: perhaps the 'end' of 'for' is missing, which begins here\n"
        "    for i := 1 to 3 do\n"
        "    ^~~~~~~~~~~~~~~~~~\n");
  CHECK(errors("model type a\n  x = 1\nmodel b\n  y = 1\nend\n") ==
        "m.dym:5:4: error: model 'a' is not closed: expected 'end'\n"
        "  end\n"
        "     ^\n"
        "m.dym:1:1: note: model 'a' begins here\n"
        "  model type a\n"
        "  ^~~~~~~~~~~~\n");
}

TEST_CASE("a superfluous end") {
  CHECK(errors("model a\nend\nend\nmodel b\nend\n") ==
        "m.dym:3:1: error: 'end' without a model to close\n"
        "  end\n"
        "  ^~~\n");
  CHECK(errors("model a\n  end\n  x = 1\n  y = 2\nend\nmodel b\nend\n") ==
        "m.dym:3:3: error: expected 'model', 'function' or 'use', found 'x'\n"
        "    x = 1\n"
        "    ^\n"
        "note: statements stand inside of a model\n"
        "m.dym:2:3: note: the model before was closed here\n"
        "    end\n"
        "    ^~~\n");
}

TEST_CASE("an end with a name that does not match") {
  CHECK(errors("model tank\nend tnk\n") ==
        "m.dym:2:1: error: 'end tnk' does not match model 'tank'\n"
        "  end tnk\n"
        "  ^~~~~~~\n"
        "m.dym:1:1: note: model 'tank' begins here\n"
        "  model tank\n"
        "  ^~~~~~~~~~\n");
  CHECK(errors("model a\n  model b\n    if c then\n      x = 1\n  end b\nend a\n") ==
        "m.dym:5:3: error: 'if' is not closed before 'end b'\n"
        "    end b\n"
        "    ^~~~~\n"
        "m.dym:3:5: note: 'if' begins here\n"
        "      if c then\n"
        "      ^~~~~~~~~\n");
  CHECK(errors("model a\n  for i := 1 to 3 do\n  end if\nend\n") ==
        "m.dym:3:3: error: 'end if' does not match 'for'\n"
        "    end if\n"
        "    ^~~~~~\n"
        "m.dym:2:3: note: 'for' begins here\n"
        "    for i := 1 to 3 do\n"
        "    ^~~~~~~~~~~~~~~~~~\n");
}

TEST_CASE("a wrong heading still opens its block") {
  CHECK(errors("model m\n  for i = 1 to 3 do\n    x = 1\n  end\nend\n") ==
        "m.dym:2:9: error: expected ':=', found '='\n"
        "    for i = 1 to 3 do\n"
        "          ^\n"
        "note: a loop is written 'for i := 1 to n do'\n");
  CHECK(errors("model m\n  for i := 1 to 3\n    x = 1\n  end\nend\n") ==
        "m.dym:2:18: error: expected 'do', found the end of the statement\n"
        "    for i := 1 to 3\n"
        "                   ^\n");
  CHECK(errors("model m\n  if a > b\n    x = 1\n  end\nend\n") ==
        "m.dym:2:11: error: expected 'then', found the end of the statement\n"
        "    if a > b\n"
        "            ^\n");
  CHECK(errors("model m\n  if a > then\n    x = 1\n  end\nend\n") ==
        "m.dym:2:10: error: expected an expression, found 'then'\n"
        "    if a > then\n"
        "           ^~~~\n");
  CHECK(errors("model m\n  when a then\n    x = 1\n  else\n    y := 1\n  end\nend\n") ==
        "m.dym:3:7: error: an assignment in 'when' is written ':='\n"
        "      x = 1\n"
        "        ^\n"
        "m.dym:4:3: error: expected 'else when', found 'else'\n"
        "    else\n"
        "    ^~~~\n");
  CHECK(errors("model type 5\n  x = 1\nend\n") ==
        "m.dym:1:12: error: expected the name of a model, found '5'\n"
        "  model type 5\n"
        "             ^\n");
  CHECK(errors("model type a is a\n  x = 1\nend\n") ==
        "m.dym:1:18: error: expected the name of a model type, found the end of the statement\n"
        "  model type a is a\n"
        "                   ^\n");
  CHECK(errors("model m\n  realization 5\n    x = 1\n  end\nend\n") ==
        "m.dym:2:15: error: expected the name of a realization, found '5'\n"
        "    realization 5\n"
        "                ^\n");
}

TEST_CASE("statements where they do not belong") {
  CHECK(errors("x = 1\ny = 2\nmodel a\nend\nz = 3\n") ==
        "m.dym:1:1: error: expected 'model', 'function' or 'use', found 'x'\n"
        "  x = 1\n"
        "  ^\n"
        "note: statements stand inside of a model\n"
        "m.dym:5:1: error: expected 'model', 'function' or 'use', found 'z'\n"
        "  z = 3\n"
        "  ^\n"
        "note: statements stand inside of a model\n"
        "m.dym:4:1: note: the model before was closed here\n"
        "  end\n"
        "  ^~~\n");
  CHECK(errors("model a\n  else\n  x = 1\nend\n") ==
        "m.dym:2:3: error: 'else' without 'if'\n"
        "    else\n"
        "    ^~~~\n");
  CHECK(errors("model a\n  x = 1\n  else\n  y = 2\nend\n") ==
        "m.dym:3:3: error: 'else' without 'if'\n"
        "    else\n"
        "    ^~~~\n");
  CHECK(errors("model a\n  use b\nend\n") ==
        "m.dym:2:3: error: 'use' stands outside of the models of a file\n"
        "    use b\n"
        "    ^~~\n");
  CHECK(errors("model a\n  begin\n  x = 1\nend\n") ==
        "m.dym:2:3: error: 'begin' stands only after 'do', 'then' and 'else'\n"
        "    begin\n"
        "    ^~~~~\n");
  CHECK(errors("model a\n  when c then\n    x := 1\n  local y\nend\n") ==
        "m.dym:2:3: error: 'when' is not closed\n"
        "    when c then\n"
        "    ^~~~~~~~~~~\n"
        "m.dym:4:3: note: expected 'end' before this\n"
        "    local y\n"
        "    ^~~~~\n");
}
