#include "fmugen/cli/options.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace fmugen::cli;

namespace {

struct Read {
  std::variant<Options, ExitCode> result;
  std::string out, err;
  const Options& options() const { return std::get<Options>(result); }
};

Read read(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "fmugen");
  std::ostringstream out, err;
  auto result = parse_options(static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {std::move(result), out.str(), err.str()};
}

}  // namespace

TEST_CASE("options that are not given have their usual values") {
  const Read read_back = read({"flat", "a.dym"});
  const Options& o = read_back.options();
  CHECK(o.command == Command::Flat);
  CHECK(o.file == "a.dym");
  CHECK(o.output.empty());
  CHECK(o.model.empty());
  CHECK(o.library_path.empty());
  CHECK(o.settings.empty());
  CHECK_FALSE(o.strict);
  CHECK_FALSE(o.stats);
  CHECK(o.format == Format::Text);
}

TEST_CASE("options may stand before and after the file and be repeated") {
  const Read read_back = read({"flat", "-m", "motor", "-I", ".", "--set", "a=1", "a.dym", "--strict", "-I..", "--set",
                               " b.c = f(x)=2 ", "--format=json", "--stats", "--output", "out.txt"});
  const Options& o = read_back.options();
  CHECK(o.file == "a.dym");
  CHECK(o.model == "motor");
  CHECK(o.library_path == std::vector<std::string>{".", ".."});
  CHECK(o.settings == std::vector<std::pair<std::string, std::string>>{{"a", "1"}, {"b.c", "f(x)=2"}});
  CHECK(o.strict);
  CHECK(o.stats);
  CHECK(o.format == Format::Json);
  CHECK(o.output == "out.txt");
}

TEST_CASE("a file may begin with a dash behind two dashes") {
  CHECK(read({"ast", "--", "-a.dym"}).options().file == "-a.dym");
}

TEST_CASE("help goes to the one stream and mistakes to the other") {
  const Read help = read({"flat", "--help"});
  CHECK(std::get<ExitCode>(help.result) == kDone);
  CHECK_FALSE(help.out.empty());
  CHECK(help.err.empty());
  const Read mistake = read({"flat"});
  CHECK(std::get<ExitCode>(mistake.result) == kUsage);
  CHECK(mistake.out.empty());
  CHECK(mistake.err == "error: FILE is required\nnote: 'fmugen flat --help' lists what can be given\n");
}
