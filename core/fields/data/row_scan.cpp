#include "core/fields/data/row_scan.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/paging/location/cell_boxes.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kBoxCells = kCellsPerGroup * kGroupsPerGroup;
/// Read at a time: long enough for the disk, short enough to stay in the processor's cache until it is looked at.
constexpr std::int64_t kReadBytes = 1024 * 1024;
/// How long a thread waits for another one's row before it looks whether it is given up.
constexpr std::chrono::milliseconds kLook{20};
static_assert(kCellsPerGroup == paging::kCellsPerBoxAxis && kGroupsPerGroup == paging::kBoxesPerBoxAxis);

/// Cells of box `number` along an axis of `nodes` nodes.
std::int64_t cellsOf(std::int64_t number, std::int64_t nodes) {
  return std::min(kBoxCells, nodes - 1 - number * kBoxCells);
}

paging::GroupExtremes extremesOf(const GroupRanges& ranges, const IndexBox& cells) {
  paging::GroupExtremes extremes;
  extremes.low.fill(std::numeric_limits<float>::infinity());
  extremes.high.fill(-std::numeric_limits<float>::infinity());
  Index3 at;
  for (at[2] = 0; at[2] * kCellsPerGroup < cells.size[2]; ++at[2])
    for (at[1] = 0; at[1] * kCellsPerGroup < cells.size[1]; ++at[1])
      for (at[0] = 0; at[0] * kCellsPerGroup < cells.size[0]; ++at[0]) {
        const Interval& range = ranges.of(at);
        if (range.empty()) continue;
        const auto n =
            static_cast<std::size_t>(linear(at, {kGroupsPerGroup, kGroupsPerGroup, kGroupsPerGroup}));
        extremes.low[n] = paging::roundedDown(range.low);
        extremes.high[n] = paging::roundedUp(range.high);
      }
  return extremes;
}

}  // namespace

Index3 RowScan::boxesOf(std::uint32_t array) const {
  return paging::levelDims(paging::cellDims(m_description.arrays[array].layout.dims()), 1);
}

std::uint64_t RowScan::numberOf(const Row& row, std::int64_t i) const {
  const Index3 boxes = boxesOf(row.array);
  const paging::ArrayDescription& array = m_description.arrays[row.array];
  const std::int64_t first = (array.steps > 1 ? row.step : 0) * array.components + row.component;
  return static_cast<std::uint64_t>(first * product(boxes) + linear({i, row.j, row.k}, boxes));
}

bool RowScan::take(const Row& row) {
  const std::lock_guard lock(m_mutex);
  return m_taken.insert(row).second;
}

void RowScan::leave(const Row& row) {
  {
    const std::lock_guard lock(m_mutex);
    m_taken.erase(row);
  }
  m_changed.notify_all();
}

std::optional<paging::GroupExtremes> RowScan::find(std::uint32_t array, int component, std::int64_t step,
                                                   const Index3& box,
                                                   const std::function<void()>& throwIfGivenUp) {
  const Row row{array, component, step, box[1], box[2]};
  // Nothing is kept of a grid.
  if (m_description.arrays[array].isGrid() ||
      m_description.arrays[array].components > paging::GroupExtremes::kMostComponents)
    return std::nullopt;
  for (;;) {
    if (auto known = m_table.findGroups(array, numberOf(row, box[0]))) return known;
    if (!m_table.works()) return std::nullopt;
    if (take(row)) {
      if (!scanTaken(row, throwIfGivenUp)) return std::nullopt;
      return m_table.findGroups(array, numberOf(row, box[0]));
    }
    // another thread is at it: the next that nobody has looked at, and then what it has found
    const Index3 boxes = boxesOf(array);
    Row next = row;
    do {
      next.j = (next.j + 1) % boxes[1];
      if (next.j == 0) ++next.k;
    } while (next.k < boxes[2] && m_table.findGroups(array, numberOf(next, 0)));
    if (next.k < boxes[2] && take(next) && !scanTaken(next, throwIfGivenUp)) return std::nullopt;
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kLook, [&] { return !m_taken.contains(row); })) {
      lock.unlock();
      throwIfGivenUp();
      lock.lock();
    }
  }
}

/// A row that was taken is left in any case.
bool RowScan::scanTaken(const Row& row, const std::function<void()>& throwIfGivenUp) {
  try {
    const bool found = scan(row, throwIfGivenUp);
    leave(row);
    return found;
  } catch (...) {
    leave(row);
    throw;
  }
}

/// False if there is no memory for it.
bool RowScan::scan(const Row& row, const std::function<void()>& throwIfGivenUp) {
  const paging::ArrayDescription& array = m_description.arrays[row.array];
  const Index3 dims = array.layout.dims();
  const std::int64_t boxes = boxesOf(row.array)[0], rowBytes = dims[0] * sizeOf(array.type);
  const std::array<std::int64_t, 3> cells{dims[0] - 1, cellsOf(row.j, dims[1]), cellsOf(row.k, dims[2])};
  const std::int64_t rows = std::clamp<std::int64_t>(kReadBytes / rowBytes, 1, cells[1] + 1);
  const std::int64_t planes = std::clamp<std::int64_t>(kReadBytes / (rowBytes * rows), 1, cells[2] + 1);
  const auto bytes = static_cast<std::uint64_t>(rowBytes * rows * planes);
  const auto claim = m_account.tryClaim(
      Purpose::Work, bytes + static_cast<std::uint64_t>(boxes) * (sizeof(GroupRanges) + sizeof(IndexBox)));
  if (!claim) return false;
  std::vector<std::byte> buffer(bytes);
  std::vector<GroupRanges> ranges(static_cast<std::size_t>(boxes));
  std::vector<IndexBox> its(ranges.size());
  for (std::int64_t i = 0; i < boxes; ++i) {
    const auto n = static_cast<std::size_t>(i);
    its[n] = {{i * kBoxCells, row.j * kBoxCells, row.k * kBoxCells},
              {cellsOf(i, dims[0]), cells[1], cells[2]}};
    ranges[n].open(its[n]);
  }
  const Index3 first = its.front().first;
  for (std::int64_t k = 0; k <= cells[2]; k += planes)
    for (std::int64_t j = 0; j <= cells[1]; j += rows) {
      throwIfGivenUp();
      const IndexBox box{{0, first[1] + j, first[2] + k},
                         {dims[0], std::min(rows, cells[1] + 1 - j), std::min(planes, cells[2] + 1 - k)}};
      const std::span numbers =
          std::span(buffer).first(static_cast<std::size_t>(product(box.size) * sizeOf(array.type)));
      m_reader.readComponent(row.array, array.steps > 1 ? row.step : 0, row.component, box, numbers);
      ++m_reads;
      m_bytesRead += numbers.size();
      for (std::size_t n = 0; n < ranges.size(); ++n) {
        IndexBox part = box;
        part.first[0] = its[n].first[0];
        part.size[0] = its[n].size[0] + 1;
        ranges[n].add(part, {numbers.data(), array.type, part.first[0], 1, dims[0], dims[0] * box.size[1]});
      }
    }
  for (std::size_t n = 0; n < ranges.size(); ++n)
    m_table.putGroups(row.array, numberOf(row, static_cast<std::int64_t>(n)), extremesOf(ranges[n], its[n]));
  return true;
}

}  // namespace farfield::fields
