#pragma once
// The frame around every message of the paging protocol (docs/dev/protocol.md): 16 bytes with the length of
// the message, its type, and the number of the request it belongs to.

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "remote/protocol/bytes.h"

namespace farfield::remote {

constexpr std::uint16_t kProtocolVersion = 1;
constexpr std::size_t kFrameHeaderBytes = 16;

enum class MessageType : std::uint16_t {
  // sent by clients
  Hello = 1,
  List = 2,
  Open = 3,
  Read = 4,
  Cancel = 5,
  Hurry = 6,
  Index = 7,
  Values = 8,
  Preload = 9,
  Statistics = 10,
  Close = 11,
  Ping = 12,
  Parts = 13,
  // sent by servers
  Welcome = 65,
  Listing = 66,
  Opened = 67,
  Page = 68,
  Failed = 69,
  IndexRecords = 71,
  ValuesReply = 72,
  Done = 73,
  StatisticsReply = 74,
  PartsReply = 75,
  Pong = 76,
  Goodbye = 77,
};

struct FrameHeader {
  std::uint32_t bodyBytes = 0;
  MessageType type = MessageType::Ping;
  std::uint64_t sequence = 0;
};

/// Largest body that a server accepts: before the client has been admitted, and after.
constexpr std::uint32_t kMostHelloBytes = 4096, kMostRequestBytes = 256 << 10;
/// Largest body of a reply, and the largest text in one that describes a data set.
constexpr std::uint32_t kMostReplyBytes = 256 << 20, kMostDescriptionBytes = 128 << 20;

std::array<std::byte, kFrameHeaderBytes> toBytes(const FrameHeader& header);
/// Exactly kFrameHeaderBytes. Throws Protocol: more than `mostBody` bytes, or reserved bits set.
FrameHeader parseFrameHeader(std::span<const std::byte> bytes, std::uint32_t mostBody);
/// A frame of header and body.
Bytes frameOf(MessageType type, std::uint64_t sequence, std::span<const std::byte> body);

/// Splits the bytes of a connection into frames. Memory: at most what has arrived of one frame.
class FrameBuffer {
 public:
  struct Frame {
    FrameHeader header;
    std::span<const std::byte> body;  ///< until the next call of any member
  };
  explicit FrameBuffer(std::uint32_t mostBody) : m_mostBody(mostBody) {}
  void setMostBody(std::uint32_t mostBody) { m_mostBody = mostBody; }
  /// Where to put the next bytes; not empty.
  std::span<std::byte> room();
  void received(std::size_t bytes) { m_end += bytes; }
  /// The next whole frame. Throws Protocol.
  std::optional<Frame> next();
  /// What has come after the last frame, for who goes on without frames.
  Bytes takeRest();
  std::size_t capacity() const { return m_bytes.size(); }

 private:
  std::uint32_t m_mostBody;
  Bytes m_bytes;
  std::size_t m_begin = 0, m_end = 0;
};

}  // namespace farfield::remote
