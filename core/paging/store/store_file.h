#pragma once
// Reads a store without HDF5: the trailer leads to the catalog, the catalog to the roots of the index,
// and index nodes are fetched by range when they are first asked for and kept in a bounded cache. Page
// bytes themselves are read by page sources, which ask here where they lie.
//
// Nothing in the file is believed before it is checked: places against the size of the file, nodes against
// the checksum in their parent, numbers against each other, and all of it before memory is allocated.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/memory_account.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/pages/codec.h"
#include "core/paging/pages/description.h"
#include "core/paging/store/page_summary.h"
#include "core/paging/store/store_format.h"
#include "core/paging/store/striped_set.h"

namespace farfield::paging {

struct StoreFileOptions {
  /// Index nodes kept, in bytes; raised to two of the largest node, lowered to the size of the whole index.
  std::uint64_t indexCacheBytes = std::uint64_t{8} << 20;
  /// Which level of detail (coarse_levels.h) the store is opened at: its blocks and arrays are those of
  /// description(), under the names that they have at level 0.
  int level = 0;
  /// Of a striped set (striped_set.h): opens a part, which lies beside the set; null: it is not here, and nobody will
  /// ask for its pages. Empty: files beside a local file; of other objects striped sets are refused.
  using OpenPart = std::function<std::shared_ptr<const ByteObject>(std::size_t part, const std::string& name)>;
  OpenPart openPart;
};

struct IndexCounters {
  std::uint64_t lookups = 0, misses = 0;  ///< of nodes; a page costs its leaf, and on a miss the nodes above
  std::uint64_t bytesRead = 0;
  std::uint64_t cachedBytes = 0, capacityBytes = 0;
};

/// All members are thread-safe. The account outlives it.
class StoreFile {
 public:
  /// Opens a local file. Throws NotFound, Io, OverBudget, Corrupt (truncated, damaged), Unsupported (a newer
  /// version), Invalid (not a store; an unfinished one, which the message says; or one without that level).
  static std::unique_ptr<StoreFile> open(const std::filesystem::path& path, MemoryAccount& account,
                                         const StoreFileOptions& options = {});
  /// Opens what any back end has.
  static std::unique_ptr<StoreFile> open(std::shared_ptr<const ByteObject> object, MemoryAccount& account,
                                         const StoreFileOptions& options = {});
  /// True when the last bytes look like a store's trailer, complete or not, or the first like a partial
  /// store's.
  static bool looksLikeStore(const ByteObject& object);
  /// Of a local file; false where it cannot be read.
  static bool looksLikeStore(const std::filesystem::path& path);
  ~StoreFile();
  StoreFile(const StoreFile&) = delete;
  StoreFile& operator=(const StoreFile&) = delete;

  const DatasetDescription& description() const;
  /// How many levels of detail the store has, level 0 included.
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
  /// Compares all of them with what they were. Throws as ByteObject::checkUnchanged.
  void checkUnchanged() const;

  /// Where page `page` (ArrayDescription::pageNumber) of array `array` lies in pageObjects()[stripes().partOf(page)]:
  /// inside the file, stored bytes no more than maxStoredBytes(array). Waits for index nodes that are not cached. Pages decode to the full
  /// extent of the layout (StoredPage::padded). Throws Corrupt, Io; Invalid where there is no such page.
  PagePlace place(std::uint32_t array, std::uint64_t page) const;
  /// The same when it is cached; never waits for the disk.
  std::optional<PagePlace> placeIfCached(std::uint32_t array, std::uint64_t page) const;
  /// How the bytes at `place` are encoded.
  Codec codecOf(const PagePlace& place) const { return place.flags & kPageStoredRaw ? Codec::None : codec(); }
  /// Largest number of stored bytes that a page of `array` can have.
  std::uint64_t maxStoredBytes(std::uint32_t array) const;

  /// Ranges over the cells that the page owns.
  PageSummary summary(std::uint32_t array, std::uint64_t page) const;
  /// Ranges over the whole array; costs nothing.
  const PageSummary& arraySummary(std::uint32_t array) const;

  IndexCounters indexCounters() const;

 private:
  struct State;
  explicit StoreFile(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::paging
