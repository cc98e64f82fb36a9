// Source texts and places in them. A SourceRange is small and trivially copyable, so that every token, expression,
// variable and equation can carry the place it came from.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fmugen::support {

// Half-open range of byte offsets [begin, end) in one file. A default-constructed range is "nowhere".
struct SourceRange {
  static constexpr std::uint32_t kNoFile = 0xffffffff;
  std::uint32_t file = kNoFile;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool known() const { return file != kNoFile; }
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

// The smallest range that covers both; either may be unknown.
SourceRange cover(SourceRange a, SourceRange b);

struct LineColumn {
  std::uint32_t line = 0;    // 1-based
  std::uint32_t column = 0;  // 1-based, in bytes
};

class SourceFile {
 public:
  SourceFile(std::string path, std::string text);
  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  LineColumn position(std::uint32_t offset) const;
  std::string_view line(std::uint32_t number) const;  // without the line end

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

// All texts read in one run. References stay valid while files are added.
class Sources {
 public:
  // Reads a file; nullopt and a reason if it cannot be read as a text of at most 1 GiB.
  std::optional<std::uint32_t> read(const std::string& path, std::string& reason);
  std::uint32_t add(std::string path, std::string text);
  const SourceFile& file(std::uint32_t id) const { return files_[id]; }
  std::size_t size() const { return files_.size(); }
  std::string_view text(SourceRange where) const;
  LineColumn position(SourceRange where) const { return files_[where.file].position(where.begin); }
  // "path:line:column"; "<unknown>" for a range without a file.
  std::string describe(SourceRange where) const;

 private:
  std::deque<SourceFile> files_;
};

}  // namespace fmugen::support
