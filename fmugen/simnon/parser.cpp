// Systems, line by line. The first word of a line tells what it is; a word that belongs to the language is a name if an
// assignment follows it: NEW = 1.
//
//   CONTINUOUS SYSTEM MOTOR                heading
//   OUTPUT Y                               declaration: names follow
//   OUTPUT                                 heading of a section: nothing follows
//   Y=CT*TH        " transducer            assignment
//   CT:0.033                               constant assignment
//   END
//
// A line that is wrong is reported and left out; the next one is read as if nothing had happened.
#include "fmugen/simnon/parser.h"

#include <array>

namespace fmugen::simnon {

namespace {

constexpr std::array kTypes = {"INPUT", "OUTPUT", "TIME", "STATE", "DER", "NEW", "TSAMP"};  // as Declared
constexpr std::array kSections = {"INITIAL", "OUTPUT", "DYNAMICS", "CONNECT", "SORT"};      // as Section
constexpr std::array kKinds = {"CONTINUOUS", "DISCRETE", "CONNECTING"};                     // as SystemKind

template <class Words>
int find(const Words& words, const Token& token) {
  for (std::size_t k = 0; k < words.size(); ++k)
    if (token.is_word(words[k])) return static_cast<int>(k);
  return -1;
}

class Parser {
 public:
  Parser(std::vector<Line> lines, support::Diagnostics& diagnostics)
      : lines_(std::move(lines)), diagnostics_(diagnostics) {}

  // file = { system | "SIMU" number number [ number ] }
  File run() {
    for (const Line& line : lines_) {
      line_ = &line;
      at_ = 0;
      if (!assigns() && find(kKinds, now()) >= 0)
        heading();
      else if (open_)
        element();
      else if (now().is_word("SIMU"))
        experiment();
      else
        outside();
      if (diagnostics_.full()) break;
    }
    if (open_) {
      diagnostics_.error(file_.systems.back().where, "system '" + file_.systems.back().name.text + "' has no END");
      file_.systems.back().end = file_.systems.back().where;
    }
    return std::move(file_);
  }

 private:
  const Token& now() const { return line_->tokens[at_]; }
  const Token& next() const { return line_->tokens[std::min(at_ + 1, line_->tokens.size() - 1)]; }
  bool at_end() const { return now().kind == TokenKind::End; }
  SourceRange whole() const {
    const auto& tokens = line_->tokens;
    return support::cover(tokens.front().where, tokens[tokens.size() - 2].where);
  }
  bool assigns() const { return next().is("=") || next().is(":") || next().is("["); }

  // heading = ( "CONTINUOUS" | "DISCRETE" | "CONNECTING" ) "SYSTEM" name
  void heading() {
    if (open_)
      diagnostics_.error(whole(), "a system begins before '" + system().name.text + "' has ended")
          .remark(system().where, "it begins here; END is missing");
    System s;
    s.kind = static_cast<SystemKind>(find(kKinds, now()));
    s.where = whole();
    s.end = s.where;
    s.comment = line_->comment;
    ++at_;
    if (now().is_word("SYSTEM"))
      ++at_;
    else
      diagnostics_.error(now().where, "'SYSTEM' is expected, and the name of the system behind it");
    if (now().kind == TokenKind::Name) {
      s.name = {now().text, now().where};
      ++at_;
      nothing_more();
    } else {
      s.name = {"", now().where};
      if (line_->tokens[at_ - 1].is_word("SYSTEM"))
        diagnostics_.error(now().where, "the name of the system is expected");
    }
    file_.systems.push_back(std::move(s));
    open_ = true;
    section_.reset();
  }

  System& system() { return file_.systems.back(); }

  void nothing_more() {
    if (!at_end()) diagnostics_.error(now().where, "the line should end here");
  }

  void outside() {
    if (stray_) return;  // one message for a run of such lines
    stray_ = true;
    diagnostics_.error(whole(), "this stands outside of a system")
        .remark("a system begins with CONTINUOUS, DISCRETE or CONNECTING SYSTEM and its name, and ends with END");
  }

