// The problem: turn text into tokens without being misled by a language in which one sign has several meanings.
//
// The method: longest match, one character at a time, with two characters of look-ahead. The delicate places:
//   1..2      is 1 .. 2, because a number does not take a dot that is followed by another
//   .5        is a number; a dot before anything else is the empty place of a cut: (., ., 1000 / 0.2)
//   x''       is x ' ', two signs: the parser counts them
//   3.5E      is one bad number, not 3.5 and a name
// Comments { ... } may span lines and do not nest. A string "..." ends on its line; "" inside it stands for one ".
// What cannot be read is reported here, once per run of characters, and becomes a Bad token (or a number 0).
//
// Miniature: `R*I = V { Ohm }` gives the tokens R * I = V and End.
//
// Numbers are those of Algol 60 (Naur et al., Revised report, 2.5) with `E` for the exponent.
#include "fmugen/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fmugen::syntax {

namespace {

using support::SourceRange;
using support::Symbol;

// In the order of Word, from And on.
constexpr std::array kKeywords = {
    "and",      "at",     "begin",      "connect",   "constant",  "cut",   "default",     "discrete",  "do",
    "else",     "end",    "experiment", "external",  "false",     "for",   "from",        "function",  "if",
    "initial",  "input",  "internal",   "iterate",   "local",     "loop",  "main",        "model",     "node",
    "not",      "or",     "output",     "par",       "parameter", "path",  "realization", "reinit",    "replace",
    "reversed", "sample", "select",     "structure", "submodel",  "table", "terminal",    "terminate", "then",
    "to",       "true",   "use",        "valid",     "when"};
static_assert(kKeywords.size() == static_cast<std::size_t>(Word::When));

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// Whether a token, a blank or a comment can begin with the character.
bool is_known(char c) {
  constexpr std::string_view kSigns = "{\"()[],;.:=<>+-*/\\^'\n";
  return is_letter(c) || is_digit(c) || is_blank(c) || kSigns.find(c) != std::string_view::npos;
}

// The characters as they may appear in a message.
std::string escaped(std::string_view text) {
  constexpr std::size_t kMostShown = 12;  // a longer run is most likely not a text at all
  constexpr const char* kHex = "0123456789ABCDEF";
  std::string result;
  for (const char c : text.substr(0, kMostShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      result += c;
    else
      result += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
  }
  return text.size() > kMostShown ? result + "..." : result;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t source, support::SymbolTable& symbols, support::Diagnostics& diagnostics)
      : text_(text), source_(source), symbols_(symbols), diagnostics_(diagnostics) {
    for (const char* keyword : kKeywords) names_.emplace(keyword, Entry{symbols.intern(keyword), word_of(keyword)});
  }

  LexedText run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;  // byte order mark
    result_.tokens.reserve(std::min<std::size_t>(text_.size() / 3 + 1, 1'000'000));
    while (skip_blanks()) token();
    add(TokenKind::End, at_);
    return std::move(result_);
  }

 private:
  struct Entry {
    Symbol symbol;
    Word word = Word::None;
  };

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  SourceRange range(std::size_t begin) const {
    return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
  }

  // Adds the token that reaches from `begin` to here.
  Token& add(TokenKind kind, std::size_t begin) {
    Token token;
    token.kind = kind;
    token.where = range(begin);
    token.newline_before = newline_;
    token.blank_before = blank_ || newline_;
    newline_ = blank_ = false;
    result_.tokens.push_back(token);
    return result_.tokens.back();
  }

