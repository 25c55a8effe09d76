#pragma once
// Numbers and records of a file that may be PLOT3D, under one guess of its byte order and markers. Nothing is
// trusted: every offset is compared with the size of the file.
//
// Offsets are those of a file without subrecords. Fortran splits a record that is too long for its marker
// (gfortran and ifort: 2,147,483,639 bytes, or by -fmax-subrecord-length) into subrecords, each between two
// markers of its own length; a negative leading marker means that another one follows. The probe follows the
// signs, for any lengths, and remembers the splits, so that other code need not know of them.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_format.h"

namespace farfield::plot3d {

/// Where records are split, ascending: offsets of the first byte after each split, without the markers there.
using Splits = std::vector<std::uint64_t>;

/// Reads at `offset`, which does not count the two markers at each split. Throws Corrupt at the end of the
/// file, Io.
void readSplit(const paging::ByteObject& file, const Splits& splits, int markerBytes, std::uint64_t offset,
               std::span<std::byte> out);
/// A hint that this will be read soon (ByteObject::expect). Beyond a split only a part may be read ahead.
void expectSplit(const paging::ByteObject& file, const Splits& splits, int markerBytes, std::uint64_t offset,
                 std::uint64_t bytes);

class Probe {
 public:
  Probe(const paging::ByteObject& file, ByteOrder order, int markerBytes)
      : m_file(&file), m_size(file.size()), m_order(order), m_markerBytes(markerBytes) {}
  std::uint64_t fileBytes() const { return m_size; }
  const Splits& splits() const { return m_splits; }
  /// `bytes` plus the markers of the splits found so far.
  std::uint64_t withSplits(std::uint64_t bytes) const {
    return bytes + 2 * static_cast<std::uint64_t>(m_markerBytes) * m_splits.size();
  }

  /// True if a record of `payload` bytes lies at `offset`, in one piece or in several; the records before it
  /// must have been examined. Forgets splits found after it.
  bool recordAt(std::uint64_t offset, std::uint64_t payload);
  /// Length of the record at `offset`; nothing if there is none. Files without markers have none.
  std::optional<std::uint64_t> recordLengthAt(std::uint64_t offset);
  std::optional<std::int32_t> int32At(std::uint64_t offset) const;
  /// `count` int32 from `offset`; empty if the file ends before.
  std::vector<std::int32_t> int32sAt(std::uint64_t offset, std::int64_t count) const;
  /// True if all bytes from `position` to the end are zero.
  bool zeroFrom(std::uint64_t position) const;

 private:
  std::uint64_t positionOf(std::uint64_t offset) const;
  std::optional<std::int64_t> markerAtPosition(std::uint64_t position) const;
  std::optional<std::uint64_t> walk(std::uint64_t offset, std::uint64_t most);

  const paging::ByteObject* m_file;
  std::uint64_t m_size;
  ByteOrder m_order;
  int m_markerBytes;
  Splits m_splits;
};

}  // namespace farfield::plot3d
