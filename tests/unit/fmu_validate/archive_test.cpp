// Archives and layouts: a good FMU, spoiled in one place at a time.
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>

#include "fmugen/fmu/validate/validate.h"
#include "tests/support/fmu_builder.h"

using namespace fmugen::fmu::validate;
using namespace fmugen::test;

namespace {

using Entries = std::vector<ZipEntry>;

std::string all(const Report& report) {
  std::string text;
  for (const Finding& f : report.findings)
    text += std::string(text_of(f.rule).name) + " | " + f.place.entry + " | " + f.text + "\n";
  return text;
}

std::string found(const std::function<void(Entries&)>& spoil) {
  Entries entries = good_entries();
  spoil(entries);
  return all(validate_archive(make_zip(entries)));
}

std::string found_in_library(const std::function<void(LibraryFacts&)>& spoil) {
  LibraryFacts facts;
  facts.exports = fmi2_functions();
  spoil(facts);
  return found([&](Entries& e) { e[1].content = make_shared_library(facts); });
}

// Changes the bytes at a distance from every header of the central directory.
std::string with_directory_byte(std::string zip, std::size_t offset, char value) {
  for (std::size_t at = zip.find("PK\1\2"); at != std::string::npos; at = zip.find("PK\1\2", at + 4))
    zip[at + offset] = value;
  return zip;
}

}  // namespace

TEST_CASE("a good FMU has no findings") {
  const Report report = validate_archive(make_zip(good_entries()));
  CHECK(all(report) == "");
  CHECK(report.platforms == std::vector<std::string>{"linux64"});
  CHECK(report.libraries == std::vector<std::string>{"libc.so.6", "libm.so.6"});
}

TEST_CASE("a description that was checked before counts as if it were read") {
  Entries entries = good_entries();
  std::string& xml = entries[0].content;
  REQUIRE(entries[0].name == "modelDescription.xml");
  const CheckedDescription good(xml);
  const Report report = validate_archive(make_zip(entries), &good);
  CHECK(all(report) == "");
  CHECK(report.variables == 10);
  CHECK(report.states == 1);
  CHECK(report.libraries == std::vector<std::string>{"libc.so.6", "libm.so.6"});

  xml.replace(xml.find("fmiVersion=\"2.0\""), 16, "fmiVersion=\"2.1\"");  // of the same size
  const CheckedDescription bad(xml);
  const std::string usual = all(validate_archive(make_zip(entries)));
  CHECK_FALSE(usual.empty());
  CHECK(all(validate_archive(make_zip(entries), &bad)) == usual);
  xml += "\n";  // of another size: it is read
  CHECK(all(validate_archive(make_zip(entries), &good)) == usual);
}

TEST_CASE("names of entries") {
  const auto named = [](const char* name) { return found([&](Entries& e) { e.push_back({name, "x"}); }); };
  CHECK(named("resources/a.txt") == "");
  CHECK(named("resources\\a.txt") == "zip-backslash | resources\\a.txt | the name has a backslash\n");
  CHECK(named("./resources/a.txt") == "zip-dot-slash | ./resources/a.txt | the name starts with './'\n");
  CHECK(named("resources/../../a") == "zip-escape | resources/../../a | the name leads out of the archive\n");
  CHECK(named("/etc/passwd") == "zip-escape | /etc/passwd | the name leads out of the archive\n");
  CHECK(named("C:/a") ==
        "zip-escape | C:/a | the name leads out of the archive\nlayout-entry | C: | is not in a folder of the "
        "standard\n");
  CHECK(named("documentation/Index.html") ==
        "zip-case | documentation/Index.html | differs from 'documentation/index.html' only in case\n");
  CHECK(named("notes.txt") == "layout-entry | notes.txt | is not in a folder of the standard\n");
  CHECK(named("extra/mine/a") == "layout-extra | extra/mine | 'mine' is no reverse domain name\n");
  CHECK(named("extra/com.example/a") == "");
  CHECK(named("extra/org.modelica/a") ==
        "layout-extra | extra/org.modelica | 'org.modelica' is reserved for the FMI project\n");
  CHECK(named("sources/fmi2Functions.h") == "layout-headers | sources/fmi2Functions.h | is a header of FMI\n");
}

