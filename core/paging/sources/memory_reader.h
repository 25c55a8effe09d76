#pragma once
// Data held in memory as a whole: for small data that need no paging, for comparing results with those of
// paged data, and for tests.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/page_source.h"

namespace farfield::paging {

class MemoryReader final : public BoxReader {
 public:
  /// Memory for all arrays of `description`. Throws Corrupt (sizes that no memory can have).
  static std::uint64_t bytesOf(const DatasetDescription& description);
  /// All values 0. The arrays, called `what` in errors, are claimed as Purpose::Work from `account`, which
  /// outlives the reader. Throws OverBudget, and what bytesOf() throws.
  MemoryReader(DatasetDescription description, MemoryAccount& account,
               const std::string& what = "the data as a whole");
  /// Reads all of `reader`. Throws what it throws as well.
  static std::shared_ptr<MemoryReader> copyOf(const BoxReader& reader, MemoryAccount& account);
  /// Reads all of `source`, checked and decoded; waits. Throws the first error of a page.
  static std::shared_ptr<MemoryReader> copyOf(PageSource& source, MemoryAccount& account);

  const DatasetDescription& description() const override { return m_description; }
  bool isComputed() const override { return true; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;

  /// One array at one step: components fastest, then i, j, k; native byte order.
  std::span<std::byte> bytes(std::uint32_t array, std::int64_t step = 0);
  std::span<const std::byte> bytes(std::uint32_t array, std::int64_t step = 0) const;

 private:
  DatasetDescription m_description;
  std::vector<std::uint64_t> m_stepBytes;  ///< by array
  MemoryClaim m_claim;
  std::vector<std::vector<std::byte>> m_arrays;
};

}  // namespace farfield::paging
