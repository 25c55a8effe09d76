#include "bench/remote/bare_line.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "bench/shared/measure.h"
#include "core/base/error.h"

namespace farfield::bench {
namespace {

constexpr std::size_t kPieceBytes = 256 << 10, kRequestBytes = 16, kHeadBytes = 32;

/// Closes it.
class Socket {
 public:
  explicit Socket(int descriptor) : m_descriptor(descriptor) {}
  ~Socket() {
    if (m_descriptor >= 0) ::close(m_descriptor);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int get() const { return m_descriptor; }

 private:
  int m_descriptor;
};

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

bool sendAll(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t part = ::send(to, bytes, count, MSG_NOSIGNAL);
    if (part <= 0) return false;
    bytes += part;
    count -= static_cast<std::size_t>(part);
  }
  return true;
}

void sayAtOnce(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

int connectTo(const std::string& address) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in to = loopback(std::stoi(address.substr(address.rfind(':') + 1)));
  if (socket < 0 || ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    const int why = errno;
    if (socket >= 0) ::close(socket);
    throw ioError("no connection for a bare stream", why);
  }
  sayAtOnce(socket);
  return socket;
}

/// The first bytes of a connection: answers of this size are wanted; 0: a stream.
void answerRequests(int socket, std::uint32_t answerBytes) {
  const std::size_t whole = kHeadBytes + answerBytes;
  const std::vector<char> answer(answerBytes, 'x');
  std::vector<char> in(64 << 10), out(std::max(kPieceBytes / whole, std::size_t{1}) * whole);
  std::size_t have = 0, filled = 0;
  for (;;) {
    const ssize_t got = ::recv(socket, in.data() + have, in.size() - have, 0);
    if (got <= 0) return;
    have += static_cast<std::size_t>(got);
    std::size_t at = 0;
    for (; have - at >= kRequestBytes; at += kRequestBytes) {
      std::memset(out.data() + filled, 0, kHeadBytes);
      std::memcpy(out.data() + filled, in.data() + at, kRequestBytes);
      std::memcpy(out.data() + filled + kHeadBytes, answer.data(), answer.size());
      filled += whole;
      if (filled == out.size()) {
        if (!sendAll(socket, out.data(), filled)) return;
        filled = 0;
      }
    }
    std::memmove(in.data(), in.data() + at, have - at);
    have -= at;
    if (filled > 0 && !sendAll(socket, out.data(), filled)) return;
    filled = 0;
  }
}

}  // namespace

BareSender::BareSender() {
  m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (m_socket < 0 || ::bind(m_socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(m_socket, 4) != 0 ||
      ::getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw ioError("no port for a bare stream", errno);
  m_address = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  m_thread = std::thread([this] { serve(); });
}

BareSender::~BareSender() {
  ::shutdown(m_socket, SHUT_RDWR);
  m_thread.join();
  ::close(m_socket);
}

void BareSender::serve() {
  const std::vector<char> piece(kPieceBytes);
  for (;;) {
    const Socket to(::accept(m_socket, nullptr, nullptr));
    if (to.get() < 0) return;
    sayAtOnce(to.get());
    std::uint32_t answerBytes = 0;
    if (::recv(to.get(), &answerBytes, sizeof answerBytes, MSG_WAITALL) != sizeof answerBytes) continue;
    if (answerBytes > 0)
      answerRequests(to.get(), answerBytes);
    else
      while (sendAll(to.get(), piece.data(), piece.size())) {
      }
  }
}

double bareStreamRate(const std::string& address, std::uint64_t bytes) {
  const Socket socket(connectTo(address));
  const std::uint32_t stream = 0;
  if (!sendAll(socket.get(), reinterpret_cast<const char*>(&stream), sizeof stream)) return 0;
  std::vector<char> piece(kPieceBytes);
  std::optional<Stopwatch> watch;
  std::uint64_t got = 0;
  while (got < bytes) {
    const ssize_t part = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (part <= 0) break;
    if (watch)
      got += static_cast<std::uint64_t>(part);
    else
      watch.emplace();
  }
  return watch ? static_cast<double>(got) / watch->seconds() : 0;
}

double barePipelineRate(const std::string& address, std::uint64_t operations, std::uint32_t answerBytes,
                        std::uint64_t ahead, std::uint64_t together) {
  const Socket socket(connectTo(address));
  if (!sendAll(socket.get(), reinterpret_cast<const char*>(&answerBytes), sizeof answerBytes)) return 0;
  const std::size_t whole = kHeadBytes + answerBytes;
  std::vector<char> piece(kPieceBytes), requests(together * kRequestBytes);
  const Stopwatch watch;
  std::uint64_t asked = 0, bytes = 0;
  while (bytes < operations * whole) {
    while (asked < operations && asked - bytes / whole + together <= std::max(ahead, together)) {
      const std::uint64_t count = std::min(together, operations - asked);
      if (!sendAll(socket.get(), requests.data(), count * kRequestBytes)) return 0;
      asked += count;
    }
    const ssize_t part = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (part <= 0) return 0;
    bytes += static_cast<std::uint64_t>(part);
  }
  return static_cast<double>(operations) / watch.seconds();
}

}  // namespace farfield::bench
