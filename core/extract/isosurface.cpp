#include "core/extract/isosurface.h"

#include <algorithm>
#include <memory>

#include "core/base/error.h"
#include "core/extract/coarse_surface.h"
#include "core/extract/iso_patch.h"
#include "core/extract/overlap_clipper.h"
#include "core/fields/groups/unstructured_field_group.h"

namespace farfield::extract {

Isosurface::Isosurface(const paging::DatasetDescription& description, std::vector<double> values,
                       Overlaps overlaps)
    : m_values(std::move(values)), m_tasks(description), m_overlaps(overlaps) {
  std::sort(m_values.begin(), m_values.end());
  m_values.erase(std::unique(m_values.begin(), m_values.end()), m_values.end());
  if (taskCount() == 0)
    throw Invalid("the data are one sheet of nodes, which has no inside", "show it as a grid surface");
}

std::uint64_t isosurfaceTaskBytes(const paging::DatasetDescription& description,
                                  const fields::SurfaceFunctions& functions, Overlaps overlaps) {
  return (overlaps == Overlaps::Resolved ? detail::OverlapClipper::bytesFor(functions.shown) : 0) +
         detail::IsoPatch<fields::FieldGroup>::bytesFor(
             static_cast<std::size_t>(functions.shown.outputCount())) +
         std::max(fields::FieldGroup::bytesFor(description, functions),
                  fields::UnstructuredFieldGroup::bytesFor(description, functions)) +
         static_cast<std::uint64_t>(fields::CellTasks::kMostGroups) * sizeof(fields::CellGroup);
}

void Isosurface::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                         const fields::SurfaceFunctions& functions, std::int64_t step,
                         SurfaceSink& sink) const {
  if (!m_tasks.isThere(number, step)) return;
  std::vector<fields::CellGroup> groups = m_tasks.allGroups(number, data.description());
  const int block = m_tasks.blockOf(number);
  const auto outputs = static_cast<std::size_t>(functions.shown.outputCount());
  const auto cut = [&]<class Group>(Group& group, SurfaceSink& into, const auto& opened) {
    const auto patch = std::make_unique<detail::IsoPatch<Group>>(group, outputs, number, into);
    for (const fields::CellGroup& each : groups) {
      context.throwIfGivenUp();
      if (!group.open(each)) continue;
      opened();
      for (const double value : m_values) patch->cut(value);
    }
  };
  if (data.description().blocks[static_cast<std::size_t>(block)].isUnstructured()) {
    const auto group =
        std::make_unique<fields::UnstructuredFieldGroup>(block, data, context, functions, m_values, step);
    return cut(*group, sink, [] {});
  }
  const auto group = std::make_unique<fields::FieldGroup>(block, data, context, functions, m_values, step);
  group->keepPossible(groups);
  if (groups.empty()) return;
  const auto clipper = detail::OverlapClipper::make(m_overlaps, block, data, context, outputs + 1, step);
  if (!clipper) return cut(*group, sink, [] {});
  detail::ClippedSink clipped(*clipper, sink);
  cut(*group, clipped, [&] { group->letPagesGo(); });
}

void Isosurface::extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                                 const fields::SurfaceFunctions& functions, std::int64_t step,
                                 SurfaceSink& sink) const {
  const int block = m_tasks.blockOf(number);
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(block)];
  if (coarseStride() == 0 || !m_tasks.isThere(number, step)) return;
  if (grid.isUnstructured())
    return cutListedCoarsely({coarseCellStride(taskCount()), m_values}, block,
                             m_tasks.allGroups(number, data.description()), number, data, context, functions,
                             step, sink);
  cutCoarsely({coarseStride(), m_values}, block, m_tasks.cellsOf(number, grid), number, data, context,
              functions, step, sink);
}

}  // namespace farfield::extract
