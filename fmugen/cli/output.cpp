// Writing a result whole or not at all.
//
// The text goes to a new file beside the target, which takes the target's name when everything has been written:
//
//     flat.txt.Xa81bQ   written, closed          then renamed to   flat.txt
//
// rename() replaces the old file in one step, so whoever opens flat.txt sees the old content or the new one. Targets that
// are no ordinary files (a terminal, a pipe, /dev/null) cannot be replaced and are written directly.
// POSIX streams instead of std::ofstream, because the latter forgets why a write failed.
#include "fmugen/cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <streambuf>
#include <utility>

namespace fmugen::cli {

namespace {

// A buffer in front of a file descriptor; remembers the first error.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) { restart(); }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (!write_out()) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override { return write_out() ? 0 : -1; }

 private:
  void restart() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  bool write_out() {
    const char* from = pbase();
    while (error_ == 0 && from < pptr()) {
      const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
      if (written >= 0)
        from += written;
      else if (errno != EINTR)
        error_ = errno;
    }
    restart();
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::array<char, 1 << 16> buffer_;
};

// Writes to an open descriptor; 0 or the error.
int produce_to(int descriptor, const std::function<void(std::ostream&)>& produce) {
  DescriptorBuffer buffer(descriptor);
  std::ostream out(&buffer);
  produce(out);
  out.flush();
  return buffer.error();
}

int write_standard_output(const std::function<void(std::ostream&)>& produce) {
  const int error = produce_to(STDOUT_FILENO, produce);
  return error == EPIPE ? 0 : error;
}

int write_directly(const std::string& path, const std::function<void(std::ostream&)>& produce) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = produce_to(descriptor, produce);
  return ::close(descriptor) != 0 && error == 0 ? errno : error;
}

mode_t mode_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// Removes the unfinished file on every way out but one.
struct Temporary {
  std::string path;
  int descriptor = -1;
  ~Temporary() {
    if (descriptor >= 0) ::close(descriptor);
    if (!path.empty()) ::unlink(path.c_str());
  }
};

int write_and_rename(const std::string& path, mode_t mode, const std::function<void(std::ostream&)>& produce) {
  std::string pattern = path + ".XXXXXX";
  Temporary file;
  file.descriptor = ::mkstemp(pattern.data());
  if (file.descriptor < 0) return errno;
  file.path = pattern;
  if (::fchmod(file.descriptor, mode) != 0) return errno;
  if (const int error = produce_to(file.descriptor, produce)) return error;
  if (::close(std::exchange(file.descriptor, -1)) != 0) return errno;
  if (::rename(file.path.c_str(), path.c_str()) != 0) return errno;
  file.path.clear();
  return 0;
}

int write_file(const std::string& path, const std::function<void(std::ostream&)>& produce) {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0)
    return errno == ENOENT ? write_and_rename(path, mode_of_new_files(), produce) : errno;
  if (S_ISDIR(old.st_mode)) return EISDIR;
  if (::access(path.c_str(), W_OK) != 0) return errno;
  if (!S_ISREG(old.st_mode)) return write_directly(path, produce);
  std::error_code failure;  // through a symbolic link its target is replaced, not the link
  const std::string target = std::filesystem::canonical(path, failure).string();
  return write_and_rename(failure ? path : target, old.st_mode & 07777, produce);
}

}  // namespace

std::string write_output(const std::string& path, const std::function<void(std::ostream&)>& produce) {
  // Failures shall come back from write() instead of ending the process with a file half written.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const int error = path.empty() ? write_standard_output(produce) : write_file(path, produce);
  return error == 0 ? std::string() : std::string(std::strerror(error));
}

}  // namespace fmugen::cli
