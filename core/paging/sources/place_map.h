#pragma once
// What a PlacedSource needs to know of a format: where each page lies as it is stored, and in which file.
// Formats whose pages are byte ranges of local files (the store, chunked HDF5, …) offer this and get reading
// by io_uring or threads, merging, limits and cancelling with it.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/paging/bytes/local_file.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/sources/page_queue.h"

namespace farfield::paging {

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

  /// The files that places are in, numbered from 0; at least one. They stay open as long as the map.
  virtual std::vector<LocalFile> files() const = 0;
};

}  // namespace farfield::paging
