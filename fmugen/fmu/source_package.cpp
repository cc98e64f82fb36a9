// Problem: a stranger's compiler knows nothing of our folders. It may compile each file of <SourceFiles> for itself, or
// all in one call, without an include path; and it may link the result with other FMUs into one program.
//
// Method: run time and generated code become one file, all.c (amalgamate.h). A C file of the user may define what it
// likes, so it stays a unit of its own, external_1.c, which only includes it. So do the files of SUNDIALS and KLU,
// whose names would clash in one unit: solver_1.c and so on. Includes of SUNDIALS, written for an include path, are
// redirected to the place of the header relative to the file. The files of KLU lie in one folder, so they stay as they
// are, as their licence likes it. All names of the libraries get the FMU's prefix by macros, from the list that the kit
// has of them.
//
//   sources/all.c  solver_1.c ...  solver_names.h  sundials/include/  sundials/src/  klu/  external/
//
// Reference: FMI 2.0.4, section 2.3 (sources/) and FMI 3.0, section 2.5.4 (buildDescription.xml).
#include "fmugen/fmu/source_package.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "fmugen/fmu/amalgamate.h"

namespace fmugen::fmu {

namespace {

namespace fs = std::filesystem;

// The order of the parts: what others build on first.
constexpr const char* kFolders[] = {"solve", "integrate", "instance", "events", "cosim", "fmi2"};
// Of SUNDIALS and KLU; their warnings are nobody's business here, and they read nothing but these standard headers.
constexpr const char* kSolverStart =
    "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <float.h>\n#include <limits.h>\n"
    "#include <math.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n"
    "#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
    "#pragma GCC diagnostic ignored \"-Wsign-compare\"\n"
    "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n#pragma GCC diagnostic ignored \"-Wcomment\"\n"
    "#pragma GCC diagnostic ignored \"-Wimplicit-fallthrough\"\n#endif\n"
    "#if defined(__GNUC__) && !defined(_WIN32)\n#pragma GCC visibility push(hidden)\n#endif\n";

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::recursive_directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure))
    if (it->is_regular_file()) files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

class Packer {
 public:
  explicit Packer(const SourceJob& job)
      : job_(job), root_(fs::path(job.kit) / "sources"), solvers_(job.cvode || job.ida || job.klu) {}

  SourcePackage run() {
    list_units();
    if (!r_.failure.empty()) return std::move(r_);
    r_.entries.push_back({"sources/all.c", all()});
    add_external();
    if (solvers_) add_solvers();
    r_.entries.push_back({"sources/buildDescription.xml", build_description()});
    return std::move(r_);
  }

  void list_units() {
    if (!fs::exists(root_ / "runtime")) {
      r_.failure = "the kit of the run time has no sources: '" + (root_ / "runtime").string() + "' is missing";
      return;
    }
    r_.units.push_back("all.c");
    for (std::size_t k = 0; k < job_.external.size(); ++k)
      r_.units.push_back("external_" + std::to_string(k + 1) + ".c");
    if (!solvers_) return;
    if (!fs::exists(root_ / "solver_names.txt")) {
      r_.failure =
          "--source=full needs the sources of SUNDIALS and KLU, which this installation does not have: "
          "scripts/build-sundials keeps them where it can build from source packages; --source does without them";
      return;
    }
    for (const char* library : {"sundials", "klu"}) {
      if (library == std::string("klu") && !job_.klu) continue;
      for (const fs::path& file : files_below(root_ / library))
        if (file.extension() == ".c") solver_files_.push_back(file);
    }
    for (std::size_t k = 0; k < solver_files_.size(); ++k)
      r_.units.push_back("solver_" + std::to_string(k + 1) + ".c");
  }

  SourcePackage take() { return std::move(r_); }

 private:
  // Of two files of which one says that the other's subject is not there, exactly one.
  bool wanted(const std::string& name) const {
    if (name == "cvode.c" || name == "order_cap.c") return job_.cvode;
    if (name == "cvode_absent.c") return !job_.cvode;
    if (name == "ida_absent.c") return !job_.ida;
    if (name.rfind("ida", 0) == 0) return job_.ida;
    if (name == "algebra.c") return job_.cvode || job_.ida;
    if (name == "sparse_klu.c") return job_.klu;
    if (name == "sparse_absent.c") return !job_.klu;
    return true;
  }

  std::string all() {
    Amalgamation parts;
    for (const char* folder : kFolders)
      for (const fs::path& file : files_below(root_ / "runtime" / folder)) {
        const std::string name = std::string(folder) + "/" + file.filename().string();
        if (file.extension() == ".h") parts.headers[name] = read_file(file);
        if (file.extension() == ".c" && wanted(file.filename().string()))
          parts.files.push_back({name, read_file(file)});
      }
    for (const fs::path& file : files_below(fs::path(job_.kit) / "include"))
      parts.headers[file.lexically_relative(fs::path(job_.kit) / "include").generic_string()] = read_file(file);
    for (const codegen::GeneratedFile& file : job_.generated) {
      if (fs::path(file.name).extension() == ".h")
        parts.headers[file.name] = file.text;
      else
        parts.files.push_back({file.name, file.text});
    }
    for (const fs::path& file : files_below(root_ / "sundials" / "include")) {
      const std::string name = file.lexically_relative(root_ / "sundials" / "include").generic_string();
      if (solvers_) parts.foreign[name] = "sundials/include/" + name;
    }
    if (job_.klu) parts.foreign["klu.h"] = "klu/klu.h";
    parts.own_names.insert(job_.external_names.begin(), job_.external_names.end());
    if (solvers_) {
      const std::set<std::string> names = solver_names();
      parts.own_names.insert(names.begin(), names.end());
    }
    return amalgamate(parts, job_.identifier,
                      "/* " + job_.identifier + ": the generated code of the model and the run time of its FMU, by " +
                          job_.tool +
                          ".\n * documentation/index.html tells how it is compiled, documentation/licenses/ what is "
                          "allowed. */\n");
  }

