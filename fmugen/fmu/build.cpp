// Description, code, compiler, package: in this order, and the file appears only if all of it went well.
//
// The guid is a hash of everything the FMU is made of, so that an XML file and a binary that do not belong together are
// told apart, and the same model gives the same bytes. The hash is FNV-1a with 128 bits (Fowler, Noll and Vo); it has
// to tell builds apart, not to withstand an attack.
#include "fmugen/fmu/build.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <sstream>

#include "fmugen/codegen/generate.h"
#include "fmugen/fmu/compile.h"
#include "fmugen/fmu/describe.h"
#include "fmugen/fmu/documentation.h"
#include "fmugen/fmu/package.h"
#include "fmugen/fmu/picture.h"
#include "fmugen/fmu/terminals.h"
#include "fmugen/fmu/validate/validate.h"
#include "fmugen/structure/print_plan.h"

namespace fmugen::fmu {

namespace fs = std::filesystem;
using structure::SimulationPlan;

namespace {

constexpr const char* kGuidMark = "@guid@";
// FMI 2.0.4 has a place for it, but there the compliance checker calls it an error.
constexpr const char* kTerminals = "extra/io.github.fmugen/terminalsAndIcons.xml";
constexpr std::size_t kDenseStates = 60;  // up to here a dense matrix is not slower than a sparse one

std::string hash(const std::vector<const std::string*>& texts) {
  __extension__ using Wide = unsigned __int128;
  const Wide prime = (Wide{1} << 88) + 0x13b;
  Wide h = (Wide{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
  for (const std::string* text : texts)
    for (const char c : *text) h = (h ^ static_cast<unsigned char>(c)) * prime;
  std::string out;
  for (int shift = 124; shift >= 0; shift -= 4) {
    out += "0123456789abcdef"[static_cast<unsigned>(h >> shift) & 15];
    if (shift == 96 || shift == 80 || shift == 64 || shift == 48) out += '-';
  }
  return out;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The date of the sources, if somebody who builds reproducibly gives one.
std::string source_date() {
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  if (!given || !*given) return {};
  const std::time_t seconds = static_cast<std::time_t>(std::strtoll(given, nullptr, 10));
  std::tm parts{};
  char text[32];
  if (!gmtime_r(&seconds, &parts) || !std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)) return {};
  return text;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Build {
 public:
  Build(SimulationPlan& plan, const BuildOptions& options, const support::Sources& sources)
      : p_(plan), o_(options), sources_(sources), layout_(codegen::lay_out(plan, {options.expose})) {}

  BuildResult run() {
    choose_solver();
    choose_linear_algebra();
    note_frozen();
    notes_.insert(notes_.end(), p_.notes.begin(), p_.notes.end());
    describe_model();
    if (r_.failure.empty() && pack_source_files() && make_parts()) package();
    r_.notes.insert(r_.notes.begin(), notes_.begin(), notes_.end());
    return std::move(r_);
  }

 private:
  void choose_solver() {
    r_.solver = o_.solver;
    const auto& names = solver_names();
    const std::string& written = p_.system.model.experiment.solver;
    if (o_.solver == "auto" && std::find(names.begin(), names.end(), written) != names.end())
      r_.solver = written;
    else if (o_.solver == "auto" && !written.empty())
      notes_.push_back("the experiment asks for the solver '" + written + "', which is not known: it is chosen");
    if (r_.solver != "auto") return;
    const std::size_t states = p_.selection.states.size();
    const bool filled_in = states > 0 && p_.jacobians.derivatives.rows == 0;
    r_.solver = states == 0 ? "dopri45" : filled_in ? "ida" : "cvode";
  }

  bool uses_sundials() const { return r_.solver == "cvode" || r_.solver == "adams" || r_.solver == "ida"; }

  void choose_linear_algebra() {
    sparse_ = o_.linear == "klu";
    if (o_.linear != "auto") return;
    std::size_t largest = uses_sundials() ? p_.selection.states.size() : 0;
    for (const auto* blocks : {&p_.blocks, &p_.initial.blocks})
      for (const structure::Block& block : *blocks)
        if (block.kind == structure::BlockKind::Linear && block.assignments.empty())
          largest = std::max(largest, block.unknowns.size());
    sparse_ = largest > kDenseStates;
    if (sparse_)
      notes_.push_back("matrices of up to " + std::to_string(largest) +
                       " unknowns: KLU is linked in, whose licence is the LGPL; --linear dense leaves it out");
  }

  void note_frozen() {
    const auto& model = p_.system.model;
    for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
      const auto frozen = model.variables[v].frozen;
      if (frozen == equations::Frozen::No) continue;
      const std::string name = model.name_of(equations::VarId{v});
      const std::string why = frozen == equations::Frozen::ZeroParameter ? "since its being zero shapes the equations"
                                                                         : "since it shapes the equations";
      notes_.push_back("'" + name + "' is a constant of the FMU, " + why + "; build with --set " + name +
                       "=... to change it");
    }
  }

  void describe_model() {
    DescribeOptions how;
    how.tool = o_.tool;
    how.date = source_date();
    const auto& names = solver_names();
    how.solver = static_cast<std::int32_t>(std::find(names.begin(), names.end(), r_.solver) - names.begin()) + 1;
    how.can_save_state = true;
    codegen::CodeOptions code;
    code.guid = kGuidMark;
    code.solver = r_.solver;
    code.sparse = sparse_;
    code.next_event_time = how.next_event_time = o_.next_event_time;
    code_ = codegen::generate(p_, layout_, code, sources_);
    end_stage("generate");
    how.directional_derivatives = code_.tangents;
    how.interpolates_inputs = true;
    how.output_derivatives = 1;
    description_ = describe(p_, layout_, how, notes_);
    terminals_ = write_terminals(p_.system);
    if (!terminals_.empty()) description_.vendor_annotations.push_back({"fmugen", terminals_});
    description_.guid = kGuidMark;
    if (o_.source != SourceKind::None) list_source_files();
    end_stage("describe");
    xml_ = write_xml(description_);
    std::vector<const std::string*> parts{&xml_};
    for (const codegen::GeneratedFile& file : code_.files) parts.push_back(&file.text);
    external_text_.reserve(code_.external_files.size());
    for (const std::string& file : code_.external_files) parts.push_back(&external_text_.emplace_back(read_file(file)));
    const std::string guid = hash(parts);
    description_.guid = guid;
    replace_all(xml_, kGuidMark, guid);
    for (codegen::GeneratedFile& file : code_.files) replace_all(file.text, kGuidMark, guid);
    r_.kernels = code_.kernels;
    end_stage("write XML");
  }

  void end_stage(const char* name) { r_.stages.push_back({name, watch_.lap()}); }

  // The compiler works on the code, which nothing else needs, while this thread reads the description back and writes
  // the page.
  bool make_parts() {
    support::Stopwatch compiling;
    double seconds = 0;
    list_licences();
    std::future<bool> compiled = std::async(std::launch::async, [&] {
      const bool good = compile_libraries();
      seconds = compiling.lap();
      return good;
    });
    checked_ = std::make_unique<validate::CheckedDescription>(xml_);
    end_stage("check XML");
    page_ = documentation();
    end_stage("document");
    const bool good = compiled.get();
    end_stage("wait for the compiler");
    r_.stages.push_back({"compile", seconds});
    return good;
  }

  // What the sources are made of; without the libraries, Dormand-Prince takes the place of their integrators and a
  // dense matrix that of a sparse one.
  void list_source_files() {
    source_.kit = o_.runtime;
    source_.identifier = description_.co_simulation->model_identifier;
    source_.tool = o_.tool;
    source_.external = code_.external_files;
    for (const equations::FunctionDefinition& f : p_.system.model.functions) {
      if (!f.external) continue;
      source_.external_names.push_back(f.name);
      if (!f.derivative.empty()) source_.external_names.push_back(f.derivative);
    }
    if (o_.source == SourceKind::Full) {
      source_.cvode = needs_cvode();
      source_.ida = needs_ida();
      source_.klu = sparse_;
    } else {
      if (uses_sundials())
        notes_.push_back("the sources are without SUNDIALS: compiled from them, the FMU integrates by dopri45 "
                         "instead of " + r_.solver + "; --source=full packs it");
      if (sparse_)
        notes_.push_back("the sources are without KLU: compiled from them, the FMU has dense matrices; "
                         "--source=full packs it");
    }
    description_.co_simulation->source_files = source_units(source_, r_.failure);
    description_.model_exchange->source_files = description_.co_simulation->source_files;
  }

  bool pack_source_files() {
    if (o_.source == SourceKind::None) return true;
    source_.generated = code_.files;
    SourcePackage packed = pack_sources(source_);
    r_.failure = packed.failure;
    source_entries_ = std::move(packed.entries);
    return r_.failure.empty();
  }

  bool needs_cvode() const { return !p_.selection.states.empty() || uses_sundials(); }
  bool needs_ida() const { return code_.residual_form || r_.solver == "ida"; }

  void list_licences() {
    if (needs_cvode() || needs_ida()) licences_.push_back("sundials.txt");
    if (sparse_) licences_.push_back("suitesparse-klu.txt");
    if (o_.source != SourceKind::None) licences_.push_back("fmugen.txt");
  }

  bool compile_libraries() {
    for (const std::string& platform : o_.platforms)
      if (!compile_library(platform)) return false;
    return true;
  }

  bool compile_library(const std::string& platform) {
    const bool windows = platform == "win64";
    const fs::path kit = o_.runtime, archives = windows ? kit / platform : kit;
    CompileJob job;
    job.platform = windows ? Platform::Win64 : Platform::Linux64;
    job.name = description_.co_simulation->model_identifier;
    for (codegen::GeneratedFile& file : code_.files) job.files.push_back({file.name, file.text, !file.seldom});
    job.external = code_.external_files;
    job.include_folders = {(kit / "include").string()};
    job.prelude = kit / "include" / "fmu_runtime" / "portable_libc.h";
    job.version_script = kit / "fmu.map";
    job.whole_archive = archives / "libfmu_runtime.a";
    if (windows && !fs::exists(job.whole_archive)) {
      r_.failure = "this fmugen has no run time for win64: '" + job.whole_archive +
                   "' is missing; install MinGW (Debian: gcc-mingw-w64-x86-64, by scripts/setup --windows) and build "
                   "fmugen again";
      return false;
    }
    std::vector<std::string> names;
    if (needs_cvode()) names.push_back("fmu_runtime_cvode");
    if (needs_ida()) names.push_back("fmu_runtime_ida");
    if (sparse_) names.push_back("fmu_runtime_klu");
    names.push_back("fmu_runtime_absent");
    if (needs_cvode() || needs_ida()) {
      if (sparse_) names.push_back("sundials_klu");
      names.push_back("sundials");
    }
    if (sparse_) names.push_back("klu");
    for (const std::string& name : names) {
      const fs::path archive = archives / ("lib" + name + ".a");
      job.archives.push_back(archive);
      if (fs::exists(archive)) continue;
      r_.failure = "this fmugen has no solvers for FMUs, which the model needs: '" + archive.string() +
                   "' is missing; scripts/build-sundials makes them, then build fmugen again";
      return false;
    }
    r_.files = job.files.size();
    Compiled compiled = compile(job);
    if (!compiled.failure.empty() && o_.platforms.size() > 1) compiled.failure = platform + ": " + compiled.failure;
    r_.failure = compiled.failure;
    r_.details = compiled.messages;
    explain_external_functions();
    r_.library_bytes += compiled.library.size();
    const std::string file = "binaries/" + platform + "/" + job.name + (windows ? ".dll" : ".so");
    libraries_.push_back({file, std::move(compiled.library), true});
    return r_.failure.empty();
  }

  // Compiler and linker know nothing of models.
  void explain_external_functions() {
    const auto said = [&](const std::string& text) { return r_.details.find(text) != std::string::npos; };
    for (const equations::FunctionDefinition& f : p_.system.model.functions) {
      if (!f.external || !f.where.known() || r_.failure.empty()) continue;
      const std::string declared = "'" + f.name + "' is declared external at " + sources_.file(f.where.file).path() +
                                   ":" + std::to_string(sources_.position(f.where).line);
      if (said("undefined reference to `" + f.name + "'"))
        r_.notes.push_back(declared + ", but no C file given there defines it");
      else if (!f.file.empty() && said(fs::path(f.file).filename().string() + ":"))
        r_.notes.push_back(declared + " with this C file");
    }
  }

  std::string documentation() {
    Documentation page;
    page.description = &description_;
    std::ostringstream equations;
    structure::print_text(equations, p_, sources_);
    page.equations = equations.str();
    for (const auto& cut : p_.system.model.boundary) {
      Documentation::Cut& c = page.cuts.emplace_back();
      c.name = cut.name;
      c.description = cut.description;
      for (const auto& member : cut.members)
        c.members.push_back({member.name, member.variable ? structured_name(p_.system, *member.variable) : "",
                             member.through ? "through" : "across"});
    }
    page.build_notes = notes_;
    page.build_notes.insert(page.build_notes.begin(),
                            "integrator of Co-Simulation: " + r_.solver + " (parameter _fmu.solver changes it)");
    page.licences = licences_;
    if (o_.source != SourceKind::None) page.source_units = description_.co_simulation->source_files;
    return write_documentation(page);
  }

  void package() {
    std::vector<PackageEntry> entries{{"modelDescription.xml", xml_}};
    entries.insert(entries.end(), libraries_.begin(), libraries_.end());
    entries.insert(entries.end(), source_entries_.begin(), source_entries_.end());
    entries.push_back({"documentation/index.html", page_});
    for (const std::string& licence : licences_) {
      const std::string text = read_file(fs::path(o_.runtime) / "licenses" / licence);
      if (!text.empty()) entries.push_back({"documentation/licenses/" + licence, text});
    }
    if (!terminals_.empty()) {
      const std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + terminals_;
      entries.push_back({kTerminals, text});
      if (o_.official_terminals) entries.push_back({"terminalsAndIcons/terminalsAndIcons.xml", text});
    }
    std::size_t inputs = 0, outputs = 0;
    for (const Variable& x : description_.variables) {
      inputs += x.causality == Causality::Input;
      outputs += x.causality == Causality::Output;
    }
    entries.push_back({"model.png", draw_icon({description_.model_name, inputs, outputs})});
    const std::string why =
        write_package(o_.output, entries, [&](const std::string& partial) { return check(partial); });
    end_stage("pack");
    if (!why.empty() && r_.failure.empty()) r_.failure = "cannot write '" + o_.output + "': " + why;
  }

  // Our own output must pass what we ask of others.
  std::string check(const std::string& path) {
    std::string why;
    const std::optional<validate::Report> report = validate::validate_file(path, why, checked_.get());
    if (!report) return why;
    if (report->count(support::Severity::Error) == 0 && report->count(support::Severity::Warning) == 0) return {};
    std::ostringstream text;
    validate::print_text(text, fs::path(o_.output).filename().string(), *report);
    r_.details = text.str();
    return r_.failure = "internal error: the FMU breaks the rules of FMI; please report this with the model";
  }

  SimulationPlan& p_;
  const BuildOptions& o_;
  const support::Sources& sources_;
  codegen::MemoryLayout layout_;
  codegen::GeneratedCode code_;
  ModelDescription description_;
  std::string xml_, terminals_, page_;
  std::unique_ptr<const validate::CheckedDescription> checked_;
  support::Stopwatch watch_;
  std::vector<std::string> notes_, licences_, external_text_;
  SourceJob source_;
  std::vector<PackageEntry> source_entries_, libraries_;
  bool sparse_ = false;
  BuildResult r_;
};

}  // namespace

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names{"auto", "cvode", "adams", "ida", "dopri45", "euler", "heun", "rk4"};
  return names;
}

const std::vector<std::string>& platform_names() {
  static const std::vector<std::string> names{"linux64", "win64"};
  return names;
}

BuildResult build_fmu(SimulationPlan& plan, const BuildOptions& options, const support::Sources& sources) {
  return Build(plan, options, sources).run();
}

}  // namespace fmugen::fmu
