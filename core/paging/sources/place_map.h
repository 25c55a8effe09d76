#pragma once
// What a PlacedSource needs to know of a format: where each page lies as it is stored, and in which file.
// Formats whose pages are byte ranges of local files (the store, chunked HDF5, …) offer this and get reading
// by io_uring or threads, merging, limits and cancelling with it.

#include <cstdint>
#include <optional>
#include <string>

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

  /// Files are numbered from 0 and stay open.
  virtual std::uint32_t fileCount() const { return 1; }
  virtual int fileDescriptor(std::uint32_t file) const = 0;
  /// For messages, "file /data/x.h5".
  virtual std::string fileName(std::uint32_t file) const = 0;
  /// For opening it a second time, for direct reads.
  virtual std::string filePath(std::uint32_t file) const = 0;
};

}  // namespace farfield::paging
