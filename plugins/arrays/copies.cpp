#include "plugins/arrays/copies.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "core/base/temporary_file.h"

namespace farfield::arrays {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kLongestWord = 400;
/// Of a byte, by zlib.
constexpr std::uint64_t kMostInflation = 1032;

/// zlib's state, reused for one stream after another.
class Inflater {
 public:
  Inflater(const ByteSource& source, std::uint64_t offset)
      : m_source(source), m_at(offset), m_in(kPieceBytes) {
    // 32: gzip or zlib, as the stream says
    if (inflateInit2(&m_stream, 15 + 32) != Z_OK) throw Io("zlib has no memory");
  }
  ~Inflater() { inflateEnd(&m_stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Fills as much of `out` as there is.
  std::size_t read(std::span<std::byte> out) {
    StoppableWaits::throwIfStopped();
    m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
    m_stream.avail_out = static_cast<uInt>(out.size());
    while (m_stream.avail_out > 0 && !m_done) {
      if (m_stream.avail_in == 0 && !refill()) {
        if (!m_betweenStreams)
          throw Corrupt("its compressed values end early", "check that the copy is complete");
        m_done = true;
        break;
      }
      m_betweenStreams = false;
      const int status = inflate(&m_stream, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        inflateReset(&m_stream);
        m_betweenStreams = m_anyStream = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        // after a complete stream anything may follow, as in gzip itself
        if (!m_anyStream) throw Corrupt("its compressed values are damaged", "copy it again");
        m_done = true;
      }
    }
    return out.size() - m_stream.avail_out;
  }

 private:
  bool refill() {
    const std::uint64_t left = m_source.size() - std::min(m_source.size(), m_at);
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(left, m_in.size()));
    if (bytes == 0) return false;
    m_source.readAt(m_at, {m_in.data(), bytes});
    m_at += bytes;
    m_stream.next_in = reinterpret_cast<Bytef*>(m_in.data());
    m_stream.avail_in = static_cast<uInt>(bytes);
    return true;
  }
  const ByteSource& m_source;
  std::uint64_t m_at;
  std::vector<std::byte> m_in;
  z_stream m_stream{};
  bool m_done = false, m_anyStream = false, m_betweenStreams = true;
};

std::uint64_t inflatedBytes(const ByteSource& source, std::uint64_t offset) {
  Inflater inflater(source, offset);
  std::vector<std::byte> piece(kPieceBytes);
  std::uint64_t total = 0;
  while (const std::size_t got = inflater.read(piece)) total += got;
  return total;
}

bool isBlank(char letter) {
  return letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r' || letter == ',' ||
         letter == '\v' || letter == '\f' || letter == '\0';
}

template <class T>
T integerOf(std::string_view word) {
  T value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status == std::errc() && end == word.data() + word.size()) return value;
  // "12.0", or a number with an exponent, from a program that writes all numbers the same way
  double real = 0;
  const auto [realEnd, realStatus] = std::from_chars(word.data(), word.data() + word.size(), real);
  if (realStatus != std::errc() || realEnd != word.data() + word.size() || real != std::floor(real) ||
      real < static_cast<double>(std::numeric_limits<T>::min()) ||
      real >= std::ldexp(1.0, std::numeric_limits<T>::digits))
    throw Corrupt("'" + printable(word) + "' is not a number of its type", "check the file");
  return static_cast<T>(real);
}

template <class T>
T realOf(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  T value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || word.empty() || status == std::errc::invalid_argument)
    throw Corrupt("'" + printable(word) + "' is not a number", "check the file");
  // too large or too small for its type: the value of strtod
  if (status == std::errc::result_out_of_range)
    value = static_cast<T>(std::strtod(std::string(word).c_str(), nullptr));
  return value;
}

void put(std::vector<std::byte>& out, NumberType type, std::string_view word) {
  const auto add = [&](auto value) {
    out.resize(out.size() + sizeof value);
    store(out.data() + out.size() - sizeof value, value);
  };
  if (word.starts_with('+')) word.remove_prefix(1);
  switch (type) {
    case NumberType::I8:
      return add(integerOf<std::int8_t>(word));
    case NumberType::U8:
      return add(integerOf<std::uint8_t>(word));
    case NumberType::I16:
      return add(integerOf<std::int16_t>(word));
    case NumberType::U16:
      return add(integerOf<std::uint16_t>(word));
    case NumberType::I32:
      return add(integerOf<std::int32_t>(word));
    case NumberType::U32:
      return add(integerOf<std::uint32_t>(word));
    case NumberType::I64:
      return add(integerOf<std::int64_t>(word));
    case NumberType::U64:
      return add(integerOf<std::uint64_t>(word));
    case NumberType::F32:
      return add(realOf<float>(word));
    case NumberType::F64:
      return add(realOf<double>(word));
  }
}

}  // namespace

