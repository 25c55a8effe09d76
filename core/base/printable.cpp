#include "core/base/printable.h"

#include <cstdint>
#include <cstdio>

namespace farfield {
namespace {

constexpr std::size_t kHeadBytes = 900, kTailBytes = 300;

/// The first character of `text` and its length in bytes; 0 bytes if it is not UTF-8.
std::size_t decode(std::string_view text, std::uint32_t& character) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first < 0x80   ? 1
                            : first < 0xc2 ? 0
                            : first < 0xe0 ? 2
                            : first < 0xf0 ? 3
                            : first < 0xf5 ? 4
                                           : 0;
  if (bytes == 0 || bytes > text.size()) return 0;
  character = bytes == 1 ? first : first & (0x7fu >> bytes);
  for (std::size_t n = 1; n < bytes; ++n) {
    const auto next = static_cast<unsigned char>(text[n]);
    if ((next & 0xc0) != 0x80) return 0;
    character = character << 6 | (next & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return character < kLeast[bytes] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000)
             ? 0
             : bytes;
}

bool changesLines(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::uint32_t character = 0;
    const std::size_t bytes = decode(text, character);
    char escape[16];
    if (bytes == 0) {
      std::snprintf(escape, sizeof escape, "\\x%02x",
                    static_cast<unsigned>(static_cast<unsigned char>(text[0])));
      out += escape;
    } else if (character == '\n' || character == '\r' || character == '\t') {
      out += ' ';
    } else if (changesLines(character)) {
      std::snprintf(escape, sizeof escape, character < 0x80 ? "\\x%02x" : "\\u%04x",
                    static_cast<unsigned>(character));
      out += escape;
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::string printable(std::string_view text) {
  if (text.size() <= kHeadBytes + kTailBytes) return escaped(text);
  std::size_t head = kHeadBytes, tail = text.size() - kTailBytes;
  while (head > kHeadBytes - 3 && continues(text[head])) --head;
  while (tail < text.size() - kTailBytes + 3 && continues(text[tail])) ++tail;
  return escaped(text.substr(0, head)) + "…" + escaped(text.substr(tail));
}

}  // namespace farfield
