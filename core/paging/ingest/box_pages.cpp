#include "core/paging/ingest/box_pages.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/paging/location/window_plan.h"
#include "core/trace/trace.h"

namespace farfield::paging::detail {
namespace {

constexpr Index3 kGroup{kCellsPerBoxAxis, kCellsPerBoxAxis, kCellsPerBoxAxis};

/// Copies the entries of `box` from those of `entries`, and computes their summary.
PageSummary cutBoxes(const IndexBox& box, std::span<const CellBox> boxes, const IndexBox& entries,
                     std::span<std::byte> page) {
  std::byte* to = page.data();
  const std::size_t rowBytes = static_cast<std::size_t>(box.size[0]) * sizeof(CellBox);
  for (std::int64_t k = 0; k < box.size[2]; ++k)
    for (std::int64_t j = 0; j < box.size[1]; ++j, to += rowBytes) {
      const Index3 at = {box.first[0] - entries.first[0], box.first[1] + j - entries.first[1],
                         box.first[2] + k - entries.first[2]};
      std::memcpy(to, &boxes[static_cast<std::size_t>(linear(at, entries.size))], rowBytes);
    }
  PageSummary summary(6);
  summary.add(page, ScalarType::F32);
  return summary;
}

}  // namespace

BoxPages::BoxPages(const BoxReader& reader, const OutputPlan& plan, StoreWriter& writer,
                   std::int64_t memoryBytes, MemoryAccount& account, tasks::LoopThreads& threads,
                   std::stop_token stop)
    : m_reader(reader),
      m_plan(plan),
      m_writer(writer),
      m_memoryBytes(memoryBytes),
      m_account(account),
      m_threads(threads),
      m_stop(std::move(stop)) {}

void BoxPages::write(const WindowJob& job) {
  const ArrayDescription& array = m_plan.description.arrays[job.array];
  const ArrayOrigin& origin = m_plan.origins[job.array];
  const bool atHand = m_block == array.block && m_step == job.step;
  if (origin.level > 0) {
    if (!atHand) {
      begin(job);
      scan(job, false);
      finishUpper();
    }
    const std::vector<CellBox>& boxes = m_upper[static_cast<std::size_t>(origin.level - 1)];
    return writePages(array, job.pages, boxes, {{0, 0, 0}, array.layout.dims()});
  }
  begin(job);
  if (job.collector) {
    const IndexBox all{{0, 0, 0}, array.layout.dims()};
    mergeUp(job.collector->builder.boxes(), all);
    writePages(array, job.pages, job.collector->builder.boxes(), all);
  } else {
    scan(job, true);
  }
  finishUpper();
}

/// Makes room for the levels above 0 of the pyramid that `job` belongs to.
void BoxPages::begin(const WindowJob& job) {
  const ArrayOrigin& origin = m_plan.origins[job.array];
  const ArrayDescription& xyz = m_reader.description().arrays[static_cast<std::size_t>(origin.input)];
  m_cells = cellDims(xyz.layout.dims());
  m_block = xyz.block;
  m_step = job.step;
  m_upper.clear();
  m_upperClaim.release();
  const std::int64_t upper = pyramidEntries(m_cells) - product(levelDims(m_cells, 0));
  m_upperClaim = m_account.claim(Purpose::Work, static_cast<std::uint64_t>(upper) * sizeof(CellBox),
                                 "the location pyramid of block " + std::to_string(m_block));
  if (upper > 0) m_upper.emplace_back(static_cast<std::size_t>(product(levelDims(m_cells, 1))));
}

/// Merges level-0 entries into level 1.
void BoxPages::mergeUp(std::span<const CellBox> boxes, const IndexBox& entries) {
  if (m_upper.empty()) return;
  const Index3 dims = levelDims(m_cells, 1);
  for (std::int64_t n = 0; n < product(entries.size); ++n) {
    const Index3 in = unlinear(n, entries.size);
    Index3 to;
    for (int a = 0; a < 3; ++a) to[a] = (entries.first[a] + in[a]) / kBoxesPerBoxAxis;
    m_upper.front()[static_cast<std::size_t>(linear(to, dims))].merge(boxes[static_cast<std::size_t>(n)]);
  }
}

void BoxPages::finishUpper() {
  for (int level = 1; level + 1 < levelCount(m_cells); ++level)
    m_upper.push_back(nextLevel(m_upper.back(), levelDims(m_cells, level)));
}

/// Makes level 0 by reading the coordinates again, one box of its pages at a time.
void BoxPages::scan(const WindowJob& job, bool writing) {
  const trace::Scope scope("convert", "read coordinates again");
  const ArrayOrigin& origin = m_plan.origins[job.array];
  // for a job of a higher level, level 0 is as many arrays before
  const ArrayDescription& level0 =
      m_plan.description.arrays[job.array - static_cast<std::size_t>(origin.level)];
  const Index3& dims = level0.layout.dims();
  const Index3 nodeDims = m_reader.description().arrays[static_cast<std::size_t>(origin.input)].layout.dims();
  const std::int64_t maxEntries = m_memoryBytes / 4 / static_cast<std::int64_t>(sizeof(CellBox));
  const Index3 extent = windowExtent(dims, level0.layout.extent(), maxEntries);
  const PageLayout parts = PageLayout::ofExtent(dims, extent);
  const MemoryClaim claim = m_account.claim(
      Purpose::Work, static_cast<std::uint64_t>(parts.maxNodes()) * sizeof(CellBox), level0.name);
  for (std::int64_t part = 0; part < parts.pageCount(); ++part) {
    const IndexBox entries = parts.box(part);
    CellBoxBuilder builder(nodeDims, entries);
    addNodes(origin, job.step, builder);
    mergeUp(builder.boxes(), entries);
    if (!writing) continue;
    const Index3 lastEntry = {entries.first[0] + entries.size[0] - 1, entries.first[1] + entries.size[1] - 1,
                              entries.first[2] + entries.size[2] - 1};
    const std::uint64_t end = level0.pageNumber(job.step, level0.layout.pageOf(lastEntry)) + 1;
    const std::uint64_t next =
        std::max(job.firstPage, level0.pageNumber(job.step, level0.layout.pageOf(entries.first)));
    if (next < end) writePages(level0, end - next, builder.boxes(), entries);
  }
}

void BoxPages::addNodes(const ArrayOrigin& origin, std::int64_t step, CellBoxBuilder& builder) {
  const DatasetDescription& input = m_reader.description();
  const ArrayDescription& xyz = input.arrays[static_cast<std::size_t>(origin.input)];
  const IndexBox wanted = builder.nodes();
  const std::int64_t nodeBytes = xyz.nodeBytes() + (origin.iblank >= 0 ? 2 : 0);
  const PageLayout windows =
      PageLayout::ofExtent(wanted.size, windowExtent(wanted.size, kGroup, m_memoryBytes / 2 / nodeBytes));
  const std::int64_t most = product(withApron({{0, 0, 0}, windows.extent()}, wanted.size).size);
  const MemoryClaim claim =
      m_account.claim(Purpose::Work, static_cast<std::uint64_t>(most * nodeBytes), "coordinates");
  std::vector<std::byte> nodes;
  std::vector<std::int16_t> iblank;
  nodes.reserve(static_cast<std::size_t>(most * xyz.nodeBytes()));
  for (std::int64_t w = 0; w < windows.pageCount(); ++w) {
    if (m_stop.stop_requested()) throw Cancelled();
    IndexBox box = withApron(windows.box(w), wanted.size);
    for (int a = 0; a < 3; ++a) box.first[a] += wanted.first[a];
    const auto count = static_cast<std::size_t>(product(box.size));
    nodes.resize(count * static_cast<std::size_t>(xyz.nodeBytes()));
    m_reader.read(static_cast<std::uint32_t>(origin.input), step, box, nodes);
    m_bytesRead += nodes.size();
    if (origin.iblank >= 0) {
      iblank.resize(count);
      const bool moves = input.arrays[static_cast<std::size_t>(origin.iblank)].steps > 1;
      m_reader.read(static_cast<std::uint32_t>(origin.iblank), moves ? step : 0, box,
                    std::as_writable_bytes(std::span(iblank)));
      m_bytesRead += count * 2;
    }
    builder.add(box, nodes, xyz.type, iblank, m_threads);
  }
}

void BoxPages::writePages(const ArrayDescription& array, std::uint64_t count, std::span<const CellBox> boxes,
                          const IndexBox& entries) {
  m_writer.writePages(m_threads, count, [&](const PageId& id, std::span<std::byte> page) {
    return cutBoxes(array.boxOf(id.page), boxes, entries, page);
  });
}

}  // namespace farfield::paging::detail
