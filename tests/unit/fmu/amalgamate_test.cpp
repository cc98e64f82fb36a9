#include "fmugen/fmu/amalgamate.h"

#include <catch2/catch.hpp>

namespace fmugen::fmu {
namespace {

using Names = std::set<std::string>;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("names that a file has for itself") {
  struct Case {
    const char* text;
    Names names;
  };
  const Case cases[] = {
      {"static int f(int a, int b) { static int c; return a + b + c; }\nint g(void) { return f(1, 2); }\n", {"f"}},
      {"static const double A = 1.0 / (1 << 3), B = A;\n", {"A", "B"}},
      {"static const int t[2] = {1, 2};\n", {"t"}},
      {"enum { MOST = 3, LEAST };\n", {"MOST", "LEAST"}},
      {"typedef struct Past { int count; } Past;\n", {"Past"}},
      {"#define static extern\nextern int e;\nint x = 3;\nint h(int q);\n", {}},
      {"/* static int no; */ const char* s = \"static int no;\";\n", {}},
      {"int* f(void) {\n  return 0;\n}\nstatic int after;\n", {"after"}},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK(private_names(c.text) == c.names);
  }
}

TEST_CASE("files become one, names that two of them have for themselves are told apart") {
  Amalgamation parts;
  parts.headers = {{"a/a.h", "#ifndef A\n#define A\n#include <math.h>\nstruct S { int n; };\n#endif\n"}};
  parts.files = {{"a/one.c", "#include \"a/a.h\"\nstatic int n;\nint fmr_a(struct S s) { return n + s.n; }\n"},
                 {"a/two.c", "#include \"a/a.h\"\n#include <stdio.h>\nstatic int n;\nstatic int m;\n"
                             "const char* fmr_b(struct S* s) { return s->n + n + m ? \"n\" : \"\"; } /* n */\n"}};
  const std::string text = amalgamate(parts, "model", "/* preface */\n");
  CHECK(text.rfind("/* preface */\n", 0) == 0);
  CHECK(holds(text, "static int n_of_one;\nint fmr_a(struct S s) { return n_of_one + s.n; }\n"));
  CHECK(holds(text, "return s->n + n_of_two + m ? \"n\" : \"\"; } /* n */\n"));
  CHECK(text.find("struct S {") == text.rfind("struct S {"));
  CHECK(text.find("#include <math.h>") < text.find("visibility push"));
  CHECK(text.find("#include <stdio.h>") < text.find("visibility push"));
  CHECK_FALSE(holds(text, "#include \""));
  CHECK(holds(text, "#define fmr_a FMU_OWN(fmr_a)\n#define fmr_b FMU_OWN(fmr_b)\n"));
  CHECK(holds(text, "#define FMU_PREFIX model_\n"));
}

TEST_CASE("headers of libraries are included from where they are packed") {
  Amalgamation parts;
  parts.foreign = {{"cvode/cvode.h", "sundials/include/cvode/cvode.h"}};
  parts.files = {{"one.c", "#include <cvode/cvode.h>\nint x;\n"}};
  const std::string text = amalgamate(parts, "m", "");
  CHECK(holds(text, "#include \"sundials/include/cvode/cvode.h\"\n"));
  CHECK_FALSE(holds(text, "<cvode"));
}

TEST_CASE("a header that is not there is our mistake") {
  Amalgamation parts;
  parts.files = {{"one.c", "#include \"nowhere.h\"\n"}};
  CHECK_THROWS_WITH(amalgamate(parts, "m", ""), "there is no header 'nowhere.h' to pack");
}

TEST_CASE("includes are redirected where a place is known") {
  const auto place = [](const std::string& name) { return name == "a/b.h" ? std::string("../b.h") : std::string(); };
  CHECK(redirect_includes("#include <a/b.h>   /* b */\n#include <stdio.h>\nint x; // #include <a/b.h>\n", place) ==
        "#include \"../b.h\"   /* b */\n#include <stdio.h>\nint x; // #include <a/b.h>\n");
}

}  // namespace
}  // namespace fmugen::fmu
