#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("cuts") {
  CHECK(body("cut A(Va / I) B(Vb / .)") == "cut A (Va / I)\ncut B (Vb / .)\n");
  CHECK(body("cut A(Va / I), B(Vb / -I)") == "cut A (Va / I)\ncut B (Vb / -I)\n");
  CHECK(body("cut inlet(P0, ., ., dens / -qin)") == "cut inlet (P0, ., ., dens / -qin)\n");
  CHECK(body("cut end1(X Y Z / Fx Fy Fz)") == "cut end1 (X, Y, Z / Fx, Fy, Fz)\n");
  CHECK(body("cut c") == "cut c\n");
  CHECK(body("cut hotin hotout, coldin") == "cut hotin\ncut hotout\ncut coldin\n");
  CHECK(body("main cut conn (wire1, wire2)") == "main cut conn (wire1, wire2)\n");
  CHECK(body("main cut (Omega / Tload)") == "main cut (Omega / Tload)\n");
  CHECK(body("cut heat ((Q1), (Q2), (Q3))") == "cut heat ((Q1), (Q2), (Q3))\n");
  CHECK(body("cut c(m:a, n:(b, d) / x)") == "cut c (m:a, n:(b, d) / x)\n");
  CHECK(body("cut c(P . . / .)") == "cut c (P, ., . / .)\n");
}

TEST_CASE("brackets are kept: an index or Cellier's hierarchical cut") {
  CHECK(body("cut hole[n](x / f)") == "cut hole[n] (x / f)\n");
  CHECK(body("cut both[mech, elect]") == "cut both[mech, elect]\n");
  CHECK(body("main cut D[A,B,C]") == "main cut D[A, B, C]\n");
  CHECK(body("main cut [A, B]") == "main cut (A, B)\n");
}

TEST_CASE("attributes and descriptions in cuts") {
  CHECK(body("cut A(V(unit=\"V\") \"voltage\" / I(unit=\"A\", start=0)) \"pin\"") ==
        "cut A (V(unit = \"V\") \"voltage\" / I(unit = \"A\", start = 0)) \"pin\"\n");
}

TEST_CASE("nodes") {
  CHECK(body("node N1 N2, N3") == "node N1\nnode N2\nnode N3\n");
  CHECK(body("node Bus(Vx, Vy / .)") == "node Bus (Vx, Vy / .)\n");
  CHECK(body("node N[3]") == "node N[3]\n");
}

TEST_CASE("paths in both spellings") {
  CHECK(body("path p (a - b)") == "path p (a - b)\n");
  CHECK(body("path p < a - b >") == body("path p (a - b)"));
  CHECK(body("path p < a - b >, q (c - d)") == "path p (a - b)\npath q (c - d)\n");
  CHECK(body("main path ( (Va / I) - (Vb / -I) )") == "main path ((Va / I) - (Vb / -I))\n");
  CHECK(body("main path r( (Va / I) - (Vb / -I) ) \"text\"") == "main path r ((Va / I) - (Vb / -I)) \"text\"\n");
  CHECK(body("path s ( (W, H, P) - ( (W1, H, P), (W2, H, .) ) )") == "path s ((W, H, P) - ((W1, H, P), (W2, H, .)))\n");
  CHECK(body("path p (a[1] - m:c)") == "path p (a[1] - m:c)\n");
}

TEST_CASE("what is wrong in cuts and paths") {
  CHECK(errors("model m\n  cut\nend\n") ==
        "m.dym:2:6: error: expected the name of a cut or '(', found the end of the statement\n"
        "    cut\n"
        "       ^\n");
  CHECK(errors("model m\n  cut c(a / b / d)\nend\n") ==
        "m.dym:2:15: error: a cut has one '/' only\n"
        "    cut c(a / b / d)\n"
        "                ^\n"
        "note: across variables stand before it, through variables after it\n");
  CHECK(errors("model m\n  cut c(a / 5)\nend\n") ==
        "m.dym:2:13: error: a declared cut holds no numbers\n"
        "    cut c(a / 5)\n"
        "              ^\n"
        "note: a number may stand in a cut of a connection statement\n");
  CHECK(errors("model m\n  cut c(a / -b -d)\nend\n") ==
        "m.dym:2:16: error: expected ',', found '-'\n"
        "    cut c(a / -b -d)\n"
        "                 ^\n"
        "note: after a blank '-' is an operator: write (a, -b)\n");
  CHECK(errors("model m\n  cut c(a, / b)\nend\n") ==
        "m.dym:2:12: error: expected a variable, a cut or '.', found '/'\n"
        "    cut c(a, / b)\n"
        "             ^\n");
  CHECK(errors("model m\n  cut c(m..p)\nend\n") ==
        "m.dym:2:9: error: a path cannot be a part of a cut\n"
        "    cut c(m..p)\n"
        "          ^\n");
  CHECK(errors("model m\n  path p (a, b)\nend\n") ==
        "m.dym:2:12: error: expected '-', found ','\n"
        "    path p (a, b)\n"
        "             ^\n"
        "note: a path is written 'path p (a - b)'\n");
  CHECK(errors("model m\n  path p < a - b\nend\n") ==
        "m.dym:2:17: error: expected '>', found the end of the statement\n"
        "    path p < a - b\n"
        "                  ^\n");
  CHECK(errors("model m\n  path p\nend\n") ==
        "m.dym:2:9: error: expected '(' or '<', found the end of the statement\n"
        "    path p\n"
        "          ^\n"
        "note: a path is written 'path p (a - b)'\n");
  CHECK(errors("model m\n  main local x\nend\n") ==
        "m.dym:2:8: error: expected 'cut' or 'path', found 'local'\n"
        "    main local x\n"
        "         ^~~~~\n");
  CHECK(errors("model m\n  node (a / b)\nend\n") ==
        "m.dym:2:8: error: expected the name of a node, found '('\n"
        "    node (a / b)\n"
        "         ^\n");
}
