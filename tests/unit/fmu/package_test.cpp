#include "fmugen/fmu/package.h"

#include <zip.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fmugen::fmu {
namespace {

namespace fs = std::filesystem;

std::string bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("package-test-" + std::to_string(std::rand()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

const std::vector<PackageEntry> kEntries{{"modelDescription.xml", "<a/>"}, {"binaries/linux64/m.so", "code", true}};

TEST_CASE("entries can be read back in their order") {
  const Folder folder;
  const std::string path = folder.path / "m.fmu";
  REQUIRE(write_package(path, kEntries) == "");
  zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY, nullptr);
  REQUIRE(archive);
  CHECK(zip_get_num_entries(archive, 0) == 2);
  CHECK(std::string(zip_get_name(archive, 1, 0)) == "binaries/linux64/m.so");
  char text[8] = {};
  zip_file_t* file = zip_fopen_index(archive, 1, 0);
  CHECK(zip_fread(file, text, sizeof text) == 4);
  CHECK(std::string(text) == "code");
  zip_fclose(file);
  zip_discard(archive);
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("large entries are compressed, too") {
  const Folder folder;
  std::string text;
  for (int i = 0; text.size() < 2000000; ++i) text += "<ScalarVariable name=\"x" + std::to_string(i) + "\"/>\n";
  REQUIRE(write_package(folder.path / "m.fmu", {{"modelDescription.xml", text}}) == "");
  CHECK(fs::file_size(folder.path / "m.fmu") < text.size() / 5);
  zip_t* archive = zip_open((folder.path / "m.fmu").c_str(), ZIP_RDONLY, nullptr);
  REQUIRE(archive);
  std::string back(text.size(), '\0');
  zip_file_t* file = zip_fopen_index(archive, 0, 0);
  CHECK(zip_fread(file, back.data(), back.size()) == static_cast<zip_int64_t>(text.size()));
  CHECK(back == text);
  zip_fclose(file);
  zip_discard(archive);
}

TEST_CASE("the same entries give the same bytes, whatever the time zone") {
  const Folder folder;
  REQUIRE(write_package(folder.path / "a.fmu", kEntries) == "");
  setenv("TZ", "Asia/Kathmandu", 1);
  tzset();
  REQUIRE(write_package(folder.path / "b.fmu", kEntries) == "");
  unsetenv("TZ");
  tzset();
  CHECK(bytes(folder.path / "a.fmu") == bytes(folder.path / "b.fmu"));
}

TEST_CASE("the date of the sources is the date of the entries") {
  const Folder folder;
  REQUIRE(write_package(folder.path / "a.fmu", kEntries) == "");
  setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  REQUIRE(write_package(folder.path / "b.fmu", kEntries) == "");
  unsetenv("SOURCE_DATE_EPOCH");
  CHECK(bytes(folder.path / "a.fmu") != bytes(folder.path / "b.fmu"));
}

TEST_CASE("a file that cannot be written leaves the old one alone") {
  const Folder folder;
  CHECK(write_package(folder.path / "no" / "m.fmu", kEntries) != "");
  fs::create_directories(folder.path / "taken.fmu" / "inside");
  CHECK(write_package(folder.path / "taken.fmu", kEntries) != "");
  CHECK(fs::is_directory(folder.path / "taken.fmu" / "inside"));
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("an archive that fails its check does not appear") {
  const Folder folder;
  const std::string path = folder.path / "m.fmu";
  CHECK(write_package(path, kEntries, [](const std::string& partial) {
          return bytes(partial).starts_with("PK") ? "wrong" : "empty";
        }) == "wrong");
  CHECK(fs::is_empty(folder.path));
}

}  // namespace
}  // namespace fmugen::fmu
