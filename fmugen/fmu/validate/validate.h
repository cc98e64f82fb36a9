// The FMU validator behind `fmugen validate`: rules of the FMI 2.0 standard and of the checkers that importers use,
// applied to an archive in memory. Nothing is unpacked to disk, nothing of the FMU is run. Linear in its size.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fmugen/fmu/validate/report.h"

namespace fmugen::fmu::validate {

// Reads a file; nullopt and the reason if it cannot be opened or read.
std::optional<Report> validate_file(const std::string& path, std::string& reason);
Report validate_archive(std::string_view bytes);
// modelDescription.xml alone, before there is an archive.
Report validate_description(std::string_view xml);

}  // namespace fmugen::fmu::validate
