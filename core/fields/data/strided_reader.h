#pragma once
// Widely spaced nodes of data that come in pages: each page that has some is decoded once for a lattice, and let go.
// For levels of detail of a store that has none, while somebody waits for them.

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/lattice_reader.h"

namespace farfield::fields {

/// Thread-safe; so many readings at a time as it has memory for, the others wait.
class StridedReader final : public paging::BoxReader, public paging::LatticeReader {
 public:
  /// `data` outlive it. Claims what `readers` readings at a time take, or one where there is no room for more. Throws
  /// OverBudget; Unsupported for data whose pages come from several sources.
  StridedReader(const OpenData& data, MemoryAccount& account, int readers);
  ~StridedReader() override;

  const paging::DatasetDescription& description() const override;
  /// A box as a lattice.
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;
  void readLattice(std::uint32_t array, std::int64_t step, const paging::Lattice& lattice,
                   std::span<std::byte> out) const override;
  void checkUnchanged() const override { m_data.checkUnchanged(); }
  /// How many read at a time.
  int readers() const { return m_readers; }

 private:
  class Group;
  void scatter(const paging::ArrayDescription& array, std::uint64_t page, std::span<const std::byte> nodes,
               const paging::Lattice& lattice, std::span<std::byte> out) const;

  const OpenData& m_data;
  MemoryClaim m_claim;
  std::unique_ptr<paging::PageSource> m_source;
  int m_readers = 1;
  mutable std::mutex m_mutex;
  mutable std::condition_variable_any m_changed;
  mutable int m_free = 1;  ///< guarded by m_mutex
};

}  // namespace farfield::fields
