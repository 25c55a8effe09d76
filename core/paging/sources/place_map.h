#pragma once
// What a PlacedSource needs to know of a format: where each page's stored bytes are, and in which object.
// Formats whose pages are ranges of bytes (the store, chunked HDF5, …) implement this and get asynchronous
// reading from any back end, with merging, limits and cancelling.

#include <cstdint>
#include <optional>

#include "core/paging/bytes/byte_object.h"
#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Where a page's stored bytes are, and how they are encoded.
struct PageExtent {
  std::uint32_t object = 0;  ///< which of the map's objects
  std::uint64_t offset = 0, bytes = 0;
  Codec codec = Codec::None;
  bool hasChecksum = false;
  bool padded = false;
  std::uint64_t checksum = 0;
  std::uint32_t flags = 0;  ///< for PlaceMap::deliver
};

/// Thread-safe.
class PlaceMap {
 public:
  virtual ~PlaceMap() = default;
  virtual const DatasetDescription& description() const = 0;
  /// As PageSource::maxStoredBytes; a place with more bytes is refused as Corrupt.
  virtual std::uint64_t maxStoredBytes(std::uint32_t array) const = 0;
  /// The place of a page that exists; 0 bytes if the page was never written. Waits for the disk. Throws
  /// Corrupt, Io.
  virtual PageExtent place(std::uint32_t array, std::uint64_t page) const = 0;
  /// The same if it is known without waiting.
  virtual std::optional<PageExtent> placeIfKnown(std::uint32_t array, std::uint64_t page) const {
    return place(array, page);
  }
  /// A hint that the place of a page is asked for soon: what it takes from a disk can be on its way meanwhile.
  virtual void expect(std::uint32_t /*array*/, std::uint64_t /*page*/) const noexcept {}

  /// Hands the bytes of a page, valid during the call, to who asked for it; here as they are stored. Formats whose pages need more
  /// than a Codec decode them in it. Called by any thread. Throws Corrupt before the sink is called, or not at all.
  virtual void deliver(const PageRequest& request, const PageExtent& extent,
                       std::span<const std::byte> bytes) const {
    request.sink->arrived(request.tag,
                          {bytes, extent.codec, extent.hasChecksum, extent.checksum, extent.padded});
  }
  /// Whether pages of 0 bytes are delivered, without bytes, and no error.
  virtual bool fillsMissing() const { return false; }

  /// The objects that hold the pages, numbered from 0; at least one, all of one back end.
  virtual ByteObjects objects() const = 0;
};

}  // namespace farfield::paging