  // experiment = "SIMU" number number [ number ]
  void experiment() {
    Experiment e;
    e.where = whole();
    ++at_;
    const auto start = number("start time"), stop = start ? number("stop time") : std::nullopt;
    if (!start || !stop) return;
    e.start = *start;
    e.stop = *stop;
    if (!at_end()) e.increment = number("time increment");
    nothing_more();
    if (!(e.stop > e.start)) diagnostics_.error(e.where, "the stop time must lie after the start time");
    if (e.increment && !(*e.increment > 0)) e.increment.reset();  // 0: chosen by the program
    if (file_.experiment)
      diagnostics_.error(e.where, "a second SIMU").remark(file_.experiment->where, "the first is here");
    file_.experiment = e;
  }

  // number = [ "+" | "-" ] digits ...
  std::optional<double> number(const std::string& what) {
    const bool negative = now().is("-");
    if (negative || now().is("+")) ++at_;
    if (now().kind != TokenKind::Number) {
      diagnostics_.error(now().where, "a number is expected: the " + what);
      return std::nullopt;
    }
    const double value = negative ? -now().number : now().number;
    ++at_;
    return value;
  }

  // element = declaration | section | statement | "END"
  void element() {
    if (assigns()) return statement();
    if (now().is_word("END")) {
      system().end = whole();
      ++at_;
      if (now().kind == TokenKind::Name && now().text == system().name.text) ++at_;
      nothing_more();
      open_ = stray_ = false;
    } else if (next().kind == TokenKind::End && find(kSections, now()) >= 0) {
      section(static_cast<Section>(find(kSections, now())));
    } else if (find(kTypes, now()) >= 0) {
      declaration(static_cast<Declared>(find(kTypes, now())));
    } else if (now().is_word("STOP")) {
      stop();
    } else {
      unknown();
    }
  }

  void unknown() {
    if (now().kind == TokenKind::Name && next().kind == TokenKind::Name) {
      std::vector<std::string> words(kTypes.begin(), kTypes.end());
      auto& error = diagnostics_.error(now().where, "'" + now().text + "' begins no declaration");
      if (const std::string near = support::nearest_name(upper(now().text), words); !near.empty())
        error.remark("did you mean '" + near + "'?");
      return;
    }
    auto& error = diagnostics_.error(whole(), "this is neither a declaration nor a section nor an assignment");
    if (now().kind != TokenKind::Name || next().kind != TokenKind::End) return;
    const std::string near =
        support::nearest_name(upper(now().text), {"INITIAL", "OUTPUT", "DYNAMICS", "CONNECT", "END"});
    if (!near.empty()) error.remark("did you mean '" + near + "'?");
  }

  void section(Section s) {
    const bool connecting = system().kind == SystemKind::Connecting;
    const bool known =
        connecting ? s == Section::Initial || s == Section::Connect || s == Section::Sort : s != Section::Connect;
    if (!known) {
      diagnostics_.error(now().where, "a " + std::string(name(system().kind)) + " system has no section " + name(s))
          .remark(connecting ? "its sections are INITIAL and CONNECT"
                             : "its sections are INITIAL, OUTPUT and DYNAMICS");
      return;
    }
    if (section_ &&
        (*section_ >= s || *section_ == Section::Sort || (s == Section::Sort && *section_ != Section::Initial)))
      diagnostics_
          .error(now().where, *section_ == s
                                  ? "a second section " + std::string(name(s))
                                  : "section " + std::string(name(s)) + " cannot follow section " + name(*section_))
          .remark(
              "the order is INITIAL, OUTPUT, DYNAMICS; in a connecting system INITIAL, CONNECT; SORT takes the place "
              "of all but INITIAL");
    section_ = s;
  }

