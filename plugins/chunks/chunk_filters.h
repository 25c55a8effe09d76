#pragma once
// What was done to a chunk's bytes before they were stored, in the order of writing, and undoing it. Formats name the
// filters (HDF5's filter pipeline, Zarr's filters and codecs); what they do is the same.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/paging/pages/codec.h"

namespace farfield::chunks {

enum class FilterKind : std::uint8_t {
  Shuffle,     ///< bytes of the elements regrouped
  Fletcher32,  ///< HDF5's checksum, behind the bytes
  Crc32c,      ///< Zarr's checksum, behind the bytes
  Zlib,        ///< deflate with zlib's frame
  Gzip,        ///< deflate with gzip's or zlib's frame
  Zstd,
  Lz4,      ///< blocks framed as HDF5's filter frames them
  Lz4Size,  ///< one block behind its size in four bytes
  Blosc,
};
const char* nameOf(FilterKind kind);

struct Filter {
  FilterKind kind = FilterKind::Shuffle;
  int elementBytes = 1;  ///< of Shuffle
  bool operator==(const Filter&) const = default;
};

/// Thread-safe.
class FilterChain {
 public:
  FilterChain() = default;
  /// Throws Unsupported for chains of more than one compression.
  explicit FilterChain(std::vector<Filter> filters);

  const std::vector<Filter>& filters() const { return m_filters; }
  /// Upper bound of the stored bytes of a chunk of `rawBytes`.
  std::uint64_t mostStoredBytes(std::uint64_t rawBytes) const;
  /// Bytes that undoing them may take beside the stored and the raw.
  static std::uint64_t workBytes(std::uint64_t rawBytes) { return rawBytes + kMostAdded; }
  /// Undoes all filters but those with their bit in `skipped` (bit n: filter n). `raw` has exactly the size of the chunk. Any
  /// input is safe. Throws Corrupt.
  void undo(std::span<const std::byte> stored, std::uint32_t skipped, std::span<std::byte> raw,
            paging::Scratch& work) const;

 private:
  /// Checksums add so many bytes at most.
  static constexpr std::uint64_t kMostAdded = 64;
  std::vector<Filter> m_filters;
};

}  // namespace farfield::chunks
