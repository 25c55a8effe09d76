#include "core/base/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

#include "core/base/error.h"

extern char** environ;

namespace farfield {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostOutput = 64 << 10;
constexpr std::chrono::milliseconds kTick{50};

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw ioError("no pipe can be made", errno);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  void closeEnd(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

/// Takes what is there; false at the end of the stream.
bool takeFrom(int fd, std::string& text) {
  std::array<char, 4096> bytes;
  while (true) {
    const ssize_t got = ::read(fd, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 && errno == EAGAIN;
    text.append(bytes.data(), std::min(static_cast<std::size_t>(got), kMostOutput - text.size()));
  }
}

pid_t start(const std::string& program, const std::vector<std::string>& arguments, const Pipe& out,
            const Pipe& errors) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, errors.ends[1], 2);
  pid_t child = -1;
  const int problem = ::posix_spawn(&child, program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw ioError("cannot be started", problem).at(program);
  return child;
}

/// Kills it; what waits in the kernel for a device may take its time to go, and is not waited for.
void kill(pid_t child) {
  ::kill(child, SIGKILL);
  for (int n = 0; n < 20 && ::waitpid(child, nullptr, WNOHANG) == 0; ++n) std::this_thread::sleep_for(kTick);
}

}  // namespace

ChildOutcome runChild(const std::string& program, const std::vector<std::string>& arguments,
                      std::chrono::milliseconds timeout, const std::stop_token& stop) {
  Pipe out, errors;
  const pid_t child = start(program, arguments, out, errors);
  out.closeEnd(1);
  errors.closeEnd(1);
  ChildOutcome outcome;
  const Clock::time_point limit = Clock::now() + timeout;
  while (true) {
    std::array<pollfd, 2> open{{{out.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}}};
    const bool bothEnded = out.ends[0] < 0 && errors.ends[0] < 0;
    ::poll(open.data(), open.size(), bothEnded ? 1 : static_cast<int>(kTick.count()));
    int status = 0;
    const bool ended = ::waitpid(child, &status, WNOHANG) == child;
    // After its end all that it wrote is there to be read. The streams may stay open, held by others.
    if (out.ends[0] >= 0 && !takeFrom(out.ends[0], outcome.out)) out.closeEnd(0);
    if (errors.ends[0] >= 0 && !takeFrom(errors.ends[0], outcome.errors)) errors.closeEnd(0);
    if (ended) {
      outcome.end = WIFSIGNALED(status) ? ChildOutcome::End::Signalled : ChildOutcome::End::Exited;
      outcome.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
      return outcome;
    }
    if (stop.stop_requested()) {
      kill(child);
      throw Cancelled();
    }
    if (Clock::now() >= limit) {
      kill(child);
      outcome.end = ChildOutcome::End::TimedOut;
      return outcome;
    }
  }
}

}  // namespace farfield
