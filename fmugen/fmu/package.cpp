// libzip keeps what it is given in memory, writes a temporary file beside the archive when it is closed, and renames it:
// the file appears whole. To be so also for an archive that exists, the archive is written under a name of our own first.
#include "fmugen/fmu/package.h"

#include <unistd.h>
#include <zip.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace fmugen::fmu {

namespace {

// Of an entry in bytes: beyond, the highest level of compression would take longer than the rest of the build, for a
// tenth of the size.
constexpr std::size_t kLarge = 1000000;

std::time_t entry_time() {
  std::tm first{};
  first.tm_year = 80;
  first.tm_mday = 1;
  first.tm_isdst = -1;
  const std::time_t earliest = std::mktime(&first);  // libzip writes local time
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  if (!given || !*given) return earliest;
  char* end = nullptr;
  errno = 0;
  const long long seconds = std::strtoll(given, &end, 10);
  if (errno || *end || seconds < 0) return earliest;
  const std::time_t utc = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&utc, &parts);
  parts.tm_isdst = -1;
  return std::max(earliest, std::mktime(&parts));
}

// Adds one entry; false if libzip refuses.
bool add(zip_t* archive, const PackageEntry& entry, std::time_t time) {
  zip_source_t* source = zip_source_buffer(archive, entry.content.data(), entry.content.size(), 0);
  if (!source) return false;
  const zip_int64_t at = zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (at < 0) {
    zip_source_free(source);
    return false;
  }
  const auto index = static_cast<zip_uint64_t>(at);
  constexpr unsigned kRegularFile = 0100000;
  const zip_uint32_t mode = (kRegularFile | (entry.executable ? 0755u : 0644u)) << 16;
  const zip_uint32_t level = entry.content.size() > kLarge ? 1 : 9;
  return zip_set_file_compression(archive, index, ZIP_CM_DEFLATE, level) == 0 &&
         zip_file_set_mtime(archive, index, time, 0) == 0 &&
         zip_file_set_external_attributes(archive, index, 0, ZIP_OPSYS_UNIX, mode) == 0;
}

}  // namespace

std::string write_package(const std::string& path, const std::vector<PackageEntry>& entries,
                          const std::function<std::string(const std::string& partial)>& check) {
  const std::string partial = path + "." + std::to_string(getpid()) + ".part";
  int code = 0;
  zip_t* archive = zip_open(partial.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return why;
  }
  const std::time_t time = entry_time();
  for (const PackageEntry& entry : entries)
    if (!add(archive, entry, time)) {
      const std::string why = zip_strerror(archive);
      zip_discard(archive);
      return why;
    }
  if (zip_close(archive) != 0) {
    const std::string why = zip_strerror(archive);
    zip_discard(archive);
    return why;
  }
  std::string why = check ? check(partial) : "";
  std::error_code failure;
  if (why.empty()) std::filesystem::rename(partial, path, failure);
  if (failure) why = failure.message();
  std::error_code ignored;
  if (!why.empty()) std::filesystem::remove(partial, ignored);
  return why;
}

}  // namespace fmugen::fmu
