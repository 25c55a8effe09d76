#include "remote/protocol/frame.h"

#include <algorithm>
#include <cstring>

namespace farfield::remote {
namespace {

/// Room for a few usual requests, so that thousands of idle connections take little memory.
constexpr std::size_t kLeastRoom = 2048, kUsualRoom = 16 << 10;

}  // namespace

std::array<std::byte, kFrameHeaderBytes> toBytes(const FrameHeader& header) {
  std::array<std::byte, kFrameHeaderBytes> bytes{};
  store(bytes.data(), header.bodyBytes);
  store(bytes.data() + 4, static_cast<std::uint16_t>(header.type));
  store(bytes.data() + 8, header.sequence);
  return bytes;
}

FrameHeader parseFrameHeader(std::span<const std::byte> bytes, std::uint32_t mostBody) {
  if (bytes.size() < kFrameHeaderBytes) throw Protocol("a frame is too short");
  FrameHeader header;
  header.bodyBytes = load<std::uint32_t>(bytes.data());
  header.type = static_cast<MessageType>(load<std::uint16_t>(bytes.data() + 4));
  header.sequence = load<std::uint64_t>(bytes.data() + 8);
  if (load<std::uint16_t>(bytes.data() + 6) != 0)
    throw Protocol("a frame does not begin as those of this protocol do");
  if (header.bodyBytes > mostBody)
    throw Protocol("a frame of " + std::to_string(header.bodyBytes) + " bytes is longer than the " +
                   std::to_string(mostBody) + " that are allowed here");
  return header;
}

Bytes frameOf(MessageType type, std::uint64_t sequence, std::span<const std::byte> body) {
  Bytes frame;
  frame.reserve(kFrameHeaderBytes + body.size());
  const auto header = toBytes({static_cast<std::uint32_t>(body.size()), type, sequence});
  frame.insert(frame.end(), header.begin(), header.end());
  frame.insert(frame.end(), body.begin(), body.end());
  return frame;
}

std::span<std::byte> FrameBuffer::room() {
  if (m_begin == m_end) {
    m_begin = m_end = 0;
    if (m_bytes.size() > kUsualRoom) {  // after a long frame
      m_bytes = Bytes();
    }
  }
  if (m_bytes.size() - m_end < kLeastRoom) {
    if (m_begin > 0) {
      std::memmove(m_bytes.data(), m_bytes.data() + m_begin, m_end - m_begin);
      m_end -= m_begin;
      m_begin = 0;
    }
    if (m_bytes.size() - m_end < kLeastRoom)
      m_bytes.resize(std::max<std::size_t>(2 * kLeastRoom, m_bytes.size() * 2));
  }
  return std::span(m_bytes).subspan(m_end);
}

std::optional<FrameBuffer::Frame> FrameBuffer::next() {
  if (m_end - m_begin < kFrameHeaderBytes) return std::nullopt;
  const auto bytes = std::span<const std::byte>(m_bytes).subspan(m_begin, m_end - m_begin);
  const FrameHeader header = parseFrameHeader(bytes.first(kFrameHeaderBytes), m_mostBody);
  if (bytes.size() - kFrameHeaderBytes < header.bodyBytes) return std::nullopt;
  m_begin += kFrameHeaderBytes + header.bodyBytes;
  return Frame{header, bytes.subspan(kFrameHeaderBytes, header.bodyBytes)};
}

Bytes FrameBuffer::takeRest() {
  Bytes rest(m_bytes.begin() + static_cast<std::ptrdiff_t>(m_begin),
             m_bytes.begin() + static_cast<std::ptrdiff_t>(m_end));
  m_begin = m_end = 0;
  return rest;
}

}  // namespace farfield::remote
