#include "core/extract/wall_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/extract/sheet_net.h"

namespace farfield::extract {
namespace {

/// A face is looked at whose cells are no more than so many from the point's. Layers at walls are thin, and what is drawn of a bent face
/// lies some of them beside it.
constexpr std::int64_t kNearCells = 32;
/// Around the patch with the point's cell: grid lines need not be upright on the face.
constexpr std::int64_t kMargin = 4;
constexpr int kMostSteps = 16;

/// The lowest node of a cell of a net, and where in the cell.
struct OnNet {
  std::size_t node = 0;
  double u = 0, v = 0;
  double away = std::numeric_limits<double>::infinity();
};

Vec3 bilinear(const std::array<Vec3, 4>& c, double u, double v) {
  return (1 - v) * ((1 - u) * c[0] + u * c[1]) + v * ((1 - u) * c[2] + u * c[3]);
}

/// Gauss and Newton's steps, kept in the cell: exact in a parallelogram at the first.
void look(const std::array<Vec3, 4>& c, std::size_t node, Vec3 point, OnNet& best) {
  double u = 0.5, v = 0.5;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vec3 alongU = (1 - v) * (c[1] - c[0]) + v * (c[3] - c[2]),
               alongV = (1 - u) * (c[2] - c[0]) + u * (c[3] - c[1]), away = point - bilinear(c, u, v);
    const double uu = dot(alongU, alongU), uv = dot(alongU, alongV), vv = dot(alongV, alongV);
    const double area = uu * vv - uv * uv;
    if (!(area > 1e-24 * uu * vv)) break;  // the cell has none
    const double byU = dot(away, alongU), byV = dot(away, alongV);
    const double nextU = std::clamp(u + (vv * byU - uv * byV) / area, 0.0, 1.0),
                 nextV = std::clamp(v + (uu * byV - uv * byU) / area, 0.0, 1.0);
    const double moved = std::abs(nextU - u) + std::abs(nextV - v);
    u = nextU, v = nextV;
    if (moved < 1e-12) break;
  }
  if (const double away = length(point - bilinear(c, u, v)); away < best.away) best = {node, u, v, away};
}

OnNet nearestOn(const FlowSheet& sheet, Vec3 point) {
  OnNet best;
  for (std::int64_t v = 0; v + 1 < sheet.size[1]; ++v)
    for (std::int64_t u = 0; u + 1 < sheet.size[0]; ++u) {
      const auto node = static_cast<std::size_t>(u + sheet.size[0] * v);
      const auto above = node + static_cast<std::size_t>(sheet.size[0]);
      if (!sheet.usable[node] || !sheet.usable[node + 1] || !sheet.usable[above] || !sheet.usable[above + 1])
        continue;
      look({sheet.points[node], sheet.points[node + 1], sheet.points[above], sheet.points[above + 1]}, node,
           point, best);
    }
  return best;
}

}  // namespace

std::optional<std::vector<double>> valuesOnWall(fields::PagedData& data, tasks::TaskContext& context,
                                                const fields::FunctionPlan& functions, int block,
                                                const Index3& cell, Vec3 point, double reach,
                                                std::int64_t step) {
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(block)];
  if (grid.isUnstructured() || !isFinite(point)) return std::nullopt;
  const auto outputs = static_cast<std::size_t>(functions.outputCount());
  std::optional<std::vector<double>> found;
  double nearest = reach;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true}) {
      if (*std::min_element(grid.dims.begin(), grid.dims.end()) < 2) continue;
      if ((high ? grid.dims[axis] - 2 - cell[axis] : cell[axis]) > kNearCells) continue;
      IndexBox face{{0, 0, 0}, grid.dims};
      face.first[axis] = high ? grid.dims[axis] - 1 : 0;
      face.size[axis] = 1;
      const GridSurface surface(data.description(), block, face);
      const auto patchOf = [&](int along) {
        return cell[static_cast<std::size_t>(along)] / GridSurface::kPatchCells;
      };
      const std::int64_t across =
          (grid.dims[static_cast<std::size_t>(surface.u())] - 2) / GridSurface::kPatchCells + 1;
      const SheetNet net =
          readNet(surface, static_cast<std::size_t>(patchOf(surface.u()) + across * patchOf(surface.v())),
                  kMargin, data, context, functions, step);
      const OnNet at = nearestOn(net.sheet, point);
      if (!(at.away <= nearest)) continue;
      nearest = at.away;
      const auto row = static_cast<std::size_t>(net.sheet.size[0]);
      const std::array<std::pair<std::size_t, double>, 4> corners{{{at.node, (1 - at.u) * (1 - at.v)},
                                                                   {at.node + 1, at.u * (1 - at.v)},
                                                                   {at.node + row, (1 - at.u) * at.v},
                                                                   {at.node + row + 1, at.u * at.v}}};
      found.emplace(outputs, 0.0);
      for (const auto& [node, weight] : corners)
        for (std::size_t n = 0; n < outputs && weight > 0; ++n)
          (*found)[n] += weight * net.sheet.values[node * outputs + n];
    }
  return found;
}

}  // namespace farfield::extract
