#include "fmugen/support/diagnostics.h"

#include <algorithm>
#include <ostream>

namespace fmugen::support {

namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

// A source line as it may go to a terminal: control characters would do things there.
std::string harmless(std::string_view line) {
  std::string text(line);
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) c = '?';
  return text;
}

void print_place(std::ostream& out, const Sources& sources, SourceRange where) {
  constexpr std::size_t kWidest = 160, kBefore = 60;  // of a longer line the part around the place is shown
  const LineColumn at = sources.position(where);
  std::string line = harmless(sources.file(where.file).line(at.line));
  std::size_t from = at.column - 1;
  std::size_t width = where.end > where.begin ? where.end - where.begin : 1;
  width = std::min(width, line.size() > from ? line.size() - from : std::size_t{1});
  if (line.size() > kWidest) {
    const std::size_t first = from > kBefore ? from - kBefore : 0;
    const bool cut_end = line.size() - first > kWidest;
    line = (first > 0 ? "..." : "") + line.substr(first, kWidest) + (cut_end ? "..." : "");
    from = from - first + (first > 0 ? 3 : 0);
    width = std::min(width, line.size() > from ? line.size() - from : std::size_t{1});
  }
  out << "  " << line << "\n  ";
  for (std::size_t i = 0; i < from && i < line.size(); ++i) out << (line[i] == '\t' ? '\t' : ' ');
  out << '^';
  for (std::size_t i = 1; i < width; ++i) out << '~';
  out << '\n';
}

void print_line(std::ostream& out, const Sources& sources, const char* kind, SourceRange where, const std::string& text) {
  if (where.known()) out << sources.describe(where) << ": ";
  out << kind << ": " << text << '\n';
  if (where.known()) print_place(out, sources, where);
}

// Edit distance with swaps of neighbours, at most `limit` (larger values are all alike).
std::size_t edit_distance(const std::string& a, const std::string& b, std::size_t limit) {
  const std::size_t n = a.size(), m = b.size();
  if (n > m + limit || m > n + limit) return limit + 1;
  std::vector<std::size_t> before(m + 1), last(m + 1), row(m + 1);
  for (std::size_t j = 0; j <= m; ++j) last[j] = j;
  for (std::size_t i = 1; i <= n; ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= m; ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[m];
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

Diagnostic& Diagnostic::remark(SourceRange at, std::string words) {
  remarks.push_back({at, std::move(words)});
  return *this;
}

Diagnostic& Diagnostics::add(Severity severity, SourceRange where, std::string text) {
  if (severity == Severity::Error && ++errors_ > kMostErrors) {
    surplus_ = {};
    return surplus_;
  }
  all_.push_back({severity, where, std::move(text), {}, {}});
  return all_.back();
}

void Diagnostics::truncate(std::size_t size) {
  while (all_.size() > size) {
    if (all_.back().severity == Severity::Error) --errors_;
    all_.pop_back();
  }
}

void print(std::ostream& out, const Sources& sources, const Diagnostic& diagnostic) {
  std::string text = diagnostic.text;
  if (!diagnostic.instance.empty()) text += " (in '" + diagnostic.instance + "')";
  print_line(out, sources, word(diagnostic.severity), diagnostic.where, text);
  for (const Remark& remark : diagnostic.remarks) print_line(out, sources, "note", remark.where, remark.text);
}

void print(std::ostream& out, const Sources& sources, const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all()) print(out, sources, d);
  if (diagnostics.errors() > Diagnostics::kMostErrors)
    out << "error: " << diagnostics.errors() - Diagnostics::kMostErrors << " further errors are not shown\n";
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);  // one slip per three letters
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate == name) continue;
    std::size_t distance = edit_distance(name, candidate, limit);
    if (lower(candidate) == lower(name)) distance = 0;  // only the case differs
    if (distance < best_distance || (distance == best_distance && distance <= limit && candidate < best)) {
      best = candidate;
      best_distance = distance;
    }
  }
  // A name of one letter is near to every other such name: suggest only a change of case.
  return name.size() == 1 && best_distance > 0 ? std::string() : best;
}

}  // namespace fmugen::support