File makeCopy() {
  return makeTemporaryFile(temporaryFolder());
}

void appendInflated(const ByteSource& source, const InflatedPart& part, File& copy) {
  std::uint64_t skip = part.skip;
  if (part.fromEnd) {
    const std::uint64_t total = inflatedBytes(source, part.offset);
    if (total < part.bytes)
      throw Corrupt("unpacks to " + std::to_string(total) + " bytes where " + std::to_string(part.bytes) +
                        " are needed",
                    "check that the copy is complete");
    skip = total - part.bytes;
  }
  // no more than a stream of its length can unpack to, or a wrong number would be taken for a full disk
  const std::uint64_t stored = source.size() - std::min(source.size(), part.offset);
  takeRoom(copy,
           std::min(part.bytes, stored > UINT64_MAX / kMostInflation ? part.bytes : stored * kMostInflation));
  Inflater inflater(source, part.offset);
  std::vector<std::byte> piece(kPieceBytes);
  std::uint64_t written = 0, to = copy.size();
  while (written < part.bytes) {
    const std::uint64_t wanted = skip > 0 ? skip : part.bytes - written;
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, piece.size()));
    const std::size_t got = inflater.read({piece.data(), room});
    if (got == 0)
      throw Corrupt("unpacks to " + std::to_string(written) + " bytes of values where " +
                        std::to_string(part.bytes) + " are needed",
                    "check that the copy is complete");
    if (skip > 0) {
      skip -= got;
      continue;
    }
    copy.writeAt(to, {piece.data(), got});
    to += got;
    written += got;
  }
}

TextNumbers::TextNumbers(const ByteSource& source, std::uint64_t offset, std::uint64_t end)
    : m_source(source), m_pieceOffset(offset), m_end(std::min(end, source.size())) {}

/// Continues reading after the rest of the piece. False at the end.
bool TextNumbers::fill() {
  const std::uint64_t next = m_pieceOffset + m_piece.size();
  if (next >= m_end) return false;
  StoppableWaits::throwIfStopped();
  m_piece.erase(0, m_at);
  m_pieceOffset += m_at;
  m_at = 0;
  const std::size_t kept = m_piece.size();
  m_piece.resize(kept + static_cast<std::size_t>(std::min<std::uint64_t>(m_end - next, kPieceBytes)));
  m_source.readAt(next, std::as_writable_bytes(std::span(m_piece)).subspan(kept));
  return true;
}

std::string_view TextNumbers::word() {
  for (;;) {
    while (m_at < m_piece.size() && isBlank(m_piece[m_at])) ++m_at;
    if (m_at < m_piece.size()) break;
    if (!fill()) return {};
  }
  std::size_t end = m_at;
  for (;;) {
    while (end < m_piece.size() && !isBlank(m_piece[end])) ++end;
    if (end < m_piece.size() || end - m_at > kLongestWord) break;
    const std::size_t length = end - m_at;
    if (!fill()) break;
    end = m_at + length;
  }
  if (end - m_at > kLongestWord)
    throw Corrupt(
        "has a word of more than " + std::to_string(kLongestWord) + " letters where numbers are due",
        "check the file");
  const std::string_view found(m_piece.data() + m_at, end - m_at);
  m_at = end;
  return found;
}

void TextNumbers::append(NumberType type, std::uint64_t count, File& copy) {
  std::vector<std::byte> out;
  out.reserve(kPieceBytes + 8);
  // a number takes two letters at least, with the blank behind it
  takeRoom(copy, std::min(count, (m_end - std::min(m_end, offset())) / 2 + 1) *
                     static_cast<std::uint64_t>(bytesOf(type)));
  std::uint64_t to = copy.size();
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::string_view next = word();
    if (next.empty())
      throw Corrupt("holds " + std::to_string(n) + " numbers where " + std::to_string(count) + " are needed",
                    "check that the copy is complete");
    put(out, type, next);
    if (out.size() < kPieceBytes) continue;
    copy.writeAt(to, out);
    to += out.size();
    out.clear();
  }
  copy.writeAt(to, out);
}

}  // namespace farfield::arrays
