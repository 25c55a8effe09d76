#include "render/opencl/lines/line_brick_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/fields/functions/node_coordinates.h"
#include "core/fields/functions/node_places.h"
#include "core/paging/cache/page_cache.h"

namespace farfield::opencl {
namespace {

/// Nodes that are computed at a time, about; whole layers of them.
constexpr std::int64_t kNodesAtATime = 1156;

}  // namespace

void BrickNumbers::put(std::size_t n, double value) {
  if (m_numberBytes == sizeof value) {
    std::memcpy(m_bytes.data() + n * sizeof value, &value, sizeof value);
  } else {
    const auto narrow = static_cast<float>(value);
    std::memcpy(m_bytes.data() + n * sizeof narrow, &narrow, sizeof narrow);
  }
}

LineBrickReader::LineBrickReader(fields::PagedData& data,
                                 std::shared_ptr<const fields::FunctionPlan> functions, std::int64_t step,
                                 const LineLayout& layout, const LineGrid& grid)
    : m_data(data),
      m_functions(std::move(functions)),
      m_step(step),
      m_layout(layout),
      m_grid(grid),
      m_arrays(data.description().blocks.size()) {
  const auto& arrays = data.description().arrays;
  const auto& used = m_functions->arrays();
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    const bool ofGrid =
        arrays[n].role == paging::ArrayRole::Coordinates || arrays[n].role == paging::ArrayRole::Blanking;
    if (fields::areComputedPlaces(data.description(), arrays[n])) continue;  // nobody waits for them
    if (ofGrid || (!arrays[n].isGrid() && std::find(used.begin(), used.end(), arrays[n].name) != used.end()))
      m_arrays[static_cast<std::size_t>(arrays[n].block)].push_back(n);
  }
}

std::int64_t LineBrickReader::layers() const {
  const auto side = static_cast<std::int64_t>(m_layout.side());
  return std::clamp<std::int64_t>(kNodesAtATime / (side * side), 1, side);
}

std::uint64_t LineBrickReader::taskBytes() const {
  const auto side = static_cast<std::int64_t>(m_layout.side());
  const auto layer = static_cast<std::uint64_t>(side * side), more = static_cast<std::uint64_t>(layers());
  return sizeof(double) * (layer * more * (3 + m_layout.outputs) + 2 * m_layout.flags()) +
         fields::BoxFunctions::bytesFor(*m_functions, {side, side, layers()});
}

void LineBrickReader::read(std::span<const std::int64_t> numbers, tasks::TaskContext& context,
                           std::span<FilledBrick> out) const {
  paging::Cursor cursor(m_data.cache(), context, m_data.plan().mode);
  fields::BlockSlots slots;
  int block = -1;
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const LineGrid::Brick brick = m_grid.brick(numbers[n]);
    if (std::exchange(block, brick.block) != brick.block) {
      cursor.unbind();
      cursor.setStep(m_step);
      slots = m_data.bind(cursor, brick.block, *m_functions);
    }
    readNodes(cursor, slots, brick, out[n]);
    readFlags(cursor, slots.iblank, brick, out[n]);
    out[n].isThere = true;
  }
}

void LineBrickReader::readNodes(paging::Cursor& cursor, const fields::BlockSlots& slots,
                                const LineGrid::Brick& brick, FilledBrick& out) const {
  const paging::BlockDescription& block = m_data.description().blocks[static_cast<std::size_t>(brick.block)];
  fields::BoxFunctions functions(*m_functions);
  out.positions.resize(m_layout.positions(), m_layout.positionBytes);
  out.values.resize(m_layout.values(), m_layout.valueBytes);
  const auto outputs = static_cast<std::size_t>(m_layout.outputs);
  const auto side = static_cast<std::int64_t>(m_layout.side());
  IndexBox nodes = brick.cells;
  for (std::int64_t& size : nodes.size) ++size;
  std::vector<double> points, values;
  for (std::int64_t k = 0; k < nodes.size[2]; k += layers()) {
    IndexBox box = nodes;
    box.first[2] += k;
    box.size[2] = std::min(layers(), nodes.size[2] - k);
    const auto count = static_cast<std::size_t>(product(box.size));
    points.resize(3 * count);
    values.resize(outputs * count);
    fields::gatherCoordinates(cursor, slots.xyz, block, box, points);
    functions.compute(cursor, slots, block, box, values);
    // Exactly what the device will add again.
    if (m_layout.realBytes < sizeof(double) && k == 0)
      for (std::size_t a = 0; a < 3; ++a) out.origin[static_cast<int>(a)] = static_cast<float>(points[a]);
    std::size_t from = 0;
    for (std::int64_t z = 0; z < box.size[2]; ++z)
      for (std::int64_t y = 0; y < box.size[1]; ++y)
        for (std::int64_t x = 0; x < box.size[0]; ++x, ++from) {
          const Index3 at{x, y, k + z};
          const auto to = static_cast<std::size_t>(linear(at, {side, side, side}));
          for (std::size_t a = 0; a < 3; ++a)
            out.positions.put(
                m_layout.axes ? a * m_layout.side() + static_cast<std::size_t>(at[a]) : 3 * to + a,
                points[3 * from + a] - out.origin[static_cast<int>(a)]);
          for (std::size_t n = 0; n < outputs; ++n)
            out.values.put(outputs * to + n, values[outputs * from + n]);
        }
  }
}

