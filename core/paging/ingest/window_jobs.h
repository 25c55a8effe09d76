#pragma once
// The jobs of a conversion in the order of the store's pages: one per window of an array, and one per level
// of a location pyramid.

#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/memory_account.h"
#include "core/paging/ingest/output_plan.h"
#include "core/paging/location/cell_boxes.h"

namespace farfield::paging::detail {

/// Level 0 of a block's pyramid, collected while its coordinates pass.
struct BoxCollector {
  BoxCollector(const Index3& nodeDims, MemoryClaim bytes)
      : builder(nodeDims, {{0, 0, 0}, levelDims(cellDims(nodeDims), 0)}), claim(std::move(bytes)) {}
  CellBoxBuilder builder;
  MemoryClaim claim;
};

struct WindowJob {
  std::uint32_t array = 0;  ///< of the store
  std::int64_t step = 0;
  std::uint64_t firstPage = 0, pages = 0;  ///< nodes to read: those of the pages, and the layer after them
  IndexBox window{};                       ///< nodes to read: those of the pages, and the layer behind
  /// Coordinates: where their boxes are collected. Levels: where they were. Null: nowhere.
  std::shared_ptr<BoxCollector> collector = {};
};

/// Limits on memory.
struct WindowBudget {
  std::int64_t windowBytes = 0;      ///< of the nodes of one window
  std::uint64_t collectorBytes = 0;  ///< of all collectors at a time
};

/// Bytes of a node in a window of the array with `origin`: what the reader gives, and iblank if boxes are
/// made from it.
std::int64_t windowNodeBytes(const DatasetDescription& input, const ArrayOrigin& origin,
                             bool singleComponents);
/// Nodes of the largest window of `array` within `windowBytes`.
std::int64_t largestWindow(const ArrayDescription& array, std::int64_t nodeBytes, std::int64_t windowBytes);

/// Hands out the jobs one by one. One thread.
class WindowJobs {
 public:
  /// `written` is the number of pages of the sequence that are already in the store; jobs with only such
  /// pages are left out.
  WindowJobs(const OutputPlan& plan, const DatasetDescription& input, bool singleComponents,
             const WindowBudget& budget, std::uint64_t writtenPages, MemoryAccount& account);
  std::optional<WindowJob> next();

 private:
  bool enterArray();
  const OutputPlan& m_plan;
  const DatasetDescription& m_input;
  bool m_singleComponents;
  WindowBudget m_budget;
  std::uint64_t m_skip;  // pages of the sequence still to be skipped
  MemoryAccount& m_account;

  std::int64_t m_step = 0;
  std::size_t m_array = 0;
  bool m_entered = false;
  Index3 m_pagesPerWindow{1, 1, 1};
  Index3 m_at{0, 0, 0};  // first page of the next window, along each axis
  std::shared_ptr<BoxCollector> m_collector;
};

}  // namespace farfield::paging::detail
