// The FMU validator behind `fmugen validate`: rules of the FMI 2.0 standard and of the checkers that importers use,
// applied to an archive in memory. Nothing is unpacked to disk, nothing of the FMU is run. Linear in its size.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fmugen/fmu/validate/report.h"

namespace fmugen::fmu::validate {

// modelDescription.xml, checked before it is put into an archive: reading it is most of the work, and can be done while
// something else is still being made.
class CheckedDescription {
 public:
  explicit CheckedDescription(std::string_view xml);
  ~CheckedDescription();
  CheckedDescription(const CheckedDescription&) = delete;
  CheckedDescription& operator=(const CheckedDescription&) = delete;

 private:
  friend Report validate_archive(std::string_view bytes, const CheckedDescription* written);
  struct Content;
  std::unique_ptr<const Content> content_;
};

// Reads a file; nullopt and the reason if it cannot be opened or read. `written`, if given, is the description that was
// put into the archive: it is not read again if the archive has one of its size.
std::optional<Report> validate_file(const std::string& path, std::string& reason,
                                    const CheckedDescription* written = nullptr);
Report validate_archive(std::string_view bytes, const CheckedDescription* written = nullptr);
// modelDescription.xml alone, before there is an archive.
Report validate_description(std::string_view xml);

}  // namespace fmugen::fmu::validate
