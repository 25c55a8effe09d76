#include "plugins/hdf5/looker.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"

extern char** environ;

namespace farfield::hdf5 {
namespace {

constexpr std::uint64_t kPieceBytes = 256 << 10;
/// No file says so much of itself that can be kept in memory.
constexpr std::uint64_t kMostAnswer = std::uint64_t{1} << 30;
using Kind = LookMessage::Kind;

/// Its input is `socket`. It is in a group of its own: an interrupt from the terminal is for this program, which ends it.
pid_t start(const std::string& program, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, socket, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string name = program;
  char* arguments[] = {name.data(), nullptr};
  pid_t process = -1;
  const int problem = ::posix_spawn(&process, program.c_str(), &actions, &attributes, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (problem != 0) throw ioError("cannot be started", problem).at("file " + program);
  return process;
}

}  // namespace

Looker::Looker(const std::filesystem::path& program) {
  int sockets[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    throw ioError("no socket can be made", errno);
  m_link = std::make_unique<LookLink>(sockets[0]);
  const LookLink others(sockets[1]);  // closed here once it has been handed on
  m_process = start(program.string(), sockets[1]);
}

void Looker::greet() const {
  LookMessage message;
  if (!m_link->receive(message, StoppableWaits::current()) || message.kind != Kind::Hello ||
      message.offset != kLookVersion)
    throw Io("is not the program that looks into HDF5 files for this one", "install it again");
}

Looker::~Looker() {
  end();
}

int Looker::end() {
  if (m_process < 0) return 0;
  ::kill(m_process, SIGKILL);  // of one that has ended the status stays as it is
  int status = 0;
  while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
  }
  m_process = -1;
  return status;
}

Looker::Outcome Looker::ended(bool byItself) {
  const int status = end();
  Outcome outcome;
  outcome.signal = byItself && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.end = outcome.signal == SIGPROF ? Outcome::End::TookLong : Outcome::End::Crashed;
  return outcome;
}

bool Looker::give(const paging::ByteObject& object, std::uint64_t offset, std::uint64_t bytes) {
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min(bytes, kPieceBytes)));
  while (bytes > 0) {
    const auto now = std::span(piece).first(static_cast<std::size_t>(std::min(bytes, kPieceBytes)));
    object.readAt(offset, now);
    if (!m_link->send(now, StoppableWaits::current())) return false;
    offset += now.size();
    bytes -= now.size();
  }
  return true;
}

Looker::Outcome Looker::ask(const LookJob& job, const paging::ByteObject& object,
                            const std::function<void(std::uint64_t)>& beforeAnswer) {
  const std::stop_token stop = StoppableWaits::current();
  LookMessage message;
  if (!m_link->send(Kind::Job, encoded(job), stop)) return ended(true);
  while (m_link->receive(message, stop)) {
    if (message.kind == Kind::Read) {
      if (message.offset > object.size() || message.bytes > object.size() - message.offset)
        return ended(false);
      if (!give(object, message.offset, message.bytes)) return ended(true);
      continue;
    }
    if ((message.kind != Kind::Answer && message.kind != Kind::Failure) || message.bytes > kMostAnswer)
      return ended(false);
    Outcome outcome;
    outcome.end = message.kind == Kind::Answer ? Outcome::End::Answered : Outcome::End::Failed;
    if (beforeAnswer) beforeAnswer(message.bytes);
    if (!m_link->receiveText(message.bytes, outcome.bytes, stop)) break;
    return outcome;
  }
  return ended(true);
}

}  // namespace farfield::hdf5
