// Problem: the run time is some fifty files that include each other by paths from their root, and every file has names
// of its own. A stranger wants one file, and wants to link two FMUs into one program.
//
// Method: texts are cut into tokens, as far as that is needed to tell names from comments, strings and the rest.
// Includes in quotes are replaced by the header at the first time and by nothing afterwards; includes of standard
// headers go to the top, which also allows to hide everything behind them: a declaration of the C library must not be
// hidden. Names that are private to several files are renamed in each. Functions that files share have external
// linkage, and macros put the FMU's prefix before their names.
//
// Miniature: a.c `static int n; int fmr_a(void) { return n; }` and b.c `static int n; int fmr_b(void) { return n; }`
// give
//
//   #define fmr_a FMU_OWN(fmr_a)
//   #define fmr_b FMU_OWN(fmr_b)
//   static int n_of_a; int fmr_a(void) { return n_of_a; }
//   static int n_of_b; int fmr_b(void) { return n_of_b; }
//
// A member of a structure is not renamed where it follows a dot or an arrow. No file of the run time declares a member
// that is called like a private name of the same file; if one did, the result would not compile.
#include "fmugen/fmu/amalgamate.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace fmugen::fmu {

namespace {

enum class TokenKind { Name, Sign, Rest };  // Rest: comments, literals, blanks, lines of the preprocessor

struct Token {
  TokenKind kind;
  std::string_view text;
};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

// Length of the literal that starts with a quote.
std::size_t literal_length(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != text[0]) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t length_until(std::string_view text, std::string_view end, std::size_t from) {
  const std::size_t at = text.find(end, from);
  return at == std::string_view::npos ? text.size() : at + end.size();
}

Token next_token(std::string_view text) {
  const char c = text[0];
  std::size_t length = 1;
  if (starts_name(c)) {
    while (length < text.size() && continues_name(text[length])) ++length;
    return {TokenKind::Name, text.substr(0, length)};
  }
  if (text.substr(0, 2) == "/*") return {TokenKind::Rest, text.substr(0, length_until(text, "*/", 2))};
  if (text.substr(0, 2) == "//") return {TokenKind::Rest, text.substr(0, length_until(text, "\n", 2))};
  if (c == '"' || c == '\'') return {TokenKind::Rest, text.substr(0, literal_length(text))};
  if (std::isdigit(static_cast<unsigned char>(c))) {  // 1e-6 and 0x1F: their letters are no names
    while (length < text.size() && (continues_name(text[length]) || text[length] == '.')) ++length;
    return {TokenKind::Rest, text.substr(0, length)};
  }
  if (text.substr(0, 2) == "->") return {TokenKind::Sign, text.substr(0, 2)};
  if (std::isspace(static_cast<unsigned char>(c))) return {TokenKind::Rest, text.substr(0, 1)};
  return {TokenKind::Sign, text.substr(0, 1)};
}

template <class Use>
void for_each_token(std::string_view text, Use use) {
  while (!text.empty()) {
    const Token token = next_token(text);
    use(token);
    text.remove_prefix(token.text.size());
  }
}

// One declaration at the outermost level, as names and signs.
std::set<std::string> names_of_declaration(const std::vector<Token>& tokens) {
  std::set<std::string> names;
  const bool is_static = tokens[0].text == "static";
  const bool is_enum = tokens[0].text == "enum" || (tokens.size() > 1 && tokens[1].text == "enum");
  const bool is_type = tokens[0].text == "typedef" || tokens[0].text == "struct";
  int depth = 0;
  bool in_value = false;  // behind the = of an initial value
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::string_view text = tokens[k].text;
    if (tokens[k].kind == TokenKind::Sign) {
      if (text == "{" || text == "(" || text == "[") ++depth;
      if (text == "}" || text == ")" || text == "]") --depth;
      if (depth == 0 && text == "=") in_value = true;
      if (depth == 0 && text == ",") in_value = false;
      continue;
    }
    const std::string_view next = k + 1 < tokens.size() ? tokens[k + 1].text : ";";
    const std::string_view before = k > 0 ? tokens[k - 1].text : "";
    if (is_static && depth == 0 && !in_value &&
        (next == "(" || next == "[" || next == "=" || next == "," || next == ";"))
      names.emplace(text);
    if (is_static && next == "(") break;  // a function: what follows are its arguments
    if (is_enum && depth == 1 && (before == "{" || before == ",")) names.emplace(text);
    if (is_type && depth == 0 && (next == ";" || before == "struct")) names.emplace(text);
  }
  return names;
}

std::string without_directives(const std::string& text) {
  std::string out;
  bool continued = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const bool directive = continued || line[0] == '#';
    continued = directive && line.size() > 1 && line[line.size() - 2] == '\\';
    if (!directive) out += line;
    at = end;
  }
  return out;
}

std::string rename(const std::string& text, const std::map<std::string, std::string, std::less<>>& names) {
  if (names.empty()) return text;
  std::string out;
  bool member = false;  // behind a dot or an arrow
  for_each_token(text, [&](const Token& token) {
    const auto found = token.kind == TokenKind::Name && !member ? names.find(token.text) : names.end();
    if (found == names.end())
      out += token.text;
    else
      out += found->second;
    if (token.kind != TokenKind::Rest) member = token.text == "." || token.text == "->";
  });
  return out;
}

