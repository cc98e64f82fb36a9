#include "fmugen/cli/stats.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace fmugen;

TEST_CASE("statistics are one line each") {
  equations::FlatModel model;
  model.name = "pair";
  model.instances.resize(1);
  model.variables.resize(4);
  model.equations.resize(4);
  const cli::Cost cost{{{"flatten", 0.5}, {"rest", 0.25}}, 1000, 9000};
  std::ostringstream out;
  cli::print_stats(out, model, cost);
  CHECK(out.str() ==
        "model: pair\n"
        "instances: 1\n"
        "variables: 4\n"
        "unknowns: 4\n"
        "equations: 4\n"
        "connection sets: 0\n"
        "expression nodes: " +
            std::to_string(model.pool.nodes()) +
            "\n"
            "seconds to flatten: 0.500000\n"
            "seconds to rest: 0.250000\n"
            "equations per second: 8\n"
            "peak memory in bytes: 9000\n"
            "bytes per equation: 2000\n");
}

TEST_CASE("the peak of memory only grows") {
  const std::size_t before = cli::peak_memory();
  CHECK(before > 100'000);
  CHECK(cli::peak_memory() >= before);
}

TEST_CASE("laps follow each other") {
  support::Stopwatch watch;
  CHECK(watch.lap() >= 0);
  CHECK(watch.lap() >= 0);
}
