// Problem: results must be there when a long run is killed, and must cost little.
//
// Method: rows are gathered in memory and handed to the system as a whole, when there are many or a second has passed.
// Numbers are the shortest texts that read back exactly; texts with commas, quotes or line ends are quoted:
//
//   time,"a[1,2]",h
//   0,1,0.1
//   0.01,1,0.09951
//
// Reference: RFC 4180.
#include "importer/results/csv.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "importer/results/number_text.h"

namespace importer::results {

namespace {

constexpr std::size_t kEnough = 1 << 16;  // bytes worth a system call
constexpr auto kLate = std::chrono::seconds(1);

}  // namespace

CsvWriter::CsvWriter(const std::string& path) {
  std::signal(SIGPIPE, SIG_IGN);  // failures shall come back from write()
  own_ = !path.empty();
  descriptor_ = own_ ? ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
  if (descriptor_ < 0) error_ = errno;
  buffer_.reserve(2 * kEnough);
}

CsvWriter::~CsvWriter() { finish(); }

void CsvWriter::separate() {
  if (row_begun_) buffer_ += ',';
  row_begun_ = true;
}

void CsvWriter::number(double value) {
  separate();
  append_number(buffer_, value);
}

void CsvWriter::integer(long long value) {
  separate();
  buffer_ += std::to_string(value);
}

void CsvWriter::text(std::string_view value) {
  separate();
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
    buffer_ += value;
    return;
  }
  buffer_ += '"';
  for (const char c : value) {
    if (c == '"') buffer_ += '"';
    buffer_ += c;
  }
  buffer_ += '"';
}

void CsvWriter::end_row() {
  buffer_ += '\n';
  row_begun_ = false;
  if (buffer_.size() >= kEnough || std::chrono::steady_clock::now() - written_ >= kLate) write_out();
}

void CsvWriter::write_out() {
  const char* from = buffer_.data();
  const char* const end = from + buffer_.size();
  while (error_ == 0 && !reader_left_ && from < end) {
    const ssize_t count = ::write(descriptor_, from, static_cast<std::size_t>(end - from));
    if (count >= 0)
      from += count;
    else if (errno == EPIPE && !own_)
      reader_left_ = true;
    else if (errno != EINTR)
      error_ = errno;
  }
  buffer_.clear();
  written_ = std::chrono::steady_clock::now();
}

std::string CsvWriter::finish() {
  write_out();
  if (own_ && descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  return error_ == 0 ? std::string() : std::string(std::strerror(error_));
}

}  // namespace importer::results