TEST_CASE("a careless archive is read all the same") {
  const std::string text = found([](Entries& e) {
    for (ZipEntry& entry : e) entry.name = "./" + entry.name;
  });
  CHECK(text ==
        "zip-dot-slash | ./modelDescription.xml | the name starts with './'\n"
        "zip-dot-slash | ./binaries/linux64/heater.so | the name starts with './'\n"
        "zip-dot-slash | ./documentation/index.html | the name starts with './'\n");
}

TEST_CASE("links, passwords, bombs") {
  CHECK(found([](Entries& e) {
          e.push_back({"resources/link", "target", 0120777});
        }) == "zip-symlink | resources/link | is a symbolic link\n");
  CHECK(found([](Entries& e) {
          e.push_back({"resources/secret", "content", 0100644, true});
        }) == "zip-encrypted | resources/secret | is encrypted\n");
  const std::string bomb = found([](Entries& e) { e.push_back({"resources/zeros", std::string(20 << 20, '\0')}); });
  CHECK(bomb.rfind("zip-bomb | resources/zeros | ", 0) == 0);
}

TEST_CASE("headers of the directory") {
  const std::string good = make_zip(good_entries());
  const Report newer = validate_archive(with_directory_byte(good, 6, 45));
  CHECK(all(newer).rfind("zip-version | modelDescription.xml | needs version 4.5 to be extracted\n", 0) == 0);
  const Report strange = validate_archive(with_directory_byte(good, 10, 12));
  CHECK(strange.counts[static_cast<std::size_t>(Rule::ZipMethod)] == 3);
  std::string name = make_zip({{"resources/abcd", "x"}});
  for (std::size_t at = name.find("abcd"); at != std::string::npos; at = name.find("abcd", at)) name[at] = '\xFF';
  CHECK(validate_archive(name).counts[static_cast<std::size_t>(Rule::ZipNameEncoding)] == 1);
  std::string twice = make_zip({{"resources/a", "x"}, {"resources/b", "x"}});
  for (std::size_t at = twice.find("resources/b"); at != std::string::npos; at = twice.find("resources/b", at))
    twice[at + 10] = 'a';
  CHECK(validate_archive(twice).counts[static_cast<std::size_t>(Rule::ZipDuplicate)] == 1);
  // A locator of ZIP64 that points nowhere: told, whatever libzip makes of the archive.
  std::string wide = good;
  wide.insert(wide.rfind("PK\5\6"), std::string("PK\6\7") + std::string(16, '\0'));
  CHECK(validate_archive(wide).has_errors() + validate_archive(wide).counts[static_cast<std::size_t>(Rule::Zip64)] >=
        1);
}

TEST_CASE("the layout") {
  CHECK(found([](Entries& e) { e.erase(e.begin()); }) == "layout-description |  | there is no modelDescription.xml\n");
  CHECK(found([](Entries& e) { e[0].name = "heater/modelDescription.xml"; }) ==
        "layout-description |  | there is no modelDescription.xml at the top, only 'heater/modelDescription.xml'\n"
        "layout-entry | heater | is not in a folder of the standard\n");
  CHECK(found([](Entries& e) { e.erase(e.begin() + 1); }) ==
        "layout-no-code |  | there are neither binaries nor sources\n");
  CHECK(found([](Entries& e) { e.pop_back(); }) == "layout-documentation |  | there is no documentation/index.html\n");
  CHECK(found([](Entries& e) { e[1].name = "binaries/linux64/other.so"; }) ==
        "layout-binary | binaries/linux64 | there is no heater.so\n");
  CHECK(found([](Entries& e) {
          e.push_back({"binaries/win64/heater.so", "MZ"});
        }) == "layout-binary | binaries/win64 | there is no heater.dll\n");
  CHECK(found([](Entries& e) { e.push_back({"binaries/aarch64-linux/heater.so", "x"}); }) == "");
  CHECK(found([](Entries& e) {
          e.push_back({"binaries/lin64/heater.so", "x"});
        }) == "layout-platform | binaries/lin64 | 'lin64' is no platform of FMI\n");
  CHECK(
      found([](Entries& e) {
        const std::string from = "<CoSimulation modelIdentifier=\"heater\"/>";
        const std::string to =
            "<CoSimulation modelIdentifier=\"heater\"><SourceFiles><File name=\"all.c\"/></SourceFiles></CoSimulation>";
        e[0].content.replace(e[0].content.find(from), from.size(), to);
      }) == "layout-source-file | modelDescription.xml | there is no 'sources/all.c'\n");
}

