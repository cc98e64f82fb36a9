#include "fmugen/fmu/compile.h"

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fmugen::fmu {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("compile-test-" + std::to_string(std::rand()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

// What the tests set in the environment, and its former value afterwards.
struct Environment {
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, had_ = true;
    setenv(name, value, 1);
  }
  ~Environment() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

CompileJob small_job(const Folder& folder) {
  CompileJob job;
  job.files = {
      {"two.h", "double two(void);\n"},
      {"one.c",
       "#include \"two.h\"\n__attribute__((visibility(\"default\"))) double fmi2One(void) { return two() / 2; }\n"},
      {"two.c", "#include \"two.h\"\ndouble two(void) { return 2; }\n", false}};
  job.version_script = folder.write("fmu.map", "{ global: fmi2*; local: *; };\n");
  return job;
}

TEST_CASE("files become a shared library") {
  const Folder folder;
  const Compiled compiled = compile(small_job(folder));
  INFO(compiled.failure << compiled.messages);
  REQUIRE(compiled.failure.empty());
  CHECK(compiled.library.substr(0, 4) ==
        "\x7f"
        "ELF");
  CHECK(compiled.library.find("fmi2One") != std::string::npos);
  CHECK(compiled.library == compile(small_job(folder)).library);  // the same bytes every time
}

// One whose result depends on a table so large that the assembler gets it.
std::string library_with_table(const Folder& folder) {
  std::string numbers;
  for (int i = 0; i < 1000; ++i) numbers += (i ? ", " : "") + std::to_string(70000 + i);
  CompileJob job = small_job(folder);
  job.files = {{"table.c", "static const unsigned table[1000] = {" + numbers +
                               "};\n__attribute__((visibility(\"default\"))) unsigned fmi2At(unsigned i) { return "
                               "table[i]; }\n"}};
  const Compiled compiled = compile(job);
  INFO(compiled.failure << compiled.messages);
  REQUIRE(compiled.failure.empty());
  return compiled.library;
}

unsigned element(const Folder& folder, const std::string& bytes, unsigned i) {
  const std::string path = folder.write("at.so", bytes);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library);
  unsigned (*at)(unsigned) = nullptr;
  *reinterpret_cast<void**>(&at) = dlsym(library, "fmi2At");
  REQUIRE(at);
  const unsigned value = at(i);
  dlclose(library);
  return value;
}

TEST_CASE("large tables have their numbers, by the assembler or by a compiler that has none") {
  const Folder folder;
  const std::string usual = library_with_table(folder);
  CHECK(element(folder, usual, 0) == 70000);
  CHECK(element(folder, usual, 999) == 70999);
  CHECK(usual.find("fmr_numbers") == std::string::npos);
  const std::string script = folder.write("cc", "#!/bin/sh\ncase \"$*\" in *tables.s*) exit 1;; esac\nexec cc \"$@\"\n");
  fs::permissions(script, fs::perms::owner_all);
  const Environment environment("CC", script.c_str());
  const Folder other;
  CHECK(element(other, library_with_table(other), 999) == 70999);
}

TEST_CASE("what the compiler says is passed on") {
  const Folder folder;
  CompileJob job = small_job(folder);
  job.files[1].text = "__attribute__((visibility(\"default\"))) double fmi2One(void) { return undeclared_name; }\n";
  const Compiled compiled = compile(job);
  CHECK(compiled.library.empty());
  CHECK(compiled.failure == "the C compiler rejects the code");
  CHECK(compiled.messages.find("undeclared_name") != std::string::npos);
}

TEST_CASE("a function that nobody defines is found when linking") {
  const Folder folder;
  CompileJob job = small_job(folder);
  job.files.pop_back();
  const Compiled compiled = compile(job);
  CHECK(compiled.failure == "the linker cannot put the FMU's library together");
  CHECK(compiled.messages.find("two") != std::string::npos);
}

TEST_CASE("C files of the user are compiled along") {
  const Folder folder;
  CompileJob job = small_job(folder);
  job.files.pop_back();
  job.external = {folder.write("mine.c", "double two(void) { return 2; }\n")};
  CHECK(compile(job).failure.empty());
}

TEST_CASE("without a compiler the message says what to install") {
  const Folder folder;
  const Environment cc("CC", "no-such-compiler -m64");
  CHECK(compile(small_job(folder)).failure ==
        "cannot run the C compiler 'no-such-compiler': No such file or directory; install one (Debian: apt-get install "
        "gcc libc6-dev) or name yours in CC");
}

TEST_CASE("the temporary folder is gone afterwards") {
  const Folder folder, temporary;
  const Environment tmp("TMPDIR", temporary.path.c_str());
  compile(small_job(folder));
  CHECK(fs::is_empty(temporary.path));
}

}  // namespace
}  // namespace fmugen::fmu
