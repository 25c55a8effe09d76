#pragma once
// A client that says whatever a test wants, well formed or not.

#include <asio.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "remote/protocol/frame.h"
#include "remote/protocol/messages.h"

namespace farfield::test {

class RawClient {
 public:
  struct Answer {
    remote::FrameHeader header;
    remote::Bytes body;
  };

  explicit RawClient(const std::string& address) : m_socket(m_io) {
    const auto colon = address.rfind(':');
    m_socket.connect({asio::ip::make_address(address.substr(0, colon)),
                      static_cast<unsigned short>(std::stoi(address.substr(colon + 1)))});
  }
  /// Who comes to `acceptor`, for a test that is the other side.
  explicit RawClient(asio::ip::tcp::acceptor& acceptor) : m_socket(m_io) { acceptor.accept(m_socket); }
  void raw(std::span<const std::byte> bytes) {
    std::error_code ignored;
    asio::write(m_socket, asio::buffer(bytes.data(), bytes.size()), ignored);
  }
  void send(remote::MessageType type, std::uint64_t sequence, const remote::Bytes& body) {
    raw(remote::frameOf(type, sequence, body));
  }
  /// The next frame; nothing when the server closed the connection or says nothing for so long.
  std::optional<Answer> next(std::chrono::milliseconds within = std::chrono::seconds(20)) {
    std::array<std::byte, remote::kFrameHeaderBytes> header;
    if (!receive(header, within)) return std::nullopt;
    Answer answer{remote::parseFrameHeader(header, remote::kMostReplyBytes), {}};
    answer.body.resize(answer.header.bodyBytes);
    if (!receive(answer.body, within)) return std::nullopt;
    return answer;
  }
  /// Says hello and opens `path`; the handle.
  remote::Opened open(const std::string& path) {
    send(remote::MessageType::Hello, 0, bytesOf(remote::Hello{}));
    send(remote::MessageType::Open, 1, bytesOf(remote::OpenRequestMessage{{path}, {}, "", {}, false}));
    for (;;) {
      const auto answer = next();
      if (!answer) throw std::runtime_error("no answer");
      if (answer->header.type == remote::MessageType::Opened) return remote::parseOpened(answer->body);
      if (answer->header.type == remote::MessageType::Failed)
        throw std::runtime_error(remote::parseFailed(answer->body).message);
    }
  }
  asio::ip::tcp::socket& socket() { return m_socket; }

 private:
  bool receive(std::span<std::byte> to, std::chrono::milliseconds within) {
    bool done = false, good = false;
    asio::async_read(m_socket, asio::buffer(to.data(), to.size()), [&](std::error_code error, std::size_t) {
      done = true;
      good = !error;
    });
    m_io.restart();
    m_io.run_for(within);
    if (!done) {
      m_socket.cancel();
      m_io.restart();
      m_io.run();
    }
    return good;
  }
  asio::io_context m_io;
  asio::ip::tcp::socket m_socket;
};

}  // namespace farfield::test
