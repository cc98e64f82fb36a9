// From C texts to a shared library.
//
// The texts are written into a new temporary folder; one compiler process for each core takes the next file until none
// is left; the linker joins the objects with the run time's archives. Output of the processes goes to files in the
// folder, so that nothing can block. Options:
//
//   -ffp-contract=off      the same numbers on every machine: no fused multiply-add where the processor happens to have
// it
//   -ffunction-sections    with --gc-sections, so that of the archives only what the model needs is linked in
//   --version-script       nothing but fmi2... can be seen from outside, whatever else the process has loaded
//   --no-undefined         what is missing is reported here, not when somebody loads the FMU
//
// For Windows, MinGW links its own parts statically, so that only libraries of the system are needed, exports what is
// marked, as the functions of FMI are, and writes neither the time nor a hash of the path, as base address, into the
// file.
//
// Large tables go to the assembler instead (lift_tables.h). A compiler that knows nothing of it, which shows when that
// fails, gets them as C.
#include "fmugen/fmu/compile.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "fmugen/fmu/lift_tables.h"

extern char** environ;

namespace fmugen::fmu {

namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failure;
    std::string name = (fs::temp_directory_path(failure) / "fmugen-XXXXXX").string();
    if (!failure && mkdtemp(name.data())) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

constexpr const char* kMingw = "x86_64-w64-mingw32-gcc";

Arguments compiler_command(Platform platform) {
  const bool windows = platform == Platform::Win64;
  const char* given = std::getenv(windows ? "CC_WIN64" : "CC");
  std::istringstream words(given && *given ? given : windows ? kMingw : "cc");
  Arguments command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) command.push_back(windows ? kMingw : "cc");
  return command;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Starts a process whose messages go to `log`. The number of the process, or -1 with errno set.
pid_t start(const Arguments& command, const fs::path& log) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t process = -1;
  const int failure = posix_spawnp(&process, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  errno = failure;
  return failure ? -1 : process;
}

bool wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Step {
  Arguments command;
  fs::path log;
};

// Runs the steps, several at a time; false after the first that fails, whose messages are kept.
bool run_all(const std::vector<Step>& steps, Platform platform, Compiled& result) {
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::pair<pid_t, const Step*>> running;
  bool good = true;
  for (std::size_t next = 0; (good && next < steps.size()) || !running.empty();) {
    if (good && next < steps.size() && running.size() < most) {
      const Step& step = steps[next++];
      const pid_t process = start(step.command, step.log);
      if (process >= 0) {
        running.emplace_back(process, &step);
        continue;
      }
      result.failure = "cannot run the C compiler '" + step.command[0] + "': " + std::strerror(errno) +
                       (platform == Platform::Win64
                            ? "; install it (Debian: apt-get install gcc-mingw-w64-x86-64) or name yours in CC_WIN64"
                            : "; install one (Debian: apt-get install gcc libc6-dev) or name yours in CC");
      good = false;
      continue;
    }
    const auto [process, step] = running.front();
    running.erase(running.begin());
    if (wait_for(process) || !good) continue;
    result.messages = read_file(step->log);
    good = false;
  }
  return good;
}

bool write_file(const fs::path& path, const std::string& text, Compiled& result) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (out.flush()) return true;
  result.failure = "cannot write '" + path.string() + "': " + std::strerror(errno);
  return false;
}

// Of a table in elements: below, the compiler does not take a millisecond.
constexpr std::size_t kLargeTable = 500;

