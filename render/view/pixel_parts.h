#pragma once
// Where the edge of something opaque crosses a pixel, some of its samples see what is near, and the others what lies behind.
// Rays through such a pixel have two ends.

#include <cstdint>
#include <span>

#include "render/view/view_transform.h"

namespace farfield::view {

struct PixelParts {
  float near = 1, far = 1;    ///< depths of the two
  std::uint32_t samples = 0;  ///< the near ones, by bit; none: all are of one part
};

/// Of pixel (x, y) with the `depths` of its samples, at most 32. They are of one part if they lie nearer to each other than `gap`,
/// a distance, so that the slope of a surface makes no edge.
PixelParts partsOf(std::span<const float> depths, const ViewTransform& view, int x, int y, double gap);

/// A gap for scenes of that size.
double gapOf(const Bounds& bounds);

}  // namespace farfield::view
