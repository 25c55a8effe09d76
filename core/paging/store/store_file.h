#pragma once
// Reads a store without HDF5: the trailer leads to the catalog, the catalog to the roots of the index; index
// nodes are read when they are first needed and kept in a bounded cache. Pages themselves are read by page
// sources, which ask here for their places.
//
// Nothing in the file is trusted before it is checked: places against the size of the file, nodes against the
// checksum in their parent, numbers against each other, and all before memory is allocated.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/pages/codec.h"
#include "core/paging/pages/description.h"
#include "core/paging/store/page_summary.h"
#include "core/paging/store/store_format.h"
#include "core/paging/store/striped_set.h"

namespace farfield::paging {

struct StoreFileOptions {
  /// Bytes of index nodes kept; raised to two of the largest node, lowered to the size of the whole index.
  std::uint64_t indexCacheBytes = std::uint64_t{8} << 20;
  /// The level of detail (coarse_levels.h) to open: description() has its blocks and arrays, under the names
  /// that they have at level 0.
  int level = 0;
  /// Of a striped set (striped_set.h): opens a part, which lies beside the set; null: it is not here, and nobody will
  /// ask for its pages. Empty: files beside a local file; of other objects striped sets are refused.
  using OpenPart =
      std::function<std::shared_ptr<const ByteObject>(std::size_t part, const std::string& name)>;
  OpenPart openPart = {};
};

struct IndexCounters {
  std::uint64_t lookups = 0, misses = 0;  ///< of nodes; a page needs its leaf, and on a miss the nodes above
  std::uint64_t bytesRead = 0;
  std::uint64_t cachedBytes = 0, capacityBytes = 0;
};

/// All members are thread-safe. `account` outlives it.
class StoreFile {
 public:
  /// Opens a local file. Throws NotFound, Io, OverBudget, Corrupt (truncated, damaged), Unsupported (newer
  /// version), Invalid (not a store; not finished, as the message says; or without that level).
  static std::unique_ptr<StoreFile> open(const std::filesystem::path& path, MemoryAccount& account,
                                         const StoreFileOptions& options = {});
  /// Opens an object of any back end.
  static std::unique_ptr<StoreFile> open(std::shared_ptr<const ByteObject> object, MemoryAccount& account,
                                         const StoreFileOptions& options = {});
  /// True if the object ends with a store's trailer, complete or not, or begins as a partial store.
  static bool looksLikeStore(const ByteObject& object);
  /// Of a local file; false if it cannot be read.
  static bool looksLikeStore(const std::filesystem::path& path);
  ~StoreFile();
  StoreFile(const StoreFile&) = delete;
  StoreFile& operator=(const StoreFile&) = delete;

  const DatasetDescription& description() const;
  /// Number of levels of detail, level 0 included.
  int levels() const;
  Codec codec() const;
  /// Size of the file, and of all parts.
  std::uint64_t fileBytes() const;
  const std::string& name() const;
  /// The file itself.
  const std::shared_ptr<const ByteObject>& object() const;
  /// Where pages are: the file itself, or the parts of a striped set, null where one is not here.
  const ByteObjects& pageObjects() const;
  const Stripes& stripes() const;
  /// Numbers that say what all pages are: of the store as it is, and of what it was before it grew each time, the latest first. Whoever
  /// has opened one of these finds its pages here under the same numbers. The latest some hundreds; of a striped set none. Waits. Throws Io.
  std::vector<std::uint64_t> history() const;
  /// Compares all of them with what they were. Throws as ByteObject::checkUnchanged.
  void checkUnchanged() const;

  /// The place of page `page` (ArrayDescription::pageNumber) of array `array` in
  /// pageObjects()[stripes().partOf(page)]: inside it, with at most
  /// maxStoredBytes(array) bytes. Waits for index nodes that are not cached. Pages decode to the full extent
  /// of the layout (StoredPage::padded). Throws Corrupt, Io; Invalid if there is no such page.
  PagePlace place(std::uint32_t array, std::uint64_t page) const;
  /// The same if it is cached; never waits for the disk.
  std::optional<PagePlace> placeIfCached(std::uint32_t array, std::uint64_t page) const;
  /// The codec of the bytes at `place`.
  Codec codecOf(const PagePlace& place) const { return place.flags & kPageStoredRaw ? Codec::None : codec(); }
  /// Upper bound of the stored bytes of a page of `array`.
  std::uint64_t maxStoredBytes(std::uint32_t array) const;

  /// Ranges over the cells that the page owns.
  PageSummary summary(std::uint32_t array, std::uint64_t page) const;
  /// Ranges over the whole array; already in memory.
  const PageSummary& arraySummary(std::uint32_t array) const;

  IndexCounters indexCounters() const;

 private:
  struct State;
  explicit StoreFile(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::paging
