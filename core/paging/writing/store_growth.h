#pragma once
// A finished store that gets more steps in place. New pages, and then an index, a catalog, HDF5's structures and a trailer of the
// whole, are written behind its end; nothing that was there moves, so whoever reads it reads on. Until the new trailer is
// there it is the store that it was, for those who open it, too: the GrowthNote (growth_note.h) tells them where it ends.
// Whatever ends this before, what lies behind that end is cut off, by this process or by the next one that lets the store grow.

#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/file.h"
#include "core/base/memory_account.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/growth_note.h"
#include "core/paging/store/stored_records.h"

namespace farfield::paging::detail {

/// One thread at a time.
class StoreGrowth {
 public:
  /// Locks the store `path` against others that would let it grow, and reads what it is. Throws NotFound, Invalid (not a
  /// store, or locked), Unsupported (a striped set), Corrupt, Io, OverBudget.
  StoreGrowth(const std::filesystem::path& path, MemoryAccount& account);
  /// Unless it is finished(), cuts off what was written.
  ~StoreGrowth();
  StoreGrowth(const StoreGrowth&) = delete;
  StoreGrowth& operator=(const StoreGrowth&) = delete;

  /// Of the store as it was.
  const Catalog& before() const { return m_before; }
  StoredRecords& records() { return *m_records; }
  /// Writes the note, and cuts off what an interrupted growth left. The new pages begin at its result.
  std::uint64_t begin(File& file);
  /// For the catalog of the longer store.
  std::vector<NodePlace> left() const;
  void finished() { m_file = nullptr; }

  /// The journal of the new pages, which is the lock, too.
  static std::filesystem::path journalPath(const std::filesystem::path& store);

 private:
  void readStore(MemoryAccount& account);

  std::filesystem::path m_path;
  File m_lock;
  std::shared_ptr<const ByteObject> m_object;
  MemoryClaim m_catalogClaim;
  Catalog m_before;
  std::uint64_t m_fileBytes = 0, m_pagesEnd = 0;
  bool m_isCut = false;  ///< an interrupted growth left something
  std::optional<StoredRecords> m_records;
  std::vector<std::byte> m_superblock;  ///< of the store as it was
  File* m_file = nullptr;               ///< what grows, from begin() on
};

/// The file of a store. Throws NotFound, Io.
std::shared_ptr<const ByteObject> openStore(const std::filesystem::path& path);

/// The catalog of a finished store with all its levels, and where it ends. Memory for the catalog is claimed into `claim`.
Catalog catalogOf(const ByteObject& store, MemoryAccount& account, MemoryClaim& claim,
                  std::uint64_t* fileBytes = nullptr);

}  // namespace farfield::paging::detail
