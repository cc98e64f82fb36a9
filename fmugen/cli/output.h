// Where results go: standard output, or a file that is complete or not there.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace fmugen::cli {

// Lets `produce` write the result to the file `path`, or to standard output if `path` is empty. Returns an empty text, or
// why it could not be written. A file gets its name only after everything was written: until then, and after a failure,
// a file of that name keeps its content. A reader of standard output that wants no more (`| head`) is no failure.
std::string write_output(const std::string& path, const std::function<void(std::ostream&)>& produce);

}  // namespace fmugen::cli
