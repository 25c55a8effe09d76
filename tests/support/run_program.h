#pragma once
// Runs the built program as a user would: a process of its own without a terminal, whose exit status, output
// and largest memory are looked at from outside. A process that does not end in time is killed and reported
// as such, because a program that hangs must fail a test and not stop it.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/patience.h"

namespace farfield::test {

struct RunSettings {
  std::filesystem::path folder = {};  ///< to run in; empty: that of the test
  /// Set for the program alone; an empty value removes the variable.
  std::vector<std::pair<std::string, std::string>> environment = {};
  int timeoutMs = patienceMs();
  /// Called in the new process before the program starts; may only do what is safe after fork(). False: the
  /// program is not started, and its status is 126.
  std::function<bool()> prepare = {};
};

struct RunResult {
  int status = -1;          ///< exit status; 128 + signal where one ended it; -1: killed after the time limit
  std::string out, errors;  ///< stdout, stderr
  std::uint64_t peakRssBytes = 0;
  double seconds = 0;
  double cpuSeconds = 0;  ///< of all its threads
  /// Lines of stderr.
  std::vector<std::string> errorLines() const {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < errors.size();) {
      const std::size_t end = std::min(errors.find('\n', at), errors.size());
      lines.push_back(errors.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }
};

/// A running program. Killed by the destructor where it still runs.
class RunningProgram {
 public:
  /// Starts `program`; throws std::runtime_error where no process can be made.
  RunningProgram(const std::string& program, const std::vector<std::string>& arguments, RunSettings settings)
      : m_settings(std::move(settings)),
        m_out(memoryFile("stdout")),
        m_errors(memoryFile("stderr")),
        m_start(std::chrono::steady_clock::now()) {
    // Everything that allocates happens before fork().
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> settingsText = environment();
    const std::vector<char*> argv = pointers(words), envp = pointers(settingsText);
    const std::string folder = m_settings.folder.string();
    m_pid = ::fork();
    if (m_pid < 0) throw std::runtime_error("no process can be made");
    if (m_pid == 0) {
      const int nothing = ::open("/dev/null", O_RDONLY);
      if (nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(m_out, 1) < 0 || ::dup2(m_errors, 2) < 0)
        ::_exit(126);
      if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(126);
      if (m_settings.prepare && !m_settings.prepare()) ::_exit(126);
      ::execve(argv[0], argv.data(), envp.data());
      ::_exit(127);
    }
    m_handle = static_cast<int>(::syscall(SYS_pidfd_open, m_pid, 0));
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram() {
    if (m_pid > 0) {
      ::kill(m_pid, SIGKILL);
      ::waitpid(m_pid, nullptr, 0);
    }
    for (const int descriptor : {m_out, m_errors, m_handle})
      if (descriptor >= 0) ::close(descriptor);
  }

  void signal(int number) const { ::kill(m_pid, number); }

  /// Whether it handles a signal itself; false once it has ended.
  bool catches(int number) const {
    std::ifstream status("/proc/" + std::to_string(m_pid) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigCgt:"))
        return (std::stoull(line.substr(7), nullptr, 16) >> (number - 1) & 1) != 0;
    return false;
  }

  /// CPU time of all its threads so far; 0 once it has ended.
  double cpuSeconds() const {
    std::ifstream stat("/proc/" + std::to_string(m_pid) + "/stat");
    std::string line;
    std::getline(stat, line);
    const auto behindName = line.rfind(')');
    if (behindName == std::string::npos) return 0;
    std::istringstream rest(line.substr(behindName + 1));
    std::string word;
    for (int n = 0; n < 11; ++n) rest >> word;
    double user = 0, system = 0;
    rest >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

  /// True once it has ended, within `ms`.
  bool endsWithin(int ms) const {
    if (m_handle < 0) throw std::runtime_error("processes cannot be watched here");
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    for (;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now())
              .count();
      pollfd watched{m_handle, POLLIN, 0};
      const int got = ::poll(&watched, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
      if (got > 0) return true;
      if (got == 0) return false;
    }
  }

  /// Waits for the end, at most as long as the settings say from now on. To be called once.
  RunResult wait() {
    RunResult result;
    const bool ended = endsWithin(m_settings.timeoutMs);
    if (!ended) ::kill(m_pid, SIGKILL);
    int status = 0;
    struct rusage usage {};
    ::wait4(m_pid, &status, 0, &usage);
    m_pid = -1;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    if (ended) result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.cpuSeconds = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                        1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    result.peakRssBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    result.out = contents(m_out);
    result.errors = contents(m_errors);
    return result;
  }

 private:
  static int memoryFile(const char* name) {
    const int descriptor = ::memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0) throw std::runtime_error("no memory file can be made");
    return descriptor;
  }
  static std::string contents(int descriptor) {
    std::string text;
    char part[4096];
    for (ssize_t got = 0;
         (got = ::pread(descriptor, part, sizeof part, static_cast<off_t>(text.size()))) > 0;)
      text.append(part, static_cast<std::size_t>(got));
    return text;
  }
  static std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
  }
  std::vector<std::string> environment() const {
    std::vector<std::string> result;
    for (char** variable = environ; *variable; ++variable) {
      const std::string text = *variable;
      bool replaced = false;
      for (const auto& [name, value] : m_settings.environment) replaced |= text.starts_with(name + "=");
      if (!replaced) result.push_back(text);
    }
    for (const auto& [name, value] : m_settings.environment)
      if (!value.empty()) result.push_back(name + "=" + value);
    return result;
  }

  RunSettings m_settings;
  int m_out, m_errors, m_handle = -1;
  std::chrono::steady_clock::time_point m_start;
  pid_t m_pid = -1;
};

/// The built program, from FARFIELD_PROGRAM.
inline std::string builtProgram() {
  const char* const path = std::getenv("FARFIELD_PROGRAM");
  return path ? path : "farfield";
}

/// Runs the built program to its end.
inline RunResult runProgram(const std::vector<std::string>& arguments, RunSettings settings = {}) {
  return RunningProgram(builtProgram(), arguments, std::move(settings)).wait();
}

}  // namespace farfield::test
