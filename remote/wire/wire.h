#pragma once
// One connection of bytes, plain or TLS, for both sides of the paging protocol. Operations end in a handler
// on the connection's executor; nothing here blocks.

#include <asio/any_io_executor.hpp>
#include <asio/buffer.hpp>
#include <asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <system_error>

namespace farfield::remote {

/// TLS settings of one side; made by tls.h.
struct TlsContext;

/// Not thread-safe: all calls come from one executor (a strand if there are several threads). At most one
/// readSome() and one write() are on their way at a time. Destroyed after their handlers have run.
class Wire {
 public:
  using Handler = std::function<void(std::error_code, std::size_t)>;
  virtual ~Wire() = default;
  /// For a TLS connection; ends at once without TLS.
  virtual void handshake(Handler handler) = 0;
  virtual void readSome(asio::mutable_buffer to, Handler handler) = 0;
  /// Writes all of the buffers, which must stay valid until the handler is called.
  virtual void write(std::span<const asio::const_buffer> from, Handler handler) = 0;
  /// Ends operations on their way with an error. Repeated calls do nothing.
  virtual void close() noexcept = 0;
  virtual asio::ip::tcp::socket& socket() = 0;
  /// SHA-256 of the other side's certificate as "ab:cd:…"; empty without TLS or certificate.
  virtual std::string peerFingerprint() const { return {}; }
  virtual bool isTls() const { return false; }
};

/// Options of a socket that carries pages: no delay to collect more bytes, and a small send buffer in the
/// system, so that urgent pages do not wait behind many others.
void setPageSocketOptions(asio::ip::tcp::socket& socket);

std::unique_ptr<Wire> makePlainWire(asio::ip::tcp::socket socket);
/// `hostName`: checked against the server's certificate by the system's authorities; may be empty.
std::unique_ptr<Wire> makeTlsWire(asio::ip::tcp::socket socket, std::shared_ptr<TlsContext> context,
                                  bool isServer, const std::string& hostName = {});

}  // namespace farfield::remote
