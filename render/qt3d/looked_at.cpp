#include "render/qt3d/looked_at.h"

#include <algorithm>
#include <cmath>

#include "render/view/screen_map.h"

namespace farfield::qt3d {

bool isLookedAt(Bounds bounds, const scene::VolumeLook& look, const scene::VolumeCast& cast) {
  if (const auto& box = look.clipBox)
    for (int axis = 0; axis < 3; ++axis) {
      bounds.min[axis] = std::max(bounds.min[axis], (*box)[0][axis]);
      bounds.max[axis] = std::min(bounds.max[axis], (*box)[1][axis]);
      if (bounds.min[axis] > bounds.max[axis]) return false;
    }
  if (bounds.empty() || !look.clipPlanes.empty()) return false;
  const view::ScreenMap map(cast.camera, cast.width, cast.height);
  const auto isOpen = [&](Vec3 place) {
    const auto at = map.project(place);
    if (!at || at->x < 0 || at->y < 0 || at->x >= cast.width || at->y >= cast.height) return false;
    const auto ray = static_cast<std::size_t>(at->x) +
                     static_cast<std::size_t>(cast.width) * static_cast<std::size_t>(at->y);
    return cast.to.empty() || std::isinf(cast.to[ray]);
  };
  // The middle may lie on a slice, beside which rays go on.
  constexpr double kNearCorners = 0.9;
  const Vec3 middle = bounds.center(), half = kNearCorners * (bounds.max - middle);
  bool isAny = isOpen(middle);
  for (int corner = 0; corner < 8 && !isAny; ++corner)
    isAny = isOpen(middle + Vec3{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                 corner & 4 ? half.z : -half.z});
  return isAny;
}

}  // namespace farfield::qt3d
