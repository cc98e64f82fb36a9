#include "fmugen/support/source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace fmugen::support {

namespace {
// Offsets are 32 bits wide; models beyond this size are written by mistake.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;
}  // namespace

SourceRange cover(SourceRange a, SourceRange b) {
  if (!a.known()) return b;
  if (!b.known() || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

SourceFile::SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::uint32_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
}

LineColumn SourceFile::position(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[number - 1];
  std::size_t end = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::optional<std::uint32_t> Sources::read(const std::string& path, std::string& reason) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) {
    reason = "no such file";
    return std::nullopt;
  }
  if (std::filesystem::is_directory(status)) {
    reason = "it is a folder";
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    reason = std::strerror(errno);
    return std::nullopt;
  }
  std::string text;
  if (const auto size = std::filesystem::file_size(path, failure); !failure && size <= kLargestFile) text.reserve(size);
  std::array<char, 1 << 16> part;  // piece by piece: a pipe or a device does not tell its size
  while (in && text.size() <= kLargestFile) {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > kLargestFile) {
    reason = "it is larger than 1 GiB";
    return std::nullopt;
  }
  if (in.bad()) {
    reason = "it cannot be read";
    return std::nullopt;
  }
  return add(path, std::move(text));
}

std::uint32_t Sources::add(std::string path, std::string text) {
  files_.emplace_back(std::move(path), std::move(text));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view Sources::text(SourceRange where) const {
  if (!where.known()) return {};
  return std::string_view(files_[where.file].text()).substr(where.begin, where.end - where.begin);
}

std::string Sources::describe(SourceRange where) const {
  if (!where.known()) return "<unknown>";
  const LineColumn at = position(where);
  return files_[where.file].path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace fmugen::support
