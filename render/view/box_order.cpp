#include "render/view/box_order.h"

#include <algorithm>
#include <numeric>

namespace farfield::view {
namespace {

/// -1: `a` is seen before `b`, 1: after it, 0: no plane separates them.
int sideOf(const Bounds& a, const Bounds& b, const scene::Camera& camera) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool below = a.max[axis] <= b.min[axis];
    if (!below && b.max[axis] > a.min[axis]) continue;
    const double plane = camera.stretch[axis] * (below ? b.min[axis] : a.min[axis]);
    const double sight = camera.target[axis] - camera.position[axis];
    const double eye = camera.orthographic ? -sight : camera.position[axis] - plane;
    if (eye == 0) continue;
    return (eye < 0) == below ? -1 : 1;
  }
  return 0;
}

}  // namespace

std::vector<std::size_t> frontToBack(std::span<const Bounds> boxes, const scene::Camera& camera) {
  std::vector<std::size_t> left(boxes.size()), order;
  std::iota(left.begin(), left.end(), std::size_t{0});
  const Vec3 sight = camera.target - camera.position;
  const auto depthOf = [&](std::size_t n) {
    return dot(scene::stretched(boxes[n].center(), camera.stretch) - camera.position, sight);
  };
  std::stable_sort(left.begin(), left.end(),
                   [&](std::size_t a, std::size_t b) { return depthOf(a) < depthOf(b); });
  while (!left.empty()) {
    // the nearest that nothing is known to be in front of; in a cycle the nearest
    auto next = std::find_if(left.begin(), left.end(), [&](std::size_t n) {
      return std::none_of(left.begin(), left.end(), [&](std::size_t other) {
        return other != n && sideOf(boxes[other], boxes[n], camera) < 0;
      });
    });
    if (next == left.end()) next = left.begin();
    order.push_back(*next);
    left.erase(next);
  }
  return order;
}

}  // namespace farfield::view
