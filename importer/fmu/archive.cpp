// Problem: an FMU comes from anywhere, and unpacking it must not write anywhere but into its folder, nor fill the disk.
//
// Method: libzip reads the archive. The name of every entry is brought into one form before it is used; since our own
// folder is empty at first and links are refused, a name without ".." cannot leave it:
//
//   binaries\linux64\ball.so  ->  binaries/linux64/ball.so     (some tools write backslashes)
//   ./modelDescription.xml    ->  modelDescription.xml
//   ../../.profile            ->  refused
//
// Bytes are counted as they are unpacked, whatever the directory of the archive claims.
//
// Reference: FMI 2.0.4, section 2.3; PKWARE's APPNOTE.TXT 6.3.3, section 4.4.
#include "importer/fmu/archive.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "importer/fmu/errors.h"

namespace importer::fmu {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = 1 << 16;

using Zip = std::unique_ptr<zip_t, void (*)(zip_t*)>;

Zip open_archive(const std::string& path) {
  std::error_code failure;
  if (!fs::exists(path, failure)) throw Rejected("cannot read '" + path + "': there is no such file");
  if (fs::is_directory(path, failure)) throw Rejected("cannot read '" + path + "': it is a folder");
  if (fs::file_size(path, failure) == 0 || failure) throw Rejected("cannot read '" + path + "': the file is empty");
  int code = 0;
  zip_t* zip = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (!zip) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw Rejected("'" + path + "' is no FMU: it cannot be read as an archive: " + why);
  }
  return Zip(zip, zip_discard);
}

std::string new_folder() {
  std::error_code failure;
  const fs::path base = fs::temp_directory_path(failure);
  std::string pattern = ((failure ? fs::path("/var/tmp") : base) / "cutsim-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw Rejected("cannot make a folder '" + pattern + "' to unpack to: " + std::strerror(errno));
  return pattern;
}

bool is_link(zip_t* zip, zip_uint64_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(zip, index, 0, &system, &attributes) != 0) return false;
  return system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

// Unpacks one entry to `target`; returns how many of `most` bytes it took. Throws a text without the name.
std::uint64_t unpack_entry(zip_t* zip, zip_uint64_t index, const fs::path& target, std::uint64_t most) {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(zip, index, 0), zip_fclose);
  if (!file) throw Rejected(std::string("cannot be unpacked: ") + zip_strerror(zip));
  std::ofstream out(target, std::ios::binary);
  std::array<char, kChunk> chunk;
  std::uint64_t sum = 0;
  for (;;) {
    const zip_int64_t got = zip_fread(file.get(), chunk.data(), chunk.size());
    if (got < 0) throw Rejected(std::string("cannot be unpacked: ") + zip_file_strerror(file.get()));
    if (got == 0) break;
    sum += static_cast<std::uint64_t>(got);
    if (sum > most) throw Rejected("the archive unpacks to more than is allowed");
    out.write(chunk.data(), static_cast<std::streamsize>(got));
  }
  out.close();
  if (!out) throw Rejected("cannot be written to the temporary folder");
  return sum;
}

void unpack_all(zip_t* zip, const std::string& folder, const UnpackLimits& limits, std::vector<std::string>& notes) {
  const auto count = static_cast<zip_uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(zip, 0), 0));
  if (count > limits.entries)
    throw Rejected("the archive has " + std::to_string(count) + " entries, more than allowed");
  std::uint64_t left = limits.bytes;
  bool backslashes = false;
  for (zip_uint64_t i = 0; i < count; ++i) {
    const char* raw = zip_get_name(zip, i, ZIP_FL_ENC_RAW);
    const std::string given = raw ? raw : "";
    const std::string name = safe_name(given);
    if (name.empty()) throw Rejected("entry '" + given + "' leads out of the archive");
    if (is_link(zip, i)) throw Rejected("entry '" + given + "' is a symbolic link");
    backslashes = backslashes || given.find('\\') != std::string::npos;
    const fs::path target = fs::path(folder) / name;
    try {
      if (given.back() == '/' || given.back() == '\\') {
        fs::create_directories(target);
      } else {
        fs::create_directories(target.parent_path());
        left -= unpack_entry(zip, i, target, left);
      }
    } catch (const fs::filesystem_error& error) {
      throw Rejected("entry '" + given + "': " + error.code().message());
    } catch (const Rejected& error) {
      throw Rejected("entry '" + given + "': " + error.what());
    }
  }
  if (backslashes) notes.push_back("names in the archive are written with backslashes");
}

}  // namespace

std::string safe_name(const std::string& name) {
  std::string text = name;
  std::replace(text.begin(), text.end(), '\\', '/');
  const bool drive = text.size() >= 2 && std::isalpha(static_cast<unsigned char>(text[0])) && text[1] == ':';
  if (text.empty() || text.front() == '/' || drive || text.find('\0') != std::string::npos) return {};
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part == "..") return {};
    if (part.empty() || part == ".") continue;
    result += (result.empty() ? "" : "/") + part;
  }
  return result.empty() ? "." : result;
}

UnpackedFmu::UnpackedFmu(const std::string& path, const UnpackLimits& limits) {
  const Zip zip = open_archive(path);
  folder_ = new_folder();
  try {
    unpack_all(zip.get(), folder_, limits, notes_);
  } catch (const Rejected& error) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw Rejected("'" + path + "' is refused: " + error.what());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

UnpackedFmu::~UnpackedFmu() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace importer::fmu
