// Problem: does binaries/linux64/model.so export every function it must, and will it load on another machine? Loading
// it would tell, and would run code of strangers.
//
// Method: the section headers name the tables that the dynamic linker uses; a stripped library still has them.
//
//   ELF header -> section headers -> .dynsym  (symbols)          with its strings: what is exported
//                                    .dynamic (tag, value)       DT_NEEDED, DT_RPATH, DT_RUNPATH
//                                    .gnu.version_r              which symbol versions of other libraries are needed
//
// All numbers are read through `Reader`, which gives 0 outside of the file; loops end with the table or the file.
//
// Reference: System V ABI, chapters 4 and 5; the ELF section of the Linux Standard Base on symbol versions.
#include "fmugen/fmu/validate/elf.h"

#include <algorithm>
#include <cstdint>

namespace fmugen::fmu::validate {
namespace {

struct Reader {
  std::string_view bytes;
  std::uint64_t number(std::uint64_t at, unsigned count) const {
    std::uint64_t value = 0;
    if (at > bytes.size() || bytes.size() - at < count) return 0;
    for (unsigned i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  }
  // A text that ends with a zero byte.
  std::string_view text(std::uint64_t at) const {
    if (at >= bytes.size()) return {};
    const std::size_t end = bytes.find('\0', at);
    return end == std::string_view::npos ? std::string_view() : bytes.substr(at, end - at);
  }
};

struct Section {
  std::uint64_t type = 0, offset = 0, size = 0, link = 0, info = 0;
};

constexpr std::uint64_t kDynamic = 6, kDynamicSymbols = 11, kVersionsNeeded = 0x6ffffffe;
constexpr std::uint64_t kHeaderSize = 64, kSectionSize = 64, kSymbolSize = 24, kDynamicSize = 16;

Section section(const Reader& r, std::uint64_t index) {
  const std::uint64_t at = r.number(40, 8) + index * kSectionSize;
  if (index >= r.number(60, 2) || at > r.bytes.size()) return {};
  Section s{r.number(at + 4, 4), r.number(at + 24, 8), r.number(at + 32, 8), r.number(at + 40, 4),
            r.number(at + 44, 4)};
  if (s.offset > r.bytes.size()) s.offset = s.size = 0;
  s.size = std::min<std::uint64_t>(s.size, r.bytes.size() - s.offset);
  return s;
}

void read_symbols(const Reader& r, const Section& table, SharedLibrary& library) {
  const std::uint64_t strings = section(r, table.link).offset;
  for (std::uint64_t i = 1; i < table.size / kSymbolSize; ++i) {
    const std::uint64_t at = table.offset + i * kSymbolSize;
    const std::uint64_t info = r.number(at + 4, 1), visibility = r.number(at + 5, 1) & 3,
                        defined_in = r.number(at + 6, 2);
    const std::uint64_t binding = info >> 4, type = info & 15;
    const bool visible = (binding == 1 || binding == 2) && (visibility == 0 || visibility == 3);
    const bool named = type <= 2 || type == 10;  // no type, data, function, indirect function
    if (defined_in == 0 || defined_in == 0xfff1 || !visible || !named) continue;  // 0xfff1: a number, as of versions
    library.exports.push_back(r.text(strings + r.number(at, 4)));
  }
}

void read_dynamic(const Reader& r, const Section& table, SharedLibrary& library) {
  constexpr std::uint64_t kNeeded = 1, kRpath = 15, kRunpath = 29;
  const std::uint64_t strings = section(r, table.link).offset;
  for (std::uint64_t at = table.offset; at + kDynamicSize <= table.offset + table.size; at += kDynamicSize) {
    const std::uint64_t tag = r.number(at, 8);
    if (tag == 0) return;
    if (tag == kNeeded) library.needed.push_back(r.text(strings + r.number(at + 8, 8)));
    if (tag == kRpath || tag == kRunpath) library.runpath = r.text(strings + r.number(at + 8, 8));
  }
}

// A list of libraries, each with a list of versions; both are chained by distances in bytes.
void read_versions(const Reader& r, const Section& table, SharedLibrary& library) {
  const std::uint64_t strings = section(r, table.link).offset, end = table.offset + table.size;
  std::uint64_t most = table.size / 16;  // entries that fit: distances may lead back
  for (std::uint64_t at = table.offset; at < end && most > 0;) {
    std::uint64_t version = at + r.number(at + 8, 4);
    for (std::uint64_t left = r.number(at + 2, 2); left > 0 && version < end && most > 0; --left, --most) {
      library.versions.push_back(r.text(strings + r.number(version + 8, 4)));
      version += std::max<std::uint64_t>(r.number(version + 12, 4), 1);
    }
    const std::uint64_t next = r.number(at + 12, 4);
    if (next == 0) return;
    at += next;
    if (most > 0) --most;
  }
}

}  // namespace

std::optional<SharedLibrary> read_elf(std::string_view bytes, std::string& reason) {
  const Reader r{bytes};
  const auto refuse = [&](const char* why) {
    reason = why;
    return std::nullopt;
  };
  if (bytes.size() < kHeaderSize || bytes.substr(0, 4) != "\177ELF") return refuse("is not an ELF file");
  if (r.number(4, 1) != 2 || r.number(5, 1) != 1 || r.number(18, 2) != 62) return refuse("is not for x86-64");
  if (r.number(16, 2) != 3) return refuse("is not a shared library");
  SharedLibrary library;
  bool symbols = false;
  for (std::uint64_t i = 0; i < r.number(60, 2); ++i) {
    const Section s = section(r, i);
    if (s.type == kDynamicSymbols && !symbols) {  // a file has one such table
      symbols = true;
      read_symbols(r, s, library);
    }
    if (s.type == kDynamic && library.needed.empty()) read_dynamic(r, s, library);
    if (s.type == kVersionsNeeded && library.versions.empty()) read_versions(r, s, library);
  }
  if (!symbols) return refuse("has no table of dynamic symbols");
  return library;
}

}  // namespace fmugen::fmu::validate
