#pragma once
// Data that come in pages, read as boxes: for what makes something of all of a store, row after row, and is no task.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::fields {

/// Thread-safe; one read at a time. Pages are kept within a number of bytes, so that each is read once when boxes come in
/// order.
class PageReader final : public paging::BoxReader {
 public:
  /// `data` outlive it. Of `bytes` one part is for reads on their way, the rest for pages; all of it is claimed. Throws
  /// OverBudget; Unsupported for data whose pages come from several sources, but for computed
  /// places, which cannot be read.
  PageReader(const OpenData& data, MemoryAccount& account, std::uint64_t bytes);
  ~PageReader() override;

  const paging::DatasetDescription& description() const override;
  /// Waits. Throws what the source reports, Corrupt.
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;
  void checkUnchanged() const override { m_data.checkUnchanged(); }
  /// Pages that were read.
  std::uint64_t reads() const;

 private:
  using Key = std::pair<std::uint32_t, std::uint64_t>;  ///< array, page
  struct Kept {
    std::vector<std::byte> nodes;
    std::list<Key>::iterator use;
  };
  void fetch(std::span<const Key> wanted) const;
  void letGo(std::uint64_t bytes) const;

  const OpenData& m_data;
  std::unique_ptr<paging::PageSource> m_source;
  MemoryClaim m_claim;
  std::uint64_t m_mostBytes = 0;
  mutable std::mutex m_mutex;  ///< guards what follows
  mutable std::map<Key, Kept> m_pages;
  mutable std::list<Key> m_uses;  ///< the latest first
  mutable std::uint64_t m_bytes = 0, m_reads = 0;
};

}  // namespace farfield::fields