  // A C file of the user with what it includes from its own folder or below.
  void add_external() {
    std::set<std::string> names(job_.external_names.begin(), job_.external_names.end());
    for (std::size_t k = 0; k < job_.external.size(); ++k) {
      const std::string number = std::to_string(k + 1);
      const fs::path source = job_.external[k];
      const std::string folder = "external/" + number + "/";
      r_.entries.push_back({"sources/external_" + number + ".c",
                            "/* A C file of the model. */\n" + own_name_lines(job_.identifier, names) + "#include \"" +
                                folder + source.filename().string() + "\"\n"});
      add_with_headers(source, "sources/" + folder, source.filename().string());
    }
  }

  void add_with_headers(const fs::path& source, const std::string& folder, const std::string& name) {
    std::vector<std::pair<fs::path, std::string>> open{{source, name}};
    std::set<std::string> done{name};
    while (!open.empty()) {
      const auto [path, place] = open.back();
      open.pop_back();
      const std::string text = redirect_includes(read_file(path), [&](const std::string& included) -> std::string {
        const fs::path header = path.parent_path() / included;
        if (!fs::exists(header)) return "";
        // Whatever lies above the folder of the C file moves into it: nothing can be packed outside.
        fs::path target = (fs::path(place).parent_path() / included).lexically_normal();
        if (target.generic_string().rfind("..", 0) == 0) target = "above" / target.filename();
        if (done.insert(target.generic_string()).second) open.emplace_back(header, target.generic_string());
        return target.lexically_relative(fs::path(place).parent_path().empty() ? "." : fs::path(place).parent_path())
            .generic_string();
      });
      r_.entries.push_back({folder + place, text});
    }
  }

  std::set<std::string> solver_names() const {
    std::istringstream words(read_file(root_ / "solver_names.txt"));
    std::set<std::string> names;
    for (std::string word; words >> word;) names.insert(word);
    return names;
  }

  void add_solvers() {
    r_.entries.push_back(
        {"sources/solver_names.h",
         "/* The names of SUNDIALS and KLU, with the FMU's own prefix: two FMUs fit into one program. */\n"
         "#ifndef SOLVER_NAMES_H\n#define SOLVER_NAMES_H\n" +
             own_name_lines(job_.identifier, solver_names()) + "#endif\n"});
    for (std::size_t k = 0; k < solver_files_.size(); ++k) {
      const std::string path = solver_files_[k].lexically_relative(root_).generic_string();
      std::string defines;
      if (path.rfind("klu/", 0) == 0) {
        defines = "#define NPRINT\n#define NTIMER\n";
        if (path.rfind("klu/amd", 0) == 0) defines += "#define DINT\n";
      } else {
        defines = "#define NO_FPRINTF_OUTPUT\n";
      }
      r_.entries.push_back({"sources/solver_" + std::to_string(k + 1) + ".c",
                            kSolverStart + defines + "#include \"solver_names.h\"\n#include \"" + path + "\"\n"});
    }
    const fs::path roots[] = {root_ / "sundials" / "include", root_ / "sundials" / "src" / "sundials"};
    for (const fs::path& file : files_below(root_ / "sundials"))
      r_.entries.push_back({"sources/" + file.lexically_relative(root_).generic_string(),
                            redirect_includes(read_file(file), [&](const std::string& name) -> std::string {
                              if (fs::exists(file.parent_path() / name)) return "";
                              for (const fs::path& root : roots)
                                if (fs::exists(root / name))
                                  return (root / name).lexically_relative(file.parent_path()).generic_string();
                              return "";
                            })});
    if (!job_.klu) return;
    for (const fs::path& file : files_below(root_ / "klu"))
      r_.entries.push_back({"sources/" + file.lexically_relative(root_).generic_string(), read_file(file)});
  }

  std::string build_description() const {
    std::string out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
        "  <BuildConfiguration modelIdentifier=\"" +
        job_.identifier + "\">\n    <SourceFileSet language=\"C11\">\n";
    for (const std::string& unit : r_.units) out += "      <SourceFile name=\"" + unit + "\"/>\n";
    return out +
           "    </SourceFileSet>\n    <Library name=\"m\" description=\"mathematical functions, where they are not in "
           "the C library\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n";
  }

  const SourceJob& job_;
  fs::path root_;
  bool solvers_;
  std::vector<fs::path> solver_files_;
  SourcePackage r_;
};

}  // namespace

SourcePackage pack_sources(const SourceJob& job) { return Packer(job).run(); }

std::vector<std::string> source_units(const SourceJob& job, std::string& failure) {
  Packer packer(job);
  packer.list_units();
  const SourcePackage listed = packer.take();
  failure = listed.failure;
  return listed.units;
}

}  // namespace fmugen::fmu
