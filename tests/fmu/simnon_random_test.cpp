// Random SIMNON systems: the FMU by Co-Simulation, and every fourth also by Model Exchange, against the statements
// executed as the manual says.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "tests/support/fmu_driver.h"
#include "tests/support/simnon_random.h"
#include "tests/support/simnon_reference.h"

using namespace fmugen::tests;

namespace {

// SIMNON_SYSTEMS in the environment asks for more.
std::uint32_t systems() {
  const char* more = std::getenv("SIMNON_SYSTEMS");
  return more ? static_cast<std::uint32_t>(std::max(40, std::atoi(more))) : 40;
}

// Compiles the text; the path of the FMU.
std::string build(const std::string& text, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::string model = (folder / "random.sim").string(), fmu = (folder / "random.fmu").string();
  std::ofstream(model) << text;
  const std::string command = std::string("'") + COMPILER + "' build '" + model + "' -o '" + fmu + "' 2>'" +
                              (folder / "messages").string() + "'";
  const int status = std::system(command.c_str());
  std::ifstream messages(folder / "messages");
  INFO(std::string(std::istreambuf_iterator<char>(messages), {}));
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  return fmu;
}

// "S1.X1" as the FMU names it: a system alone is the model itself.
std::string name_in(const Fmu& fmu, const std::string& name) {
  return fmu.has(name) ? name : name.substr(name.find('.') + 1);
}

}  // namespace

TEST_CASE("random systems compute what the manual says") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("simnon-" + std::to_string(getpid()));
  const std::uint32_t count = systems();
  std::size_t discrete = 0, overwriting = 0, samplings = 0;
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    const std::string text = random_simnon(seed);
    INFO("seed " << seed << "\n" << text);
    SimnonReference manual(text);
    const Fmu fmu(build(text, folder));
    CsRun cs(fmu);
    manual.start(0);
    cs.start(0);
    MeRun me(fmu);
    me.start(0);
    for (int point = 0; point <= 16; ++point) {
      const double t = point % 2 == 0 ? point * 0.25 : point * 0.25 + 0.01;  // at instants, and between them
      manual.advance(t);
      if (t > 0) cs.advance(t);
      if (t > 0 && seed % 4 == 0) me.advance(t);
      for (const std::string& name : manual.states_and_outputs()) {
        INFO(name << " at " << t);
        REQUIRE(cs[name_in(fmu, name)] == Approx(manual[name]).margin(2e-7).epsilon(2e-7));
        if (seed % 4 == 0) REQUIRE(me[name_in(fmu, name)] == Approx(manual[name]).margin(2e-7).epsilon(2e-7));
      }
    }
    discrete += text.find("DISCRETE") != std::string::npos;
    overwriting += text.find("X1[S") != std::string::npos;
    samplings += manual.samplings();
  }
  std::filesystem::remove_all(folder);
  CHECK(discrete > count / 2);  // the systems are worth something
  CHECK(overwriting > count / 8);
  CHECK(samplings > 5 * count);
}
