#include "remote/pagerd/stdio_relay.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "core/base/error.h"

namespace farfield::remote {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

void passOn(int from, int to) {
  std::vector<char> piece(kPieceBytes);
  for (;;) {
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    for (ssize_t done = 0; done < got;) {
      const ssize_t put = ::write(to, piece.data() + done, static_cast<std::size_t>(got - done));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return;
      done += put;
    }
  }
}

}  // namespace

StdioRelay::StdioRelay() {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) throw ioError("no socket", errno);
  m_ours = sockets[0];
  m_theirs = sockets[1];
  // a thread waiting for input may wait as long as the program runs
  std::thread([ours = m_ours] {
    passOn(STDIN_FILENO, ours);
    ::shutdown(ours, SHUT_WR);
  }).detach();
  m_out = std::thread([ours = m_ours] { passOn(ours, STDOUT_FILENO); });
}

StdioRelay::~StdioRelay() {
  if (m_theirs >= 0) ::close(m_theirs);
  m_out.join();
}

}  // namespace farfield::remote
