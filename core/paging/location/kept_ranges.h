#pragma once
// The ranges of the pages of data opened in place, which have no index with ranges: computed when a page has
// been read, and kept in a file for the next time, so that searching for a value (an isosurface) reads only
// the pages that may have it. Of variables that lie in rows, whose pages are as long as these, also those of groups of
// cells. A file is valid for files in the same state, as in kept_scans.h, cut into the
// same pages. Only an optimization: errors of reading and writing are ignored, and the range counts as
// unknown.

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/paging/pages/description.h"
#include "core/paging/pages/location_levels.h"
#include "core/paging/store/page_summary.h"

namespace farfield::paging {

/// Least and greatest number at the nodes of each of the groups of kCellsPerBoxAxis cells along each axis of a box of
/// kBoxesPerBoxAxis of them, i fastest; a group without a number has none, low > high.
struct GroupExtremes {
  static constexpr std::size_t kCount =
      static_cast<std::size_t>(kBoxesPerBoxAxis * kBoxesPerBoxAxis * kBoxesPerBoxAxis);
  static constexpr int kMostComponents = 8;  ///< of arrays whose groups are kept
  std::array<float, kCount> low, high;
  bool operator==(const GroupExtremes&) const = default;
};

/// Of one data set. Thread-safe; several programs may use one file. It is on disk only: a look-up reads some
/// tens of bytes, which the system's cache has if they were used lately.
class RangeTable {
 public:
  /// The ranges of a page's nodes; nothing if no one has read it.
  std::optional<PageSummary> find(std::uint32_t array, std::uint64_t page) const;
  void put(std::uint32_t array, std::uint64_t page, const PageSummary& ranges) noexcept;
  /// The same of box number `box`, of all boxes of the first component, then of the next, and of all steps one after the other. Of arrays of
  /// more than kMostComponents nothing is kept.
  std::optional<GroupExtremes> findGroups(std::uint32_t array, std::uint64_t box) const;
  /// False once reading or writing the file has failed: nothing is known or kept then.
  bool works() const { return !m_failed; }
  void putGroups(std::uint32_t array, std::uint64_t box, const GroupExtremes& groups) noexcept;

 private:
  friend class KeptRanges;
  struct Place {
    std::uint64_t first = 0;  ///< offset in the file of the record of page 0
    std::uint64_t pages = 0;
    int components = 0;
    std::uint64_t firstBox = 0;  ///< offset of the record of box 0
    std::uint64_t boxes = 0;
  };
  bool read(std::uint64_t at, std::span<std::byte> record) const;
  void write(std::uint64_t at, std::span<std::byte> record) noexcept;
  std::vector<Place> m_places;  ///< by array; no pages for arrays that are not kept
  File m_file;
  mutable std::atomic<bool> m_failed{false};
};

/// Thread-safe.
class KeptRanges {
 public:
  struct Options {
    /// Made when something is kept. Empty: in a file without a name, for as long as the data are open.
    std::filesystem::path folder;
    /// Smaller data are read as fast as they are looked up.
    std::uint64_t leastBytes = std::uint64_t{8} << 20;
    /// Of the folder on disk, and of one file; what was used longest ago is deleted first.
    std::uint64_t mostBytes = std::uint64_t{256} << 20;
  };
  explicit KeptRanges(Options options) : m_options(std::move(options)) {}

  /// The table for the variables of `description`, which are read from `files`. Null if keeping it is not
  /// worthwhile or not possible.
  std::shared_ptr<RangeTable> tableOf(const std::vector<std::filesystem::path>& files,
                                      const DatasetDescription& description) const noexcept;

 private:
  Options m_options;
};

}  // namespace farfield::paging
