#include "render/view/pixel_parts.h"

#include <algorithm>

namespace farfield::view {

PixelParts partsOf(std::span<const float> depths, const ViewTransform& view, int x, int y, double gap) {
  PixelParts parts;
  const auto [near, far] = std::minmax_element(depths.begin(), depths.end());
  parts.near = *near;
  parts.far = *far;
  if (*near == *far) return parts;
  const double first = view.distanceTo(x, y, *near), last = view.distanceTo(x, y, *far);
  if (!(last - first > gap)) return parts;
  for (std::size_t n = 0; n < depths.size(); ++n) {
    const double distance = view.distanceTo(x, y, depths[n]);
    if (distance - first < last - distance) parts.samples |= std::uint32_t{1} << n;
  }
  return parts;
}

double gapOf(const Bounds& bounds) {
  constexpr double kPartOfDiagonal = 1.0 / 200;
  return kPartOfDiagonal * bounds.diagonal();
}

}  // namespace farfield::view
