#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "importer/fmu/archive.h"
#include "importer/fmu/errors.h"
#include "tests/support/fmu_builder.h"

using namespace importer::fmu;
namespace fs = std::filesystem;

namespace {

struct File {
  std::string path = (fs::temp_directory_path() / ("archive_test_" + std::to_string(::getpid()) + ".fmu")).string();
  explicit File(const std::string& content) { std::ofstream(path, std::ios::binary) << content; }
  ~File() { fs::remove(path); }
};

// What is said of an archive with these entries, without the name of the file.
std::string refusal(const std::vector<fmugen::test::ZipEntry>& entries, const UnpackLimits& limits = {}) {
  const File file(fmugen::test::make_zip(entries));
  try {
    UnpackedFmu fmu(file.path, limits);
  } catch (const Rejected& error) {
    const std::string text = error.what();
    return text.substr(text.find(" is refused: ") + 13);
  }
  return "accepted";
}

}  // namespace

TEST_CASE("names lead into the folder or nowhere") {
  CHECK(safe_name("modelDescription.xml") == "modelDescription.xml");
  CHECK(safe_name("./a//b/./c") == "a/b/c");
  CHECK(safe_name("binaries\\linux64\\x.so") == "binaries/linux64/x.so");
  CHECK(safe_name("a/..b/c..") == "a/..b/c..");
  for (const char* bad : {"", "/etc/x", "\\x", "..", "a/../b", "../x", "a\\..\\..\\x", "C:x", "c:\\x"})
    CHECK(safe_name(bad) == "");
  CHECK(safe_name(std::string("a\0b", 3)) == "");
}

TEST_CASE("an archive is unpacked and removed again") {
  const File file(fmugen::test::make_zip({{"modelDescription.xml", "<x/>"}, {"resources/a/b.txt", "text"}}));
  std::string folder;
  {
    const UnpackedFmu fmu(file.path);
    folder = fmu.folder();
    std::ifstream in(folder + "/resources/a/b.txt");
    std::string text;
    in >> text;
    CHECK(text == "text");
    CHECK(fmu.notes().empty());
  }
  CHECK(!fs::exists(folder));
}

TEST_CASE("archives that would do harm are refused") {
  CHECK(refusal({{"good", "x"}, {"../evil", "x"}}) == "entry '../evil' leads out of the archive");
  CHECK(refusal({{"link", "/etc", 0120777}}) == "entry 'link' is a symbolic link");
  CHECK(refusal({{"a", "12345"}, {"b", "12345"}}, {8, 10}) == "entry 'b': the archive unpacks to more than is allowed");
  CHECK(refusal({{"a", ""}, {"b", ""}}, {8, 1}) == "the archive has 2 entries, more than allowed");
  CHECK(refusal({{"a", "x"}, {"a/b", "x"}}) == "entry 'a/b': Not a directory");
}

TEST_CASE("what is no archive is told") {
  CHECK_THROWS_WITH(UnpackedFmu("no_such.fmu"), "cannot read 'no_such.fmu': there is no such file");
  const File file("not a zip file");
  CHECK_THROWS_WITH(UnpackedFmu(file.path),
                    "'" + file.path + "' is no FMU: it cannot be read as an archive: Not a zip archive");
  const File empty("");
  CHECK_THROWS_WITH(UnpackedFmu(empty.path), "cannot read '" + empty.path + "': the file is empty");
}
