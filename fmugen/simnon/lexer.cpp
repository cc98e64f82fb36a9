// The problem: one language element stands on one line, a comment goes from a quote to the end of the line, and blanks
// may stand anywhere except in a name or number.
//
// The method: longest match. A number takes an exponent only if digits follow: 2E5 is a number, 2E is the number 2 and
// the name E, which no grammar rule allows side by side, so that it is reported where it stands. The power sign is an
// arrow in print; ^, ** and the arrow of Unicode are one token.
//
//   V=5.75*12/(.08-2.59E-4)+2E5  " [V]        V = 5.75 * 12 / ( .08 - 2.59E-4 ) + 2E5     comment: [V]
//
// Reference: H. Elmqvist, SIMNON - User's Manual, Lund 1975, appendix A.
#include "fmugen/simnon/lexer.h"

#include <charconv>
#include <cmath>

#include "fmugen/support/utf8.h"

namespace fmugen::simnon {

namespace {

constexpr std::string_view kSigns = "+-*/^()[],=:<>";
constexpr std::string_view kArrow = "\xe2\x86\x91";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t file, support::Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  std::vector<Line> run() {
    std::vector<Line> lines;
    while (at_ < text_.size()) {
      Line line = read_line();
      if (!line.tokens.empty()) {
        line.tokens.push_back({TokenKind::End, "", 0, range(end_)});
        lines.push_back(std::move(line));
      }
      if (at_ < text_.size()) ++at_;  // the line end
    }
    return lines;
  }

 private:
  char now(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n'; }
  support::SourceRange range(std::size_t begin) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  Line read_line() {
    Line line;
    end_ = at_;
    while (now() != '\n') {
      if (is_blank(now())) {
        ++at_;
        continue;
      }
      if (now() == '"') {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        line.comment = trimmed(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end;
        return line;
      }
      read_token(line.tokens);
      end_ = at_;
    }
    return line;
  }

  void read_token(std::vector<Token>& tokens) {
    const std::size_t begin = at_;
    if (is_letter(now())) {
      while (is_letter(now()) || is_digit(now())) ++at_;
      tokens.push_back({TokenKind::Name, std::string(text_.substr(begin, at_ - begin)), 0, range(begin)});
    } else if (is_digit(now()) || (now() == '.' && is_digit(now(1)))) {
      read_number(tokens);
    } else if (text_.substr(at_, 2) == "**" || text_.substr(at_, kArrow.size()) == kArrow) {
      at_ += now() == '*' ? 2 : kArrow.size();
      tokens.push_back({TokenKind::Sign, "^", 0, range(begin)});
    } else if (kSigns.find(now()) != std::string_view::npos) {
      ++at_;
      tokens.push_back({TokenKind::Sign, std::string(1, text_[begin]), 0, range(begin)});
    } else {
      const std::size_t length = support::utf8_length(text_.substr(at_));
      at_ += length > 0 ? length : 1;
      const auto byte = static_cast<unsigned char>(text_[begin]);
      const bool shown = length > 0 && byte > 0x20 && byte != 0x7f;
      diagnostics_.error(range(begin),
                         shown ? "'" + std::string(text_.substr(begin, at_ - begin)) + "' has no meaning here"
                               : "a character that cannot stand in a text");
    }
  }

  void read_number(std::vector<Token>& tokens) {
    const std::size_t begin = at_;
    while (is_digit(now())) ++at_;
    if (now() == '.') ++at_;
    while (is_digit(now())) ++at_;
    if (now() == 'E' || now() == 'e') {
      const std::size_t sign = now(1) == '+' || now(1) == '-' ? 2 : 1;
      if (is_digit(now(sign))) {
        at_ += sign;
        while (is_digit(now())) ++at_;
      }
    }
    const std::string_view digits = text_.substr(begin, at_ - begin);
    double value = 0;
    const auto [rest, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || rest != digits.data() + digits.size() || !std::isfinite(value))
      diagnostics_.error(range(begin), "the number is too large or too small to be represented");
    tokens.push_back({TokenKind::Number, std::string(digits), value, range(begin)});
  }

  std::string_view text_;
  std::uint32_t file_;
  support::Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;  // of the last token on the line
};

}  // namespace

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

bool Token::is_word(std::string_view word) const { return kind == TokenKind::Name && upper(text) == word; }

std::vector<Line> read_lines(const support::Sources& sources, std::uint32_t file, support::Diagnostics& diagnostics) {
  return Lexer(sources.file(file).text(), file, diagnostics).run();
}

}  // namespace fmugen::simnon
