#include "render/opencl/cast_numbers.h"

#include <algorithm>

#include "render/volume/brick_source.h"
#include "render/volume/tile_aim.h"

namespace farfield::opencl {
namespace {

using volume::BrickGrid;
using volume::kBrickCells;

/// Entries of each brick in the tables of axes.
constexpr int kAxisEntries = 36;

template <class Number>
void put(Number (&out)[3], Vec3 v) {
  for (int a = 0; a < 3; ++a) out[a] = static_cast<Number>(v[a]);
}

void addLevel(CastNumbers& out, std::size_t which, const volume::BrickSource& source, std::int64_t pagesAt) {
  const BrickGrid& grid = source.grid();
  LevelNumbers& level = out.job.level[which];
  const Index3 bricks = grid.bricks();
  const auto gradient = volume::gradientScale(grid, source.format());
  level.pagesAt = static_cast<std::int32_t>(pagesAt);
  for (std::size_t a = 0; a < 3; ++a) {
    const int axis = static_cast<int>(a);
    level.bricks[a] = static_cast<std::int32_t>(bricks[a]);
    level.cells[a] = static_cast<std::int32_t>(grid.nodes[a] - 1);
    level.gradient[a] = gradient[a];
    level.planesAt[a] = static_cast<std::int32_t>(out.planes.size());
    level.nodesAt[a] = static_cast<std::int32_t>(out.axisNodes.size());
    for (std::int64_t b = 0; b <= bricks[a]; ++b) {
      const std::int64_t node = std::min(b * kBrickCells, grid.nodes[a] - 1);
      out.planes.push_back(grid.rectilinear() ? grid.coordinate(axis, node) : static_cast<double>(node));
    }
    if (!grid.rectilinear()) continue;
    for (std::int64_t b = 0; b < bricks[a]; ++b) {
      const std::int64_t first = b * kBrickCells,
                         cells = std::min<std::int64_t>(kBrickCells, grid.nodes[a] - 1 - first);
      const std::size_t begin = out.axisNodes.size();
      out.axisNodes.resize(begin + kAxisEntries);
      for (std::int64_t n = 0; n < cells + 3; ++n) {
        const std::int64_t node = std::clamp<std::int64_t>(first + n - 1, 0, grid.nodes[a] - 1);
        out.axisNodes[begin + static_cast<std::size_t>(n)][0] =
            static_cast<float>(grid.coordinate(axis, node) - grid.coordinate(axis, first));
      }
      for (std::size_t n = begin; n + 1 < begin + static_cast<std::size_t>(cells + 3); ++n) {
        const float width = out.axisNodes[n + 1][0] - out.axisNodes[n][0];
        out.axisNodes[n][1] = width > 0 ? 1 / width : 0;
      }
    }
  }
}

}  // namespace

CastNumbers numbersOf(std::span<volume::BrickSource* const> levels, const volume::CastJob& job,
                      const volume::CastLook& look) {
  CastNumbers out;
  const BrickGrid& grid = levels[0]->grid();
  const volume::RayCamera& camera = job.camera;
  const volume::Aim aim(grid, job.look, camera, job.stepLength);
  put(out.view.eye, camera.eye());
  put(out.view.right, camera.right());
  put(out.view.up, camera.up());
  put(out.view.back, camera.back());
  out.view.pixel = 0.5 * camera.pixelSize(1);
  put(out.view.low, aim.box.min);
  put(out.view.high, aim.box.max);
  out.view.stepLength = job.stepLength;
  const bool rectilinear = grid.rectilinear();
  put(out.view.origin, rectilinear ? Vec3{} : grid.origin);
  put(out.view.spacing, rectilinear ? Vec3{1, 1, 1} : grid.spacing);
  put(out.view.coarseScale, Vec3{1, 1, 1});
  if (levels.size() > 1 && !rectilinear)
    for (int a = 0; a < 3; ++a) {
      const BrickGrid& coarse = levels[1]->grid();
      out.view.coarseScale[a] = grid.spacing[a] / coarse.spacing[a];
      out.view.coarseOffset[a] = (grid.origin[a] - coarse.origin[a]) / coarse.spacing[a];
    }
  for (const scene::ClipPlane& plane : aim.planes)
    for (const Vec3& v : {plane.origin, plane.normal}) out.clips.insert(out.clips.end(), {v.x, v.y, v.z});

  const volume::MarchJob& march = look.march();
  JobNumbers& numbers = out.job;
  numbers.width = camera.width();
  numbers.height = camera.height();
  numbers.firstRow = job.firstRow;
  numbers.rows = job.rows;
  numbers.orthographic = camera.orthographic();
  numbers.mode = static_cast<std::int32_t>(march.mode);
  numbers.linear = march.linear;
  numbers.lit = march.lighting;
  numbers.rectilinear = rectilinear;
  numbers.clips = static_cast<std::int32_t>(aim.planes.size());
  numbers.hasFrom = !job.from.empty();
  numbers.hasTo = !job.to.empty();
  numbers.lastEntry = look.table().entries() - 1;
  numbers.hasCoarse = levels.size() > 1;
  numbers.tableShift = march.tableShift;
  numbers.tableLowest = march.tableLowest;
  numbers.tableHighest = march.tableHighest;
  numbers.hasCells = !look.table().cells().empty();
  numbers.tableLow = march.tableLow;
  numbers.tableScale = march.tableScale;
  numbers.isoRaw = march.isoRaw;
  numbers.isoColor = march.isoColor;
  numbers.flat = march.flat;
  std::copy(march.key.begin(), march.key.end(), numbers.key);
  std::copy(march.fill.begin(), march.fill.end(), numbers.fill);
  std::copy(march.half.begin(), march.half.end(), numbers.half);
  std::int64_t pages = 0;
  for (std::size_t n = 0; n < levels.size(); ++n) {
    addLevel(out, n, *levels[n], pages);
    pages += levels[n]->grid().brickCount();
  }
  if (out.axisNodes.empty()) out.axisNodes.push_back({});
  return out;
}

ViewNumbers<float> singleOf(const ViewNumbers<double>& view) {
  static_assert(sizeof(ViewNumbers<double>) % sizeof(double) == 0);
  ViewNumbers<float> out;
  const auto* const from = reinterpret_cast<const double*>(&view);
  auto* const to = reinterpret_cast<float*>(&out);
  for (std::size_t n = 0; n < sizeof view / sizeof(double); ++n) to[n] = static_cast<float>(from[n]);
  return out;
}

}  // namespace farfield::opencl
