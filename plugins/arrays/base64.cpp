#include "plugins/arrays/base64.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"

namespace farfield::arrays {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;
constexpr int kBlank = -3, kPadding = -1, kEnd = -2, kWrong = -4;

constexpr std::array<std::int8_t, 256> makeValues() {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = kWrong;
  for (const char blank : {' ', '\t', '\r', '\n'}) values[static_cast<unsigned char>(blank)] = kBlank;
  values['='] = kPadding;
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int n = 0; n < 64; ++n) values[static_cast<unsigned char>(kLetters[n])] = static_cast<std::int8_t>(n);
  return values;
}
constexpr std::array<std::int8_t, 256> kValues = makeValues();

}  // namespace

Base64Reader::Base64Reader(const ByteSource& source, std::uint64_t offset, std::uint64_t end)
    : m_source(source), m_offset(offset), m_end(std::min(end, source.size())) {}

int Base64Reader::next() {
  for (;;) {
    if (m_at == m_piece.size()) {
      if (m_offset >= m_end) return kEnd;
      StoppableWaits::throwIfStopped();
      m_piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(m_end - m_offset, kPieceBytes)));
      m_source.readAt(m_offset, std::as_writable_bytes(std::span(m_piece)));
      m_offset += m_piece.size();
      m_at = 0;
    }
    const int value = kValues[static_cast<unsigned char>(m_piece[m_at])];
    if (value == kWrong) return kEnd;  // the end of the element
    ++m_at;
    if (value != kBlank) return value;
  }
}

/// The next group of four letters.
void Base64Reader::fill() {
  std::array<int, 4> letters;
  for (std::size_t n = 0; n < 4; ++n) {
    letters[n] = next();
    const bool mayBePadding = n >= 2;
    if (letters[n] == kEnd || (letters[n] == kPadding && !mayBePadding) ||
        (n == 3 && letters[2] == kPadding && letters[3] != kPadding))
      throw Corrupt("its base64 ends early or is damaged", "check that the copy is complete");
  }
  m_given = 0;
  m_have = letters[2] == kPadding ? 1 : letters[3] == kPadding ? 2 : 3;
  const int bits =
      letters[0] << 18 | letters[1] << 12 | std::max(letters[2], 0) << 6 | std::max(letters[3], 0);
  for (int n = 0; n < 3; ++n) m_bytes[n] = static_cast<std::byte>(bits >> (16 - 8 * n) & 255);
}

void Base64Reader::read(std::span<std::byte> out) {
  for (std::byte& byte : out) {
    if (m_given == m_have) fill();
    byte = m_bytes[m_given++];
  }
}

}  // namespace farfield::arrays
