// Problem: tinyxml2 is lenient (two roots, entities nobody declared) and its time grows with the square of the number
// of attributes of an element. A text is therefore gone through once before it is parsed.
//
// Method: from '<' to '<', without a tree: the depth goes up at <a>, down at </a>, and stays at <a/>.
//
//   <?xml ...?>   <a b="1">   text &amp; more   <c/>   <!-- comment -->   </a>
//   declaration   depth 1     entities known?   1                         0: this was the root
//
// Whatever it does not understand ends the check with xml-format, so that the parser never meets a text that was not
// seen to its end.
#include "fmugen/fmu/validate/xml_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "fmugen/support/utf8.h"

namespace fmugen::fmu::validate {
namespace {

constexpr int kMostDepth = 90;        // the parser's own limit is 100
constexpr int kMostAttributes = 200;  // the schema knows at most 12

class TextCheck {
 public:
  TextCheck(std::string_view text, const std::string& entry, Report& report)
      : text_(text), entry_(entry), report_(report) {}

  bool run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    if (!characters()) return false;
    declaration();
    while (at_ < text_.size()) {
      if (!(text_[at_] == '<' ? markup() : content())) return false;
    }
    if (depth_ != 0) return fail(Rule::XmlFormat, "the text ends inside an element");
    if (roots_ == 0) return fail(Rule::XmlFormat, "there is no element");
    return true;
  }

 private:
  bool fail(Rule rule, std::string words) {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n') + 1;
    report_.add(rule, {entry_, static_cast<int>(line), {}}, std::move(words));
    return false;
  }

  bool characters() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t')
        return fail(Rule::XmlFormat, "control character " + std::to_string(byte));
      const std::size_t length = support::utf8_length(text_.substr(at_));
      if (length == 0) return fail(Rule::XmlEncoding, "byte " + std::to_string(byte) + " is not UTF-8 here");
      at_ += length;
    }
    at_ = begin;
    return true;
  }

  void declaration() {
    const std::size_t end = text_.find("?>", at_);
    if (text_.substr(at_, 6) != "<?xml " || end == std::string_view::npos) {
      fail(Rule::XmlDeclaration, "the text does not start with an XML declaration");
      return;
    }
    std::string words(text_.substr(at_, end - at_));
    for (char& c : words) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::size_t encoding = words.find("ENCODING");
    if (encoding == std::string::npos)
      fail(Rule::XmlDeclaration, "the XML declaration names no encoding");
    else if (words.find("UTF-8", encoding) == std::string::npos)
      fail(Rule::XmlDeclaration, "the XML declaration names another encoding than UTF-8");
  }

  // "&amp;" or "&#10;" at `at`.
  bool entity(std::size_t at) {
    const std::string_view rest = text_.substr(at, 12);
    for (const std::string_view known : {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"})
      if (rest.substr(0, known.size()) == known) return true;
    const std::size_t end = rest.find(';');
    if (rest.substr(0, 2) == "&#" && end != std::string_view::npos && end > 2) {
      const bool hex = rest[2] == 'x';
      const std::string_view digits = rest.substr(hex ? 3 : 2, end - (hex ? 3 : 2));
      const auto good = [&](char c) {
        return hex ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : c >= '0' && c <= '9';
      };
      if (!digits.empty() && std::all_of(digits.begin(), digits.end(), good)) return true;
    }
    return fail(Rule::XmlFormat, "'&' starts no entity of XML");
  }

  bool entities(std::size_t begin, std::size_t end) {
    const std::string_view part = text_.substr(0, end);  // a search beyond the end would make this quadratic
    for (std::size_t at = part.find('&', begin); at != std::string_view::npos; at = part.find('&', at + 1))
      if (!entity(at)) return false;
    return true;
  }

  bool content() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    const bool blank = text_.substr(at_, end - at_).find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (depth_ == 0 && !blank) return fail(Rule::XmlFormat, "text outside of the root element");
    if (!entities(at_, end)) return false;
    at_ = end;
    return true;
  }

  bool skip_past(std::string_view mark, const char* what) {
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string_view::npos) return fail(Rule::XmlFormat, std::string(what) + " without end");
    at_ = end + mark.size();
    return true;
  }

  bool markup() {
    const std::string_view rest = text_.substr(at_, 9);
    if (rest.substr(0, 4) == "<!--") return at_ += 4, skip_past("-->", "a comment");
    if (rest == "<![CDATA[")
      return depth_ == 0 ? fail(Rule::XmlFormat, "text outside of the root element") : skip_past("]]>", "a text");
    if (rest.substr(0, 2) == "<!") return fail(Rule::XmlDoctype, "there is a document type declaration");
    if (rest.substr(0, 2) == "<?") return skip_past("?>", "a declaration");
    if (rest.substr(0, 2) == "</") {
      if (--depth_ < 0) return fail(Rule::XmlFormat, "an end tag without start");
      return skip_past(">", "an end tag");
    }
    return element();
  }

  bool element() {
    if (depth_ == 0 && ++roots_ > 1) return fail(Rule::XmlFormat, "there is a second root element");
    int attributes = 0;
    for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '<') return fail(Rule::XmlFormat, "'<' inside a tag");
      if (c == '"' || c == '\'') {
        const std::size_t end = text_.find(c, at + 1);
        if (end == std::string_view::npos) return fail(Rule::XmlFormat, "a value without closing quote");
        if (text_.substr(at, end - at).find('<') != std::string_view::npos)
          return fail(Rule::XmlFormat, "'<' inside a value, or a missing quote");
        if (!entities(at, end)) return false;
        if (++attributes > kMostAttributes) return fail(Rule::XmlLimits, "an element has too many attributes");
        at = end;
      } else if (c == '>') {
        if (text_[at - 1] != '/' && ++depth_ > kMostDepth) return fail(Rule::XmlLimits, "elements are nested too deep");
        at_ = at + 1;
        return true;
      }
    }
    return fail(Rule::XmlFormat, "a tag without end");
  }

  std::string_view text_;
  const std::string& entry_;
  Report& report_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int roots_ = 0;
};

}  // namespace

bool check_xml_text(std::string_view text, const std::string& entry, Report& report) {
  return TextCheck(text, entry, report).run();
}

}  // namespace fmugen::fmu::validate
