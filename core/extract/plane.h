#pragma once
// A plane for slices: on which side of it a node lies, and whether it can meet given bounds.

#include <array>

#include "core/base/geometry.h"

namespace farfield::extract {

class Plane {
 public:
  /// Through `origin`; `normal` may have any length. Throws Invalid if it is zero, or if either is not
  /// finite.
  Plane(Vec3 origin, Vec3 normal);

  Vec3 origin() const { return m_origin; }
  /// Of unit length.
  Vec3 normal() const { return m_normal; }

  /// Signed distance of `point`, positive on the side of the normal, in the data's length unit. Exactly 0 if
  /// it is below its own rounding error, so that a plane through nodes goes exactly through them. NaN for a
  /// point that is not finite.
  double distance(Vec3 point) const;
  /// False if no point of `bounds` has distance 0.
  bool mayMeet(const Bounds& bounds) const;
  /// True if the plane lies below `bounds`: no point of them has a negative distance.
  bool isBelow(const Bounds& bounds) const;

 private:
  Vec3 m_origin, m_normal;
};

/// `normal`, of unit length, as the last of three axes of unit length at right angles to each other.
std::array<Vec3, 3> axesAround(Vec3 normal);

}  // namespace farfield::extract
