// Problem: an FMU comes from anywhere. Its archive may be cut off, lead out of the folder it is unpacked to, unpack to
// more than there is memory, or merely use what the standard does not allow.
//
// Method: libzip reads the directory and unpacks; names, methods and attributes are looked at here. What libzip does
// not tell, the version needed to extract an entry, is read from the central directory:
//
//   ...entries...  | PK 1 2: version made by, version needed, ... name | PK 1 2 ... |  PK 5 6: count, size, offset
//                  ^ offset                                                            ^ within the last 64 KiB
//
// Reading stops at a limit of bytes actually unpacked, whatever the directory claims.
//
// Reference: PKWARE's APPNOTE.TXT 6.3.3, sections 4.3 and 4.4; FMI 2.0.4, section 2.3.
#include "fmugen/fmu/validate/archive.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "fmugen/support/utf8.h"

namespace fmugen::fmu::validate {
namespace {

constexpr std::size_t kChunk = 1 << 16;
constexpr std::uint64_t kMostChecked = std::uint64_t{512} << 20;  // bytes unpacked by check_contents
constexpr std::uint64_t kBombRatio = 200;                         // deflate reaches 1000, descriptions and binaries 30
constexpr std::uint64_t kBombSize = std::uint64_t{16} << 20;      // smaller entries harm nobody
constexpr unsigned kMostVersion = 20;                             // 2.0

// Little-endian numbers at a place that may lie outside; then they are 0.
struct Bytes {
  std::string_view text;
  std::uint32_t number(std::size_t at, std::size_t count) const {
    std::uint32_t value = 0;
    if (at > text.size() || text.size() - at < count) return 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + i]);
    return value;
  }
};

constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEntrySize = 46;

std::optional<std::size_t> end_of_directory(const Bytes& bytes) {
  if (bytes.text.size() < kEndSize) return std::nullopt;
  const std::size_t last = bytes.text.size() - kEndSize;
  const std::size_t first = last > 0xffff ? last - 0xffff : 0;
  for (std::size_t at = last + 1; at-- > first;)
    if (bytes.number(at, 4) == kEndOfDirectory) return at;
  return std::nullopt;
}

// Versions needed; silent where the directory is not where it should be: libzip has accepted or refused it by then.
void check_versions(const Bytes& bytes, Report& report) {
  const std::optional<std::size_t> end = end_of_directory(bytes);
  if (!end) return;
  if (*end >= 20 && bytes.number(*end - 20, 4) == kLocator64) report.add(Rule::Zip64, {}, "the archive is ZIP64");
  std::size_t at = bytes.number(*end + 16, 4);
  for (std::size_t left = bytes.number(*end + 10, 2); left > 0; --left) {
    if (bytes.number(at, 4) != kDirectoryEntry || at > bytes.text.size() - kEntrySize) return;
    const unsigned version = bytes.number(at + 6, 2) & 0xff;
    const std::size_t name = bytes.number(at + 28, 2);
    if (version > kMostVersion) {
      report.add(
          Rule::ZipVersion, {std::string(bytes.text.substr(at + kEntrySize, name)), 0, {}},
          "needs version " + std::to_string(version / 10) + "." + std::to_string(version % 10) + " to be extracted");
    }
    at += kEntrySize + name + bytes.number(at + 30, 2) + bytes.number(at + 32, 2);
  }
}

bool leads_out(std::string_view name) {
  if (!name.empty() && name.front() == '/') return true;
  if (name.size() >= 2 && std::isalpha(static_cast<unsigned char>(name[0])) && name[1] == ':') return true;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = support::utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// The name as the standard wants it.
std::string check_name(const std::string& raw, Report& report) {
  std::string name = raw;
  if (name.find('\\') != std::string::npos) {
    report.add(Rule::ZipBackslash, {raw, 0, {}}, "the name has a backslash");
    std::replace(name.begin(), name.end(), '\\', '/');
  }
  if (name.rfind("./", 0) == 0) {
    report.add(Rule::ZipDotSlash, {raw, 0, {}}, "the name starts with './'");
    while (name.rfind("./", 0) == 0) name.erase(0, 2);
  }
  if (leads_out(name)) report.add(Rule::ZipEscape, {raw, 0, {}}, "the name leads out of the archive");
  if (!is_utf8(name)) report.add(Rule::ZipNameEncoding, {raw, 0, {}}, "the name is not UTF-8");
  return name;
}

void check_attributes(zip_t* zip, zip_uint64_t index, const std::string& name, Report& report) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  if (zip_file_get_external_attributes(zip, index, 0, &system, &attributes) != 0 || system != ZIP_OPSYS_UNIX) return;
  constexpr zip_uint32_t kFileType = 0170000, kLink = 0120000;
  if ((attributes >> 16 & kFileType) == kLink) report.add(Rule::ZipSymlink, {name, 0, {}}, "is a symbolic link");
}

