#pragma once
// Finds the ranges of groups of cells by reading rows (group_finder.h). Private to the folder.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/cells/group_ranges.h"
#include "core/fields/functions/group_finder.h"
#include "core/paging/pages/component_reader.h"
#include "core/paging/pages/page_source.h"

namespace farfield::fields {

/// Of a reader whose rows lie one after the other in files of this machine. Thread-safe.
class RowScan final {
 public:
  /// All outlive it. `reader` reads components of `description`, whose arrays `table` knows.
  RowScan(const paging::ComponentReader& reader, const paging::DatasetDescription& description,
          paging::RangeTable& table, MemoryAccount& account)
      : m_reader(reader), m_description(description), m_table(table), m_account(account) {}

  /// See GroupFinder.
  std::optional<paging::GroupExtremes> find(std::uint32_t array, int component, std::int64_t step,
                                            const Index3& box, const std::function<void()>& throwIfGivenUp);
  /// Of all looks until now.
  paging::SourceCounters counters() const { return {m_reads, m_bytesRead}; }

 private:
  /// All boxes along i with these numbers along j and k.
  struct Row {
    std::uint32_t array;
    int component;
    std::int64_t step, j, k;
    bool operator<(const Row& other) const {
      return std::tie(array, component, step, k, j) <
             std::tie(other.array, other.component, other.step, other.k, other.j);
    }
  };
  Index3 boxesOf(std::uint32_t array) const;
  std::uint64_t numberOf(const Row& row, std::int64_t i) const;
  bool take(const Row& row);
  void leave(const Row& row);
  bool scan(const Row& row, const std::function<void()>& throwIfGivenUp);
  bool scanTaken(const Row& row, const std::function<void()>& throwIfGivenUp);

  const paging::ComponentReader& m_reader;
  const paging::DatasetDescription& m_description;
  paging::RangeTable& m_table;
  MemoryAccount& m_account;
  std::atomic<std::uint64_t> m_reads{0}, m_bytesRead{0};
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::set<Row> m_taken;  ///< rows that a thread is at; guarded by m_mutex
};

}  // namespace farfield::fields
