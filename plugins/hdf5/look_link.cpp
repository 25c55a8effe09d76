#include "plugins/hdf5/look_link.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/error.h"

namespace farfield::hdf5 {
namespace {

/// How long nobody notices that the wait is not wanted any more.
constexpr int kTickMs = 20;
constexpr std::uint64_t kPieceBytes = 1 << 20;

}  // namespace

LookLink::~LookLink() {
  if (m_socket >= 0) ::close(m_socket);
}

bool LookLink::wait(short events, const std::stop_token& stop, Clock::time_point until) const {
  while (true) {
    if (stop.stop_requested()) throw Cancelled();
    if (until != kForever && Clock::now() >= until) return false;
    pollfd watched{m_socket, events, 0};
    const int got = ::poll(&watched, 1, stop.stop_possible() || until != kForever ? kTickMs : -1);
    if (got > 0) return true;
    if (got < 0 && errno != EINTR && errno != EAGAIN) return false;
  }
}

bool LookLink::send(std::span<const std::byte> bytes, const std::stop_token& stop) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    else if (sent == 0 || (errno != EINTR && errno != EAGAIN) || !wait(POLLOUT, stop, kForever))
      return false;
  }
  return true;
}

bool LookLink::receive(std::span<std::byte> bytes, const std::stop_token& stop, Clock::time_point until) {
  while (!bytes.empty()) {
    const ssize_t got = ::recv(m_socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got > 0)
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    else if (got == 0 || (errno != EINTR && errno != EAGAIN) || !wait(POLLIN, stop, until))
      return false;
  }
  return true;
}

bool LookLink::send(LookMessage::Kind kind, const std::string& text, const std::stop_token& stop) {
  return send({.kind = kind, .bytes = text.size()}, stop) && send(std::as_bytes(std::span(text)), stop);
}

bool LookLink::receiveText(std::uint64_t bytes, std::string& text, const std::stop_token& stop) {
  text.clear();
  while (text.size() < bytes) {
    const std::size_t have = text.size();
    text.resize(have + static_cast<std::size_t>(std::min(kPieceBytes, bytes - have)));
    if (!receive(std::as_writable_bytes(std::span(text)).subspan(have), stop)) return false;
  }
  return true;
}

}  // namespace farfield::hdf5
