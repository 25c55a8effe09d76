#include "core/paging/arranging/curve.h"

#include <algorithm>
#include <array>

namespace farfield::paging {

std::uint64_t placeOnCurve(Vec3 point, const Bounds& bounds) {
  constexpr int kBits = 21;
  constexpr double kCells = 1 << kBits;
  // the same scale on all axes, so that what is near in space is near on the curve
  const Vec3 size = bounds.max - bounds.min;
  const double longest = std::max({size.x, size.y, size.z});
  std::array<std::uint32_t, 3> x{};
  for (int a = 0; a < 3; ++a) {
    const double share = longest > 0 ? (point[a] - bounds.min[a]) / longest : 0;
    x[static_cast<std::size_t>(a)] = static_cast<std::uint32_t>(std::clamp(share * kCells, 0.0, kCells - 1));
  }
  for (std::uint32_t q = 1U << (kBits - 1); q > 1; q >>= 1) {
    const std::uint32_t low = q - 1;
    for (std::uint32_t& along : x) {
      if (along & q) {
        x[0] ^= low;
      } else {
        const std::uint32_t t = (x[0] ^ along) & low;
        x[0] ^= t;
        along ^= t;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1U << (kBits - 1); q > 1; q >>= 1)
    if (x[2] & q) t ^= q - 1;
  std::uint64_t place = 0;
  for (int bit = kBits - 1; bit >= 0; --bit)
    for (const std::uint32_t along : x) place = place << 1 | ((along ^ t) >> bit & 1);
  return place;
}

}  // namespace farfield::paging
