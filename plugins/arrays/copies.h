#pragma once
// Data that cannot be read by position (compressed streams, text) are copied once into a temporary file
// without a name, and read there; what is known of its size must be free on the disk first. Copying ends with Cancelled where the thread's waits do (core/base/stoppable_waits.h).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/file.h"
#include "plugins/arrays/byte_source.h"
#include "plugins/arrays/number_type.h"

namespace farfield::arrays {

/// Appends to `copy` the decompressed bytes of a gzip or zlib stream (or several in a row) that begins at
/// `offset` of `source`: `bytes` of them, from byte `skip` on or, with `fromEnd`, the last ones. Writes no
/// more than that, whatever the stream unpacks to. Throws Corrupt if the stream is damaged or too short, Io.
struct InflatedPart {
  std::uint64_t offset = 0, skip = 0, bytes = 0;
  bool fromEnd = false;
};
void appendInflated(const ByteSource& source, const InflatedPart& part, File& copy);

/// Parses numbers in text, separated by blanks or commas. Holds one piece of the text at a time.
class TextNumbers {
 public:
  /// From `offset` to `end`, or to the end of `source`.
  TextNumbers(const ByteSource& source, std::uint64_t offset, std::uint64_t end = UINT64_MAX);
  /// The next word, or empty at the end. Valid until the next call.
  std::string_view word();
  /// Appends `count` numbers as `type`, native, to `copy`. Throws Corrupt for a word that is not a number or
  /// too few numbers, Io.
  void append(NumberType type, std::uint64_t count, File& copy);
  /// Offset of the first byte not used.
  std::uint64_t offset() const { return m_pieceOffset + m_at; }

 private:
  bool fill();
  const ByteSource& m_source;
  std::uint64_t m_pieceOffset, m_end;
  std::string m_piece;
  std::size_t m_at = 0;
};

/// A new temporary file in the system's folder for those.
File makeCopy();

/// A copy that is still being written while offsets in it are already in use.
class GrowingCopy final : public ByteSource {
 public:
  GrowingCopy() : m_file(makeCopy()) {}
  File& file() { return m_file; }
  std::uint64_t size() const override { return m_file.size(); }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override { m_file.readAt(offset, out); }

 private:
  File m_file;
};

}  // namespace farfield::arrays
