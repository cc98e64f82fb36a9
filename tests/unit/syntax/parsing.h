// What tests of the parser share: a text in, its printed tree or its printed messages out.
#pragma once

#include <sstream>
#include <string>

#include "fmugen/syntax/parser.h"
#include "fmugen/syntax/print_ast.h"

namespace fmugen::syntax {

struct Parsed {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  File file;
};

inline void parse_into(Parsed& parsed, const std::string& text) {
  parsed.file = parse(parsed.sources, parsed.sources.add("m.dym", text), parsed.symbols, parsed.diagnostics);
}

inline std::string messages(const Parsed& parsed) {
  std::ostringstream out;
  support::print(out, parsed.sources, parsed.diagnostics);
  return out.str();
}

// The messages about a text, or nothing.
inline std::string errors(const std::string& text) {
  Parsed parsed;
  parse_into(parsed, text);
  return messages(parsed);
}

// The tree of a text, or the messages if there are any.
inline std::string tree(const std::string& text) {
  Parsed parsed;
  parse_into(parsed, text);
  if (parsed.diagnostics.has_errors()) return messages(parsed);
  std::ostringstream out;
  print_ast(out, parsed.file);
  return out.str();
}

// The tree of statements, as in the body of a model; one statement per line, not indented.
inline std::string body(const std::string& statements) {
  const std::string printed = tree("model m\n" + statements + "\nend\n");
  if (printed.rfind("model m\n", 0) != 0) return printed;
  std::string result;
  std::istringstream lines(printed.substr(8));
  for (std::string line; std::getline(lines, line);) result += line.substr(2) + "\n";
  return result;
}

// The tree of a single expression.
inline std::string expression(const std::string& text) {
  const std::string printed = body("y = " + text);
  const std::string start = "equation y = ";
  if (printed.rfind(start, 0) != 0) return printed;
  return printed.substr(start.size(), printed.find('\n') - start.size());
}

}  // namespace fmugen::syntax
