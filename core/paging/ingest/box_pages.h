#pragma once
// The pages of location pyramids, level by level, in the order of the store. Level 0 has usually been
// collected while the coordinates were written; if not (no room, or a resumed conversion), they are read once
// more. The levels above are small and kept in memory until they are written.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/paging/ingest/window_jobs.h"
#include "core/paging/writing/store_writer.h"

namespace farfield::paging::detail {

/// Used by one thread; works on the threads of the conversion.
class BoxPages {
 public:
  /// `memoryBytes`: for reading coordinates again.
  BoxPages(const BoxReader& reader, const OutputPlan& plan, StoreWriter& writer, std::int64_t memoryBytes,
           MemoryAccount& account, tasks::LoopThreads& threads, std::stop_token stop);
  /// Writes the pages of `job`, which is for a level. Throws as StoreWriter and the reader do.
  void write(const WindowJob& job);
  std::uint64_t bytesRead() const { return m_bytesRead; }

 private:
  void begin(const WindowJob& job);
  void scan(const WindowJob& job, bool writing);
  void addNodes(const ArrayOrigin& origin, std::int64_t step, CellBoxBuilder& builder);
  void mergeUp(std::span<const CellBox> boxes, const IndexBox& entries);
  void finishUpper();
  void writePages(const ArrayDescription& array, std::uint64_t count, std::span<const CellBox> boxes,
                  const IndexBox& entries);

  const BoxReader& m_reader;
  const OutputPlan& m_plan;
  StoreWriter& m_writer;
  std::int64_t m_memoryBytes;
  MemoryAccount& m_account;
  tasks::LoopThreads& m_threads;
  std::stop_token m_stop;
  std::uint64_t m_bytesRead = 0;

  // the current pyramid: its block and step, and its levels above 0
  int m_block = -1;
  std::int64_t m_step = -1;
  Index3 m_cells{};
  std::vector<std::vector<CellBox>> m_upper;
  MemoryClaim m_upperClaim;
};

}  // namespace farfield::paging::detail
