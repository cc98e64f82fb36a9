// Fuzz target of the front end: any bytes are read as a model; nothing may crash, hang or leak, and every place that a
// message points to must lie in the text. The tree is printed and flattened, too; with FUZZ_PARSE_ONLY defined it is
// only printed, and the target needs nothing but fmugen/support and fmugen/syntax.
//
//   libFuzzer:  clang++ -fsanitize=fuzzer,address,undefined ...     fuzz_front_end CORPUS
//   replay:     any compiler with -DFUZZ_REPLAY                     fuzz_replay FILE...
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "fmugen/support/diagnostics.h"
#include "fmugen/support/source.h"
#include "fmugen/support/symbol.h"
#include "fmugen/syntax/parser.h"
#include "fmugen/syntax/print_ast.h"
#ifndef FUZZ_PARSE_ONLY
#include <filesystem>
#include <fstream>

#include "fmugen/semantics/flatten.h"
#endif

namespace {

using namespace fmugen;

void require(bool condition, const char* what) {
  if (condition) return;
  std::cerr << "fuzz: " << what << '\n';
  std::abort();
}

void check(const support::Sources& sources, const support::Diagnostics& diagnostics) {
  const auto inside = [&](support::SourceRange where) {
    if (!where.known()) return true;
    return where.file < sources.size() && where.begin <= where.end &&
           where.end <= sources.file(where.file).text().size();
  };
  for (const support::Diagnostic& one : diagnostics.all()) {
    require(inside(one.where), "a message points outside of its file");
    for (const support::Remark& remark : one.remarks)
      require(inside(remark.where), "a remark points outside of its file");
  }
  std::ostringstream out;
  support::print(out, sources, diagnostics);
}

void parse_model(const std::string& text) {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  const syntax::File file = syntax::parse(sources, sources.add("fuzz.dym", text), symbols, diagnostics);
  std::ostringstream out;
  syntax::print_ast(out, file);
  check(sources, diagnostics);
}

void parse_expression(const std::string& text) {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  const auto expression = syntax::parse_expression(sources, sources.add("fuzz", text), symbols, diagnostics);
  require(expression.has_value() != diagnostics.has_errors(), "an expression is there exactly when there is no error");
  check(sources, diagnostics);
}

#ifndef FUZZ_PARSE_ONLY
// The model stands alone in a folder of its own, so that `use` finds nothing.
void flatten_model(const std::string& text) {
  static const std::string folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz_front_end_XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "no folder for temporary files");
    static const struct Removal {
      std::string path;
      ~Removal() { std::filesystem::remove_all(path); }
    } removal{name};
    return name;
  }();
  std::ofstream(folder + "/fuzz.dym", std::ios::binary) << text;
  semantics::FlattenOptions options;
  options.size_limit = 100'000;
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  const auto flat = semantics::flatten(folder + "/fuzz.dym", options, sources, symbols, diagnostics);
  require(flat.has_value() != diagnostics.has_errors(), "a flat model is there exactly when there is no error");
  check(sources, diagnostics);
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  parse_model(text);
  parse_expression(text);
#ifndef FUZZ_PARSE_ONLY
  flatten_model(text);
#endif
  return 0;
}

#ifdef FUZZ_REPLAY
int main(int count, char** files) {
  for (int i = 1; i < count; ++i) {
    support::Sources sources;
    std::string reason;
    const auto file = sources.read(files[i], reason);
    if (!file) {
      std::cerr << files[i] << ": " << reason << '\n';
      return 2;
    }
    const std::string& text = sources.file(*file).text();
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::cout << "fuzz: " << count - 1 << " files replayed\n";
  return 0;
}
#endif
