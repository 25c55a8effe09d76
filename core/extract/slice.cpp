#include "core/extract/slice.h"

#include <memory>

#include "core/base/error.h"
#include "core/extract/slice_group.h"

namespace farfield::extract {

Slice::Slice(const paging::DatasetDescription& description, const Plane& plane)
    : m_plane(plane), m_tasks(description) {
  if (taskCount() == 0)
    throw Invalid("the data are one sheet of nodes, which has no inside", "show it as a grid-surface");
  Bounds bounds;
  for (const paging::BlockDescription& block : description.blocks) bounds.add(block.bounds);
  if (plane.isBelow(bounds)) m_side = -1;
}

std::uint64_t sliceTaskBytes(const fields::FunctionPlan& functions) {
  return detail::SliceGroup::bytesFor(functions) + fields::CellTasks::groupBytes();
}

void Slice::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                    const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const {
  const std::vector<fields::CellGroup> groups = m_tasks.groups(
      number, data, context, step, [&](const Bounds& bounds) { return m_plane.mayMeet(bounds); });
  if (groups.empty()) return;
  const auto group = std::make_unique<detail::SliceGroup>(m_plane, m_side, m_tasks.blockOf(number), data,
                                                          context, functions, step);
  for (const fields::CellGroup& each : groups) {
    context.throwIfGivenUp();
    group->cut(each, number, sink);
  }
}

}  // namespace farfield::extract
