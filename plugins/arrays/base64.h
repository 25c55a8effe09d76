#pragma once
// Base64 in XML files: letters with blanks between, and padding at the end of each part.

#include <cstdint>
#include <span>
#include <string>

#include "plugins/arrays/byte_source.h"

namespace farfield::arrays {

/// Decodes bytes in order.
class Base64Reader {
 public:
  /// From `offset` to `end`, or to the end of `source`.
  Base64Reader(const ByteSource& source, std::uint64_t offset, std::uint64_t end = UINT64_MAX);
  /// Fills `out`. Throws Corrupt at the end or at an invalid letter.
  void read(std::span<std::byte> out);

 private:
  /// The next of 64 values; -1 for padding, -2 at the end.
  int next();
  void fill();
  const ByteSource& m_source;
  std::uint64_t m_offset, m_end;
  std::string m_piece;
  std::size_t m_at = 0;
  std::byte m_bytes[3]{};
  int m_have = 0, m_given = 0;  ///< of m_bytes
};

}  // namespace farfield::arrays
