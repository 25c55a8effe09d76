#include "core/fields/box_search.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/fields/trilinear.h"
#include "core/paging/boxes/cell_boxes.h"

namespace farfield::fields {
namespace {
constexpr int kBoxComponents = 6;

}  // namespace

Index3 cellAt(const Index3& nodes, std::int64_t number) {
  return unlinear(number, paging::cellDims(nodes));
}

BoxSearch::BoxSearch(PagedData& data, tasks::TaskContext& context, int block, std::int64_t step)
    : m_data(data), m_context(context), m_step(step) {
  const Index3& dims = data.description().blocks[static_cast<std::size_t>(block)].dims;
  m_cells = paging::cellDims(dims);
  for (int level = 0;; ++level) {
    const int handle = data.handle(block, "boxes" + std::to_string(level));
    if (handle < 0) break;
    m_levels.push_back(static_cast<std::uint32_t>(handle));
  }
}

std::vector<CellGroup> BoxSearch::candidates(Vec3 point) {
  // One page at a time, whatever the plan's mode: its frame is part of every reservation.
  paging::Cursor cursor(m_data.pool(), m_context, paging::GatherMode::Copying);
  struct Group {
    Index3 at{0, 0, 0};
    Bounds box;
  };
  std::vector<Group> groups(1);
  std::vector<double> boxes;
  for (auto level = m_levels.rbegin(); level != m_levels.rend(); ++level) {
    const Index3& dims = m_data.pool().array(*level).layout.dims();
    cursor.unbind();
    const int slot = cursor.bind(*level);
    cursor.setStep(m_step);
    std::vector<Group> next;
    for (const Group& group : groups) {
      IndexBox children;
      for (int a = 0; a < 3; ++a) {
        const std::int64_t per = level == m_levels.rbegin() ? dims[a] : kGroupsPerGroup;
        children.first[a] = group.at[a] * per;
        children.size[a] = std::min(per, dims[a] - children.first[a]);
      }
      boxes.resize(static_cast<std::size_t>(product(children.size) * kBoxComponents));
      const paging::GatherTarget target{slot, boxes.data()};
      cursor.gather(children, {&target, 1});
      for (std::int64_t n = 0; n < product(children.size); ++n) {
        const double* const box = boxes.data() + n * kBoxComponents;
        const Bounds bounds{{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
        if (!boxMayHold(bounds, point)) continue;
        const Index3 at = unlinear(n, children.size);
        next.push_back(
            {{children.first[0] + at[0], children.first[1] + at[1], children.first[2] + at[2]}, bounds});
      }
    }
    groups = std::move(next);
  }
  std::vector<CellGroup> found;
  for (const Group& group : groups) {
    CellGroup cells{{}, group.box};
    for (int a = 0; a < 3; ++a) {
      cells.cells.first[a] = group.at[a] * kCellsPerGroup;
      cells.cells.size[a] = std::min(kCellsPerGroup, m_cells[a] - cells.cells.first[a]);
    }
    found.push_back(cells);
  }
  std::sort(found.begin(), found.end(), [&](const CellGroup& a, const CellGroup& b) {
    return linear(a.cells.first, m_cells) < linear(b.cells.first, m_cells);
  });
  return found;
}

}  // namespace farfield::fields
