#include "fmugen/fmu/compile.h"

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