// The texts of the files without their large tables, which are in the object; none if the compiler cannot assemble.
std::vector<std::string> without_tables(const CompileJob& job, Arguments assemble, const fs::path& folder,
                                        const fs::path& object) {
  LiftedTables lifted;
  std::vector<std::string> texts;
  for (const CFile& file : job.files) texts.push_back(lift_tables(file.text, "tables.bin", kLargeTable, lifted));
  const bool windows = job.platform == Platform::Win64;
  const std::string section = windows ? ".section .rdata,\"dr\"\n" : ".section .rodata\n";
  const std::string end = windows ? "" : ".section .note.GNU-stack,\"\",@progbits\n";
  Compiled ignored;
  if (lifted.count == 0 || !write_file(folder / "tables.bin", lifted.bytes, ignored) ||
      !write_file(folder / "tables.s", section + lifted.assembler + end, ignored))
    return {};
  for (const fs::path& word : {folder / "tables.s", fs::path("-o"), object}) assemble.push_back(word.string());
  if (!run_all({{assemble, folder / "tables.log"}}, job.platform, ignored)) return {};
  return texts;
}

std::string object_name(const std::string& source, std::size_t number) {
  return std::to_string(number) + "_" + fs::path(source).stem().string() + ".o";
}

}  // namespace

Compiled compile(const CompileJob& job) {
  Compiled result;
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    result.failure = "cannot create a temporary folder; TMPDIR names where it goes";
    return result;
  }
  const bool windows = job.platform == Platform::Win64;
  Arguments common = compiler_command(job.platform);
  for (const char* option : {"-std=c11", "-c", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections",
                             "-ffp-contract=off", "-w"})
    common.push_back(option);
  common.push_back("-I" + folder.path().string());
  for (const std::string& include : job.include_folders) common.push_back("-I" + include);
  if (!job.prelude.empty()) common.insert(common.end(), {"-include", job.prelude});

  std::vector<Step> steps;
  Arguments objects;
  const auto add = [&](const fs::path& source, const char* optimisation) {
    const fs::path object = folder.path() / object_name(source, steps.size());
    Arguments command = common;
    for (const std::string& word : {std::string(optimisation), source.string(), std::string("-o"), object.string()})
      command.push_back(word);
    objects.push_back(object);
    steps.push_back({std::move(command), fs::path(object).replace_extension(".log")});
  };
  const fs::path tables = folder.path() / "tables.o";
  const std::vector<std::string> texts = without_tables(job, common, folder.path(), tables);
  if (!texts.empty()) objects.push_back(tables);
  for (std::size_t k = 0; k < job.files.size(); ++k) {
    const CFile& file = job.files[k];
    const fs::path path = folder.path() / file.name;
    if (!write_file(path, texts.empty() ? file.text : texts[k], result)) return result;
    if (path.extension() == ".c") add(path, file.hot ? "-O2" : "-O0");
  }
  for (const std::string& source : job.external) add(fs::absolute(source), "-O2");

  const std::string unable = "the C compiler rejects the code";
  if (!run_all(steps, job.platform, result)) {
    if (result.failure.empty()) result.failure = unable;
    return result;
  }
  const fs::path library = folder.path() / (job.name + (windows ? ".dll" : ".so"));
  Arguments link = compiler_command(job.platform);
  for (const char* word : {"-shared", "-s", "-Wl,--gc-sections", "-Wl,--no-undefined"}) link.push_back(word);
  if (windows)
    link.insert(link.end(), {"-static-libgcc", "-Wl,--no-insert-timestamp", "-Wl,--disable-auto-image-base"});
  else
    link.insert(link.end(), {"-Wl,-O1", "-Wl,--build-id=none", "-Wl,-z,noexecstack",
                             "-Wl,--version-script=" + job.version_script});
  link.insert(link.end(), {"-o", library.string()});
  link.insert(link.end(), objects.begin(), objects.end());
  if (!job.whole_archive.empty())
    for (const std::string& word :
         {std::string("-Wl,--whole-archive"), job.whole_archive, std::string("-Wl,--no-whole-archive")})
      link.push_back(word);
  link.insert(link.end(), job.archives.begin(), job.archives.end());
  link.push_back("-lm");
  if (!run_all({{link, folder.path() / "link.log"}}, job.platform, result)) {
    if (result.failure.empty()) result.failure = "the linker cannot put the FMU's library together";
    return result;
  }
  result.library = read_file(library);
  if (result.library.empty()) result.failure = "the linker wrote no library";
  return result;
}

}  // namespace fmugen::fmu
