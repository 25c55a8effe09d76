#pragma once
// The lines of a text file, one at a time, in a bounded memory however long the file is.

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/arrays/byte_source.h"

namespace farfield::arrays {

/// Used by one thread. The source outlives it.
class TextLines {
 public:
  /// Lines longer than `longest` bytes are refused.
  explicit TextLines(const ByteSource& source, std::size_t longest = 16 * 1024)
      : m_source(source), m_longest(longest) {}
  /// The next line without its end, valid until the next call; false at the end. The last may lack its end. Waits. Throws Io,
  /// Corrupt.
  bool next(std::string_view& line);

 private:
  const ByteSource& m_source;
  std::size_t m_longest;
  std::uint64_t m_at = 0;  ///< in the source: after m_piece
  std::size_t m_from = 0;  ///< in m_piece: of the next line
  bool m_ended = false;
  std::string m_piece, m_line;
};

/// Without blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace farfield::arrays
