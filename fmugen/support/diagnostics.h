// Messages for the user: what is wrong, where, why, and what to do. Stages collect them here and go on as long as
// further messages would be independent of the first; the pipeline stops between stages.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "fmugen/support/source.h"

namespace fmugen::support {

enum class Severity { Note, Warning, Error };

struct Remark {  // a note below a message
  SourceRange where;
  std::string text;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRange where;      // may be unknown: then only the text is printed
  std::string text;       // lower case, names in single quotes, no final full stop
  std::string instance;   // hierarchical name of the instance concerned, empty for the root or the text itself
  std::vector<Remark> remarks;

  Diagnostic& remark(SourceRange at, std::string words);
  Diagnostic& remark(std::string words) { return remark({}, std::move(words)); }
  Diagnostic& in(std::string path) {
    instance = std::move(path);
    return *this;
  }
};

class Diagnostics {
 public:
  static constexpr std::size_t kMostErrors = 20;  // further errors are counted, not kept

  Diagnostic& error(SourceRange where, std::string text) { return add(Severity::Error, where, std::move(text)); }
  Diagnostic& warning(SourceRange where, std::string text) { return add(Severity::Warning, where, std::move(text)); }
  Diagnostic& note(SourceRange where, std::string text) { return add(Severity::Note, where, std::move(text)); }

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  bool full() const { return errors_ >= kMostErrors; }
  const std::vector<Diagnostic>& all() const { return all_; }
  std::size_t size() const { return all_.size(); }
  void truncate(std::size_t size);  // forget what came after; for a parse that is tried and given up

 private:
  Diagnostic& add(Severity severity, SourceRange where, std::string text);
  std::vector<Diagnostic> all_;
  Diagnostic surplus_;
  std::size_t errors_ = 0;
};

// Prints one message: "file:line:column: error: text", the source line, a caret, then the remarks in the same way.
void print(std::ostream& out, const Sources& sources, const Diagnostic& diagnostic);
// Prints all, with a closing line if errors were left out.
void print(std::ostream& out, const Sources& sources, const Diagnostics& diagnostics);

// The candidate most like `name`, or an empty string if none is near: for "did you mean" remarks.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace fmugen::support