// The name of an #include line, with its quotes or brackets; empty: it is none.
std::string_view included(std::string_view line) {
  if (line.substr(0, 8) != "#include") return {};
  const std::size_t begin = line.find_first_of("\"<", 8);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find(line[begin] == '<' ? '>' : '"', begin + 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(begin, end - begin + 1);
}

class Amalgamator {
 public:
  explicit Amalgamator(const Amalgamation& parts) : parts_(parts) {}

  void add(const CText& file) {
    const std::string stem = std::filesystem::path(file.name).stem().string();
    std::map<std::string, std::string, std::less<>> names;
    for (const std::string& name : private_names(file.text))
      if (shared_.count(name)) names[name] = name + "_of_" + stem;
    body_ += "\n/* ======== " + file.name + " */\n" + expand(rename(file.text, names));
  }

  // Names that more than one file has for itself.
  void find_shared() {
    std::set<std::string> seen;
    for (const CText& file : parts_.files)
      for (const std::string& name : private_names(file.text))
        if (!seen.insert(name).second) shared_.insert(name);
  }

  const std::string& body() const { return body_; }
  const std::set<std::string>& standard() const { return standard_; }
  const std::set<std::string>& library_headers() const { return library_headers_; }

 private:
  std::string expand(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      const std::string line = text.substr(at, end - at);
      const std::string name(included(line));
      at = end;
      if (name.empty()) {
        out += line;
        continue;
      }
      const std::string inner = name.substr(1, name.size() - 2);
      if (const auto foreign = parts_.foreign.find(inner); foreign != parts_.foreign.end()) {
        library_headers_.insert(foreign->second);
      } else if (name[0] == '<') {
        standard_.insert(inner);
      } else {
        const auto header = parts_.headers.find(inner);
        if (header == parts_.headers.end()) throw std::logic_error("there is no header '" + inner + "' to pack");
        if (done_.insert(inner).second) out += expand(header->second);
      }
    }
    return out;
  }

  const Amalgamation& parts_;
  std::string body_;
  std::set<std::string> shared_, standard_, library_headers_, done_;
};

bool is_shared_by_files(std::string_view name) {
  for (const std::string_view start : {"fmr_", "fmu_", "model_", "fn_"})
    if (name.substr(0, start.size()) == start) return true;
  return false;
}

}  // namespace

std::set<std::string> private_names(const std::string& text) {
  std::set<std::string> names;
  std::vector<Token> declaration;
  int depth = 0;
  bool body = false, value = false;  // within the braces of a function; behind the = of an initial value
  const std::string code = without_directives(text);
  for_each_token(code, [&](const Token& token) {
    if (token.kind == TokenKind::Rest) return;
    if (token.text == "{" && depth++ == 0) {
      const std::string_view first = declaration.empty() ? "" : declaration[0].text;
      body = !value && first != "enum" && first != "typedef" && first != "struct";
    }
    if (!body) declaration.push_back(token);
    if (token.text == "}") --depth;
    if (token.text == "=" && depth == 0) value = true;
    if (depth > 0 || !(body ? token.text == "}" : token.text == ";")) return;
    if (!declaration.empty()) names.merge(names_of_declaration(declaration));
    declaration.clear();
    body = value = false;
  });
  return names;
}

std::string own_name_lines(const std::string& identifier, const std::set<std::string>& names) {
  std::string out =
      "#ifdef FMI2_FUNCTION_PREFIX\n#define FMU_PREFIX FMI2_FUNCTION_PREFIX\n#else\n#define FMU_PREFIX " + identifier +
      "_\n#endif\n#define FMU_JOIN_NOW(a, b) a##b\n#define FMU_JOIN(a, b) FMU_JOIN_NOW(a, b)\n"
      "#define FMU_OWN(name) FMU_JOIN(FMU_PREFIX, name)\n";
  for (const std::string& name : names) out += "#define " + name + " FMU_OWN(" + name + ")\n";
  return out;
}

std::string redirect_includes(const std::string& text, const std::function<std::string(const std::string&)>& place) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string line = text.substr(at, end - at);
    at = end;
    const std::string name(included(line));
    const std::string other = name.empty() ? "" : place(name.substr(1, name.size() - 2));
    if (!other.empty()) line.replace(line.find(name), name.size(), "\"" + other + "\"");
    out += line;
  }
  return out;
}

std::string amalgamate(const Amalgamation& parts, const std::string& identifier, const std::string& preface) {
  Amalgamator all(parts);
  all.find_shared();
  for (const CText& file : parts.files) all.add(file);
  std::set<std::string> names = parts.own_names;
  for_each_token(all.body(), [&](const Token& token) {
    if (token.kind == TokenKind::Name && is_shared_by_files(token.text)) names.emplace(token.text);
  });
  std::string out = preface +
                    "\n/* MinGW: printf as in C, so that messages are the same everywhere. */\n"
                    "#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)\n"
                    "#define __USE_MINGW_ANSI_STDIO 1\n#endif\n";
  for (const std::string& header : all.standard()) out += "#include <" + header + ">\n";
  out += "\n/* Two FMUs fit into one program: names that are not of FMI have the FMU's own prefix. */\n" +
         own_name_lines(identifier, names) + "\n";
  for (const std::string& header : all.library_headers()) out += "#include \"" + header + "\"\n";
  return out +
         "\n/* Outside of a shared library only the functions of FMI can be seen. */\n#if defined(__GNUC__) && "
         "!defined(_WIN32)\n#pragma GCC visibility push(hidden)\n#endif\n"
         "/* Helpers of the generated code that this model does not need. */\n#if defined(__GNUC__)\n"
         "#pragma GCC diagnostic ignored \"-Wunused-function\"\n#endif\n" +
         all.body() + "\n#if defined(__GNUC__) && !defined(_WIN32)\n#pragma GCC visibility pop\n#endif\n";
}

}  // namespace fmugen::fmu
