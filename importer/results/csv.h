// Trajectories as text: a line of names, then a line for each point in time.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace importer::results {

// Writes rows as they come. The file always ends with a complete row, whatever happens to the process, and is at most a
// second behind.
class CsvWriter {
 public:
  explicit CsvWriter(const std::string& path);  // empty: standard output
  ~CsvWriter();                                 // finishes, without telling whether it could
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  // A row is begun by its first field and ended by end_row.
  void number(double value);
  void integer(long long value);
  void text(std::string_view value);  // in quotes where necessary
  void end_row();

  std::string finish();                        // writes what is left; an empty text, or what went wrong at any time
  bool failed() const { return error_ != 0; }  // further rows are not worth computing
  bool reader_left() const { return reader_left_; }  // standard output was closed by its reader: no failure

 private:
  void separate();
  void write_out();

  int descriptor_ = -1;
  bool own_ = false;
  int error_ = 0;
  bool reader_left_ = false;
  bool row_begun_ = false;
  std::string buffer_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace importer::results
