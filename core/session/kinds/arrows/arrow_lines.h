#pragma once
// Places with a vector as arrows of lines: a shaft, and a head of two strokes in the plane of the vector and its
// side of the surface.

#include <memory>
#include <optional>

#include "core/base/geometry.h"
#include "core/session/results/polylines.h"

namespace farfield::session {

struct ArrowColumns {
  int vector = 3, normal = 6;     ///< the first of three columns each; the point comes first
  std::optional<int> color = {};  ///< none: without scalars
};

/// `perUnit`: of length per unit of the vector; or, if `equal` is above 0, that long, whatever the vector. Vectors of length 0
/// and those that are not finite have none. Lengths and heads are as they are seen where axes are stretched.
struct ArrowSizes {
  double perUnit = 0, equal = 0;
  Vec3 stretch{1, 1, 1};
};

/// Every vertex of `places` as an arrow. Throws, while it is drawn, what reading the places throws.
std::shared_ptr<const scene::LineGeometry> arrowLines(std::shared_ptr<const Polylines> places,
                                                      const ArrowColumns& columns, const ArrowSizes& sizes);

}  // namespace farfield::session