  // False at the end of the text.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n')
        newline_ = true;
      else if (c == '{')
        comment();
      else if (is_blank(c))
        blank_ = true;
      else
        return true;
      if (at_ < text_.size()) ++at_;
    }
    return false;
  }

  // comment = "{" any characters but "}" "}"; stops on the brace
  void comment() {
    const std::size_t begin = at_;
    blank_ = true;
    for (; at_ < text_.size() && text_[at_] != '}'; ++at_)
      if (text_[at_] == '\n') newline_ = true;
    if (at_ < text_.size()) return;
    const auto where = static_cast<std::uint32_t>(begin);
    diagnostics_.error({source_, where, where + 1}, "comment is not closed").remark("a comment ends with '}'");
    result_.cut_short = true;
  }

  void token() {
    const char c = peek();
    if (is_letter(c)) return identifier();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"') return string();
    if (is_known(c)) return sign();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_known(text_[at_])) ++at_;
    const std::string_view run = text_.substr(begin, at_ - begin);
    if (run == "}")
      diagnostics_.error(range(begin), "'}' without '{'").remark("comments do not nest");
    else
      diagnostics_.error(
          range(begin),
          std::string(run.size() == 1 ? "unexpected character '" : "unexpected characters '") + escaped(run) + "'");
    add(TokenKind::Bad, begin).reported = true;
  }

  // identifier = letter { letter | digit }; the underline is a letter
  void identifier() {
    const std::size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    const std::string_view text = text_.substr(begin, at_ - begin);
    auto known = names_.find(text);
    if (known == names_.end()) known = names_.emplace(text, Entry{symbols_.intern(text), Word::None}).first;
    Token& token = add(TokenKind::Identifier, begin);
    token.symbol = known->second.symbol;
    token.word = known->second.word;
  }

  // number = ( digits [ "." [ digits ] ] | "." digits ) [ ( "E" | "e" ) [ "+" | "-" ] digits ]
  void number() {
    const std::size_t begin = at_;
    bool good = true;
    while (is_digit(peek())) ++at_;
    if (peek() == '.' && peek(1) != '.') {
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      good = is_digit(peek());
      while (is_digit(peek())) ++at_;
    }
    // Letters, digits and dots that hang on belong to the same mistake: 1.2.3, 5x.
    while (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      good = false;
      ++at_;
    }
    const std::string text(text_.substr(begin, at_ - begin));
    double value = 0;
    if (good) {
      const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
      if (read.ec == std::errc::result_out_of_range) value = std::strtod(text.c_str(), nullptr);  // too small: 0
      good = std::isfinite(value);
    }
    if (!good) {
      value = 0;
      diagnostics_.error(range(begin), "bad number '" + escaped(text) + "'");
    }
    Token& token = add(TokenKind::Number, begin);
    token.number = value;
    token.reported = !good;
  }

  // string = '"' { any character but '"' and the line end | '""' } '"'
  void string() {
    const std::size_t begin = at_++;
    TokenKind kind = TokenKind::String;
    std::string contents;
    for (;; ++at_) {
      if (at_ >= text_.size() || peek() == '\n') {
        diagnostics_.error(range(begin), "string is not closed").remark("a string ends with '\"' on the same line");
        kind = TokenKind::Bad;
        break;
      }
      if (peek() == '"') {
        ++at_;
        if (peek() != '"') break;
      }
      contents += peek();
    }
    Token& token = add(kind, begin);
    token.symbol = symbols_.intern(contents);
    token.reported = kind == TokenKind::Bad;
  }

  void sign() {
    const std::size_t begin = at_;
    const TokenKind kind = sign_kind(peek(), peek(1));
    switch (kind) {
      case TokenKind::DotDot:
      case TokenKind::ColonColon:
      case TokenKind::Assign:
      case TokenKind::Unequal:
      case TokenKind::LessEqual:
      case TokenKind::GreaterEqual:
      case TokenKind::SlashSlash:
      case TokenKind::Arrow: at_ += 2; break;
      case TokenKind::Power: at_ += peek() == '^' ? 1 : 2; break;
      default: at_ += 1; break;
    }
    add(kind, begin);
  }

  static TokenKind sign_kind(char first, char second) {
    switch (first) {
      case '(': return TokenKind::OpenParenthesis;
      case ')': return TokenKind::CloseParenthesis;
      case '[': return TokenKind::OpenBracket;
      case ']': return TokenKind::CloseBracket;
      case ',': return TokenKind::Comma;
      case ';': return TokenKind::Semicolon;
      case '.': return second == '.' ? TokenKind::DotDot : TokenKind::Dot;
      case ':': return second == ':' ? TokenKind::ColonColon : second == '=' ? TokenKind::Assign : TokenKind::Colon;
      case '=': return TokenKind::Equal;
      case '<': return second == '>' ? TokenKind::Unequal : second == '=' ? TokenKind::LessEqual : TokenKind::Less;
      case '>': return second == '=' ? TokenKind::GreaterEqual : TokenKind::Greater;
      case '+': return TokenKind::Plus;
      case '-': return second == '>' ? TokenKind::Arrow : TokenKind::Minus;
      case '*': return second == '*' ? TokenKind::Power : TokenKind::Star;
      case '/': return second == '/' ? TokenKind::SlashSlash : second == '=' ? TokenKind::Unequal : TokenKind::Slash;
      case '\\': return TokenKind::Backslash;
      case '^': return TokenKind::Power;
      case '\'': return TokenKind::Prime;
      default: return TokenKind::Bad;
    }
  }

  std::string_view text_;
  std::uint32_t source_;
  support::SymbolTable& symbols_;
  support::Diagnostics& diagnostics_;
  LexedText result_;
  std::unordered_map<std::string_view, Entry> names_;  // views into the text and into the keyword table
  std::size_t at_ = 0;
  bool newline_ = true;  // the first token begins a line
  bool blank_ = false;
};

}  // namespace

LexedText lex(const support::Sources& sources, std::uint32_t source, support::SymbolTable& symbols,
              support::Diagnostics& diagnostics) {
  return Lexer(sources.file(source).text(), source, symbols, diagnostics).run();
}

const char* text_of(Word word) { return word == Word::None ? "" : kKeywords[static_cast<std::size_t>(word) - 1]; }

Word word_of(std::string_view text) {
  for (std::size_t i = 0; i < kKeywords.size(); ++i)
    if (text == kKeywords[i]) return static_cast<Word>(i + 1);
  return Word::None;
}

}  // namespace fmugen::syntax
