#include <catch2/catch.hpp>

#include "importer/fmu/log.h"

using namespace importer::fmu;

TEST_CASE("messages are formed, and references replaced by names") {
  Log log([](char type, unsigned reference) {
    return type == 'r' && reference == 3 ? std::string("tank.h") : std::string();
  });
  Log::callback(&log, "x", fmi2Warning, "c", "division by #r3#, which is %g\n", 0.5);
  Log::callback(&log, "x", fmi2Error, nullptr, "50 ## of #r4# #b3# #x #", 0);
  Log::callback(&log, "x", fmi2OK, "c", "%s", "100 %");
  Log::callback(nullptr, "x", fmi2OK, "c", "lost");
  const auto messages = log.take();
  REQUIRE(messages.size() == 3);
  CHECK(messages[0].text == "division by tank.h, which is 0.5");
  CHECK(messages[0].category == "c");
  CHECK(messages[1].text == "50 # of #r4# #b3# #x #");
  CHECK(messages[1].status == fmi2Error);
  CHECK(messages[2].text == "100 %");
  CHECK(log.take().empty());
}

TEST_CASE("an FMU that never stops talking fills no memory") {
  Log log;
  for (std::size_t i = 0; i < Log::kMost + 7; ++i) log.add(fmi2OK, "", "again");
  const auto messages = log.take();
  CHECK(messages.size() == Log::kMost + 1);
  CHECK(messages.back().text == "7 further messages were not kept");
}

TEST_CASE("folders become locations") {
  CHECK(resource_uri("/var/a b/\xC3\xA4%") == "file:///var/a%20b/%C3%A4%25/resources");
}
