#pragma once
// The ranges of pages of data in place, which have no index that says them: found page by page, by whoever has
// read one, and kept in a file for the next time, so that what looks for values (an isosurface) reads the pages
// alone that may have them. A file belongs to files as they were, as in kept_places.h, and to how they are cut
// into pages. Nothing here is needed: what cannot be read or written is left, and is as if it were not known.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/paging/pages/description.h"
#include "core/paging/store/page_summary.h"

namespace farfield::paging {

/// Of one data set. Thread-safe; several programs may use one file. It is on disk alone: a look-up is a read of some
/// tens of bytes, which the system has in memory where they were used lately.
class RangeTable {
 public:
  /// Of the nodes of a page; nothing where nobody has read it.
  std::optional<PageSummary> find(std::uint32_t array, std::uint64_t page) const;
  void put(std::uint32_t array, std::uint64_t page, const PageSummary& ranges) noexcept;

 private:
  friend class KeptRanges;
  struct Place {
    std::uint64_t first = 0;  ///< in the file, of the record of page 0
    std::uint64_t pages = 0;
    int components = 0;
  };
  std::vector<Place> m_places;  ///< by array; no pages for those that are not kept
  File m_file;
  mutable std::atomic<bool> m_failed{false};
};

/// Thread-safe.
class KeptRanges {
 public:
  struct Options {
    std::filesystem::path folder;  ///< made when something is kept
    /// Smaller data are read as fast as they are looked up.
    std::uint64_t leastBytes = std::uint64_t{8} << 20;
    /// Of the folder on disk, and of one file; what was used longest ago goes first.
    std::uint64_t mostBytes = std::uint64_t{256} << 20;
  };
  explicit KeptRanges(Options options) : m_options(std::move(options)) {}

  /// What is known of the variables of `description`, which are read from `files`. Null where keeping it is not worth
  /// while or not possible.
  std::shared_ptr<RangeTable> tableOf(const std::vector<std::filesystem::path>& files,
                                      const DatasetDescription& description) const noexcept;

 private:
  Options m_options;
};

}  // namespace farfield::paging
