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

void Looker::greet(std::chrono::milliseconds most) const {
  LookMessage message;
  const auto until = LookLink::Clock::now() + most;
  if (!m_link->receive(message, StoppableWaits::current(), until)) {
    if (LookLink::Clock::now() >= until)
      throw Io("has not come up in " + std::to_string(most.count()) + " ms", "see what holds it");
    throw Io("ended when it was started", "install it again");
  }
  if (message.kind != Kind::Hello)
    throw Io("is not the program that looks into HDF5 files", "install it again");
  if (message.offset != kLookVersion)
    throw Io("is of another version than this program, " FARFIELD_VERSION,
             "install both from one package, and start this one again");
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

Looker::Outcome Looker::ask(const LookJob& job, const paging::ByteObject& object, const Receipt& receipt) {
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
    const bool isAnswer = message.kind == Kind::Answer, isPlaced = isAnswer && !receipt.into.empty();
    if ((!isAnswer && message.kind != Kind::Failure) ||
        message.bytes > (isAnswer ? mostAnswerBytes(job) : kMostFailureBytes) ||
        (isPlaced && message.bytes != receipt.into.size()))
      return ended(false);
    Outcome outcome;
    outcome.end = isAnswer ? Outcome::End::Answered : Outcome::End::Failed;
    if (isAnswer && receipt.beforeAnswer) receipt.beforeAnswer(message.bytes);
    if (isPlaced ? !m_link->receive(receipt.into, stop)
                 : !m_link->receiveText(message.bytes, outcome.bytes, stop))
      break;
    return outcome;
  }
  return ended(true);
}

}  // namespace farfield::hdf5
