#include "core/extract/slice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/extract/coarse_surface.h"
#include "core/extract/face_plane.h"
#include "core/extract/overlap_clipper.h"
#include "core/extract/slice_group.h"
#include "core/fields/ranges/step_bounds.h"

namespace farfield::extract {
namespace {

/// The part of a task's `cells` around its `groups`, from one node of its coarse net to another.
IndexBox around(const std::vector<fields::CellGroup>& groups, const IndexBox& cells, std::int64_t stride) {
  IndexBox part;
  for (std::size_t a = 0; a < 3; ++a) {
    std::int64_t low = cells.size[a], end = 0;
    for (const fields::CellGroup& group : groups) {
      low = std::min(low, group.cells.first[a] - cells.first[a]);
      end = std::max(end, group.cells.first[a] + group.cells.size[a] - cells.first[a]);
    }
    low = low / stride * stride;
    end = std::min(cells.size[a], (end + stride - 1) / stride * stride);
    part.first[a] = cells.first[a] + low;
    part.size[a] = end - low;
  }
  return part;
}

// Bounds are those of all steps: of data that move the side on which nodes on the plane count is that of the step.
double sideAt(const Plane& plane, const Bounds& ofAllSteps, double otherwise, int block,
              fields::PagedData& data, tasks::TaskContext& context, std::int64_t step) {
  // Nearly all tasks know by their own block.
  const std::optional<Bounds> bounds =
      fields::boundsAtStep(data, context, block, step,
                           [&](const Bounds& soFar) { return reachesBelow(plane, soFar, ofAllSteps); });
  return !bounds ? otherwise : liesBelow(plane, *bounds) ? -1.0 : 1.0;
}

}  // namespace

Slice::Slice(const paging::DatasetDescription& description, const Plane& plane, Overlaps overlaps)
    : m_plane(plane), m_tasks(description), m_overlaps(overlaps) {
  if (taskCount() == 0)
    throw Invalid("the data are one sheet of nodes, which has no inside", "show it as a grid surface");
  for (const paging::BlockDescription& block : description.blocks) m_bounds.add(block.bounds);
  m_plane = broughtTo(m_bounds, plane);
  if (liesBelow(m_plane, m_bounds)) m_side = -1;
}

std::uint64_t sliceTaskBytes(const fields::FunctionPlan& functions, Overlaps overlaps) {
  return detail::SliceGroup::bytesFor(functions) + fields::CellTasks::groupBytes() +
         (overlaps == Overlaps::Resolved ? detail::OverlapClipper::bytesFor(functions) : 0);
}

void Slice::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                    const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const {
  const std::vector<fields::CellGroup> groups = m_tasks.groups(
      number, data, context, step, [&](const Bounds& bounds) { return m_plane.mayMeet(bounds); });
  if (groups.empty()) return;
  const int block = m_tasks.blockOf(number);
  const double side = sideAt(m_plane, m_bounds, m_side, block, data, context, step);
  const auto group =
      std::make_unique<detail::SliceGroup>(m_plane, side, block, data, context, functions, step);
  const auto clipper = detail::OverlapClipper::make(m_overlaps, block, data, context,
                                                    static_cast<std::size_t>(functions.outputCount()), step);
  if (clipper) group->holdNoPages();
  const auto cutInto = [&](SurfaceSink& into) {
    for (const fields::CellGroup& each : groups) {
      context.throwIfGivenUp();
      group->cut(each, number, into);
    }
  };
  if (!clipper) return cutInto(sink);
  detail::ClippedSink clipped(*clipper, sink);
  cutInto(clipped);
}

std::int64_t Slice::coarseStride() const {
  return extract::coarseStride(tasksMet());
}

/// About as many as in a sheet through a cube of them.
std::size_t Slice::tasksMet() const {
  return static_cast<std::size_t>(std::ceil(1.5 * std::pow(taskCount(), 2.0 / 3)));
}

void Slice::extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                            const fields::SurfaceFunctions& functions, std::int64_t step,
                            SurfaceSink& sink) const {
  const int block = m_tasks.blockOf(number);
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(block)];
  const std::int64_t stride = coarseStride();
  if (stride == 0) return;
  const std::vector<fields::CellGroup> groups = m_tasks.groups(
      number, data, context, step, [&](const Bounds& bounds) { return m_plane.mayMeet(bounds); });
  if (groups.empty()) return;
  // nodes on the plane count as above 0, but as below the least number that is more
  const double side = sideAt(m_plane, m_bounds, m_side, block, data, context, step);
  const double value = side > 0 ? 0 : std::numeric_limits<double>::denorm_min();
  const auto distance = [&](const Vec3& place) { return m_plane.distance(place); };
  if (grid.isUnstructured())
    return cutListedCoarsely({coarseCellStride(tasksMet()), {&value, 1}, distance}, block, groups, number,
                             data, context, functions, step, sink);
  cutCoarsely({stride, {&value, 1}, distance}, block, around(groups, m_tasks.cellsOf(number, grid), stride),
              number, data, context, functions, step, sink);
}

}  // namespace farfield::extract
