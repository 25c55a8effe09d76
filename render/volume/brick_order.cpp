#include "render/volume/brick_order.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace farfield::volume {

BrickOrder::BrickOrder(const BrickGrid& grid, const RayCamera& camera, const Vec3& together) {
  const Index3 count = grid.bricks();
  const Bounds box = grid.bounds();
  double most = 0;
  for (int a = 0; a < 3; ++a) {
    m_weight[a] = std::abs(camera.back()[a]) * (box.max[a] - box.min[a]) /
                  static_cast<double>(count[static_cast<std::size_t>(a)]);
    most = std::max(most, m_weight[a]);
  }
  // none is 0, and sums of a few thousand are distinct
  for (int a = 0; a < 3; ++a) {
    // over the bricks of a page the sum changes less than from one page to the next
    const double pages = std::max(together[a], 1.0);
    m_weight[a] = std::max((most > 0 ? m_weight[a] / most : 1) / (pages * pages), 1e-4);
  }
  for (int a = 0; a < 3; ++a) {
    const auto n = static_cast<std::size_t>(a);
    const bool descends = grid.coordinate(a, 1) < grid.coordinate(a, 0);
    if (camera.orthographic()) {
      // all rays go the same way: from an eye infinitely far away
      const bool towardsHigher = (camera.back()[a] <= 0) != descends;
      m_eye[n] = towardsHigher ? 0 : count[n] - 1;
      continue;
    }
    std::int64_t at = 0;
    while (at + 1 < count[n]) {
      const double next = grid.coordinate(a, (at + 1) * kBrickCells);
      if (descends ? camera.eye()[a] > next : camera.eye()[a] < next) break;
      ++at;
    }
    m_eye[n] = at;
  }
}

double BrickOrder::placeOf(const Index3& brick) const {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    const auto n = static_cast<std::size_t>(a);
    sum += m_weight[a] * static_cast<double>(std::abs(brick[n] - m_eye[n]));
  }
  return sum;
}

}  // namespace farfield::volume