  // declaration = type name { [ "," ] name }
  void declaration(Declared type) {
    const SourceRange where = now().where;
    if (section_) {
      diagnostics_.error(where, "a declaration cannot follow statements").remark("declare before the first section");
      return;
    }
    ++at_;
    if (at_end()) diagnostics_.error(now().where, "a name is expected");
    const std::size_t first = system().declarations.size();
    while (!at_end()) {
      if (now().is(",")) ++at_;
      if (now().kind != TokenKind::Name) {
        diagnostics_.error(now().where, "a name is expected");
        return;
      }
      system().declarations.push_back({type, {now().text, now().where}, ""});
      ++at_;
    }
    if (system().declarations.size() == first + 1) system().declarations.back().comment = line_->comment;
  }

  Section present_section() {
    if (!section_) section_ = system().kind == SystemKind::Connecting ? Section::Connect : Section::Output;
    return *section_;
  }

  // statement = variable "=" expression | name ":" number
  void statement() {
    Statement s;
    s.section = present_section();
    s.where = whole();
    s.comment = line_->comment;
    if (now().kind != TokenKind::Name) {
      diagnostics_.error(now().where, "a name is expected before '='");
      return;
    }
    s.target.name = {now().text, now().where};
    s.target.where = now().where;
    ++at_;
    if (now().is("[") && !target_system(s.target)) return;
    if (now().is(":")) {
      if (s.target.system) {
        diagnostics_.error(s.target.where, "a constant is assigned to a variable of the same system only");
        return;
      }
      ++at_;
      s.kind = StatementKind::Constant;
      const auto value = number("value of '" + s.target.name.text + "'");
      if (!value) return;
      s.number = *value;
    } else if (now().is("=")) {
      ++at_;
      auto value = parse_expression(line_->tokens, at_, diagnostics_);
      if (!value) return;
      s.value = std::move(*value);
    } else {
      diagnostics_.error(now().where, "'=' is expected");
      return;
    }
    if (!line_ends()) return;
    system().statements.push_back(std::move(s));
  }

  bool target_system(Reference& target) {
    ++at_;
    if (now().kind != TokenKind::Name) {
      diagnostics_.error(now().where, "the name of a system is expected after '['");
      return false;
    }
    target.system = Name{now().text, now().where};
    ++at_;
    if (!now().is("]")) {
      diagnostics_.error(now().where, "']' is expected behind the name of the system");
      return false;
    }
    target.where = support::cover(target.where, now().where);
    ++at_;
    return true;
  }

  bool line_ends() {
    if (at_end()) return true;
    if (now().is(")"))
      diagnostics_.error(now().where, "')' closes nothing: a '(' is missing before it");
    else
      diagnostics_.error(now().where, "an operator is expected before '" + now().text + "', or the end of the line");
    return false;
  }

  // stop = "STOP" "WHEN" expression
  void stop() {
    Statement s;
    s.kind = StatementKind::Stop;
    s.section = present_section();
    s.where = whole();
    ++at_;
    if (!now().is_word("WHEN")) {
      diagnostics_.error(now().where, "'WHEN' and a condition are expected after 'STOP'");
      return;
    }
    ++at_;
    auto value = parse_expression(line_->tokens, at_, diagnostics_);
    if (!value || !line_ends()) return;
    s.value = std::move(*value);
    system().statements.push_back(std::move(s));
  }

  std::vector<Line> lines_;
  support::Diagnostics& diagnostics_;
  File file_;
  const Line* line_ = nullptr;
  std::size_t at_ = 0;
  bool open_ = false;  // a system has begun
  bool stray_ = false;
  std::optional<Section> section_;  // none before the first
};

}  // namespace

const char* name(SystemKind kind) {
  switch (kind) {
    case SystemKind::Continuous: return "continuous";
    case SystemKind::Discrete: return "discrete";
    case SystemKind::Connecting: return "connecting";
  }
  return "";
}

const char* name(Declared type) { return kTypes[static_cast<std::size_t>(type)]; }
const char* name(Section section) { return kSections[static_cast<std::size_t>(section)]; }

File parse(const support::Sources& sources, std::uint32_t file, support::Diagnostics& diagnostics) {
  return Parser(read_lines(sources, file, diagnostics), diagnostics).run();
}

}  // namespace fmugen::simnon
