#include "core/extract/outline.h"

#include <algorithm>
#include <vector>

#include "core/fields/functions/node_coordinates.h"

namespace farfield::extract {
namespace {
/// Nodes gathered at a time, so that the memory of a task does not grow with the block.
constexpr std::int64_t kRunNodes = 256;

/// An edge of a box along the axes.
void boxEdge(std::size_t edge, const Bounds& box, const std::function<void(Vec3)>& vertex) {
  if (box.empty()) return;
  const IndexBox corners = edgeNodes({2, 2, 2}, edge);
  for (int end = 0; end < 2; ++end) {
    Vec3 point;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const bool high = corners.first[axis] + (corners.size[axis] > 1 ? end : 0) > 0;
      point[a] = high ? box.max[a] : box.min[a];
    }
    vertex(point);
  }
}

}  // namespace

IndexBox edgeNodes(const Index3& dims, std::size_t edge) {
  const int axis = static_cast<int>(edge / 4);
  const int others[2] = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
  IndexBox box{{0, 0, 0}, {1, 1, 1}};
  box.size[axis] = dims[axis];
  for (int n = 0; n < 2; ++n)
    if (edge >> n & 1) box.first[others[n]] = dims[others[n]] - 1;
  return box;
}

void extractEdge(std::size_t edge, int block, fields::PagedData& data, tasks::TaskContext& context,
                 std::int64_t step, const std::function<void(Vec3)>& vertex) {
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(block)];
  if (grid.isUnstructured()) return boxEdge(edge, grid.bounds, vertex);
  const IndexBox nodes = edgeNodes(grid.dims, edge);
  const int axis = static_cast<int>(edge / 4);
  if (nodes.size[axis] < 2) return;
  if (!grid.hasCoordinates()) {
    Index3 end = nodes.first;
    end[axis] += nodes.size[axis] - 1;
    vertex(fields::regularNode(grid, nodes.first));
    vertex(fields::regularNode(grid, end));
    return;
  }
  paging::Cursor cursor(data.cache(), context, data.plan().mode);
  cursor.setStep(step);
  const int slot =
      cursor.bind(static_cast<std::uint32_t>(data.handle(block, paging::ArrayRole::Coordinates)));
  std::vector<double> xyz;
  for (std::int64_t at = 0; at < nodes.size[axis]; at += kRunNodes) {
    IndexBox run = nodes;
    run.first[axis] = at;
    run.size[axis] = std::min(kRunNodes, nodes.size[axis] - at);
    xyz.resize(static_cast<std::size_t>(3 * run.size[axis]));
    fields::gatherCoordinates(cursor, slot, grid, run, xyz);
    for (std::size_t n = 0; n + 2 < xyz.size(); n += 3) {
      const Vec3 point{xyz[n], xyz[n + 1], xyz[n + 2]};
      if (isFinite(point)) vertex(point);
    }
  }
}

}  // namespace farfield::extract
