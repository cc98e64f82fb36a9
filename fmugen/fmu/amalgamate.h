// Many C files as one, which a stranger can compile with one call and no include path.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fmugen::fmu {

struct CText {
  std::string name;  // "integrate/dopri45.c"
  std::string text;
};

struct Amalgamation {
  std::vector<CText> files;                    // compiled in this order
  std::map<std::string, std::string> headers;  // as they are included, "integrate/method.h" -> text
  std::map<std::string, std::string> foreign;  // of libraries, "cvode/cvode.h" -> the path of it from here
  std::set<std::string> own_names;             // functions to be renamed besides those of run time and generated code
};

// The files one after the other. Every header stands once, before what first includes it, and standard headers stand at
// the top. Names that several files have for themselves get that of their file: `accept` of dopri45.c becomes
// accept_of_dopri45. Requires that every header in quotes is among `headers`.
std::string amalgamate(const Amalgamation& parts, const std::string& identifier, const std::string& preface);

// The lines that give names to an FMU alone, so that two of them fit into one program: after them NAME means
// PREFIX_NAME, where the prefix is FMI2_FUNCTION_PREFIX if that is defined, otherwise the identifier of the model.
std::string own_name_lines(const std::string& identifier, const std::set<std::string>& names);

// Names that a C file declares for itself alone: static functions and objects, constants of enumerations, types.
std::set<std::string> private_names(const std::string& text);

// The text with includes redirected: `place` gets the name between the brackets or quotes and returns the name that
// takes its place, in quotes, or an empty text, which leaves the line as it is.
std::string redirect_includes(const std::string& text, const std::function<std::string(const std::string&)>& place);

}  // namespace fmugen::fmu
