#include "render/volume/tile_aim.h"

#include <algorithm>
#include <cmath>

namespace farfield::volume {

Aim::Aim(const BrickGrid& g, const scene::VolumeLook& look, const RayCamera& c, double length)
    : grid(g), camera(c), box(g.bounds()), planes(look.clipPlanes), stepLength(length) {
  if (!look.clipBox) return;
  for (int a = 0; a < 3; ++a) {
    box.min[a] = std::max(box.min[a], (*look.clipBox)[0][a]);
    box.max[a] = std::min(box.max[a], (*look.clipBox)[1][a]);
  }
}

bool aimTile(const Aim& aim, const PixelBox& pixels, int firstRow, std::span<const float> from,
             std::span<const float> to, RayTile& tile) {
  const bool rectilinear = aim.grid.rectilinear();
  bool any = false;
  const double stepRate = 1 / aim.stepLength;
  Vec3 scale, perStep, origin;
  for (int a = 0; a < 3; ++a) {
    scale[a] = rectilinear ? 1 : 1 / aim.grid.spacing[a];
    perStep[a] = (rectilinear ? 1 : aim.grid.spacing[a]) * stepRate;
    origin[a] = rectilinear ? 0 : aim.grid.origin[a];
  }
  for (int row = 0; row < kTileSide; ++row)
    for (int column = 0; column < kTileSide; ++column) {
      const auto at = static_cast<std::size_t>(row * kTileSide + column);
      const int x = pixels.x0 + column, y = pixels.y0 + row;
      tile.first[at] = tile.end[at] = 0;
      tile.firstWeight[at] = tile.lastWeight[at] = 1;
      Ray ray;
      Vec3 rates;
      double enter = 0, leave = -1, begin = 0, end = INFINITY;
      if (x < pixels.x1 && y < pixels.y1) {
        const std::size_t pixel =
            static_cast<std::size_t>(y - firstRow) * static_cast<std::size_t>(aim.camera.width()) +
            static_cast<std::size_t>(x);
        ray = aim.camera.ray(x, y);
        leave = INFINITY;
        if (!from.empty()) begin = from[pixel];
        if (!to.empty()) end = to[pixel];
        for (int a = 0; a < 3; ++a) {
          // a ray along the box's face is inside by the comparison alone: 0 times infinity is NaN
          if (ray.direction[a] == 0) {
            if (!(ray.origin[a] >= aim.box.min[a] && ray.origin[a] <= aim.box.max[a])) leave = -1;
            continue;
          }
          const double rate = 1 / ray.direction[a];
          rates[a] = rate;
          const double p = (aim.box.min[a] - ray.origin[a]) * rate,
                       q = (aim.box.max[a] - ray.origin[a]) * rate;
          enter = std::max(enter, std::min(p, q));
          leave = std::min(leave, std::max(p, q));
        }
        for (const scene::ClipPlane& plane : aim.planes) {
          const double rate = dot(ray.direction, plane.normal);
          const double distance = dot(plane.origin - ray.origin, plane.normal);
          if (rate > 0)
            enter = std::max(enter, distance / rate);
          else if (rate < 0)
            leave = std::min(leave, distance / rate);
          else if (distance > 0)
            leave = -1;
        }
      }
      // in steps from where it enters
      const double low = std::max((begin - enter) * stepRate, 0.0);
      double high = (std::min(leave, end) - enter) * stepRate;
      high = std::min(high, kMostSamples - 1);
      const bool sees = high > low && leave > enter;
      if (sees) {
        any = true;
        const double first = std::floor(low), last = std::ceil(high);
        tile.first[at] = first;
        tile.end[at] = last;
        tile.firstWeight[at] = static_cast<float>(first + 1 - low);
        tile.lastWeight[at] = static_cast<float>(high - (last - 1));
        if (first + 1 == last) tile.firstWeight[at] = tile.lastWeight[at] = static_cast<float>(high - low);
      }
      if (!sees) {
        for (std::size_t n = 0; n < 3; ++n) {
          tile.start[n][at] = tile.step[n][at] = 0;
          tile.inverse[n][at] = 1e300;
        }
        continue;
      }
      const double toFirst = enter + 0.5 * aim.stepLength;
      for (int a = 0; a < 3; ++a) {
        const auto n = static_cast<std::size_t>(a);
        const double along = ray.direction[a];
        tile.start[n][at] = (ray.origin[a] + toFirst * along - origin[a]) * scale[a];
        tile.step[n][at] = along * aim.stepLength * scale[a];
        // a ray parallel to an axis' planes lies on one side of each or, on one, on its upper side
        tile.inverse[n][at] = along != 0 ? rates[a] * perStep[a] : 1e300;
      }
    }
  return any;
}

}  // namespace farfield::volume
