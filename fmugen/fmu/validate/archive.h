// The entries of an FMU, read in memory and with limits: nothing is written to disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fmugen/fmu/validate/report.h"

namespace fmugen::fmu::validate {

struct Entry {
  std::string name;  // with '/' and without './', so that files of careless tools are found nevertheless
  std::uint64_t size = 0;
  std::size_t index = 0;  // in the archive
  bool readable = true;   // neither encrypted, nor of an unknown method, nor damaged as far as known
  bool is_folder() const { return !name.empty() && name.back() == '/'; }
};

class Archive {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of an entry that is read

  // Reads the directory of an archive; `bytes` must outlive it. Reports what is wrong with the archive and its names;
  // nullopt if there is nothing to go on with.
  static std::optional<Archive> open(std::string_view bytes, Report& report);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(const std::string& name) const;
  // The unpacked bytes; nullopt, reported, if the entry is damaged or too large.
  std::optional<std::string> read(const Entry& entry, Report& report) const;
  // Unpacks everything and compares checksums, up to a limit; damaged entries are not readable from then on.
  void check_contents(Report& report);

 private:
  struct Zip;  // of libzip
  struct Close {
    void operator()(Zip* zip) const;
  };
  std::unique_ptr<Zip, Close> zip_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> places_;  // name -> place in entries_
};

}  // namespace fmugen::fmu::validate
