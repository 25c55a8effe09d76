#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "app/doctor/network_checks.h"

namespace farfield::doctor {
namespace {

class Socket {
 public:
  Socket() : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (m_fd >= 0) ::close(m_fd);
  }
  int fd() const { return m_fd; }

 private:
  int m_fd;
};

}  // namespace

Finding checkLoopback() {
  const auto refused = [](const std::string& what) {
    return Finding{
        Status::Warn, what + ": " + std::generic_category().message(errno),
        "allow programs to listen on 127.0.0.1: renderers that are started here, and servers behind ssh, are reached so"};
  };
  const Socket listener, client;
  if (listener.fd() < 0 || client.fd() < 0) return refused("no socket can be made");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const place = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  if (::bind(listener.fd(), place, length) != 0 || ::listen(listener.fd(), 1) != 0 ||
      ::getsockname(listener.fd(), place, &length) != 0)
    return refused("no port of 127.0.0.1 can be listened on");
  if (::connect(client.fd(), place, length) != 0)
    return refused("port " + std::to_string(ntohs(address.sin_port)) + " of 127.0.0.1 cannot be reached");
  return {Status::Ok,
          "ports of 127.0.0.1 can be listened on and reached (tried " +
              std::to_string(ntohs(address.sin_port)) +
              "): renderers here and servers behind ssh are reached so",
          ""};
}

}  // namespace farfield::doctor
