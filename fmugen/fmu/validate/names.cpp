// Names of variables under the structured naming convention, and identifiers of C.
//
//   name       = identifier | "der(" identifier [ "," number ] ")" ;
//   identifier = part { "." part } ;
//   part       = ( letter { letter | digit } | "'" quoted { quoted } "'" ) [ "[" number { "," number } "]" ] ;
//
// where "_" is a letter and `quoted` is a printable character of ASCII other than ' " and \, or an escape such as \n.
// Not a blank anywhere else: "a[1, 2]" is what some tools wrote for years, and importers reject it.
//
// Reference: FMI 2.0.4, section 2.2.9.
#include "fmugen/fmu/validate/model.h"

namespace fmugen::fmu::validate {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class NameReader {
 public:
  explicit NameReader(std::string_view text) : text_(text) {}

  bool name() {
    if (text_.substr(0, 4) != "der(") return identifier() && at_ == text_.size();
    at_ = 4;
    if (!identifier()) return false;
    if (take(',') && !number()) return false;
    return take(')') && at_ == text_.size();
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool identifier() {
    do {
      if (!part()) return false;
    } while (take('.'));
    return true;
  }

  bool part() {
    if (take('\'')) {
      if (!quoted()) return false;
    } else {
      if (!is_letter(peek())) return false;
      while (is_letter(peek()) || is_digit(peek())) ++at_;
    }
    if (!take('[')) return true;
    do {
      if (!number()) return false;
    } while (take(','));
    return take(']');
  }

  bool quoted() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\'') {
      const char c = text_[at_++];
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte >= 0x7f || c == '"' || c == '`') return false;
      if (c != '\\') continue;
      if (std::string_view("'\"?\\abfnrtv").find(peek()) == std::string_view::npos || at_ >= text_.size()) return false;
      ++at_;
    }
    return at_ > begin && take('\'');
  }

  bool number() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    return at_ > begin;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_structured_name(std::string_view name) { return NameReader(name).name(); }

bool is_c_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  for (const char c : name)
    if (!is_letter(c) && !is_digit(c)) return false;
  return true;
}

}  // namespace fmugen::fmu::validate
