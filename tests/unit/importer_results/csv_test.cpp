#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "importer/results/csv.h"

using namespace importer::results;

namespace {

std::string content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / ("csv_test_" + std::to_string(::getpid()) + ".csv")).string();
  ~File() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("rows are written with exact numbers and quoted texts") {
  const File file;
  CsvWriter csv(file.path);
  for (const char* name : {"time", "a[1,2]", "say \"x\"", "plain"}) csv.text(name);
  csv.end_row();
  csv.number(0.1);
  csv.integer(-3);
  csv.number(1e300);
  csv.text("");
  csv.end_row();
  CHECK(csv.finish() == "");
  CHECK(content(file.path) == "time,\"a[1,2]\",\"say \"\"x\"\"\",plain\n0.1,-3,1e+300,\n");
}

TEST_CASE("a file in the making ends with a complete row") {
  const File file;
  CsvWriter csv(file.path);
  for (int i = 0; i < 20'000; ++i) {
    csv.number(i / 3.0);
    csv.number(i);
    csv.end_row();
  }
  csv.number(1.0);  // a row that is not finished
  const std::string text = content(file.path);
  CHECK(text.size() > 100'000);
  CHECK(text.back() == '\n');
}

TEST_CASE("what cannot be written is told") {
  CsvWriter nowhere("no_such_folder/out.csv");
  CHECK(nowhere.failed());
  nowhere.number(1);
  nowhere.end_row();
  CHECK(nowhere.finish() == "No such file or directory");
  CsvWriter full("/dev/full");
  full.number(1);
  full.end_row();
  CHECK(full.finish() == "No space left on device");
}