TEST_CASE("the binary for linux64") {
  const std::string so = "binaries/linux64/heater.so";
  CHECK(found([](Entries& e) { e[1].content = "not a library"; }) == "elf-format | " + so + " | is not an ELF file\n");
  CHECK(found([](Entries& e) { e[1].content[18] = 3; }) == "elf-format | " + so + " | is not for x86-64\n");
  CHECK(found([](Entries& e) { e[1].content[16] = 2; }) == "elf-format | " + so + " | is not a shared library\n");
  CHECK(found([](Entries& e) { e[1].content.resize(64); }) ==
        "elf-format | " + so + " | has no table of dynamic symbols\n");
  CHECK(found_in_library([](LibraryFacts& f) { f.exports.pop_back(); }) ==
        "elf-exports | " + so + " | does not export fmi2GetStringStatus\n");
  CHECK(found_in_library([](LibraryFacts& f) { f.exports.back() = "heater_fmi2GetStringStatus"; }) ==
        "elf-exports | " + so +
            " | does not export fmi2GetStringStatus, only with the prefix 'heater_'\n"
            "elf-other-exports | " +
            so + " | exports 1 other name: heater_fmi2GetStringStatus\n");
  CHECK(found_in_library([](LibraryFacts& f) { f.needed.push_back("libgfortran.so.5"); }) ==
        "elf-libraries | " + so + " | needs libgfortran.so.5\n");
  CHECK(found_in_library([](LibraryFacts& f) {
          f.versions = {"GLIBC_2.17", "GLIBC_2.34", "GLIBC_2.29"};
        }) == "elf-glibc | " + so + " | needs GLIBC_2.34\n");
  CHECK(found_in_library([](LibraryFacts& f) { f.runpath = "/usr/lib/mine"; }) ==
        "elf-runpath | " + so + " | looks for libraries in '/usr/lib/mine'\n");
  CHECK(found_in_library([](LibraryFacts& f) { f.runpath = "$ORIGIN"; }) == "");
}

TEST_CASE("damaged archives never harm") {
  const std::string good = make_zip(good_entries());
  CHECK(all(validate_archive("")) == "zip-format |  | the file is empty\n");
  CHECK(all(validate_archive("just a text")).rfind("zip-format |  | cannot be read as a ZIP archive: ", 0) == 0);
  for (std::size_t length = 0; length < good.size(); length += 13)
    CHECK(validate_archive(good.substr(0, length)).has_errors());
  std::string damaged = good;
  damaged[60 + 20] = static_cast<char>(damaged[60 + 20] ^ 0x55);  // within the compressed description
  CHECK(all(validate_archive(damaged)).rfind("zip-corrupt | modelDescription.xml | cannot be unpacked: ", 0) == 0);
  unsigned state = 7;
  for (int i = 0; i < 3000; ++i) {
    std::string bad = good;
    for (int k = 0; k < 3; ++k) {
      state = state * 1664525u + 1013904223u;
      bad[(state >> 8) % bad.size()] = static_cast<char>(state >> 4);
    }
    validate_archive(bad);
  }
}

TEST_CASE("damaged libraries never harm") {
  LibraryFacts facts;
  facts.exports = fmi2_functions();
  const std::string good = make_shared_library(facts);
  Entries entries = good_entries();
  unsigned state = 3;
  for (int i = 0; i < 2000; ++i) {
    entries[1].content = good;
    for (int k = 0; k < 6; ++k) {
      state = state * 1664525u + 1013904223u;
      entries[1].content[(state >> 8) % (k < 4 ? 400 : good.size())] = static_cast<char>(state >> 4);
    }
    validate_archive(make_zip(entries));
  }
}
