#pragma once
// One connection of bytes, plain or TLS, for both sides of the paging protocol. What waits ends in a handler on
// the connection's executor; nothing here blocks.

#include <asio/any_io_executor.hpp>
#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <system_error>

namespace farfield::remote {

/// TLS as one side of connections uses it; made by tls.h.
struct TlsContext;

/// Not thread-safe: one executor (a strand where threads are many) calls everything. At most one readSome() and one
/// write() are on their way at a time. Destroyed after their handlers have run.
class Wire {
 public:
  using Handler = std::function<void(std::error_code, std::size_t)>;
  virtual ~Wire() = default;
  /// Of a TLS connection; ends at once without TLS.
  virtual void handshake(Handler handler) = 0;
  virtual void readSome(asio::mutable_buffer to, Handler handler) = 0;
  /// Writes all of the buffers, whose memory stays until the handler is called.
  virtual void write(std::span<const asio::const_buffer> from, Handler handler) = 0;
  /// Ends what is on its way with an error. Repeated calls do nothing.
  virtual void close() noexcept = 0;
  virtual asio::ip::tcp::socket& socket() = 0;
  /// SHA-256 of the other side's certificate as "ab:cd:…"; empty without TLS or certificate.
  virtual std::string peerFingerprint() const { return {}; }
  virtual bool isTls() const { return false; }
};

/// Options of a socket that carries pages: no waiting for more to send, and little kept unsent by the system, so
/// that what is urgent does not stand behind much that is not.
void setPageSocketOptions(asio::ip::tcp::socket& socket);

std::unique_ptr<Wire> makePlainWire(asio::ip::tcp::socket socket);
/// `hostName`: for the server's certificate to be checked against by the system's authorities; may be empty.
std::unique_ptr<Wire> makeTlsWire(asio::ip::tcp::socket socket, std::shared_ptr<TlsContext> context,
                                  bool isServer, const std::string& hostName = {});

}  // namespace farfield::remote
