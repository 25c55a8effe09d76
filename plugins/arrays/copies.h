#pragma once
// What cannot be read by position (compressed streams, text) is copied once into a temporary file that no name
// leads to, and read there.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/file.h"
#include "plugins/arrays/byte_source.h"
#include "plugins/arrays/number_type.h"

namespace farfield::arrays {

/// Numbers of a gzip or zlib stream (or several, one after the other) that begins at `offset` of `source`: from
/// byte `skip` of what comes out, or, where `fromEnd`, its last ones; `bytes` of them, appended to `copy`. No more
/// than that is written, whatever the stream unpacks to. Throws Corrupt where the stream is damaged or shorter, Io.
struct InflatedPart {
  std::uint64_t offset = 0, skip = 0, bytes = 0;
  bool fromEnd = false;
};
void appendInflated(const ByteSource& source, const InflatedPart& part, File& copy);

/// Reads numbers in text, between blanks or commas. Holds one piece of the text at a time.
class TextNumbers {
 public:
  /// From `offset` to `end`, or to the end of `source`.
  TextNumbers(const ByteSource& source, std::uint64_t offset, std::uint64_t end = UINT64_MAX);
  /// The next word, or empty at the end. Valid until the next call.
  std::string_view word();
  /// Appends `count` numbers as `type`, native, to `copy`. Throws Corrupt on a word that is no number or too few of
  /// them, Io.
  void append(NumberType type, std::uint64_t count, File& copy);
  /// Where the first byte lies that was not used.
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

/// One that is written while places in it are given out already.
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
