#include "core/paging/ingest/window_jobs.h"

#include <algorithm>

#include "core/paging/location/window_plan.h"

namespace farfield::paging::detail {

std::int64_t windowNodeBytes(const DatasetDescription& input, const ArrayOrigin& origin,
                             bool singleComponents) {
  const ArrayDescription& array = input.arrays[static_cast<std::size_t>(origin.input)];
  const bool single = origin.component >= 0 && singleComponents;
  return (single ? sizeOf(array.type) : array.nodeBytes()) + (origin.iblank >= 0 ? 2 : 0);
}

std::int64_t largestWindow(const ArrayDescription& array, std::int64_t nodeBytes, std::int64_t windowBytes) {
  const Index3& dims = array.layout.dims();
  const Index3 extent = windowExtent(dims, array.layout.extent(), windowBytes / nodeBytes);
  return product(withApron({{0, 0, 0}, extent}, dims).size);
}

WindowJobs::WindowJobs(const OutputPlan& plan, const DatasetDescription& input, bool singleComponents,
                       const WindowBudget& budget, std::uint64_t writtenPages, MemoryAccount& account)
    : m_plan(plan),
      m_input(input),
      m_singleComponents(singleComponents),
      m_budget(budget),
      m_skip(writtenPages),
      m_account(account) {}

/// Prepares the next array; false if it has no pages at this step or all of them are written.
bool WindowJobs::enterArray() {
  const ArrayDescription& array = m_plan.description.arrays[m_array];
  const ArrayOrigin& origin = m_plan.origins[m_array];
  if (m_step > 0 && array.steps == 1) return false;
  if (!origin.isBoxes()) m_collector.reset();
  const auto pages = static_cast<std::uint64_t>(array.layout.pageCount());
  if (m_skip >= pages) {
    m_skip -= pages;
    return false;
  }
  m_at = {0, 0, 0};
  if (origin.isBoxes()) return true;
  const std::int64_t nodeBytes = windowNodeBytes(m_input, origin, m_singleComponents);
  const Index3 extent =
      windowExtent(array.layout.dims(), array.layout.extent(), m_budget.windowBytes / nodeBytes);
  for (int a = 0; a < 3; ++a)
    m_pagesPerWindow[a] = (extent[a] + array.layout.extent()[a] - 1) / array.layout.extent()[a];
  // boxes are collected on the way only if all coordinates pass, and if there is room
  if (origin.feedsBoxes && m_skip == 0) {
    const Index3 dims = array.layout.dims();
    const auto bytes = static_cast<std::uint64_t>(product(levelDims(cellDims(dims), 0))) * sizeof(CellBox);
    if (bytes <= m_budget.collectorBytes)
      if (auto claim = m_account.tryClaim(Purpose::Work, bytes))
        m_collector = std::make_shared<BoxCollector>(dims, std::move(*claim));
  }
  return true;
}

std::optional<WindowJob> WindowJobs::next() {
  for (;;) {
    if (m_step == m_plan.description.steps()) return std::nullopt;
    if (m_array == m_plan.description.arrays.size()) {
      m_array = 0;
      ++m_step;
      continue;
    }
    if (!m_entered && !enterArray()) {
      ++m_array;
      continue;
    }
    m_entered = true;
    const ArrayDescription& array = m_plan.description.arrays[m_array];
    const ArrayOrigin& origin = m_plan.origins[m_array];
    const Index3& pages = array.layout.pagesPerAxis();

    WindowJob job{.array = static_cast<std::uint32_t>(m_array), .step = m_step, .collector = m_collector};
    bool last = true;
    if (origin.isBoxes()) {
      job.firstPage = array.pageNumber(m_step, 0);
      job.pages = static_cast<std::uint64_t>(array.layout.pageCount());
    } else {
      Index3 count;
      for (int a = 0; a < 3; ++a) count[a] = std::min(m_pagesPerWindow[a], pages[a] - m_at[a]);
      const std::int64_t first = linear(m_at, pages);
      const std::int64_t final =
          linear({m_at[0] + count[0] - 1, m_at[1] + count[1] - 1, m_at[2] + count[2] - 1}, pages);
      job.firstPage = array.pageNumber(m_step, first);
      job.pages = static_cast<std::uint64_t>(final - first + 1);
      const IndexBox low = array.layout.box(first), high = array.layout.box(final);
      IndexBox nodes{low.first, {}};
      for (int a = 0; a < 3; ++a) nodes.size[a] = high.first[a] + high.size[a] - low.first[a];
      job.window = withApron(nodes, array.layout.dims());
      // The next window, i fastest.
      for (int a = 0; a < 3 && last; ++a) {
        m_at[a] += count[a];
        if (m_at[a] < pages[a])
          last = false;
        else
          m_at[a] = 0;
      }
    }
    if (last) {
      m_entered = false;
      ++m_array;
    }
    const std::uint64_t skipped = std::min(m_skip, job.pages);
    m_skip -= skipped;
    job.firstPage += skipped;
    job.pages -= skipped;
    if (job.pages > 0) return job;
  }
}

}  // namespace farfield::paging::detail
