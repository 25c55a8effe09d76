#pragma once
// What the index of a finished store knows of its pages, leaf by leaf: for whoever writes a longer index.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/store/catalog.h"

namespace farfield::paging::detail {

/// One thread at a time.
class StoredRecords {
 public:
  /// `catalog` is that of the store `object` with all its levels, of `fileBytes` bytes; all outlive it. One leaf is kept, of
  /// memory claimed from `account`. Throws OverBudget.
  StoredRecords(const ByteObject& object, const Catalog& catalog, std::uint64_t fileBytes,
                MemoryAccount& account);
  /// Writes PagePlace and summary record of pages [firstPage, firstPage + count) of `array` to the beginning of each
  /// `recordBytes` of `out`. Throws Corrupt, Io.
  void read(std::uint32_t array, std::uint64_t firstPage, std::uint64_t count, std::size_t recordBytes,
            std::span<std::byte> out);

 private:
  void load(std::uint32_t array, std::int64_t leaf);

  const ByteObject& m_object;
  const Catalog& m_catalog;
  std::uint64_t m_fileBytes;
  MemoryClaim m_claim;
  std::uint32_t m_array = 0;
  std::int64_t m_leaf = -1;  ///< none yet
  std::vector<std::byte> m_places, m_summaries;
};

}  // namespace farfield::paging::detail