// Whether the entry can be read at all.
bool check_storage(const zip_stat_t& about, const std::string& name, Report& report) {
  bool readable = true;
  if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) && about.encryption_method != ZIP_EM_NONE) {
    report.add(Rule::ZipEncrypted, {name, 0, {}}, "is encrypted");
    readable = false;
  }
  if ((about.valid & ZIP_STAT_COMP_METHOD) && about.comp_method != ZIP_CM_STORE &&
      about.comp_method != ZIP_CM_DEFLATE) {
    report.add(Rule::ZipMethod, {name, 0, {}}, "is compressed by method " + std::to_string(about.comp_method));
    readable = false;
  }
  if (about.size >= kBombSize && about.size / kBombRatio > about.comp_size) {
    report.add(Rule::ZipBomb, {name, 0, {}},
               std::to_string(about.comp_size) + " bytes unpack to " + std::to_string(about.size));
  }
  return readable;
}

void check_unique(const std::vector<Entry>& entries, Report& report) {
  std::unordered_map<std::string, std::string> seen;  // in lower case -> as written
  for (const Entry& entry : entries) {
    std::string lower = entry.name;
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto [first, added] = seen.emplace(lower, entry.name);
    if (added) continue;
    if (first->second == entry.name)
      report.add(Rule::ZipDuplicate, {entry.name, 0, {}}, "the name occurs twice");
    else
      report.add(Rule::ZipCase, {entry.name, 0, {}}, "differs from '" + first->second + "' only in case");
  }
}

// Unpacks at most `most` bytes and hands them on; an empty text, or what went wrong.
template <typename Take>
std::string unpack(zip_t* zip, zip_uint64_t index, std::uint64_t most, bool& too_large, Take&& take) {
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(zip, index, 0), zip_fclose);
  if (!file) return zip_strerror(zip);
  std::array<char, kChunk> chunk;
  std::uint64_t sum = 0;
  for (;;) {
    const zip_int64_t got = zip_fread(file.get(), chunk.data(), chunk.size());
    if (got < 0) return zip_file_strerror(file.get());
    if (got == 0) return {};
    sum += static_cast<std::uint64_t>(got);
    if (sum > most) {
      too_large = true;
      return "more bytes than allowed";
    }
    take(std::string_view(chunk.data(), static_cast<std::size_t>(got)));
  }
}

zip_t* as_zip(void* zip) { return static_cast<zip_t*>(zip); }

}  // namespace

void Archive::Close::operator()(Zip* zip) const { zip_discard(as_zip(zip)); }

std::optional<Archive> Archive::open(std::string_view bytes, Report& report) {
  if (bytes.empty()) {  // libzip takes it for an archive without entries
    report.add(Rule::ZipFormat, {}, "the file is empty");
    return std::nullopt;
  }
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (!zip) {
    report.add(Rule::ZipFormat, {}, "cannot be read as a ZIP archive: " + std::string(zip_error_strerror(&error)));
    if (source) zip_source_free(source);
    zip_error_fini(&error);
    return std::nullopt;
  }
  zip_error_fini(&error);
  Archive archive;
  archive.zip_.reset(reinterpret_cast<Zip*>(zip));
  check_versions({bytes}, report);
  const zip_int64_t count = zip_get_num_entries(zip, 0);
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(std::max<zip_int64_t>(count, 0)); ++i) {
    zip_stat_t about;
    const char* raw = zip_get_name(zip, i, ZIP_FL_ENC_RAW);
    if (!raw || zip_stat_index(zip, i, 0, &about) != 0) {
      report.add(Rule::ZipCorrupt, {}, "entry " + std::to_string(i + 1) + " has no readable header");
      continue;
    }
    Entry entry{check_name(raw, report), about.size, static_cast<std::size_t>(i), true};
    check_attributes(zip, i, entry.name, report);
    entry.readable = check_storage(about, entry.name, report);
    archive.places_.emplace(entry.name, archive.entries_.size());
    archive.entries_.push_back(std::move(entry));
  }
  check_unique(archive.entries_, report);
  return archive;
}

const Entry* Archive::find(const std::string& name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &entries_[place->second];
}

std::optional<std::string> Archive::read(const Entry& entry, Report& report) const {
  if (!entry.readable) return std::nullopt;  // reported before
  std::string result;
  bool too_large = false;
  const std::string failure =
      unpack(as_zip(zip_.get()), entry.index, kMostBytes, too_large, [&](std::string_view chunk) { result += chunk; });
  if (too_large) report.add(Rule::ZipTooLarge, {entry.name, 0, {}}, "has more than 1 GiB");
  if (failure.empty()) return result;
  if (!too_large) report.add(Rule::ZipCorrupt, {entry.name, 0, {}}, "cannot be unpacked: " + failure);
  return std::nullopt;
}

void Archive::check_contents(Report& report) {
  std::uint64_t left = kMostChecked;
  for (Entry& entry : entries_) {
    if (!entry.readable || entry.is_folder()) continue;
    bool too_large = false;
    const std::string failure =
        unpack(as_zip(zip_.get()), entry.index, left, too_large, [&](std::string_view chunk) { left -= chunk.size(); });
    if (too_large) {
      report.add(Rule::ZipUnchecked, {entry.name, 0, {}}, "this entry and those after it were not unpacked");
      return;
    }
    if (failure.empty()) continue;
    report.add(Rule::ZipCorrupt, {entry.name, 0, {}}, "cannot be unpacked: " + failure);
    entry.readable = false;
  }
}

}  // namespace fmugen::fmu::validate
