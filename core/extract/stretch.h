#pragma once
// Spaces whose axes are so many times longer than the data's, in which what is made for a stretched view is even. Where nothing is
// stretched everything is the same number.

#include "core/base/geometry.h"

namespace farfield::extract {

inline Vec3 times(Vec3 a, Vec3 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline Vec3 over(Vec3 a, Vec3 b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}
/// Of a plane with this normal, once it is stretched.
inline Vec3 stretchedNormal(Vec3 normal, Vec3 stretch) {
  if (stretch == Vec3{1, 1, 1}) return normal;
  const Vec3 across = over(normal, stretch);
  return (1 / length(across)) * across;
}

}  // namespace farfield::extract
