// Private to the printers of flat models: what the text and the JSON form have in common.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "fmugen/equations/flat_model.h"
#include "fmugen/support/diagnostics.h"

namespace fmugen::equations {

std::string_view kind_name(VariableKind kind);     // "parameter"
std::string_view origin_name(OriginKind kind);     // "equation", "across", ...
std::string_view select_name(StateSelect select);  // "prefer"
std::string_view frozen_name(Frozen frozen);       // "structure", "zero"
std::string_view severity_name(support::Severity severity);
std::string_view action_name(ActionKind kind);
std::string_view interpolation_name(Interpolation i);
std::string_view extrapolation_name(Extrapolation e);

inline bool is_parameter(const Variable& v) {
  return v.kind == VariableKind::Parameter || v.kind == VariableKind::Constant;
}
std::size_t count_parameters(const FlatModel& model);  // without constants

// Output collected in large pieces: a million lines must not be a million writes.
class Buffer {
 public:
  explicit Buffer(std::ostream& out) : out_(out) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { flush(); }
  Buffer& operator<<(std::string_view text) {
    if (text_.size() > kPiece) flush();
    text_ += text;
    return *this;
  }
  Buffer& operator<<(std::size_t number) { return *this << std::string_view(std::to_string(number)); }
  std::string& text() { return text_; }  // for functions that append
  char last() const { return text_.empty() ? '\0' : text_.back(); }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }
  std::ostream& out_;
  std::string text_;
};

}  // namespace fmugen::equations
