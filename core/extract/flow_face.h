#pragma once
// A face of an unstructured block with a vector at its corners, for who follows lines on it: as a cell of a FlowSheet is, with sides
// in place of a net around it. In a triangle (u, v) run along the first side and against the last; a quadrilateral is
// bilinear in them. Sides are straight, and vectors on them linear, so two faces agree on the side that they share.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/geometry.h"
#include "core/extract/face_links.h"
#include "core/extract/flow_sheet.h"

namespace farfield::extract {

struct FlowFace {
  using Place = FlowSheet::Place;

  std::int64_t number = -1;  ///< counted from the first of its surface
  int sides = 3;             ///< 3 or 4; side n goes from corner n to the next
  std::array<Vec3, 4> points{};
  Vec3 stretch{1, 1, 1};  ///< as a FlowSheet has it
  std::size_t width = 3;  ///< values of a corner, of which the first three are the vector
  std::vector<double> values;
  std::array<std::optional<FaceSide>, 4> beyond{};  ///< its sides

  int next(int corner) const { return corner + 1 < sides ? corner + 1 : 0; }
  int before(int corner) const { return corner > 0 ? corner - 1 : sides - 1; }

  /// Anywhere, also a little outside.
  FlowSheet::Here at(Place place) const {
    FlowSheet::Here here;
    const double u = place.u, v = place.v;
    if (sides == 3) {
      here.weights = {1 - u - v, u, v, 0};
      here.alongU = points[1] - points[0];
      here.alongV = points[2] - points[0];
    } else {
      here.weights = {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
      here.alongU = (1 - v) * (points[1] - points[0]) + v * (points[2] - points[3]);
      here.alongV = (1 - u) * (points[3] - points[0]) + u * (points[2] - points[1]);
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(sides); ++c) {
      here.point = here.point + here.weights[c] * points[c];
      const double* const its = values.data() + c * width;
      here.vector = here.vector + here.weights[c] * times({its[0], its[1], its[2]}, stretch);
    }
    return here;
  }
  double valueAt(const FlowSheet::Here& here, std::size_t value) const {
    double sum = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(sides); ++c)
      sum += here.weights[c] * values[c * width + value];
    return sum;
  }

  Place placeOn(int side, double share) const {
    if (sides == 3)
      return side == 0 ? Place{share, 0} : side == 1 ? Place{1 - share, share} : Place{0, 1 - share};
    return side == 0   ? Place{share, 0}
           : side == 1 ? Place{1, share}
           : side == 2 ? Place{1 - share, 1}
                       : Place{0, 1 - share};
  }
  /// Of the point of the side that is nearest in (u, v), 0 … 1.
  double shareOn(int side, Place place) const {
    const double share = side == 0                 ? place.u
                         : side == 1               ? place.v
                         : side == 2 && sides == 4 ? 1 - place.u
                                                   : 1 - place.v;
    return std::clamp(share, 0.0, 1.0);
  }
  /// How far from a side: 0 on it, negative outside. Linear in the place.
  double within(int side, Place place) const {
    if (sides == 3) return side == 0 ? place.v : side == 1 ? 1 - place.u - place.v : place.u;
    return side == 0 ? place.v : side == 1 ? 1 - place.u : side == 2 ? 1 - place.v : place.u;
  }
  /// How that changes.
  double withinRate(int side, Place rate) const {
    if (sides == 3) return side == 0 ? rate.v : side == 1 ? -rate.u - rate.v : rate.u;
    return side == 0 ? rate.v : side == 1 ? -rate.u : side == 2 ? -rate.v : rate.u;
  }
  Vec3 alongSide(int side) const {
    return points[static_cast<std::size_t>(next(side))] - points[static_cast<std::size_t>(side)];
  }
  /// From its corners' order, to where its cell is: against the normal. 0 where it has no area.
  static Vec3 inwards(const FlowSheet::Here& here) {
    const Vec3 across = cross(here.alongV, here.alongU);
    const double size = length(across);
    return size > 0 && std::isfinite(size) ? 1 / size * across : Vec3{};
  }
};

}  // namespace farfield::extract
