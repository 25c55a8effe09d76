#pragma once
// What a PlacedSource needs to know of a format: where each page lies as it is stored, and in which object.
// Formats whose pages are ranges of bytes (the store, chunked HDF5, …) offer this and get asynchronous
// reading from any back end, merging, limits and cancelling with it.

#include <cstdint>
#include <optional>

#include "core/paging/bytes/byte_object.h"
#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Where a page lies, and how it is stored.
struct PageExtent {
  std::uint32_t object = 0;  ///< which of the map's objects
  std::uint64_t offset = 0, bytes = 0;
  Codec codec = Codec::None;
  bool hasChecksum = false;
  bool padded = false;
  std::uint64_t checksum = 0;
};

/// Thread-safe.
class PlaceMap {
 public:
  virtual ~PlaceMap() = default;
  virtual const DatasetDescription& description() const = 0;
  /// As PageSource::maxStoredBytes; a place with more bytes is refused as Corrupt.
  virtual std::uint64_t maxStoredBytes(std::uint32_t array) const = 0;
  /// Where a page lies; 0 bytes where it was never written. Waits for the disk. Throws Corrupt, Io. The page
  /// exists.
  virtual PageExtent place(std::uint32_t array, std::uint64_t page) const = 0;
  /// The same where it is known without waiting.
  virtual std::optional<PageExtent> placeIfKnown(std::uint32_t array, std::uint64_t page) const {
    return place(array, page);
  }

  /// The objects that places are in, numbered from 0; at least one, all of one back end.
  virtual ByteObjects objects() const = 0;
};

}  // namespace farfield::paging