void LineBrickReader::readFlags(paging::Cursor& cursor, int iblank, const LineGrid::Brick& brick,
                                FilledBrick& out) const {
  const Index3& all = m_grid.cells(brick.block);
  IndexBox cells, nodes;
  for (std::size_t a = 0; a < 3; ++a) {
    cells.first[a] = std::max<std::int64_t>(0, brick.cells.first[a] - 1);
    cells.size[a] = std::min(all[a], brick.cells.first[a] + brick.cells.size[a] + 1) - cells.first[a];
    nodes.first[a] = cells.first[a];
    nodes.size[a] = cells.size[a] + 1;
  }
  std::vector<double> blanks;
  if (iblank >= 0) {
    blanks.resize(static_cast<std::size_t>(product(nodes.size)));
    const paging::GatherTarget target{iblank, blanks.data()};
    cursor.gatherTiled(nodes, {&target, 1});
  }
  const auto isBlank = [&](const Index3& at) {
    for (int corner = 0; corner < 8; ++corner) {
      const Index3 node{at[0] + (corner & 1), at[1] + (corner >> 1 & 1), at[2] + (corner >> 2)};
      if (blanks[static_cast<std::size_t>(linear(node, nodes.size))] == 0) return true;
    }
    return false;
  };
  out.flags.assign(m_layout.flags(), 1);
  const std::int64_t side = m_grid.edge() + 2;
  Index3 at;
  for (at[2] = 0; at[2] < cells.size[2]; ++at[2])
    for (at[1] = 0; at[1] < cells.size[1]; ++at[1]) {
      Index3 to;
      for (std::size_t a = 0; a < 3; ++a)
        to[a] = cells.first[a] + (a == 0 ? 0 : at[a]) - brick.cells.first[a] + 1;
      std::uint8_t* const row = out.flags.data() + linear(to, {side, side, side});
      for (at[0] = 0; at[0] < cells.size[0]; ++at[0]) row[at[0]] = !blanks.empty() && isBlank(at) ? 1 : 0;
    }
}

bool LineBrickReader::isInCache(std::int64_t number) const {
  const LineGrid::Brick brick = m_grid.brick(number);
  paging::PageCache& cache = m_data.cache();
  for (const std::size_t n : m_arrays[static_cast<std::size_t>(brick.block)]) {
    const paging::ArrayDescription& array = m_data.description().arrays[n];
    Index3 first, count;
    for (std::size_t a = 0; a < 3; ++a) {
      const int axis = static_cast<int>(a);
      first[a] = array.layout.pageAlong(axis, brick.cells.first[a]);
      count[a] = array.layout.pageAlong(axis, brick.cells.first[a] + brick.cells.size[a]) - first[a] + 1;
    }
    for (std::int64_t p = 0; p < product(count); ++p) {
      Index3 page = unlinear(p, count);
      for (std::size_t a = 0; a < 3; ++a) page[a] += first[a];
      paging::Frame* const frame = cache.tryPin(paging::makeKey(
          m_data.handles()[n], array.pageNumber(m_step, linear(page, array.layout.pagesPerAxis()))));
      if (!frame) return false;
      cache.unpin(frame);
    }
  }
  return true;
}

}  // namespace farfield::opencl
