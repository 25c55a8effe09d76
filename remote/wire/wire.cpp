#include "remote/wire/wire.h"

#include <netinet/tcp.h>

#include <asio/write.hpp>
#include <utility>
#include <vector>

namespace farfield::remote {
namespace {

constexpr int kMostUnsentBytes = 256 << 10;

class PlainWire final : public Wire {
 public:
  explicit PlainWire(asio::ip::tcp::socket socket) : m_socket(std::move(socket)) {}
  void handshake(Handler handler) override {
    asio::post(m_socket.get_executor(), [handler = std::move(handler)] { handler({}, 0); });
  }
  void readSome(asio::mutable_buffer to, Handler handler) override {
    m_socket.async_read_some(to, std::move(handler));
  }
  void write(std::span<const asio::const_buffer> from, Handler handler) override {
    asio::async_write(m_socket, std::vector<asio::const_buffer>(from.begin(), from.end()),
                      std::move(handler));
  }
  void close() noexcept override {
    std::error_code ignored;
    m_socket.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    m_socket.close(ignored);
  }
  asio::ip::tcp::socket& socket() override { return m_socket; }

 private:
  asio::ip::tcp::socket m_socket;
};

}  // namespace

void setPageSocketOptions(asio::ip::tcp::socket& socket) {
  std::error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kMostUnsentBytes,
               sizeof kMostUnsentBytes);
}

std::unique_ptr<Wire> makePlainWire(asio::ip::tcp::socket socket) {
  return std::make_unique<PlainWire>(std::move(socket));
}

}  // namespace farfield::remote
