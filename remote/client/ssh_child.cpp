#include "remote/client/ssh_child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <vector>

#include "core/base/error.h"
#include "core/base/printable.h"

extern char** environ;

namespace farfield::remote {
namespace {

constexpr std::size_t kMostSaid = 4096;
constexpr const char* kServer = "farfield-pagerd --stdio --root /";

std::vector<std::string> commandFor(const SshPlace& place) {
  const char* const given = std::getenv("FARFIELD_SSH");
  std::istringstream text(given && *given ? given : "ssh");
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.empty()) words.push_back("ssh");
  words.push_back("-T");
  if (place.asksNobody) words.insert(words.end(), {"-o", "BatchMode=yes"});
  if (place.port > 0) words.insert(words.end(), {"-p", std::to_string(place.port)});
  if (!place.user.empty()) words.insert(words.end(), {"-l", place.user});
  words.insert(words.end(), {"--", place.host, kServer});
  return words;
}

}  // namespace

SshChild::SshChild(const SshPlace& place) {
  int sockets[2] = {-1, -1}, errors[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    throw ioError("no socket for ssh", errno);
  if (::pipe2(errors, O_CLOEXEC | O_NONBLOCK) != 0) {
    const int why = errno;
    ::close(sockets[0]);
    ::close(sockets[1]);
    throw ioError("no pipe for ssh", why);
  }
  const std::vector<std::string> words = commandFor(place);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, sockets[1], 0);
  ::posix_spawn_file_actions_adddup2(&actions, sockets[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
  // This program may have blocked signals that ssh is to hear.
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failure =
      ::posix_spawnp(&m_process, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  ::close(sockets[1]);
  ::close(errors[1]);
  m_socket = sockets[0];
  m_errors = errors[0];
  if (failure == 0) return;
  ::close(m_socket);
  ::close(m_errors);
  if (failure == ENOENT)
    throw NotFound("there is no program " + printable(words.front()), "install ssh (Debian: openssh-client)");
  throw ioError("ssh cannot be started", failure);
}

SshChild::~SshChild() {
  if (m_socket >= 0) ::close(m_socket);
  if (m_errors >= 0) ::close(m_errors);
  // The end of its input ends it; one that does not listen is ended.
  for (int tries = 0; tries < 50; ++tries) {
    if (::waitpid(m_process, nullptr, WNOHANG) != 0) return;
    if (tries == 5) ::kill(m_process, SIGTERM);
    const timespec pause{0, 10'000'000};
    ::nanosleep(&pause, nullptr);
  }
  ::kill(m_process, SIGKILL);
  ::waitpid(m_process, nullptr, 0);
}

int SshChild::takeSocket() {
  const int socket = m_socket;
  m_socket = -1;
  return socket;
}

std::string SshChild::lastWords() {
  char buffer[512];
  for (ssize_t got; (got = ::read(m_errors, buffer, sizeof buffer)) > 0;) {
    m_said.append(buffer, static_cast<std::size_t>(got));
    if (m_said.size() > kMostSaid) m_said.erase(0, m_said.size() - kMostSaid);
  }
  std::string last;
  std::istringstream lines(m_said);
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  while (last.ends_with('\r')) last.pop_back();
  return printable(last);
}

}  // namespace farfield::remote
