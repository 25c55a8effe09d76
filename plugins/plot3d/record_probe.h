#pragma once
// Numbers and records of a file that may be PLOT3D, looked at under one guess at its byte order and markers.
// Nothing is believed: every place is held against the size of the file.
//
// Offsets are those that a file without subrecords has. Fortran splits a record that is too long for its
// marker (gfortran and ifort: 2,147,483,639 bytes, or what -fmax-subrecord-length says) into subrecords, each
// between two markers of its own length; a negative leading marker announces another one. The probe follows
// the signs, whatever the lengths, and remembers where the splits are, so that nobody else need know of them.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_format.h"

namespace farfield::plot3d {

/// Where records are split, ascending: offsets of the first byte after each split, not counting the markers
/// there.
using Splits = std::vector<std::uint64_t>;

/// Reads at `offset`, which does not count the two markers at each split. Throws Corrupt at the end of the
/// file, Io.
void readSplit(const paging::ByteObject& file, const Splits& splits, int markerBytes, std::uint64_t offset,
               std::span<std::byte> out);
/// Says that this will be read soon (ByteObject::expect). Of what goes on behind a split only a part may be
/// fetched.
void expectSplit(const paging::ByteObject& file, const Splits& splits, int markerBytes, std::uint64_t offset,
                 std::uint64_t bytes);

class Probe {
 public:
  Probe(const paging::ByteObject& file, ByteOrder order, int markerBytes)
      : m_file(&file), m_size(file.size()), m_order(order), m_markerBytes(markerBytes) {}
  std::uint64_t fileBytes() const { return m_size; }
  const Splits& splits() const { return m_splits; }
  /// Of `bytes` without markers at splits, with those that have been found.
  std::uint64_t withSplits(std::uint64_t bytes) const {
    return bytes + 2 * static_cast<std::uint64_t>(m_markerBytes) * m_splits.size();
  }

  /// True when a record of `payload` bytes lies at `offset`, in one piece or in several; the records before
  /// it must have been looked at. Forgets what was found behind it.
  bool recordAt(std::uint64_t offset, std::uint64_t payload);
  /// How long the record at `offset` is; nothing where there is none. Files without markers have none.
  std::optional<std::uint64_t> recordLengthAt(std::uint64_t offset);
  std::optional<std::int32_t> int32At(std::uint64_t offset) const;
  /// `count` int32 from `offset`; empty when the file ends before.
  std::vector<std::int32_t> int32sAt(std::uint64_t offset, std::int64_t count) const;
  /// True where the last bytes of the file, from byte `position` on, are zero.
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
